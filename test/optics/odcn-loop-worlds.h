// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LOOP_WORLDS_H
#define ODCN_LOOP_WORLDS_H

/**
 * @file
 * Transports with answers, for ns-3 and for the exact engine.
 */

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/odcn-exact-packets.h"
#include "ns3/odcn-fault-injector.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-transport-logic.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// The receiver pulls packets one by one, and again those that were cut, as a user may write it.
class PullTransport : public TransportLogic
{
  public:
    /// Kinds of packets.
    enum Kind : uint32_t
    {
        DATA, //!< of the sender
        PULL, //!< the next packet
        CUT   //!< this packet again
    };

    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::odcn::PullTransport")
                                .SetParent<TransportLogic>()
                                .AddConstructor<PullTransport>()
                                .AddAttribute("First",
                                              "Packets that need no pull",
                                              UintegerValue(10),
                                              MakeUintegerAccessor(&PullTransport::m_first),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    void SendFlow(uint32_t flow, uint32_t peer, uint64_t bytes, bool isShort) override
    {
        Begin(peer, bytes, flow, true, isShort);
    }

    void SendMessage(uint32_t peer, uint64_t bytes, uint64_t tag, bool isShort) override
    {
        Begin(peer, bytes, tag, false, isShort);
    }

    void Receive(const TransportPacket& packet) override
    {
        if (packet.kind != DATA)
        {
            TransportPacket& next = m_outgoing.at(packet.number);
            SendOne(next, packet.kind == CUT ? packet.sequence : next.sequence++);
            return;
        }
        std::vector<bool>& has = m_incoming[{packet.peer, packet.number}];
        has.resize((packet.size - 1) / GetPayload() + 1);
        TransportPacket answer;
        answer.peer = packet.peer;
        answer.number = packet.number;
        answer.sequence = packet.sequence;
        answer.isShort = true;
        const uint32_t bytes = GetBytes(packet, packet.sequence);
        answer.kind = packet.bytes < bytes ? CUT : PULL;
        m_answers.push_back(answer);
        if (!Host().IsPending(0))
        {
            Host().SetTimer(0, 0);
        }
        if (answer.kind == CUT || has[packet.sequence])
        {
            return;
        }
        has[packet.sequence] = true;
        if (packet.isFlow)
        {
            Host().DeliverBytes(static_cast<uint32_t>(packet.tag), bytes);
        }
        else if (std::find(has.begin(), has.end(), false) == has.end())
        {
            Host().DeliverMessage(packet);
        }
    }

    void TimerExpired(uint32_t) override
    {
        if (!m_answers.empty())
        {
            Host().Send(m_answers.front());
            m_answers.pop_front();
            Host().SetTimer(0, Host().GetTxTime(GetSettings().packetSize));
        }
    }

    bool Repairs() const override
    {
        return true;
    }

  private:
    /// @return bytes of data in a full packet
    uint32_t GetPayload() const
    {
        TransportPacket packet;
        packet.size = 1;
        return GetSettings().packetSize - GetHeaders(packet);
    }

    /// @param packet of a flow or message
    /// @param sequence of another packet of it
    /// @return bytes of data in that
    uint32_t GetBytes(const TransportPacket& packet, uint32_t sequence) const
    {
        const uint64_t before = std::min(packet.size, uint64_t(sequence) * GetPayload());
        return static_cast<uint32_t>(std::min<uint64_t>(packet.size - before, GetPayload()));
    }

    /// @param flow or message
    /// @param sequence of the packet to send, if there is one
    void SendOne(const TransportPacket& flow, uint32_t sequence)
    {
        TransportPacket packet = flow;
        packet.sequence = sequence;
        packet.bytes = GetBytes(packet, sequence);
        if (packet.bytes > 0)
        {
            Host().Send(packet);
        }
    }

    /// @param peer receiver
    /// @param bytes application data
    /// @param tag number or tag
    /// @param isFlow whether it is a flow
    /// @param isShort its class
    void Begin(uint32_t peer, uint64_t bytes, uint64_t tag, bool isFlow, bool isShort)
    {
        TransportPacket next;
        next.peer = peer;
        next.number = static_cast<uint32_t>(m_outgoing.size());
        next.size = bytes;
        next.tag = tag;
        next.isFlow = isFlow;
        next.isShort = isShort;
        next.time = Host().Now();
        next.sequence = m_first;
        m_outgoing.push_back(next);
        for (uint32_t i = 0; i < m_first; ++i)
        {
            SendOne(next, i);
        }
    }

    uint32_t m_first{10};                   //!< First
    std::deque<TransportPacket> m_outgoing; //!< by number: the next packet
    /// By sender and number: whether a packet was received.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<bool>> m_incoming;
    std::deque<TransportPacket> m_answers; //!< to be sent, one in the time of a full packet
};

/// @param flows hosts
/// @param settings the same for the engine
inline void
SetLoops(FlowHelper& flows, const ExactPackets::HostSettings& settings)
{
    flows.SetAttribute("Transport", StringValue(settings.transport));
    flows.SetAttribute("Repair", CompatEnumValue<FlowApplication::RepairMode>(settings.repair));
    flows.SetAttribute("ReorderTime", TimeValue(settings.reorderTime));
    flows.SetAttribute("RepairTimeout", TimeValue(settings.repairTimeout));
    flows.SetAttribute("Window", UintegerValue(settings.window));
    flows.SetAttribute("CreditPackets", UintegerValue(settings.creditPackets));
    flows.SetAttribute("WindowPerMessage", BooleanValue(settings.windowPerMessage));
}

/**
 * @param random draws
 * @param k index of a world
 * @param [out] settings get a transport with answers
 */
inline void
DrawLoops(const Ptr<UniformRandomVariable>& random,
          uint32_t k,
          ExactPackets::HostSettings& settings)
{
    const auto draw = [&random](uint32_t least, uint32_t greatest)
    { return random->GetInteger(least, greatest); };
    settings.reorderTime = MicroSeconds(draw(5, 100));
    settings.repairTimeout = MicroSeconds(draw(100, 600));
    if (k % 3 == 2)
    {
        settings.transport = "PullTransport[First=" + std::to_string(draw(1, 12)) + "]";
        return;
    }
    settings.repair = FlowApplication::NACK;
    settings.window = k % 3 == 0 ? 0 : draw(1, 30);
    settings.creditPackets = draw(1, 3);
    settings.windowPerMessage = k % 2 == 1;
}

/// Let a run of ns-3 end with the last flow.
/// @param recorder of the flows
inline void
StopAtEnd(FlowRecorder& recorder)
{
    recorder.TraceConnectWithoutContext("AllCompleted",
                                        Callback<void>(std::function([] { Simulator::Stop(); })));
}

/// What fails in a world.
struct WorldFaults
{
    FaultPlan plan;        //!< faults
    Time detection;        //!< until control learns of them
    std::string described; //!< the plan in words
};

/**
 * @param random draws
 * @param parts that may fail
 * @param until end of the run
 * @return some faults: overlapping ones, some at the beginning, some that stay, ties with slots
 */
inline WorldFaults
DrawFaults(const Ptr<UniformRandomVariable>& random, const FaultParts& parts, Time until)
{
    const auto draw = [&random](uint32_t least, uint32_t greatest)
    { return random->GetInteger(least, greatest); };
    const auto drawTime = [&](Time most)
    {
        const auto us = static_cast<uint32_t>(most.GetMicroSeconds());
        return draw(0, 2) == 0 ? MicroSeconds(draw(0, us)) : PicoSeconds(draw(0, us) * 1000003LL);
    };
    WorldFaults faults;
    faults.detection = draw(0, 3) == 0 ? Time(0) : drawTime(MicroSeconds(200));
    std::ostringstream text;
    for (uint32_t i = draw(1, 6); i > 0; --i)
    {
        const auto& [part, sizes] = *std::next(parts.begin(), draw(0, parts.size() - 1));
        const bool hasTwo = FaultPartHasTwo(part);
        Fault fault;
        fault.part = part;
        do
        {
            fault.first = draw(0, sizes.size() - 1);
        } while (sizes[fault.first] == 0); // a rack without servers
        fault.second = hasTwo ? draw(0, sizes[fault.first] - 1) : 0;
        fault.start = draw(0, 4) == 0 ? Time(0) : drawTime(until / 2);
        fault.end =
            draw(0, 4) == 0 ? Time::Max() : fault.start + PicoSeconds(1) + drawTime(until / 3);
        faults.plan.Add(fault);
        text << " " << FaultPartName(part) << " " << fault.GetIndex() << " from "
             << fault.start.GetPicoSeconds() << " to "
             << (fault.end == Time::Max() ? -1 : fault.end.GetPicoSeconds()) << ",";
    }
    text << " detection " << faults.detection.GetPicoSeconds();
    faults.described = text.str();
    return faults;
}

/// @param faults of a world
/// @return starts them in ns-3
inline Ptr<FaultInjector>
MakeInjector(const WorldFaults& faults)
{
    return CreateObjectWithAttributes<FaultInjector>("DetectionTime", TimeValue(faults.detection));
}

/// @param injector of a run
/// @return the number of faults, and the least availability
inline std::pair<uint64_t, double>
SumFaults(const FaultInjector& injector)
{
    std::pair<uint64_t, double> sum{0, 1};
    for (std::size_t i = 0; i < FAULT_PARTS; ++i)
    {
        const auto part = static_cast<FaultPart>(i);
        sum.first += injector.GetNFaults(part);
        sum.second = std::min(sum.second, injector.GetAvailability(part));
    }
    return sum;
}

/// @param settings of hosts
/// @return their transport in words
inline std::string
DescribeLoops(const ExactPackets::HostSettings& settings)
{
    return settings.transport + (settings.repair ? " Nack" : "") + ", Window " +
           std::to_string(settings.window);
}

/// @return the only world to run, by the environment variable ODCN_WORLD, or "" for all
inline std::string
GetOnlyWorld()
{
    const char* one = std::getenv("ODCN_WORLD");
    return one ? one : "";
}

/// @param k number of a world, drawn as in a run of all worlds
/// @return whether it is to be run
inline bool
IsWorldWanted(uint32_t k)
{
    const std::string one = GetOnlyWorld();
    return one.empty() || std::stoul(one) == k;
}

/**
 * @param few worlds of an ordinary run
 * @return how many worlds to draw: as many, or what the environment variable ODCN_WORLDS says, or
 * up to the only one to run
 */
inline uint32_t
GetNWorlds(uint32_t few)
{
    const std::string one = GetOnlyWorld();
    const char* many = std::getenv("ODCN_WORLDS");
    return static_cast<uint32_t>(!one.empty() ? std::stoul(one) + 1
                                 : many       ? std::stoul(many)
                                              : few);
}

} // namespace ns3::odcn

#endif /* ODCN_LOOP_WORLDS_H */
