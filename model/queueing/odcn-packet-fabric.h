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
    double meanGap{0}; //!< mean gap between packets in ps, see PacketSource::MeanGap()
    /// Size of a packet with its IPv4 header; where sizes are drawn, their mean.
    uint32_t bytes{0};
    uint32_t hash{0}; //!< of addresses, protocol and ports, see OcsPacketHeader::HashFlow()
};

/// What became of a packet.
struct PacketFate
{
    uint32_t flow;      //!< index of its flow
    uint32_t sequence;  //!< number in the flow, from 0 in each run
    int64_t sent;       //!< when it was handed to the network card, ps
    int64_t ended;      //!< when it reached its receiver or was lost, ps
    bool received;      //!< whether it reached its receiver
    OcsDropCause cause; //!< why it was lost, if it was
};

/**
 * @ingroup odcn
 *
 * Takes what became of packets. A plain interface, because there are millions a second.
 */
class OdcnPacketSink
{
  public:
    virtual ~OdcnPacketSink() = default;

    /**
     * Some packets have ended, in no particular order. Those that one server receives come in
     * order, and calls for the same server do not overlap.
     *
     * @param worker which thread calls, 0 to threads - 1; calls with different numbers may overlap
     * @param fates what became of them
     */
    virtual void Take(uint32_t worker, std::span<const PacketFate> fates) = 0;
};

/**
 * @ingroup odcn
 *
 * The packets of an optical data centre whose circuits stand still, without ns-3's events: the same
 * arrivals as JobFlowApplication sends, and the same end of every packet, to the picosecond, as
 * OcsNetDevice, OcsFiber, TorSwitch and OcsSwitch give it (at Time::PS and with DropTailQueues of
 * packets).
 *
 * **Ties.** Of packets that reach a switch or a port in the same picosecond, the one that was sent
 * first is served first; of those sent in the same picosecond, the one of the flow with the lower
 * index; within a flow, by sequence number. A packet that leaves a queue makes room for one that
 * arrives in the same picosecond. ns-3 may decide such ties otherwise, by the order in which events
 * were scheduled; up to the first tie that matters (GetFirstTie()) both agree packet by packet.
 *
 * A fabric may be run again and again. As in ns-3, circuits and random streams go on from where the
 * run before left them.
 */
class PacketFabric
{
  public:
    /**
     * A fabric without circuits.
     *
     * @param model its numbers
     * @throws OdcnError when one is out of range
     */
    explicit PacketFabric(const FabricModel& model);
    ~PacketFabric();

    PacketFabric(const PacketFabric&) = delete;
    PacketFabric& operator=(const PacketFabric&) = delete;

    /// @return its numbers
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
     * As OcsFabric::Preset().
     *
     * @param circuits where uplinks shall lead; what was before does not matter
     * @throws OdcnError when they cannot
     */
    void Preset(const std::vector<OdcnCircuitChange>& circuits);

    /**
     * Set what flows of a server send, if it is not Poisson packets of one size.
     *
     * @param server a server that has sent nothing yet
     * @param law what its flows send
     * @throws OdcnError when there is no such server, it has sent before, or the law is refused
     */
    void SetLaw(ServerId server, const PacketLaw& law);

    /// @param threads how many Run() may use; the result does not depend on it
    void SetThreads(uint32_t threads);

    /**
     * Flows begin on an empty network, and end; the packets under way go on until all have ended.
     *
     * @param opened flows begin, ps
     * @param until flows end: no packet is sent at or after this time, ps
     * @param flows who sends; none is allowed
     * @param sink receives what became of every packet
     * @return when the last packet ended, ps; @p opened if there was none
     * @throws OdcnError when times or flows are out of range, a flow has no circuit in a fabric
     * that would make a detour, or a law draws a value out of bounds
     */
    int64_t Run(int64_t opened,
                int64_t until,
                const std::vector<PacketFlow>& flows,
                OdcnPacketSink& sink);

    /// @return when a tie first decided something in the last run, ps; INT64_MAX if none did
    int64_t GetFirstTie() const;

  private:
    class Engine;
    std::unique_ptr<Engine> m_engine; //!< does the work
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_FABRIC_H */
