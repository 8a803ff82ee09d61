// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "collectives-comparison.h"

#include "run-files.h"

#include "ns3/boolean.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-recorder.h"
#include "ns3/odcn-given-attributes.h"
#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-traffic.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::odcn;

CollectiveComparison::CollectiveComparison(CollectiveOptions& options)
    : m_options(options),
      m_designs(FabricDesign::Choose(options.designs, options.own, options)),
      m_names(OdcnCommandLine::SplitList(options.collectives, "collectives")),
      m_circuits(options.report.AddChart({ReportChart::Kind::CIRCUITS,
                                          "Circuits over time",
                                          "us",
                                          "circuits",
                                          "design",
                                          "First run of " + m_names.front() + ".",
                                          {}})),
      m_messages(options.report.AddChart({ReportChart::Kind::TIMELINE,
                                          "Messages over time",
                                          "ms",
                                          "messages of a sender, from sending to the last byte",
                                          "design and collective",
                                          "First run. Where there are many messages, of some "
                                          "servers at equal distances.",
                                          {}}))
{
    const uint32_t servers = options.racks * options.servers;
    const uint32_t payload = PacketMessages::GetLink(0, 1).payload;
    for (const std::string& name : m_names)
    {
        m_works.emplace_back();
        if (name.find(':') == std::string::npos)
        {
            m_works.back().read = Collective::Read(name);
        }
        Collective collective = MakeCollective(m_works.size() - 1);
        m_works.back().steps = collective.GetSteps().size();
        for (const Collective::Step& step : collective.GetSteps())
        {
            m_works.back().packets += (step.bytes + payload - 1) / payload;
        }
        OdcnCommandLine::Check(collective.GetNRanks() <= servers,
                               "collectives",
                               name,
                               "at most one rank for each of the " + std::to_string(servers) +
                                   " servers");
        if (m_works.size() == 1 && !m_works.back().read)
        {
            m_first = std::move(collective);
        }
    }
    const bool isExact = FindEngine(options.engine) == FabricEngine::EXACT;
    OdcnCommandLine::Check(
        std::any_of(m_designs.begin(),
                    m_designs.end(),
                    [&](const auto& design) { return WhyNot(design).empty(); }),
        "engine",
        options.engine,
        std::string("packets: the ") + (isExact ? "exact engine" : "flow level") +
            " can run none of these designs, not " + m_designs.front().GetName() + ", since " +
            WhyNot(m_designs.front()));
    OdcnCommandLine::Check(!isExact || options.trace.GetFile().empty(),
                           "trace",
                           options.trace.GetFile(),
                           "nothing with --engine=exact, which has no events of ns-3");
    CheckFile("trace",
              options.trace.GetFile(),
              m_designs.size() * m_names.size(),
              "design and collective");
    std::set<std::string> traces;
    for (const FabricDesign& design : m_designs)
    {
        for (const std::string& name : m_names)
        {
            std::string file = design.GetName() + "-" + name;
            std::replace_if(
                file.begin(),
                file.end(),
                [](char c) { return c == ':' || c == '/'; },
                '-');
            m_traces[{design.GetName(), name}] = MakeUnique(file, traces);
        }
        design.Check(DemandMatrix::Make("uniform", options.racks), 0);
        design.RefusePhases();
    }
}

Collective
CollectiveComparison::MakeCollective(std::size_t index)
{
    if (index == 0 && m_first)
    {
        return *std::exchange(m_first, std::nullopt);
    }
    const std::optional<Collective>& read = m_works[index].read;
    return read ? *read
                : Collective::Make(m_names[index],
                                   m_options.racks * m_options.servers,
                                   m_options.bytes);
}

std::vector<uint32_t>
CollectiveComparison::GetPlaces(uint32_t run, uint32_t ranks) const
{
    std::vector<uint32_t> places(m_options.racks * m_options.servers);
    std::iota(places.begin(), places.end(), 0);
    if (m_options.places == "random")
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(run);
        for (uint32_t i = static_cast<uint32_t>(places.size()) - 1; i > 0; --i)
        {
            std::swap(places[i], places[random->GetInteger(0, i)]);
        }
    }
    places.resize(ranks);
    return places;
}

double
CollectiveComparison::FindBound(const FabricDesign& design,
                                const Collective& collective,
                                const DemandMatrix& traffic,
                                const Ptr<CircuitSchedule>& plan) const
{
    const CollectiveOptions& o = m_options;
    const double rate = o.gbps * 1e9;
    const Collective::Link link = PacketMessages::GetLink(0, rate);
    const double ends = collective.GetLeastTime(link);
    const double busiest = traffic.GetMaxLoad(); // bytes of a rack
    if (busiest == 0)
    {
        return ends;
    }
    // Seconds for a byte of data.
    const double wire = 8 / rate * (link.payload + link.headers) / link.payload;
    FabricBoundScope scope;
    scope.mostRacks = 16;
    // Of the traffic, carried in the time of a byte.
    return std::max(ends, wire / design.GetBound(traffic, scope, plan));
}

std::string
CollectiveComparison::WhyNot(const FabricDesign& design) const
{
    return design.WhyNot(FindEngine(m_options.engine));
}

