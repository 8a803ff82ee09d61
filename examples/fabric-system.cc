// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-system.h"

#include "ns3/boolean.h"
#include "ns3/ocs-net-device.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fault-injector.h"
#include "ns3/odcn-fault-plan.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-matching-schedule.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-topology-drawing.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tor-switch.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

std::string
Text(double value, const std::string& unit)
{
    std::ostringstream os;
    os << value << unit;
    return os.str();
}

void
FabricSystem::AddOptions(OdcnCommandLine& cmd, bool withFaults)
{
    cmd.SetGroup("Network");
    cmd.AddRange("racks", "Number of racks, a multiple of uplinks for rotors", racks, 2U, 1024U);
    cmd.AddRange("servers", "Servers of a rack", servers, 1U, 64U);
    cmd.AddRange("uplinks", "Uplinks of a rack", uplinks, 1U, 64U);
    cmd.AddRange("gbps", "Rate of all links, Gb/s", gbps, 1.0, 1000.0);
    cmd.AddRange("slot", "Time between reconfigurations of a schedule, us", slot, 1.0, 1e6);
    cmd.AddRange("dark", "Dark time of a reconfiguration, us", dark, 0.0, 1e6);
    cmd.AddRange("delay", "Propagation from rack to rack, ns", delay, 0.0, 1e6);
    if (withFaults)
    {
        faults.AddOptions(cmd);
    }
}

void
FabricSystem::Check()
{
    faults.Check();
    OdcnCommandLine::Check(dark < slot, "dark", dark, "less than --slot");
}

std::string
FabricSystem::Describe() const
{
    std::ostringstream os;
    os << racks << " racks of " << servers << " servers, " << uplinks << " uplinks, " << gbps
       << " Gb/s, slots of " << slot << " us, dark " << dark << " us";
    return os.str();
}

std::string
FabricSystem::FindSizes(const std::string& sizes)
{
    const bool isFile = sizes.find('/') != std::string::npos ||
                        sizes.find_first_not_of("0123456789") == std::string::npos;
    return isFile ? sizes : GetDataFile("flow-cdf/" + sizes + ".csv");
}

std::string
FabricSystem::GetRotor() const
{
    return "RotorSchedule[Slot=" + Text(slot, "us") + "|ReconfigurationTime=" + Text(dark, "us") +
           "]";
}

std::string
FabricSystem::GetOpera() const
{
    return "OperaSchedule[Slot=" + Text(slot * uplinks, "us") +
           "|ReconfigurationTime=" + Text(dark, "us") + "]";
}

std::string
FabricSystem::GetSirius() const
{
    // 1500 bytes a packet; a slot cannot carry less than one.
    return "SiriusSchedule[Slot=" + Text(40 / gbps, "us") + "|ReconfigurationTime=100ns]";
}

std::string
FabricSystem::GetMatched(const std::string& algorithm) const
{
    return "MatchingSchedule[Algorithm=" + algorithm +
           "|Period=" + Text(3 * slot * racks / uplinks, "us") +
           "|ReconfigurationTime=" + Text(dark, "us") + "]";
}

