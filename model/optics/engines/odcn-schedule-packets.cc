// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-schedule-packets.h"

#include "ns3/ocs-circuit-table.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-random-stream.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <numeric>
#include <queue>
#include <string>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// No packet, no place in a list.
constexpr uint32_t NONE = UINT32_MAX;
/// End of a circuit that stays for ever, ps.
constexpr int64_t NEVER = INT64_MAX;

/// What happens in an event, with the meaning of its numbers a and b.
enum class Happening : uint8_t
{
    FLOW_START,     //!< flows of host a start
    HOST_SEND,      //!< host a sends its next packet
    HOST_SENT,      //!< the last bit of packet a has left host b
    HOST_SENT_NEXT, //!< as HOST_SENT; then the host sends its next packet
    TOR_FROM_HOST,  //!< packet a has reached its first ToR switch, b
    UPLINK_SENT,    //!< the last bit of packet a has left uplink b
    OCS_SENT,       //!< the last bit of packet a has left the optical switch to rack b
    TOR_FROM_RACK,  //!< packet a has reached ToR switch b
    DOWNLINK_SENT,  //!< the last bit of packet a has left for host b
    HOST_RECEIVED,  //!< packet a has reached its host
    SLOT,           //!< a slot of plane a starts
    OPEN,           //!< circuits of window a may be used
    WITHDRAW,       //!< circuits of window a that end leave the paths
    CLOSE,          //!< circuits of window a that end are no longer used
    CIRCUIT,        //!< host a hears of the next circuit in Engine::m_signals
};

/// An event. Its order is when it was scheduled, above the bits of Happening.
struct Event
{
    int64_t time;   //!< ps
    uint64_t order; //!< number of the event << 4 | Happening
    uint32_t a;     //!< see Happening
    uint32_t b;     //!< see Happening

    /// @param o other event  @return whether this one is later
    bool operator>(const Event& o) const
    {
        return time > o.time || (time == o.time && order > o.order);
    }
};

/**
 * Future events. Those with the same delay are in order as they are scheduled, so the frequent
 * delays have a FIFO each, and only the rest needs a heap.
 */
class EventQueue
{
  public:
    /// @param delay a frequent delay, ps
    void AddLane(int64_t delay)
    {
        m_lanes.push_back({delay, {}});
    }

    /// @return time of the event last taken, ps
    int64_t Now() const
    {
        return m_now;
    }

    /// @param delay from now, ps  @param what happens  @param a number  @param b number
    /// @return order of the event
    uint64_t Schedule(int64_t delay, Happening what, uint32_t a, uint32_t b = 0)
    {
        const Event event{m_now + delay, m_count++ << 4 | static_cast<uint64_t>(what), a, b};
        for (Lane& lane : m_lanes)
        {
            if (lane.delay == delay)
            {
                lane.events.push_back(event);
                return event.order;
            }
        }
        m_rest.push(event);
        return event.order;
    }

    /// @param until time, ps  @param [out] event the next one, removed
    /// @return false if none is before that time; then the time is now
    bool Take(int64_t until, Event& event)
    {
        Lane* best = nullptr;
        const Event* next = m_rest.empty() ? nullptr : &m_rest.top();
        for (Lane& lane : m_lanes)
        {
            if (!lane.events.empty() && (!next || *next > lane.events.front()))
            {
                best = &lane;
                next = &lane.events.front();
            }
        }
        if (!next || next->time >= until)
        {
            m_now = until;
            return false;
        }
        event = *next;
        m_now = event.time;
        if (best)
        {
            best->events.pop_front();
        }
        else
        {
            m_rest.pop();
        }
        return true;
    }

  private:
    /// Events of one delay.
    struct Lane
    {
        int64_t delay;            //!< from scheduling, ps
        std::deque<Event> events; //!< in order
    };

    std::vector<Lane> m_lanes;                                             //!< frequent delays
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_rest; //!< other events
    int64_t m_now{0};                                                      //!< ps
    uint64_t m_count{0};                                                   //!< events scheduled
};

/// A packet.
struct Packet
{
    uint32_t flow;  //!< number of its flow
    ServerId to;    //!< receiving host
    uint32_t next;  //!< packet behind it in a queue
    uint16_t bytes; //!< with headers
    uint8_t hops;   //!< circuits taken, for SHORTEST_PATHS
};

/// A queue of packets, linked by Packet::next.
struct PacketQueue
{
    uint32_t first{NONE}; //!< next packet
    uint32_t last{NONE};  //!< last packet
    uint32_t packets{0};  //!< number
    uint32_t place{NONE}; //!< index in Tor::busy
    uint64_t bytes{0};    //!< their bytes
};

/// The sending side of a flow.
struct Outgoing
{
    uint32_t flow; //!< number
    ServerId to;   //!< receiving host
    uint64_t left; //!< bytes not sent yet
    int64_t start; //!< when it starts, ps
    uint32_t next; //!< index of the flow behind it in a FlowQueue
};

/// Flows of a host that send in turn, the next one first, linked by Outgoing::next.
struct FlowQueue
{
    uint32_t first{NONE}; //!< index of the next one
    uint32_t last{NONE};  //!< index of the last one
};

/// A circuit as a host knows it.
struct HostCircuit
{
    RackId rack{NO_RACK}; //!< that it reaches
    int64_t next{0};      //!< when it is the host's turn, ps
    int64_t until{0};     //!< when the last bit of the last packet must have left the host, ps
};

