// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "optical-fabrics-comparison.h"

#include "run-files.h"

#include "ns3/double.h"
#include "ns3/odcn-attribute-defaults.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-path.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-udp-flow-transport.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sys/resource.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param ms milliseconds
/// @return the time
Time
ToTime(double ms)
{
    return MicroSeconds(std::llround(ms * 1e3));
}

/// @return memory that this process may have: that of the machine, or its limit; bytes
double
GetMemory()
{
    rlimit limit{};
    const double machine = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
               ? std::min(machine, double(limit.rlim_cur))
               : machine;
}

} // namespace

void
FabricComparison::Choose()
{
    const ComparisonOptions& o = m_options;
    // TCP, and receivers that pace, cannot let flows wait in their hosts.
    m_designs =
        FabricDesign::Choose(o.designs, o.own, o, o.transport == "udp" || o.transport == "nack");
    SetReplication(0);
    LeaveOut();
    CheckEngine();
    CheckFile("animation", o.animation.GetFile(), m_designs.size(), "the name of the design");
    for (const FabricDesign& design : m_designs)
    {
        m_hasOptical = m_hasOptical || !design.IsElectrical();
        m_rows.push_back({{design.GetName()}, design.GetName(), design.GetDescription()});
    }
    if (o.saturation)
    {
        CheckMemory();
    }
}

void
FabricComparison::LeaveOut()
{
    const bool isListed = m_options.designs == "all" || m_options.designs == USUAL_DESIGNS;
    std::vector<FabricDesign> fitting;
    std::string refusal;
    for (const FabricDesign& design : m_designs)
    {
        try
        {
            design.Check(m_demand, m_stream + 900);
            design.RefusePhases();
            fitting.push_back(design);
        }
        catch (const OdcnError& error)
        {
            const bool isOwn =
                ("," + m_options.own).find("," + design.GetName() + "=") != std::string::npos ||
                design.GetName() == "own";
            if (!isListed || isOwn)
            {
                throw;
            }
            refusal = error.what();
            m_leftOut += design.GetName() + " is left out: " + refusal + "\n";
        }
    }
    if (fitting.empty())
    {
        throw OdcnError(refusal);
    }
    m_designs = std::move(fitting);
}

void
FabricComparison::CheckMemory() const
{
    // Measured: packets that wait in ToR switches, their flow included.
    constexpr double EVENT_BYTES = 400;
    constexpr double EXACT_BYTES = 80;
    constexpr double GB = 1e9;
    const ComparisonOptions& o = m_options;
    double sent = 0; // servers' line rates
    for (RackId rack = 0; rack < o.racks; ++rack)
    {
        sent += m_demand.GetSent(rack) * o.servers;
    }
    for (const FabricDesign& design : m_designs)
    {
        const bool exact = GetEngine(design) == FabricEngine::EXACT;
        const double held = design.IsElectrical() ? 1 - FindBound(design) : 1;
        const double packets =
            sent * held * o.gbps * 1e9 * 2 * GetSteadyHalf(design).GetSeconds() / (1500 * 8);
        const double bytes = packets * (exact ? EXACT_BYTES : EVENT_BYTES);
        if (bytes > GetMemory())
        {
            throw OdcnError::InOption("--steady",
                                      FormatNumber(o.steady),
                                      "less, or fewer racks: at a load of 1 " + design.GetName() +
                                          " may hold packets of " + FormatFixed(bytes / GB, 1) +
                                          " GB, and there are " + FormatFixed(GetMemory() / GB, 1) +
                                          " GB");
        }
        if (bytes > GB)
        {
            std::cerr << "note: " << design.GetName() << " takes up to "
                      << FormatFixed(bytes / GB, 1) << " GB of memory\n";
        }
    }
}

void
FabricComparison::CheckEngine()
{
    const ComparisonOptions& o = m_options;
    if (o.engine == "any")
    {
        return;
    }
    OdcnCommandLine::Check(o.engine != "flows" || !o.IsRepaired(),
                           "engine",
                           o.engine,
                           "packets or exact with --transport=" + o.transport);
    std::size_t inEvents = 0;
    std::vector<std::pair<std::string, std::string>> reasons; // and the designs that they are of
    for (const FabricDesign& design : m_designs)
    {
        const std::string reason = design.WhyNot(FindEngine(o.engine));
        if (reason.empty())
        {
            continue;
        }
        ++inEvents;
        auto known = std::find_if(reasons.begin(),
                                  reasons.end(),
                                  [&](const auto& entry) { return entry.first == reason; });
        if (known == reasons.end())
        {
            known = reasons.insert(reasons.end(), {reason, ""});
        }
        known->second += (known->second.empty() ? "" : ", ") + design.GetName();
    }
    for (const auto& [reason, names] : reasons)
    {
        m_inEvents += (m_inEvents.empty() ? "" : "; ") + names + " (" + reason + ")";
    }
    OdcnCommandLine::Check(inEvents < m_designs.size(),
                           "engine",
                           o.engine,
                           "packets, since this engine knows none of " + m_inEvents);
}

