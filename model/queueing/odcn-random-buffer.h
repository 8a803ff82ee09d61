// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RANDOM_BUFFER_H
#define ODCN_RANDOM_BUFFER_H

#include "odcn-arrival-lanes.h"
#include "odcn-random-stream.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * The numbers of one OdcnRandomStream, drawn ahead in vectors: for those who draw for every packet.
 * It takes 4 KiB. It can be copied.
 */
class OdcnRandomBuffer
{
  public:
    /// @param random where to begin
    /// @param kernel what draws; any gives the same numbers
    explicit OdcnRandomBuffer(const OdcnRandomStream& random,
                              const OdcnArrivalKernel& kernel = OdcnArrivalKernel());

    /// @return the next draw as an integer: OdcnRandomStream::Next()
    uint32_t Next()
    {
        if (m_next == SIZE) [[unlikely]]
        {
            Fill();
        }
        return m_numbers[m_next++];
    }

    /// @param n number of possible values, above 0  @return OdcnRandomStream::NextInteger()
    uint32_t NextInteger(uint32_t n)
    {
        return static_cast<uint32_t>(Next() * OdcnRandomStream::NORM * static_cast<double>(n));
    }

  private:
    /// Numbers that each lane draws at a time.
    static constexpr uint32_t STEPS = 64;
    /// Numbers drawn at a time.
    static constexpr uint32_t SIZE = STEPS * OdcnArrivalLanes::WIDTH;

    /// Draw the next numbers.
    void Fill();

    OdcnRandomStream m_random;            //!< where the next filling begins
    OdcnArrivalKernel m_kernel;           //!< draws
    uint32_t m_next{SIZE};                //!< place of the next number
    std::array<uint32_t, SIZE> m_numbers; //!< drawn ahead
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_RANDOM_BUFFER_H */
