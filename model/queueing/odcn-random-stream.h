// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RANDOM_STREAM_H
#define ODCN_RANDOM_STREAM_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * ns3::RngStream bit for bit, as a plain value that can be copied: the generator MRG32k3a of
 * L'Ecuyer, whose streams lie 2^127 and whose substreams lie 2^76 draws apart. Where a stream
 * begins is found in about a microsecond.
 */
class OdcnRandomStream
{
  public:
    /// First modulus, m1 = 2^32 - 209.
    static constexpr uint64_t M1 = 4294967087;
    /// Second modulus, m2 = 2^32 - 22853.
    static constexpr uint64_t M2 = 4294944443;
    /// A draw is z x NORM with an integer z from 1 to m1.
    static constexpr double NORM = 1.0 / (static_cast<double>(M1) + 1.0);

    /// Six integers: x of the last three steps of the first recursion, oldest first, then of the
    /// second.
    using State = std::array<uint32_t, 6>;

    /**
     * What ns3::RngStream's constructor takes.
     *
     * @param seed 1 to m2 - 1
     * @param stream number of the stream
     * @param substream number of the substream
     * @throws OdcnError when the seed is out of range
     */
    OdcnRandomStream(uint32_t seed, uint64_t stream, uint64_t substream);

    /**
     * The stream that RandomVariableStream::SetStream() takes, with the seed and the run that
     * RngSeedManager has now.
     *
     * @param stream number, not negative
     * @throws OdcnError when it is negative
     */
    explicit OdcnRandomStream(int64_t stream);

    /// Go on from a state. @param state what GetState() gave
    explicit OdcnRandomStream(const State& state)
        : m_state(state)
    {
    }

    /// @return the next draw as an integer from 1 to m1
    uint32_t Next()
    {
        // All terms are positive: a - b x + b m = a + b (m - x).
        const uint64_t p1 = (1403580 * uint64_t(m_state[1]) + 810728 * (M1 - m_state[0])) % M1;
        const uint64_t p2 = (527612 * uint64_t(m_state[5]) + 1370589 * (M2 - m_state[3])) % M2;
        m_state = {m_state[1],
                   m_state[2],
                   static_cast<uint32_t>(p1),
                   m_state[4],
                   m_state[5],
                   static_cast<uint32_t>(p2)};
        return static_cast<uint32_t>(p1 > p2 ? p1 - p2 : p1 - p2 + M1);
    }

    /// @return the next draw, above 0 and below 1: RngStream::RandU01()
    double NextU01()
    {
        return Next() * NORM;
    }

    /// @param n number of possible values, above 0
    /// @return the next draw from 0 to n - 1: UniformRandomVariable::GetInteger(0, n - 1)
    uint32_t NextInteger(uint32_t n)
    {
        return static_cast<uint32_t>(NextU01() * static_cast<double>(n));
    }

    /// Go on as if that many numbers had been drawn. @param n how many
    void Skip(uint64_t n);

    /// @return the state
    const State& GetState() const
    {
        return m_state;
    }

  private:
    State m_state; //!< see State
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_RANDOM_STREAM_H */
