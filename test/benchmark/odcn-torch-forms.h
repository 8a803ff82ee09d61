// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TORCH_FORMS_H
#define ODCN_TORCH_FORMS_H

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace odcn
{

/// How LibTorch may run a stack of layers.
enum class TorchForm
{
    EAGER,        //!< addmm and elu, a new tensor for each result
    PREALLOCATED, //!< their out variants, into tensors that stay
    SCRIPT        //!< TorchScript, frozen and optimised for inference
};

/// A stack of fully connected layers with ELU between them, as LibTorch runs it.
class TorchStack
{
  public:
    /**
     * @param parameters weights [in][out] and biases of layer after layer; they stay where they are
     * @param sizes inputs, outputs of each layer
     */
    TorchStack(const float* parameters, const std::vector<int64_t>& sizes);
    ~TorchStack();

    /**
     * @param form how
     * @param x inputs, [n][inputs]
     * @param n number of rows
     * @return the first output
     */
    float Run(TorchForm form, const float* x, int64_t n);

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// torch::optim::Adam on the layers of a network.
class TorchAdam
{
  public:
    /**
     * @param parameters of stack after stack, each as for TorchStack
     * @param gradient likewise
     * @param stacks sizes of each
     */
    TorchAdam(float* parameters,
              const float* gradient,
              const std::vector<std::vector<int64_t>>& stacks);
    ~TorchAdam();

    /// One step.
    void Step();

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// @param n threads that LibTorch and its BLAS may use from now on
void SetTorchThreads(int n);

} // namespace odcn
} // namespace ns3

#endif /* ODCN_TORCH_FORMS_H */
