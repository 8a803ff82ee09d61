// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-fabric.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-worker-team.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Approximate packets per port in a block, to amortize the overhead of a block.
constexpr double PORT_PACKETS = 8;
/// Limits of the packets in a block over all ports, so that a block fits in the cache of a core.
constexpr double LEAST_PACKETS = 2048;
constexpr double MOST_PACKETS = 65536;
/// Approximate number of packets of a flow drawn at a time.
constexpr double FLOW_PACKETS = 16;
/// Number of index bits in a sort key; the bits above hold a time.
constexpr uint32_t INDEX_BITS = 24;
constexpr uint64_t INDEX = (uint64_t(1) << INDEX_BITS) - 1;
/// Longest block in ps, so that its times fit into a sort key; packets may wait longer.
constexpr double LONGEST = 0x1p38;
/// Least number of fates passed to the sink at a time.
constexpr std::size_t FATES = 512;

/// @param model parameters of a fabric
/// @return the same
/// @throws OdcnError when they are invalid
const FabricModel&
CheckModel(const FabricModel& model)
{
    model.Check();
    if (model.hold)
    {
        throw OdcnError::InOption("exact packet engine: NoCircuit",
                                  "Hold",
                                  "Drop or Detour; SchedulePackets knows Hold");
    }
    if (model.fairServers || model.trimData > 0)
    {
        throw OdcnError::InOption("exact packet engine: queue of servers",
                                  model.fairServers ? "FairQueue" : "TrimQueue",
                                  "DropTailQueue; SchedulePackets knows the others");
    }
    return model;
}

} // namespace

PacketFabric::PacketFabric(const FabricModel& model)
    : m_model(CheckModel(model)),
      m_servers(model.GetNServers()),
      m_uplinks(std::size_t(model.racks) * model.uplinks),
      m_racks(model.racks),
      m_rackOf(m_servers.size()),
      m_cards(m_servers.size()),
      m_downlinks(m_servers.size()),
      m_uplinkPorts(m_uplinks.size()),
      m_toServers(m_servers.size()),
      m_serverKind{model.serverRate, model.serverQueue},
      m_uplinkKind{model.uplinkRate, model.uplinkQueue},
      m_uplinkDelay(2 * model.uplinkDelay)
{
    for (ServerId server = 0; server < m_rackOf.size(); ++server)
    {
        m_rackOf[server] = server / m_model.serversPerRack;
    }
    for (Rack& rack : m_racks)
    {
        rack.turn.resize(m_model.racks, 0);
        rack.portsTo.resize(m_model.racks);
    }
}

void
PacketFabric::FindPorts(RackId from, RackId to)
{
    auto& ports = m_racks[from].portsTo[to];
    ports.clear();
    for (uint32_t p = 0; p < m_model.uplinks; ++p)
    {
        if (m_uplinks[from * m_model.uplinks + p].circuit == to)
        {
            ports.push_back(p);
        }
    }
}

