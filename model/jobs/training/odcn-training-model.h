// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_MODEL_H
#define ODCN_TRAINING_MODEL_H

#include "odcn-training-job.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// How a model is trained in parallel; the product of data, tensor, pipeline and context is the
/// number of ranks. Ranks count by tensor, context, data and pipeline index, the first the fastest.
///
/// @ingroup odcn
struct TrainingParallelism
{
    uint32_t data{1};         //!< copies of the model, which add their gradients
    uint32_t tensor{1};       //!< ranks that share each layer
    uint32_t pipeline{1};     //!< stages, each of as many layers
    uint32_t context{1};      //!< ranks that share each sequence
    uint32_t expert{1};       //!< ranks that share the experts of a layer; divides data x context
    uint32_t microBatches{1}; //!< forward and backward passes of a copy in an iteration
    uint32_t sequences{1};    //!< of a micro batch
    uint32_t length{2048};    //!< tokens of a sequence
    double flops{150e12}; //!< rate of computations of a rank, floating-point operations a second
    double expertSkew{0}; //!< exponent of Zipf's law of the tokens of a layer's experts; 0: evenly
    /// Probability that an expert changes places in that law with a random one before an iteration.
    double expertDrift{0};

    /// @return number of ranks
    uint32_t GetNRanks() const
    {
        return data * tensor * pipeline * context;
    }
};

/**
 * Sizes of a transformer, and the training jobs that follow from them.
 *
 * Of each layer and micro batch, a rank computes attention and the feed-forward network, forward
 * once, backward twice the operations. As in Megatron-LM (Narayanan et al., SC 2021), tensor groups
 * all-reduce the activations after both; stages of a pipeline send them on, one forward pass and
 * one backward pass in turn (1F1B). Context groups all-gather keys and values before attention, and
 * reduce-scatter their gradients. Expert groups exchange tokens before and after the feed-forward
 * network (GShard; Lepikhin et al., ICLR 2021), evenly or by expertSkew; computations are even.
 * Gradients are all-reduced layer by layer
 * during the last backward pass, beside its computations: those of experts by the ranks with the
 * same experts, others by all copies. Numbers have two bytes. Embeddings, the last layer and the
 * step of the optimiser are left out.
 *
 * @ingroup odcn
 */
struct TrainingModel
{
    std::string name{};   //!< such as "gpt3-13b"
    uint32_t layers{1};   //!< number of layers
    uint32_t hidden{1};   //!< size of an activation
    uint32_t inner{1};    //!< size between the matrices of the feed-forward network
    uint32_t heads{1};    //!< of attention
    uint32_t keyHeads{1}; //!< of keys and values
    uint32_t matrices{2}; //!< of the feed-forward network: 2, or 3 if it is gated
    uint32_t experts{1};  //!< feed-forward networks of a layer
    uint32_t active{1};   //!< of which a token passes as many

    /**
     * GPT-3 (Brown et al., NeurIPS 2020, table 2.1): gpt3-13b, gpt3-175b. Llama (Touvron et al.,
     * 2023, table 2): llama-7b. Llama 2 (Touvron et al., 2023): llama-70b. Mixtral (Jiang et al.,
     * 2024, table 1): mixtral-8x7b. Ours, for runs in packets: mini-gpt and mini-moe.
     * @return the models by name
     */
    static const std::vector<TrainingModel>& GetAll();

    /// @param name of a model
    /// @return the model
    /// @throws OdcnError when there is none of that name
    static const TrainingModel& Find(const std::string& name);

    /// @return parameters of the attention of a layer
    double GetAttentionParameters() const;

    /// @return parameters of a feed-forward network of a layer
    double GetInnerParameters() const;

    /// @return parameters of all layers
    double GetParameters() const;

    /**
     * @param parallelism how it is trained
     * @param iterations number of iterations
     * @param random draws which experts get more tokens; may be null without expertSkew
     * @return the job, with communicators TP, CP, DP, EP and EDP where there are such groups
     * @throws OdcnError when the sizes do not fit together, or random is missing
     */
    TrainingJob MakeJob(const TrainingParallelism& parallelism,
                        uint32_t iterations = 1,
                        const Ptr<UniformRandomVariable>& random = nullptr) const;
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_MODEL_H */
