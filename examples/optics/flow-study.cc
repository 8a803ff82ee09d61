// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "flow-study.h"

#include "run-files.h"

#include "ns3/boolean.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-live-page.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-report-chart.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-topology-drawing.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <set>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// All flows have completed; the run ends, but not before @p least.
void
Completed(Time least)
{
    if (least > Simulator::Now())
    {
        Simulator::Stop(least - Simulator::Now());
    }
    else
    {
        Simulator::Stop(); // not after further events of this time, as in the exact engine
    }
}

} // namespace

void
CheckSignals()
{
    Interruption::Check();
    Simulator::Schedule(MicroSeconds(10), &CheckSignals);
}

void
StudyOptions::AddNetworkOptions(OdcnCommandLine& cmd)
{
    AddOptions(cmd);
    faults.AddOptions(cmd);
}

void
StudyOptions::CheckNetwork()
{
    faults.Check();
    Check("--");
    OdcnCommandLine::Check(stopping.most >= stopping.least,
                           "most",
                           stopping.most,
                           "no less than --least");
}

void
StudyOptions::AddFlowOptions(OdcnCommandLine& cmd)
{
    cmd.AddValue("sizes",
                 "websearch, datamining, hadoop, google-rpc, bytes, or a path of a CDF",
                 sizes);
    cmd.AddRange("duration", "Time in which flows start, ms", duration, 0.1, 10000.0);
    cmd.AddRange("drain", "Most time for the flows to complete after that, ms", drain, 0.0, 1e5);
    cmd.AddValue("short", "Flows of fewer bytes do not wait in Opera", shortFlows);
}

void
StudyOptions::AddStudyOptions(OdcnCommandLine& cmd, const std::string& help)
{
    cmd.SetGroup("Comparison");
    cmd.AddValue("designs", help, designs);
    cmd.AddRange("replications",
                 "Runs of each design; 0 for as many as --precision needs",
                 replications,
                 0U,
                 1000U);
    cmd.AddRange("precision",
                 "Relative error of percentiles, with 95 %",
                 stopping.precision,
                 0.001,
                 0.5);
    cmd.AddRange("least", "Least runs of a design for that", stopping.least, 5U, 1000U);
    cmd.AddRange("most", "Most runs of a design for that", stopping.most, 5U, 1000U);
    cmd.AddRange("time", "Seconds by the clock after which no such run starts", time, 0.0, 1e6);
    cmd.Restrict({"precision", "least", "most", "time"}, {"replications=0"});
    cmd.AddValue("output", "Folder of the results", output);
    report.AddOptions(cmd);
}

std::string
StudyOptions::GetSizes() const
{
    const bool isNumber = sizes.find_first_not_of("0123456789") == std::string::npos;
    if (isNumber || sizes.find_first_of("/.") != std::string::npos)
    {
        return sizes;
    }
    const std::string file = GetDataFile("flow-cdf/" + sizes + ".csv");
    const std::vector<std::string> names{"websearch", "datamining", "hadoop", "google-rpc"};
    const bool isKnown = std::find(names.begin(), names.end(), sizes) != names.end();
    OdcnCommandLine::Check(isKnown || std::filesystem::exists(file),
                           "sizes",
                           sizes,
                           JoinWords(names) +
                               ", a number of bytes, or a path of a CDF with / or ." +
                               AskWhether(FindSimilar(sizes, names)));
    return file;
}

void
StudyResult::SetCounts(const PacketCounts& counts, uint64_t sent)
{
    dropped = counts.dropped.Total();
    packets = counts.sent;
    hops = counts.received > 0 ? double(sent) / double(counts.received) : 0;
}

FlowStudy::FlowStudy(StudyOptions& options)
    : m_options(options)
{
    using Kind = ReportChart::Kind;
    const auto add = [&](Kind kind, const char* title, const char* x, const char* y)
    {
        const std::string facet = kind == Kind::CDF ? "flows" : "design";
        return &options.report.AddChart({kind, title, x, y, facet, "", {}});
    };
    m_completion =
        add(Kind::CDF, "Completion time of flows", "completion time, us", "share of flows");
    m_slowdown = add(Kind::CURVES,
                     "Slowdown by size of flows",
                     "flows that are not larger, %",
                     "completion time over that of the sender's line rate alone");
    m_slowdown->facet = "percentile";
    m_charts.circuits = add(Kind::CIRCUITS, "Circuits over time", "us", "circuits");
    m_charts.use = add(Kind::HEATMAP,
                       "Use of uplinks over time by rack",
                       "time, ms",
                       "share of the time in which optical uplinks transmit");
    m_charts.held = add(Kind::HEATMAP,
                        "Bytes held over time by rack",
                        "time, ms",
                        "kB held by the ToR switch, mean");
}