void
PacketFabric::Preset(const std::vector<OdcnCircuitChange>& circuits)
{
    const auto fail = [](const OdcnCircuitChange& c, const char* expected)
    {
        throw OdcnError::InOption(
            "circuit of rack " + std::to_string(c.from) + " uplink " + std::to_string(c.outPort),
            "rack " + std::to_string(c.newTo) + " uplink " + std::to_string(c.newInPort),
            expected);
    };
    std::vector<Uplink> uplinks = m_uplinks;
    std::vector<bool> changed(uplinks.size(), false);
    for (const auto& c : circuits)
    {
        if (c.from >= m_model.racks || c.outPort >= m_model.uplinks)
        {
            fail(c, "an uplink of a rack");
        }
        if (c.newTo != NO_RACK &&
            (c.newTo >= m_model.racks || c.newInPort >= m_model.uplinks || c.newTo == c.from ||
             c.newInPort % m_model.switches != c.outPort % m_model.switches))
        {
            fail(c, "another rack's uplink on the same optical switch");
        }
        const uint32_t from = c.from * m_model.uplinks + c.outPort;
        if (changed[from])
        {
            fail(c, "each uplink once");
        }
        changed[from] = true;
        if (const uint32_t output = std::exchange(uplinks[from].output, NOWHERE); output != NOWHERE)
        {
            uplinks[output].input = NOWHERE;
        }
    }
    for (const auto& c : circuits)
    {
        const uint32_t from = c.from * m_model.uplinks + c.outPort;
        uplinks[from].circuit = c.newTo;
        if (c.newTo == NO_RACK)
        {
            continue;
        }
        const uint32_t output = c.newTo * m_model.uplinks + c.newInPort;
        if (std::exchange(uplinks[output].input, from) != NOWHERE)
        {
            fail(c, "an uplink that no other circuit leads to");
        }
        uplinks[from].output = output;
    }
    uplinks.swap(m_uplinks);
    for (const auto& c : circuits)
    {
        for (const RackId to : {c.newTo, uplinks[c.from * m_model.uplinks + c.outPort].circuit})
        {
            if (to != NO_RACK)
            {
                FindPorts(c.from, to);
            }
        }
    }
}

void
PacketFabric::CheckFlows(const std::vector<PacketFlow>& flows) const
{
    std::vector<uint32_t> count(m_servers.size(), 0);
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const PacketFlow& flow = flows[f];
        const auto fail = [f](const std::string& found, const std::string& expected)
        { throw OdcnError::InOption("flow " + std::to_string(f), found, expected); };
        if (flow.from >= m_servers.size() || flow.to >= m_servers.size() || flow.from == flow.to)
        {
            fail("servers " + std::to_string(flow.from) + ", " + std::to_string(flow.to),
                 "two servers below " + std::to_string(m_servers.size()));
        }
        if (flow.bytes == 0 || flow.bytes > UINT16_MAX || !(flow.meanGap > 0) ||
            flow.meanGap > PacketSource::MAX_MEAN_GAP)
        {
            fail(std::to_string(flow.bytes) + " bytes each " + std::to_string(flow.meanGap) + " ps",
                 "1 to 65535 bytes and a gap above 0 and up to 1e17 ps");
        }
        if (++count[flow.from] > m_streamsPerServer)
        {
            fail("more than " + std::to_string(m_streamsPerServer) + " flows of server " +
                     std::to_string(flow.from),
                 "as many flows as a server has random streams");
        }
        const RackId from = m_rackOf[flow.from];
        const RackId to = m_rackOf[flow.to];
        if (m_model.detour && from != to && m_racks[from].portsTo[to].empty())
        {
            fail("no circuit from rack " + std::to_string(from) + " to " + std::to_string(to),
                 "a circuit: the exact packet engine knows no detours");
        }
    }
    if (flows.size() > INDEX)
    {
        throw OdcnError::InOption("flows", std::to_string(flows.size()), "fewer than 2^24");
    }
}

void
PacketFabric::Need(uint32_t bytes)
{
    m_serverKind.Need(bytes);
    m_uplinkKind.Need(bytes);
}

