// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DENSE_STACK_H
#define ODCN_DENSE_STACK_H

#include <cstddef>
#include <cstdint>
#include <span>
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
 * y[r][c] = b[c] + sum over i of x[r][i] w[i][c], in the order of i. The strides tell where x, w
 * and y have their elements; columns of w, b and y lie side by side.
 */
struct OdcnProduct
{
    const float* x;      //!< first factor
    std::size_t xRow;    //!< from a row of x to the next
    std::size_t xStep;   //!< from a term to the next
    const float* w;      //!< second factor
    std::size_t wStep;   //!< from a term to the next
    const float* b;      //!< what is added to; null for y itself
    float* y;            //!< the result
    std::size_t yRow;    //!< from a row of y to the next
    std::size_t rows;    //!< of x and y
    std::size_t terms;   //!< of each sum
    std::size_t columns; //!< of w and y
};

/**
 * @param product to be computed
 * @param fused whether each product is fused into the addition, with one rounding: fast where the
 * processor can, slow elsewhere; the same everywhere
 */
void OdcnMultiply(const OdcnProduct& product, bool fused);

/// @param activation which  @param y n numbers, in place  @param n how many
void OdcnActivate(OdcnActivation activation, float* y, std::size_t n);

/**
 * @param activation which
 * @param d derivatives by its results, become those by its arguments
 * @param y its results
 * @param n how many
 */
void OdcnDerive(OdcnActivation activation, float* d, const float* y, std::size_t n);

/**
 * Derivatives of a layer by its parameters, added to what is there.
 * @param in number of inputs
 * @param out number of outputs
 * @param x inputs, [n][in]
 * @param d derivatives by the results before the activation, [n][out]
 * @param n number of rows
 * @param start null, or zeros (as many as in or out) to begin with in place of what is there
 * @param [in,out] dWeight [in][out]
 * @param [in,out] dBias [out]; null if not wanted
 */
void OdcnLayerBackward(uint32_t in,
                       uint32_t out,
                       const float* x,
                       const float* d,
                       std::size_t n,
                       const float* start,
                       float* dWeight,
                       float* dBias);

/**
 * @param from weights, [in][out]
 * @param in rows
 * @param out columns
 * @param [out] to [out][in]
 */
void OdcnTranspose(const float* from, uint32_t in, uint32_t out, float* to);

/**
 * @ingroup odcn
 *
 * Mean of messages on a graph whose links are alike both ways. With m(u, v) = max(0, z(u) +
 * sum over f of e(f, u, v) w(f)), the message of a node to a neighbour, a node gets
 * y(v) = scale(v) (max(0, z(v)) + sum over its neighbours u of m(u, v)).
 */
struct OdcnMessages
{
    uint32_t nodes;             //!< how many
    uint32_t units;             //!< numbers of a message
    uint32_t linkFeatures;      //!< numbers of a link
    const uint32_t* offsets;    //!< [nodes + 1], where a node's neighbours begin
    const uint32_t* neighbours; //!< [offsets[nodes]]
    const uint32_t* linkOf;     //!< likewise, the link to that neighbour
    const float* scale;         //!< [nodes]
    const float* links;         //!< e, [links][linkFeatures]
    const float* weight;        //!< w, [linkFeatures][units]
    const float* z;             //!< [nodes][units]
};

/// @param messages what to gather  @param [out] y [nodes][units]
void OdcnGather(const OdcnMessages& messages, float* y);

/**
 * Differentiate OdcnGather().
 * @param messages as they were
 * @param dy derivatives by y
 * @param [out] dz derivatives by z
 * @param [in,out] dWeight those by w are added to it
 */
void OdcnGatherBackward(const OdcnMessages& messages, const float* dy, float* dz, float* dWeight);

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

