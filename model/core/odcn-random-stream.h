// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RANDOM_STREAM_H
#define ODCN_RANDOM_STREAM_H

#include "ns3/application.h"

#include <array>
#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * An Application that draws random numbers. From ns-3.42 on, AssignStreams() is Application's.
 */
class RandomApplication : public Application
{
  public:
    /// @param stream first stream number to use
    /// @return number of streams used
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

/**
 * @ingroup odcn
 *
 * Generates the same numbers as a RandomVariableStream with the same stream number, with ns-3's
 * generator MRG32k3a in integer arithmetic. For the engines without events, where RngStream would
 * take a third of the time per packet, because of unpredictable branches, and 5 ms for the first
 * stream. Elsewhere use RandomVariableStream.
 */
class RandomStream
{
  public:
    /**
     * Uses the current seed and run of RngSeedManager.
     *
     * @param stream as for RandomVariableStream::SetStream(); negative for an automatic stream
     * @throws OdcnError when the seed is not one of the generator's
     */
    explicit RandomStream(int64_t stream);

    /// @return the next number in (0, 1): RngStream::RandU01()
    double NextU01()
    {
        // Subtraction in ns-3's recursion becomes addition: a x - b y = a x + b (m - y) mod m.
        const uint64_t p1 = (A12 * m_first[1] + A13 * (M1 - m_first[0])) % M1;
        const uint64_t p2 = (A21 * m_second[2] + A23 * (M2 - m_second[0])) % M2;
        m_first = {m_first[1], m_first[2], p1};
        m_second = {m_second[1], m_second[2], p2};
        const uint64_t z = p1 > p2 ? p1 - p2 : p1 - p2 + M1;
        return static_cast<double>(z) * (1.0 / (static_cast<double>(M1) + 1.0));
    }

    /// @param n number of possible values, above 0
    /// @return the next number from 0 to n - 1: UniformRandomVariable::GetInteger(0, n - 1)
    uint32_t NextInteger(uint32_t n)
    {
        return static_cast<uint32_t>(NextU01() * n);
    }

  private:
    static constexpr uint64_t M1 = 4294967087; //!< modulus of the first recursion
    static constexpr uint64_t M2 = 4294944443; //!< modulus of the second recursion
    static constexpr uint64_t A12 = 1403580;   //!< factor of the first recursion
    static constexpr uint64_t A13 = 810728;    //!< factor of the first recursion, subtracted
    static constexpr uint64_t A21 = 527612;    //!< factor of the second recursion
    static constexpr uint64_t A23 = 1370589;   //!< factor of the second recursion, subtracted

    std::array<uint64_t, 3> m_first{};  //!< state of the first recursion, oldest first
    std::array<uint64_t, 3> m_second{}; //!< state of the second recursion, oldest first
};

} // namespace ns3::odcn

#endif /* ODCN_RANDOM_STREAM_H */
