// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_PACKET_MONITOR_H
#define OCS_PACKET_MONITOR_H

#include "ocs-fabric.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// Packets that wait.
struct QueueLength
{
    uint64_t packets{0}; //!< number of packets
    uint64_t bytes{0};   //!< their bytes

    /// @param o queue to add
    /// @return this
    QueueLength& operator+=(const QueueLength& o)
    {
        packets += o.packets;
        bytes += o.bytes;
        return *this;
    }
};

/// Measured latency of packets.
struct LatencyEstimate
{
    double meanNs{
        0}; //!< weighted mean of one-way latencies in nanoseconds; 0 before the first packet
    double packets{0}; //!< sum of the packets' weights, which falls while none arrive
};

/**
 * @ingroup odcn
 *
 * What control can know of a fabric's packets at any time: queues as they are now, and the recent
 * latency of the packets between each two racks.
 *
 * The latency is the mean over all packets that have arrived, each weighted by exp(-a / T), where a
 * is the time since its arrival and T is LatencyTime: about the mean over the last T. While no
 * packet arrives the mean stays, and the sum of weights falls.
 */
class OcsPacketMonitor : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param fabric the fabric
    void SetFabric(Ptr<OcsFabric> fabric);

    /**
     * @param rack a rack
     * @param uplink of its ToR switch
     * @return what waits in the queue of the uplink; a packet in transmission does not wait
     */
    QueueLength GetUplinkQueue(RackId rack, uint32_t uplink) const;

    /// @param rack a rack
    /// @return what waits in its ToR switch: for all ports, and held for circuits
    QueueLength GetTorQueue(RackId rack) const;

    /**
     * @param from a rack
     * @param to another rack
     * @return what waits for the circuits from the one to the other: in the queues of the uplinks
     * with such a circuit
     */
    QueueLength GetQueue(RackId from, RackId to) const;

    /// @param rack a rack
    /// @return what waits in the queues of its uplinks
    QueueLength GetQueueFrom(RackId rack) const;

    /// @param rack a rack
    /// @return what waits for circuits to it in the queues of all uplinks
    QueueLength GetQueueTo(RackId rack) const;

    /// @param from sending rack
    /// @param to receiving rack
    /// @return recent latency of packets from the one to the other
    LatencyEstimate GetLatency(RackId from, RackId to) const;

    /// @param rack a rack
    /// @return recent latency of packets from it to all others
    LatencyEstimate GetLatencyFrom(RackId rack) const;

    /// @param rack a rack
    /// @return recent latency of packets to it from all others
    LatencyEstimate GetLatencyTo(RackId rack) const;

    /// @return recent latency of packets between all racks
    LatencyEstimate GetLatency() const;

    /**
     * A packet has arrived.
     * @param from sending rack
     * @param to receiving rack
     * @param latency its one-way latency
     */
    void Received(RackId from, RackId to, Time latency);

  protected:
    void DoDispose() override;

  private:
    /// Weighted sums over the packets of a pair of racks.
    struct Sums
    {
        double ns{0};      //!< sum of weights x latencies in nanoseconds
        double packets{0}; //!< sum of weights
        Time last;         //!< arrival of the last packet, at which the weights were taken
    };

    /// @param from sending rack
    /// @param to receiving rack
    /// @return index in m_sums
    std::size_t GetIndex(RackId from, RackId to) const;

    /**
     * @param first index in m_sums
     * @param step from one index to the next
     * @param n number of pairs
     * @return latency over these pairs
     */
    LatencyEstimate Combine(std::size_t first, std::size_t step, std::size_t n) const;

    /// @param age time since a packet arrived
    /// @return its weight
    double GetWeight(Time age) const;

    Time m_latencyTime;       //!< LatencyTime
    Ptr<OcsFabric> m_fabric;  //!< the fabric
    std::vector<Sums> m_sums; //!< by GetIndex() of two racks
};

} // namespace ns3::odcn

#endif /* OCS_PACKET_MONITOR_H */
