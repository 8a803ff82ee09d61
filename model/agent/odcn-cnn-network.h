// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CNN_NETWORK_H
#define ODCN_CNN_NETWORK_H

#include "odcn-column-tape.h"
#include "odcn-network.h"

#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * A convolutional network for observations that are images, {channels, height, width} or {height,
 * width}. By default it is that of DeepRM_Plus (Guo et al., 2021, Table I): Conv 5x5 to 8, ReLU,
 * average of 2x2, Conv 5x5 to 16, ReLU, average of 2x2, 69 with tanh, one logit per action.
 *
 * Layers names what comes before the flat part, first to last: "Conv5-8" is 8 filters of 5x5 over
 * all channels, step 1, zeros around the image so that its size stays, then Activation; "AvgPool2"
 * and "MaxPool2" take the mean or the greatest of 2x2 pixels, step 2, and leave out a last row or
 * column that is not whole. Hidden names fully connected layers after that. Without Layers it is a
 * plain fully connected network.
 *
 * With Layers it needs no LibTorch, neither to decide nor to learn, and computes what equal columns
 * of pixels come to once (OdcnColumnTape); a batch is cut into shards that threads may share. The
 * result is the same on any x86-64 processor: products are fused into additions, in software where
 * the processor cannot. Without Layers it learns by LibTorch.
 */
class OdcnCnnNetwork : public OdcnNetwork
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::vector<uint32_t> GetSignature() const override;
    std::size_t GetPolicySize() const override;
    void Randomize(uint64_t seed) override;
    void Infer(const float* observations,
               uint32_t n,
               float* logits,
               Scratch& scratch) const override;
    void Evaluate(const float* observations, uint32_t n, float* logits, float* values) override;
    uint32_t GetBatchRows() const override;
    void Forward(const float* observations, uint32_t n, float* logits, float* values) override;
    void Backward(const float* dLogits, const float* dValues) override;

  private:
    /// Where the value comes from.
    enum ValueKind
    {
        OWN,    //!< A network of its own, of the same form
        SHARED, //!< What the policy makes of an observation before its last layer
        NONE    //!< It is 0, for learners that need none
    };

    /// From an observation to the last layer.
    struct Body
    {
        std::vector<OdcnImageLayer> layers; //!< Before the flat part
        OdcnDenseStack hidden;              //!< Without layers: none
        OdcnDenseStack head;                //!< The last layer
    };

    /// A body's layers in the order in which they are computed; it has Layers.
    struct Chain
    {
        OdcnColumnPlan plan;                //!< All that read images
        std::vector<OdcnDenseLayer> hidden; //!< Those after it
        std::vector<OdcnDenseLayer> heads;  //!< Those after the last hidden one; none if plan reads
        OdcnActivation activation;          //!< Of hidden layers
        uint32_t outputs;                   //!< Of all heads
    };

    /// A chain at work on some observations.
    struct Pass
    {
        OdcnColumnTape tape;                    //!< All that read images
        std::vector<std::vector<float>> hidden; //!< What each hidden layer makes, [n][outputs]
        std::vector<float> outputs;             //!< Of the heads, [n][outputs]
        std::vector<float> columns;             //!< Gradient in the order of the plan
        std::vector<std::vector<float>> layers; //!< Gradients of hidden layers, then of heads

        /// @param chain layers  @param parameters flat  @param images [n][size]  @param n how many
        void Forward(const Chain& chain, const float* parameters, const float* images, uint32_t n);

        /// @param chain layers  @param parameters flat  @param d by the outputs  @param n how many
        void Backward(const Chain& chain,
                      const float* parameters,
                      std::vector<float> d,
                      uint32_t n);
    };

    /// What is remembered from one decision to the next.
    struct Decided;

    void DoBuild() override;
    void DoForward(const at::Tensor& observations,
                   at::Tensor& logits,
                   at::Tensor& values) const override;
    uint32_t GetShardRows() const override;

    /// @param outputs of the last layer  @return layers, added to the parameters
    Body AddBody(uint32_t outputs);

    /**
     * @param body layers
     * @param observations [n, observation size]
     * @return what enters the last layer
     */
    at::Tensor RunBody(const Body& body, const at::Tensor& observations) const;

    /// @return the policy, and the value if it has layers of its own
    std::vector<Chain> MakeChains() const;

    /// @param shard which  @return its first row of the last Forward(); of the one after the last,
    /// n
    std::size_t GetFirstRow(std::size_t shard) const;

    /**
     * Without layers, what enters the last one.
     * @param body hidden layers
     * @param observations [n][observation size]
     * @param n number of observations
     * @param scratch working memory
     * @return [n][inputs of body.head]
     */
    const float* Describe(const Body& body,
                          const float* observations,
                          uint32_t n,
                          Scratch& scratch) const;

    /// @param scratch of the caller  @return what it remembers, for the present parameters
    Decided& Recall(Scratch& scratch) const;

    /**
     * Put what chains made where it belongs.
     * @param outputs of the policy's, [n][outputs]
     * @param others of the value's; null for none
     * @param n rows
     * @param [out] logits [n][actions]
     * @param [out] values [n]; null if not wanted
     */
    void Deliver(const float* outputs,
                 const float* others,
                 std::size_t n,
                 float* logits,
                 float* values) const;

    std::string m_layers;                    //!< As text
    std::string m_hidden;                    //!< As text
    OdcnActivation m_activation;             //!< After convolutions
    OdcnActivation m_hiddenActivation;       //!< After hidden layers
    ValueKind m_valueKind;                   //!< Where the value comes from
    double m_filterBias;                     //!< Of filters before they learn, of the usual range
    uint32_t m_channels{1};                  //!< Of an observation
    uint32_t m_height{1};                    //!< Of an observation
    uint32_t m_width{1};                     //!< Of an observation
    Body m_policy;                           //!< To the logits
    Body m_value;                            //!< To the value; for SHARED only its head
    Scratch m_scratch;                       //!< Of Evaluate()
    std::vector<Chain> m_chains;             //!< As they learn
    std::vector<std::vector<Pass>> m_passes; //!< Of each shard of the last Forward(), by chain
    std::size_t m_n{0};                      //!< Rows of it
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_CNN_NETWORK_H */
