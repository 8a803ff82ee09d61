// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_FABRIC_H
#define ODCN_PACKET_FABRIC_H

#include "odcn-fabric-model.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace odcn
{

class OdcnFabricBlocks;
struct OdcnFabricState;

/**
 * @ingroup odcn
 *
 * The packets of an optical data centre without ns-3's events: the same arrivals, and for every
 * packet the same end, at the same picosecond and for the same cause, as OdcnJobFlowApplication,
 * OcsNetDevice, OcsFiber, TorSwitch and OcsSwitch give it (at Time::PS and with DropTailQueues of
 * packets).
 *
 * A fabric may be run again and again. As in ns-3, circuits, failures and random streams go on from
 * where the run before left them.
 */
class OdcnPacketFabric
{
  public:
    /**
     * A fabric without circuits.
     *
     * @param model its numbers
     * @throws OdcnError when one is out of range
     */
    explicit OdcnPacketFabric(const OdcnFabricModel& model);
    ~OdcnPacketFabric();

    OdcnPacketFabric(const OdcnPacketFabric&) = delete;
    OdcnPacketFabric& operator=(const OdcnPacketFabric&) = delete;

    /// @return its numbers
    const OdcnFabricModel& GetModel() const;

    /**
     * Random streams as OdcnHelper::AssignStreams() gives them: one a ToR switch, then so many a
     * server. Seed and run are those that RngSeedManager has now for ToR switches, and at a
     * stream's first use for flows.
     *
     * @param stream first stream number to use
     * @param perServer streams of a server, OdcnJobFlowApplication::MAX_FLOWS
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
     * Set what flows of a server send, if it is not one packet of one size at a time.
     *
     * @param server which, has sent nothing yet
     * @param law what they send
     * @throws OdcnError when there is no such server, it has sent before, or sizes are out of range
     */
    void SetLaw(ServerId server, const OdcnServerLaw& law);

    /// @param threads how many Run() may use; what it finds does not depend on it
    void SetThreads(uint32_t threads);

    /**
     * Run event by event even where circuits stand still and blocks would do: slower, and the
     * result is the same.
     *
     * @param always whether to
     */
    void SetEventByEvent(bool always);

    /**
     * Flows begin on an empty network, and end; the packets under way go on until all have ended.
     *
     * @param opened flows begin, in the order given, ps
     * @param until flows end: no packet is sent at or after this time, ps
     * @param flows who sends
     * @param actions what else happens. At the same time they come before all packets, in the order
     * given; those before @p opened happen then
     * @param sink told of every packet
     * @return when the last packet ended, ps
     * @throws OdcnError when flows or actions are out of range, or a law draws what it may not.
     * Very rarely, when two packets meet in a time step and what tells their order lies too far
     * back; SetEventByEvent() then helps
     */
    int64_t Run(int64_t opened,
                int64_t until,
                const std::vector<OdcnPacketFlow>& flows,
                const std::vector<OdcnFabricAction>& actions,
                OdcnPacketSink& sink);

  private:
    std::unique_ptr<OdcnFabricState> m_state;   //!< what outlives a run
    std::unique_ptr<OdcnFabricBlocks> m_blocks; //!< runs it where circuits stand still
    uint32_t m_threads{1};                      //!< to use
    bool m_eventByEvent{false};                 //!< see SetEventByEvent()
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_PACKET_FABRIC_H */
