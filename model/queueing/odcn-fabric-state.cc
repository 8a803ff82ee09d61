// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-state.h"

#include "ns3/odcn-error.h"

#include <string>

namespace ns3
{
namespace odcn
{

namespace
{

/// @param value a number of @param name that must lie between @param least and @param greatest
void
CheckRange(const char* name, int64_t value, int64_t least, int64_t greatest)
{
    if (value < least || value > greatest)
    {
        throw OdcnError::InOption(std::string("packet fabric: ") + name,
                                  std::to_string(value),
                                  std::to_string(least) + " to " + std::to_string(greatest));
    }
}

} // namespace

void
OdcnFabricModel::Check() const
{
    constexpr int64_t MANY = 1 << 20;
    // An hour: sums of a few such times do not overflow.
    constexpr int64_t LONG = 3600'000'000'000'000;
    CheckRange("racks", racks, 1, MANY);
    CheckRange("servers of a rack", serversPerRack, 1, MANY);
    CheckRange("servers", int64_t(racks) * serversPerRack, 1, 1 << 24);
    CheckRange("uplinks of a rack", uplinks, 0, MANY);
    CheckRange("uplinks", int64_t(racks) * uplinks, 0, 1 << 24);
    CheckRange("optical switches", switches, 1, MANY);
    CheckRange("rate of servers' ports", serverRate, 1, INT64_MAX);
    CheckRange("rate of uplinks", uplinkRate, 1, INT64_MAX);
    CheckRange("queue of servers' ports", serverQueue, 1, MANY);
    CheckRange("queue of uplinks", uplinkQueue, 1, MANY);
    CheckRange("delay of servers' fibres", serverDelay, 0, LONG);
    CheckRange("delay of uplinks' fibres", uplinkDelay, 0, LONG);
    CheckRange("dark time", darkTime, 0, LONG);
}

OdcnFabricState::OdcnFabricState(const OdcnFabricModel& numbers)
    : model(numbers),
      uplinks(std::size_t(numbers.racks) * numbers.uplinks),
      racks(numbers.racks),
      servers(numbers.GetNServers())
{
    for (Rack& rack : racks)
    {
        rack.turn.resize(model.racks, 0);
        rack.portsTo.resize(model.racks);
    }
}

void
OdcnFabricState::Update(RackId from, RackId to)
{
    auto& ports = racks[from].portsTo[to];
    ports.clear();
    for (uint32_t p = 0; p < model.uplinks; ++p)
    {
        const Uplink& uplink = uplinks[UplinkOf(from, p)];
        if (uplink.circuit == to && !uplink.failed)
        {
            ports.push_back(p);
        }
    }
}

void
OdcnFabricState::Check(const std::vector<OdcnCircuitChange>& circuits) const
{
    const auto fail = [](const OdcnCircuitChange& c, const char* expected)
    {
        throw OdcnError::InOption(
            "circuit of rack " + std::to_string(c.from) + " uplink " + std::to_string(c.outPort),
            "rack " + std::to_string(c.newTo) + " uplink " + std::to_string(c.newInPort),
            expected);
    };
    constexpr uint32_t UNTOUCHED = NOWHERE - 1;
    std::vector<uint32_t> wanted(uplinks.size(), UNTOUCHED);
    for (const auto& c : circuits)
    {
        if (c.from >= model.racks || c.outPort >= model.uplinks)
        {
            fail(c, "an uplink of a rack");
        }
        uint32_t output = NOWHERE;
        if (c.newTo != NO_RACK)
        {
            if (c.newTo >= model.racks || c.newInPort >= model.uplinks || c.newTo == c.from ||
                c.newInPort % model.switches != c.outPort % model.switches)
            {
                fail(c, "another rack's uplink on the same optical switch");
            }
            output = UplinkOf(c.newTo, c.newInPort);
        }
        uint32_t& now = wanted[UplinkOf(c.from, c.outPort)];
        if (now != UNTOUCHED)
        {
            fail(c, "each uplink once");
        }
        now = output;
    }
    std::vector<bool> taken(uplinks.size(), false);
    for (const auto& c : circuits)
    {
        const uint32_t output = wanted[UplinkOf(c.from, c.outPort)];
        if (output == NOWHERE)
        {
            continue;
        }
        const uint32_t now = uplinks[output].input;
        if (taken[output] || (now != NOWHERE && wanted[now] == UNTOUCHED))
        {
            fail(c, "an uplink that no other circuit leads to");
        }
        taken[output] = true;
    }
}

void
OdcnFabricState::Preset(const std::vector<OdcnCircuitChange>& circuits)
{
    Check(circuits);
    for (const auto& c : circuits)
    {
        Uplink& uplink = uplinks[UplinkOf(c.from, c.outPort)];
        if (uplink.output != NOWHERE)
        {
            uplinks[uplink.output].input = NOWHERE;
            uplink.output = NOWHERE;
        }
    }
    for (const auto& c : circuits)
    {
        const uint32_t from = UplinkOf(c.from, c.outPort);
        Uplink& uplink = uplinks[from];
        const RackId before = uplink.circuit;
        uplink.circuit = c.newTo;
        uplink.upFrom = INT64_MIN;
        ++uplink.moves;
        if (c.newTo != NO_RACK)
        {
            uplink.output = UplinkOf(c.newTo, c.newInPort);
            uplinks[uplink.output].input = from;
            Update(c.from, c.newTo);
        }
        if (before != NO_RACK)
        {
            Update(c.from, before);
        }
    }
}

void
OdcnFabricState::CheckFlows(const std::vector<OdcnPacketFlow>& flows) const
{
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const OdcnPacketFlow& flow = flows[f];
        if (flow.from >= servers.size() || flow.to >= servers.size() || flow.from == flow.to)
        {
            throw OdcnError::InOption("servers of flow " + std::to_string(f),
                                      std::to_string(flow.from) + ", " + std::to_string(flow.to),
                                      "two servers below " + std::to_string(servers.size()));
        }
    }
}

void
OdcnFabricState::Start(int64_t now, const std::vector<OdcnPacketFlow>& flows)
{
    for (uint32_t f = 0; f < flows.size(); ++f)
    {
        const OdcnPacketFlow& flow = flows[f];
        Server& server = servers[flow.from];
        Rack& rack = racks[RackOfServer(flow.from)];
        if (server.flows >= flowStreams)
        {
            throw OdcnError::InOption("flows of server " + std::to_string(flow.from),
                                      std::to_string(server.flows + 1),
                                      "no more than " + std::to_string(flowStreams));
        }
        if (server.flows == server.streams.size())
        {
            const int64_t number = flowStream + flow.from * flowStreams + server.flows;
            server.streams.push_back(rack.arrivals.AddStream(number));
            rack.flows.push_back(0);
            if (server.law.sizes || server.law.bursts)
            {
                OdcnPacketLaw law(server.law.sizes, server.law.bursts, number);
                law.SetBounds(server.law.least, server.law.greatest);
                rack.arrivals.SetLaw(server.streams.back(), law);
            }
        }
        const uint32_t stream = server.streams[server.flows++];
        rack.flows[stream] = f;
        rack.arrivals.Start(stream, now, flow.meanGap, flow.bytes);
    }
}

void
OdcnFabricState::Stop()
{
    for (ServerId s = 0; s < servers.size(); ++s)
    {
        for (uint32_t i = 0; i < servers[s].flows; ++i)
        {
            racks[RackOfServer(s)].arrivals.Stop(servers[s].streams[i]);
        }
        servers[s].flows = 0;
    }
}

} // namespace odcn
} // namespace ns3
