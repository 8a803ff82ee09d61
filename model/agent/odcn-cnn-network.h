// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CNN_NETWORK_H
#define ODCN_CNN_NETWORK_H

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
 * It decides without LibTorch, the same on any x86-64 processor: products are fused into additions,
 * in software where the processor cannot. It learns by LibTorch, a batch cut into shards of a few
 * images that threads may share.
 */
class OdcnCnnNetwork : public OdcnNetwork
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::vector<uint32_t> GetSignature() const override;
    std::size_t GetPolicySize() const override;
    void Infer(const float* observations,
               uint32_t n,
               float* logits,
               Scratch& scratch) const override;
    void Evaluate(const float* observations, uint32_t n, float* logits, float* values) override;

  private:
    /// Where the value comes from.
    enum ValueKind
    {
        OWN,    //!< A network of its own, of the same form
        SHARED, //!< What the policy makes of an observation before its last layer
        NONE    //!< It is 0, for learners that need none
    };

    /// What a layer before the flat part does.
    enum LayerKind
    {
        CONVOLUTION,
        AVERAGE,
        GREATEST
    };

    /// A layer before the flat part.
    struct Layer
    {
        LayerKind kind;        //!< What it does
        uint32_t kernel;       //!< Pixels each way
        uint32_t in;           //!< Channels
        uint32_t out;          //!< Channels
        uint32_t height;       //!< Of its input
        uint32_t width;        //!< Of its input
        OdcnDenseStack filter; //!< CONVOLUTION: one layer, its weights as [out][in][row][column]
    };

    /// From an observation to the last layer.
    struct Body
    {
        std::vector<Layer> layers; //!< Before the flat part
        OdcnDenseStack hidden;     //!< Without layers: none
        OdcnDenseStack head;       //!< The last layer
    };

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

    /**
     * What enters the last layer, in plain C++.
     * @param body layers
     * @param observations [n][observation size]
     * @param n number of observations
     * @param scratch working memory
     * @return [n][inputs of body.head], in the scratch
     */
    const float* Describe(const Body& body,
                          const float* observations,
                          uint32_t n,
                          Scratch& scratch) const;

    /**
     * @param layer of kind CONVOLUTION
     * @param in image
     * @param [out] out image
     * @param columns working memory
     */
    void Convolve(const Layer& layer,
                  const float* in,
                  float* out,
                  std::vector<float>& columns) const;

    std::string m_layers;              //!< As text
    std::string m_hidden;              //!< As text
    OdcnActivation m_activation;       //!< After convolutions
    OdcnActivation m_hiddenActivation; //!< After hidden layers
    ValueKind m_valueKind;             //!< Where the value comes from
    uint32_t m_channels{1};            //!< Of an observation
    uint32_t m_height{1};              //!< Of an observation
    uint32_t m_width{1};               //!< Of an observation
    Body m_policy;                     //!< To the logits
    Body m_value;                      //!< To the value; for SHARED only its head
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_CNN_NETWORK_H */
