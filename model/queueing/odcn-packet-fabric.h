// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_FABRIC_H
#define ODCN_PACKET_FABRIC_H

#include "odcn-fabric-model.h"

#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-circuit-ledger.h"
#include "ns3/odcn-packet-law.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ns3::odcn
{

/// A flow as JobFlowApplication sends it.
struct PacketFlow
{
    ServerId from{0};  //!< sending server
    ServerId to{0};    //!< receiving server, another one
    double meanGap{0}; //!< mean gap between packets, ps, see PacketSource::MeanGap()
    /// Size of a packet with its IPv4 header, in bytes; the mean where sizes are drawn.
    uint32_t bytes{0};
    uint32_t hash{0}; //!< hash of addresses, protocol and ports, see OcsPacketHeader::HashFlow()
};

/// Outcome of a packet.
struct PacketFate
{
    uint32_t flow;      //!< index of its flow
    uint32_t sequence;  //!< sequence number in the flow, from 0 in each run
    int64_t sent;       //!< when it was handed to the network card, ps
    int64_t ended;      //!< when it reached its receiver or was lost, ps
    bool received;      //!< whether it reached its receiver
    OcsDropCause cause; //!< drop cause, if it was lost
};

/**
 * @ingroup odcn
 *
 * Receives packet outcomes. A plain interface, because there are millions per second.
 */
class OdcnPacketSink
{
  public:
    virtual ~OdcnPacketSink() = default;

    /**
     * A batch of packets has ended, in no particular order. Packets received by the same server are
     * in order, and calls for the same server do not overlap.
     *
     * @param worker calling thread, 0 to threads - 1; calls of different threads may overlap
     * @param fates their outcomes
     */
    virtual void Take(uint32_t worker, std::span<const PacketFate> fates) = 0;
};

/**
 * @ingroup odcn
 *
 * Packet-level simulation of an optical data centre with fixed circuits, without ns-3's events: the
 * same packets as from JobFlowApplication, with the same outcome to the picosecond as with
 * OcsNetDevice, OcsFiber, TorSwitch and OcsSwitch (at Time::PS and with DropTailQueues of packets).
 *
 * **Ties.** Packets that reach a switch or a port in the same picosecond are served in the order
 * of sending time, then flow index, then sequence number. A departure from a queue frees its place
 * for an arrival in the same picosecond. ns-3 may break such ties differently, by the order in
 * which events were scheduled; up to the first tie that affects the result (GetFirstTie()) both
 * agree packet by packet.
 *
 * A fabric may be run repeatedly. As in ns-3, circuits and random streams continue from the state
 * after the previous run.
 */
class PacketFabric
{
  public:
    /**
     * A fabric without circuits.
     *
     * @param model its parameters
     * @throws OdcnError when a parameter is out of range
     */
    explicit PacketFabric(const FabricModel& model);
    ~PacketFabric();

    PacketFabric(const PacketFabric&) = delete;
    PacketFabric& operator=(const PacketFabric&) = delete;

    /// @return its parameters
    const FabricModel& GetModel() const;

    /**
     * Assign random streams as OdcnHelper::AssignStreams() does: one for each ToR switch, then
     * @p perServer for each server. To be called before the first run.
     *
     * @param stream first stream number to use
     * @param perServer streams of a server, JobFlowApplication::MAX_FLOWS
     * @return how many were used
     */
    int64_t AssignStreams(int64_t stream, int64_t perServer = 4096);

    /**
     * Set circuits, as OcsFabric::Preset().
     *
     * @param circuits new circuits of the uplinks; their previous circuits do not matter
     * @throws OdcnError when the circuits are not possible
     */
    void Preset(const std::vector<OdcnCircuitChange>& circuits);

    /**
     * Set the packet law of the flows of a server. Default: Poisson packets of one size.
     *
     * @param server a server that has sent nothing yet
     * @param law packet law of its flows
     * @throws OdcnError when the server does not exist, has sent before, or the law is invalid
     */
    void SetLaw(ServerId server, const PacketLaw& law);

    /// @param threads number of threads of Run(); the result does not depend on it
    void SetThreads(uint32_t threads);

    /**
     * Run flows on an empty network, until all their packets have ended.
     *
     * @param opened start time of the flows, ps
     * @param until end time of the flows, ps: no packet is sent at or after it
     * @param flows the flows; may be empty
     * @param sink receives the outcome of every packet
     * @return when the last packet ended, ps; @p opened if there was none
     * @throws OdcnError when times or flows are out of range, a flow has no circuit in a fabric
     * that would make a detour, or a law draws a value out of bounds
     */
    int64_t Run(int64_t opened,
                int64_t until,
                const std::vector<PacketFlow>& flows,
                OdcnPacketSink& sink);

    /// @return time of the first tie that affected the last run, ps; INT64_MAX if there was none
    int64_t GetFirstTie() const;

  private:
    class Engine;
    std::unique_ptr<Engine> m_engine; //!< implementation
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_FABRIC_H */
