// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DENSE_FORWARD_H
#define ODCN_DENSE_FORWARD_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::odcn
{

class DenseNetwork;
class PolicyNetwork;

/**
 * @ingroup odcn
 *
 * The logits of a DenseNetwork for one observation at a time, without LibTorch, whose overhead per
 * operation exceeds the computation for such small networks. They equal the network's own within
 * 1e-5 of the largest logit.
 */
class DenseForward
{
  public:
    /// @param network made by PolicyNetwork::Create() or Build(); its parameters are copied
    /// @return its evaluation; nothing for networks that are not dense, or have layers besides
    /// Linear, ELU, ReLU and Tanh
    static std::optional<DenseForward> Make(const std::shared_ptr<PolicyNetwork>& network);

    /**
     * @param observation one observation
     * @param mask nonzero for permitted actions, or empty if all are. A row of a network that
     * scores rows is computed only when one of its actions is permitted.
     * @param [out] logits one for each action, 0 where not computed
     */
    void Run(const float* observation, const std::vector<uint8_t>& mask, float* logits);

    /// Activation after a linear layer.
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
        std::size_t inputs;          //!< Of a row
        std::size_t outputs;         //!< Of a row
        std::size_t stride;          //!< Outputs, rounded up to whole blocks
        Activation activation{NONE}; //!< Of the outputs
        std::vector<float> weights;  //!< [inputs][stride], 0 beyond the outputs
        std::vector<float> biases;   //!< [stride]
    };

  private:
    std::shared_ptr<const DenseNetwork> m_network; //!< Describes observations
    std::size_t m_rows{0};                         //!< Rows of an observation
    std::vector<std::size_t> m_computed;           //!< Rows to compute
    std::vector<Layer> m_layers;                   //!< First to last
    std::vector<float> m_buffers[2];               //!< Inputs and outputs of a layer
};

} // namespace ns3::odcn

#endif /* ODCN_DENSE_FORWARD_H */
