// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-blocks.h"

#include "odcn-fifo-queue.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

namespace ns3
{
namespace odcn
{

namespace
{

/// Packets of a block, about, for each port: enough for the cost of a block to be shared by many.
constexpr double PORT_PACKETS = 8;
/// The same, altogether: few, as what a block touches should stay in a core's cache.
constexpr double LEAST_PACKETS = 2048;
constexpr double MOST_PACKETS = 65536;
/// Packets of a flow to be drawn at a time, about.
constexpr double FLOW_PACKETS = 4;
/// Bits of an index in OdcnFabricBlocks::Order()'s keys; what is above them is a time.
constexpr uint32_t INDEX_BITS = 24;
constexpr uint64_t INDEX = (uint64_t(1) << INDEX_BITS) - 1;
/// The longest block, so that its times fit there; packets may wait longer.
constexpr double LONGEST = 0x1p38;
/// Fates told at a time, at least.
constexpr std::size_t FATES = 512;

} // namespace

bool
OdcnFabricBlocks::CanRun(const OdcnFabricState& state,
                         const std::vector<OdcnPacketFlow>& flows,
                         int64_t opened)
{
    for (const auto& uplink : state.uplinks)
    {
        const bool dark = uplink.output == OdcnFabricState::NOWHERE;
        const RackId leads = dark ? NO_RACK : state.RackOf(uplink.output);
        if (uplink.failed || uplink.inputFailed || uplink.outputFailed || uplink.circuit != leads ||
            (!dark && uplink.upFrom > opened))
        {
            return false;
        }
    }
    for (const auto& server : state.servers)
    {
        if (server.failed || server.downlinkFailed)
        {
            return false;
        }
    }
    const OdcnFabricModel& model = state.model;
    return std::all_of(flows.begin(),
                       flows.end(),
                       [&](const OdcnPacketFlow& flow)
                       {
                           const RackId from = state.RackOfServer(flow.from);
                           const RackId to = state.RackOfServer(flow.to);
                           const bool direct = !model.detour || from == to ||
                                               !state.racks[from].portsTo[to].empty();
                           const OdcnServerLaw& law = state.servers[flow.from].law;
                           const uint32_t least = law.sizes ? law.least : flow.bytes;
                           return direct && OdcnTransmissionTime(model.serverRate, least) > 0 &&
                                  OdcnTransmissionTime(model.uplinkRate, least) > 0;
                       });
}

OdcnFabricBlocks::OdcnFabricBlocks(OdcnFabricState& state)
    : m_state(state),
      m_model(state.model),
      m_numbers{state.model.GetNServers(), 2 * state.model.GetNServers()},
      m_ports(m_numbers.firstUplink + state.uplinks.size()),
      m_toServers(state.servers.size()),
      m_rackOf(state.servers.size()),
      m_racks(state.racks.size()),
      m_order(state.model, m_flows, m_ports),
      m_uplinkDelay(2 * state.model.uplinkDelay)
{
    for (ServerId server = 0; server < m_rackOf.size(); ++server)
    {
        m_rackOf[server] = m_state.RackOfServer(server);
    }
}

void
OdcnFabricBlocks::Need(uint32_t bytes)
{
    if (bytes >= m_serverTx.size())
    {
        m_serverTx.resize(bytes + 1, 0);
        m_uplinkTx.resize(bytes + 1, 0);
    }
    if (m_serverTx[bytes] == 0)
    {
        m_serverTx[bytes] = OdcnTransmissionTime(m_model.serverRate, bytes);
        m_uplinkTx[bytes] = OdcnTransmissionTime(m_model.uplinkRate, bytes);
    }
}

void
OdcnFabricBlocks::TakeFlows(const std::vector<OdcnPacketFlow>& flows)
{
    m_flows.clear();
    double rate = 0;
    uint32_t least = UINT32_MAX;
    uint32_t greatest = 0;
    uint32_t leastDrawn = UINT32_MAX;
    uint32_t greatestDrawn = 0;
    for (const OdcnPacketFlow& flow : flows)
    {
        OdcnFlowLog& log = m_flows.emplace_back();
        log.bytes = flow.bytes;
        log.hash = flow.hash;
        log.from = flow.from;
        log.to = flow.to;
        log.inter = m_rackOf[flow.to] != m_rackOf[flow.from];
        rate += 1 / flow.meanGap;
        const OdcnServerLaw& law = m_state.servers[flow.from].law;
        if (law.sizes)
        {
            leastDrawn = std::min(leastDrawn, law.least);
            greatestDrawn = std::max(greatestDrawn, law.greatest);
        }
        else
        {
            Need(flow.bytes);
            least = std::min(least, flow.bytes);
            greatest = std::max(greatest, flow.bytes);
        }
    }
    for (uint32_t bytes = leastDrawn; bytes <= greatestDrawn; ++bytes)
    {
        Need(bytes);
    }
    if (flows.empty())
    {
        return;
    }
    least = std::min(least, leastDrawn);
    greatest = std::max(greatest, greatestDrawn);
    m_serverPlenty = m_serverTx[least] * m_model.serverQueue;
    m_uplinkPlenty = m_uplinkTx[least] * m_model.uplinkQueue;
    m_slack = 2 * (std::max(m_serverTx[greatest], m_uplinkTx[greatest]) + m_model.serverDelay +
                   m_uplinkDelay);
    const auto ports = static_cast<double>(m_ports.size());
    const double packets = std::clamp(PORT_PACKETS * ports, LEAST_PACKETS, MOST_PACKETS);
    m_length = static_cast<int64_t>(std::clamp(packets / rate, 1.0, LONGEST));
    const double together = FLOW_PACKETS * static_cast<double>(flows.size()) / rate;
    m_ahead = static_cast<int64_t>(std::clamp(together, 0.0, LONGEST));
}

int64_t
OdcnFabricBlocks::Run(int64_t opened,
                      int64_t until,
                      const std::vector<OdcnPacketFlow>& flows,
                      uint32_t threads,
                      OdcnPacketSink& sink)
{
    m_sink = &sink;
    m_until = until;
    m_begin = opened;
    m_end = opened;
    m_keep = opened;
    TakeFlows(flows);
    for (OdcnPortLog& port : m_ports)
    {
        port.Clear();
    }
    for (Input& input : m_toServers)
    {
        input.Clear();
    }
    for (Rack& rack : m_racks)
    {
        rack.toUplinks.Clear();
        rack.arrivals.packed.clear();
        rack.nextArrival = 0;
        rack.feeders.clear();
        rack.nonEmpty.clear();
        rack.fates.Clear();
        rack.lastEnd = opened;
    }
    for (uint32_t u = 0; u < m_state.uplinks.size(); ++u)
    {
        const uint32_t output = m_state.uplinks[u].output;
        if (output != OdcnFabricState::NOWHERE)
        {
            m_racks[m_state.RackOf(output)].feeders.push_back(u);
        }
    }
    m_order.Begin(opened);
    m_state.Start(opened, flows);
    RunBlocks(std::clamp(threads, 1U, static_cast<uint32_t>(m_racks.size())));
    m_state.Stop();
    int64_t lastEnd = opened;
    for (Rack& rack : m_racks)
    {
        if (rack.fates.GetSize() > 0)
        {
            sink.Take(0, {&rack.fates[0], rack.fates.GetSize()});
        }
        lastEnd = std::max(lastEnd, rack.lastEnd);
    }
    return lastEnd;
}

void
OdcnFabricBlocks::RunBlocks(uint32_t threads)
{
    const auto racks = static_cast<uint32_t>(m_racks.size());
    bool done = false;
    bool down = true;
    std::exception_ptr error;
    std::mutex errorMutex;
    std::atomic<uint32_t> next{0};
    // Between two stages, by one thread while all others wait.
    const auto turn = [&]() noexcept
    {
        next.store(0, std::memory_order_relaxed);
        down = !down;
        if (down && !error)
        {
            return;
        }
        m_keep = std::max(m_keep, m_begin - m_slack);
        m_begin = m_end;
        if (m_begin >= m_until)
        {
            m_begin = std::max(m_begin, FindNext());
        }
        done = error || m_begin == INT64_MAX;
        m_end = done ? m_end : m_begin + m_length;
        m_order.Tidy();
    };
    const auto stage = [&](uint32_t worker)
    {
        for (uint32_t r; (r = next.fetch_add(1, std::memory_order_relaxed)) < racks;)
        {
            down ? RunDown(r, worker) : RunUp(r);
        }
    };
    turn();
    if (threads == 1)
    {
        while (!done)
        {
            stage(0);
            turn();
        }
        return;
    }
    std::barrier barrier(threads, turn);
    const auto work = [&](uint32_t worker)
    {
        while (!done)
        {
            try
            {
                stage(worker);
            }
            catch (...)
            {
                const std::lock_guard lock(errorMutex);
                error = std::current_exception();
            }
            barrier.arrive_and_wait();
        }
    };
    {
        std::vector<std::jthread> pool;
        for (uint32_t worker = 1; worker < threads; ++worker)
        {
            pool.emplace_back(work, worker);
        }
        work(0);
    }
    if (error)
    {
        std::rethrow_exception(error);
    }
}

int64_t
OdcnFabricBlocks::FindNext() const
{
    int64_t next = INT64_MAX;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        // All that comes to a port to a server has an end at once.
        const bool card = port < m_numbers.firstDownlink;
        const OdcnPortLog& log = m_ports[port];
        if ((card || port >= m_numbers.firstUplink) && log.GetReleased() < log.GetCount())
        {
            next = std::min(next, log[log.GetReleased()].depart);
        }
    }
    return next;
}

bool
OdcnFabricBlocks::HasRoom(uint32_t port, const OdcnPassage& packet) const
{
    const OdcnPortLog& log = m_ports[port];
    const uint32_t limit =
        port >= m_numbers.firstUplink ? m_model.uplinkQueue : m_model.serverQueue;
    if (log.GetCount() < limit)
    {
        return true;
    }
    // The packet that must have begun for this one to have room to wait.
    const uint32_t j = log.GetCount() - limit;
    if (!log.Knows(j))
    {
        return true; // it left long ago
    }
    const int64_t before = j > 0 ? log[j - 1].depart : INT64_MIN;
    return std::max(log[j].arrive, before) <= packet.arrive &&
           (before != packet.arrive || !m_order.ArrivesBeforeDeparture(port, packet, j - 1));
}

void
OdcnFabricBlocks::Order(uint32_t port, const Input& input, std::vector<uint64_t>& keys) const
{
    const std::size_t n = input.GetSize();
    keys.resize(n);
    std::size_t moves = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        const uint64_t key = static_cast<uint64_t>(input[i].arrive - m_begin) << INDEX_BITS | i;
        std::size_t j = i;
        // What comes is nearly in order.
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
                keys[k] = static_cast<uint64_t>(input[k].arrive - m_begin) << INDEX_BITS | k;
            }
            std::sort(keys.begin(), keys.end());
            break;
        }
    }
    bool ties = false;
    for (std::size_t i = 1; i < n; ++i)
    {
        ties |= (keys[i] ^ keys[i - 1]) >> INDEX_BITS == 0;
    }
    for (std::size_t i = 0; ties && i < n;)
    {
        std::size_t last = i + 1;
        while (last < n && (keys[last] ^ keys[i]) >> INDEX_BITS == 0)
        {
            ++last;
        }
        if (last > i + 1)
        {
            std::sort(keys.begin() + static_cast<std::ptrdiff_t>(i),
                      keys.begin() + static_cast<std::ptrdiff_t>(last),
                      [&](uint64_t a, uint64_t b) {
                          return a != b &&
                                 m_order.ArrivesBefore(port, input[a & INDEX], input[b & INDEX]);
                      });
        }
        i = last;
    }
}