FlowStudy::~FlowStudy() = default;

void
FlowStudy::Run(uint32_t runs, const StudyLayout& layout)
{
    m_files.emplace(m_options.output);
    m_isSequential = runs == 0;
    std::size_t rounds = 0; // that are whole
    try
    {
        const auto begin = std::chrono::steady_clock::now();
        uint64_t done = 0;
        Progress progress("fabrics", m_rows.size() * runs, "runs");
        std::set<std::string> names;
        const uint32_t most = m_isSequential ? m_options.stopping.most : runs;
        for (uint32_t run = 0; run < most && !m_isTimeUp; ++run)
        {
            if (run > 0) // the first is set
            {
                SetReplication(run);
            }
            bool isOver = true;
            for (std::size_t r = 0; r < m_rows.size(); ++r)
            {
                const std::chrono::duration<double> spent =
                    std::chrono::steady_clock::now() - begin;
                m_isTimeUp = m_isSequential && run > 0 && spent.count() > m_options.time;
                if (m_isTimeUp)
                {
                    break;
                }
                if (m_rows[r].isPrecise)
                {
                    continue;
                }
                std::string name = Join(m_rows[r].labels, "-");
                std::replace(name.begin(), name.end(), '/', '_'); // of a policy's file
                name = (run == 0 ? MakeUnique(name, names) : name) + "-flows.csv";
                m_rows[r].results.push_back(Measure(r, run == 0 ? m_files->Path(name) : ""));
                if (run == 0)
                {
                    CompareWithoutFaults(r);
                    m_files->Record(name);
                    m_files->Record(name.replace(name.rfind("flows.csv"), 5, "faults"));
                }
                progress.Update(++done);
                LivePage::Offer([&]() { return m_options.report.MakeRecord(); });
                m_rows[r].isPrecise = m_isSequential && IsPrecise(m_rows[r], layout);
                isOver = isOver && m_rows[r].isPrecise;
            }
            if (isOver)
            {
                break;
            }
            rounds = run + 1;
        }
        progress.Finish(done);
    }
    catch (const Interruption& stop)
    {
        // Whole runs or, in the first run, whole designs.
        const std::size_t whole = std::max<std::size_t>(1, rounds);
        while (!m_rows.empty() && m_rows.back().results.empty())
        {
            m_rows.pop_back();
        }
        if (m_rows.empty())
        {
            throw Interruption(stop.GetSignal(), "no design had finished, no file was written");
        }
        for (StudyRow& row : m_rows)
        {
            row.results.resize(std::min(whole, row.results.size()));
        }
        const std::string folder = OutputFiles::GetInterrupted(m_options.output);
        OutputFiles files(folder);
        WriteSummary(files.Path("summary.csv"), layout);
        files.Record("summary.csv");
        files.WriteProvenance();
        throw Interruption(stop.GetSignal(), "the designs that had finished are in " + folder);
    }
}

