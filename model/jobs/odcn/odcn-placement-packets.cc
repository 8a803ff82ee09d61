// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-placement-packets.h"

#include "ns3/ocs-address-plan.h"
#include "ns3/ocs-packet-header.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-object-text.h"
#include "ns3/simulator.h"

#include <map>
#include <span>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// UDP in IPv4 headers.
constexpr uint8_t PROTOCOL_UDP = 17;

/**
 * @param traffic of a server
 * @return size of its packets, in bytes
 */
uint32_t
GetPacketSize(const JobFlowApplication& traffic)
{
    return static_cast<uint32_t>(GetAttributeOf<UintegerValue>(traffic, "PacketSize"));
}

/// @param fabric a fabric
/// @return how long its circuits are down while they move
Time
GetDarkTime(const OcsFabric& fabric)
{
    return GetAttributeOf<TimeValue>(*fabric.GetSwitch(0), "ReconfigurationTime");
}

/// Jobs send nothing.
class NoPackets : public PlacementPackets
{
  public:
    NoPackets()
        : PlacementPackets(Time(0))
    {
    }
};

/// The packets of a window are measured as they arrive.
class WindowPackets : public PlacementPackets
{
  public:
    using PlacementPackets::PlacementPackets;

    bool HasWindows() const override
    {
        return true;
    }

    void BeginWindow(const OdcnWindow& window) override
    {
        m_window = &window;
        m_delaySumNs = 0;
        m_delays = 0;
    }

    std::optional<double> EndWindow() override
    {
        if (m_delays == 0)
        {
            return std::nullopt;
        }
        return m_delaySumNs / static_cast<double>(m_delays);
    }

  protected:
    /// @return the window that is open, or the last one
    const OdcnWindow& GetWindow() const
    {
        return *m_window;
    }

    /// Measure a packet that has arrived.
    /// @param flow index in the window
    /// @param sent when
    /// @param delay its one-way delay
    void Measure(uint32_t flow, Time sent, Time delay)
    {
        if (m_window->flows[flow].interRack && sent >= m_window->measureFrom)
        {
            m_delaySumNs += 1e-3 * static_cast<double>((delay - GetLinksTime()).GetPicoSeconds());
            ++m_delays;
        }
    }

  private:
    const OdcnWindow* m_window{nullptr}; //!< see GetWindow()
    double m_delaySumNs{0};              //!< sum over measured inter-rack packets, ns
    uint64_t m_delays{0};                //!< number of measured inter-rack packets
};

/// The packets of a window are events of ns-3.
class EventPackets : public WindowPackets
{
  public:
    /// @param fabric carries the packets
    /// @param flows traffic application of each server
    EventPackets(Ptr<OcsFabric> fabric, const std::vector<Ptr<JobFlowApplication>>& flows)
        : WindowPackets(fabric->GetLinksTime(GetPacketSize(*flows[0]))),
          m_fabric(std::move(fabric)),
          m_flows(flows)
    {
    }

    std::optional<SwitchCommand> MakeCommand(const std::vector<OdcnCircuitChange>& changes) override
    {
        return SwitchCommand{[fabric = m_fabric, circuits = OcsFabric::ToCircuits(changes)]()
                             { fabric->Apply(circuits); },
                             GetDarkTime(*m_fabric)};
    }

    void BeginWindow(const OdcnWindow& window) override
    {
        WindowPackets::BeginWindow(window);
        const uint32_t perRack = m_fabric->GetSize().serversPerRack;
        for (std::size_t i = 0; i < window.flows.size(); ++i)
        {
            const OdcnFlow& flow = window.flows[i];
            m_flows[flow.from]->AddFlow(
                static_cast<uint32_t>(i),
                m_fabric->GetServerAddress(flow.to / perRack, flow.to % perRack),
                flow.rate);
        }
    }

    uint64_t CountInFlight() const override
    {
        return m_fabric->Count().inFlight;
    }

    void Received(const FlowHeader& header, Time delay) override
    {
        Measure(header.GetFlow(), header.GetSent(), delay);
    }

  private:
    Ptr<OcsFabric> m_fabric;                      //!< carries the packets
    std::vector<Ptr<JobFlowApplication>> m_flows; //!< traffic application of each server
};

/// The packets of a window are computed without events, when it opens.
class ExactPackets : public WindowPackets, private OdcnPacketSink
{
  public:
    /**
     * @param problem has the circuits
     * @param model the fabric
     * @param traffic sets packet size, port and arrivals of every server
     * @param mtu largest packet in bytes
     * @param sink receives the outcomes of a window's packets
     */
    ExactPackets(Ptr<OdcnScheduling> problem,
                 const FabricModel& model,
                 Ptr<JobFlowApplication> traffic,
                 uint32_t mtu,
                 OdcnPacketSink& sink)
        : WindowPackets(TimeStep(model.GetLinksTime(GetPacketSize(*traffic)))),
          m_problem(std::move(problem)),
          m_engine(model),
          m_traffic(std::move(traffic)),
          m_sink(sink)
    {
        const PacketLaw law = m_traffic->GetLaw(mtu);
        for (ServerId server = 0; server < model.GetNServers(); ++server)
        {
            m_engine.SetLaw(server, law);
        }
    }