std::vector<FabricDesign>
FabricSystem::GetDesigns() const
{
    const std::string cyclic = "RoundRobinSchedule[Slot=" + Text(slot, "us") +
                               "|ReconfigurationTime=" + Text(dark, "us") + "]";
    // Epochs of two slots; reports and decisions take a fifth of a slot each.
    const auto controller = [&](const std::string& policy)
    {
        return "MatchingController[Policy=" + policy + "|Epoch=" + Text(2 * slot, "us") +
               "|ReportDelay=" + Text(slot / 5, "us") + "|DecisionTime=" + Text(slot / 5, "us") +
               "|ReconfigurationTime=" + Text(dark, "us") + "]";
    };
    return {
        {"ideal", "", "ideal", Hops::ANY, 0, "one switch without limits joins all servers"},
        {"fat-tree", "", "fat-tree", Hops::ANY, 0, "electrical, full bisection, ECMP"},
        {"clos-3:1", "", "clos", Hops::ANY, 0, "electrical leaf-spine, over-subscribed 3:1, ECMP"},
        {"expander",
         "ExpanderSchedule",
         "ExpanderRouting",
         Hops::ANY,
         uplinks + 1,
         "static random circuits, one uplink more, shortest paths"},
        {"rotornet-direct",
         GetRotor(),
         "DirectRouting",
         Hops::ONE,
         0,
         "rotor switches in step, one hop"},
        {"rotornet", GetRotor(), "RotorLbRouting", Hops::TWO, 0, "rotor switches in step, RotorLB"},
        {"opera",
         GetOpera(),
         "ClassRouting[Bulk=RotorLbRouting]",
         Hops::ANY,
         0,
         "one switch at a time; short flows at once, others wait for circuits, RotorLB"},
        {"opera-hold",
         GetOpera(),
         "ClassRouting[Bulk=DirectRouting]",
         Hops::ONE,
         0,
         "as opera, but others wait in their hosts for direct circuits",
         true},
        {"sirius",
         GetSirius(),
         "ValiantRouting[Spread=Random]",
         Hops::TWO,
         0,
         "cyclic, slots of three packets, random transit racks"},
        {"hybrid",
         cyclic,
         "ClassRouting[Short=ElectricalRouting|Bulk=ValiantRouting]",
         Hops::TWO,
         std::max(2U, uplinks) - 1,
         "one uplink electrical, for short flows; others by cyclic circuits in at most two hops",
         false,
         1},
        {"max-weight",
         GetMatched("MaxWeightMatching"),
         "ExpanderRouting",
         Hops::ANY,
         0,
         "static circuits of maximum weight for the demand, shortest paths"},
        {"helios",
         controller("MaxWeightMatching"),
         "DirectRouting",
         Hops::ONE,
         0,
         "circuits of maximum weight for the demand measured in each epoch, one hop"},
        {"greedy",
         controller("greedy"),
         "DirectRouting",
         Hops::ONE,
         0,
         "the same, circuits by the largest expected service"},
#ifdef ODCN_HAVE_TRAINING // the library has agents
        {"agent",
         controller(GetDataFile("matching-agent.pt")),
         "DirectRouting",
         Hops::ONE,
         0,
         "the same, a trained network chooses the circuits"},
#endif
        {"birkhoff",
         GetMatched("BirkhoffMatching[Terms=" + std::to_string(2 * racks) + "]"),
         "DirectRouting",
         Hops::ONE,
         0,
         "Birkhoff-von Neumann decomposition of the demand, one hop"},
        {"vermilion",
         GetMatched("VermilionMatching"),
         "DirectRouting",
         Hops::ONE,
         0,
         "Vermilion-like schedule for the demand, one hop"},
    };
}

const FabricDesign&
FabricSystem::FindDesign(const std::vector<FabricDesign>& designs,
                         const std::string& name,
                         const std::string& option,
                         const std::string& expected)
{
    std::string known;
    for (const FabricDesign& design : designs)
    {
        if (design.name == name)
        {
            return design;
        }
        known += (known.empty() ? "" : ", ") + design.name;
    }
    throw OdcnError::InOption(option, name, expected + known);
}

uint32_t
FabricSystem::GetUplinks(const FabricDesign& design) const
{
    return design.uplinks > 0 ? design.uplinks : uplinks;
}

Ptr<CircuitSchedule>
FabricSystem::MakeSchedule(const FabricDesign& design,
                           const DemandMatrix& demand,
                           int64_t stream) const
{
    Ptr<CircuitSchedule> plan = CircuitSchedule::Create(design.schedule);
    if (auto matched = DynamicCast<MatchingSchedule>(plan))
    {
        matched->SetDemand(demand);
    }
    plan->AssignStreams(stream);
    plan->Build(racks, GetUplinks(design));
    return plan;
}