/// What a ToR switch tells a host.
struct Signal
{
    uint32_t port; //!< uplink
    RackId rack;   //!< that it reaches
    int64_t until; //!< end of the circuit, ps
};

/// A host, and the port of the ToR switch to it.
struct Host
{
    std::size_t next{0};               //!< index of the flow to start next
    std::size_t end{0};                //!< index behind its last flow
    FlowQueue active;                  //!< flows that are sending
    std::vector<FlowQueue> held;       //!< flows that wait for circuits, by rack
    std::vector<HostCircuit> circuits; //!< for flows that wait, by uplink
    int64_t free{0};                   //!< when its line is free, ps
    int64_t sendTime{NEVER};           //!< when it sends next, ps; NEVER if it does not
    uint64_t sendOrder{0};             //!< order of that event; others are void
    PacketQueue down;                  //!< packets that wait for the port to it
    bool downBusy{false};              //!< whether that port is transmitting
};

/// An uplink of a ToR switch.
struct Uplink
{
    RackId peer{NO_RACK};  //!< rack that it reaches
    RackId sendingTo{0};   //!< rack that the packet in transmission reaches
    int64_t until{NEVER};  //!< end of its circuit, ps
    int64_t since{0};      //!< when the circuit came up, ps
    bool sending{false};   //!< whether it transmits
    bool idle{false};      //!< whether it found nothing to send
    bool withdrawn{false}; //!< whether paths may not use it
};

/// A ToR switch.
struct Tor
{
    std::vector<PacketQueue> local; //!< packets of its hosts, by rack
    std::vector<PacketQueue> relay; //!< packets of other racks, by rack
    std::vector<PacketQueue> port;  //!< packets that leave by a certain uplink
    std::vector<uint32_t> busy;     //!< queues of local with packets
    std::vector<uint32_t> turns;    //!< for spreading in turn, by destination
    uint32_t turn{0};               //!< for VALIANT_IDLE
    uint64_t packets{0};            //!< held
    uint64_t bytes{0};              //!< held
    uint64_t most{0};               //!< most bytes held
    int64_t since{0};               //!< when bytes changed last, ps
    double sum{0};                  //!< bytes held x time until then, ps
    RandomStream spreading;         //!< of TorSwitch
    RandomStream transit;           //!< of ValiantRouting
};

/// The use of a slot by ToR switches.
struct Window
{
    uint32_t plane; //!< index
    uint32_t slot;  //!< index
    int64_t end;    //!< when circuits that change are no longer used, ps
    bool initial;   //!< whether the circuits are up already
};

/// @param limit a limit, 0 for none  @param packets packets  @param bytes bytes
/// @return whether they exceed it
bool
Exceeds(const QueueSize& limit, uint64_t packets, uint64_t bytes)
{
    const uint64_t used = limit.GetUnit() == QueueSizeUnit::PACKETS ? packets : bytes;
    return limit.GetValue() > 0 && used > limit.GetValue();
}

/// Load into the cache what a later event needs: most of the time is waiting for memory.
/// @param thing the thing
template <typename T>
void
Prefetch(const T& thing)
{
    __builtin_prefetch(&thing);
}

/// Throw OdcnError unless a value is in range. @param name of the value  @param value the value
/// @param valid whether it is in range  @param range the range
void
Require(bool valid, const char* name, const std::string& value, const std::string& range)
{
    if (!valid)
    {
        throw OdcnError::InOption(std::string("packets of a schedule: ") + name, value, range);
    }
}

} // namespace

/// A run.
class SchedulePackets::Engine
{
  public:
    /// @param owner has the parameters, all valid  @param flows the flows, all valid
    Engine(const SchedulePackets& owner, const std::vector<DataFlow>& flows);

    /// @param until when to end at the latest, ps
    /// @return the results
    Result Run(int64_t until);

  private:
    /// Handle an event.
    /// @param event the event
    void Handle(const Event& event);
    /// Start flows that are due. @param host the host
    void StartFlows(ServerId host);
    /// Send the next packet, if any may leave now. @param host the host
    void SendPacket(ServerId host);
    /// Find the next packet. @param host the host
    /// @param [out] queue from which to take its flow; null if there is none
    /// @param [out] circuit for which it waits, or null  @return when it may leave, ps
    int64_t FindNext(Host& host, FlowQueue*& queue, HostCircuit*& circuit);
    /// See to it that the next packet is sent when it may leave. @param host the host
    void ScheduleNext(ServerId host);
    /// @param queue flows in turn  @param i index of a flow to add to them
    void AddFlow(FlowQueue& queue, uint32_t i);
    /// A circuit may be used. @param host that hears of it
    void UseCircuit(ServerId host);
    /// Before a change of the bytes held. @param tor the switch
    void NoteHeld(Tor& tor) const;
    /// @param packet that has reached its host
    void Receive(uint32_t packet);

