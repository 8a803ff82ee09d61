// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

// No include guard: odcn-dense-stack.cc includes this text once for each vector width, with
// ODCN_KERNEL (a namespace), ODCN_LANES (floats in a vector) and ODCN_SQRT (of a vector) defined.

namespace ODCN_KERNEL
{

constexpr uint32_t LANES = ODCN_LANES;
// Accumulators of a block must fit the registers: 32 with 16 lanes, 16 otherwise.
constexpr int COLUMNS = LANES == 16 ? 4 : 2;

typedef float Vec __attribute__((vector_size(ODCN_LANES * 4)));
typedef float VecUnaligned __attribute__((vector_size(ODCN_LANES * 4), aligned(4), may_alias));
typedef int32_t IntVec __attribute__((vector_size(ODCN_LANES * 4)));

static inline Vec
Load(const float* p)
{
    return *reinterpret_cast<const VecUnaligned*>(p);
}

static inline void
Store(float* p, Vec v)
{
    *reinterpret_cast<VecUnaligned*>(p) = v;
}

/// exp(x) for x <= 0, relative error below 2e-7
static inline Vec
ExpOfNegative(Vec x)
{
    const Vec zero = {};
    const Vec low = zero - 87.0F;
    x = x < low ? low : x;
    // Adding 1.5 x 2^23 rounds to an integer, which then stands in the low bits.
    const Vec shifted = x * 1.44269504F + 12582912.0F;
    const Vec n = shifted - 12582912.0F;
    Vec r = x - n * 0.693359375F;
    r = r + n * 2.12194440e-4F;
    Vec p = r * 1.9875691500e-4F + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    return (Vec)((IntVec)p + ((IntVec)shifted << 23));
}

static inline Vec
Activate(Vec v, OdcnActivation activation)
{
    const Vec zero = {};
    if (activation == ODCN_RELU)
    {
        return v > zero ? v : zero;
    }
    if (activation == ODCN_ELU)
    {
        return v > zero ? v : ExpOfNegative(v > zero ? zero : v) - 1.0F;
    }
    const Vec negative = v > zero ? zero - v : v;
    const Vec e = ExpOfNegative(negative + negative);
    const Vec t = (1.0F - e) / (1.0F + e);
    return v > zero ? t : zero - t;
}

template <int R, int C>
static inline void
Block(const OdcnDenseLayer& layer, const float* w, const float* b, const float* x, float* y)
{
    Vec sum[R][C];
    for (int r = 0; r < R; ++r)
    {
        for (int c = 0; c < C; ++c)
        {
            sum[r][c] = Load(b + c * LANES);
        }
    }
    for (uint32_t i = 0; i < layer.in; ++i)
    {
        Vec row[C];
        for (int c = 0; c < C; ++c)
        {
            row[c] = Load(w + std::size_t(i) * layer.out + c * LANES);
        }
        for (int r = 0; r < R; ++r)
        {
            const float xi = x[std::size_t(r) * layer.in + i];
            for (int c = 0; c < C; ++c)
            {
                sum[r][c] += xi * row[c];
            }
        }
    }
    for (int r = 0; r < R; ++r)
    {
        for (int c = 0; c < C; ++c)
        {
            Store(y + std::size_t(r) * layer.out + c * LANES, sum[r][c]);
        }
    }
}

template <int R>
static inline void
Rows(const OdcnDenseLayer& layer, const float* w, const float* b, const float* x, float* y)
{
    // One row alone needs more columns to hide the latency of the additions.
    constexpr int WIDE = R == 1 ? 8 : COLUMNS;
    uint32_t c = 0;
    for (; c + WIDE * LANES <= layer.out; c += WIDE * LANES)
    {
        Block<R, WIDE>(layer, w + c, b + c, x, y + c);
    }
    for (; c + LANES <= layer.out; c += LANES)
    {
        Block<R, 1>(layer, w + c, b + c, x, y + c);
    }
    for (; c < layer.out; ++c)
    {
        float sum[R];
        for (int r = 0; r < R; ++r)
        {
            sum[r] = b[c];
        }
        for (uint32_t i = 0; i < layer.in; ++i)
        {
            const float wi = w[std::size_t(i) * layer.out + c];
            for (int r = 0; r < R; ++r)
            {
                sum[r] += x[std::size_t(r) * layer.in + i] * wi;
            }
        }
        for (int r = 0; r < R; ++r)
        {
            y[std::size_t(r) * layer.out + c] = sum[r];
        }
    }
}

static void
Dense(const OdcnDenseLayer& layer,
      const float* w,
      const float* b,
      const float* x,
      uint32_t n,
      float* y)
{
    uint32_t r = 0;
    for (; r + 4 <= n; r += 4)
    {
        Rows<4>(layer, w, b, x + std::size_t(r) * layer.in, y + std::size_t(r) * layer.out);
    }
    for (; r < n; ++r)
    {
        Rows<1>(layer, w, b, x + std::size_t(r) * layer.in, y + std::size_t(r) * layer.out);
    }
}

/// @param n rounded up to whole vectors: the buffer has room for that
static void
ActivateAll(float* y, std::size_t n, OdcnActivation activation)
{
    for (std::size_t i = 0; i < n; i += LANES)
    {
        Store(y + i, Activate(Load(y + i), activation));
    }
}

/**
 * @param n number of parameters
 * @param k scale of the gradient, step size by 1 - beta1^t, 1 / sqrt(1 - beta2^t)
 */
static void
Adam(float* p, const float* g, float* m, float* v, std::size_t n, const float* k)
{
    std::size_t i = 0;
    for (; i + LANES <= n; i += LANES)
    {
        const Vec gradient = Load(g + i) * k[0];
        const Vec first = Load(m + i) * 0.9F + gradient * 0.1F;
        const Vec second = Load(v + i) * 0.999F + gradient * gradient * 0.001F;
        Store(m + i, first);
        Store(v + i, second);
        const Vec root = (Vec)ODCN_SQRT(second);
        Store(p + i, Load(p + i) - k[1] * first / (root * k[2] + 1e-8F));
    }
    for (; i < n; ++i)
    {
        const float gradient = g[i] * k[0];
        m[i] = m[i] * 0.9F + gradient * 0.1F;
        v[i] = v[i] * 0.999F + gradient * gradient * 0.001F;
        p[i] -= k[1] * m[i] / (std::sqrt(v[i]) * k[2] + 1e-8F);
    }
}

} // namespace ODCN_KERNEL
