// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-dense-stack.h"

#include <algorithm>
#include <cmath>
#include <utility>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define ODCN_WIDE_VECTORS 1
#else
#define ODCN_WIDE_VECTORS 0
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ns3
{
namespace odcn
{

namespace
{

// Where products are fused into additions is told by hand, and then every processor does. They are
// never fused elsewhere: results must not depend on the processor.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3,fp-contract=off")
#elif defined(__clang__)
#pragma clang fp contract(off)
#endif

#define ODCN_KERNEL lanes4
#define ODCN_LANES 4
#define ODCN_FMA(a, b, c)                                                                          \
    Vec                                                                                            \
    {                                                                                              \
        std::fma(a[0], b[0], c[0]), std::fma(a[1], b[1], c[1]), std::fma(a[2], b[2], c[2]),        \
            std::fma(a[3], b[3], c[3])                                                             \
    }
#if defined(__x86_64__)
#define ODCN_SQRT(x) _mm_sqrt_ps(x)
#else
#define ODCN_SQRT(x)                                                                               \
    Vec                                                                                            \
    {                                                                                              \
        std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])                         \
    }
#endif
#include "odcn-dense-kernel.h"
#undef ODCN_KERNEL
#undef ODCN_LANES
#undef ODCN_SQRT
#undef ODCN_FMA

#if ODCN_WIDE_VECTORS
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define ODCN_KERNEL lanes8
#define ODCN_LANES 8
#define ODCN_SQRT(x) _mm256_sqrt_ps(x)
#define ODCN_FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#include "odcn-dense-kernel.h"
#undef ODCN_KERNEL
#undef ODCN_LANES
#undef ODCN_SQRT
#undef ODCN_FMA
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,fma,prefer-vector-width=512")
#define ODCN_KERNEL lanes16
#define ODCN_LANES 16
#define ODCN_SQRT(x) _mm512_maskz_sqrt_ps(0xffff, x)
#define ODCN_FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#include "odcn-dense-kernel.h"
#undef ODCN_KERNEL
#undef ODCN_LANES
#undef ODCN_SQRT
#undef ODCN_FMA
#pragma GCC pop_options
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

/// The functions of one vector width; those of activations by OdcnActivation.
struct Kernel
{
    decltype(&lanes4::Multiply<false>) multiply;          //!< A product, rounded twice
    decltype(&lanes4::Multiply<true>) multiplyFused;      //!< A product, fused
    decltype(&lanes4::ActivateAll<ODCN_ELU>) activate[3]; //!< The activation in place
    decltype(&lanes4::DeriveAll<ODCN_ELU>) derive[3];     //!< Its derivative
    decltype(&lanes4::RankAll) rank;                      //!< Who stands where
    decltype(&lanes4::AddParts) addParts;                 //!< A sum of buffers
    decltype(&lanes4::Gather) gather;                     //!< Messages
    decltype(&lanes4::GatherBackward) gatherBackward;     //!< Their derivatives
    decltype(&lanes4::Adam) adam;                         //!< An optimiser step
};

#define ODCN_KERNEL_OF(lanes)                                                                      \
    Kernel                                                                                         \
    {                                                                                              \
        &lanes::Multiply<false>, &lanes::Multiply<true>,                                           \
            {&lanes::ActivateAll<ODCN_ELU>,                                                        \
             &lanes::ActivateAll<ODCN_RELU>,                                                       \
             &lanes::ActivateAll<ODCN_TANH>},                                                      \
            {&lanes::DeriveAll<ODCN_ELU>,                                                          \
             &lanes::DeriveAll<ODCN_RELU>,                                                         \
             &lanes::DeriveAll<ODCN_TANH>},                                                        \
            &lanes::RankAll, &lanes::AddParts, &lanes::Gather, &lanes::GatherBackward,             \
            &lanes::Adam                                                                           \
    }

/// @param most floats in a vector  @return the widest that this processor runs, up to that
std::pair<uint32_t, Kernel>
ChooseKernel(uint32_t most)
{
#if ODCN_WIDE_VECTORS
    __builtin_cpu_init();
    const bool fma = __builtin_cpu_supports("fma");
    if (most >= 16 && fma && __builtin_cpu_supports("avx512f"))
    {
        return {16, ODCN_KERNEL_OF(lanes16)};
    }
    if (most >= 8 && fma && __builtin_cpu_supports("avx2"))
    {
        return {8, ODCN_KERNEL_OF(lanes8)};
    }
#endif
    return {4, ODCN_KERNEL_OF(lanes4)};
}

Kernel g_kernel = ChooseKernel(16).second;

/// @param buffer is made large enough  @param n floats
void
Grow(std::vector<float>& buffer, std::size_t n)
{
    if (buffer.size() < n)
    {
        buffer.resize(n);
    }
}

/// @param layer a layer  @param parameters of it  @param x inputs  @param n rows  @param y results
/// @return what it computes before its activation
OdcnProduct
LayerProduct(const OdcnDenseLayer& layer,
             const float* parameters,
             const float* x,
             std::size_t n,
             float* y)
{
    return {x,
            layer.in,
            1,
            parameters + layer.weight,
            layer.out,
            parameters + layer.bias,
            y,
            layer.out,
            n,
            layer.in,
            layer.out};
}

} // namespace

