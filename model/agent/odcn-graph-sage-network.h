// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_GRAPH_SAGE_NETWORK_H
#define ODCN_GRAPH_SAGE_NETWORK_H

#include "odcn-network.h"

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * The graph network of the NARA paper (Shabka and Zervas), for observations that are graphs: layers
 * of messages make an embedding of every node, and one small network scores each candidate.
 *
 * A layer (Eqs. 1 and 3) sends from a node to each neighbour max(0, W [its embedding, features of
 * the link] + b), and to the node itself the same with link features of 0; the new embedding is the
 * mean of what arrives. The last embeddings are brought to length 1. The first are the features.
 *
 * DNN_1 makes the features of the whole into some numbers; DNN_2 makes a logit of these, the mean
 * embedding of the nodes that are chosen already (0 without any) and the embedding of the
 * candidate. The value comes from layers of messages of its own, then from a stack on the features
 * of the whole, the mean embedding of the candidates and that of the chosen nodes.
 *
 * With Inputs=Relative a node is also told by how it stands among the candidates: for each feature
 * where it lies from their least (0) to their greatest (1), 0 for other nodes and where all are
 * equal. Features that differ little from server to server, as shares of a large request do, are
 * hard to tell apart without.
 *
 * Nothing depends on the size of the graph: parameters serve any.
 */
class OdcnGraphSageNetwork : public OdcnNetwork
{
  public:
    /// By what a node is told.
    enum Inputs
    {
        OWN,      //!< its features
        RELATIVE, //!< likewise, and how they stand among those of the candidates
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    std::vector<uint32_t> GetSignature() const override;
    std::size_t GetPolicySize() const override;
    void Infer(const float* observations,
               uint32_t n,
               float* logits,
               Scratch& scratch) const override;
    void Evaluate(const float* observations, uint32_t n, float* logits, float* values) override;
    void Forward(const float* observations, uint32_t n, float* logits, float* values) override;
    void Backward(const float* dLogits, const float* dValues) override;

  private:
    /// Layers of messages, and where they keep what they make of one observation.
    struct Body
    {
        std::vector<OdcnDenseStack> layers; //!< a dense layer each, on [embedding, link features]
        std::vector<std::size_t> sent;      //!< before the activation, [nodes][units]
        std::vector<std::size_t> got;       //!< means, [nodes][units]; the last of length 1
        std::size_t inverse;                //!< 1 / length before that, [nodes]
    };

    /// A stack, and where it keeps what goes into each layer and what comes out of the last.
    struct Head
    {
        OdcnDenseStack stack;            //!< the layers
        std::vector<std::size_t> places; //!< one more than layers, [rows][width]
    };

    /// Of one thread, for one observation at a time.
    struct Work
    {
        std::vector<float> kept;   //!< by the places above
        std::vector<float> d[2];   //!< derivatives between layers
        std::vector<float> dNodes; //!< by embeddings
        std::vector<float> dWhole; //!< by what goes into a head
        std::vector<float> logits; //!< again
    };

    void DoBuild() override;
    void DoForward(const at::Tensor& observations,
                   at::Tensor& logits,
                   at::Tensor& values) const override;

    /// @param floats how many  @return a place for them
    std::size_t AddPlace(std::size_t floats);
    /// @return layers of messages, added to the parameters
    Body AddBody();
    /// @param body layers of messages  @param observations [n, size]  @return [n, nodes, units]
    at::Tensor RunBody(const Body& body, const at::Tensor& observations) const;
    /// @param observations [n, size]  @param nodes [n, nodes, units]  @return [n, units]
    at::Tensor MeanOfChosen(const at::Tensor& observations, const at::Tensor& nodes) const;

    /// @return numbers that a node is told by
    uint32_t GetNodeInputs() const;
    /// @param observation one  @param [out] out [nodes][GetNodeInputs()]
    void DescribeNodes(const float* observation, float* out) const;

    /// @param body layers  @param layer number  @param kept memory  @return what it gathers
    OdcnMessages GetMessages(const Body& body,
                             std::size_t layer,
                             const float* observation,
                             const float* kept) const;