void
OdcnFabricBlocks::RunUp(RackId rack)
{
    Rack& r = m_racks[rack];
    std::erase_if(r.nonEmpty,
                  [&](uint32_t card)
                  {
                      Release(r, card);
                      return m_ports[card].GetReleased() == m_ports[card].GetCount();
                  });
    OdcnFabricState::Rack& state = m_state.racks[rack];
    // Several of each flow are drawn at a time: it is quicker than block by block.
    OdcnArrivalBlock& drawn = r.arrivals;
    for (std::size_t& i = r.nextArrival;; ++i)
    {
        if (i == drawn.packed.size())
        {
            i = 0;
            if (!state.arrivals.DrawBlock(std::min(m_end + m_ahead, m_until), drawn))
            {
                break;
            }
        }
        const int64_t now = drawn.GetTime(i);
        if (now >= m_end)
        {
            break;
        }
        const bool equal = drawn.bytes.empty();
        Send(r,
             now,
             state.flows[drawn.GetStream(i)],
             equal ? 0 : drawn.bytes[i],
             !equal && drawn.follows[i]);
    }
    Order(m_numbers.firstUplink, r.toUplinks, r.keys);
    for (const uint64_t key : r.keys)
    {
        ToUplink(rack, r.toUplinks[key & INDEX]);
    }
    r.toUplinks.Clear();
    // What led to a transmission that goes on must not be forgotten.
    const auto keep = [&](uint32_t begin, uint32_t n)
    {
        for (uint32_t port = begin; port < begin + n; ++port)
        {
            if (m_ports[port].GetFree() >= m_end)
            {
                m_order.Keep(port);
            }
        }
    };
    keep(rack * m_model.serversPerRack, m_model.serversPerRack);
    keep(m_numbers.firstUplink + m_state.UplinkOf(rack, 0), m_model.uplinks);
}

