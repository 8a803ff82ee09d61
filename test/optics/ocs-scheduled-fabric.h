// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_SCHEDULED_FABRIC_H
#define OCS_SCHEDULED_FABRIC_H

/**
 * @file
 * Fabrics that follow schedules, for tests. Rates and times are those of the RotorNet paper's
 * example: uplinks of 10 Gb/s, slots of 100 us of which 10 us are dark.
 */

#include "ocs-test-fabric.h"

#include "ns3/object-factory.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/random-variable-stream.h"

namespace ns3::odcn
{

/// Bytes of a packet.
constexpr uint32_t SIZE = 1500;
/// Rate of an uplink, bit/s.
constexpr double UPLINK_RATE = 1e10;

/// A server that sends packets one after the other and counts what it receives.
class SaturatingServer : public QuietUser
{
  public:
    void PortReceived(uint32_t, const Ptr<Packet>& packet) override
    {
        received += packet->GetSize();
        tagged += packet->GetPacketTagIterator().HasNext();
        Ipv4Header ip;
        packet->PeekHeader(ip);
        marked += ip.GetEcn() == Ipv4Header::ECN_CE;
        if (!measuring.IsNull())
        {
            measuring(packet);
        }
    }

    void PortIdle(uint32_t) override
    {
        if (next)
        {
            if (Ptr<Packet> packet = next())
            {
                device->Transmit(packet);
            }
        }
    }

    Ptr<OcsNetDevice> device;                    //!< network card
    std::function<Ptr<Packet>()> next;           //!< next packet, null for none
    uint64_t received{0};                        //!< bytes
    uint64_t marked{0};                          //!< packets with "congestion experienced"
    uint32_t tagged{0};                          //!< packets with a packet tag
    Callback<void, Ptr<const Packet>> measuring; //!< called with received packets
};

/// Racks of one server each with as much bandwidth as their uplinks, that follow a schedule.
class ScheduledFabric
{
  public:
    /// @param racks number  @param uplinks of each rack  @param schedule a kind of schedule
    /// @param routing a TorRouting  @param helper with Attributes  @param guard of the follower
    /// @param skew of clocks
    ScheduledFabric(uint32_t racks,
                    uint32_t uplinks,
                    const std::string& schedule,
                    const std::string& routing,
                    const OcsHelper& helper = OcsHelper(),
                    Time guard = Time(0),
                    const std::string& skew = "ns3::ConstantRandomVariable[Constant=0]")
        : ScheduledFabric(OcsFabricSize{racks, 1, uplinks, uplinks},
                          schedule,
                          routing,
                          helper,
                          guard,
                          skew)
    {
    }

    /// @param wanted size, of which traffic uses the first server of each rack
    /// @param schedule a kind of schedule  @param routing a TorRouting
    /// @param helper with Attributes  @param guard of the follower  @param skew of clocks
    ScheduledFabric(const OcsFabricSize& wanted,
                    const std::string& schedule,
                    const std::string& routing,
                    OcsHelper helper = OcsHelper(),
                    Time guard = Time(0),
                    const std::string& skew = "ns3::ConstantRandomVariable[Constant=0]")
    {
        const OcsFabricSize size = wanted.Complete();
        const uint32_t racks = size.racks;
        const uint32_t uplinks = size.uplinks;
        helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
        helper.SetTorAttribute("Routing", StringValue(routing));
        helper.SetUplinkAttribute("DataRate", DataRateValue(DataRate(uint64_t(UPLINK_RATE))));
        helper.SetServerAttribute("DataRate",
                                  DataRateValue(DataRate(uint64_t(UPLINK_RATE * uplinks))));
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
        helper.SetElectricalAttribute("DataRate", DataRateValue(DataRate(uint64_t(UPLINK_RATE))));
        fabric = helper.Build(size);
        int64_t stream = 100;
        stream += fabric->AssignStreams(stream);
        plan = CircuitSchedule::Create(schedule + "Schedule");
        stream += plan->AssignStreams(stream);
        plan->Build(racks, uplinks, size.uplinksByRack);
        follower = CreateObjectWithAttributes<OcsScheduleFollower>("Guard",
                                                                   TimeValue(guard),
                                                                   "ClockSkew",
                                                                   StringValue(skew));
        stream += follower->AssignStreams(stream);
        random = CreateObject<UniformRandomVariable>();
        random->SetStream(stream);
        follower->Start(fabric, plan);
        servers.resize(racks);
        for (RackId rack = 0; rack < racks; ++rack)
        {
            servers[rack].device = fabric->GetServerDevice(rack, 0);
            servers[rack].device->SetUser(&servers[rack], 0);
        }
    }

    /// @param from rack  @param to rack  @param tos type of service  @return a packet
    Ptr<Packet> Make(RackId from, RackId to, uint8_t tos = 0) const
    {
        Ptr<Packet> packet = MakeTestPacket(fabric->GetServerAddress(from, 0),
                                            fabric->GetServerAddress(to, 0),
                                            1000,
                                            SIZE);
        Ipv4Header ip;
        packet->RemoveHeader(ip);
        ip.SetTos(tos);
        packet->AddHeader(ip);
        return packet;
    }

    /// Let all servers send without pause. @param choose destination of a rack's next packet
    void Saturate(std::function<RackId(RackId)> choose)
    {
        for (RackId rack = 0; rack < servers.size(); ++rack)
        {
            servers[rack].next = [this, rack, choose] { return Make(rack, choose(rack)); };
            servers[rack].PortIdle(0);
        }
    }

    /// @param warmUp not measured  @param time measured
    /// @return received traffic as a share of all uplinks' rate
    double Measure(Time warmUp, Time time)
    {
        RunFor(warmUp);
        const uint64_t before = CountBytes();
        RunFor(time);
        return (CountBytes() - before) * 8 / time.GetSeconds() /
               (UPLINK_RATE * plan->GetNPlanes() * servers.size());
    }

    /// @return bytes that servers received
    uint64_t CountBytes() const
    {
        return SumOf<uint64_t>(servers,
                               [&](const SaturatingServer& server) { return server.received; });
    }

    Ptr<OcsFabric> fabric;                 //!< the fabric
    Ptr<CircuitSchedule> plan;             //!< its schedule
    Ptr<OcsScheduleFollower> follower;     //!< lets it follow the schedule
    Ptr<UniformRandomVariable> random;     //!< for traffic
    std::vector<SaturatingServer> servers; //!< one a rack
    SimulationEnd end;                     //!< of the simulation
};

} // namespace ns3::odcn

#endif /* OCS_SCHEDULED_FABRIC_H */