void
PacketFabric::TakeFlows(const std::vector<PacketFlow>& flows, int64_t opened)
{
    double rate = 0;
    uint32_t least = UINT32_MAX;
    uint32_t leastDrawn = UINT32_MAX;
    uint32_t greatestDrawn = 0;
    std::vector<uint32_t> used(m_servers.size(), 0);
    m_hashes.clear();
    for (uint32_t f = 0; f < flows.size(); ++f)
    {
        const PacketFlow& flow = flows[f];
        Server& server = m_servers[flow.from];
        const uint32_t i = used[flow.from]++;
        if (i == server.sources.size())
        {
            const int64_t stream = m_model.racks + flow.from * m_streamsPerServer + i;
            server.sources.emplace_back(server.law,
                                        m_firstStream < 0 ? -1 : m_firstStream + stream);
        }
        rate += 1 / flow.meanGap;
        m_hashes.push_back(flow.hash);
        if (server.sources[i].DrawsSizes())
        {
            leastDrawn = std::min(leastDrawn, server.law.least);
            greatestDrawn = std::max(greatestDrawn, server.law.greatest);
        }
        else
        {
            Need(flow.bytes);
            least = std::min(least, flow.bytes);
        }
    }
    for (uint32_t bytes = leastDrawn; bytes <= greatestDrawn; ++bytes)
    {
        Need(bytes);
    }
    least = std::min(least, leastDrawn);
    for (PortKind* kind : {&m_serverKind, &m_uplinkKind})
    {
        kind->plenty = kind->tx[least] * kind->limit;
    }
    const auto ports = static_cast<double>(2 * m_servers.size() + m_uplinks.size());
    const double packets = std::clamp(PORT_PACKETS * ports, LEAST_PACKETS, MOST_PACKETS);
    m_length = static_cast<int64_t>(std::clamp(packets / rate, 1.0, LONGEST / 2));
    const double together = FLOW_PACKETS * static_cast<double>(flows.size()) / rate;
    m_ahead = static_cast<int64_t>(std::clamp(together, 0.0, LONGEST / 2));
    // From here on pointers to sources stay valid.
    std::fill(used.begin(), used.end(), 0);
    for (uint32_t f = 0; f < flows.size(); ++f)
    {
        const PacketFlow& flow = flows[f];
        PacketSource& source = m_servers[flow.from].sources[used[flow.from]++];
        const int64_t first = opened + source.Start(flow.meanGap, flow.bytes);
        const uint32_t bytes = source.DrawsSizes() ? 0 : flow.bytes;
        m_racks[m_rackOf[flow.from]].flows.push_back(
            {&source, first, f, 0, bytes, flow.from, flow.to});
    }
}

void
PacketFabric::Clear(int64_t opened)
{
    m_begin = opened;
    m_end = opened;
    for (auto* ports : {&m_cards, &m_downlinks, &m_uplinkPorts})
    {
        for (PacketPort& port : *ports)
        {
            port.Clear();
        }
    }
    for (Input& input : m_toServers)
    {
        input.Clear();
    }
    for (RackId r = 0; r < m_racks.size(); ++r)
    {
        Rack& rack = m_racks[r];
        if (!rack.random)
        {
            rack.random.emplace(m_firstStream < 0 ? -1 : m_firstStream + r);
        }
        rack.feeders.clear();
        rack.flows.clear();
        rack.sends.clear();
        rack.nextSend = 0;
        rack.drawnTo = opened;
        rack.busyCards.clear();
        rack.toUplinks.Clear();
        rack.fates.Clear();
        rack.lastEnd = opened;
        rack.firstTie = INT64_MAX;
    }
    for (uint32_t u = 0; u < m_uplinks.size(); ++u)
    {
        if (m_uplinks[u].output != NOWHERE)
        {
            m_racks[m_uplinks[u].circuit].feeders.push_back(u);
        }
    }
}

int64_t
PacketFabric::Run(int64_t opened,
                  int64_t until,
                  const std::vector<PacketFlow>& flows,
                  OdcnPacketSink& to)
{
    if (opened < 0 || until < opened)
    {
        throw OdcnError::InOption("packets from and until",
                                  std::to_string(opened) + ", " + std::to_string(until) + " ps",
                                  "0 or more, ascending");
    }
    CheckFlows(flows);
    m_firstTie = INT64_MAX;
    if (flows.empty())
    {
        return opened;
    }
    m_sink = &to;
    m_until = until;
    Clear(opened);
    TakeFlows(flows, opened);
    // Racks are independent of each other on the way up, and on the way down.
    WorkerTeam team(std::clamp<uint32_t>(m_threads, 1, m_model.racks));
    const auto forRacks = [&](void (PacketFabric::*run)(RackId))
    {
        team.Run(m_racks.size(),
                 [&](std::size_t begin, std::size_t end)
                 {
                     for (std::size_t rack = begin; rack < end; ++rack)
                     {
                         (this->*run)(static_cast<RackId>(rack));
                     }
                 });
    };
    while (NextBlock())
    {
        Interruption::Check();
        forRacks(&PacketFabric::RunUp);
        forRacks(&PacketFabric::RunDown);
    }
    int64_t lastEnd = opened;
    for (RackId r = 0; r < m_racks.size(); ++r)
    {
        const Rack& rack = m_racks[r];
        if (rack.fates.GetSize() > 0)
        {
            to.Take(r, {&rack.fates[0], rack.fates.GetSize()});
        }
        lastEnd = std::max(lastEnd, rack.lastEnd);
        m_firstTie = std::min(m_firstTie, rack.firstTie);
    }
    return lastEnd;
}