inline void
OdcnFabricBlocks::Send(Rack& rack, int64_t now, uint32_t f, uint32_t bytes, bool follows)
{
    OdcnFlowLog& flow = m_flows[f];
    flow.events += !follows;
    const uint32_t event = flow.events - 1;
    const int64_t before = flow.sent[(event - 1) % OdcnFlowLog::RECENT];
    flow.sent[event % OdcnFlowLog::RECENT] = now;
    const uint32_t sequence = flow.sequence++;
    const uint32_t size = bytes > 0 ? bytes : flow.bytes;
    const uint32_t card = flow.from;
    OdcnPortLog& port = m_ports[card];
    if (port.GetFree() - now >= m_serverPlenty) [[unlikely]]
    {
        OdcnPassage packet;
        packet.arrive = now;
        packet.sent = now;
        packet.flow = f;
        packet.sequence = sequence;
        packet.target = event;
        if (!HasRoom(card, packet))
        {
            port.AddRefused(packet, m_keep);
            Lose(rack, packet, OcsDropCause::QUEUE_OVERFLOW);
            return;
        }
    }
    const uint32_t index = port.GetCount();
    OdcnPassage& passage = port.Add(now, m_serverTx[size], m_keep);
    passage.sent = now;
    passage.origin = static_cast<uint64_t>(before);
    passage.flow = f;
    passage.sequence = sequence;
    passage.bytes = size;
    passage.target = event;
    if (passage.depart < m_end - m_model.serverDelay) [[likely]]
    {
        ++port.GetReleased();
        FromServer(rack, passage, card, index);
    }
    else if (port.GetReleased() == index)
    {
        rack.nonEmpty.push_back(card);
    }
}

