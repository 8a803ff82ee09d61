// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_FATES_H
#define ODCN_PACKET_FATES_H

/**
 * @file
 * Outcomes of packets, and the first difference between two runs.
 */

#include "../core/odcn-test-kit.h"

#include "ns3/odcn-packet-fabric.h"

#include <tuple>

namespace ns3::odcn
{

/// Outcomes of packets, by flow and sequence number.
class PacketFates : public OdcnPacketSink
{
  public:
    /// @param racks of the fabric
    explicit PacketFates(uint32_t racks = 0)
        : m_byRack(racks)
    {
    }

    void Take(RackId rack, std::span<const PacketFate> fates) override
    {
        auto& part = m_byRack.at(rack);
        part.insert(part.end(), fates.begin(), fates.end());
    }

    /// Sort those of all racks.
    void Sort()
    {
        for (const auto& part : m_byRack)
        {
            all.insert(all.end(), part.begin(), part.end());
        }
        std::sort(all.begin(),
                  all.end(),
                  [](const PacketFate& a, const PacketFate& b) {
                      return std::tie(a.flow, a.sequence, a.sent) <
                             std::tie(b.flow, b.sequence, b.sent);
                  });
    }

    /// @param fate an outcome
    /// @return its description
    static std::string Text(const PacketFate& fate)
    {
        return "flow " + std::to_string(fate.flow) + " packet " + std::to_string(fate.sequence) +
               " sent at " + std::to_string(fate.sent) + " ps, " +
               (fate.received ? "received" : OcsDropCauseName(fate.cause)) + " at " +
               std::to_string(fate.ended) + " ps";
    }

    /**
     * Compare all packets sent, and the ends of those that ended before the first tie.
     *
     * @param expected outcomes, sorted
     * @return the first difference in words, empty if there is none
     */
    std::string Compare(const PacketFates& expected) const
    {
        for (std::size_t i = 0; i < std::min(all.size(), expected.all.size()); ++i)
        {
            const PacketFate& a = all[i];
            const PacketFate& b = expected.all[i];
            const bool tied = a.ended >= firstTie && b.ended >= firstTie;
            if (a.flow != b.flow || a.sequence != b.sequence || a.sent != b.sent ||
                (!tied && (a.ended != b.ended || a.received != b.received ||
                           (!a.received && a.cause != b.cause))))
            {
                return Text(a) + " instead of " + Text(b);
            }
        }
        return all.size() == expected.all.size()
                   ? ""
                   : std::to_string(all.size()) + " packets instead of " +
                         std::to_string(expected.all.size());
    }

    int64_t firstTie{INT64_MAX}; //!< PacketFabric::GetFirstTie()
    std::vector<PacketFate> all; //!< the outcomes

  private:
    std::vector<std::vector<PacketFate>> m_byRack; //!< as they were taken
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_FATES_H */
