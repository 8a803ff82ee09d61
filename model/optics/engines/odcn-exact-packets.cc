// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-exact-packets.h"

#include "odcn-exact-engine.h"

#include "ns3/boolean.h"
#include "ns3/odcn-attribute-defaults.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-transport-logic.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>

namespace ns3::odcn
{

ExactPackets::HostSettings
ExactPackets::HostSettings::FromDefaults()
{
    const TypeId host = FlowApplication::GetTypeId();
    const auto getCount = [&host](const char* name)
    { return static_cast<uint32_t>(GetDefaultOf<UintegerValue>(host, name)); };
    HostSettings settings;
    settings.shortFlows = GetDefaultOf<UintegerValue>(host, "ShortFlows");
    settings.order =
        static_cast<Order>(GetDefaultOf<CompatEnumValue<FlowApplication::Order>>(host, "Order"));
    settings.packetSize = getCount("PacketSize");
    settings.transport = GetDefaultOf<StringValue>(host, "Transport");
    settings.repair = static_cast<FlowApplication::RepairMode>(
        GetDefaultOf<CompatEnumValue<FlowApplication::RepairMode>>(host, "Repair"));
    settings.window = getCount("Window");
    settings.creditPackets = getCount("CreditPackets");
    settings.windowPerMessage = GetDefaultOf<BooleanValue>(host, "WindowPerMessage");
    settings.reorderTime = GetDefaultOf<TimeValue>(host, "ReorderTime");
    settings.repairTimeout = GetDefaultOf<TimeValue>(host, "RepairTimeout");
    return settings;
}

void
ExactPackets::Require(bool valid,
                      const char* name,
                      const std::string& value,
                      const std::string& range)
{
    if (!valid)
    {
        throw OdcnError::InOption(std::string("exact packets: ") + name, value, range);
    }
}

void
ExactPackets::Check(const HostSettings& settings)
{
    Require(settings.packetSize >= 64 && settings.packetSize <= UINT16_MAX,
            "PacketSize",
            std::to_string(settings.packetSize),
            "64 to 65535");
    const std::string whyNot = WhyNot(settings);
    Require(whyNot.empty(), "transport", whyNot, "Udp or a TransportLogic");
    Require(settings.reorderTime.IsStrictlyPositive() &&
                settings.repairTimeout.IsStrictlyPositive(),
            "ReorderTime, RepairTimeout",
            std::to_string(settings.reorderTime.GetPicoSeconds()) + ", " +
                std::to_string(settings.repairTimeout.GetPicoSeconds()) + " ps",
            "above 0 each");
    Require(settings.creditPackets >= 1, "CreditPackets", "0", "1 or more");
    Require(settings.goodputWindow.IsStrictlyPositive(),
            "GoodputWindow",
            std::to_string(settings.goodputWindow.GetPicoSeconds()) + " ps",
            "above 0");
}

std::string
ExactPackets::WhyNot(const HostSettings& settings)
{
    if (settings.transport != "Udp" && !TransportLogic::IsKnown(settings.transport))
    {
        return "FlowApplication::Transport is " + settings.transport +
               ", which has packets of ns-3 only";
    }
    const auto logic = TransportLogic::Make(settings.transport, settings.repair);
    return settings.window > 0 && !logic->HasCredits()
               ? "FlowApplication::Window is given, but the transport has no credits"
               : "";
}

uint32_t
ExactPackets::GetHeaders(const HostSettings& settings)
{
    TransportPacket packet;
    packet.size = 1;
    return settings.HasLoops()
               ? TransportLogic::Make(settings.transport, settings.repair)->GetHeaders(packet)
               : HEADERS;
}

void
ExactPackets::CheckEnd(Time until)
{
    Require(!until.IsStrictlyNegative(),
            "end of the run",
            std::to_string(until.GetPicoSeconds()) + " ps",
            "0 or more");
}

void
ExactPackets::SetFaults(FaultPlan plan, Time detection)
{
    Require(!detection.IsStrictlyNegative(),
            "DetectionTime",
            std::to_string(detection.GetPicoSeconds()) + " ps",
            "0 or more");
    FaultParts parts = GetParts();
    plan.Check([&parts](FaultPart part)
               { return parts.contains(part) ? parts.at(part) : FaultSizes(); });
    m_faults = {std::move(plan), detection.GetPicoSeconds(), std::move(parts)};
}

ExactPackets::Result
ExactPackets::Run(TrafficSource& source, Time until)
{
    CheckEnd(until);
    const Traffic none;
    return MakeEngine(none)->Run(until.GetPicoSeconds(), &source);
}

ExactPackets::Result
ExactPackets::Run(const Traffic& flows, Time until)
{
    CheckEnd(until);
    if (flows.Waits())
    {
        TrafficRun run(flows);
        Result result = Run(run, until);
        static_cast<TrafficResult&>(result) = run.GetResult();
        return result;
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const Traffic::Item& flow = flows[i];
        if (flow.from >= GetNHosts() || flow.to >= GetNHosts() || flow.from == flow.to ||
            flow.bytes == 0 || flow.start.IsStrictlyNegative())
        {
            throw OdcnError(
                "exact packets: flow " + std::to_string(i) + " from host " +
                std::to_string(flow.from) + " to " + std::to_string(flow.to) + " of " +
                std::to_string(flow.bytes) + " bytes: expected two different hosts below " +
                std::to_string(GetNHosts()) + ", 1 byte or more, and a start of 0 or more");
        }
    }
    return MakeEngine(flows)->Run(until.GetPicoSeconds());
}

} // namespace ns3::odcn