    PacketFabric* GetEngine() override
    {
        return &m_engine;
    }

    std::optional<SwitchCommand> MakeCommand(
        const std::vector<OdcnCircuitChange>& /* changes */) override
    {
        return SwitchCommand{[]() {}, TimeStep(m_engine.GetModel().darkTime)};
    }

    void BeginWindow(const OdcnWindow& window) override;

    uint64_t CountInFlight() const override
    {
        return m_end >= Simulator::Now() ? 1 : 0;
    }

  private:
    /// The engine's packets have ended.
    /// @param rack where
    /// @param fates their outcomes
    void Take(RackId rack, std::span<const PacketFate> fates) override
    {
        for (const PacketFate& fate : fates)
        {
            if (fate.received)
            {
                Measure(fate.flow, TimeStep(fate.sent), TimeStep(fate.ended - fate.sent));
            }
        }
        m_sink.Take(rack, fates);
    }

    Ptr<OdcnScheduling> m_problem;     //!< has the circuits
    PacketFabric m_engine;             //!< computes the packets
    Ptr<JobFlowApplication> m_traffic; //!< of every server
    OdcnPacketSink& m_sink;            //!< receives the outcomes
    Time m_end;                        //!< when the last packet of the window ends
};

void
ExactPackets::BeginWindow(const OdcnWindow& window)
{
    WindowPackets::BeginWindow(window);
    // By now the switches have carried out the manager's commands.
    m_engine.Preset(GetCircuits(*PeekPointer(m_problem->GetManager())));
    const FabricModel& model = m_engine.GetModel();
    const auto plan = OcsAddressPlan::For(model.racks, model.serversPerRack);
    const auto addressOf = [&](ServerId server)
    { return plan.GetAddress(server / model.serversPerRack, server % model.serversPerRack).Get(); };
    const uint32_t bytes = GetPacketSize(*m_traffic);
    const auto port = static_cast<uint32_t>(GetAttributeOf<UintegerValue>(*m_traffic, "Port"));
    std::vector<PacketFlow> flows;
    flows.reserve(window.flows.size());
    for (const OdcnFlow& flow : window.flows)
    {
        flows.push_back({flow.from,
                         flow.to,
                         PacketSource::MeanGap(flow.rate, bytes),
                         bytes,
                         OcsPacketHeader::HashFlow(addressOf(flow.from),
                                                   addressOf(flow.to),
                                                   PROTOCOL_UDP,
                                                   port << 16 | port)});
    }
    m_end = TimeStep(
        m_engine.Run(window.opened.GetTimeStep(), window.measureUntil.GetTimeStep(), flows, *this));
}

/// Jobs send for as long as they run.
class ContinuousPackets : public PlacementPackets
{
  public:
    /**
     * @param fabric carries the packets
     * @param manager of the jobs
     * @param traffic the jobs that run
     * @param linksTime see GetLinksTime()
     * @param admission how jobs are admitted
     */
    ContinuousPackets(Ptr<OcsFabric> fabric,
                      Ptr<CsMgr> manager,
                      std::unique_ptr<ContinuousTraffic> traffic,
                      Time linksTime,
                      Admission admission)
        : PlacementPackets(linksTime),
          m_fabric(std::move(fabric)),
          m_manager(std::move(manager)),
          m_traffic(std::move(traffic)),
          m_admission(std::move(admission))
    {
    }

    Ptr<OcsPacketMonitor> GetMonitor() const override
    {
        return m_traffic->GetMonitor();
    }

    std::optional<SwitchCommand> MakeCommand(const std::vector<OdcnCircuitChange>& changes) override
    {
        const Time dark = GetDarkTime(*m_fabric);
        m_change = ++m_nChanges;
        // The application may have been disposed of by then.
        const auto carryOut = [fabric = m_fabric,
                               dark,
                               change = m_change,
                               waiting = std::weak_ptr(m_waiting),
                               circuits = OcsFabric::ToCircuits(changes)]()
        {
            fabric->Apply(circuits);
            CompatSchedule(dark,
                           [waiting, change]()
                           {
                               if (const auto jobs = waiting.lock())
                               {
                                   jobs->Resume(change);
                               }
                           });
        };
        return SwitchCommand{carryOut, dark};
    }

    void BeginDecision(uint64_t number) override
    {
        m_change = 0;
        // The scheduler does not learn the end of the jobs before.
        m_manager->SetOpenEnded(m_admission.bytes && number >= m_admission.after);
    }

