// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-fabric.h"

#include "odcn-fifo-queue.h"
#include "odcn-packet-port.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <bit>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Index for "no uplink": the uplink has no circuit.
constexpr uint32_t NOWHERE = UINT32_MAX;
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

/// @param name parameter  @param value its value  @param least minimum  @param greatest maximum
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

/**
 * Runs the fabric in stages: network cards, ToR switches with their uplinks, ports to servers. All
 * ports of a stage run for an interval of time, a block, before the next stage does. A port is then
 * a recursion, no event queue is needed, and racks are independent of each other within a stage.
 *
 * Uplink p of rack u has index u x uplinks + p.
 */
class PacketFabric::Engine
{
  public:
    /// @param numbers parameters of the fabric, checked
    explicit Engine(const FabricModel& numbers);
    /// As PacketFabric::Preset(). @param circuits new circuits
    void Preset(const std::vector<OdcnCircuitChange>& circuits);
    /// As PacketFabric::Run(). @param opened start, ps  @param until end, ps  @param flows flows
    /// @param to receives the outcomes  @return when the last packet ended, ps
    int64_t Run(int64_t opened,
                int64_t until,
                const std::vector<PacketFlow>& flows,
                OdcnPacketSink& to);

    /// The circuit of an uplink.
    struct Uplink
    {
        RackId circuit{NO_RACK};  //!< rack at the other end
        uint32_t output{NOWHERE}; //!< index of the uplink at the other end
        uint32_t input{NOWHERE};  //!< index of the uplink that leads here
    };

    /// Traffic of a server. The n-th flow of a run uses the n-th source.
    struct Server
    {
        std::vector<PacketSource> sources; //!< packet sources, kept between runs
        PacketLaw law;                     //!< packet law of all its flows
    };

    const FabricModel model;        //!< parameters of the fabric
    std::vector<Server> servers;    //!< all servers, rack by rack
    int64_t firstStream{0};         //!< random stream of the first ToR switch
    int64_t streamsPerServer{4096}; //!< random streams per server
    uint32_t threads{1};            //!< number of threads
    int64_t firstTie{INT64_MAX};    //!< see GetFirstTie()

  private:
    /// Packets that arrive at one place during a block, in any order.
    using Input = Bag<Passage>;

    /// A flow of this run.
    struct Flow
    {
        PacketSource* source; //!< draws its packets
        int64_t next;         //!< time of its next packet, ps
        uint32_t index;       //!< index in the caller's list
        uint32_t sequence;    //!< sequence number of its next packet
        uint32_t bytes;       //!< size of its packets; 0 where sizes are drawn
        ServerId from;        //!< sending server
        ServerId to;          //!< receiving server
    };

    /// A rack.
    struct Rack
    {
        std::optional<RandomStream> random; //!< selects uplinks for Spreading::PER_PACKET
        std::vector<uint32_t> turn;         //!< by rack: next uplink for Spreading::ROUND_ROBIN
        std::vector<std::vector<uint32_t>> portsTo; //!< by rack: uplinks that lead there
        std::vector<uint32_t> feeders;              //!< indices of uplinks that lead here
        std::vector<Flow> flows;                    //!< flows of its servers
        std::vector<uint64_t> sends;     //!< drawn packets: (time - drawnFrom) << INDEX_BITS | flow
        std::size_t nextSend{0};         //!< index in sends of the first packet not sent yet
        int64_t drawnFrom{0};            //!< origin of the times in sends, ps
        int64_t drawnTo{0};              //!< packets before this time have been drawn, ps
        std::vector<uint32_t> busyCards; //!< network cards with packets to release
        Input toUplinks;                 //!< packets to other racks
        std::vector<uint64_t> keys;      //!< scratch memory of Order()
        std::vector<uint64_t> unsorted;  //!< scratch memory of Sort()
        std::vector<uint32_t> places;    //!< scratch memory of Sort()
        Bag<PacketFate> fates;           //!< outcomes not yet passed to the sink
        int64_t lastEnd{0};              //!< when its last packet ended, ps
        int64_t firstTie{INT64_MAX};     //!< see GetFirstTie()
    };

