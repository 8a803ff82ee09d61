// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DENSE_STACK_H
#define ODCN_DENSE_STACK_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/// Activation of hidden layers.
enum OdcnActivation
{
    ODCN_ELU,
    ODCN_RELU,
    ODCN_TANH
};

/**
 * @ingroup odcn
 *
 * One fully connected layer, as places in a flat parameter buffer.
 */
struct OdcnDenseLayer
{
    uint32_t in;        //!< Number of inputs
    uint32_t out;       //!< Number of outputs
    std::size_t weight; //!< Where the weights begin, [in][out]: outputs run along vector lanes
    std::size_t bias;   //!< Where the biases begin, [out]
};

/**
 * @ingroup odcn
 *
 * Fully connected layers in a row; all but the last are followed by the activation.
 */
struct OdcnDenseStack
{
    std::vector<OdcnDenseLayer> layers; //!< From input to output
    OdcnActivation activation;          //!< Of the hidden layers

    /// @return number of inputs
    uint32_t GetInputs() const
    {
        return layers.front().in;
    }

    /// @return number of outputs
    uint32_t GetOutputs() const
    {
        return layers.back().out;
    }
};

/**
 * @ingroup odcn
 *
 * Run a stack without LibTorch. Additions are made in one order and without fused multiply-add, so
 * that a row's result is the same bit for bit in any batch and on any x86-64 processor; wider
 * vectors are chosen at run time where the processor has them.
 *
 * @param stack the layers
 * @param parameters the flat buffer that the layers point into
 * @param x inputs, [n][inputs]
 * @param n number of rows
 * @param [out] y outputs, [n][outputs]
 * @param scratch working memory, kept by the caller so that repeated calls allocate nothing
 */
void OdcnDenseForward(const OdcnDenseStack& stack,
                      const float* parameters,
                      const float* x,
                      uint32_t n,
                      float* y,
                      std::vector<float>& scratch);

/// @param x values  @param n how many  @return the sum of their squares
double OdcnSumOfSquares(const float* x, std::size_t n);

/**
 * @ingroup odcn
 *
 * Adam (Kingma and Ba) on one flat buffer.
 */
class OdcnAdam
{
  public:
    /// @param n number of parameters; forgets all moments
    void Reset(std::size_t n);

    /**
     * One step, with the usual beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8.
     * @param parameters n floats, changed in place
     * @param gradient n floats
     * @param learningRate step size
     * @param scale the gradient is multiplied by it first (clipping)
     */
    void Step(float* parameters, const float* gradient, double learningRate, double scale);

    std::vector<float> first;  //!< First moments
    std::vector<float> second; //!< Second moments
    uint64_t steps{0};         //!< Steps made so far
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_DENSE_STACK_H */