void
FabricComparison::SetReplication(uint32_t replication)
{
    const ComparisonOptions& o = m_options;
    m_stream = 100000 * int64_t(replication);
    if (!o.flows.empty())
    {
        m_flows = ReadFlowFile(o.flows, o.racks * o.servers);
        m_demand = DemandMatrix::FromFlows(m_flows, o.racks, o.servers);
        return;
    }
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(m_stream);
    m_demand = DemandMatrix::Make(o.demand, o.racks, random);
    Ptr<FlowWorkload> workload = CreateObject<FlowWorkload>();
    workload->SetAttribute("Load", DoubleValue(o.load));
    workload->SetAttribute("HostRate", StringValue(FormatNumber(o.gbps) + "Gbps"));
    workload->SetAttribute("Sizes", StringValue(o.GetSizes()));
    workload->SetAttribute("Duration", TimeValue(ToTime(o.duration)));
    workload->AssignStreams(m_stream + 1);
    m_flows = workload->Generate(m_demand, o.servers);
}

StudyResult
FabricComparison::Measure(std::size_t row, const std::string& file)
{
    const FabricDesign& design = m_designs[row];
    const Time window = MilliSeconds(1);
    Time last;
    double offered = 0;
    for (const Traffic::Item& flow : m_flows)
    {
        last = std::max(last, flow.start);
        offered += double(flow.bytes);
    }
    const Time end = last + ToTime(m_options.drain);
    StudyResult result =
        RunDesign(design, {m_flows, m_options.shortFlows, end, window, file, Time(0), last});
    if (last.IsZero())
    {
        // All flows start at once: there is no such time.
        result.duty = std::nan("");
        result.meanHeld = std::nan("");
        result.reconfigurations = std::nan("");
    }
    result.bound = FindBound(design);
    for (const double rate : result.goodput)
    {
        result.delivered += rate / 8 * window.GetSeconds() / offered;
    }
    const bool carries = m_demand.GetMaxLoad() > 0;
    result.carried = !m_options.saturation || m_ignoresFaults ? 0
                     : carries                                ? FindCarried(design)
                                                              : std::nan("");
    return result;
}

double
FabricComparison::FindBound(const FabricDesign& design) const
{
    const ComparisonOptions& o = m_options;
    if (m_demand.GetMaxLoad() == 0)
    {
        return 1; // all flows are within racks
    }
    FabricBoundScope scope;
    scope.unit = o.servers;
    scope.withExpedited = false;
    scope.shortShare = GetShortShare();
    return std::min(
        1.0,
        design.GetBound(m_demand, scope, design.IsScheduled() ? MakeSchedule(design) : nullptr));
}

double
FabricComparison::GetShortShare() const
{
    double all = 0;
    double part = 0;
    for (const Traffic::Item& flow : m_flows)
    {
        all += double(flow.bytes);
        part += flow.bytes < m_options.shortFlows ? double(flow.bytes) : 0;
    }
    return all > 0 ? part / all : 0;
}

Time
FabricComparison::GetSteadyHalf(const FabricDesign& design) const
{
    const Time half = ToTime(m_options.steady / 2);
    if (!design.IsScheduled())
    {
        return half;
    }
    // Whole periods, since what is received depends on the place in the period.
    const Time period = MakeSchedule(design)->GetPeriod();
    const int64_t periods = (half.GetTimeStep() + period.GetTimeStep() / 2) / period.GetTimeStep();
    return period * std::max<int64_t>(1, periods);
}