OcsHelper
FabricSystem::MakeHelper(const std::string& routing) const
{
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetTorAttribute("Routing", StringValue(routing));
    helper.SetUplinkAttribute("DataRate", StringValue(Text(gbps, "Gbps")));
    helper.SetServerAttribute("DataRate", StringValue(Text(gbps, "Gbps")));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkFiberAttribute("Delay", StringValue(Text(delay / 2, "ns")));
    helper.SetElectricalAttribute("DataRate", StringValue(Text(gbps, "Gbps")));
    helper.SetElectricalQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetElectricalFiberAttribute("Delay", StringValue(Text(delay / 2, "ns")));
    return helper;
}

Ptr<PacketNetwork>
FabricSystem::BuildElectrical(const std::string& name, const std::string& queueDisc) const
{
    PacketNetworkHelper helper;
    helper.SetSwitchAttribute("QueueDisc", StringValue(queueDisc));
    helper.SetUplinkAttribute("DataRate", StringValue(Text(gbps, "Gbps")));
    helper.SetServerAttribute("DataRate", StringValue(Text(gbps, "Gbps")));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetUplinkFiberAttribute("Delay", StringValue(Text(delay, "ns")));
    const auto build = [&]
    {
        if (name == "ideal")
        {
            return helper.BuildIdeal(racks, servers);
        }
        if (name == "clos")
        {
            return helper.BuildLeafSpine(racks, servers, GetClos(), GetClos());
        }
        uint32_t k = 2 * servers;
        while (k * k / 2 < racks)
        {
            k += 2;
        }
        return helper.BuildFatTree(k, racks, servers);
    };
    Ptr<PacketNetwork> network = build();
    helper.InstallServers(network);
    return network;
}

uint32_t
FabricSystem::GetClos() const
{
    return std::max(1U, servers / 3);
}

FaultSummary::FaultSummary(Ptr<const FaultInjector> injector)
{
    for (std::size_t part = 0; injector && part < FAULT_PARTS; ++part)
    {
        faults += injector->GetNFaults(static_cast<FaultPart>(part));
        availability =
            std::min(availability, injector->GetAvailability(static_cast<FaultPart>(part)));
    }
}

namespace
{

/// Most changes of circuits that a report has of each design.
constexpr std::size_t MOST_CHANGES = 3000;

/// @param time a time  @return milliseconds
double
ToMs(Time time)
{
    return time.GetSeconds() * 1e3;
}

/// Add a change of a circuit. @param chart circuits  @param design name  @param time when, us
/// @param rack rack  @param uplink its uplink  @param to rack it reaches from then on, or NO_RACK
void
AddChange(ReportChart& chart,
          const std::string& design,
          double time,
          RackId rack,
          uint32_t uplink,
          RackId to)
{
    chart.rows.push_back({design,
                          time,
                          double(rack),
                          double(uplink),
                          to == NO_RACK ? ReportChart::Cell("") : ReportChart::Cell(double(to))});
}

} // namespace

/// What a fabric does while it runs.
struct FabricReport::Recording
{
    /// A rack.
    struct Rack
    {
        Recording* all;   //!< the recording
        RackId rack;      //!< number
        uint64_t held{0}; //!< bytes held by its switch
        Time since;       //!< when that changed last
    };

    std::string design;      //!< name
    uint32_t uplinks;        //!< of a rack
    ReportChart* circuits;   //!< gets its changes
    std::size_t changes{0};  //!< number of them
    std::vector<Rack> racks; //!< state
    UseOverTime held;        //!< bytes held, by rack
    UseOverTime use;         //!< share of uplinks that transmit, by rack

    /// The circuit of an uplink has changed. @param rack its rack  @param port the uplink
    /// @param to rack that it reaches
    static void NoteCircuit(Rack* rack, uint32_t port, RackId to, Time)
    {
        if (++rack->all->changes <= MOST_CHANGES)
        {
            AddChange(*rack->all->circuits,
                      rack->all->design,
                      Simulator::Now().GetSeconds() * 1e6,
                      rack->rack,
                      port,
                      to);
        }
    }

