// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

// No include guard: odcn-dense-stack.cc includes this text once for each vector width, with
// ODCN_KERNEL (a namespace), ODCN_LANES (floats in a vector), ODCN_SQRT (of a vector) and ODCN_FMA
// (a x b + c with one rounding) defined.

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

template <OdcnActivation ACTIVATION>
static inline Vec
Activate(Vec v)
{
    const Vec zero = {};
    if constexpr (ACTIVATION == ODCN_RELU)
    {
        return v > zero ? v : zero;
    }
    else if constexpr (ACTIVATION == ODCN_ELU)
    {
        return v > zero ? v : ExpOfNegative(v > zero ? zero : v) - 1.0F;
    }
    else
    {
        const Vec negative = v > zero ? zero - v : v;
        const Vec e = ExpOfNegative(negative + negative);
        const Vec t = (1.0F - e) / (1.0F + e);
        return v > zero ? t : zero - t;
    }
}

/// @param y result of the activation  @return its derivative by the argument
template <OdcnActivation ACTIVATION>
static inline Vec
Slope(Vec y)
{
    const Vec zero = {};
    const Vec one = zero + 1.0F;
    if constexpr (ACTIVATION == ODCN_RELU)
    {
        return y > zero ? one : zero;
    }
    else if constexpr (ACTIVATION == ODCN_ELU)
    {
        return y > zero ? one : y + one;
    }
    else
    {
        return one - y * y;
    }
}

/// a x b + c: fused, or rounded twice.
template <bool FUSED>
static inline Vec
Add(Vec a, Vec b, Vec c)
{
    return FUSED ? (Vec)ODCN_FMA(a, b, c) : a * b + c;
}

/// R rows and C vectors of columns, kept in registers meanwhile.
template <bool FUSED, int R, int C>
static inline void
Block(const OdcnProduct& p, std::size_t row, std::size_t column)
{
    const float* x = p.x + row * p.xRow;
    const float* w = p.w + column;
    float* y = p.y + row * p.yRow + column;
    Vec sum[R][C];
    for (int r = 0; r < R; ++r)
    {
        for (int c = 0; c < C; ++c)
        {
            sum[r][c] = Load(p.b ? p.b + column + c * LANES : y + r * p.yRow + c * LANES);
        }
    }
    for (std::size_t i = 0; i < p.terms; ++i)
    {
        Vec line[C];
        for (int c = 0; c < C; ++c)
        {
            line[c] = Load(w + c * LANES);
        }
        for (int r = 0; r < R; ++r)
        {
            const Vec zero = {};
            const Vec xi = x[r * p.xRow] - zero;
            for (int c = 0; c < C; ++c)
            {
                sum[r][c] = Add<FUSED>(xi, line[c], sum[r][c]);
            }
        }
        x += p.xStep;
        w += p.wStep;
    }
    for (int r = 0; r < R; ++r)
    {
        for (int c = 0; c < C; ++c)
        {
            Store(y + r * p.yRow + c * LANES, sum[r][c]);
        }
    }
}

/// R rows of one column.
template <bool FUSED, int R>
static inline void
Column(const OdcnProduct& p, std::size_t row, std::size_t column)
{
    const float* x = p.x + row * p.xRow;
    const float* w = p.w + column;
    float* y = p.y + row * p.yRow + column;
    float sum[R];
    for (int r = 0; r < R; ++r)
    {
        sum[r] = p.b ? p.b[column] : y[r * p.yRow];
    }
    for (std::size_t i = 0; i < p.terms; ++i)
    {
        for (int r = 0; r < R; ++r)
        {
            sum[r] = FUSED ? std::fma(x[r * p.xRow], *w, sum[r]) : x[r * p.xRow] * *w + sum[r];
        }
        x += p.xStep;
        w += p.wStep;
    }
    for (int r = 0; r < R; ++r)
    {
        y[r * p.yRow] = sum[r];
    }
}