    /// Forward a packet in a ToR switch. @param rack the switch  @param packet the packet
    /// @param fromRack whether it has just come by a circuit
    void Forward(RackId rack, uint32_t packet, bool fromRack);
    /// @param packet for a host of this rack
    void ForwardDown(uint32_t packet);
    /// Hold a packet, or drop it. @param rack the switch  @param packet the packet
    /// @param queue the queue  @param local whether it is in Tor::local  @return whether it is held
    bool Enqueue(RackId rack, uint32_t packet, PacketQueue& queue, bool local);
    /// @param rack a switch  @param queue a queue with packets  @param local whether it is in
    /// Tor::local
    /// @return its next packet, removed
    uint32_t Dequeue(RackId rack, PacketQueue& queue, bool local);
    /// @param rack a switch  @param to destination
    /// @return an uplink on a shortest path, NONE without a path
    uint32_t ChoosePort(RackId rack, RackId to);
    /// Send a packet if the uplink is idle. @param rack the switch  @param port the uplink
    void Serve(RackId rack, uint32_t port);
    /// @param rack the switch  @param port an idle uplink  @param queue a queue
    /// @param local whether it is in Tor::local  @return whether its next packet is sent
    bool SendHeld(RackId rack, uint32_t port, PacketQueue& queue, bool local);
    /// @param packet whose last bit has left an uplink  @param index of the uplink
    void UplinkSent(uint32_t packet, uint32_t index);
    /// Start the next packet to a host, if any. @param host the host
    void StartDown(ServerId host);

    /// A slot starts. @param plane index  @param initial whether its circuits are up already
    void StartSlot(uint32_t plane, bool initial);
    /// Circuits may be used. @param window of the slot
    void Open(const Window& window);
    /// Circuits that end leave the paths. @param window of the slot
    void Withdraw(const Window& window);
    /// Circuits that end are no longer used. @param window of the slot
    void Close(const Window& window);
    /// @param rack the switch  @param port the uplink
    void ClearCircuit(RackId rack, uint32_t port);
    /// Tell the table which circuit paths may use. @param rack the switch  @param port the uplink
    void UpdatePath(RackId rack, uint32_t port);

    /// @param packet lost  @param cause of the loss
    void Drop(uint32_t packet, OcsDropCause cause);
    /// @param packet that is gone
    void Free(uint32_t packet);

    /// @param rack the switch  @param port the uplink  @return the uplink
    Uplink& GetUplink(RackId rack, uint32_t port)
    {
        return m_uplinks[rack * m_model.uplinks + port];
    }

    Result m_result;                      //!< but for the sums made at the end
    std::vector<uint64_t> m_windows;      //!< application data received, bytes
    std::vector<Tor> m_tors;              //!< by rack
    EventQueue m_events;                  //!< future events
    const FabricModel& m_model;           //!< the fabric
    const CircuitSchedule& m_schedule;    //!< its schedule
    const Settings& m_settings;           //!< the settings
    const std::vector<DataFlow>& m_flows; //!< all flows, during Run()
    std::vector<int64_t> m_serverTx;      //!< transmission times of hosts' ports by size, ps
    std::vector<int64_t> m_uplinkTx;      //!< transmission times on uplinks by size, ps
    int64_t m_window;                     //!< goodputWindow, ps
    std::vector<Outgoing> m_outgoing;     //!< flows by host and start
    std::vector<uint64_t> m_missing;      //!< bytes not received yet, by flow
    std::vector<Host> m_hosts;            //!< by number
    std::vector<RackId> m_rackOf;         //!< rack of each host
    std::vector<Uplink> m_uplinks;        //!< [rack][port]
    std::vector<Packet> m_packets;        //!< in flight, and free ones
    uint32_t m_freePacket{NONE};          //!< first of the free ones, linked by next
    std::vector<Window> m_slots;          //!< of slots that are not over, and free ones
    std::vector<uint32_t> m_freeSlots;    //!< indices of the free ones
    OcsCircuitTable m_table;              //!< for SHORTEST_PATHS
    std::deque<Signal> m_signals;         //!< on their way to hosts
    uint64_t m_unsent;                    //!< flows with packets to send
    int64_t m_used{0};                    //!< uplink time in use, ps
    int64_t m_up{0};                      //!< uplink time of circuits that have ended, ps
};

SchedulePackets::Engine::Engine(const SchedulePackets& owner, const std::vector<DataFlow>& flows)
    : m_model(owner.m_model),
      m_schedule(*owner.m_schedule),
      m_settings(owner.m_settings),
      m_flows(flows),
      m_window(m_settings.goodputWindow.GetPicoSeconds()),
      m_hosts(m_model.GetNServers()),
      m_uplinks(std::size_t(m_model.racks) * m_model.uplinks),
      m_table(m_model.racks, m_model.uplinks),
      m_unsent(flows.size())
{
    m_result.times.assign(flows.size(), PicoSeconds(-1));
    for (uint32_t bytes = 0; bytes <= m_settings.packetSize; ++bytes)
    {
        m_serverTx.push_back(TransmissionTime(m_model.serverRate, bytes));
        m_uplinkTx.push_back(TransmissionTime(m_model.uplinkRate, bytes));
    }
    for (const int64_t delay :
         {m_serverTx.back(), m_uplinkTx.back(), m_model.serverDelay, m_model.uplinkDelay})
    {
        m_events.AddLane(delay);
    }
    const bool valiant = m_settings.routing == Routing::VALIANT_IDLE ||
                         m_settings.routing == Routing::VALIANT_RANDOM;
    for (RackId rack = 0; rack < m_model.racks; ++rack)
    {
        const int64_t first = owner.m_firstStream;
        const int64_t spreading = first < 0 ? first : first + rack * (valiant ? 2 : 1);
        const int64_t transit = first < 0 ? first : spreading + 1;
        m_tors.push_back({std::vector<PacketQueue>(m_model.racks),
                          std::vector<PacketQueue>(valiant ? m_model.racks : 0),
                          std::vector<PacketQueue>(m_model.uplinks),
                          {},
                          std::vector<uint32_t>(m_model.racks, 0),
                          0,
                          0,
                          0,
                          0,
                          0,
                          0,
                          RandomStream(spreading),
                          RandomStream(transit)});
        m_rackOf.insert(m_rackOf.end(), m_model.serversPerRack, rack);
    }
    std::vector<uint32_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&flows](uint32_t a, uint32_t b)
                     {
                         return std::pair(flows[a].source, flows[a].start) <
                                std::pair(flows[b].source, flows[b].start);
                     });
    for (const uint32_t i : order)
    {
        Host& host = m_hosts[flows[i].source];
        if (host.end == 0)
        {
            host.next = m_outgoing.size();
        }
        m_outgoing.push_back(
            {i, flows[i].destination, flows[i].bytes, flows[i].start.GetPicoSeconds(), NONE});
        host.end = m_outgoing.size();
    }
    for (const DataFlow& flow : flows)
    {
        m_missing.push_back(flow.bytes);
    }
    if (m_settings.hold)
    {
        for (Host& host : m_hosts)
        {
            host.held.resize(m_model.racks);
            host.circuits.resize(m_model.uplinks);
        }
    }
}

