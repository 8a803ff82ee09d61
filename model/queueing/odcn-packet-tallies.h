// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_TALLIES_H
#define ODCN_PACKET_TALLIES_H

#include "odcn-fabric-model.h"

#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-latency-histogram.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * What became of each flow's packets: latencies and losses by cause. It may be used for several
 * runs of the same flows one after the other.
 */
class OdcnPacketTallies : public OdcnPacketSink
{
  public:
    /// log2 of the bins of an octave: quantiles are off by at most 1 / 32.
    static constexpr int SUB_BITS = 4;

    /// @param flows how many there are
    explicit OdcnPacketTallies(std::size_t flows);

    void Take(uint32_t worker, std::span<const OdcnPacketFate> fates) override;

    /// @param flow index of a flow  @return one-way latencies of its packets that arrived
    const OdcnLatencyHistogram& GetLatency(uint32_t flow) const;

    /// @param flow index of a flow  @return its lost packets
    const OcsDropCounts& GetLost(uint32_t flow) const;

    /// @param flow index of a flow  @return packets that it sent
    uint64_t GetOffered(uint32_t flow) const;

    /// @return packets that all flows sent
    uint64_t GetOffered() const;

  private:
    /// A flow, in cache lines of its own: threads count side by side.
    struct alignas(64) Tally
    {
        OdcnLatencyHistogram latency{SUB_BITS}; //!< of packets that arrived
        OcsDropCounts lost;                     //!< packets lost
    };

    std::vector<Tally> m_tallies; //!< by flow
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_PACKET_TALLIES_H */
