// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Designs of fabrics in Python: their flows and collectives in every engine, and bounds. Random
 * numbers are those of the programs optical-fabrics and collectives.
 */

#include "python-fabric.h"

namespace odcn_python
{

using namespace ns3;
using namespace ns3::odcn;
using namespace py::literals;

namespace
{

/// A matrix of doubles in Python.
using Matrix = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// @param matrix of Python
/// @param racks number
/// @return the demand
/// @throws OdcnError when it is malformed
DemandMatrix
ToDemand(const Matrix& matrix, uint32_t racks)
{
    if (matrix.ndim() != 2 || matrix.shape(0) != racks || matrix.shape(1) != racks)
    {
        throw OdcnError("demand: expected a matrix of " + std::to_string(racks) + " x " +
                        std::to_string(racks) + " racks");
    }
    DemandMatrix demand(racks);
    for (uint32_t from = 0; from < racks; ++from)
    {
        for (uint32_t to = 0; to < racks; ++to)
        {
            demand.Set(from, to, matrix.at(from, to));
        }
    }
    demand.Check("demand");
    return demand;
}

} // namespace

void
Fabric::SetAttributes(AttributeScope& scope) const
{
    const std::vector<std::string> said{"ShortFlows",
                                        "Hold",
                                        "ReorderTime",
                                        "RepairTimeout",
                                        "NoCircuit",
                                        "Routing",
                                        "QueueDisc",
                                        "FairQueues"};
    for (const auto& [name, text] : m_attributes)
    {
        if (std::find(said.begin(), said.end(), name.substr(name.rfind(':') + 1)) != said.end())
        {
            throw OdcnError::InOption("Attribute",
                                      name,
                                      "others, since the design or short says it");
        }
        scope.Add({FlowApplication::GetTypeId(), TorSwitch::GetTypeId()}, name, text);
    }
}

FlowsResult
Fabric::RunPackets(const Traffic& flows,
                   const DemandMatrix& demand,
                   uint64_t shortFlows,
                   Time until,
                   const Draw& draw,
                   ProgressCall& progress) const
{
    const Ptr<FabricNetwork> network = m_helper.BuildNetwork(m_design);
    network->SetCircuits(demand, GetStream(draw) + 900);
    network->AssignStreams(GetStream(draw) + 1000);
    std::optional<FabricMeter> meter;
    if (network->GetFabric())
    {
        meter.emplace(network->GetFabric());
    }
    network->StartCircuits();
    FlowHelper hosts;
    hosts.SetAttribute("ShortFlows", UintegerValue(shortFlows));
    hosts.SetAttribute("ReorderTime", TimeValue(m_design.GetReorderTime()));
    hosts.SetAttribute("RepairTimeout", TimeValue(m_design.GetRepairTimeout()));
    const ApplicationContainer applications = hosts.Install(network, flows);
    const Ptr<FlowRecorder> recorder = hosts.GetRecorder();
    recorder->TraceConnectWithoutContext("AllCompleted",
                                         Callback<void>(std::function([] { Simulator::Stop(); })));
    Simulator::Stop(until);
    Watch([&] { progress.Update(recorder->GetNCompleted(), flows.size(), Simulator::Now()); });
    Simulator::Run();
    FlowsResult result{};
    Take(flows, *recorder, result);
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        const auto counts = DynamicCast<FlowApplication>(applications.Get(i))->GetMessageCounts();
        result.messages.again += counts.again;
        result.messages.duplicates += counts.duplicates;
    }
    if (meter)
    {
        meter->Finish();
    }
    result.hops = meter ? meter->GetSent() : network->GetPacketNetwork()->GetSent();
    result.packets = network->Count();
    result.end = Simulator::Now().GetSeconds();
    return result;
}

FlowsResult
Fabric::RunExact(const Traffic& flows,
                 const DemandMatrix& demand,
                 uint64_t shortFlows,
                 Time until,
                 const Draw& draw) const
{
    const SchedulePackets::Settings settings = m_design.MakeSettings(shortFlows);
    const auto schedule =
        m_design.IsScheduled() ? m_design.MakeSchedule(demand, GetStream(draw) + 900) : nullptr;
    const auto engine = m_helper.MakeExact(m_design, schedule, settings, GetStream(draw) + 900);
    engine->AssignStreams(GetStream(draw) + 1000);
    const ExactPackets::Result exact = engine->Run(flows, until);
    const auto recorder = CreateObject<FlowRecorder>();
    recorder->SetFlows(flows);
    recorder->SetResult(exact,
                        DataRate(GetRate()),
                        settings.packetSize,
                        ExactPackets::GetHeaders(settings),
                        exact.stages);
    recorder->SetUnloadedTimes(engine->GetUnloadedTimes(flows));
    FlowsResult result{};
    Take(flows, *recorder, result);
    result.packets = exact.counts;
    result.hops = exact.hops;
    result.messages = exact.messages;
    result.end = exact.end.GetSeconds();
    return result;
}