SchedulePackets::Result
SchedulePackets::Engine::Run(int64_t until)
{
    for (uint32_t plane = 0; plane < m_model.uplinks; ++plane)
    {
        StartSlot(plane, true);
    }
    for (ServerId host = 0; host < m_hosts.size(); ++host)
    {
        m_events.Schedule(0, Happening::FLOW_START, host);
    }
    Event event;
    while ((m_unsent > 0 || m_result.counts.inFlight > 0) && m_events.Take(until, event))
    {
        Handle(event);
    }
    const int64_t now = m_events.Now();
    double held = 0;
    for (Tor& tor : m_tors)
    {
        NoteHeld(tor);
        m_result.held += tor.packets;
        m_result.mostHeld.push_back(tor.most);
        held += tor.sum;
    }
    int64_t up = m_up;
    for (const Uplink& uplink : m_uplinks)
    {
        up += uplink.peer == NO_RACK ? 0 : now - uplink.since;
    }
    m_result.end = PicoSeconds(now);
    m_result.meanHeld = now > 0 ? held / double(now) / double(m_tors.size()) : 0;
    m_result.circuitUse = up > 0 ? double(m_used) / double(up) : 0;
    for (const uint64_t bytes : m_windows)
    {
        m_result.goodput.push_back(bytes * 8 / m_settings.goodputWindow.GetSeconds());
    }
    return std::move(m_result);
}

void
SchedulePackets::Engine::Handle(const Event& event)
{
    switch (static_cast<Happening>(event.order & 15))
    {
    case Happening::FLOW_START:
        StartFlows(event.a);
        break;
    case Happening::HOST_SEND:
        if (event.order == m_hosts[event.a].sendOrder)
        {
            SendPacket(event.a);
        }
        break;
    case Happening::CIRCUIT:
        UseCircuit(event.a);
        break;
    case Happening::HOST_SENT:
    case Happening::HOST_SENT_NEXT:
        if (m_model.serverDelay == 0)
        {
            Forward(m_rackOf[event.b], event.a, false);
        }
        else
        {
            m_events.Schedule(m_model.serverDelay,
                              Happening::TOR_FROM_HOST,
                              event.a,
                              m_rackOf[event.b]);
        }
        // ns-3 has two events here, scheduled one right after the other.
        if (static_cast<Happening>(event.order & 15) == Happening::HOST_SENT_NEXT)
        {
            SendPacket(event.b);
        }
        break;
    case Happening::TOR_FROM_HOST:
        Forward(event.b, event.a, false);
        break;
    case Happening::UPLINK_SENT:
        UplinkSent(event.a, event.b);
        break;
    case Happening::OCS_SENT:
        m_events.Schedule(m_model.uplinkDelay, Happening::TOR_FROM_RACK, event.a, event.b);
        break;
    case Happening::TOR_FROM_RACK:
        Forward(event.b, event.a, true);
        break;
    case Happening::DOWNLINK_SENT:
        m_hosts[event.b].downBusy = false;
        if (m_model.serverDelay == 0)
        {
            Receive(event.a);
        }
        else
        {
            m_events.Schedule(m_model.serverDelay, Happening::HOST_RECEIVED, event.a);
        }
        StartDown(event.b);
        break;
    case Happening::HOST_RECEIVED:
        Receive(event.a);
        break;
    case Happening::SLOT:
        StartSlot(event.a, false);
        break;
    case Happening::OPEN:
        Open(m_slots[event.a]);
        break;
    case Happening::WITHDRAW:
        Withdraw(m_slots[event.a]);
        break;
    case Happening::CLOSE:
        Close(m_slots[event.a]);
        m_freeSlots.push_back(event.a);
        break;
    }
}

void
SchedulePackets::Engine::NoteHeld(Tor& tor) const
{
    tor.sum += double(tor.bytes) * double(m_events.Now() - tor.since);
    tor.since = m_events.Now();
}

void
SchedulePackets::Engine::StartFlows(ServerId h)
{
    Host& host = m_hosts[h];
    const int64_t now = m_events.Now();
    for (; host.next < host.end && m_outgoing[host.next].start <= now; ++host.next)
    {
        const auto i = static_cast<uint32_t>(host.next);
        const RackId to = m_rackOf[m_outgoing[i].to];
        const bool waits =
            m_settings.hold && to != m_rackOf[h] && m_outgoing[i].left >= m_settings.shortFlows;
        AddFlow(waits ? host.held[to] : host.active, i);
        ScheduleNext(h);
    }
    if (host.next < host.end)
    {
        m_events.Schedule(m_outgoing[host.next].start - now, Happening::FLOW_START, h);
    }
}

