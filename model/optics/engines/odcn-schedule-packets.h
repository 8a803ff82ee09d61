// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULE_PACKETS_H
#define ODCN_SCHEDULE_PACKETS_H

#include "odcn-fabric-model.h"

#include "ns3/nstime.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-random-stream.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"
#include "ns3/tor-forwarding.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Packet-level simulation of a fabric that follows a schedule, without ns-3's events: the packets
 * of FlowApplication (Transport=Udp), with the same outcome to the picosecond as with TorSwitch
 * (NoCircuit=Hold, without queue discs) and OcsScheduleFollower (without clock skew), at Time::PS.
 *
 * It handles the same events as ns-3, as far as they matter, in the same order: by time, then by
 * when they were scheduled. So ties are broken as in ns-3 when the follower is started before
 * FlowHelper::Install(), both at time 0.
 *
 * Nothing fails and clocks are exact, so optical switches lose no packet.
 */
class SchedulePackets
{
  public:
    /// Which active flow of a host sends the next packet; see FlowApplication::Order.
    enum class Order : uint8_t
    {
        ROUND_ROBIN,       //!< packet by packet in turn
        FIFO,              //!< the flow that started first
        SHORTEST_REMAINING //!< the flow with the fewest bytes left
    };

    /// How packets are sent and forwarded.
    struct Settings
    {
        /// TorRouting::GetForwarding() of all ToR switches
        TorForwarding forwarding{TorForwarding::All(TorForwarding::DIRECT)};
        uint64_t shortFlows{0}; //!< FlowApplication::ShortFlows: flows of fewer bytes are expedited
        QueueSize queueSize{"0p"};           //!< TorSwitch::QueueSize; 0 for no limit
        QueueSize bufferSize{"0B"};          //!< TorSwitch::BufferSize; 0 for no limit
        Time guard;                          //!< OcsScheduleFollower::Guard
        Time pathMargin;                     //!< OcsScheduleFollower::PathMargin
        Order order{Order::ROUND_ROBIN};     //!< FlowApplication::Order
        bool hold{false};                    //!< FlowApplication::Hold; bulk is DIRECT
        uint32_t packetSize{1500};           //!< FlowApplication::PacketSize
        Time goodputWindow{MilliSeconds(1)}; //!< FlowRecorder::GoodputWindow
        Time averageUntil; //!< end of the time of meanHeld and circuitUse; 0 for that of the run
    };

    /// What a run results in.
    struct Result
    {
        Time end;                //!< @p until, or when the last packet had been received or lost
        std::vector<Time> times; //!< by flow, from its start until its last byte was received;
                                 //!< negative if it is incomplete
        PacketCounts counts;     //!< packets by outcome
        uint64_t held{0};        //!< packets in flight that wait in ToR switches for circuits
        uint64_t hops{0};        //!< packets whose first bit has left an uplink
        std::vector<double> goodput;    //!< received application data, bit/s, by goodputWindow
        std::vector<uint64_t> mostHeld; //!< by rack: largest number of bytes held
        double meanHeld{0};             //!< bytes held by a ToR switch, mean over time and racks
        double circuitUse{0}; //!< share of the time with a circuit in which uplinks transmit
    };

    /// Bytes of headers in each packet: FlowApplication::UDP_HEADERS.
    static constexpr uint32_t HEADERS = 44;

    /**
     * @param model the fabric, from OcsHelper::GetModel(); the dark time is that of the schedule
     * @param schedule its schedule, after Build()
     * @param settings the settings
     * @throws OdcnError when they do not fit together, a value is out of range, the way of
     * forwarding is not known, or spreading is PER_FLOW with shortest paths
     */
    SchedulePackets(const FabricModel& model,
                    Ptr<CircuitSchedule> schedule,
                    const Settings& settings);

    /**
     * @param forwarding of a routing
     * @return "", or why the engine cannot forward so
     */
    static std::string WhyNot(const TorForwarding& forwarding);

    /**
     * Assign random streams as OcsFabric::AssignStreams() does; otherwise they are automatic.
     * @param stream first stream number to use  @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Run flows on an empty fabric from time 0, with the same random numbers each time.
     *
     * @param flows the flows
     * @param until when the run ends at the latest, with packets that no circuit serves still held;
     * events at that time are not handled
     * @return the results
     * @throws OdcnError when a flow is not valid
     */
    Result Run(const std::vector<DataFlow>& flows, Time until);

    /// @param flows valid ones
    /// @return the time of each, alone in the network as FlowPaths takes it
    std::vector<Time> GetUnloadedTimes(const std::vector<DataFlow>& flows) const;

  private:
    class Engine;

    /// The random numbers of a ToR switch.
    struct Streams
    {
        RandomStream spreading; //!< of TorSwitch
        RandomStream transit;   //!< of ValiantRouting
    };

    /// @return random streams of a ToR switch
    int64_t CountStreams() const;

    /// @param first first stream number; negative for automatic streams
    void MakeStreams(int64_t first);

    FabricModel m_model;             //!< the fabric
    Ptr<CircuitSchedule> m_schedule; //!< its schedule
    Settings m_settings;             //!< the settings
    std::vector<Streams> m_streams;  //!< by rack, at their beginning; none before the first run
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULE_PACKETS_H */