    /// The bytes held have changed. @param rack the rack  @param now bytes
    static void NoteHeld(Rack* rack, uint64_t, uint64_t now)
    {
        const Time time = Simulator::Now();
        rack->all->held.Add(ToMs(rack->since), ToMs(time), rack->rack, double(rack->held));
        rack->held = now;
        rack->since = time;
    }

    /// An uplink transmits. @param rack its rack  @param device the uplink  @param packet packet
    static void NoteSent(Rack* rack, Ptr<OcsNetDevice> device, Ptr<const Packet> packet)
    {
        const Time now = Simulator::Now();
        rack->all->use.Add(ToMs(now),
                           ToMs(now + device->GetTxTime(packet->GetSize())),
                           rack->rack,
                           1.0 / rack->all->uplinks);
    }
};

FabricReport::FabricReport()
{
    using Kind = ReportChart::Kind;
    m_completion = &m_report.AddChart({Kind::CDF,
                                       "Completion time of flows",
                                       "completion time, us",
                                       "share of completed flows",
                                       "flows",
                                       "",
                                       {}});
    m_circuits = &m_report.AddChart(
        {Kind::CIRCUITS, "Circuits over time", "us", "circuits", "design", "", {}});
    m_use = &m_report.AddChart({Kind::HEATMAP,
                                "Use of uplinks over time by rack",
                                "time, ms",
                                "share of the time in which optical uplinks transmit",
                                "design",
                                "",
                                {}});
    m_held = &m_report.AddChart({Kind::HEATMAP,
                                 "Bytes held over time by rack",
                                 "time, ms",
                                 "kB held by the ToR switch, mean",
                                 "design",
                                 "",
                                 {}});
}

FabricReport::~FabricReport() = default;

const std::string&
FabricReport::GetClass(std::size_t index)
{
    static const std::vector<std::string> classes{"below 100 kB",
                                                  "100 kB to 1 MB",
                                                  "1 MB and more",
                                                  "all"};
    return classes.at(index);
}

void
FabricReport::AddFlows(const std::string& design, const std::string& path)
{
    if (!m_report.IsWanted())
    {
        return;
    }
    std::vector<std::vector<double>> times(3);
    RunReport::ReadCsv(path,
                       {"bytes", "completion_ns"},
                       [&](const auto& cells)
                       {
                           const auto bytes = ParseFinite(cells[0]);
                           const auto time = ParseFinite(cells[1]);
                           if (bytes && time)
                           {
                               times[*bytes < 1e5 ? 0 : *bytes < 1e6 ? 1 : 2].push_back(*time);
                           }
                       });
    for (std::size_t c = 0; c < times.size(); ++c)
    {
        m_completion->AddDistribution(GetClass(c), design, std::move(times[c]), 1e-3);
    }
}

void
FabricReport::Watch(const std::string& design, const Ptr<OcsFabric>& fabric, uint32_t uplinks)
{
    if (!m_report.IsWanted())
    {
        return;
    }
    m_recording = std::make_unique<Recording>();
    m_recording->design = design;
    m_recording->uplinks = uplinks;
    m_recording->circuits = m_circuits;
    const uint32_t racks = fabric->GetSize().racks;
    for (RackId rack = 0; rack < racks; ++rack)
    {
        m_recording->racks.push_back({m_recording.get(), rack, 0, Time(0)});
    }
    for (RackId rack = 0; rack < racks; ++rack)
    {
        auto* record = &m_recording->racks[rack];
        const Ptr<TorSwitch> tor = fabric->GetTor(rack);
        tor->TraceConnectWithoutContext("Circuit",
                                        MakeBoundCallback(&Recording::NoteCircuit, record));
        tor->TraceConnectWithoutContext("Held", MakeBoundCallback(&Recording::NoteHeld, record));
        for (uint32_t p = 0; p < uplinks; ++p)
        {
            const Ptr<OcsNetDevice> device = fabric->GetUplink(rack, p);
            device->TraceConnectWithoutContext(
                "PhyTxBegin",
                MakeBoundCallback(&Recording::NoteSent, record, device));
        }
    }
}