void
SchedulePackets::Engine::AddFlow(FlowQueue& queue, uint32_t i)
{
    Outgoing& flow = m_outgoing[i];
    uint32_t before = queue.last;
    if (m_settings.order == Order::SHORTEST_REMAINING)
    {
        before = NONE;
        for (uint32_t j = queue.first; j != NONE && m_outgoing[j].left <= flow.left;
             j = m_outgoing[j].next)
        {
            before = j;
        }
    }
    uint32_t& link = queue.first == NONE || before == NONE ? queue.first : m_outgoing[before].next;
    if (queue.first == NONE || before == queue.last)
    {
        queue.last = i;
        flow.next = NONE;
    }
    else
    {
        flow.next = link;
    }
    link = i;
}

void
SchedulePackets::Engine::UseCircuit(ServerId h)
{
    const Signal signal = m_signals.front();
    m_signals.pop_front();
    const int64_t packet = m_uplinkTx.back();
    m_hosts[h].circuits[signal.port] = {
        signal.rack,
        m_events.Now() + packet * (h % m_model.serversPerRack),
        signal.until == NEVER ? NEVER : signal.until - m_model.serverDelay - packet};
    ScheduleNext(h);
}

int64_t
SchedulePackets::Engine::FindNext(Host& host, FlowQueue*& queue, HostCircuit*& circuit)
{
    const int64_t free = std::max(host.free, m_events.Now());
    queue = host.active.first == NONE ? nullptr : &host.active;
    circuit = nullptr;
    if (queue)
    {
        return free;
    }
    for (HostCircuit& c : host.circuits)
    {
        if (c.rack == NO_RACK || host.held[c.rack].first == NONE ||
            (circuit && circuit->next <= c.next))
        {
            continue;
        }
        const uint64_t left = m_outgoing[host.held[c.rack].first].left + HEADERS;
        const int64_t tx = m_serverTx[std::min<uint64_t>(left, m_settings.packetSize)];
        if (std::max(free, c.next) + tx <= c.until)
        {
            queue = &host.held[c.rack];
            circuit = &c;
        }
    }
    return circuit ? std::max(free, circuit->next) : free;
}

void
SchedulePackets::Engine::ScheduleNext(ServerId h)
{
    Host& host = m_hosts[h];
    FlowQueue* queue;
    HostCircuit* circuit;
    const int64_t at = FindNext(host, queue, circuit);
    if (queue && at < host.sendTime)
    {
        host.sendTime = at;
        host.sendOrder = m_events.Schedule(at - m_events.Now(), Happening::HOST_SEND, h);
    }
}

void
SchedulePackets::Engine::SendPacket(ServerId h)
{
    Host& host = m_hosts[h];
    FlowQueue* queue;
    HostCircuit* circuit;
    host.sendTime = NEVER;
    if (FindNext(host, queue, circuit) > m_events.Now() || !queue)
    {
        ScheduleNext(h);
        return;
    }
    const uint32_t i = queue->first;
    Outgoing& flow = m_outgoing[i];
    const auto bytes =
        static_cast<uint32_t>(std::min<uint64_t>(flow.left, m_settings.packetSize - HEADERS));
    uint32_t packet = m_freePacket;
    if (packet == NONE)
    {
        packet = static_cast<uint32_t>(m_packets.size());
        m_packets.emplace_back();
    }
    else
    {
        m_freePacket = m_packets[packet].next;
    }
    const uint32_t size = bytes + HEADERS;
    m_packets[packet] = {flow.flow, flow.to, NONE, static_cast<uint16_t>(size), 0};
    ++m_result.counts.sent;
    ++m_result.counts.inFlight;
    flow.left -= bytes;
    if (flow.left == 0)
    {
        queue->first = flow.next;
        --m_unsent;
    }
    else if (m_settings.order == Order::ROUND_ROBIN && flow.next != NONE)
    {
        queue->first = flow.next;
        m_outgoing[queue->last].next = i;
        queue->last = i;
        flow.next = NONE;
        Prefetch(m_outgoing[queue->first]);
    }
    host.free = m_events.Now() + m_serverTx[size];
    if (circuit)
    {
        const int64_t turn = m_uplinkTx.back() * m_model.serversPerRack;
        circuit->next = std::max(circuit->next, m_events.Now() - turn) + turn;
    }
    const int64_t next = FindNext(host, queue, circuit);
    const bool atOnce = queue && next == host.free;
    m_events.Schedule(m_serverTx[size],
                      atOnce ? Happening::HOST_SENT_NEXT : Happening::HOST_SENT,
                      packet,
                      h);
    if (atOnce)
    {
        host.sendTime = next;
        host.sendOrder = 0;
    }
    else
    {
        ScheduleNext(h);
    }
}

void
SchedulePackets::Engine::Receive(uint32_t packet)
{
    const uint32_t flow = m_packets[packet].flow;
    const uint32_t bytes = m_packets[packet].bytes - HEADERS;
    const auto window = static_cast<std::size_t>(m_events.Now() / m_window);
    if (window >= m_windows.size())
    {
        m_windows.resize(window + 1, 0);
    }
    m_windows[window] += bytes;
    m_missing[flow] -= bytes;
    if (m_missing[flow] == 0)
    {
        m_result.times[flow] = PicoSeconds(m_events.Now()) - m_flows[flow].start;
    }
    ++m_result.counts.received;
    Free(packet);
}