StudyResult
FlowStudy::Simulate(const std::string& title,
                    const Ptr<FabricNetwork>& network,
                    const StudyFlows& run,
                    const std::function<Ptr<Object>()>& start)
{
    const bool first = !run.file.empty();
    const Ptr<OcsFabric> fabric = network->GetFabric();
    std::optional<FabricMeter> meter;
    network->AssignStreams(m_stream + 1000);
    if (fabric)
    {
        meter.emplace(fabric);
        meter->SetLimit(run.measured);
        if (first && m_options.report.IsWanted())
        {
            meter->SetCharts(m_charts, title);
        }
    }
    network->StartCircuits();
    const Ptr<Object> circuits = start ? start() : nullptr;
    FlowHelper flows;
    flows.SetAttribute("Transport", StringValue(m_options.IsTcp() ? "Tcp" : "Udp"));
    flows.SetAttribute("Repair", StringValue(m_options.IsRepaired() ? "Nack" : "None"));
    flows.SetAttribute("ReorderTime", StringValue(FormatNumber(m_options.reorder) + "ms"));
    flows.SetAttribute("Window", UintegerValue(m_options.GetWindow()));
    flows.SetAttribute("ShortFlows", UintegerValue(run.shortFlows));
    flows.SetAttribute("Hold", BooleanValue(network->GetDesign().Holds()));
    flows.SetRecorderAttribute("ClassEdges", StringValue(CLASS_EDGES));
    flows.SetRecorderAttribute("GoodputWindow", TimeValue(run.window));
    const ApplicationContainer hosts = flows.Install(network, run.flows);
    const Ptr<FaultInjector> injector = StartFaults(title, network, run);
    CircuitAnimation animation;
    if (first && !m_options.animation.GetFile().empty())
    {
        TopologyDrawing drawing;
        fabric ? drawing.AddFabric(*fabric) : drawing.AddNetwork(*network->GetPacketNetwork());
        animation.SetOptions(m_options.animation, title);
        animation.Start(drawing);
    }
    const Ptr<FlowRecorder> recorder = flows.GetRecorder();
    recorder->TraceConnectWithoutContext("AllCompleted", MakeBoundCallback(&Completed, run.least));
    Simulator::Stop(run.until);
    CheckSignals();
    Simulator::Run();
    StudyResult result;
    TakeFlows(title, *recorder, run, result);
    result.goodput = recorder->GetGoodput();
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const auto host = DynamicCast<FlowApplication>(hosts.Get(i));
        result.timeouts += host->GetNTimeouts();
        result.recoveries += host->GetNRecoveries();
        const auto counts = host->GetMessageCounts();
        result.again += counts.again;
        result.duplicates += counts.duplicates;
    }
    for (std::size_t part = 0; injector && part < FAULT_PARTS; ++part)
    {
        const auto kind = static_cast<FaultPart>(part);
        result.faults += injector->GetNFaults(kind);
        result.availability = std::min(result.availability, injector->GetAvailability(kind));
    }
    animation.Finish(std::cout);
    if (meter)
    {
        meter->Finish();
        result.held = double(meter->GetMostHeld());
        result.meanHeld = meter->GetMeanHeld();
        result.duty = meter->GetDuty();
        result.reconfigurations = meter->GetReconfigurations();
    }
    const PacketCounts counts = network->Count();
    NoteIncomplete(title, *recorder, run, counts);
    result.SetCounts(counts, fabric ? meter->GetSent() : network->GetPacketNetwork()->GetSent());
    Simulator::Destroy();
    return result;
}

Ptr<FaultInjector>
FlowStudy::StartFaults(const std::string& title,
                       const Ptr<FabricNetwork>& network,
                       const StudyFlows& run)
{
    if (!HasFaults())
    {
        return nullptr;
    }
    const Ptr<FaultInjector> injector = m_options.faults.Create();
    network->SetParts(*injector);
    const auto sizes = [&](FaultPart part) { return injector->GetSizes(part); };
    injector->Start(MakeFaults(title, network->GetDesign().IsElectrical(), sizes, run));
    return injector;
}

FaultPlan
FlowStudy::MakeFaults(const std::string& title,
                      bool isElectrical,
                      const std::function<FaultSizes(FaultPart)>& sizes,
                      const StudyFlows& run)
{
    const FaultHelper& faults = m_options.faults;
    // An electrical design has fewer kinds of parts; faults of what no design has are refused.
    const bool skips = isElectrical && m_hasOptical;
    FaultPlan plan = faults.Sample(sizes, run.until, m_stream + 50000, skips);
    plan.Check(sizes);
    const auto lacking = faults.FindLacking(sizes);
    if (!lacking.empty())
    {
        m_lacking[title] = JoinWords(lacking);
    }
    if (!run.file.empty())
    {
        std::string file = run.file;
        plan.Write(file.replace(file.rfind("flows.csv"), 5, "faults"));
        MarkFaults(title, plan);
    }
    return plan;
}

void
FlowStudy::MarkFaults(const std::string& title, const FaultPlan& plan)
{
    constexpr std::size_t MOST_BANDS = 500;
    std::size_t marked = 0;
    for (const Fault& fault : plan.Get())
    {
        if (marked++ == MOST_BANDS)
        {
            m_charts.use->note = m_charts.held->note =
                "Bands: the first 500 faults of each design.";
            return;
        }
        // Without an end, until that of the chart.
        const double end = fault.end == Time::Max() ? std::nan("") : fault.end.GetSeconds() * 1e3;
        const bool isOfRack = fault.part == FaultPart::UPLINK || fault.part == FaultPart::FIBER ||
                              fault.part == FaultPart::TOR || fault.part == FaultPart::SERVER;
        const ReportChart::Cell place =
            isOfRack ? ReportChart::Cell(double(fault.first)) : ReportChart::Cell("");
        for (ReportChart* chart : {m_charts.use, m_charts.held})
        {
            chart->bands.push_back({title,
                                    fault.start.GetSeconds() * 1e3,
                                    end,
                                    std::string(FaultPartName(fault.part)) + " " + fault.GetIndex(),
                                    place});
            chart->note = "Bands: faults.";
        }
    }
}