    /// @param flows flows to check  @throws OdcnError when they are invalid
    void CheckFlows(const std::vector<PacketFlow>& flows) const;
    /// @param circuits circuits to check  @throws OdcnError as OcsFabric::Preset()
    void CheckCircuits(const std::vector<OdcnCircuitChange>& circuits) const;
    /// Update the uplinks to a rack. @param from rack of the ToR switch  @param to destination rack
    void FindPorts(RackId from, RackId to);
    /// Compute the transmission times of a packet size. @param bytes the size
    void Need(uint32_t bytes);
    /// Start flows. @param flows the flows  @param opened start time, ps
    void TakeFlows(const std::vector<PacketFlow>& flows, int64_t opened);
    /// Run all racks, block by block.
    void RunBlocks();
    /// Draw packets of a rack's flows. @param rack the rack  @param until end of the interval, ps
    static void Draw(Rack& rack, int64_t until);
    /// Sort keys. @param [in,out] keys the keys  @param rack rack whose scratch memory is used
    static void Sort(std::vector<uint64_t>& keys, Rack& rack);
    /// Run network cards, ToR switch and uplinks of a rack. @param rack the rack
    void RunUp(RackId rack);
    /// A flow sends a packet. @param rack its rack  @param now the time, ps  @param flow the flow
    void Send(Rack& rack, int64_t now, Flow& flow);
    /// Release packets that have left a network card. @param rack its rack  @param card its server
    void Release(Rack& rack, ServerId card);
    /// A packet leaves a network card. @param rack its rack  @param packet the packet
    void FromServer(Rack& rack, const Passage& packet);
    /// A packet to another rack reaches its ToR switch. @param rack the rack  @param packet packet
    void ToUplink(RackId rack, const Passage& packet);
    /// Run the ports to servers of a rack. @param rack the rack  @param worker calling thread
    void RunDown(RackId rack, uint32_t worker);
    /// Sort packets by (time, sent, flow, sequence), see PacketFabric. @param rack scratch memory
    /// @param input packets  @return keys with indices into @p input as the lowest INDEX_BITS
    const std::vector<uint64_t>& Order(Rack& rack, const Input& input) const;
    /// Drop a packet. @param rack current rack  @param packet the packet  @param cause drop cause
    static void Lose(Rack& rack, const Passage& packet, OcsDropCause cause);
    /// @return earliest departure of packets not released yet; INT64_MAX if there is none
    int64_t FindNext() const;

    std::vector<Uplink> m_uplinks;         //!< circuits, by uplink
    std::vector<Rack> m_racks;             //!< all racks
    std::vector<RackId> m_rackOf;          //!< rack, by server
    std::vector<uint32_t> m_hashes;        //!< PacketFlow::hash, by flow
    std::vector<PacketPort> m_cards;       //!< network cards, by server
    std::vector<PacketPort> m_downlinks;   //!< ports to servers, by server
    std::vector<PacketPort> m_uplinkPorts; //!< ports, by uplink
    std::vector<Input> m_toServers;        //!< packets at the receiving rack, by server
    std::vector<int64_t> m_serverTx; //!< transmission times, server ports, by bytes, ps; 0: unused
    std::vector<int64_t> m_uplinkTx; //!< transmission times, uplinks, by bytes, ps; 0: unused
    OdcnPacketSink* m_sink{nullptr}; //!< receives outcomes
    int64_t m_until{0};              //!< end time of the flows, ps
    int64_t m_begin{0};              //!< start of the block, ps
    int64_t m_end{0};                //!< end of the block, ps
    int64_t m_length{0};             //!< length of a block, ps
    int64_t m_ahead{0};              //!< how far packets are drawn beyond a block, ps
    int64_t m_uplinkDelay;           //!< delay from ToR switch to ToR switch, ps
    int64_t m_serverPlenty{0};       //!< with less work than this, a server port is not full, ps
    int64_t m_uplinkPlenty{0};       //!< with less work than this, an uplink is not full, ps
};

