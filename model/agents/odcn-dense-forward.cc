// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-dense-forward.h"

#include "odcn-policy-network.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cstdint>

// One version for each vector width, selected when the program starts. The selection runs before
// ThreadSanitizer does.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define ODCN_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ODCN_VECTOR_CLONES
#endif

namespace ns3::odcn
{

#if defined(__GNUC__) && !defined(__clang__)
// Optimised also in ns-3's default build profile, where it would otherwise be several times slower.
// Comparisons that may trap would keep the activations from being vectorised.
#pragma GCC push_options
#pragma GCC optimize("O3,no-trapping-math")
#endif

namespace
{

using Layer = DenseForward::Layer;

/// Number of outputs whose sums are in registers: for one row, and for several rows at once.
constexpr std::size_t WIDE_BLOCK = 64;
constexpr std::size_t NARROW_BLOCK = 32;

/**
 * exp(x) for x <= 0, accurate to 1e-7: 2^n by the exponent's bits, the rest by a polynomial. The
 * compiler can vectorise it, unlike std::exp.
 */
inline float
ExpOfNegative(float x)
{
    constexpr float LEAST = -87.0F;
    constexpr float LOG2_E = 1.44269504F;
    constexpr float LN2_HIGH = 0.693359375F;
    constexpr float LN2_LOW = -2.12194440e-4F;
    x = x < LEAST ? LEAST : x;
    const auto n = static_cast<int32_t>(x * LOG2_E - 0.5F);
    const auto nearest = static_cast<float>(n);
    const float r = x - nearest * LN2_HIGH - nearest * LN2_LOW;
    const float p =
        1.0F +
        r * (1.0F +
             r * (0.5F + r * (1.0F / 6 + r * (1.0F / 24 + r * (1.0F / 120 + r * (1.0F / 720))))));
    constexpr int32_t EXPONENT_BIAS = 127;
    constexpr int32_t MANTISSA_BITS = 23;
    return p * __builtin_bit_cast(float, (n + EXPONENT_BIAS) << MANTISSA_BITS);
}

/// @param activation to apply  @param [in,out] y numbers  @param n number of them
inline __attribute__((always_inline)) void
Activate(DenseForward::Activation activation, float* y, std::size_t n)
{
    switch (activation)
    {
    case DenseForward::NONE:
        break;
    case DenseForward::ELU:
        for (std::size_t i = 0; i < n; ++i)
        {
            // One of the two terms is 0.
            const float below = ExpOfNegative(y[i] < 0.0F ? y[i] : 0.0F) - 1.0F;
            y[i] = (y[i] > 0.0F ? y[i] : 0.0F) + below;
        }
        break;
    case DenseForward::RELU:
        for (std::size_t i = 0; i < n; ++i)
        {
            y[i] = y[i] > 0.0F ? y[i] : 0.0F;
        }
        break;
    case DenseForward::TANH:
        for (std::size_t i = 0; i < n; ++i)
        {
            const float size = y[i] < 0.0F ? -y[i] : y[i];
            const float e = ExpOfNegative(-2.0F * size);
            const float tanh = (1.0F - e) / (1.0F + e);
            y[i] = y[i] < 0.0F ? -tanh : tanh;
        }
        break;
    }
}

/// Compute some outputs of some rows, with their sums in registers. Parameters as for RunLayer().
template <std::size_t ROWS, std::size_t BLOCK>
inline __attribute__((always_inline)) void
RunBlock(const Layer& layer,
         const float* __restrict x,
         std::size_t xStride,
         std::size_t output,
         float* __restrict y)
{
    const float* __restrict weights = layer.weights.data() + output;
    const float* biases = layer.biases.data() + output;
    float sums[ROWS][BLOCK];
    for (std::size_t r = 0; r < ROWS; ++r)
    {
        for (std::size_t o = 0; o < BLOCK; ++o)
        {
            sums[r][o] = biases[o];
        }
    }
    for (std::size_t i = 0; i < layer.inputs; ++i)
    {
        for (std::size_t r = 0; r < ROWS; ++r)
        {
            const float factor = x[r * xStride + i];
            for (std::size_t o = 0; o < BLOCK; ++o)
            {
                sums[r][o] += factor * weights[i * layer.stride + o];
            }
        }
    }
    for (std::size_t r = 0; r < ROWS; ++r)
    {
        for (std::size_t o = 0; o < BLOCK; ++o)
        {
            y[r * layer.stride + output + o] = sums[r][o];
        }
    }
}

/// Compute ROWS rows at a time.
/// @param row first row
/// @return first row that is left
template <std::size_t ROWS>
inline __attribute__((always_inline)) std::size_t
RunRows(const Layer& layer,
        const float* x,
        std::size_t row,
        std::size_t rows,
        std::size_t xStride,
        float* y)
{
    for (; row + ROWS <= rows; row += ROWS)
    {
        for (std::size_t o = 0; o < layer.stride; o += NARROW_BLOCK)
        {
            RunBlock<ROWS, NARROW_BLOCK>(layer,
                                         x + row * xStride,
                                         xStride,
                                         o,
                                         y + row * layer.stride);
        }
    }
    return row;
}

/**
 * @param layer to compute
 * @param x [rows][xStride]
 * @param rows number of rows
 * @param xStride at least the layer's inputs
 * @param [out] y [rows][layer.stride]
 */
ODCN_VECTOR_CLONES void
RunLayer(const Layer& layer, const float* x, std::size_t rows, std::size_t xStride, float* y)
{
    std::size_t row = RunRows<8>(layer, x, 0, rows, xStride, y);
    row = RunRows<4>(layer, x, row, rows, xStride, y);
    row = RunRows<2>(layer, x, row, rows, xStride, y);
    for (; row < rows; ++row)
    {
        std::size_t o = 0;
        for (; o + WIDE_BLOCK <= layer.stride; o += WIDE_BLOCK)
        {
            RunBlock<1, WIDE_BLOCK>(layer, x + row * xStride, 0, o, y + row * layer.stride);
        }
        for (; o < layer.stride; o += NARROW_BLOCK)
        {
            RunBlock<1, NARROW_BLOCK>(layer, x + row * xStride, 0, o, y + row * layer.stride);
        }
    }
    Activate(layer.activation, y, rows * layer.stride);
}

} // namespace

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

std::optional<DenseForward>
DenseForward::Make(const std::shared_ptr<PolicyNetwork>& network)
{
    DenseForward made;
    made.m_network = std::dynamic_pointer_cast<const DenseNetwork>(network);
    if (!made.m_network)
    {
        return {};
    }
    auto& layers = made.m_layers;
    std::size_t widest = 0;
    for (const auto& module : *made.m_network->GetPolicy())
    {
        const auto* linear = module.ptr()->as<torch::nn::Linear>();
        if (linear && linear->bias.defined())
        {
            Layer layer;
            layer.outputs = linear->weight.size(0);
            layer.inputs = linear->weight.size(1);
            layer.stride = (layer.outputs + NARROW_BLOCK - 1) / NARROW_BLOCK * NARROW_BLOCK;
            const torch::NoGradGuard noGradients;
            const auto padding = static_cast<int64_t>(layer.stride - layer.outputs);
            const auto copy = [padding](const torch::Tensor& x)
            {
                const auto padded = torch::constant_pad_nd(x, {0, padding}).contiguous();
                return std::vector<float>(padded.data_ptr<float>(),
                                          padded.data_ptr<float>() + padded.numel());
            };
            layer.weights = copy(linear->weight.t());
            layer.biases = copy(linear->bias);
            widest = std::max({widest, layer.inputs, layer.stride});
            layers.push_back(std::move(layer));
            continue;
        }
        const auto* elu = module.ptr()->as<torch::nn::ELU>();
        const Activation activation = elu && elu->options.alpha() == 1.0    ? ELU
                                      : module.ptr()->as<torch::nn::ReLU>() ? RELU
                                      : module.ptr()->as<torch::nn::Tanh>() ? TANH
                                                                            : NONE;
        if (activation == NONE || layers.empty() || layers.back().activation != NONE)
        {
            return {};
        }
        layers.back().activation = activation;
    }
    made.m_rows = network->GetShape().actions / layers.back().outputs;
    for (auto& buffer : made.m_buffers)
    {
        buffer.resize(made.m_rows * widest);
    }
    return made;
}

void
DenseForward::Run(const float* observation, const std::vector<uint8_t>& mask, float* logits)
{
    float* x = m_buffers[0].data();
    float* y = m_buffers[1].data();
    m_network->Describe(observation, x, nullptr);
    const std::size_t outputs = m_layers.back().outputs;
    std::size_t stride = m_layers.front().inputs;
    m_computed.clear();
    for (std::size_t row = 0; row < m_rows; ++row)
    {
        const auto* first = mask.data() + row * outputs;
        if (mask.empty() || std::any_of(first, first + outputs, [](uint8_t m) { return m != 0; }))
        {
            std::copy_n(x + row * stride, stride, y + m_computed.size() * stride);
            m_computed.push_back(row);
        }
    }
    std::swap(x, y);
    for (const auto& layer : m_layers)
    {
        RunLayer(layer, x, m_computed.size(), stride, y);
        stride = layer.stride;
        std::swap(x, y);
    }
    std::fill_n(logits, m_rows * outputs, 0.0F);
    for (std::size_t i = 0; i < m_computed.size(); ++i)
    {
        std::copy_n(x + i * stride, outputs, logits + m_computed[i] * outputs);
    }
}

} // namespace ns3::odcn