void
FabricReport::EndWatch()
{
    if (!m_recording)
    {
        return;
    }
    for (auto& rack : m_recording->racks)
    {
        Recording::NoteHeld(&rack, 0, 0);
    }
    const double until = ToMs(Simulator::Now());
    m_recording->use.Put(*m_use, m_recording->design, 1, until);
    m_recording->held.Put(*m_held, m_recording->design, 1e-3, until);
    if (m_recording->changes > MOST_CHANGES)
    {
        m_circuits->note = "The first run; of each design the first " +
                           std::to_string(MOST_CHANGES) + " changes of a circuit at most.";
    }
    m_recording.reset();
}

void
FabricReport::AddSchedule(const std::string& design, const CircuitSchedule& plan, Time end)
{
    std::size_t changes = 0;
    Time at;
    while (m_report.IsWanted() && at < end && changes < MOST_CHANGES)
    {
        Time next = end;
        for (uint32_t plane = 0; plane < plan.GetNPlanes(); ++plane)
        {
            const CircuitSchedule::Place place = plan.Find(plane, at);
            next = std::min(next, place.end);
            for (RackId rack = 0; rack < plan.GetNRacks(); ++rack)
            {
                // After the dark time.
                const RackId to =
                    plan.GetPeer(plane,
                                 rack,
                                 std::min(at + plan.GetReconfigurationTime(), place.end));
                if ((place.start == at || at.IsZero()) && to != NO_RACK)
                {
                    AddChange(*m_circuits, design, at.GetSeconds() * 1e6, rack, plane, to);
                    ++changes;
                }
            }
        }
        at = next;
    }
}

ReportChart&
FabricReport::AddMeans(const std::string& title, const std::string& unit, const std::string& facet)
{
    return m_report.AddChart({ReportChart::Kind::ESTIMATES,
                              title,
                              "",
                              title + (unit.empty() ? "" : ", " + unit),
                              facet,
                              "Mean and 95 % interval over runs.",
                              {}});
}

void
FabricResult::SetFlows(const Ptr<FlowRecorder>& recorder, const FabricFlows& run)
{
    classes = recorder->Summarise();
    if (!run.file.empty())
    {
        recorder->WriteFlows(run.file);
    }
}

void
FabricResult::SetCounts(const OcsFabricCounts& counts, uint64_t sent)
{
    dropped = counts.dropped.Total();
    packets = counts.sent;
    hops = counts.received > 0 ? double(sent) / double(counts.received) : 0;
}

namespace
{

/// Circuits that have changed.
struct Changes
{
    uint64_t count{0}; //!< number
    Time until;        //!< not counted from then on; 0 for no limit
};

/// Count circuits that change. @param changes sum  @param ports of one optical switch
void
CountChanges(Changes* changes, const std::vector<OcsPortChange>& ports)
{
    if (changes->until.IsZero() || Simulator::Now() < changes->until)
    {
        changes->count += ports.size();
    }
}

/// Bytes held by a ToR switch.
struct Held
{
    uint64_t most{0}; //!< largest
    double sum{0};    //!< bytes x time, ps
    Time since;       //!< when it changed last
};

/// Note what a ToR switch holds. @param held so far  @param before bytes until now  @param now
/// bytes
void
NoteHeld(Held* held, uint64_t before, uint64_t now)
{
    held->most = std::max(held->most, now);
    held->sum += double(before) * double((Simulator::Now() - held->since).GetTimeStep());
    held->since = Simulator::Now();
}

/// Time of uplinks with a circuit, and in use.
struct Duty
{
    Time up;                 //!< with a circuit, all uplinks together
    Time used;               //!< transmitting
    std::vector<Time> since; //!< when the circuit of each came up; negative without one
};

/// An uplink transmits. @param duty of all  @param device the uplink  @param packet the packet
void
NoteSent(Duty* duty, Ptr<OcsNetDevice> device, Ptr<const Packet> packet)
{
    duty->used += device->GetTxTime(packet->GetSize());
}

/// The circuit of an uplink has changed. @param duty of all  @param first uplink of the rack
/// @param port the uplink  @param rack that it reaches
void
NoteCircuit(Duty* duty, uint32_t first, uint32_t port, RackId rack, Time)
{
    Time& since = duty->since[first + port];
    if (rack == NO_RACK)
    {
        duty->up += Simulator::Now() - since;
        since = TimeStep(-1);
    }
    else if (since.IsStrictlyNegative())
    {
        since = Simulator::Now();
    }
}

/// Stop at a signal, also within a long run.
void
CheckSignals()
{
    Interruption::Check();
    Simulator::Schedule(MicroSeconds(10), &CheckSignals);
}

/// All flows have completed. @param least the run does not end before
void
Completed(Time least)
{
    Simulator::Stop(std::max(Time(0), least - Simulator::Now()));
}

} // namespace