/**
 * @ingroup odcn
 *
 * One pass of a stack over a batch, kept so that it can be differentiated. The rows are cut into
 * shards, which threads may work on side by side; how many there are depends on the batch alone,
 * and what they add to the gradient is summed up in their order. So the result does not depend on
 * threads, nor on the processor: products are fused into additions on every one, in software where
 * it cannot.
 *
 * Begin(), then for all shards Forward(), then for all shards Backward(), then AddUp() for all
 * parameters.
 */
class OdcnDenseTape
{
  public:
    /// @param stack the layers; they stay where they are  @param n number of rows
    void Begin(const OdcnDenseStack& stack, uint32_t n);

    /// @return number of shards
    uint32_t GetShards() const
    {
        return static_cast<uint32_t>(m_gradients.size());
    }

    /// @param shard which  @return its first row; for GetShards() the number of rows
    uint32_t GetFirstRow(uint32_t shard) const;

    /// @return inputs, [n][inputs], to be filled before Forward()
    float* GetInputs()
    {
        return m_kept.front().data();
    }

    /// @return outputs of Forward(), [n][outputs]
    const float* GetOutputs() const
    {
        return m_kept.back().data();
    }

    /// @param shard which rows  @param parameters the flat buffer that the layers point into
    void Forward(uint32_t shard, const float* parameters);

    /**
     * @param shard which rows
     * @param dOutputs derivatives by the outputs, [n][outputs]
     * @param gradient as for AddUp()
     */
    void Backward(uint32_t shard, const float* dOutputs, float* gradient);

    /// @return number of parameters of the stack
    std::size_t GetNParameters() const
    {
        return m_end - m_begin;
    }

    /**
     * @param from first parameter of the stack
     * @param to one past the last
     * @param [out] gradient the flat buffer that the layers point into; these are overwritten
     */
    void AddUp(std::size_t from, std::size_t to, float* gradient) const;

  private:
    /// Turn the weights round, for Backward(). @param parameters as in Forward()
    void Transpose(const float* parameters);

    const OdcnDenseStack* m_stack{nullptr};       //!< the layers
    uint32_t m_n{0};                              //!< rows
    std::size_t m_begin{0};                       //!< first parameter in the flat buffer
    std::size_t m_end{0};                         //!< one past the last
    std::vector<std::vector<float>> m_kept;       //!< inputs, results of each layer, [n][width]
    std::vector<float> m_transposed;              //!< weights [out][in], placed as in the buffer
    std::vector<float> m_zeros;                   //!< as many as the widest layer has
    std::vector<std::vector<float>> m_gradients;  //!< of each shard
    std::vector<std::vector<float>> m_scratch[2]; //!< of each shard, derivatives between layers
};

/**
 * Ranks from 0 for the least to 1 for the greatest; equal numbers share the mean of theirs.
 * @param x numbers
 * @param n how many
 * @param [out] rank where the first one's rank goes
 * @param step from there to the next one's
 */
void OdcnRanks(const float* x, uint32_t n, float* rank, std::size_t step);

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

/// Step size of RMSProp, and what it depends on.
struct OdcnRmsProp
{
    double learningRate; //!< Step size
    double decay;        //!< Weight of what was in the mean of the squares
    double epsilon;      //!< Added to that mean
    double scale;        //!< The gradient is multiplied by it first (clipping)
};

/**
 * One step of RMSProp (Hinton) with the form of DeepRM: the gradient by the root of the mean of
 * its squares and epsilon.
 * @param parameters to be changed
 * @param squares means of the gradient's squares so far, 0 at first; as many
 * @param gradient as many
 * @param by the numbers of it
 */
void OdcnRmsPropStep(float* parameters,
                     std::vector<float>& squares,
                     std::span<const float> gradient,
                     const OdcnRmsProp& by);

/**
 * For tests: choose the width of vectors, which changes no result.
 * @param lanes floats in a vector: 4, 8 or 16
 * @return whether this processor has such vectors; else nothing changes
 */
bool OdcnUseVectorLanes(uint32_t lanes);

} // namespace odcn
} // namespace ns3

#endif /* ODCN_DENSE_STACK_H */