FabricEngine
CollectiveComparison::GetEngine(const FabricDesign& design) const
{
    return WhyNot(design).empty() ? FindEngine(m_options.engine) : FabricEngine::PACKETS;
}

CollectiveResult
CollectiveComparison::Measure(const FabricDesign& design, std::size_t index, uint32_t run)
{
    const CollectiveOptions& o = m_options;
    Collective collective = MakeCollective(index);
    const std::vector<uint32_t> places = GetPlaces(run, collective.GetNRanks());
    std::vector<RackId> racks(places.size());
    std::transform(places.begin(),
                   places.end(),
                   racks.begin(),
                   [&](uint32_t server) { return server / o.servers; });
    const DemandMatrix traffic = collective.GetTraffic(racks, o.racks);
    const int64_t stream = 1000000 + int64_t(run) * 100000;
    FabricDesignHelper helper;
    helper.SetFairQueues(o.queues == "fair");
    const FabricEngine engine = GetEngine(design);
    const Ptr<FabricNetwork> network = helper.BuildNetwork(design, 0, engine);
    network->AssignStreams(stream);
    network->SetCircuits(traffic, stream + FabricDesignHelper::CIRCUITS_STREAM);
    CollectiveResult result{INFINITY,
                            FindBound(design, collective, traffic, network->GetSchedule()),
                            engine,
                            0,
                            0,
                            ""};
    if (engine == FabricEngine::EXACT)
    {
        MeasureExact(helper,
                     design,
                     index,
                     run,
                     std::move(collective).GetMessages(places),
                     network->GetSchedule(),
                     stream,
                     result);
        Simulator::Destroy();
        return result;
    }
    std::optional<FabricMeter> meter; // where no schedule tells the circuits
    if (run == 0 && index == 0 && design.IsController() && o.report.IsWanted())
    {
        meter.emplace(network->GetFabric());
        meter->SetCharts({&m_circuits, nullptr, nullptr}, design.GetName());
    }
    if (engine == FabricEngine::PACKETS)
    {
        network->StartCircuits();
    }
    const Ptr<MessagePlane> plane =
        helper.MakePlane(network,
                         engine,
                         FabricDesignHelper::MakeHosts(design, m_options.shortFlows));
    const auto job = CreateObject<PlaneRun>();
    Timeline timeline;
    if (run == 0)
    {
        timeline.SetOptions(o.trace, m_traces.at({design.GetName(), m_names[index]}));
        timeline.Start();
        timeline.AddMessages(*plane);
        timeline.AddCollective(*job, collective, m_names[index]);
        if (network->GetFabric())
        {
            timeline.AddFabric(*network->GetFabric());
        }
    }
    design.Explain(
        [&] {
            job->Start(plane, std::move(collective).GetMessages(places), [] { Simulator::Stop(); });
        });
    Simulator::Stop(Seconds(o.limit));
    Watch(*job, *plane);
    Simulator::Run();
    m_nSteps += job->CountReceived();
    result.open = job->DescribeUnfinished();
    if (job->IsDone())
    {
        result.time = job->GetTime().GetSeconds();
    }
    if (const auto packets = DynamicCast<PacketMessages>(plane))
    {
        const auto counts = packets->CountPackets();
        result.packets = counts.packets;
        result.again = counts.again;
    }
    timeline.Finish(std::cout);
    if (run == 0 && o.report.IsWanted())
    {
        Draw(design,
             index,
             job->GetTraffic(),
             job->GetResult(),
             network->GetSchedule(),
             Simulator::Now());
    }
    Simulator::Destroy();
    return result;
}

void
CollectiveComparison::Draw(const FabricDesign& design,
                           std::size_t index,
                           const Traffic& steps,
                           const TrafficResult& result,
                           const Ptr<CircuitSchedule>& plan,
                           Time end)
{
    // Messages of as many senders, from the first to the last server, as fit into a chart.
    constexpr std::size_t MOST_MESSAGES = 500;
    if (plan && index == 0)
    {
        FabricMeter::AddCircuits(m_circuits,
                                 design.GetName(),
                                 *plan,
                                 NanoSeconds(1) * (m_options.delay / 2),
                                 end);
    }
    std::map<ServerId, std::vector<uint32_t>> senders;
    for (uint32_t i = 0; i < steps.size(); ++i)
    {
        senders[steps[i].from].push_back(i);
    }
    // Servers at all places of a rack: of a ring, only one of them sends to another rack.
    std::size_t stride = 1 + steps.size() / MOST_MESSAGES;
    while (std::gcd(stride, std::size_t{m_options.servers}) > 1)
    {
        ++stride;
    }
    std::size_t sender = 0;
    for (const auto& [server, messages] : senders)
    {
        if (sender++ % stride > 0)
        {
            continue;
        }
        for (const uint32_t i : messages)
        {
            const Time sent = result.sent[i];
            const Time received = result.received[i];
            if (sent.IsStrictlyNegative() || received.IsStrictlyNegative())
            {
                continue;
            }
            const bool isWithin = server / m_options.servers == steps[i].to / m_options.servers;
            m_messages.rows.push_back({design.GetName() + ", " + m_names[index],
                                       "server " + std::to_string(server),
                                       sent.GetSeconds() * 1e3,
                                       received.GetSeconds() * 1e3,
                                       std::string(isWithin ? "within a rack" : "between racks")});
        }
    }
}