/// All rows of C vectors of columns: what they read of w stays in the cache.
template <bool FUSED, int C>
static inline void
Columns(const OdcnProduct& p, std::size_t column)
{
    std::size_t row = 0;
    if constexpr (C == 1)
    {
        // Few vectors need more rows to hide the latency of the additions.
        for (; row + 10 <= p.rows; row += 10)
        {
            Block<FUSED, 10, C>(p, row, column);
        }
    }
    for (; row + 4 <= p.rows; row += 4)
    {
        Block<FUSED, 4, C>(p, row, column);
    }
    for (; row < p.rows; ++row)
    {
        Block<FUSED, 1, C>(p, row, column);
    }
}

template <bool FUSED>
static void
Multiply(const OdcnProduct& p)
{
    std::size_t c = 0;
    if (p.rows == 1)
    {
        // One row alone needs more columns to hide the latency of the additions.
        constexpr int WIDE = 8;
        for (; c + WIDE * LANES <= p.columns; c += WIDE * LANES)
        {
            Block<FUSED, 1, WIDE>(p, 0, c);
        }
    }
    for (; c + COLUMNS * LANES <= p.columns; c += COLUMNS * LANES)
    {
        Columns<FUSED, COLUMNS>(p, c);
    }
    for (; c + LANES <= p.columns; c += LANES)
    {
        Columns<FUSED, 1>(p, c);
    }
    for (; c < p.columns; ++c)
    {
        std::size_t row = 0;
        for (; row + 8 <= p.rows; row += 8)
        {
            Column<FUSED, 8>(p, row, c);
        }
        for (; row < p.rows; ++row)
        {
            Column<FUSED, 1>(p, row, c);
        }
    }
}

/// Load and store where fewer than LANES numbers are left.
static inline Vec
LoadSome(const float* p, std::size_t n)
{
    float all[LANES] = {};
    std::copy_n(p, n, all);
    return Load(all);
}

static inline void
StoreSome(float* p, Vec v, std::size_t n)
{
    float all[LANES];
    Store(all, v);
    std::copy_n(all, n, p);
}

template <OdcnActivation ACTIVATION>
static void
ActivateAll(float* y, std::size_t n)
{
    std::size_t i = 0;
    for (; i + LANES <= n; i += LANES)
    {
        Store(y + i, Activate<ACTIVATION>(Load(y + i)));
    }
    if (i < n)
    {
        StoreSome(y + i, Activate<ACTIVATION>(LoadSome(y + i, n - i)), n - i);
    }
}

/**
 * @param d derivative by the result of the activation, becomes that by its argument
 * @param y result
 * @param n how many
 */
template <OdcnActivation ACTIVATION>
static void
DeriveAll(float* d, const float* y, std::size_t n)
{
    std::size_t i = 0;
    for (; i + LANES <= n; i += LANES)
    {
        Store(d + i, Load(d + i) * Slope<ACTIVATION>(Load(y + i)));
    }
    if (i < n)
    {
        const Vec slope = Slope<ACTIVATION>(LoadSome(y + i, n - i));
        StoreSome(d + i, LoadSome(d + i, n - i) * slope, n - i);
    }
}

/**
 * Ranks from 0 to 1; equal numbers share the mean of theirs.
 * @param x numbers
 * @param n how many, more than 1
 * @param rank where the first one's goes
 * @param step from there to the next one's
 */
static void
RankAll(const float* x, std::size_t n, float* rank, std::size_t step)
{
    const float scale = static_cast<float>(n - 1);
    for (std::size_t a = 0; a < n; a += LANES)
    {
        const std::size_t some = std::min<std::size_t>(LANES, n - a);
        const Vec here = LoadSome(x + a, some);
        IntVec twiceBelow = {};
        for (std::size_t b = 0; b < n; ++b)
        {
            const Vec zero = {};
            const Vec other = x[b] - zero;
            // Where a comparison holds, it gives -1.
            twiceBelow -= (IntVec)(other < here) + (IntVec)(other <= here);
        }
        const Vec ranks = 0.5F * __builtin_convertvector(twiceBelow - 1, Vec) / scale;
        float all[LANES];
        Store(all, ranks);
        for (std::size_t i = 0; i < some; ++i)
        {
            rank[(a + i) * step] = all[i];
        }
    }
}