PacketFabric::Engine::Engine(const FabricModel& numbers)
    : model(numbers),
      servers(numbers.GetNServers()),
      m_uplinks(std::size_t(numbers.racks) * numbers.uplinks),
      m_racks(numbers.racks),
      m_rackOf(servers.size()),
      m_cards(servers.size()),
      m_downlinks(servers.size()),
      m_uplinkPorts(m_uplinks.size()),
      m_toServers(servers.size()),
      m_uplinkDelay(2 * numbers.uplinkDelay)
{
    for (ServerId server = 0; server < m_rackOf.size(); ++server)
    {
        m_rackOf[server] = server / model.serversPerRack;
    }
    for (Rack& rack : m_racks)
    {
        rack.turn.resize(model.racks, 0);
        rack.portsTo.resize(model.racks);
    }
}

void
PacketFabric::Engine::FindPorts(RackId from, RackId to)
{
    auto& ports = m_racks[from].portsTo[to];
    ports.clear();
    for (uint32_t p = 0; p < model.uplinks; ++p)
    {
        if (m_uplinks[from * model.uplinks + p].circuit == to)
        {
            ports.push_back(p);
        }
    }
}

void
PacketFabric::Engine::CheckCircuits(const std::vector<OdcnCircuitChange>& circuits) const
{
    const auto fail = [](const OdcnCircuitChange& c, const char* expected)
    {
        throw OdcnError::InOption(
            "circuit of rack " + std::to_string(c.from) + " uplink " + std::to_string(c.outPort),
            "rack " + std::to_string(c.newTo) + " uplink " + std::to_string(c.newInPort),
            expected);
    };
    constexpr uint32_t UNTOUCHED = NOWHERE - 1;
    std::vector<uint32_t> wanted(m_uplinks.size(), UNTOUCHED);
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
            output = c.newTo * model.uplinks + c.newInPort;
        }
        uint32_t& now = wanted[c.from * model.uplinks + c.outPort];
        if (now != UNTOUCHED)
        {
            fail(c, "each uplink once");
        }
        now = output;
    }
    std::vector<bool> taken(m_uplinks.size(), false);
    for (const auto& c : circuits)
    {
        const uint32_t output = wanted[c.from * model.uplinks + c.outPort];
        if (output == NOWHERE)
        {
            continue;
        }
        const uint32_t now = m_uplinks[output].input;
        if (taken[output] || (now != NOWHERE && wanted[now] == UNTOUCHED))
        {
            fail(c, "an uplink that no other circuit leads to");
        }
        taken[output] = true;
    }
}

void
PacketFabric::Engine::Preset(const std::vector<OdcnCircuitChange>& circuits)
{
    CheckCircuits(circuits);
    for (const auto& c : circuits)
    {
        Uplink& uplink = m_uplinks[c.from * model.uplinks + c.outPort];
        if (uplink.output != NOWHERE)
        {
            m_uplinks[uplink.output].input = NOWHERE;
            uplink.output = NOWHERE;
        }
    }
    for (const auto& c : circuits)
    {
        const uint32_t from = c.from * model.uplinks + c.outPort;
        const RackId before = std::exchange(m_uplinks[from].circuit, c.newTo);
        if (c.newTo != NO_RACK)
        {
            m_uplinks[from].output = c.newTo * model.uplinks + c.newInPort;
            m_uplinks[m_uplinks[from].output].input = from;
            FindPorts(c.from, c.newTo);
        }
        if (before != NO_RACK)
        {
            FindPorts(c.from, before);
        }
    }
}

