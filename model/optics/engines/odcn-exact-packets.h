// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EXACT_PACKETS_H
#define ODCN_EXACT_PACKETS_H

#include "ns3/nstime.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-fault-plan.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-message-header.h"
#include "ns3/odcn-traffic.h"
#include "ns3/odcn-udp-flow-transport.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Packet-level simulation of a network without ns-3's events: the packets of FlowApplication, of
 * flows or of messages, with the same outcome to the picosecond, at Time::PS. What is between the
 * hosts is up to the derived class.
 *
 * Transports are Udp, with Repair=Nack and a Window, too, and each TransportLogic: the objects that
 * run in ns-3 run here. Tcp is refused, since it has packets of ns-3 only.
 *
 * It handles the same events as ns-3, as far as they matter, in the same order: by time, then by
 * when they were scheduled.
 */
class ExactPackets
{
  public:
    /// Which active flow of a host sends the next packet; see FlowApplication::Order.
    enum class Order : uint8_t
    {
        ROUND_ROBIN,       //!< packet by packet in turn
        FIFO,              //!< the flow that started first
        SHORTEST_REMAINING //!< the flow with the fewest bytes left
    };

    /// How hosts send.
    struct HostSettings
    {
        uint64_t shortFlows{0};              //!< FlowApplication::ShortFlows
        Order order{Order::ROUND_ROBIN};     //!< FlowApplication::Order
        uint32_t packetSize{1500};           //!< FlowApplication::PacketSize
        Time goodputWindow{MilliSeconds(1)}; //!< FlowRecorder::GoodputWindow
        std::string transport{"Udp"}; //!< FlowApplication::Transport: Udp or a TransportLogic
        FlowApplication::RepairMode repair{FlowApplication::NONE}; //!< FlowApplication::Repair
        bool windowPerMessage{false};                              //!< its WindowPerMessage
        Time reorderTime{MilliSeconds(1)};                         //!< FlowApplication::ReorderTime
        Time repairTimeout{MilliSeconds(10)}; //!< FlowApplication::RepairTimeout
        uint32_t window{0};                   //!< FlowApplication::Window
        uint32_t creditPackets{1};            //!< FlowApplication::CreditPackets

        /// @return how hosts send by default, from the Attributes of FlowApplication
        static HostSettings FromDefaults();

        /// @return whether hosts answer what they receive, or send by timers
        bool HasLoops() const
        {
            return transport != "Udp" || repair != FlowApplication::NONE;
        }
    };

    /// What a run results in.
    struct Result : TrafficResult
    {
        Time end;                 //!< when all flows or messages were complete, or @p until
        PacketCounts counts;      //!< packets by outcome
        uint64_t held{0};         //!< packets in flight that wait in ToR switches for circuits
        uint64_t cut{0};          //!< packets that TrimQueues cut
        uint64_t reconfigured{0}; //!< circuits of optical switches that were changed until the end
                                  //!< of the time of meanHeld
        uint64_t faults{0};       //!< faults that have started
        /// Share of the time in which parts that may fail work, of the kind that worked least; see
        /// FaultInjector::GetAvailability().
        double availability{1};
        uint64_t hops{0}; //!< packets whose first bit has left an uplink, with RotorLB's messages
        std::vector<double> goodput;    //!< received application data, bit/s, by goodputWindow
        std::vector<uint64_t> mostHeld; //!< by rack: largest number of bytes held; none if there
                                        //!< are no circuits
        double meanHeld{0}; //!< bytes held by a ToR switch, mean over racks and over the time until
                            //!< the end, or until no packet can arrive any more
        double circuitUse{0}; //!< share of the time with a circuit in which uplinks transmit
        /// What is done at the end with the flows, by number, or messages, by tag, that are not
        /// complete.
        FlowApplication::FlowStages stages;
        /// Packets of messages and of transports with answers, as FlowApplication counts them, of
        /// all hosts.
        FlowApplication::MessageCounts messages;
    };

    /// Bytes of headers in each packet of a flow.
    static constexpr uint32_t HEADERS = UdpFlowTransport::HEADERS;
    /// Bytes of headers in each packet of a message.
    static constexpr uint32_t MESSAGE_HEADERS = HEADERS + MessageHeader::SIZE;

    virtual ~ExactPackets() = default;

    /**
     * Assign random streams as the network's AssignStreams() does; otherwise they are automatic.
     * @param stream first stream number to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;

    /**
     * Run traffic on an empty network from time 0, with the same random numbers each time. If no
     * message waits for others, all are known in advance, and their packets carry no message
     * header, as FlowHelper::Install() sends them; otherwise they are those of
     * MessagePlane::Send().
     *
     * @param flows the traffic
     * @param until when the run ends if not all flows are complete, with the packets that are then
     * on their way; events at that time are not handled. It ends with the last flow, as ns-3 when
     * the trace AllCompleted calls Simulator::Stop()
     * @return the results
     * @throws OdcnError when a message is not valid
     */
    Result Run(const Traffic& flows, Time until);

    /**
     * Run messages as PacketMessages carries them, from time 0: the source is asked what to send at
     * the beginning, before ns-3's time begins, and whenever a message has been received.
     *
     * @param source sends between the hosts, and hears of what was received
     * @param until as for traffic
     * @return the results, without times; those are the source's
     * @throws OdcnError when a message is not valid
     */
    Result Run(TrafficSource& source, Time until);

    /// @return the parts that may fail, as those of FaultInjector
    virtual FaultParts GetParts() const = 0;

    /**
     * Let parts fail in each run, as FaultInjector does if it is started last, at time 0.
     * @param plan faults from time 0 on
     * @param detection FaultInjector::DetectionTime, 0 or more
     * @throws OdcnError when there is no such part
     */
    void SetFaults(FaultPlan plan, Time detection);

    /**
     * @param settings of hosts
     * @return "", or why their transport cannot be computed so
     */
    static std::string WhyNot(const HostSettings& settings);

    /// @param settings of hosts, valid
    /// @return bytes of headers in each packet of a flow
    static uint32_t GetHeaders(const HostSettings& settings);

    /// @param flows valid ones
    /// @return the time of each, alone in the network as FlowPaths takes it
    virtual std::vector<Time> GetUnloadedTimes(const Traffic& flows) const = 0;

  protected:
    class Engine;

    /// @throws OdcnError unless a value is in range
    /// @param valid whether it is
    /// @param name of the value
    /// @param value the value
    /// @param range the range
    static void Require(bool valid,
                        const char* name,
                        const std::string& value,
                        const std::string& range);

    /// @param settings of hosts
    /// @throws OdcnError when one is out of range
    static void Check(const HostSettings& settings);

    /// What fails in each run.
    struct Faults
    {
        FaultPlan plan;       //!< from time 0 on
        int64_t detection{0}; //!< FaultInjector::DetectionTime, ps
        FaultParts parts;     //!< that may fail
    };

    /// @return what fails
    const Faults& GetFaults() const
    {
        return m_faults;
    }

  private:
    /// @param until end of a run
    /// @throws OdcnError when it is negative
    static void CheckEnd(Time until);

    /// @return number of hosts
    virtual uint32_t GetNHosts() const = 0;

    /// @param flows valid ones, which outlive it
    /// @return a run of them
    virtual std::unique_ptr<Engine> MakeEngine(const Traffic& flows) = 0;

    Faults m_faults; //!< see SetFaults()
};

} // namespace ns3::odcn

#endif /* ODCN_EXACT_PACKETS_H */
