// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-nara-allocation-packets.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-flow-report.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
#include "ns3/pointer.h"
#include "ns3/rddc-allocation-scheduler.h"
#include "ns3/rddc-fabric-helper.h"
#include "ns3/rddc-window-recorder.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// First random stream of packets, after those of requests and policies.
constexpr int64_t PACKET_STREAMS = 10000;

const char* const TIER_NAMES[] = {"same rack", "same cluster", "across clusters"};

/// The tables and files of all runs.
class PacketReport
{
  public:
    /// @param files output folder
    /// @param report gets a chart
    PacketReport(OutputFiles& files, RunReport& report)
        : m_files(files),
          m_latency(report.AddChart({ReportChart::Kind::ESTIMATES,
                                     "Latency of packets",
                                     "",
                                     "mean, ns",
                                     "topology, tier, carrier",
                                     "",
                                     {}})),
          m_figures(files.Path("packets.csv"),
                    {"topology",
                     "policy",
                     "tier",
                     "carrier",
                     "sent",
                     "lost",
                     "mean_ns",
                     "mean_ns_lower",
                     "mean_ns_upper",
                     "p50_ns",
                     "p99_ns",
                     "greatest_ns",
                     "windows"}),
          m_requests(files.Path("packet-requests.csv"), RequestColumns()),
          m_losses(files.Path("packet-losses.csv"), LossColumns()),
          m_table({"topology",
                   "policy",
                   "pairs",
                   "packets",
                   "lightpaths\nmean ns",
                   "\np99 ns",
                   "\nlost",
                   "trunks\nmean ns",
                   "\np99 ns",
                   "\nlost %",
                   "ports\nmean ns",
                   "\np99 ns",
                   "\nlost %"})
    {
    }

    /// Add a run.
    /// @param topology label
    /// @param policy name
    /// @param run recorder of the run
    void Add(const std::string& topology, const std::string& policy, const RddcWindowRecorder& run)
    {
        for (std::size_t tier = 0; tier < RddcNetwork::TIERS; ++tier)
        {
            std::vector<std::string> cells{topology, policy, TIER_NAMES[tier]};
            cells.push_back(std::to_string(
                run.GetPackets(RddcWindowRecorder::CIRCUITS).GetTotal(tier).measured.sent));
            for (int c = 0; c < RddcWindowRecorder::CARRIERS; ++c)
            {
                const auto carrier = static_cast<RddcWindowRecorder::Carrier>(c);
                const PacketRecorder& packets = run.GetPackets(carrier);
                AddFigures(topology, policy, tier, carrier, packets);
                AddCells(carrier, packets, tier, cells);
            }
            m_table.AddRow(cells);
        }
        for (const auto& row : run.GetRequests())
        {
            m_requests.Cell(topology).Cell(policy).Cell(row.window).Cell(row.request);
            m_requests.Cell(row.servers).Cell(row.highestTier);
            m_requests.Cell(row.packets[RddcWindowRecorder::CIRCUITS].counts.sent);
            for (const JobPackets& packets : row.packets)
            {
                m_requests.Cell(packets.GetLost());
                m_requests.Cell(packets.GetMeanNs()).Cell(packets.GetGreatestNs());
            }
            m_requests.EndRow();
        }
    }

    /// Add what became of all packets of a run.
    /// @param topology label
    /// @param policy name
    /// @param counts of the fabric
    /// @param interrupted requests that lost a part
    void AddLosses(const std::string& topology,
                   const std::string& policy,
                   const PacketCounts& counts,
                   uint64_t interrupted)
    {
        m_losses.Cell(topology).Cell(policy).Cell(interrupted).Cell(counts.sent);
        m_losses.Cell(counts.received);
        std::string lost;
        for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
        {
            const auto cause = static_cast<OcsDropCause>(i);
            m_losses.Cell(counts.dropped[cause]);
            if (counts.dropped[cause] > 0)
            {
                lost += (lost.empty() ? "" : ", ") + std::to_string(counts.dropped[cause]) + " " +
                        OcsDropCauseName(cause);
            }
        }
        m_losses.EndRow();
        m_fates.AddRow({topology,
                        policy,
                        std::to_string(interrupted),
                        std::to_string(counts.sent),
                        std::to_string(counts.received),
                        lost.empty() ? "-" : lost});
    }