bool
PacketFabric::NextBlock()
{
    m_begin = m_end;
    if (m_begin >= m_until)
    {
        m_begin = std::max(m_begin, FindNext());
    }
    if (m_begin == INT64_MAX)
    {
        return false;
    }
    m_end = m_begin + m_length;
    return true;
}

int64_t
PacketFabric::FindNext() const
{
    // The outcome of a packet that reaches a port to a server is already known.
    int64_t next = INT64_MAX;
    for (const auto* ports : {&m_cards, &m_uplinkPorts})
    {
        for (const PacketPort& port : *ports)
        {
            if (const Passage* packet = port.GetNext())
            {
                next = std::min(next, packet->time);
            }
        }
    }
    return next;
}

void
PacketFabric::Draw(Rack& rack, int64_t until)
{
    rack.sends.clear();
    rack.nextSend = 0;
    rack.drawnFrom = rack.drawnTo;
    rack.drawnTo = until;
    for (std::size_t f = 0; f < rack.flows.size(); ++f)
    {
        Flow& flow = rack.flows[f];
        while (flow.next < until)
        {
            const uint32_t packets = flow.source->NextBurst();
            const auto time = static_cast<uint64_t>(flow.next - rack.drawnFrom);
            rack.sends.insert(rack.sends.end(), packets, time << INDEX_BITS | f);
            flow.next += flow.source->NextGap(packets);
        }
    }
    Sort(rack.sends, rack);
    for (std::size_t i = 1; i < rack.sends.size(); ++i)
    {
        const uint64_t differs = rack.sends[i] ^ rack.sends[i - 1];
        if (differs != 0 && differs <= INDEX) [[unlikely]]
        {
            const auto time = static_cast<int64_t>(rack.sends[i] >> INDEX_BITS);
            rack.firstTie = std::min(rack.firstTie, rack.drawnFrom + time);
            return;
        }
    }
}

void
PacketFabric::Sort(std::vector<uint64_t>& keys, Rack& rack)
{
    // Bucket sort with about half a key per bucket, then insertion sort with few moves.
    const std::size_t n = keys.size();
    if (n < 2)
    {
        return;
    }
    const uint64_t greatest = *std::max_element(keys.begin(), keys.end());
    const auto width = [](uint64_t x) { return 64 - static_cast<int>(std::countl_zero(x)); };
    const int shift = std::max(0, width(greatest) - width(2 * n));
    rack.places.assign((greatest >> shift) + 1, 0);
    for (const uint64_t key : keys)
    {
        ++rack.places[key >> shift];
    }
    uint32_t place = 0;
    for (uint32_t& count : rack.places)
    {
        place += std::exchange(count, place);
    }
    rack.unsorted.swap(keys);
    keys.resize(n);
    for (const uint64_t key : rack.unsorted)
    {
        keys[rack.places[key >> shift]++] = key;
    }
    for (std::size_t i = 1; i < n; ++i)
    {
        const uint64_t key = keys[i];
        std::size_t j = i;
        for (; j > 0 && keys[j - 1] > key; --j)
        {
            keys[j] = keys[j - 1];
        }
        keys[j] = key;
    }
}