void
FlowStudy::CompareWithoutFaults(std::size_t index)
{
    if (!m_options.faults.IsUsed())
    {
        return;
    }
    const std::vector<Time> with = std::exchange(m_times, {});
    m_ignoresFaults = true;
    Measure(index, "");
    m_ignoresFaults = false;
    const std::vector<Time> without = std::exchange(m_times, {});
    if (with.size() != without.size())
    {
        return; // faults decide which flows there are
    }
    constexpr double LEAST = 0.01; // share by which a completion time changes
    FaultHits hits{m_rows[index].title, with.size(), 0, 0, {}};
    for (std::size_t i = 0; i < with.size(); ++i)
    {
        const bool isOpen = with[i].IsStrictlyNegative();
        if (without[i].IsStrictlyNegative() || isOpen)
        {
            hits.open += isOpen && !without[i].IsStrictlyNegative() ? 1 : 0;
            continue;
        }
        const double more = (with[i] - without[i]).GetSeconds();
        const double share = more / without[i].GetSeconds();
        hits.sooner += share < -LEAST ? 1 : 0;
        if (share > LEAST)
        {
            hits.later.push_back(more);
        }
    }
    std::sort(hits.later.begin(), hits.later.end());
    m_hits.push_back(std::move(hits));
}

void
FlowStudy::TakeFlows(const std::string& title,
                     const FlowRecorder& recorder,
                     const StudyFlows& run,
                     StudyResult& result)
{
    result.classes = recorder.Summarise();
    if (run.isCounted && m_options.faults.IsUsed())
    {
        m_times.resize(run.flows.size());
        for (uint32_t i = 0; i < run.flows.size(); ++i)
        {
            m_times[i] = recorder.GetCompletionTime(i);
        }
    }
    if (m_ignoresFaults)
    {
        return;
    }
    const auto row = std::find_if(m_rows.begin(),
                                  m_rows.end(),
                                  [&](const StudyRow& each) { return each.title == title; });
    for (uint32_t i = 0; run.isCounted && m_options.report.IsWanted() && i < run.flows.size(); ++i)
    {
        const bool isComplete = !recorder.GetCompletionTime(i).IsStrictlyNegative();
        row->slowdowns.emplace_back(run.flows[i].bytes,
                                    isComplete ? recorder.GetSlowdown(i) : HUGE_VAL);
    }
    if (run.file.empty())
    {
        return;
    }
    recorder.WriteFlows(run.file);
    std::vector<std::vector<double>> times(CLASSES.size() - 1);
    std::vector<std::size_t> incomplete(times.size());
    for (uint32_t i = 0; m_options.report.IsWanted() && i < run.flows.size(); ++i)
    {
        const Time time = recorder.GetCompletionTime(i);
        const uint64_t bytes = run.flows[i].bytes;
        const std::size_t c = bytes < 100000 ? 0 : bytes < 1000000 ? 1 : 2;
        if (time.IsStrictlyNegative())
        {
            ++incomplete[c];
        }
        else
        {
            times[c].push_back(time.GetSeconds());
        }
    }
    for (std::size_t c = 0; c < times.size(); ++c)
    {
        m_completion->AddDistribution(CLASSES[c], title, std::move(times[c]), 1e6, incomplete[c]);
    }
}

void
FlowStudy::NoteIncomplete(const std::string& title,
                          const FlowRecorder& recorder,
                          const StudyFlows& run,
                          const PacketCounts& counts)
{
    const std::string open = run.file.empty() ? "" : recorder.DescribeIncomplete();
    if (!open.empty())
    {
        PlainStream text;
        text << title << ", first run: " << open << "; packets: " << counts.inFlight
             << " held or in flight, " << counts.dropped << "\n";
        m_incomplete.push_back(text.str());
    }
}

Ptr<FlowRecorder>
FlowStudy::MakeRecorder()
{
    return CreateObjectWithAttributes<FlowRecorder>("ClassEdges", StringValue(CLASS_EDGES));
}
