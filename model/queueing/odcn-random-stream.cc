// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-random-stream.h"

#include "ns3/odcn-error.h"
#include "ns3/rng-seed-manager.h"

#include <string>

namespace ns3
{
namespace odcn
{

namespace
{

using Matrix = std::array<std::array<uint32_t, 3>, 3>;

/// @param a left factor  @param b right factor  @return a b mod M
template <uint64_t M>
Matrix
Multiply(const Matrix& a, const Matrix& b)
{
    Matrix c;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            uint64_t sum = 0;
            for (int k = 0; k < 3; ++k)
            {
                sum += uint64_t(a[i][k]) * b[k][j] % M;
            }
            c[i][j] = static_cast<uint32_t>(sum % M);
        }
    }
    return c;
}

/// @param a matrix  @param [in,out] x x[0] to x[2] become a x mod M
template <uint64_t M>
void
Apply(const Matrix& a, uint32_t* x)
{
    std::array<uint64_t, 3> y{};
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            y[i] += uint64_t(a[i][k]) * x[k] % M;
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        x[i] = static_cast<uint32_t>(y[i] % M);
    }
}

/// The recursions as matrices, to the powers of 2 that jumps need.
struct Powers
{
    static constexpr int SUBSTREAM = 76; //!< log2 of the distance of substreams
    static constexpr int STREAM = 127;   //!< log2 of the distance of streams
    static constexpr int END = STREAM + 64;

    std::array<Matrix, END> first;  //!< first recursion, to the power 2^i
    std::array<Matrix, END> second; //!< second recursion, likewise

    Powers()
    {
        constexpr auto M1 = OdcnRandomStream::M1;
        constexpr auto M2 = OdcnRandomStream::M2;
        first[0] = {{{0, 1, 0}, {0, 0, 1}, {M1 - 810728, 1403580, 0}}};
        second[0] = {{{0, 1, 0}, {0, 0, 1}, {M2 - 1370589, 0, 527612}}};
        for (int i = 1; i < END; ++i)
        {
            first[i] = Multiply<M1>(first[i - 1], first[i - 1]);
            second[i] = Multiply<M2>(second[i - 1], second[i - 1]);
        }
    }
};

/// @param n how many jumps of 2^log2 draws  @param log2 as said  @param [in,out] state the state
void
Jump(uint64_t n, int log2, OdcnRandomStream::State& state)
{
    static const Powers powers;
    for (int i = 0; n > 0; ++i, n >>= 1)
    {
        if (n & 1)
        {
            Apply<OdcnRandomStream::M1>(powers.first[log2 + i], state.data());
            Apply<OdcnRandomStream::M2>(powers.second[log2 + i], state.data() + 3);
        }
    }
}

/// @param stream number given to SetStream()  @return number of the RngStream
uint64_t
ConfiguredStream(int64_t stream)
{
    if (stream < 0)
    {
        throw OdcnError::InOption("random stream", std::to_string(stream), "0 or more");
    }
    return (uint64_t(1) << 63) + static_cast<uint64_t>(stream);
}

} // namespace

OdcnRandomStream::OdcnRandomStream(uint32_t seed, uint64_t stream, uint64_t substream)
{
    if (seed == 0 || seed >= M2)
    {
        throw OdcnError::InOption("random seed",
                                  std::to_string(seed),
                                  "1 to " + std::to_string(M2 - 1));
    }
    m_state.fill(seed);
    Jump(stream, Powers::STREAM, m_state);
    Jump(substream, Powers::SUBSTREAM, m_state);
}

OdcnRandomStream::OdcnRandomStream(int64_t stream)
    : OdcnRandomStream(RngSeedManager::GetSeed(),
                       ConfiguredStream(stream),
                       RngSeedManager::GetRun())
{
}

void
OdcnRandomStream::Skip(uint64_t n)
{
    Jump(n, 0, m_state);
}

} // namespace odcn
} // namespace ns3