void
SchedulePackets::Engine::Forward(RackId rack, uint32_t p, bool fromRack)
{
    Packet& packet = m_packets[p];
    const RackId to = m_rackOf[packet.to];
    if (to == rack)
    {
        ForwardDown(p);
        return;
    }
    Tor& tor = m_tors[rack];
    if (m_settings.routing == Routing::SHORTEST_PATHS ||
        (m_settings.shortFlows > 0 && m_flows[packet.flow].bytes < m_settings.shortFlows))
    {
        if (fromRack && ++packet.hops >= m_settings.maxHops)
        {
            Drop(p, OcsDropCause::MISROUTED);
            return;
        }
        const uint32_t port = ChoosePort(rack, to);
        if (port != NONE && Enqueue(rack, p, tor.port[port], false))
        {
            Serve(rack, port);
        }
        if (port != NONE)
        {
            return;
        }
        if (m_settings.routing == Routing::SHORTEST_PATHS)
        {
            Drop(p, OcsDropCause::NO_CIRCUIT);
            return;
        }
        fromRack = false; // a short one waits as others do, see ClassRouting
    }
    RackId by = to;
    if (m_settings.routing == Routing::VALIANT_RANDOM && !fromRack)
    {
        by = tor.transit.NextInteger(m_model.racks - 1);
        by += by >= rack ? 1 : 0;
    }
    if (!Enqueue(rack, p, fromRack ? tor.relay[by] : tor.local[by], !fromRack))
    {
        return;
    }
    for (uint32_t port = 0; port < m_model.uplinks; ++port)
    {
        const Uplink& uplink = GetUplink(rack, port);
        if (uplink.idle && (uplink.peer == by || m_settings.routing == Routing::VALIANT_IDLE))
        {
            Serve(rack, port);
        }
    }
}

void
SchedulePackets::Engine::ForwardDown(uint32_t p)
{
    Packet& packet = m_packets[p];
    const ServerId to = packet.to;
    PacketQueue& queue = m_hosts[to].down;
    if (queue.packets >= m_model.serverQueue)
    {
        Drop(p, OcsDropCause::QUEUE_OVERFLOW);
        return;
    }
    (queue.packets == 0 ? queue.first : m_packets[queue.last].next) = p;
    queue.last = p;
    ++queue.packets;
    StartDown(to);
}

void
SchedulePackets::Engine::StartDown(ServerId h)
{
    Host& host = m_hosts[h];
    if (host.downBusy || host.down.packets == 0)
    {
        return;
    }
    const uint32_t packet = host.down.first;
    host.down.first = m_packets[packet].next;
    --host.down.packets;
    host.downBusy = true;
    Prefetch(m_missing[m_packets[packet].flow]);
    m_events.Schedule(m_serverTx[m_packets[packet].bytes], Happening::DOWNLINK_SENT, packet, h);
}

bool
SchedulePackets::Engine::Enqueue(RackId rack, uint32_t p, PacketQueue& queue, bool local)
{
    Tor& tor = m_tors[rack];
    const uint32_t bytes = m_packets[p].bytes;
    if (Exceeds(m_settings.bufferSize, tor.packets + 1, tor.bytes + bytes) ||
        Exceeds(m_settings.queueSize, queue.packets + 1, queue.bytes + bytes))
    {
        Drop(p, OcsDropCause::QUEUE_OVERFLOW);
        return false;
    }
    (queue.packets == 0 ? queue.first : m_packets[queue.last].next) = p;
    queue.last = p;
    ++queue.packets;
    queue.bytes += bytes;
    NoteHeld(tor);
    ++tor.packets;
    tor.bytes += bytes;
    tor.most = std::max(tor.most, tor.bytes);
    if (local && queue.place == NONE)
    {
        queue.place = static_cast<uint32_t>(tor.busy.size());
        tor.busy.push_back(static_cast<uint32_t>(&queue - tor.local.data()));
    }
    return true;
}

uint32_t
SchedulePackets::Engine::Dequeue(RackId rack, PacketQueue& queue, bool local)
{
    Tor& tor = m_tors[rack];
    const uint32_t p = queue.first;
    const Packet& packet = m_packets[p];
    queue.first = packet.next;
    --queue.packets;
    queue.bytes -= packet.bytes;
    NoteHeld(tor);
    --tor.packets;
    tor.bytes -= packet.bytes;
    if (queue.packets > 0)
    {
        Prefetch(m_packets[queue.first]);
    }
    if (local && queue.packets == 0)
    {
        // As TorBuffer, whose order of busy queues VALIANT_IDLE sees.
        tor.local[tor.busy.back()].place = queue.place;
        tor.busy[queue.place] = tor.busy.back();
        tor.busy.pop_back();
        queue.place = NONE;
    }
    return p;
}

uint32_t
SchedulePackets::Engine::ChoosePort(RackId rack, RackId to)
{
    std::array<uint32_t, OcsCircuitTable::MAX_PORTS> ports;
    uint32_t n = 0;
    uint64_t mask = m_table.GetNextPorts(rack, to);
    for (uint32_t port = 0; mask != 0; ++port, mask >>= 1)
    {
        if (mask & 1)
        {
            ports[n++] = port;
        }
    }
    if (n < 2)
    {
        return n == 0 ? NONE : ports[0];
    }
    Tor& tor = m_tors[rack];
    return ports[m_model.spreading == Spreading::ROUND_ROBIN ? tor.turns[to]++ % n
                                                             : tor.spreading.NextInteger(n)];
}