    /// Make embeddings. @param fused as for OdcnMultiply()
    void RunBody(const Body& body, const float* observation, float* kept, bool fused) const;

    /// Derivatives of RunBody(). @param work with those by embeddings in dNodes
    void DeriveBody(const Body& body, const float* observation, Work& work, float* gradient) const;

    /**
     * Run a head's layers from the given one on.
     * @param head a stack  @param layer first  @param rows how many  @param kept memory
     * @param fused as for OdcnMultiply()
     */
    void RunHead(const Head& head,
                 std::size_t layer,
                 std::size_t rows,
                 float* kept,
                 bool fused) const;

    /**
     * Derivatives of RunHead(), down to those by what goes into the given layer.
     * @param d those by the results  @return by what goes into it
     */
    const float* DeriveHead(const Head& head,
                            std::size_t layer,
                            std::size_t rows,
                            const float* d,
                            Work& work,
                            float* gradient) const;

    /**
     * @param observation one
     * @param kept memory
     * @param fused as for OdcnMultiply()
     * @param [out] logits of the candidates
     * @param [out] value of the observation; null when not wanted
     */
    void RunOne(const float* observation,
                float* kept,
                bool fused,
                float* logits,
                float* value) const;

    /**
     * Differentiate one observation; gradients are added.
     * @param observation as in RunOne()
     * @param dLogits derivatives by the logits
     * @param dValue derivative by the value
     * @param work with what RunOne() kept
     * @param [in,out] gradient by all parameters
     */
    void DeriveOne(const float* observation,
                   const float* dLogits,
                   float dValue,
                   Work& work,
                   float* gradient) const;

    /// @param observation one  @param nodes [nodes][units]  @param [out] mean [units]
    void TakeMeanOfChosen(const float* observation, const float* nodes, float* mean) const;
    /// @param observation one  @param dMean [units]  @param [in,out] dNodes [nodes][units]
    void GiveToChosen(const float* observation, const float* dMean, float* dNodes) const;
    /// @param observation one  @param node which  @return whether it is chosen
    bool IsChosen(const float* observation, uint32_t node) const;

    /// Logits and values of a batch. @param fused as for OdcnMultiply(); others as Forward()
    void Run(const float* observations, uint32_t n, bool fused, float* logits, float* values);

    /// @param n rows  @return shards of a batch, the same whatever the threads
    static uint32_t GetShards(uint32_t n);

    Inputs m_inputs;                          //!< by what a node is told
    uint32_t m_nLayers;                       //!< of messages
    uint32_t m_units;                         //!< of an embedding
    std::string m_globalSizes;                //!< of DNN_1, its outputs last
    std::string m_hidden;                     //!< of DNN_2
    std::string m_valueHidden;                //!< of the value
    std::vector<float> m_scale;               //!< 1 / (1 + neighbours) of each node
    Body m_policyBody;                        //!< embeddings for DNN_2
    Body m_valueBody;                         //!< embeddings for the value
    Head m_global;                            //!< DNN_1; one row
    Head m_policy;                            //!< DNN_2; a row a candidate
    Head m_value;                             //!< value; one row
    std::size_t m_nodes{0};                   //!< what nodes are told by
    std::size_t m_whole{0};                   //!< [results of DNN_1, mean of chosen]
    std::size_t m_base{0};                    //!< what those add to each row in DNN_2
    std::size_t m_keptSize{0};                //!< floats kept of one observation
    std::size_t m_widest{0};                  //!< floats between layers at most
    std::vector<float> m_zeros;               //!< to begin sums with
    std::vector<float> m_transposed;          //!< weights of each layer turned round
    uint32_t m_n{0};                          //!< rows of the last Forward()
    std::vector<float> m_observations;        //!< of the last Forward()
    std::vector<Work> m_work;                 //!< one a thread
    std::vector<std::vector<float>> m_shards; //!< gradients
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_GRAPH_SAGE_NETWORK_H */