FlowsResult
Fabric::RunFluid(const Traffic& flows,
                 const DemandMatrix& demand,
                 Time until,
                 const Draw& draw,
                 ProgressCall& progress) const
{
    const Ptr<FabricNetwork> network = m_helper.BuildNetwork(m_design, 0, FabricEngine::FLOWS);
    network->AssignStreams(GetStream(draw) + 1000);
    network->SetCircuits(demand, GetStream(draw) + 900);
    const Ptr<MessagePlane> level = m_helper.MakePlane(network, FabricEngine::FLOWS);
    level->SetAttribute("HeaderSize", UintegerValue(UdpFlowTransport::HEADERS));
    const Ptr<PlaneRun> sent = level->Send(flows, [] { Simulator::Stop(); });
    Simulator::Stop(until);
    Watch([&] { progress.Update(sent->CountReceived(), flows.size(), Simulator::Now()); });
    Simulator::Run();
    const auto packet = static_cast<uint32_t>(
        GetDefaultOf<UintegerValue>(FlowApplication::GetTypeId(), "PacketSize"));
    const auto recorder = CreateObject<FlowRecorder>();
    recorder->SetFlows(flows);
    recorder->SetResult(sent->GetResult(), DataRate(GetRate()), packet, UdpFlowTransport::HEADERS);
    const Ptr<OcsFabric> fabric = network->GetFabric();
    recorder->SetUnloadedTimes((fabric ? FlowPaths(*fabric) : FlowPaths(network->GetServers()))
                                   .GetUnloadedTimes(flows, packet, UdpFlowTransport::HEADERS));
    FlowsResult result{};
    Take(flows, *recorder, result);
    result.end = Simulator::Now().GetSeconds();
    return result;
}

CollectiveRun
Fabric::RunCollective(const std::string& text,
                      uint64_t bytes,
                      std::vector<uint32_t> places,
                      FabricEngine engine,
                      uint64_t shortFlows,
                      double limit,
                      const Draw& draw,
                      ProgressCall& progress) const
{
    draw.Check();
    m_design.RefusePhases();
    const FabricSize& size = m_design.GetSize();
    const uint32_t servers = size.racks * size.servers;
    if (!(limit > 0 && limit <= 1e6))
    {
        throw OdcnError::InOption("limit", FormatNumber(limit), "above 0 to 1e6 s");
    }
    const bool isFile = text.find(':') == std::string::npos;
    const auto ranks = static_cast<uint32_t>(places.empty() ? servers : places.size());
    const Collective collective =
        isFile ? Collective::Read(text) : Collective::Make(text, ranks, bytes);
    if (places.empty())
    {
        for (uint32_t rank = 0; rank < collective.GetNRanks(); ++rank)
        {
            places.push_back(rank);
        }
    }
    if (*std::max_element(places.begin(), places.end()) >= servers)
    {
        throw OdcnError::InOption("places",
                                  std::to_string(*std::max_element(places.begin(), places.end())),
                                  "servers below " + std::to_string(servers));
    }
    std::vector<RackId> racks;
    for (const uint32_t place : places)
    {
        racks.push_back(place / size.servers);
    }
    const DemandMatrix traffic = collective.GetTraffic(racks, size.racks);
    const RunScope run(draw);
    AttributeScope scope;
    SetAttributes(scope);
    const int64_t stream = 1000000 + int64_t{draw.run} * 100000;
    const Ptr<FabricNetwork> network = m_helper.BuildNetwork(m_design, 0, engine);
    network->AssignStreams(stream);
    network->SetCircuits(traffic, stream + FabricDesignHelper::CIRCUITS_STREAM);
    CollectiveRun result{};
    result.engine = engine;
    result.messages = collective.GetMessages(places);
    const Collective::Link link = PacketMessages::GetLink(0, size.GetServerGbps() * 1e9);
    result.least = collective.GetLeastTime(link);
    result.bound = result.least;
    if (traffic.GetMaxLoad() > 0)
    {
        FabricBoundScope what;
        what.mostRacks = 16;
        const double wire = 8 / (size.gbps * 1e9) * (link.payload + link.headers) / link.payload;
        result.bound =
            std::max(result.least, wire / m_design.GetBound(traffic, what, network->GetSchedule()));
    }
    if (engine == FabricEngine::EXACT)
    {
        const auto exact = m_helper.MakeExact(m_design,
                                              network->GetSchedule(),
                                              m_design.MakeSettings(shortFlows),
                                              stream + FabricDesignHelper::CIRCUITS_STREAM);
        exact->AssignStreams(stream);
        TrafficRun sends(result.messages,
                         [&](uint32_t index) {
                             progress.Update(sends.CountReceived(),
                                             result.messages.size(),
                                             sends.GetReceived(index));
                         });
        const ExactPackets::Result counts = exact->Run(sends, Seconds(limit));
        result.packets = counts.messages.packets;
        result.again = counts.messages.again;
        result.open = sends.DescribeUnfinished();
        result.time = sends.IsDone() ? sends.GetTime().GetSeconds() : NAN;
        result.result = sends.GetResult();
        return result;
    }
    if (engine == FabricEngine::PACKETS)
    {
        network->StartCircuits();
    }
    const Ptr<MessagePlane> plane =
        m_helper.MakePlane(network, engine, FabricDesignHelper::MakeHosts(m_design, shortFlows));
    const Ptr<PlaneRun> job = CreateObject<PlaneRun>();
    m_design.Explain([&] { job->Start(plane, result.messages, [] { Simulator::Stop(); }); });
    Simulator::Stop(Seconds(limit));
    Watch([&] { progress.Update(job->CountReceived(), result.messages.size(), Simulator::Now()); });
    Simulator::Run();
    result.open = job->DescribeUnfinished();
    result.time = job->IsDone() ? job->GetTime().GetSeconds() : NAN;
    result.result = job->GetResult();
    if (const auto packets = DynamicCast<PacketMessages>(plane))
    {
        result.packets = packets->CountPackets().packets;
        result.again = packets->CountPackets().again;
    }
    return result;
}