void
SchedulePackets::Engine::Serve(RackId rack, uint32_t port)
{
    Uplink& uplink = GetUplink(rack, port);
    const RackId peer = uplink.peer;
    if (peer == NO_RACK || uplink.sending)
    {
        return;
    }
    Tor& tor = m_tors[rack];
    if (SendHeld(rack, port, tor.port[port], false))
    {
        uplink.idle = false;
        return;
    }
    switch (m_settings.routing)
    {
    case Routing::SHORTEST_PATHS:
        break;
    case Routing::DIRECT:
        SendHeld(rack, port, tor.local[peer], true);
        break;
    case Routing::VALIANT_IDLE:
    case Routing::VALIANT_RANDOM:
        if (!SendHeld(rack, port, tor.relay[peer], false) &&
            !SendHeld(rack, port, tor.local[peer], true) &&
            m_settings.routing == Routing::VALIANT_IDLE && !tor.busy.empty())
        {
            SendHeld(rack, port, tor.local[tor.busy[tor.turn++ % tor.busy.size()]], true);
        }
        break;
    }
    uplink.idle = !uplink.sending;
}

bool
SchedulePackets::Engine::SendHeld(RackId rack, uint32_t port, PacketQueue& queue, bool local)
{
    if (queue.packets == 0)
    {
        return false;
    }
    Uplink& uplink = GetUplink(rack, port);
    const int64_t tx = m_uplinkTx[m_packets[queue.first].bytes];
    if (uplink.until != NEVER && m_events.Now() + tx > uplink.until)
    {
        return false;
    }
    const uint32_t packet = Dequeue(rack, queue, local);
    uplink.sending = true;
    uplink.sendingTo = uplink.peer;
    ++m_result.hops;
    m_events.Schedule(tx, Happening::UPLINK_SENT, packet, rack * m_model.uplinks + port);
    return true;
}

void
SchedulePackets::Engine::UplinkSent(uint32_t packet, uint32_t index)
{
    Uplink& uplink = m_uplinks[index];
    uplink.sending = false;
    m_used += m_uplinkTx[m_packets[packet].bytes];
    if (m_model.uplinkDelay == 0)
    {
        Forward(uplink.sendingTo, packet, true);
    }
    else
    {
        m_events.Schedule(m_model.uplinkDelay, Happening::OCS_SENT, packet, uplink.sendingTo);
    }
    Serve(index / m_model.uplinks, index % m_model.uplinks);
}