void
OdcnRmsPropStep(float* parameters,
                std::vector<float>& squares,
                std::span<const float> gradient,
                const OdcnRmsProp& by)
{
    const auto scale = static_cast<float>(by.scale);
    const auto old = static_cast<float>(by.decay);
    const auto now = static_cast<float>(1.0 - by.decay);
    const auto epsilon = static_cast<float>(by.epsilon);
    const auto rate = static_cast<float>(by.learningRate);
    for (std::size_t i = 0; i < gradient.size(); ++i)
    {
        const float g = scale * gradient[i];
        squares[i] = old * squares[i] + now * g * g;
        parameters[i] -= rate * g / std::sqrt(squares[i] + epsilon);
    }
}

bool
OdcnUseVectorLanes(uint32_t lanes)
{
    const auto [width, kernel] = ChooseKernel(lanes);
    if (width == lanes)
    {
        g_kernel = kernel;
    }
    return width == lanes;
}

void
OdcnMultiply(const OdcnProduct& product, bool fused)
{
    (fused ? g_kernel.multiplyFused : g_kernel.multiply)(product);
}

void
OdcnActivate(OdcnActivation activation, float* y, std::size_t n)
{
    g_kernel.activate[activation](y, n);
}

void
OdcnDerive(OdcnActivation activation, float* d, const float* y, std::size_t n)
{
    g_kernel.derive[activation](d, y, n);
}

void
OdcnLayerBackward(uint32_t in,
                  uint32_t out,
                  const float* x,
                  const float* d,
                  std::size_t n,
                  const float* start,
                  float* dWeight,
                  float* dBias)
{
    const float one = 1.0F;
    if (out == 1)
    {
        // As one row of many columns it runs along vector lanes.
        g_kernel.multiplyFused({d, 0, 1, x, in, start, dWeight, 0, 1, n, in});
    }
    else
    {
        g_kernel.multiplyFused({x, 1, in, d, out, start, dWeight, out, in, n, out});
    }
    if (dBias)
    {
        g_kernel.multiplyFused({&one, 0, 0, d, out, start, dBias, 0, 1, n, out});
    }
}

void
OdcnTranspose(const float* from, uint32_t in, uint32_t out, float* to)
{
    constexpr uint32_t TILE = 16;
    for (uint32_t i = 0; i < in; i += TILE)
    {
        const uint32_t iEnd = std::min(i + TILE, in);
        for (uint32_t o = 0; o < out; ++o)
        {
            for (uint32_t j = i; j < iEnd; ++j)
            {
                to[std::size_t(o) * in + j] = from[std::size_t(j) * out + o];
            }
        }
    }
}