FabricRuns::FabricRuns(const FabricSystem& system,
                       FabricReport& report,
                       const CircuitAnimation& animation,
                       bool tcp)
    : m_system(system),
      m_report(report),
      m_animation(animation),
      m_tcp(tcp)
{
}

FlowHelper
FabricRuns::MakeFlows(const FabricFlows& run) const
{
    FlowHelper helper;
    helper.SetAttribute("Transport", StringValue(m_tcp ? "Tcp" : "Udp"));
    helper.SetAttribute("ShortFlows", UintegerValue(run.shortFlows));
    helper.SetRecorderAttribute("ClassEdges", StringValue(CLASS_EDGES));
    helper.SetRecorderAttribute("GoodputWindow", TimeValue(run.window));
    return helper;
}

FabricResult
FabricRuns::Send(const std::string& name,
                 const Ptr<FaultInjector>& injector,
                 bool electrical,
                 const FlowHelper& flows,
                 const ApplicationContainer& hosts,
                 const std::function<void(TopologyDrawing&)>& draw,
                 const FabricFlows& run) const
{
    if (injector)
    {
        const FaultPlan plan =
            m_system.faults.Start(injector, run.until, m_stream + 50000, electrical);
        if (!run.file.empty())
        {
            std::string file = run.file;
            plan.Write(file.replace(file.rfind("flows.csv"), 5, "faults"));
        }
    }
    CircuitAnimation animation;
    if (!run.file.empty() && !m_animation.GetFile().empty())
    {
        TopologyDrawing drawing;
        draw(drawing);
        animation.SetOptions(m_animation, name);
        animation.Start(drawing);
    }
    const Ptr<FlowRecorder> recorder = flows.GetRecorder();
    recorder->TraceConnectWithoutContext("AllCompleted", MakeBoundCallback(&Completed, run.least));
    Simulator::Stop(run.until);
    CheckSignals();
    Simulator::Run();
    FabricResult result;
    result.SetFlows(recorder, run);
    result.goodput = recorder->GetGoodput();
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const auto host = DynamicCast<FlowApplication>(hosts.Get(i));
        result.timeouts += host->GetNTimeouts();
        result.recoveries += host->GetNRecoveries();
    }
    result.faults = FaultSummary(injector);
    animation.Finish(std::cout);
    return result;
}

