// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-schedule-packets.h"

#include "odcn-schedule-engine.h"

#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-flow-path.h"

#include <string>
#include <utility>

namespace ns3::odcn
{

SchedulePackets::SchedulePackets(const FabricModel& model,
                                 Ptr<CircuitSchedule> schedule,
                                 const Settings& settings)
    : m_model(model),
      m_schedule(schedule),
      m_settings(settings)
{
    CheckSettings();
    Require(schedule->GetNRacks() == model.racks && schedule->GetNPlanes() == model.uplinks,
            "schedule",
            std::to_string(schedule->GetNRacks()) + " racks, " +
                std::to_string(schedule->GetNPlanes()) + " planes",
            std::to_string(model.racks) + " racks, " + std::to_string(model.uplinks) + " planes");
}

SchedulePackets::SchedulePackets(const FabricModel& model,
                                 MakeLogic makeLogic,
                                 const Settings& settings)
    : m_model(model),
      m_makeLogic(std::move(makeLogic)),
      m_settings(settings)
{
    CheckSettings();
    Require(!settings.hold, "Hold with a controller", "true", "false");
}

void
SchedulePackets::CheckSettings() const
{
    const FabricModel& model = m_model;
    const Settings& settings = m_settings;
    model.Check();
    const TorForwarding& forwarding = settings.forwarding;
    const std::string whyNot = WhyNot(forwarding);
    Require(whyNot.empty(), "routing", whyNot, "a known way of forwarding");
    const bool paths = forwarding.expedited.kind == TorForwarding::SHORTEST;
    Require(!paths || model.spreading != Spreading::PER_FLOW,
            "Spreading",
            "PerFlow",
            "PerPacket or RoundRobin");
    Require(!paths || model.uplinks <= OcsCircuitTable::MAX_PORTS,
            "uplinks",
            std::to_string(model.uplinks),
            "at most " + std::to_string(OcsCircuitTable::MAX_PORTS));
    Require(!model.detour, "NoCircuit", "Detour", "Hold");
    Require(!settings.hold || forwarding.bulk.kind == TorForwarding::DIRECT,
            "Hold",
            "true",
            "false, or DirectRouting");
    Require(!paths || (forwarding.expedited.maxHops >= 1 && forwarding.expedited.maxHops <= 255),
            "MaxHops",
            std::to_string(forwarding.expedited.maxHops),
            "1 to 255");
    Require(!paths || (forwarding.expedited.paths >= 1 &&
                       forwarding.expedited.paths <= OcsCircuitTable::MAX_PORTS),
            "Paths",
            std::to_string(forwarding.expedited.paths),
            "1 to " + std::to_string(OcsCircuitTable::MAX_PORTS));
    Check(settings);
    const std::string why = WhyNot(settings);
    Require(why.empty(), "transport", why, "Udp without a Window");
    const uint32_t headers = settings.HasLoops() ? GetHeaders(settings) : MESSAGE_HEADERS;
    Require(model.trimData == 0 || model.trimHeaders >= headers,
            "TrimQueue::HeaderSize",
            std::to_string(model.trimHeaders),
            "at least the headers of the transport, " + std::to_string(headers));
    Require(!settings.guard.IsStrictlyNegative() && !settings.pathMargin.IsStrictlyNegative() &&
                !settings.averageUntil.IsStrictlyNegative(),
            "Guard, PathMargin, averageUntil",
            std::to_string(settings.guard.GetPicoSeconds()) + ", " +
                std::to_string(settings.pathMargin.GetPicoSeconds()) + ", " +
                std::to_string(settings.averageUntil.GetPicoSeconds()) + " ps",
            "0 or more each");
}

std::string
SchedulePackets::WhyNot(const TorForwarding& forwarding)
{
    const auto& [bulk, expedited] = forwarding;
    if (bulk.kind == TorForwarding::OTHER || expedited.kind == TorForwarding::OTHER)
    {
        return "its routing does not say how it forwards";
    }
    if (!forwarding.HasClasses())
    {
        return "";
    }
    return expedited.kind != TorForwarding::SHORTEST ? "short flows do not take shortest paths"
           : bulk.kind == TorForwarding::SHORTEST    ? "two classes take paths of different kinds"
                                                     : "";
}

std::string
SchedulePackets::WhyNot(const Settings& settings)
{
    const std::string whyNot = ExactPackets::WhyNot(settings);
    return !whyNot.empty() ? whyNot
           : settings.hold && (settings.transport != "Udp" || settings.window > 0)
               ? "hosts hold flows, with another transport than Udp or with a Window"
               : "";
}

int64_t
SchedulePackets::CountStreams() const
{
    const TorForwarding::Class& bulk = m_settings.forwarding.bulk;
    return bulk.IsTransit() && bulk.kind != TorForwarding::TRANSIT_AGREED ? 2 : 1;
}

void
SchedulePackets::MakeStreams(int64_t first)
{
    m_streams.clear();
    for (RackId rack = 0; rack < m_model.racks; ++rack)
    {
        const int64_t spreading = first < 0 ? first : first + rack * CountStreams();
        const int64_t transit = first < 0 ? first : spreading + 1;
        m_streams.push_back({RandomStream(spreading), RandomStream(transit)});
    }
}

int64_t
SchedulePackets::AssignStreams(int64_t stream)
{
    MakeStreams(stream);
    return int64_t(m_model.racks) * CountStreams();
}

FaultParts
SchedulePackets::GetParts() const
{
    const FabricModel& m = m_model;
    const FaultSizes ports(m.switches, m.racks * ((m.uplinks + m.switches - 1) / m.switches));
    const FaultSizes uplinks(m.racks, m.uplinks);
    return {{FaultPart::OCS, FaultSizes(m.switches, 1)},
            {FaultPart::OCS_PORT, ports},
            {FaultPart::MIRROR, ports},
            {FaultPart::CIRCUIT, ports},
            {FaultPart::UPLINK, uplinks},
            {FaultPart::FIBER, uplinks},
            {FaultPart::TOR, FaultSizes(m.racks, 1)},
            {FaultPart::SERVER, FaultSizes(m.racks, m.serversPerRack)}};
}

std::vector<Time>
SchedulePackets::GetUnloadedTimes(const Traffic& flows) const
{
    const DataRate server(static_cast<uint64_t>(m_model.serverRate));
    const DataRate uplink(static_cast<uint64_t>(m_model.uplinkRate));
    const Time link = PicoSeconds(2 * m_model.serverDelay);
    const FlowPath inside{{server, server}, link};
    const FlowPath between{{server, uplink, server}, link + PicoSeconds(2 * m_model.uplinkDelay)};
    const uint32_t headers = GetHeaders(m_settings);
    std::vector<Time> times;
    times.reserve(flows.size());
    for (const Traffic::Item& flow : flows)
    {
        const bool isInside =
            flow.from / m_model.serversPerRack == flow.to / m_model.serversPerRack;
        times.push_back((isInside ? inside : between)
                            .GetUnloadedTime({m_settings.packetSize, headers, flow.bytes}));
    }
    return times;
}

std::unique_ptr<ExactPackets::Engine>
SchedulePackets::MakeEngine(const Traffic& flows)
{
    if (m_streams.empty())
    {
        MakeStreams(-1);
    }
    return std::make_unique<FabricEngine>(*this, flows);
}

} // namespace ns3::odcn