void
OdcnFabricBlocks::Release(Rack& rack, uint32_t card)
{
    OdcnPortLog& port = m_ports[card];
    uint32_t& released = port.GetReleased();
    const int64_t latest = m_end - m_model.serverDelay;
    while (released < port.GetCount() && port[released].depart < latest)
    {
        FromServer(rack, port[released], card, released);
        ++released;
    }
}

inline void
OdcnFabricBlocks::FromServer(Rack& rack, const OdcnPassage& passage, uint32_t card, uint32_t index)
{
    const OdcnFlowLog& flow = m_flows[passage.flow];
    Input& input = flow.inter ? rack.toUplinks : m_toServers[flow.to];
    OdcnPassage& packet = input.Add();
    packet.arrive = passage.depart + m_model.serverDelay;
    packet.sent = passage.sent;
    packet.origin = OdcnPassage::From(card, index);
    packet.flow = passage.flow;
    packet.sequence = passage.sequence;
    packet.bytes = passage.bytes;
    packet.target = flow.to;
}

inline void
OdcnFabricBlocks::ToUplink(RackId rack, const OdcnPassage& packet)
{
    const RackId to = m_rackOf[packet.target];
    OdcnFabricState::Rack& tor = m_state.racks[rack];
    const auto& ports = tor.portsTo[to];
    const auto n = static_cast<uint32_t>(ports.size());
    if (n == 0)
    {
        Lose(m_racks[rack], packet, OcsDropCause::NO_CIRCUIT);
        return;
    }
    const uint32_t hash = m_flows[packet.flow].hash;
    const uint32_t i = n > 1 ? tor.Choose(m_model.spreading, to, hash, n) : 0;
    const uint32_t number = m_numbers.firstUplink + m_state.UplinkOf(rack, ports[i]);
    OdcnPortLog& port = m_ports[number];
    if (port.GetFree() - packet.arrive >= m_uplinkPlenty && !HasRoom(number, packet))
    {
        Lose(m_racks[rack], packet, OcsDropCause::QUEUE_OVERFLOW);
        return;
    }
    port.Add(packet.arrive, m_uplinkTx[packet.bytes], m_keep).Come(packet);
}

