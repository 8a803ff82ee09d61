// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The inner loops of OdcnArrivalBank, once for each vector width: included several times by
 * odcn-arrival-lanes.cc, which sets ODCN_KERNEL, ODCN_LANES and, where the processor can,
 * ODCN_COMPRESS.
 *
 * No result depends on the width, nor on whether products are fused into additions: the random
 * numbers are integers below 2^53 all the way, and gaps whose rounding could depend on the
 * logarithm's error are computed anew.
 */

namespace ODCN_KERNEL
{

constexpr uint32_t LANES = ODCN_LANES;
constexpr uint32_t VECTORS = OdcnArrivalLanes::WIDTH / LANES;

typedef double Vec __attribute__((vector_size(ODCN_LANES * 8)));
typedef int64_t Int __attribute__((vector_size(ODCN_LANES * 8)));

/// 1.5 x 2^52: added to a smaller number it rounds to an integer, which stands in the low bits.
constexpr double ROUND = 6755399441055744.0;

static inline Vec
Fill(double x)
{
    return x - Vec{};
}

/**
 * One step of a recursion of MRG32k3a: (a x - b y) mod m, for integers x and y from 0 to m - 1.
 * a m and b m are below 2^52.4, so nothing here is rounded but the quotient.
 */
static inline Vec
Recur(double a, Vec x, double b, Vec y, double m)
{
    const Vec p = a * x - b * y;
    const Vec quotient = (p * (1 / m) + ROUND) - ROUND;
    const Vec r = p - quotient * m;
    return r < 0 ? r + m : r;
}

/// log(x) for normal x > 0; relative error below 2^-48: the series of 2 atanh((m - 1) / (m + 1))
static inline Vec
Log(Vec x)
{
    // x = 2^k m with m from sqrt(1/2) to sqrt(2): the bits of sqrt(1/2) are taken off first.
    constexpr int64_t ROOT = 0x3fe6a09e667f3bcd;
    const Int bits = (Int)x - ROOT;
    // Shifted without sign, since older processors know no other shift; x is below 2.
    typedef uint64_t Unsigned __attribute__((vector_size(ODCN_LANES * 8)));
    const Int biased = (Int)((Unsigned)(bits + (int64_t(1) << 62)) >> 52);
    const Vec k = (Vec)(biased + 0x4330000000000000) - (4503599627370496.0 + 1024);
    const Vec m = (Vec)((Int)x - ((biased - 1024) << 52));
    const Vec s = (m - 1) / (m + 1);
    const Vec z = s * s;
    Vec sum = z * (2.0 / 17) + (2.0 / 15);
    sum = sum * z + (2.0 / 13);
    sum = sum * z + (2.0 / 11);
    sum = sum * z + (2.0 / 9);
    sum = sum * z + (2.0 / 7);
    sum = sum * z + (2.0 / 5);
    sum = sum * z + (2.0 / 3);
    sum = sum * z;
    return k * 0.693147180559945309417 + (s * sum + (s + s));
}

/// Numbers of the recursions and gaps, step by step.
struct Scratch
{
    static constexpr uint32_t ROWS = OdcnArrivalKernel::MAX_STEPS + 3;
    Vec first[ROWS][VECTORS];   //!< first recursion, the state's three numbers ahead
    Vec second[ROWS][VECTORS];  //!< second recursion, likewise
    Int gap[ROWS - 3][VECTORS]; //!< gaps in ps
};

/// @param p1 of the first recursion  @param p2 of the second one
/// @return OdcnRandomStream::Next()
static inline Vec
Combine(Vec p1, Vec p2)
{
    const Vec z = p1 - p2;
    return z > 0 ? z : z + static_cast<double>(OdcnRandomStream::M1);
}

/// A lane whose gaps are uncertain: compute them as ns-3 does.
static void
Repair(const OdcnArrivalLanes& g, uint32_t steps, uint32_t v, uint32_t lane, Scratch& x)
{
    for (uint32_t i = 0; i < steps; ++i)
    {
        const Vec z = Combine(x.first[i + 3][v], x.second[i + 3][v]);
        const double u = z[lane] * OdcnRandomStream::NORM;
        x.gap[i][v][lane] = std::llround(-g.meanGap[v * LANES + lane] * std::log(u));
    }
}

/// Write what falls into the window, and set the group to where that ends.
static inline uint32_t
Emit(OdcnArrivalLanes& g,
     uint32_t steps,
     const OdcnArrivalKernel::Window& window,
     uint64_t firstStream,
     const Scratch& x,
     uint64_t* out)
{
    Int id[VECTORS];
    Int next[VECTORS];
    Int last[VECTORS];
    Int used[VECTORS] = {};
    for (uint32_t v = 0; v < VECTORS; ++v)
    {
        for (uint32_t lane = 0; lane < LANES; ++lane)
        {
            id[v][lane] = static_cast<int64_t>(firstStream) + v * LANES + lane;
        }
        next[v] = *reinterpret_cast<const Int*>(&g.next[v * LANES]);
        last[v] = *reinterpret_cast<const Int*>(&g.last[v * LANES]);
    }
    uint32_t written = 0;
    for (uint32_t i = 0; i < steps; ++i)
    {
        for (uint32_t v = 0; v < VECTORS; ++v)
        {
            const Int active = next[v] < window.until;
            const Int packet = ((next[v] - window.base) << window.shift) + id[v];
#ifdef ODCN_COMPRESS
            written += ODCN_COMPRESS((__m512i)active, (__m512i)packet, out + written);
#else
            for (uint32_t lane = 0; lane < LANES; ++lane)
            {
                out[written] = packet[lane];
                written -= static_cast<int32_t>(active[lane]);
            }
#endif
            last[v] = active ? next[v] : last[v];
            next[v] += x.gap[i][v] & active;
            used[v] -= active;
        }
    }
    int64_t earliest = OdcnArrivalLanes::NEVER;
    for (uint32_t v = 0; v < VECTORS; ++v)
    {
        *reinterpret_cast<Int*>(&g.next[v * LANES]) = next[v];
        *reinterpret_cast<Int*>(&g.last[v * LANES]) = last[v];
        for (uint32_t lane = 0; lane < LANES; ++lane)
        {
            earliest = next[v][lane] < earliest ? next[v][lane] : earliest;
            // Numbers drawn beyond the window are forgotten: the state is that after the last used.
            for (uint32_t i = 0; i < 3; ++i)
            {
                g.state[i][v * LANES + lane] = x.first[used[v][lane] + i][v][lane];
                g.state[i + 3][v * LANES + lane] = x.second[used[v][lane] + i][v][lane];
            }
        }
    }
    g.earliest = earliest;
    return written;
}

static uint32_t
Draw(OdcnArrivalLanes& g,
     uint32_t steps,
     const OdcnArrivalKernel::Window& window,
     uint64_t firstStream,
     uint64_t* out)
{
    constexpr auto M1 = static_cast<double>(OdcnRandomStream::M1);
    constexpr auto M2 = static_cast<double>(OdcnRandomStream::M2);
    Scratch x;
    for (uint32_t i = 0; i < 3; ++i)
    {
        for (uint32_t v = 0; v < VECTORS; ++v)
        {
            x.first[i][v] = *reinterpret_cast<const Vec*>(&g.state[i][v * LANES]);
            x.second[i][v] = *reinterpret_cast<const Vec*>(&g.state[i + 3][v * LANES]);
        }
    }
    for (uint32_t i = 0; i < steps; ++i)
    {
        for (uint32_t v = 0; v < VECTORS; ++v)
        {
            x.first[i + 3][v] = Recur(1403580, x.first[i + 1][v], 810728, x.first[i][v], M1);
            x.second[i + 3][v] = Recur(527612, x.second[i + 2][v], 1370589, x.second[i][v], M2);
        }
    }
    Int uncertain[VECTORS] = {};
    for (uint32_t i = 0; i < steps; ++i)
    {
        for (uint32_t v = 0; v < VECTORS; ++v)
        {
            const Vec mean = *reinterpret_cast<const Vec*>(&g.meanGap[v * LANES]);
            const Vec z = Combine(x.first[i + 3][v], x.second[i + 3][v]);
            const Vec gap = -mean * Log(z * OdcnRandomStream::NORM);
            const Vec rounded = gap + ROUND;
            const Vec rest = gap - (rounded - ROUND);
            const Vec distance = rest < 0 ? -rest : rest;
            // Gaps that are too long to be rounded so are caught here, too.
            uncertain[v] |= distance + gap * 0x1p-46 > 0.5;
            x.gap[i][v] = (Int)rounded - (Int)Fill(ROUND);
        }
    }
    for (uint32_t v = 0; v < VECTORS; ++v)
    {
        for (uint32_t lane = 0; lane < LANES; ++lane)
        {
            if (uncertain[v][lane])
            {
                Repair(g, steps, v, lane, x);
            }
        }
    }
    return Emit(g, steps, window, firstStream, x, out);
}

static void
Numbers(const double (*state)[OdcnArrivalLanes::WIDTH], uint32_t steps, uint32_t* out)
{
    constexpr auto M1 = static_cast<double>(OdcnRandomStream::M1);
    constexpr auto M2 = static_cast<double>(OdcnRandomStream::M2);
    Vec x[3][VECTORS];
    Vec y[3][VECTORS];
    for (uint32_t i = 0; i < 3; ++i)
    {
        for (uint32_t v = 0; v < VECTORS; ++v)
        {
            x[i][v] = *reinterpret_cast<const Vec*>(&state[i][v * LANES]);
            y[i][v] = *reinterpret_cast<const Vec*>(&state[i + 3][v * LANES]);
        }
    }
    for (uint32_t i = 0; i < steps; ++i)
    {
        for (uint32_t v = 0; v < VECTORS; ++v)
        {
            const Vec p1 = Recur(1403580, x[1][v], 810728, x[0][v], M1);
            const Vec p2 = Recur(527612, y[2][v], 1370589, y[0][v], M2);
            x[0][v] = x[1][v];
            x[1][v] = x[2][v];
            x[2][v] = p1;
            y[0][v] = y[1][v];
            y[1][v] = y[2][v];
            y[2][v] = p2;
            // Added to 2^52, a whole number stands in the low bits.
            const Int z = (Int)(Combine(p1, p2) + 4503599627370496.0);
            for (uint32_t lane = 0; lane < LANES; ++lane)
            {
                out[(v * LANES + lane) * steps + i] = static_cast<uint32_t>(z[lane]);
            }
        }
    }
}

} // namespace ODCN_KERNEL