const std::vector<uint64_t>&
PacketFabric::Order(Rack& rack, const Input& input) const
{
    auto& keys = rack.keys;
    const std::size_t n = input.GetSize();
    keys.resize(n);
    std::size_t moves = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        const uint64_t key = static_cast<uint64_t>(input[i].time - m_begin) << INDEX_BITS | i;
        std::size_t j = i;
        // Insertion sort: the input is nearly sorted.
        for (; j > 0 && keys[j - 1] > key; --j)
        {
            keys[j] = keys[j - 1];
        }
        keys[j] = key;
        moves += i - j;
        if (moves > 64 + 16 * i) [[unlikely]]
        {
            for (std::size_t k = i + 1; k < n; ++k)
            {
                keys[k] = static_cast<uint64_t>(input[k].time - m_begin) << INDEX_BITS | k;
            }
            std::sort(keys.begin(), keys.end());
            break;
        }
    }
    const auto together = [&keys](std::size_t i) { return (keys[i] ^ keys[i - 1]) <= INDEX; };
    for (std::size_t i = 1; i < n; ++i)
    {
        if (!together(i)) [[likely]]
        {
            continue;
        }
        const std::size_t first = i - 1;
        while (i < n && together(i))
        {
            ++i;
        }
        const auto sent = [&input](uint64_t key)
        {
            const Passage& p = input[key & INDEX];
            return std::tuple(p.sent, p.flow, p.sequence);
        };
        std::sort(keys.begin() + static_cast<std::ptrdiff_t>(first),
                  keys.begin() + static_cast<std::ptrdiff_t>(i),
                  [&sent](uint64_t a, uint64_t b) { return sent(a) < sent(b); });
        rack.firstTie = std::min(rack.firstTie, input[keys[first] & INDEX].time);
    }
    return keys;
}

void
PacketFabric::RunUp(RackId rack)
{
    Rack& r = m_racks[rack];
    std::erase_if(r.busyCards,
                  [&](ServerId card)
                  {
                      Release(r, card);
                      return !m_cards[card].GetNext();
                  });
    // Draw several packets of each flow at a time, which is faster than block by block.
    while (r.nextSend < r.sends.size() || r.drawnTo < std::min(m_end, m_until))
    {
        if (r.nextSend == r.sends.size())
        {
            Draw(r, std::min(m_end + m_ahead, m_until));
            continue;
        }
        const uint64_t key = r.sends[r.nextSend];
        const int64_t now = r.drawnFrom + static_cast<int64_t>(key >> INDEX_BITS);
        if (now >= m_end)
        {
            break;
        }
        ++r.nextSend;
        Send(r, now, r.flows[key & INDEX]);
    }
    for (const uint64_t key : Order(r, r.toUplinks))
    {
        ToUplink(rack, r.toUplinks[key & INDEX]);
    }
    r.toUplinks.Clear();
}

inline void
PacketFabric::Send(Rack& rack, int64_t now, Flow& flow)
{
    const ServerId card = flow.from;
    PacketPort& port = m_cards[card];
    const uint32_t bytes = flow.bytes > 0 ? flow.bytes : flow.source->NextSize();
    const uint32_t sequence = flow.sequence++;
    const Passage packet{now, now, flow.index, sequence, bytes, flow.to};
    const bool wasEmpty = !port.GetNext();
    const Passage* leaving = port.Accept(packet, m_serverKind, rack.firstTie);
    if (!leaving)
    {
        Lose(rack, packet, OcsDropCause::QUEUE_OVERFLOW);
    }
    else if (leaving->time < m_end - m_model.serverDelay) [[likely]]
    {
        port.Release();
        FromServer(rack, *leaving);
    }
    else if (wasEmpty)
    {
        rack.busyCards.push_back(card);
    }
}

void
PacketFabric::Release(Rack& rack, ServerId card)
{
    PacketPort& port = m_cards[card];
    const int64_t latest = m_end - m_model.serverDelay;
    for (const Passage* packet; (packet = port.GetNext()) && packet->time < latest; port.Release())
    {
        FromServer(rack, *packet);
    }
}