void
OdcnFabricBlocks::RunDown(RackId rack, uint32_t worker)
{
    Rack& r = m_racks[rack];
    for (const uint32_t uplink : r.feeders)
    {
        const uint32_t number = m_numbers.firstUplink + uplink;
        OdcnPortLog& port = m_ports[number];
        uint32_t& released = port.GetReleased();
        const int64_t latest = m_end - m_uplinkDelay;
        while (released < port.GetCount() && port[released].depart < latest)
        {
            const OdcnPassage& passage = port[released];
            OdcnPassage& packet = m_toServers[passage.target].Add();
            packet.Come(passage);
            packet.arrive = passage.depart + m_uplinkDelay;
            packet.origin = OdcnPassage::From(number, released++);
        }
    }
    for (uint32_t s = rack * m_model.serversPerRack; s < (rack + 1) * m_model.serversPerRack; ++s)
    {
        const uint32_t number = m_numbers.firstDownlink + s;
        OdcnPortLog& port = m_ports[number];
        Input& input = m_toServers[s];
        if (input.GetSize() == 0)
        {
            continue;
        }
        Order(number, input, r.keys);
        for (const uint64_t key : r.keys)
        {
            const OdcnPassage& packet = input[key & INDEX];
            if (port.GetFree() - packet.arrive >= m_serverPlenty && !HasRoom(number, packet))
            {
                Lose(r, packet, OcsDropCause::QUEUE_OVERFLOW);
                continue;
            }
            OdcnPassage& passage = port.Add(packet.arrive, m_serverTx[packet.bytes], m_keep);
            passage.Come(packet);
            OdcnPacketFate& fate = r.fates.Add();
            fate.flow = packet.flow;
            fate.sequence = packet.sequence;
            fate.sent = packet.sent;
            fate.ended = passage.depart + m_model.serverDelay;
            fate.received = true;
        }
        input.Clear();
        r.lastEnd = std::max(r.lastEnd, port.GetFree() + m_model.serverDelay);
        if (port.GetFree() >= m_end)
        {
            m_order.Keep(number);
        }
    }
    if (r.fates.GetSize() >= FATES)
    {
        m_sink->Take(worker, {&r.fates[0], r.fates.GetSize()});
        r.fates.Clear();
    }
}

void
OdcnFabricBlocks::Lose(Rack& rack, const OdcnPassage& packet, OcsDropCause cause)
{
    rack.fates.Add() = {packet.flow, packet.sequence, packet.sent, packet.arrive, false, cause};
    rack.lastEnd = std::max(rack.lastEnd, packet.arrive);
}

} // namespace odcn
} // namespace ns3