void
SchedulePackets::Engine::StartSlot(uint32_t plane, bool initial)
{
    const CircuitSchedule::Place place = m_schedule.Find(plane, PicoSeconds(m_events.Now()));
    const int64_t now = m_events.Now();
    const int64_t guard = m_settings.guard.GetPicoSeconds();
    const int64_t end = place.end.GetPicoSeconds() - guard - m_model.uplinkDelay;
    const int64_t open =
        initial ? now
                : std::max(now,
                           (place.start + m_schedule.GetReconfigurationTime()).GetPicoSeconds() +
                               guard - m_model.uplinkDelay);
    auto window = static_cast<uint32_t>(m_slots.size());
    if (m_freeSlots.empty())
    {
        m_slots.emplace_back();
    }
    else
    {
        window = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    m_slots[window] = {plane, place.slot, end, initial};
    const int64_t margin = m_settings.pathMargin.GetPicoSeconds();
    m_events.Schedule(open - now, Happening::OPEN, window);
    m_events.Schedule(std::max(end - margin, open) - now, Happening::WITHDRAW, window);
    m_events.Schedule(std::max(end, open) - now, Happening::CLOSE, window);
    m_events.Schedule(place.end.GetPicoSeconds() - now, Happening::SLOT, plane);
}

void
SchedulePackets::Engine::Open(const Window& window)
{
    const Matching& to = m_schedule.GetPlane(window.plane).slots[window.slot].to;
    for (RackId rack = 0; rack < m_model.racks; ++rack)
    {
        if (to[rack] == NO_RACK ||
            !(window.initial || m_schedule.Changes(window.plane, window.slot, rack)))
        {
            continue;
        }
        const Time extension = m_schedule.GetExtension(window.plane, window.slot, rack);
        Uplink& uplink = GetUplink(rack, window.plane);
        uplink.until = extension == Time::Max() ? NEVER : window.end + extension.GetPicoSeconds();
        uplink.withdrawn = false;
        if (uplink.peer != to[rack])
        {
            ClearCircuit(rack, window.plane);
            uplink.peer = to[rack];
            uplink.since = m_events.Now();
        }
        UpdatePath(rack, window.plane);
        for (uint32_t s = 0; m_settings.hold && s < m_model.serversPerRack; ++s)
        {
            m_signals.push_back({window.plane, uplink.peer, uplink.until});
            m_events.Schedule(m_model.serverDelay,
                              Happening::CIRCUIT,
                              rack * m_model.serversPerRack + s);
        }
        Serve(rack, window.plane);
    }
}

void
SchedulePackets::Engine::Withdraw(const Window& window)
{
    for (RackId rack = 0; rack < m_model.racks; ++rack)
    {
        if (m_schedule.GetExtension(window.plane, window.slot, rack).IsZero())
        {
            GetUplink(rack, window.plane).withdrawn = true;
            UpdatePath(rack, window.plane);
        }
    }
}

void
SchedulePackets::Engine::Close(const Window& window)
{
    for (RackId rack = 0; rack < m_model.racks; ++rack)
    {
        if (m_schedule.GetExtension(window.plane, window.slot, rack).IsZero())
        {
            ClearCircuit(rack, window.plane);
        }
    }
}

void
SchedulePackets::Engine::ClearCircuit(RackId rack, uint32_t port)
{
    Uplink& uplink = GetUplink(rack, port);
    if (uplink.peer != NO_RACK)
    {
        uplink.peer = NO_RACK;
        uplink.idle = false;
        m_up += m_events.Now() - uplink.since;
        UpdatePath(rack, port);
    }
    std::vector<uint32_t> held;
    PacketQueue& queue = m_tors[rack].port[port];
    while (queue.packets > 0)
    {
        held.push_back(Dequeue(rack, queue, false));
    }
    for (const uint32_t packet : held)
    {
        Forward(rack, packet, false);
    }
}

void
SchedulePackets::Engine::UpdatePath(RackId rack, uint32_t port)
{
    if (m_settings.routing == Routing::SHORTEST_PATHS || m_settings.shortFlows > 0)
    {
        const Uplink& uplink = GetUplink(rack, port);
        m_table.SetPort(rack, port, uplink.withdrawn ? NO_RACK : uplink.peer);
    }
}

void
SchedulePackets::Engine::Drop(uint32_t packet, OcsDropCause cause)
{
    ++m_result.counts.dropped[cause];
    Free(packet);
}

void
SchedulePackets::Engine::Free(uint32_t packet)
{
    --m_result.counts.inFlight;
    m_packets[packet].next = m_freePacket;
    m_freePacket = packet;
}

SchedulePackets::SchedulePackets(const FabricModel& model,
                                 Ptr<CircuitSchedule> schedule,
                                 const Settings& settings)
    : m_model(model),
      m_schedule(schedule),
      m_settings(settings)
{
    model.Check();
    Require(schedule->GetNRacks() == model.racks && schedule->GetNPlanes() == model.uplinks,
            "schedule",
            std::to_string(schedule->GetNRacks()) + " racks, " +
                std::to_string(schedule->GetNPlanes()) + " planes",
            std::to_string(model.racks) + " racks, " + std::to_string(model.uplinks) + " planes");
    const bool paths = settings.routing == Routing::SHORTEST_PATHS || settings.shortFlows > 0;
    Require(!paths || model.spreading != Spreading::PER_FLOW,
            "Spreading",
            "PerFlow",
            "PerPacket or RoundRobin");
    Require(!paths || model.uplinks <= OcsCircuitTable::MAX_PORTS,
            "uplinks",
            std::to_string(model.uplinks),
            "at most " + std::to_string(OcsCircuitTable::MAX_PORTS));
    Require(!model.detour, "NoCircuit", "Detour", "Hold");
    Require(!settings.hold || settings.routing == Routing::DIRECT,
            "Hold",
            "true",
            "false, or DirectRouting");
    Require(settings.maxHops >= 1 && settings.maxHops <= 255,
            "MaxHops",
            std::to_string(settings.maxHops),
            "1 to 255");
    Require(settings.packetSize >= 64 && settings.packetSize <= UINT16_MAX,
            "PacketSize",
            std::to_string(settings.packetSize),
            "64 to 65535");
    Require(!settings.guard.IsStrictlyNegative() && !settings.pathMargin.IsStrictlyNegative() &&
                settings.goodputWindow.IsStrictlyPositive(),
            "Guard, PathMargin, GoodputWindow",
            std::to_string(settings.guard.GetPicoSeconds()) + ", " +
                std::to_string(settings.pathMargin.GetPicoSeconds()) + ", " +
                std::to_string(settings.goodputWindow.GetPicoSeconds()) + " ps",
            "0 or more, 0 or more, above 0");
}

int64_t
SchedulePackets::AssignStreams(int64_t stream)
{
    m_firstStream = stream;
    const bool valiant = m_settings.routing == Routing::VALIANT_IDLE ||
                         m_settings.routing == Routing::VALIANT_RANDOM;
    return int64_t(m_model.racks) * (valiant ? 2 : 1);
}

SchedulePackets::Result
SchedulePackets::Run(const std::vector<DataFlow>& flows, Time until) const
{
    Require(!until.IsStrictlyNegative(),
            "end of the run",
            std::to_string(until.GetPicoSeconds()) + " ps",
            "0 or more");
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const DataFlow& flow = flows[i];
        if (i >= UINT32_MAX || flow.source >= m_model.GetNServers() ||
            flow.destination >= m_model.GetNServers() || flow.source == flow.destination ||
            flow.bytes == 0 || flow.start.IsStrictlyNegative())
        {
            throw OdcnError("packets of a schedule: flow " + std::to_string(i) + " from host " +
                            std::to_string(flow.source) + " to " +
                            std::to_string(flow.destination) + " of " + std::to_string(flow.bytes) +
                            " bytes: expected two different hosts below " +
                            std::to_string(m_model.GetNServers()) +
                            ", 1 byte or more, and a start of 0 or more");
        }
    }
    return Engine(*this, flows).Run(until.GetPicoSeconds());
}

} // namespace ns3::odcn
