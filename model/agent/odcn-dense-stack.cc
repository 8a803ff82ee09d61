// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-dense-stack.h"

#include <algorithm>
#include <cmath>

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

// Products are never fused into additions: results must not depend on the processor.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3,fp-contract=off")
#elif defined(__clang__)
#pragma clang fp contract(off)
#endif

#define ODCN_KERNEL lanes4
#define ODCN_LANES 4
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

#if ODCN_WIDE_VECTORS
#pragma GCC push_options
#pragma GCC target("avx2")
#define ODCN_KERNEL lanes8
#define ODCN_LANES 8
#define ODCN_SQRT(x) _mm256_sqrt_ps(x)
#include "odcn-dense-kernel.h"
#undef ODCN_KERNEL
#undef ODCN_LANES
#undef ODCN_SQRT
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,prefer-vector-width=512")
#define ODCN_KERNEL lanes16
#define ODCN_LANES 16
#define ODCN_SQRT(x) _mm512_maskz_sqrt_ps(0xffff, x)
#include "odcn-dense-kernel.h"
#undef ODCN_KERNEL
#undef ODCN_LANES
#undef ODCN_SQRT
#pragma GCC pop_options
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

/// The functions of one vector width.
struct Kernel
{
    decltype(&lanes4::Dense) dense;          //!< A layer without activation
    decltype(&lanes4::ActivateAll) activate; //!< The activation in place
    decltype(&lanes4::Adam) adam;            //!< An optimiser step
};

/// @return the widest that this processor runs
Kernel
ChooseKernel()
{
#if ODCN_WIDE_VECTORS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
    {
        return {&lanes16::Dense, &lanes16::ActivateAll, &lanes16::Adam};
    }
    if (__builtin_cpu_supports("avx2"))
    {
        return {&lanes8::Dense, &lanes8::ActivateAll, &lanes8::Adam};
    }
#endif
    return {&lanes4::Dense, &lanes4::ActivateAll, &lanes4::Adam};
}

const Kernel KERNEL = ChooseKernel();

} // namespace

void
OdcnDenseForward(const OdcnDenseStack& stack,
                 const float* parameters,
                 const float* x,
                 uint32_t n,
                 float* y,
                 std::vector<float>& scratch)
{
    constexpr std::size_t PADDING = 16;
    std::size_t widest = 0;
    for (const auto& layer : stack.layers)
    {
        widest = std::max<std::size_t>(widest, layer.out);
    }
    const std::size_t half = widest * n + PADDING;
    if (scratch.size() < 2 * half)
    {
        scratch.resize(2 * half);
    }
    float* const buffers[2] = {scratch.data(), scratch.data() + half};
    const float* in = x;
    for (std::size_t k = 0; k < stack.layers.size(); ++k)
    {
        const auto& layer = stack.layers[k];
        const bool last = k + 1 == stack.layers.size();
        float* out = last ? y : buffers[k % 2];
        KERNEL.dense(layer, parameters + layer.weight, parameters + layer.bias, in, n, out);
        if (!last)
        {
            KERNEL.activate(out, std::size_t(n) * layer.out, stack.activation);
        }
        in = out;
    }
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
    KERNEL.adam(parameters, gradient, first.data(), second.data(), first.size(), k);
}

} // namespace odcn
} // namespace ns3