inline void
PacketFabric::FromServer(Rack& rack, const Passage& packet)
{
    const bool intra = &m_racks[m_rackOf[packet.to]] == &rack;
    Passage& arriving = (intra ? m_toServers[packet.to] : rack.toUplinks).Add();
    arriving = packet;
    arriving.time += m_model.serverDelay;
}

inline void
PacketFabric::ToUplink(RackId rack, const Passage& packet)
{
    Rack& r = m_racks[rack];
    const RackId to = m_rackOf[packet.to];
    const auto& ports = r.portsTo[to];
    const auto n = static_cast<uint32_t>(ports.size());
    if (n == 0)
    {
        Lose(r, packet, OcsDropCause::NO_CIRCUIT);
        return;
    }
    uint32_t i = 0;
    if (n > 1)
    {
        switch (m_model.spreading)
        {
        case Spreading::PER_PACKET:
            i = r.random->NextInteger(n);
            break;
        case Spreading::ROUND_ROBIN:
            i = r.turn[to]++ % n;
            break;
        case Spreading::PER_FLOW:
            i = static_cast<uint32_t>(uint64_t(m_hashes[packet.flow]) * n >> 32);
            break;
        }
    }
    PacketPort& port = m_uplinkPorts[rack * m_model.uplinks + ports[i]];
    if (!port.Accept(packet, m_uplinkKind, r.firstTie))
    {
        Lose(r, packet, OcsDropCause::QUEUE_OVERFLOW);
    }
}

void
PacketFabric::RunDown(RackId rack)
{
    Rack& r = m_racks[rack];
    const int64_t latest = m_end - m_uplinkDelay;
    for (const uint32_t uplink : r.feeders)
    {
        PacketPort& port = m_uplinkPorts[uplink];
        for (const Passage* packet; (packet = port.GetNext()) && packet->time < latest;
             port.Release())
        {
            Passage& arriving = m_toServers[packet->to].Add();
            arriving = *packet;
            arriving.time += m_uplinkDelay;
        }
    }
    for (ServerId s = rack * m_model.serversPerRack; s < (rack + 1) * m_model.serversPerRack; ++s)
    {
        Input& input = m_toServers[s];
        if (input.GetSize() == 0)
        {
            continue;
        }
        PacketPort& port = m_downlinks[s];
        for (const uint64_t key : Order(r, input))
        {
            const Passage& packet = input[key & INDEX];
            const Passage* leaving = port.Accept(packet, m_serverKind, r.firstTie);
            if (!leaving)
            {
                Lose(r, packet, OcsDropCause::QUEUE_OVERFLOW);
                continue;
            }
            port.Release();
            const int64_t ended = leaving->time + m_model.serverDelay;
            r.fates.Add() = {packet.flow, packet.sequence, packet.sent, ended, true, {}};
        }
        input.Clear();
        r.lastEnd = std::max(r.lastEnd, port.GetFree() + m_model.serverDelay);
    }
    if (r.fates.GetSize() >= FATES)
    {
        m_sink->Take(rack, {&r.fates[0], r.fates.GetSize()});
        r.fates.Clear();
    }
}

void
PacketFabric::Lose(Rack& rack, const Passage& packet, OcsDropCause cause)
{
    rack.fates.Add() = {packet.flow, packet.sequence, packet.sent, packet.time, false, cause};
    rack.lastEnd = std::max(rack.lastEnd, packet.time);
}

int64_t
PacketFabric::AssignStreams(int64_t stream, int64_t perServer)
{
    m_firstStream = stream;
    m_streamsPerServer = perServer;
    return m_model.racks + perServer * static_cast<int64_t>(m_servers.size());
}

void
PacketFabric::SetLaw(ServerId server, const PacketLaw& law)
{
    if (server >= m_servers.size() || !m_servers[server].sources.empty())
    {
        throw OdcnError::InOption("server with a law",
                                  std::to_string(server),
                                  "one of the fabric that has sent nothing yet");
    }
    law.Check();
    m_servers[server].law = law;
}

} // namespace ns3::odcn
