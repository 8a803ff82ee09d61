// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DENSE_FORWARD_H
#define ODCN_DENSE_FORWARD_H

#include <cstddef>
#include <vector>

namespace ns3::odcn
{

class DenseNetwork;

/**
 * @ingroup odcn
 *
 * The logits of a DenseNetwork for one observation at a time, without LibTorch, whose overhead for
 * each operation exceeds the work of such a small one. Equal to the network's own within 1e-5 of
 * the greatest logit.
 */
class DenseForward
{
  public:
    /**
     * Copy the parameters; to be called again when they have changed.
     * @param network that outlives this object, made by PolicyNetwork::Create() or Build()
     * @throws OdcnError when its policy has other layers than linear ones, Elu, Relu and Tanh
     */
    void Load(const DenseNetwork& network);

    /**
     * @param observation one observation
     * @param [out] logits one for each action
     */
    void Run(const float* observation, float* logits);

    /// What follows a linear layer.
    enum Activation
    {
        NONE,
        ELU,
        RELU,
        TANH
    };

    /// A linear layer and its activation.
    struct Layer
    {
        std::size_t inputs;         //!< Of a row
        std::size_t outputs;        //!< Of a row
        std::size_t stride;         //!< Outputs, rounded up to whole blocks
        Activation activation;      //!< Of the outputs
        std::vector<float> weights; //!< [inputs][stride], 0 beyond the outputs
        std::vector<float> biases;  //!< [stride]
    };

  private:
    const DenseNetwork* m_network{nullptr}; //!< Describes observations
    std::size_t m_rows{0};                  //!< Rows of an observation
    std::vector<Layer> m_layers;            //!< First to last
    std::vector<float> m_buffers[2];        //!< Inputs and outputs of a layer
};

} // namespace ns3::odcn

#endif /* ODCN_DENSE_FORWARD_H */
