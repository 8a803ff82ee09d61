// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SPREADING_ROUNDS_H
#define ODCN_SPREADING_ROUNDS_H

#include "ns3/odcn-units.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// Rounds over the ports to each rack: every port once a round, in an order drawn for each round.
class SpreadingRounds
{
  public:
    /**
     * @param rack the rack
     * @param ways number of ports to it, above 0; a round ends where the number changes
     * @param draw returns a random number from 0 to its argument - 1
     * @return the next one, 0 to ways - 1
     */
    template <typename F>
    uint32_t Next(RackId rack, uint32_t ways, F&& draw)
    {
        if (m_rounds.size() <= rack)
        {
            m_rounds.resize(rack + 1);
        }
        Round& round = m_rounds[rack];
        if (round.order.size() != ways || round.next == ways)
        {
            round.order.resize(ways);
            std::iota(round.order.begin(), round.order.end(), 0);
            for (uint32_t i = ways - 1; i > 0; --i)
            {
                std::swap(round.order[i], round.order[draw(i + 1)]);
            }
            round.next = 0;
        }
        return round.order[round.next++];
    }

  private:
    /// A round.
    struct Round
    {
        std::vector<uint32_t> order; //!< ports
        uint32_t next{0};            //!< index of the next one
    };

    std::vector<Round> m_rounds; //!< by rack
};

} // namespace ns3::odcn

#endif /* ODCN_SPREADING_ROUNDS_H */
