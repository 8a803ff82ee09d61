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

/// Packets of a block, about: what a block touches should stay in a core's cache.
constexpr double BLOCK_PACKETS = 65536;
/// Bits of an index in OdcnFabricBlocks::Order()'s keys; what is above them is a time.
constexpr uint32_t INDEX_BITS = 24;
/// The longest block, so that its times fit there; packets may wait longer.
constexpr double LONGEST = 0x1p38;
/// Fates told at a time, at least.
constexpr std::size_t FATES = 4096;

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
                           return direct &&
                                  OdcnTransmissionTime(model.serverRate, flow.bytes) > 0 &&
                                  OdcnTransmissionTime(model.uplinkRate, flow.bytes) > 0;
                       });
}

OdcnFabricBlocks::OdcnFabricBlocks(OdcnFabricState& state,
                                   const std::vector<OdcnPacketFlow>& flows,
                                   int64_t opened,
                                   OdcnPacketSink& sink)
    : m_state(state),
      m_model(state.model),
      m_sink(sink),
      m_numbers{state.model.GetNServers(), 2 * state.model.GetNServers()},
      m_ports(m_numbers.firstUplink + state.uplinks.size()),
      m_history(m_ports.size()),
      m_toServers(state.servers.size()),
      m_racks(state.racks.size()),
      m_order(state.model, flows, opened, m_history),
      m_opened(opened),
      m_uplinkDelay(2 * state.model.uplinkDelay)
{
    m_state.Start(opened, flows);
    int64_t serverTx = INT64_MAX;
    int64_t uplinkTx = INT64_MAX;
    for (const OdcnPacketFlow& flow : flows)
    {
        Flow f{};
        f.to = m_numbers.firstDownlink + flow.to;
        f.from = flow.from;
        f.toRack = m_state.RackOfServer(flow.to);
        f.inter = f.toRack != m_state.RackOfServer(flow.from);
        f.serverTx = OdcnTransmissionTime(m_model.serverRate, flow.bytes);
        f.uplinkTx = OdcnTransmissionTime(m_model.uplinkRate, flow.bytes);
        f.hash = flow.hash;
        m_flows.push_back(f);
        m_rate += 1 / flow.meanGap;
        serverTx = std::min(serverTx, f.serverTx);
        uplinkTx = std::min(uplinkTx, f.uplinkTx);
    }
    for (uint32_t u = 0; u < m_state.uplinks.size(); ++u)
    {
        const uint32_t output = m_state.uplinks[u].output;
        if (output != OdcnFabricState::NOWHERE)
        {
            m_racks[m_state.RackOf(output)].feeders.push_back(u);
        }
    }
    if (!flows.empty())
    {
        m_serverPlenty = serverTx * m_model.serverQueue;
        m_uplinkPlenty = uplinkTx * m_model.uplinkQueue;
    }
}

int64_t
OdcnFabricBlocks::Run(int64_t until, uint32_t threads)
{
    m_until = until;
    m_begin = m_opened;
    const auto length =
        static_cast<int64_t>(std::clamp(BLOCK_PACKETS / std::max(m_rate, 1e-18), 1.0, LONGEST));
    const auto racks = static_cast<uint32_t>(m_racks.size());
    const uint32_t workers = std::clamp(threads, 1U, racks);

    int64_t end = m_opened;
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
        if (down)
        {
            return;
        }
        m_begin = end;
        if (m_begin >= m_until)
        {
            m_begin = std::max(m_begin, FindNext());
        }
        done = error || m_begin == INT64_MAX;
        end = done ? end : m_begin + length;
    };
    turn();
    const auto stage = [&](uint32_t worker)
    {
        for (uint32_t r; (r = next.fetch_add(1, std::memory_order_relaxed)) < racks;)
        {
            down ? RunDown(r, worker, end) : RunUp(r, end);
        }
    };
    if (workers == 1)
    {
        while (!done)
        {
            stage(0);
            turn();
        }
    }
    else
    {
        std::barrier barrier(workers, turn);
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
        std::vector<std::jthread> pool;
        for (uint32_t worker = 1; worker < workers; ++worker)
        {
            pool.emplace_back(work, worker);
        }
        work(0);
        pool.clear();
        if (error)
        {
            std::rethrow_exception(error);
        }
    }
    int64_t lastEnd = m_opened;
    for (Rack& rack : m_racks)
    {
        if (!rack.fates.empty())
        {
            m_sink.Take(0, rack.fates);
        }
        lastEnd = std::max(lastEnd, rack.lastEnd);
    }
    m_state.Stop();
    return lastEnd;
}