void
PacketFabric::Engine::CheckFlows(const std::vector<PacketFlow>& flows) const
{
    std::vector<uint32_t> count(servers.size(), 0);
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const PacketFlow& flow = flows[f];
        const auto fail = [f](const std::string& found, const std::string& expected)
        { throw OdcnError::InOption("flow " + std::to_string(f), found, expected); };
        if (flow.from >= servers.size() || flow.to >= servers.size() || flow.from == flow.to)
        {
            fail("servers " + std::to_string(flow.from) + ", " + std::to_string(flow.to),
                 "two servers below " + std::to_string(servers.size()));
        }
        if (flow.bytes == 0 || flow.bytes > UINT16_MAX || !(flow.meanGap > 0) ||
            flow.meanGap > PacketSource::MAX_MEAN_GAP)
        {
            fail(std::to_string(flow.bytes) + " bytes each " + std::to_string(flow.meanGap) + " ps",
                 "1 to 65535 bytes and a gap above 0 and up to 1e17 ps");
        }
        if (++count[flow.from] > streamsPerServer)
        {
            fail("more than " + std::to_string(streamsPerServer) + " flows of server " +
                     std::to_string(flow.from),
                 "as many flows as a server has random streams");
        }
        const RackId from = m_rackOf[flow.from];
        const RackId to = m_rackOf[flow.to];
        if (model.detour && from != to && m_racks[from].portsTo[to].empty())
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
PacketFabric::Engine::Need(uint32_t bytes)
{
    if (bytes >= m_serverTx.size())
    {
        m_serverTx.resize(bytes + 1, 0);
        m_uplinkTx.resize(bytes + 1, 0);
    }
    if (m_serverTx[bytes] == 0)
    {
        m_serverTx[bytes] = TransmissionTime(model.serverRate, bytes);
        m_uplinkTx[bytes] = TransmissionTime(model.uplinkRate, bytes);
    }
}

void
PacketFabric::Engine::TakeFlows(const std::vector<PacketFlow>& flows, int64_t opened)
{
    double rate = 0;
    uint32_t least = UINT32_MAX;
    uint32_t leastDrawn = UINT32_MAX;
    uint32_t greatestDrawn = 0;
    std::vector<uint32_t> used(servers.size(), 0);
    m_hashes.clear();
    for (uint32_t f = 0; f < flows.size(); ++f)
    {
        const PacketFlow& flow = flows[f];
        Server& server = servers[flow.from];
        const uint32_t i = used[flow.from]++;
        if (i == server.sources.size())
        {
            server.sources.emplace_back(server.law,
                                        firstStream + model.racks + flow.from * streamsPerServer +
                                            i);
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
    m_serverPlenty = m_serverTx[least] * model.serverQueue;
    m_uplinkPlenty = m_uplinkTx[least] * model.uplinkQueue;
    const auto ports = static_cast<double>(2 * servers.size() + m_uplinks.size());
    const double packets = std::clamp(PORT_PACKETS * ports, LEAST_PACKETS, MOST_PACKETS);
    m_length = static_cast<int64_t>(std::clamp(packets / rate, 1.0, LONGEST / 2));
    const double together = FLOW_PACKETS * static_cast<double>(flows.size()) / rate;
    m_ahead = static_cast<int64_t>(std::clamp(together, 0.0, LONGEST / 2));
    // From here on pointers to sources stay valid.
    std::fill(used.begin(), used.end(), 0);
    for (uint32_t f = 0; f < flows.size(); ++f)
    {
        const PacketFlow& flow = flows[f];
        PacketSource& source = servers[flow.from].sources[used[flow.from]++];
        const int64_t first = opened + source.Start(flow.meanGap, flow.bytes);
        const uint32_t bytes = source.DrawsSizes() ? 0 : flow.bytes;
        m_racks[m_rackOf[flow.from]].flows.push_back(
            {&source, first, f, 0, bytes, flow.from, flow.to});
    }
}

int64_t
PacketFabric::Engine::Run(int64_t opened,
                          int64_t until,
                          const std::vector<PacketFlow>& flows,
                          OdcnPacketSink& to)
{
    CheckFlows(flows);
    firstTie = INT64_MAX;
    if (flows.empty())
    {
        return opened;
    }
    m_sink = &to;
    m_until = until;
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
            rack.random.emplace(firstStream + r);
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
    TakeFlows(flows, opened);
    RunBlocks();
    int64_t lastEnd = opened;
    for (Rack& rack : m_racks)
    {
        if (rack.fates.GetSize() > 0)
        {
            to.Take(0, {&rack.fates[0], rack.fates.GetSize()});
        }
        lastEnd = std::max(lastEnd, rack.lastEnd);
        firstTie = std::min(firstTie, rack.firstTie);
    }
    return lastEnd;
}

void
PacketFabric::Engine::RunBlocks()
{
    const auto racks = static_cast<uint32_t>(m_racks.size());
    const uint32_t workers = std::clamp(threads, 1U, racks);
    bool done = false;
    bool down = true;
    std::exception_ptr error;
    std::mutex errorMutex;
    std::atomic<uint32_t> next{0};
    // Called between two stages by one thread while the others wait.
    const auto turn = [&]() noexcept
    {
        next.store(0, std::memory_order_relaxed);
        down = !down;
        if (down && !error)
        {
            return;
        }
        m_begin = m_end;
        if (m_begin >= m_until)
        {
            m_begin = std::max(m_begin, FindNext());
        }
        done = error || m_begin == INT64_MAX;
        m_end = done ? m_end : m_begin + m_length;
    };
    const auto stage = [&](uint32_t worker)
    {
        for (uint32_t r; (r = next.fetch_add(1, std::memory_order_relaxed)) < racks;)
        {
            down ? RunDown(r, worker) : RunUp(r);
        }
    };
    turn();
    if (workers == 1)
    {
        while (!done)
        {
            stage(0);
            turn();
        }
        return;
    }
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
    {
        std::vector<std::jthread> pool;
        for (uint32_t worker = 1; worker < workers; ++worker)
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
PacketFabric::Engine::FindNext() const
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
PacketFabric::Engine::Draw(Rack& rack, int64_t until)
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
PacketFabric::Engine::Sort(std::vector<uint64_t>& keys, Rack& rack)
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
PacketFabric::Engine::Order(Rack& rack, const Input& input) const
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
PacketFabric::Engine::RunUp(RackId rack)
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
PacketFabric::Engine::Send(Rack& rack, int64_t now, Flow& flow)
{
    const ServerId card = flow.from;
    PacketPort& port = m_cards[card];
    const uint32_t bytes = flow.bytes > 0 ? flow.bytes : flow.source->NextSize();
    const uint32_t sequence = flow.sequence++;
    if (port.GetFree() - now >= m_serverPlenty &&
        !port.HasRoom(now, model.serverQueue, m_serverTx, rack.firstTie))
    {
        Lose(rack, {now, now, flow.index, sequence, bytes, flow.to}, OcsDropCause::QUEUE_OVERFLOW);
        return;
    }
    const bool wasEmpty = !port.GetNext();
    Passage& packet = port.Add(now, m_serverTx[bytes]);
    packet.sent = now;
    packet.flow = flow.index;
    packet.sequence = sequence;
    packet.bytes = bytes;
    packet.to = flow.to;
    if (packet.time < m_end - model.serverDelay) [[likely]]
    {
        port.Release();
        FromServer(rack, packet);
    }
    else if (wasEmpty)
    {
        rack.busyCards.push_back(card);
    }
}

void
PacketFabric::Engine::Release(Rack& rack, ServerId card)
{
    PacketPort& port = m_cards[card];
    const int64_t latest = m_end - model.serverDelay;
    for (const Passage* packet; (packet = port.GetNext()) && packet->time < latest; port.Release())
    {
        FromServer(rack, *packet);
    }
}

inline void
PacketFabric::Engine::FromServer(Rack& rack, const Passage& packet)
{
    const bool intra = &m_racks[m_rackOf[packet.to]] == &rack;
    Passage& arriving = (intra ? m_toServers[packet.to] : rack.toUplinks).Add();
    arriving = packet;
    arriving.time += model.serverDelay;
}

inline void
PacketFabric::Engine::ToUplink(RackId rack, const Passage& packet)
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
        switch (model.spreading)
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
    PacketPort& port = m_uplinkPorts[rack * model.uplinks + ports[i]];
    if (port.GetFree() - packet.time >= m_uplinkPlenty &&
        !port.HasRoom(packet.time, model.uplinkQueue, m_uplinkTx, r.firstTie))
    {
        Lose(r, packet, OcsDropCause::QUEUE_OVERFLOW);
        return;
    }
    Passage& leaving = port.Add(packet.time, m_uplinkTx[packet.bytes]);
    const int64_t time = leaving.time;
    leaving = packet;
    leaving.time = time;
}

void
PacketFabric::Engine::RunDown(RackId rack, uint32_t worker)
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
    for (ServerId s = rack * model.serversPerRack; s < (rack + 1) * model.serversPerRack; ++s)
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
            if (port.GetFree() - packet.time >= m_serverPlenty &&
                !port.HasRoom(packet.time, model.serverQueue, m_serverTx, r.firstTie))
            {
                Lose(r, packet, OcsDropCause::QUEUE_OVERFLOW);
                continue;
            }
            Passage& leaving = port.Add(packet.time, m_serverTx[packet.bytes]);
            port.Release();
            leaving.bytes = packet.bytes;
            PacketFate& fate = r.fates.Add();
            fate.flow = packet.flow;
            fate.sequence = packet.sequence;
            fate.sent = packet.sent;
            fate.ended = leaving.time + model.serverDelay;
            fate.received = true;
        }
        input.Clear();
        r.lastEnd = std::max(r.lastEnd, port.GetFree() + model.serverDelay);
    }
    if (r.fates.GetSize() >= FATES)
    {
        m_sink->Take(worker, {&r.fates[0], r.fates.GetSize()});
        r.fates.Clear();
    }
}

void
PacketFabric::Engine::Lose(Rack& rack, const Passage& packet, OcsDropCause cause)
{
    rack.fates.Add() = {packet.flow, packet.sequence, packet.sent, packet.time, false, cause};
    rack.lastEnd = std::max(rack.lastEnd, packet.time);
}

void
FabricModel::Check() const
{
    constexpr int64_t MANY = 1 << 20;
    // One hour in ps: sums of a few such times do not overflow.
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

PacketFabric::PacketFabric(const FabricModel& model)
{
    model.Check();
    if (model.hold)
    {
        throw OdcnError::InOption("exact packet engine: NoCircuit",
                                  "Hold",
                                  "Drop or Detour; SchedulePackets knows Hold");
    }
    m_engine = std::make_unique<Engine>(model);
}

PacketFabric::~PacketFabric() = default;

const FabricModel&
PacketFabric::GetModel() const
{
    return m_engine->model;
}

int64_t
PacketFabric::AssignStreams(int64_t stream, int64_t perServer)
{
    m_engine->firstStream = stream;
    m_engine->streamsPerServer = perServer;
    return m_engine->model.racks + perServer * static_cast<int64_t>(m_engine->servers.size());
}

void
PacketFabric::Preset(const std::vector<OdcnCircuitChange>& circuits)
{
    m_engine->Preset(circuits);
}

void
PacketFabric::SetLaw(ServerId server, const PacketLaw& law)
{
    if (server >= m_engine->servers.size() || !m_engine->servers[server].sources.empty())
    {
        throw OdcnError::InOption("server with a law",
                                  std::to_string(server),
                                  "one of the fabric that has sent nothing yet");
    }
    law.Check();
    m_engine->servers[server].law = law;
}

void
PacketFabric::SetThreads(uint32_t threads)
{
    m_engine->threads = threads;
}

int64_t
PacketFabric::Run(int64_t opened,
                  int64_t until,
                  const std::vector<PacketFlow>& flows,
                  OdcnPacketSink& sink)
{
    if (opened < 0 || until < opened)
    {
        throw OdcnError::InOption("packets from and until",
                                  std::to_string(opened) + ", " + std::to_string(until) + " ps",
                                  "0 or more, ascending");
    }
    return m_engine->Run(opened, until, flows, sink);
}

int64_t
PacketFabric::GetFirstTie() const
{
    return m_engine->firstTie;
}

} // namespace ns3::odcn
