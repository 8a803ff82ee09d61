// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-window-engine.h"

#include "ns3/ocs-address-plan.h"
#include "ns3/ocs-packet-header.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fifo-queue.h"
#include "ns3/odcn-job-flow-application.h"

#include <algorithm>
#include <mutex>

namespace ns3::odcn
{

namespace
{

constexpr uint8_t PROTOCOL_UDP = 17;

/// Passes packet outcomes to the recorder of a window.
class RecorderSink : public OdcnPacketSink
{
  public:
    /// @param recorder recorder with an open window
    explicit RecorderSink(OdcnWindowRecorder& recorder)
        : m_recorder(recorder)
    {
    }

    void Take(uint32_t, std::span<const PacketFate> fates) override
    {
        const std::lock_guard lock(m_mutex);
        for (const PacketFate& fate : fates)
        {
            const auto sent = static_cast<uint64_t>(fate.sent);
            if (fate.received)
            {
                m_recorder.Passed(fate.flow, sent, static_cast<uint64_t>(fate.ended));
            }
            else
            {
                m_recorder.Lost(fate.flow, sent, fate.cause);
            }
        }
    }

  private:
    OdcnWindowRecorder& m_recorder; //!< counts packets
    std::mutex m_mutex;             //!< protects the recorder
};

/// @param model fabric  @param bytes packet size  @return see OdcnWindowRecorder::GetLinksNs()
double
LinksNs(const FabricModel& model, uint32_t bytes)
{
    const int64_t uplinkDelay = model.uplinks > 0 ? 2 * model.uplinkDelay : 0;
    const int64_t sum =
        2 * (TransmissionTime(model.serverRate, bytes) + model.serverDelay) + uplinkDelay;
    return static_cast<double>(sum) * 1e-3;
}

} // namespace

OdcnWindowEngine::OdcnWindowEngine(Ptr<OdcnScheduling> problem,
                                   Ptr<DecisionPolicy> policy,
                                   const OdcnWindowSettings& settings)
    : m_problem(problem),
      m_policy(policy),
      m_settings(settings),
      m_fabric(settings.fabric),
      m_nextWindow(settings.windowAfter)
{
    if (Time::GetResolution() != Time::PS)
    {
        throw OdcnError("the exact packet engine needs Time::SetResolution(Time::PS)");
    }
    Ptr<CsMgr> manager = m_problem->GetManager();
    manager->TraceConnectWithoutContext("CircuitsChanged",
                                        MakeCallback(&OdcnWindowEngine::CircuitsChanged, this));
    manager->TraceConnectWithoutContext("JobPlaced",
                                        MakeCallback(&OdcnWindowEngine::JobPlaced, this));
    for (ServerId server = 0; server < settings.fabric.racks * settings.fabric.serversPerRack;
         ++server)
    {
        m_fabric.SetLaw(server, settings.law);
    }
}

OdcnWindowEngine::~OdcnWindowEngine()
{
    Ptr<CsMgr> manager = m_problem->GetManager();
    manager->TraceDisconnectWithoutContext("CircuitsChanged",
                                           MakeCallback(&OdcnWindowEngine::CircuitsChanged, this));
    manager->TraceDisconnectWithoutContext("JobPlaced",
                                           MakeCallback(&OdcnWindowEngine::JobPlaced, this));
}

int64_t
OdcnWindowEngine::AssignStreams(int64_t stream)
{
    return m_fabric.AssignStreams(stream, JobFlowApplication::MAX_FLOWS);
}

void
OdcnWindowEngine::SetThreads(uint32_t threads)
{
    m_fabric.SetThreads(threads);
}

void
OdcnWindowEngine::Run(OdcnWindowRecorder& recorder,
                      const std::string& name,
                      const std::function<void(uint64_t)>& progress)
{
    recorder.Begin(name, LinksNs(m_settings.fabric, m_settings.packetSize));
    const auto unit = static_cast<double>(m_settings.jobTimeUnit.GetTimeStep());
    while (!m_problem->IsDone() && (!m_settings.maxJobs || m_nJobs < m_settings.maxJobs))
    {
        const Time arrival =
            TimeStep(static_cast<uint64_t>(m_problem->GetJob().arrival * unit)) + m_standstill;
        m_now = std::max(m_now, arrival);
        ++m_nJobs;
        m_problem->RunJob(*m_policy);
        if (m_due)
        {
            RunWindow(recorder);
        }
        progress(m_nJobs);
    }
}

void
OdcnWindowEngine::CircuitsChanged(const std::vector<OdcnCircuitChange>&)
{
    m_settled = std::max(m_settled, m_now + TimeStep(m_settings.fabric.darkTime));
}

void
OdcnWindowEngine::JobPlaced(const OdcnPlacedJob& job)
{
    if (m_settings.windowSpacing == 0 || m_nJobs < m_nextWindow)
    {
        return;
    }
    m_due = true;
    m_nextWindow = m_nJobs + m_settings.windowSpacing;
    m_window.Fill(*PeekPointer(m_problem->GetManager()), job, m_settings.intraRack);
}

void
OdcnWindowEngine::RunWindow(OdcnWindowRecorder& recorder)
{
    const FabricModel& model = m_settings.fabric;
    const OdcnCircuitLedger& circuits = m_problem->GetManager()->GetNetwork()->GetCircuits();
    const Time stoodStillAt = m_now;
    m_now = std::max(m_now, m_settled);
    m_window.Open(m_now, m_settings.warmUp, m_settings.length);
    recorder.Open(m_window);
    // At this time the switches have carried out the manager's commands.
    std::vector<OdcnCircuitChange> preset;
    for (RackId u = 0; u < model.racks; ++u)
    {
        for (uint32_t p = 0; p < model.uplinks; ++p)
        {
            const auto& end = circuits.GetOut(u, p);
            preset.push_back({u, p, NO_RACK, 0, end.rack, end.port});
        }
    }
    m_fabric.Preset(preset);
    const auto plan = OcsAddressPlan::For(model.racks, model.serversPerRack);
    const auto addressOf = [&](ServerId server)
    { return plan.GetAddress(server / model.serversPerRack, server % model.serversPerRack).Get(); };
    const uint32_t ports = uint32_t(m_settings.port) << 16 | m_settings.port;
    m_flows.clear();
    for (const OdcnFlow& flow : m_window.flows)
    {
        m_flows.push_back({flow.from,
                           flow.to,
                           PacketSource::MeanGap(flow.rate, m_settings.packetSize),
                           m_settings.packetSize,
                           OcsPacketHeader::HashFlow(addressOf(flow.from),
                                                     addressOf(flow.to),
                                                     PROTOCOL_UDP,
                                                     ports)});
    }
    RecorderSink sink(recorder);
    const int64_t until = m_window.measureUntil.GetTimeStep();
    const int64_t end = m_fabric.Run(m_window.opened.GetTimeStep(), until, m_flows, sink);
    // After the sources stop, the application checks periodically whether the network is empty.
    const int64_t step = MicroSeconds(ODCN_DRAIN_STEP_US).GetTimeStep();
    m_now = TimeStep(
        static_cast<uint64_t>(end < until ? until : until + ((end - until) / step + 1) * step));
    m_window.closed = m_now;
    m_standstill += m_window.closed - stoodStillAt;
    recorder.Close(m_window, 0);
    ++m_window.index;
    m_due = false;
}

} // namespace ns3::odcn