int64_t
OdcnFabricBlocks::FindNext() const
{
    int64_t next = INT64_MAX;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        if (port == m_numbers.firstDownlink)
        {
            port = m_numbers.firstUplink;
        }
        if (port < m_ports.size() && m_ports[port].released < m_history[port].size())
        {
            next = std::min(next, m_history[port][m_ports[port].released].depart);
        }
    }
    return next;
}

bool
OdcnFabricBlocks::Accept(uint32_t port, OdcnPassage& packet, int64_t txTime)
{
    Port& p = m_ports[port];
    const int64_t a = packet.arrive;
    const bool uplink = port >= m_numbers.firstUplink;
    auto& history = m_history[port];
    if (p.free - a >= (uplink ? m_uplinkPlenty : m_serverPlenty))
    {
        // The packet that must have begun for this one to have room to wait.
        const std::size_t limit = uplink ? m_model.uplinkQueue : m_model.serverQueue;
        if (history.size() >= limit)
        {
            const std::size_t j = history.size() - limit;
            const int64_t before = j > 0 ? history[j - 1].depart : INT64_MIN;
            if (std::max(history[j].arrive, before) > a ||
                (before == a &&
                 m_order.ArrivesBeforeDeparture(port, packet, static_cast<uint32_t>(j - 1))))
            {
                return false;
            }
        }
    }
    p.free = std::max(p.free, a) + txTime;
    packet.depart = p.free;
    history.push_back(packet);
    return true;
}

void
OdcnFabricBlocks::Order(uint32_t port, const Input& input, std::vector<uint64_t>& keys)
{
    const std::size_t n = input.size();
    keys.resize(n);
    std::size_t moves = 0;
    bool ties = false;
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
        if (moves > 64 + 16 * i)
        {
            for (std::size_t k = i + 1; k < n; ++k)
            {
                keys[k] = static_cast<uint64_t>(input[k].arrive - m_begin) << INDEX_BITS | k;
            }
            std::sort(keys.begin(), keys.end());
            break;
        }
    }
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
        constexpr uint64_t INDEX = (1 << INDEX_BITS) - 1;
        std::sort(keys.begin() + i,
                  keys.begin() + last,
                  [&](uint64_t a, uint64_t b) {
                      return a != b &&
                             m_order.ArrivesBefore(port, input[a & INDEX], input[b & INDEX]);
                  });
        i = last;
    }
}

void
OdcnFabricBlocks::RunUp(RackId rack, int64_t end)
{
    Rack& r = m_racks[rack];
    std::erase_if(r.nonEmpty,
                  [&](uint32_t card)
                  {
                      Release(card, end);
                      return m_ports[card].released == m_history[card].size();
                  });
    OdcnFabricState::Rack& state = m_state.racks[rack];
    const int64_t latest = end - m_model.serverDelay;
    while (state.arrivals.DrawBlock(std::min(end, m_until), r.arrivals))
    {
        for (std::size_t i = 0; i < r.arrivals.packed.size(); ++i)
        {
            const uint32_t f = state.flows[r.arrivals.GetStream(i)];
            Flow& flow = m_flows[f];
            const int64_t now = r.arrivals.GetTime(i);
            OdcnPassage packet{now, 0, now, 0, 0, f, flow.sequence++};
            const uint32_t card = flow.from;
            if (!Accept(card, packet, flow.serverTx))
            {
                m_order.Refused(card, packet);
                Lose(r, packet, OcsDropCause::QUEUE_OVERFLOW);
                continue;
            }
            Port& port = m_ports[card];
            const auto last = static_cast<uint32_t>(m_history[card].size() - 1);
            if (packet.depart < latest)
            {
                ++port.released;
                FromServer(packet, card, last);
            }
            else if (port.released == last)
            {
                r.nonEmpty.push_back(card);
            }
        }
    }
    Order(m_numbers.firstUplink, r.toUplinks, r.keys);
    for (const uint64_t key : r.keys)
    {
        ToUplink(rack, r.toUplinks[key & ((1 << INDEX_BITS) - 1)]);
    }
    r.toUplinks.clear();
}