FabricResult
FabricRuns::Run(const Optical& fabric, const FabricFlows& run) const
{
    const OcsFabricSize& size = fabric.size;
    OcsHelper helper = fabric.helper;
    const Ptr<OcsFabric> network = helper.Build(size);
    if (!run.file.empty())
    {
        m_report.Watch(fabric.name, network, size.uplinks);
    }
    helper.InstallServers(network);
    network->AssignStreams(m_stream + 1000);
    const Ptr<Object> circuits = fabric.start(network);

    Changes changes{0, run.least};
    for (uint32_t w = 0; w < size.switches; ++w)
    {
        network->GetSwitch(w)->TraceConnectWithoutContext(
            "ReconfigurationStart",
            MakeBoundCallback(&CountChanges, &changes));
    }
    std::vector<Held> held(size.racks);
    Duty duty;
    duty.since.assign(size.racks * size.uplinks, TimeStep(-1));
    for (RackId rack = 0; rack < size.racks; ++rack)
    {
        const Ptr<TorSwitch> tor = network->GetTor(rack);
        tor->TraceConnectWithoutContext("Held", MakeBoundCallback(&NoteHeld, &held[rack]));
        tor->TraceConnectWithoutContext(
            "Circuit",
            MakeBoundCallback(&NoteCircuit, &duty, rack * size.uplinks));
        for (uint32_t p = 0; p < size.uplinks; ++p)
        {
            const Ptr<OcsNetDevice> device = network->GetUplink(rack, p);
            device->TraceConnectWithoutContext("PhyTxBegin",
                                               MakeBoundCallback(&NoteSent, &duty, device));
        }
    }
    FlowHelper flows = MakeFlows(run);
    flows.SetAttribute("Hold", BooleanValue(fabric.hold));
    const Ptr<FaultInjector> injector =
        m_system.faults.IsUsed() ? m_system.faults.Create() : nullptr;
    if (injector)
    {
        injector->SetFabric(network);
    }
    const ApplicationContainer hosts = flows.Install(network, run.flows);
    FabricResult result = Send(
        fabric.name,
        injector,
        false,
        flows,
        hosts,
        [&](TopologyDrawing& drawing) { drawing.AddFabric(*network); },
        run);
    m_report.EndWatch();
    const Time now = Simulator::Now();
    uint64_t sent = 0;
    double sum = 0;
    result.held = 0;
    for (RackId rack = 0; rack < size.racks; ++rack)
    {
        for (uint32_t p = 0; p < size.uplinks; ++p)
        {
            sent += network->GetUplink(rack, p)->GetSent();
            const Time since = duty.since[rack * size.uplinks + p];
            duty.up += since.IsStrictlyNegative() ? Time(0) : now - since;
        }
        const auto bytes = double(network->GetTor(rack)->GetBuffer().GetNBytes());
        result.held = std::max(result.held, double(held[rack].most));
        sum += held[rack].sum + bytes * double((now - held[rack].since).GetTimeStep());
        sent += network->GetTor(rack)->GetSentElectrically();
    }
    for (uint32_t spine = 0; spine < size.electrical; ++spine)
    {
        sent += network->GetSpine(spine)->GetSent();
    }
    result.SetCounts(network->Count(), sent);
    result.meanHeld = sum / double(now.GetTimeStep()) / size.racks;
    result.duty = double(duty.used.GetTimeStep()) / double(duty.up.GetTimeStep());
    result.reconfigurations =
        double(changes.count) / (run.least.IsZero() ? now : run.least).GetSeconds();
    Simulator::Destroy();
    return result;
}

FabricResult
FabricRuns::Run(const std::string& name,
                const Ptr<PacketNetwork>& network,
                const FabricFlows& run) const
{
    network->AssignStreams(m_stream + 1000);
    FlowHelper flows = MakeFlows(run);
    const Ptr<FaultInjector> injector =
        m_system.faults.IsUsed() ? m_system.faults.Create() : nullptr;
    if (injector)
    {
        injector->SetPacketNetwork(network);
    }
    const ApplicationContainer hosts = flows.Install(network->GetServers(), run.flows);
    FabricResult result = Send(
        name,
        injector,
        true,
        flows,
        hosts,
        [&](TopologyDrawing& drawing) { drawing.AddNetwork(*network); },
        run);
    const OcsFabricCounts counts = network->Count();
    uint64_t sent = 0;
    for (uint32_t s = 0; s < network->GetNSwitches(); ++s)
    {
        sent += network->GetSwitch(s)->GetSent();
    }
    result.SetCounts(counts, sent > counts.received ? sent - counts.received : 0);
    Simulator::Destroy();
    return result;
}