double
FabricComparison::FindCarried(const FabricDesign& design)
{
    const Time half = GetSteadyHalf(design);
    const double part = design.IsHybrid() ? GetShortShare() : 0;
    double low = 0;
    double high = 1 + 1.0 / 64;
    double carried = 0;
    for (double load = 1; high - low > 1.0 / 64; load = (low + high) / 2)
    {
        const auto flows = MakeSteadyFlows(load, half * 2, part);
        double sent = 0;
        for (const Traffic::Item& flow : flows)
        {
            sent += flow.start >= half ? double(flow.bytes) : 0;
        }
        const StudyResult result = RunDesign(design,
                                             {.flows = flows,
                                              .shortFlows = part > 0 ? STEADY_BYTES : 0,
                                              .until = half * 2,
                                              .window = half,
                                              .isCounted = false});
        const double received =
            result.goodput.size() > 1 ? result.goodput[1] * half.GetSeconds() / 8 : 0;
        if (received >= 0.99 * sent)
        {
            low = load;
            carried = load * std::min(1.0, received / sent);
        }
        else
        {
            high = load;
        }
    }
    return carried;
}

Traffic
FabricComparison::MakeSteadyFlows(double load, Time until, double part) const
{
    const ComparisonOptions& o = m_options;
    const double isShort = 3 * part / (2 + part); // share of the flows
    const double packets = 3 - isShort;
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(m_stream + 2);
    Traffic flows;
    for (ServerId from = 0; from < o.racks * o.servers; ++from)
    {
        Interruption::Check();
        for (ServerId to = 0; to < o.racks * o.servers; ++to)
        {
            const RackId rack = from / o.servers;
            const double share =
                rack == to / o.servers ? 0 : m_demand.Get(rack, to / o.servers) / o.servers;
            const double phase = random->GetValue();
            if (share <= 0)
            {
                continue;
            }
            const double interval = packets * 1500 * 8 / (load * share * o.gbps * 1e9);
            for (double k = phase; k * interval < until.GetSeconds(); ++k)
            {
                const bool two = isShort > 0 && random->GetValue() < isShort;
                flows.Add({from,
                           to,
                           two ? STEADY_BYTES / 3 * 2 : STEADY_BYTES,
                           PicoSeconds(std::llround(k * interval * 1e12))});
            }
        }
    }
    return flows;
}

StudyResult
FabricComparison::RunDesign(const FabricDesign& design, const StudyFlows& run)
{
    const FabricEngine engine = GetEngine(design);
    if (engine == FabricEngine::EXACT)
    {
        return RunExact(design, run);
    }
    if (engine == FabricEngine::FLOWS)
    {
        return RunFluid(design, run);
    }
    const Ptr<FabricNetwork> network = MakeHelper().BuildNetwork(design);
    network->SetCircuits(m_demand, m_stream + 900);
    return Simulate(design.GetName(), network, run);
}

StudyResult
FabricComparison::RunExact(const FabricDesign& design, const StudyFlows& run)
{
    const ComparisonOptions& o = m_options;
    SchedulePackets::Settings settings = design.MakeSettings(run.shortFlows);
    const Ptr<CircuitSchedule> plan = design.IsScheduled() ? MakeSchedule(design) : nullptr;
    // As FlowStudy::Simulate() sets up the hosts.
    settings.transport = "Udp";
    settings.repair = o.IsRepaired() ? FlowApplication::NACK : FlowApplication::NONE;
    settings.reorderTime = Time(FormatNumber(o.reorder) + "ms");
    settings.repairTimeout = GetDefaultOf<TimeValue>(FlowApplication::GetTypeId(), "RepairTimeout");
    settings.window = o.GetWindow();
    settings.goodputWindow = run.window;
    settings.averageUntil = run.measured;
    const auto engine = MakeHelper().MakeExact(design, plan, settings, m_stream + 900);
    engine->AssignStreams(m_stream + 1000);
    if (HasFaults())
    {
        const FaultParts parts = engine->GetParts();
        const auto sizes = [&parts](FaultPart part)
        { return parts.contains(part) ? parts.at(part) : FaultSizes(); };
        engine->SetFaults(MakeFaults(design.GetName(), design.IsElectrical(), sizes, run),
                          GetAttributeOf<TimeValue>(*o.faults.Create(), "DetectionTime"));
    }
    const ExactPackets::Result exact = engine->Run(run.flows, run.until);
    const Ptr<FlowRecorder> recorder = MakeRecorder();
    recorder->SetFlows(run.flows);
    recorder->SetResult(exact,
                        DataRate(FormatNumber(o.gbps) + "Gbps"),
                        settings.packetSize,
                        ExactPackets::GetHeaders(settings),
                        exact.stages);
    recorder->SetUnloadedTimes(engine->GetUnloadedTimes(run.flows));
    StudyResult result;
    TakeFlows(design.GetName(), *recorder, run, result);
    NoteIncomplete(design.GetName(), *recorder, run, exact.counts);
    result.SetCounts(exact.counts, exact.hops);
    result.engine = FabricEngine::EXACT;
    result.goodput = exact.goodput;
    result.again = exact.messages.again;
    result.duplicates = exact.messages.duplicates;
    result.faults = exact.faults;
    result.availability = exact.availability;
    if (design.IsElectrical())
    {
        return result;
    }
    const Time counted = run.measured.IsZero() ? exact.end : std::min(exact.end, run.measured);
    result.reconfigurations = double(exact.reconfigured) / counted.GetSeconds();
    result.held = double(*std::max_element(exact.mostHeld.begin(), exact.mostHeld.end()));
    result.meanHeld = exact.meanHeld;
    result.duty = exact.circuitUse;
    if (plan && !run.file.empty() && o.report.IsWanted())
    {
        FabricMeter::AddCircuits(*m_charts.circuits,
                                 design.GetName(),
                                 *plan,
                                 NanoSeconds(1) * (o.delay / 2),
                                 exact.end);
    }
    return result;
}