namespace
{

/// @param demand in C++
/// @return the same matrix in Python
py::array_t<double>
ToMatrix(const DemandMatrix& demand)
{
    const auto racks = static_cast<py::ssize_t>(demand.GetNRacks());
    py::array_t<double> matrix({racks, racks});
    for (py::ssize_t from = 0; from < racks; ++from)
    {
        for (py::ssize_t to = 0; to < racks; ++to)
        {
            matrix.mutable_at(from, to) =
                demand.Get(static_cast<RackId>(from), static_cast<RackId>(to));
        }
    }
    return matrix;
}

/// @param times of messages
/// @return them in ns; NaN if negative
std::vector<double>
ToNs(const std::vector<Time>& times)
{
    std::vector<double> values;
    for (const Time& time : times)
    {
        values.push_back(time.IsStrictlyNegative() ? NAN : double(time.GetPicoSeconds()) / 1e3);
    }
    return values;
}

/// @return Fabric::Run(), for Python
py::dict
RunFlows(const Fabric& fabric,
         const FlowColumns& flows,
         const std::optional<Matrix>& demand,
         const std::string& engine,
         uint64_t shortFlows,
         double drain,
         const Draw& draw,
         const py::object& progress)
{
    const FabricEngine wanted = ReadEngine(engine);
    const Traffic traffic = flows.ToTraffic();
    const DemandMatrix told =
        demand ? ToDemand(*demand, fabric.GetDesign().GetSize().racks) : DemandMatrix();
    ProgressCall call(progress);
    FlowsResult r;
    RunAlone([&] { r = fabric.Run(traffic, told, wanted, shortFlows, drain, draw, call); });
    py::dict counts;
    if (r.engine != FabricEngine::FLOWS)
    {
        counts = py::dict("sent"_a = r.packets.sent,
                          "received"_a = r.packets.received,
                          "in_flight"_a = r.packets.inFlight,
                          "lost"_a = r.packets.dropped.Total(),
                          "hops"_a = r.hops,
                          "again"_a = r.messages.again,
                          "duplicates"_a = r.messages.duplicates);
    }
    return py::dict("engine"_a = GetName(r.engine),
                    "completion_ns"_a = ToArray(r.completion),
                    "slowdown"_a = ToArray(r.slowdown),
                    "unloaded_slowdown"_a = ToArray(r.unloaded),
                    "packets"_a = counts,
                    "end_s"_a = r.end,
                    "incomplete"_a = r.open);
}

/// @return Fabric::RunCollective(), for Python
py::dict
RunSteps(const Fabric& fabric,
         const std::string& text,
         uint64_t bytes,
         const std::vector<uint32_t>& places,
         const std::string& engine,
         uint64_t shortFlows,
         double limit,
         const Draw& draw,
         const py::object& progress)
{
    const FabricEngine wanted = ReadEngine(engine);
    ProgressCall call(progress);
    CollectiveRun r;
    RunAlone(
        [&]
        { r = fabric.RunCollective(text, bytes, places, wanted, shortFlows, limit, draw, call); });
    FlowColumns columns;
    for (const Traffic::Item& message : r.messages)
    {
        columns.source.push_back(message.from);
        columns.destination.push_back(message.to);
        columns.bytes.push_back(message.bytes);
    }
    return py::dict("engine"_a = GetName(r.engine),
                    "time_s"_a = r.time,
                    "bound_s"_a = r.bound,
                    "least_s"_a = r.least,
                    "packets"_a = r.packets,
                    "again"_a = r.again,
                    "incomplete"_a = r.open,
                    "source"_a = ToArray(columns.source),
                    "destination"_a = ToArray(columns.destination),
                    "bytes"_a = ToArray(columns.bytes),
                    "sent_ns"_a = ToArray(ToNs(r.result.sent)),
                    "received_ns"_a = ToArray(ToNs(r.result.received)));
}

} // namespace