    /// Write the files and print the tables.
    /// @param report gets them too
    /// @param faults whether parts fail
    void Finish(RunReport& report, bool faults)
    {
        m_losses.Commit();
        m_files.Written("packet-losses.csv",
                        "all packets on lightpaths: received, or lost by cause");
        m_figures.Commit();
        m_files.Written("packets.csv", "latency and loss by tier, the table below in full");
        m_requests.Commit();
        m_files.Written("packet-requests.csv", "every request in every window");
        m_table.Print(std::cout, 100);
        report.AddTable("Packets by tier", m_table);
        if (faults)
        {
            std::cout << "\nFaults: lightpaths only; the trees have none.\n\n";
            m_fates.Print(std::cout, 100);
            report.AddTable("Packets on lightpaths under faults", m_fates);
        }
    }

  private:
    /// @return column names of packet-requests.csv
    static std::vector<std::string> RequestColumns()
    {
        std::vector<std::string>
            columns{"topology", "policy", "window", "request", "servers", "highest_tier", "sent"};
        for (int c = 0; c < RddcWindowRecorder::CARRIERS; ++c)
        {
            const std::string name =
                RddcWindowRecorder::GetName(static_cast<RddcWindowRecorder::Carrier>(c));
            for (const char* figure : {"_lost", "_mean_ns", "_greatest_ns"})
            {
                columns.push_back(name + figure);
            }
        }
        return columns;
    }

    /// @return column names of packet-losses.csv
    static std::vector<std::string> LossColumns()
    {
        std::vector<std::string> columns{"topology", "policy", "interrupted", "sent", "received"};
        for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
        {
            columns.push_back(std::string("lost_") +
                              OcsDropCauseName(static_cast<OcsDropCause>(i)));
        }
        return columns;
    }

    /// Write a row of packets.csv.
    /// @param topology label
    /// @param policy name
    /// @param tier 0 to 2
    /// @param carrier a carrier
    /// @param packets its packets
    void AddFigures(const std::string& topology,
                    const std::string& policy,
                    std::size_t tier,
                    RddcWindowRecorder::Carrier carrier,
                    const PacketRecorder& packets)
    {
        const Estimate mean = packets.GetMeanOfWindows(tier);
        const ScopePackets& total = packets.GetTotal(tier);
        if (total.measured.sent > 0)
        {
            m_latency.AddEstimate(topology + ", " + TIER_NAMES[tier] + ", " +
                                      RddcWindowRecorder::GetName(carrier),
                                  "",
                                  policy,
                                  mean);
        }
        m_figures.Cell(topology).Cell(policy).Cell(TIER_NAMES[tier]);
        m_figures.Cell(RddcWindowRecorder::GetName(carrier)).Cell(total.measured.sent);
        m_figures.Cell(total.measured.sent - total.measured.received);
        m_figures.Cell(mean.mean).Cell(mean.lower).Cell(mean.upper);
        m_figures.Cell(total.latency.GetQuantileNs(0.5));
        m_figures.Cell(total.latency.GetQuantileNs(0.99));
        m_figures.Cell(total.latency.GetMaxNs()).Cell(mean.count);
        m_figures.EndRow();
    }

    /// Add cells.
    /// @param carrier a carrier
    /// @param packets its packets
    /// @param tier 0 to 2
    /// @param [in,out] cells row
    static void AddCells(RddcWindowRecorder::Carrier carrier,
                         const PacketRecorder& packets,
                         std::size_t tier,
                         std::vector<std::string>& cells)
    {
        const ScopePackets& total = packets.GetTotal(tier);
        const uint64_t lostPackets = total.measured.sent - total.measured.received;
        if (total.measured.sent == 0)
        {
            cells.insert(cells.end(), 3, "-");
            return;
        }
        cells.push_back(FormatEstimate(packets.GetMeanOfWindows(tier), 1));
        std::ostringstream p99;
        p99.precision(4);
        p99 << total.latency.GetQuantileNs(0.99);
        cells.push_back(p99.str());
        std::ostringstream lost;
        lost.precision(3);
        if (carrier == RddcWindowRecorder::CIRCUITS)
        {
            lost << lostPackets;
        }
        else
        {
            lost << 100.0 * static_cast<double>(lostPackets) /
                        static_cast<double>(total.measured.sent);
        }
        cells.push_back(lost.str());
    }