void
OdcnGather(const OdcnMessages& messages, float* y)
{
    g_kernel.gather(messages, y);
}

void
OdcnGatherBackward(const OdcnMessages& messages, const float* dy, float* dz, float* dWeight)
{
    g_kernel.gatherBackward(messages, dy, dz, dWeight);
}

void
OdcnDenseForward(const OdcnDenseStack& stack,
                 const float* parameters,
                 const float* x,
                 uint32_t n,
                 float* y,
                 std::vector<float>& scratch)
{
    std::size_t widest = 0;
    for (const auto& layer : stack.layers)
    {
        widest = std::max<std::size_t>(widest, layer.out);
    }
    const std::size_t half = widest * n;
    Grow(scratch, 2 * half);
    float* const buffers[2] = {scratch.data(), scratch.data() + half};
    const float* in = x;
    for (std::size_t k = 0; k < stack.layers.size(); ++k)
    {
        const auto& layer = stack.layers[k];
        const bool last = k + 1 == stack.layers.size();
        float* out = last ? y : buffers[k % 2];
        g_kernel.multiply(LayerProduct(layer, parameters, in, n, out));
        if (!last)
        {
            g_kernel.activate[stack.activation](out, std::size_t(n) * layer.out);
        }
        in = out;
    }
}

namespace
{

/// Rows that go through all layers together: what lies between them stays in the cache.
constexpr uint32_t BLOCK_ROWS = 64;
/// More shards serve more threads; each costs a gradient of its own, so it should have some rows.
constexpr uint32_t MAX_SHARDS = 8;
constexpr uint32_t MIN_SHARD_ROWS = 128;

} // namespace

void
OdcnDenseTape::Begin(const OdcnDenseStack& stack, uint32_t n)
{
    m_stack = &stack;
    m_n = n;
    m_begin = stack.layers.front().weight;
    m_end = stack.layers.back().bias + stack.layers.back().out;
    m_kept.resize(stack.layers.size() + 1);
    Grow(m_kept[0], std::size_t(n) * stack.GetInputs());
    std::size_t widest = stack.GetInputs();
    for (std::size_t k = 0; k < stack.layers.size(); ++k)
    {
        Grow(m_kept[k + 1], std::size_t(n) * stack.layers[k].out);
        widest = std::max<std::size_t>(widest, stack.layers[k].out);
    }
    m_transposed.resize(m_end - m_begin);
    m_zeros.resize(widest, 0.0F);
    const uint32_t shards = std::clamp(n / MIN_SHARD_ROWS, 1U, MAX_SHARDS);
    m_gradients.resize(shards);
    for (auto& scratch : m_scratch)
    {
        scratch.resize(shards);
        for (auto& buffer : scratch)
        {
            Grow(buffer, BLOCK_ROWS * widest);
        }
    }
    for (auto& gradient : m_gradients)
    {
        gradient.resize(shards > 1 ? m_end - m_begin : 0);
    }
}

uint32_t
OdcnDenseTape::GetFirstRow(uint32_t shard) const
{
    // In whole blocks of the kernel, except for the end.
    constexpr uint32_t GRAIN = 8;
    const uint32_t shards = GetShards();
    return shard == shards ? m_n
                           : static_cast<uint32_t>(uint64_t{m_n} * shard / shards) / GRAIN * GRAIN;
}

void
OdcnDenseTape::Forward(uint32_t shard, const float* parameters)
{
    if (shard == 0)
    {
        Transpose(parameters);
    }
    const uint32_t end = GetFirstRow(shard + 1);
    for (uint32_t row = GetFirstRow(shard); row < end; row += BLOCK_ROWS)
    {
        const std::size_t n = std::min(BLOCK_ROWS, end - row);
        for (std::size_t k = 0; k < m_stack->layers.size(); ++k)
        {
            const auto& layer = m_stack->layers[k];
            float* y = m_kept[k + 1].data() + std::size_t(row) * layer.out;
            const float* x = m_kept[k].data() + std::size_t(row) * layer.in;
            g_kernel.multiplyFused(LayerProduct(layer, parameters, x, n, y));
            if (k + 1 < m_stack->layers.size())
            {
                g_kernel.activate[m_stack->activation](y, n * layer.out);
            }
        }
    }
}