void
AddFabrics(py::module_& m)
{
    m.def("designs",
          []
          {
              const auto share = ShareRuns();
              std::map<std::string, std::string> designs;
              for (const FabricDesign& design : FabricDesign::GetAll())
              {
                  designs[design.GetName()] = design.GetDescription();
              }
              return designs;
          });
    m.def("collectives", &Collective::GetNames);
    py::class_<FabricSize>(m, "FabricSize")
        .def(py::init<>())
        .def_readwrite("racks", &FabricSize::racks)
        .def_readwrite("servers", &FabricSize::servers)
        .def_readwrite("uplinks", &FabricSize::uplinks)
        .def_readwrite("gbps", &FabricSize::gbps)
        .def_readwrite("slot", &FabricSize::slot)
        .def_readwrite("dark", &FabricSize::dark)
        .def_readwrite("delay", &FabricSize::delay)
        .def_readwrite("server_gbps", &FabricSize::serverGbps);
    py::class_<Draw>(m, "Draw").def(py::init(
        [](uint64_t seed, uint32_t run) {
            return Draw{seed, run};
        }));
    py::class_<FlowColumns>(m, "FlowColumns")
        .def(py::init(
            [](std::vector<uint32_t> source,
               std::vector<uint32_t> destination,
               std::vector<uint64_t> bytes,
               std::vector<double> start)
            {
                return FlowColumns{std::move(source),
                                   std::move(destination),
                                   std::move(bytes),
                                   std::move(start)};
            }))
        .def_property_readonly("columns",
                               [](const FlowColumns& flows)
                               {
                                   return py::make_tuple(ToArray(flows.source),
                                                         ToArray(flows.destination),
                                                         ToArray(flows.bytes),
                                                         ToArray(flows.start));
                               });
    py::class_<Fabric>(m, "Fabric")
        .def(py::init<const std::string&, const FabricSize&, const std::string&, const Texts&>())
        .def_property_readonly("name", [](const Fabric& f) { return f.GetDesign().GetName(); })
        .def_property_readonly("description",
                               [](const Fabric& f) { return f.GetDesign().GetDescription(); })
        .def_property_readonly("uplinks", [](const Fabric& f) { return f.GetDesign().GetLinks(); })
        .def("why_not", &Fabric::WhyNot)
        .def("demand",
             [](const Fabric& f, const std::string& pattern, const Draw& draw)
             {
                 DemandMatrix demand;
                 RunAlone([&] { demand = f.MakeDemand(pattern, draw); });
                 return ToMatrix(demand);
             })
        .def("flows",
             [](const Fabric& f,
                const Matrix& demand,
                const std::string& sizes,
                double load,
                double duration,
                const Draw& draw)
             {
                 const DemandMatrix told = ToDemand(demand, f.GetDesign().GetSize().racks);
                 FlowColumns flows;
                 RunAlone([&] { flows = f.MakeFlows(told, sizes, load, duration, draw); });
                 return flows;
             })
        .def("bound",
             [](const Fabric& f, const Matrix& demand, bool cuts)
             {
                 const DemandMatrix told = ToDemand(demand, f.GetDesign().GetSize().racks);
                 double bound = 0;
                 RunAlone([&] { bound = f.GetBound(told, cuts); });
                 return bound;
             })
        .def("run", &RunFlows)
        .def("collective", &RunSteps);
}

} // namespace odcn_python