    OutputFiles& m_files;   //!< output folder
    ReportChart& m_latency; //!< by topology, tier and carrier
    CsvWriter m_figures;    //!< packets.csv
    CsvWriter m_requests;   //!< packet-requests.csv
    CsvWriter m_losses;     //!< packet-losses.csv
    Table m_table;          //!< table to print
    Table m_fates{{"topology", "policy", "requests\ninterrupted", "sent", "received", "lost"}};
};

} // namespace

void
PacketOptions::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("Packets", "packets");
    cmd.AddValue("packets",
                 "windows in which servers send packets, instead of comparing by requests",
                 packets);
    cmd.AddRange("packetLoad",
                 "load in each direction, as a share of a lightpath's rate",
                 packetLoad,
                 1e-12,
                 100.0);
    cmd.AddRange("packetSize",
                 "packet size in bytes, with IPv4 header",
                 packetSize,
                 uint32_t{JobFlowApplication::LEAST_SIZE},
                 1500U);
    cmd.AddValue("packetTime", "length of a window", packetTime);
    cmd.AddValue("channelRate", "rate of a channel", channelRate);
    cmd.AddValue("switchDelay",
                 "delay of an electrical switch besides storing and queueing",
                 switchDelay);
    cmd.AddValue("controlDelay",
                 "one-way delay of the management network; 0us for an ideal network",
                 controlDelay);
    cmd.AddValue("traces", "write pcap, ascii and FlowMonitor files of the first run", traces);
}

void
PacketOptions::Check(uint64_t requests) const
{
    OdcnCommandLine::Check(packets <= requests,
                           "packets",
                           packets,
                           "at most as many windows as requests");
    OdcnCommandLine::ParseRate(channelRate, "channelRate");
    OdcnCommandLine::Check(
        OdcnCommandLine::ParseTime(packetTime, "packetTime", 1).IsStrictlyPositive(),
        "packetTime",
        packetTime,
        "above 0");
    OdcnCommandLine::ParseTime(switchDelay, "switchDelay", 1);
    OdcnCommandLine::ParseTime(controlDelay, "controlDelay", 1);
}

namespace
{

/// @param options packet traffic
/// @param policy that decides
/// @param requests of the run
/// @return a scheduler with windows on request
Ptr<AllocationScheduler>
MakeScheduler(const PacketOptions& options, Ptr<DecisionPolicy> policy, uint64_t requests)
{
    auto scheduler = CreateObject<AllocationScheduler>();
    scheduler->SetAttribute("Policy", PointerValue(policy));
    scheduler->SetAttribute("Load", DoubleValue(options.packetLoad));
    scheduler->SetAttribute("JobTimeUnit", TimeValue(Time(0)));
    scheduler->SetAttribute("MaxJobs", UintegerValue(requests));
    scheduler->SetAttribute("WindowSpacing", UintegerValue(0));
    scheduler->SetAttribute("WindowWarmUp", TimeValue(Time(0)));
    scheduler->SetAttribute("WindowLength", StringValue(options.packetTime));
    return scheduler;
}

/// @param fabric fabric with servers
/// @param packetSize bytes
/// @return the flows of all its servers
auto
InstallFlows(const Ptr<RddcFabric>& fabric, uint32_t packetSize)
{
    const auto flows = RddcFabricHelper::InstallFlows(fabric, packetSize);
    int64_t stream = PACKET_STREAMS;
    for (const auto& flow : flows)
    {
        stream += flow->AssignStreams(stream);
    }
    return flows;
}

/// @param options packet traffic
/// @return the management network
Ptr<ManagementNetwork>
MakeManagement(const PacketOptions& options)
{
    auto management = CreateObject<ManagementNetwork>();
    const Time delay = OdcnCommandLine::ParseTime(options.controlDelay, "controlDelay");
    if (!delay.IsZero())
    {
        management->SetAttribute("DataRate", StringValue("1Gbps"));
        management->SetAttribute("Delay", TimeValue(delay));
    }
    return management;
}

/// Print the setting.
/// @param centre data centre and requests in words
/// @param options packet traffic
void
PrintSetting(const std::string& centre, const PacketOptions& options)
{
    std::cout
        << "\n"
        << centre << " of run " << RngSeedManager::GetRun() << ", " << options.packets
        << " windows of " << options.packetTime << ", seed " << RngSeedManager::GetSeed()
        << ".\nEach pair of a request's servers sends packets of " << options.packetSize
        << " bytes both ways at " << options.packetLoad << " of " << options.channelRate
        << ".\nTrees of equal capacity: trunks bundle a link's channels in one port; as ports "
           "each channel is one,\nand flows are hashed. Their switches take "
        << options.switchDelay
        << " besides storing and queueing. Intervals: 95 %, over windows.\n\n";
}

} // namespace