void
OdcnDenseTape::Transpose(const float* parameters)
{
    // The first layer's inputs are given: nothing is asked for their derivatives.
    for (std::size_t k = 1; k < m_stack->layers.size(); ++k)
    {
        const auto& layer = m_stack->layers[k];
        OdcnTranspose(parameters + layer.weight,
                      layer.in,
                      layer.out,
                      m_transposed.data() + (layer.weight - m_begin));
    }
}

void
OdcnDenseTape::Backward(uint32_t shard, const float* dOutputs, float* all)
{
    float* gradient = GetShards() == 1 ? all + m_begin : m_gradients[shard].data();
    const uint32_t begin = GetFirstRow(shard);
    const uint32_t end = GetFirstRow(shard + 1);
    for (uint32_t row = begin; row < end; row += BLOCK_ROWS)
    {
        const std::size_t n = std::min(BLOCK_ROWS, end - row);
        const float* start = row == begin ? m_zeros.data() : nullptr;
        const float* d = dOutputs + std::size_t(row) * m_stack->GetOutputs();
        for (std::size_t k = m_stack->layers.size(); k-- > 0;)
        {
            const auto& layer = m_stack->layers[k];
            const float* x = m_kept[k].data() + std::size_t(row) * layer.in;
            OdcnLayerBackward(layer.in,
                              layer.out,
                              x,
                              d,
                              n,
                              start,
                              gradient + (layer.weight - m_begin),
                              gradient + (layer.bias - m_begin));
            if (k > 0)
            {
                float* dx = m_scratch[k % 2][shard].data();
                g_kernel.multiplyFused({d,
                                        layer.out,
                                        1,
                                        m_transposed.data() + (layer.weight - m_begin),
                                        layer.in,
                                        m_zeros.data(),
                                        dx,
                                        layer.in,
                                        n,
                                        layer.out,
                                        layer.in});
                g_kernel.derive[m_stack->activation](dx, x, n * layer.in);
                d = dx;
            }
        }
    }
}

void
OdcnDenseTape::AddUp(std::size_t from, std::size_t to, float* gradient) const
{
    if (GetShards() > 1)
    {
        g_kernel.addParts(gradient + m_begin, m_gradients, from, to);
    }
}

void
OdcnRanks(const float* x, uint32_t n, float* rank, std::size_t step)
{
    if (n == 1)
    {
        *rank = 0.0F;
        return;
    }
    g_kernel.rank(x, n, rank, step);
}

double
OdcnSumOfSquares(const float* x, std::size_t n)
{
    // Several sums side by side: one alone would wait for each addition.
    constexpr std::size_t SUMS = 8;
    double sums[SUMS] = {};
    std::size_t i = 0;
    for (; i + SUMS <= n; i += SUMS)
    {
        for (std::size_t k = 0; k < SUMS; ++k)
        {
            sums[k] += static_cast<double>(x[i + k]) * x[i + k];
        }
    }
    for (; i < n; ++i)
    {
        sums[0] += static_cast<double>(x[i]) * x[i];
    }
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void
OdcnAdam::Reset(std::size_t n)
{
    first.assign(n, 0.0F);
    second.assign(n, 0.0F);
    steps = 0;
}

void
OdcnAdam::Step(float* parameters, const float* gradient, double learningRate, double scale)
{
    ++steps;
    const auto t = static_cast<double>(steps);
    const float k[3] = {static_cast<float>(scale),
                        static_cast<float>(learningRate / (1.0 - std::pow(0.9, t))),
                        static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(0.999, t)))};
    g_kernel.adam(parameters, gradient, first.data(), second.data(), first.size(), k);
}

} // namespace odcn
} // namespace ns3