void
CollectiveComparison::MeasureExact(const FabricDesignHelper& helper,
                                   const FabricDesign& design,
                                   std::size_t index,
                                   uint32_t number,
                                   Traffic steps,
                                   const Ptr<CircuitSchedule>& plan,
                                   int64_t stream,
                                   CollectiveResult& result)
{
    const auto engine = helper.MakeExact(design,
                                         plan,
                                         design.MakeSettings(m_options.shortFlows),
                                         stream + FabricDesignHelper::CIRCUITS_STREAM);
    engine->AssignStreams(stream);
    TrafficRun run(std::move(steps),
                   [&](uint32_t index)
                   {
                       const Time now = run.GetReceived(index);
                       m_progress->Update(m_nSteps + run.CountReceived(),
                                          [&now]
                                          { return FormatNumber(now.GetSeconds() * 1e3) + " ms"; });
                   });
    const ExactPackets::Result exact = engine->Run(run, Seconds(m_options.limit));
    m_nSteps += run.CountReceived();
    if (number == 0 && m_options.report.IsWanted())
    {
        Draw(design, index, run.GetTraffic(), run.GetResult(), plan, exact.end);
    }
    result.packets = exact.messages.packets;
    result.again = exact.messages.again;
    if (run.IsDone())
    {
        result.time = run.GetTime().GetSeconds();
        return;
    }
    PlainStream open;
    open << run.DescribeUnfinished() << " (" << FlowRecorder::DescribeStages(exact.stages)
         << "); packets: " << exact.counts.inFlight << " held or in flight, "
         << exact.counts.dropped << "; --engine=packets sends lost ones again";
    result.open = open.str();
}

void
CollectiveComparison::Watch(const PlaneRun& job, const MessagePlane& plane)
{
    m_progress->Update(m_nSteps + job.CountReceived(),
                       [&plane]
                       {
                           const auto bytes = plane.CountBytes();
                           return FormatNumber(Simulator::Now().GetSeconds() * 1e3) + " ms, " +
                                  std::to_string(bytes.delivered) + " of " +
                                  std::to_string(bytes.sent) + " bytes";
                       });
    Simulator::Schedule(MicroSeconds(10), [this, &job, &plane] { Watch(job, plane); });
}

void
CollectiveComparison::PrintEngines() const
{
    std::map<FabricEngine, std::string> designs;
    for (const FabricDesign& design : m_designs)
    {
        std::string& list = designs[GetEngine(design)];
        const std::string reason = WhyNot(design);
        list += (list.empty() ? "" : ", ") + design.GetName();
        list += reason.empty() ? "" : " (" + reason + ")";
    }
    uint64_t number = 0; // of all packets in a run of each collective
    for (const Work& work : m_works)
    {
        number += work.packets;
    }
    const std::string count =
        "; " + std::to_string(number * m_options.replications) + " packets of each\n";
    if (designs.contains(FabricEngine::FLOWS))
    {
        std::cout << "Flow level  " << designs[FabricEngine::FLOWS] << "\n";
    }
    if (designs.contains(FabricEngine::EXACT))
    {
        std::cout << "Exact       " << designs[FabricEngine::EXACT] << count;
    }
    if (designs.contains(FabricEngine::PACKETS))
    {
        std::cout << "Packets     " << designs[FabricEngine::PACKETS] << count;
    }
    std::cout << std::endl;
}

void
CollectiveComparison::CheckEnds() const
{
    uint64_t open = 0;
    std::string first;
    for (std::size_t d = 0; d < m_designs.size(); ++d)
    {
        for (std::size_t c = 0; c < m_works.size(); ++c)
        {
            for (const CollectiveResult& result : m_results[d][c])
            {
                if (!result.open.empty() && open++ == 0)
                {
                    first = m_designs[d].GetName() + ", " + m_names[c] + ": " + result.open;
                }
            }
        }
    }
    if (open > 0)
    {
        throw OdcnError(FormatCount(open, "run") + " did not end within " +
                        FormatNumber(m_options.limit) + " s (--limit); " + first);
    }
}

void
CollectiveComparison::Run()
{
    OutputFiles files(m_options.output);
    m_results.assign(m_designs.size(), {});
    uint64_t steps = 0;
    for (const Work& work : m_works)
    {
        steps += work.steps;
    }
    steps *= m_designs.size() * m_options.replications;
    PrintEngines();
    m_progress.emplace("collectives", steps, "steps");
    for (std::size_t d = 0; d < m_designs.size(); ++d)
    {
        for (std::size_t c = 0; c < m_works.size(); ++c)
        {
            auto& results = m_results[d].emplace_back();
            for (uint32_t run = 0; run < m_options.replications; ++run)
            {
                results.push_back(Measure(m_designs[d], c, run));
            }
        }
    }
    m_progress->Finish(m_nSteps);
    Report(files);
    CheckEnds();
}