void
RunPackets(const RddcSystem& system,
           const PacketOptions& options,
           Experiment& experiment,
           OutputFiles& files)
{
    Time::SetResolution(Time::PS);
    PacketReport report(files, experiment.GetReport());
    const std::size_t cases = experiment.GetNCases();
    Progress progress("packets", cases * experiment.GetRows().size() * options.packets, "windows");
    uint64_t done = 0;
    for (std::size_t i = 0; i < cases; ++i)
    {
        const std::string& topology = experiment.GetLabels(i)[0].second;
        for (const auto& row : experiment.GetRows(i))
        {
            RddcFabricHelper fabrics;
            fabrics.SetCardAttribute("DataRate", DataRateValue(DataRate(options.channelRate)));
            const auto [begun, policy] = experiment.Begin(i, row);
            const auto problem = DynamicCast<RddcAllocation>(begun);
            const auto network = problem->GetManager()->GetChannels().GetNetwork();
            const auto fabric = fabrics.Build(network);
            fabrics.InstallServers(fabric);
            const auto flows = InstallFlows(fabric, options.packetSize);
            const auto scheduler = MakeScheduler(options, policy, system.requests);
            scheduler->SetProblem(problem);
            scheduler->SetFabric(fabric, flows);
            // Windows are spread evenly over the requests.
            uint64_t window = 0;
            const auto decided = [&, scheduler = PeekPointer(scheduler)](bool)
            {
                if (scheduler->GetNJobs() == (window + 1) * system.requests / options.packets)
                {
                    scheduler->RequestWindow();
                    ++window;
                    progress.Update(++done);
                }
            };
            scheduler->TraceConnectWithoutContext("Decided", Callback<void, bool>(decided));
            const auto controller = CreateObject<Node>();
            controller->AddApplication(scheduler);
            const auto management = MakeManagement(options);
            const auto gateway = ManagementHelper().Install(management, controller);
            scheduler->SetManagement(management);
            RddcWindowRecorder recorder(
                scheduler,
                flows,
                100,
                OdcnCommandLine::ParseTime(options.switchDelay, "switchDelay"));
            // Trace only the first run.
            const std::string name = row.choice.name + " on " + topology;
            std::optional<PacketTraces> traces;
            if (options.traces && done == 0)
            {
                traces.emplace(files, NanoSeconds(10));
                const auto card = fabric->GetCard(0, 0);
                traces->AddPcap(fabrics,
                                card,
                                "server-0.pcap",
                                "packets of server 0's first network card, " + name);
                traces->AddAscii(fabrics, card, "server-0.tr", "ascii trace of it");
                for (uint32_t server = 0; server < fabric->GetServers().GetN(); ++server)
                {
                    traces->Watch(fabric->GetServers().Get(server));
                }
                if (!management->IsIdeal())
                {
                    ManagementHelper link;
                    traces->AddPcap(link,
                                    controller->GetDevice(0),
                                    "control.pcap",
                                    "control packets at the controller, " + name);
                    traces->Watch(controller);
                    traces->Watch(gateway);
                }
            }
            scheduler->TraceConnectWithoutContext("Finished",
                                                  Callback<void>([]() { Simulator::Stop(); }));
            Simulator::Run();
            report.Add(topology, row.choice.name, recorder);
            report.AddLosses(topology,
                             row.choice.name,
                             fabric->Count(),
                             problem->GetManager()->GetCounters().interrupted);
            if (traces)
            {
                traces->Keep("FlowMonitor of " + name);
            }
            Simulator::Destroy();
        }
    }
    progress.Finish(done);
    PrintSetting(system.Describe(experiment), options);
    report.Finish(experiment.GetReport(), system.faults.IsUsed());
    experiment.GetReport().Write(files);
    files.Print(std::cout);
}