StudyResult
FabricComparison::RunFluid(const FabricDesign& design, const StudyFlows& run)
{
    const FabricDesignHelper helper = MakeHelper();
    const Ptr<FabricNetwork> network = helper.BuildNetwork(design, 0, FabricEngine::FLOWS);
    network->AssignStreams(m_stream + 1000);
    network->SetCircuits(m_demand, m_stream + 900);
    const Ptr<MessagePlane> level = helper.MakePlane(network, FabricEngine::FLOWS);
    level->SetAttribute("HeaderSize", UintegerValue(UdpFlowTransport::HEADERS));
    const Ptr<PlaneRun> sent = level->Send(run.flows, [] { Simulator::Stop(); });
    Simulator::Stop(run.until);
    CheckSignals();
    Simulator::Run();
    const auto size = static_cast<uint32_t>(
        GetDefaultOf<UintegerValue>(FlowApplication::GetTypeId(), "PacketSize"));
    const Ptr<FlowRecorder> recorder = MakeRecorder();
    recorder->SetFlows(run.flows);
    const TrafficResult seen = sent->GetResult();
    recorder->SetResult(seen,
                        DataRate(FormatNumber(m_options.gbps) + "Gbps"),
                        size,
                        UdpFlowTransport::HEADERS);
    const Ptr<OcsFabric> fabric = network->GetFabric();
    recorder->SetUnloadedTimes((fabric ? FlowPaths(*fabric) : FlowPaths(network->GetServers()))
                                   .GetUnloadedTimes(run.flows, size, UdpFlowTransport::HEADERS));
    double received = 0; // bytes of flows that are complete
    for (std::size_t i = 0; i < run.flows.size(); ++i)
    {
        const bool isComplete = !seen.received[i].IsStrictlyNegative();
        received += isComplete ? double(run.flows[i].bytes) : 0;
    }
    StudyResult result;
    result.engine = FabricEngine::FLOWS;
    result.hops = std::nan(""); // there are no packets
    result.goodput = {8 * received / run.window.GetSeconds()};
    TakeFlows(design.GetName(), *recorder, run, result);
    NoteIncomplete(design.GetName(), *recorder, run, {});
    Simulator::Destroy();
    return result;
}

FabricEngine
FabricComparison::GetEngine(const FabricDesign& design) const
{
    const ComparisonOptions& o = m_options;
    const bool isAny = o.engine == "any";
    // The exact engine does not say when a controller's circuits changed, for their chart.
    const bool drawsControl = design.IsController() && o.report.IsWanted();
    if (isAny && (o.IsTcp() || !o.animation.GetFile().empty() || drawsControl))
    {
        return FabricEngine::PACKETS;
    }
    const FabricEngine wanted = isAny ? FabricEngine::EXACT : FindEngine(o.engine);
    return design.WhyNot(wanted).empty() ? wanted : FabricEngine::PACKETS;
}

FabricDesignHelper
FabricComparison::MakeHelper() const
{
    FabricDesignHelper helper;
    helper.SetQueueDisc(m_options.GetQueueDisc());
    helper.SetFairQueues(m_options.queues == "fair");
    return helper;
}

Ptr<CircuitSchedule>
FabricComparison::MakeSchedule(const FabricDesign& design) const
{
    return design.MakeSchedule(m_demand, m_stream + 900);
}
