// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-design-helper.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/odcn-attribute-defaults.h"
#include "ns3/odcn-circuit-flow-level.h"
#include "ns3/odcn-fabric-flow-level.h"
#include "ns3/odcn-fabric-parts.h"
#include "ns3/odcn-given-attributes.h"
#include "ns3/odcn-network-flow-level.h"
#include "ns3/odcn-network-packets.h"
#include "ns3/odcn-text.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::odcn
{

namespace
{

/// Packets that queues of servers and electrical ports hold at most: more than ever wait.
constexpr const char* QUEUE = "1000000p";

/// @param design a design
/// @param engine an engine
/// @throws OdcnError unless the engine can carry the traffic of the design
void
CheckEngine(const FabricDesign& design, FabricEngine engine)
{
    if (const std::string reason = design.WhyNot(engine); !reason.empty())
    {
        throw OdcnError("design " + design.GetName() + ": engine " + GetName(engine) + ": " +
                        reason);
    }
}

/// @param demand a demand, or an empty one
/// @param design a design
/// @return the demand; uniform if it is empty
DemandMatrix
FillDemand(const DemandMatrix& demand, const FabricDesign& design)
{
    return demand.GetNRacks() > 0 ? demand : DemandMatrix::Make("uniform", design.GetSize().racks);
}

} // namespace

OcsHelper
FabricDesignHelper::MakeHelper(const FabricDesign& design) const
{
    const FabricSize& size = design.GetSize();
    const StringValue rate(FormatNumber(size.gbps) + "Gbps");
    const StringValue half(FormatNumber(size.delay / 2) + "ns");
    const StringValue disc(m_queueDisc);
    OcsHelper helper;
    helper.SetSwitchAttribute("ReconfigurationTime", StringValue(FormatNumber(size.dark) + "us"));
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetTorAttribute("Routing", StringValue(design.GetRouting()));
    helper.SetTorAttribute("QueueDisc", disc);
    helper.SetTorAttribute("FairQueues", BooleanValue(m_fair));
    for (const auto& [name, value] : m_tor)
    {
        helper.SetTorAttribute(name, StringValue(value));
    }
    helper.SetSpineAttribute("QueueDisc", disc);
    helper.SetUplinkAttribute("DataRate", rate);
    helper.SetServerAttribute("DataRate", StringValue(FormatNumber(size.GetServerGbps()) + "Gbps"));
    helper.SetElectricalAttribute("DataRate", rate);
    helper.SetServerQueue(GetQueueType(), QueueSize(QUEUE));
    helper.SetElectricalQueue(GetQueueType(), QueueSize(QUEUE));
    helper.SetUplinkFiberAttribute("Delay", half);
    helper.SetElectricalFiberAttribute("Delay", half);
    return helper;
}

PacketNetworkHelper
FabricDesignHelper::MakeElectricalHelper(const FabricDesign& design) const
{
    const FabricSize& size = design.GetSize();
    const double rate = design.GetRouting() == "clos"
                            ? design.GetLinks() / design.GetSpines() * size.gbps
                            : size.gbps; // Gb/s
    PacketNetworkHelper helper;
    helper.SetSwitchAttribute("QueueDisc", StringValue(m_queueDisc));
    for (const auto& [attribute, value] : design.GetSwitchAttributes())
    {
        helper.SetSwitchAttribute(attribute, StringValue(value));
    }
    helper.SetUplinkAttribute("DataRate", DataRateValue(DataRate(std::llround(rate * 1e9))));
    helper.SetServerAttribute("DataRate", StringValue(FormatNumber(size.GetServerGbps()) + "Gbps"));
    helper.SetServerQueue(GetQueueType(), QueueSize(QUEUE));
    helper.SetUplinkQueue(GetQueueType(), QueueSize(QUEUE));
    helper.SetUplinkFiberAttribute("Delay", StringValue(FormatNumber(size.delay) + "ns"));
    return helper;
}

PacketTopology
FabricDesignHelper::GetTopology(const FabricDesign& design)
{
    const FabricSize& size = design.GetSize();
    const std::string& name = design.GetRouting();
    const uint32_t spines = design.GetSpines();
    return name == "ideal" ? PacketTopology::Ideal(size.racks, size.servers)
           : name == "clos"
               ? PacketTopology::LeafSpine(size.racks, size.servers, spines, spines)
               : PacketTopology::FatTree(FabricParts::GetTreePorts(size), size.racks, size.servers);
}

Ptr<FabricNetwork>
FabricDesignHelper::BuildNetwork(const FabricDesign& design,
                                 uint32_t switches,
                                 FabricEngine engine) const
{
    // Controllers exchange packets with any engine.
    const bool withServers = engine == FabricEngine::PACKETS || design.IsController();
    return design.Explain(
        [&]
        {
            if (design.IsElectrical())
            {
                const PacketNetworkHelper helper = MakeElectricalHelper(design);
                const Ptr<PacketNetwork> network = helper.Build(GetTopology(design));
                if (withServers)
                {
                    helper.InstallServers(network);
                }
                return CreateObject<FabricNetwork>(design, network);
            }
            design.GetForwarding(); // ToR switches find a wrong routing later only
            OcsFabricSize size = design.GetFabricSize();
            size.switches = switches > 0 ? switches : size.switches;
            OcsHelper helper = MakeHelper(design);
            const Ptr<OcsFabric> fabric = helper.Build(size);
            if (withServers)
            {
                helper.InstallServers(fabric);
            }
            return CreateObject<FabricNetwork>(design, fabric);
        });
}

Ptr<FabricNetwork>
FabricDesignHelper::Build(const FabricDesign& design,
                          int64_t stream,
                          const DemandMatrix& demand) const
{
    const Ptr<FabricNetwork> network = BuildNetwork(design);
    network->AssignStreams(stream);
    network->SetCircuits(FillDemand(demand, design), stream + CIRCUITS_STREAM);
    network->StartCircuits();
    return network;
}

Ptr<MessagePlane>
FabricDesignHelper::MakePlane(const Ptr<FabricNetwork>& network,
                              FabricEngine engine,
                              FlowHelper flows) const
{
    const FabricDesign& design = network->GetDesign();
    CheckEngine(design, engine);
    if (engine == FabricEngine::PACKETS)
    {
        return flows.InstallMessages(network);
    }
    if (engine == FabricEngine::EXACT)
    {
        throw OdcnError("design " + design.GetName() +
                        ": engine exact: messages at any time need ns-3's");
    }
    const UintegerValue packet(
        GetDefaultOf<UintegerValue>(FlowApplication::GetTypeId(), "PacketSize"));
    if (design.IsElectrical())
    {
        const auto level = CreateObject<NetworkFlowLevel>();
        level->SetAttribute("PacketSize", packet);
        level->SetHosts(network->GetServers());
        return level;
    }
    return design.Explain(
        [&]() -> Ptr<MessagePlane>
        {
            if (design.IsController())
            {
                const auto level = CreateObject<FabricFlowLevel>();
                level->SetAttribute("Routing", StringValue(design.GetRouting()));
                level->SetAttribute("PacketSize", packet);
                level->SetFabric(network->GetFabric());
                return level;
            }
            const auto level = CreateObject<CircuitFlowLevel>();
            level->SetAttribute("Routing", StringValue(design.GetRouting()));
            level->SetAttribute("Hold", BooleanValue(design.Holds()));
            level->SetAttribute("PacketSize", packet);
            level->SetFabric(GetModel(design), network->GetSchedule());
            if (network->GetStream() >= 0)
            {
                level->AssignStreams(network->GetStream());
            }
            return level;
        });
}

FlowHelper
FabricDesignHelper::MakeHosts(const FabricDesign& design, uint64_t shortFlows)
{
    FlowHelper flows;
    flows.SetAttribute("ShortFlows", UintegerValue(shortFlows));
    flows.SetAttribute("Hold", BooleanValue(design.Holds()));
    if (!GivenAttributes::IsGiven("ns3::odcn::FlowApplication::Repair"))
    {
        flows.SetAttribute("Repair", StringValue("Nack"));
    }
    flows.SetAttribute("ReorderTime", TimeValue(design.GetReorderTime()));
    flows.SetAttribute("RepairTimeout", TimeValue(design.GetRepairTimeout()));
    return flows;
}

FabricModel
FabricDesignHelper::GetModel(const FabricDesign& design) const
{
    return design.Explain([&] { return MakeHelper(design).GetModel(design.GetFabricSize()); });
}

std::unique_ptr<ExactPackets>
FabricDesignHelper::MakeExact(const FabricDesign& design,
                              const Ptr<CircuitSchedule>& schedule,
                              const SchedulePackets::Settings& settings,
                              int64_t stream) const
{
    CheckEngine(design, FabricEngine::EXACT);
    return design.Explain(
        [&]() -> std::unique_ptr<ExactPackets>
        {
            if (design.IsController())
            {
                return std::make_unique<SchedulePackets>(GetModel(design),
                                                         design.GetMakeLogic(stream),
                                                         settings);
            }
            if (!design.IsElectrical())
            {
                return std::make_unique<SchedulePackets>(GetModel(design), schedule, settings);
            }
            const auto port = GetDefaultOf<UintegerValue>(FlowApplication::GetTypeId(), "Port");
            return std::make_unique<NetworkPackets>(
                MakeElectricalHelper(design).GetModel(GetTopology(design)),
                NetworkPackets::Settings{settings, static_cast<uint16_t>(port)});
        });
}

ExactPackets::Result
FabricDesignHelper::RunExact(const FabricDesign& design,
                             const Traffic& flows,
                             Time until,
                             int64_t stream,
                             const DemandMatrix& demand) const
{
    CheckEngine(design, FabricEngine::EXACT);
    const int64_t circuits = stream + CIRCUITS_STREAM;
    const auto schedule =
        design.IsScheduled() ? design.MakeSchedule(FillDemand(demand, design), circuits) : nullptr;
    const auto shortFlows = GetDefaultOf<UintegerValue>(FlowApplication::GetTypeId(), "ShortFlows");
    const auto engine = MakeExact(design, schedule, design.MakeSettings(shortFlows), circuits);
    engine->AssignStreams(stream);
    return engine->Run(flows, until);
}

} // namespace ns3::odcn