void
OdcnFabricBlocks::Release(uint32_t card, int64_t end)
{
    Port& port = m_ports[card];
    const auto& history = m_history[card];
    const int64_t latest = end - m_model.serverDelay;
    while (port.released < history.size() && history[port.released].depart < latest)
    {
        FromServer(history[port.released], card, port.released);
        ++port.released;
    }
}

void
OdcnFabricBlocks::FromServer(const OdcnPassage& passage, uint32_t card, uint32_t index)
{
    const Flow& flow = m_flows[passage.flow];
    Input& input = flow.inter ? m_racks[m_state.RackOfServer(card)].toUplinks
                              : m_toServers[flow.to - m_numbers.firstDownlink];
    input.push_back({passage.depart + m_model.serverDelay,
                     0,
                     passage.sent,
                     card,
                     index,
                     passage.flow,
                     passage.sequence});
}

void
OdcnFabricBlocks::ToUplink(RackId rack, OdcnPassage& packet)
{
    const Flow& flow = m_flows[packet.flow];
    OdcnFabricState::Rack& tor = m_state.racks[rack];
    const auto& ports = tor.portsTo[flow.toRack];
    const auto n = static_cast<uint32_t>(ports.size());
    if (n == 0)
    {
        Lose(m_racks[rack], packet, OcsDropCause::NO_CIRCUIT);
        return;
    }
    const uint32_t i = n > 1 ? tor.Choose(m_model.spreading, flow.toRack, flow.hash, n) : 0;
    const uint32_t port = m_numbers.firstUplink + m_state.UplinkOf(rack, ports[i]);
    if (!Accept(port, packet, flow.uplinkTx))
    {
        Lose(m_racks[rack], packet, OcsDropCause::QUEUE_OVERFLOW);
    }
}

void
OdcnFabricBlocks::RunDown(RackId rack, uint32_t worker, int64_t end)
{
    Rack& r = m_racks[rack];
    for (const uint32_t uplink : r.feeders)
    {
        Port& port = m_ports[m_numbers.firstUplink + uplink];
        const auto& history = m_history[m_numbers.firstUplink + uplink];
        while (port.released < history.size())
        {
            const OdcnPassage& p = history[port.released];
            const int64_t arrive = p.depart + m_uplinkDelay;
            if (arrive >= end)
            {
                break;
            }
            m_toServers[m_flows[p.flow].to - m_numbers.firstDownlink].push_back(
                {arrive,
                 0,
                 p.sent,
                 m_numbers.firstUplink + uplink,
                 port.released,
                 p.flow,
                 p.sequence});
            ++port.released;
        }
    }
    for (uint32_t s = rack * m_model.serversPerRack; s < (rack + 1) * m_model.serversPerRack; ++s)
    {
        const uint32_t port = m_numbers.firstDownlink + s;
        Input& input = m_toServers[s];
        Order(port, input, r.keys);
        for (const uint64_t key : r.keys)
        {
            OdcnPassage& packet = input[key & ((1 << INDEX_BITS) - 1)];
            if (!Accept(port, packet, m_flows[packet.flow].serverTx))
            {
                Lose(r, packet, OcsDropCause::QUEUE_OVERFLOW);
                continue;
            }
            const int64_t ended = packet.depart + m_model.serverDelay;
            r.fates.push_back({packet.flow, packet.sequence, packet.sent, ended, true, {}});
            r.lastEnd = std::max(r.lastEnd, ended);
        }
        input.clear();
    }
    if (r.fates.size() >= FATES)
    {
        m_sink.Take(worker, r.fates);
        r.fates.clear();
    }
}

void
OdcnFabricBlocks::Lose(Rack& rack, const OdcnPassage& packet, OcsDropCause cause)
{
    rack.fates.push_back({packet.flow, packet.sequence, packet.sent, packet.arrive, false, cause});
    rack.lastEnd = std::max(rack.lastEnd, packet.arrive);
}

} // namespace odcn
} // namespace ns3