/// @param sum becomes the sum of the parts  @param parts buffers  @param from first  @param to last
static void
AddParts(float* sum, const std::vector<std::vector<float>>& parts, std::size_t from, std::size_t to)
{
    std::size_t i = from;
    for (; i + LANES <= to; i += LANES)
    {
        Vec s = Load(parts[0].data() + i);
        for (std::size_t k = 1; k < parts.size(); ++k)
        {
            s += Load(parts[k].data() + i);
        }
        Store(sum + i, s);
    }
    for (; i < to; ++i)
    {
        float s = parts[0][i];
        for (std::size_t k = 1; k < parts.size(); ++k)
        {
            s += parts[k][i];
        }
        sum[i] = s;
    }
}

/// As many columns of messages as a vector holds, or (where fewer are left) one.
template <typename V>
static inline V
LoadColumns(const float* p)
{
    if constexpr (sizeof(V) == sizeof(float))
    {
        return *p;
    }
    else
    {
        return Load(p);
    }
}

template <typename V>
static inline void
StoreColumns(float* p, V v)
{
    if constexpr (sizeof(V) == sizeof(float))
    {
        *p = v;
    }
    else
    {
        Store(p, v);
    }
}

/// @param m messages  @param z of a node  @param k to which neighbour  @param c first column
template <typename V>
static inline V
Message(const OdcnMessages& m, V z, std::size_t k, std::size_t c)
{
    const float* e = m.links + std::size_t(m.linkOf[k]) * m.linkFeatures;
    for (uint32_t f = 0; f < m.linkFeatures; ++f)
    {
        z += e[f] * LoadColumns<V>(m.weight + f * m.units + c);
    }
    return z;
}

template <typename V>
static inline void
GatherColumns(const OdcnMessages& m, std::size_t c, float* y)
{
    const V zero = {};
    for (uint32_t v = 0; v < m.nodes; ++v)
    {
        const V own = LoadColumns<V>(m.z + std::size_t(v) * m.units + c);
        V sum = own > zero ? own : zero;
        for (uint32_t k = m.offsets[v]; k < m.offsets[v + 1]; ++k)
        {
            const float* z = m.z + std::size_t(m.neighbours[k]) * m.units + c;
            const V message = Message<V>(m, LoadColumns<V>(z), k, c);
            sum += message > zero ? message : zero;
        }
        StoreColumns<V>(y + std::size_t(v) * m.units + c, sum * m.scale[v]);
    }
}

template <typename V>
static inline void
GatherBackwardColumns(const OdcnMessages& m,
                      std::size_t c,
                      const float* dy,
                      float* dz,
                      float* dWeight)
{
    const V zero = {};
    for (uint32_t u = 0; u < m.nodes; ++u)
    {
        const std::size_t at = std::size_t(u) * m.units + c;
        const V own = LoadColumns<V>(m.z + at);
        V sum = own > zero ? LoadColumns<V>(dy + at) * m.scale[u] : zero;
        for (uint32_t k = m.offsets[u]; k < m.offsets[u + 1]; ++k)
        {
            const uint32_t v = m.neighbours[k];
            const V message = Message<V>(m, own, k, c);
            const V d = LoadColumns<V>(dy + std::size_t(v) * m.units + c) * m.scale[v];
            const V passed = message > zero ? d : zero;
            sum += passed;
            const float* e = m.links + std::size_t(m.linkOf[k]) * m.linkFeatures;
            for (uint32_t f = 0; f < m.linkFeatures; ++f)
            {
                float* w = dWeight + f * m.units + c;
                StoreColumns<V>(w, LoadColumns<V>(w) + e[f] * passed);
            }
        }
        StoreColumns<V>(dz + at, sum);
    }
}

static void
Gather(const OdcnMessages& m, float* y)
{
    std::size_t c = 0;
    for (; c + LANES <= m.units; c += LANES)
    {
        GatherColumns<Vec>(m, c, y);
    }
    for (; c < m.units; ++c)
    {
        GatherColumns<float>(m, c, y);
    }
}

static void
GatherBackward(const OdcnMessages& m, const float* dy, float* dz, float* dWeight)
{
    std::size_t c = 0;
    for (; c + LANES <= m.units; c += LANES)
    {
        GatherBackwardColumns<Vec>(m, c, dy, dz, dWeight);
    }
    for (; c < m.units; ++c)
    {
        GatherBackwardColumns<float>(m, c, dy, dz, dWeight);
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