    void Place(const OdcnPlacedJob& job, uint64_t number) override
    {
        if (number < m_admission.after)
        {
            return;
        }
        if (!std::exchange(m_sends, true))
        {
            m_manager->ForEachActive(
                [&](const OdcnPlacedJob& active)
                {
                    if (active.id != job.id && !m_admission.bytes)
                    {
                        Admit(active, false);
                    }
                });
        }
        const bool waits = m_change > 0 && m_admission.waits;
        if (waits)
        {
            m_waiting->jobs[m_change] = job.id;
        }
        Admit(job, waits);
    }

    bool Runs(JobId job) const override
    {
        return m_traffic->Runs(job);
    }

    void Interrupt(JobId job) override
    {
        m_traffic->End(job);
        std::erase_if(m_waiting->jobs, [&](const auto& waiting) { return waiting.second == job; });
    }

    void Received(const FlowHeader& header, Time delay) override
    {
        m_traffic->Received(header, delay);
    }

    void End() override
    {
        m_traffic->Clear();
    }

  private:
    /// Jobs that wait for the circuits of a command.
    struct Waiting
    {
        /// Circuits are up; a job may wait for them.
        /// @param change number of the command
        void Resume(uint64_t change)
        {
            if (const auto waiting = jobs.extract(change))
            {
                traffic.Resume(waiting.mapped());
            }
        }

        ContinuousTraffic& traffic;     //!< the jobs that run
        std::map<uint64_t, JobId> jobs; //!< by number of the command
    };

    /// Let a job send.
    /// @param job the job
    /// @param waits whether for its circuits
    void Admit(const OdcnPlacedJob& job, bool waits)
    {
        m_traffic->Begin(job, m_admission.when(job.start + job.duration), waits);
    }

    Ptr<OcsFabric> m_fabric;                      //!< carries the packets
    Ptr<CsMgr> m_manager;                         //!< of the jobs
    std::unique_ptr<ContinuousTraffic> m_traffic; //!< the jobs that run
    Admission m_admission;                        //!< how jobs are admitted
    /// The jobs that wait for circuits.
    std::shared_ptr<Waiting> m_waiting{std::make_shared<Waiting>(Waiting{*m_traffic, {}})};
    uint64_t m_nChanges{0}; //!< commands of circuits so far
    uint64_t m_change{0};   //!< command of the present decision; 0 for none
    bool m_sends{false};    //!< whether the first job that sends was placed
};

} // namespace

std::unique_ptr<PlacementPackets>
PlacementPackets::MakeNone()
{
    return std::make_unique<NoPackets>();
}

std::unique_ptr<PlacementPackets>
PlacementPackets::MakeEvents(Ptr<OcsFabric> fabric,
                             const std::vector<Ptr<JobFlowApplication>>& flows)
{
    return std::make_unique<EventPackets>(fabric, flows);
}

std::unique_ptr<PlacementPackets>
PlacementPackets::MakeExact(Ptr<OdcnScheduling> problem,
                            const FabricModel& model,
                            Ptr<JobFlowApplication> traffic,
                            uint32_t mtu,
                            OdcnPacketSink& sink)
{
    return std::make_unique<ExactPackets>(problem, model, traffic, mtu, sink);
}

std::unique_ptr<PlacementPackets>
PlacementPackets::MakeContinuous(Ptr<OcsFabric> fabric,
                                 Ptr<CsMgr> manager,
                                 std::unique_ptr<ContinuousTraffic> traffic,
                                 Time linksTime,
                                 const Admission& admission)
{
    return std::make_unique<ContinuousPackets>(fabric,
                                               manager,
                                               std::move(traffic),
                                               linksTime,
                                               admission);
}

std::vector<OdcnCircuitChange>
PlacementPackets::GetCircuits(const CsMgr& manager)
{
    const auto& circuits = manager.GetNetwork()->GetCircuits();
    std::vector<OdcnCircuitChange> present;
    for (RackId rack = 0; rack < circuits.GetNRacks(); ++rack)
    {
        for (uint32_t port = 0; port < circuits.GetPorts(); ++port)
        {
            const auto& end = circuits.GetOut(rack, port);
            present.push_back({rack, port, NO_RACK, 0, end.rack, end.port});
        }
    }
    return present;
}

std::optional<PlacementPackets::SwitchCommand>
PlacementPackets::MakeCommand(const std::vector<OdcnCircuitChange>& /* changes */)
{
    return std::nullopt;
}

void
PlacementPackets::BeginDecision(uint64_t /* number */)
{
}

void
PlacementPackets::Place(const OdcnPlacedJob& /* job */, uint64_t /* number */)
{
}

bool
PlacementPackets::Runs(JobId /* job */) const
{
    return false;
}

void
PlacementPackets::Interrupt(JobId /* job */)
{
}

void
PlacementPackets::BeginWindow(const OdcnWindow& /* window */)
{
}

std::optional<double>
PlacementPackets::EndWindow()
{
    return std::nullopt;
}

uint64_t
PlacementPackets::CountInFlight() const
{
    return 0;
}

void
PlacementPackets::Received(const FlowHeader& /* header */, Time /* delay */)
{
}

void
PlacementPackets::End()
{
}

} // namespace ns3::odcn
