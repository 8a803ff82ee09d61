// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRANSPORT_LOGIC_H
#define ODCN_TRANSPORT_LOGIC_H

#include "odcn-flow-application.h"

#include "ns3/object.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace ns3::odcn
{

/// A packet, as a TransportLogic knows it.
struct TransportPacket
{
    /// Numbers: the first one, and how many.
    using Range = std::pair<uint32_t, uint32_t>;

    uint32_t peer{0};                //!< the receiver of what is sent, the sender of what arrived
    uint32_t kind{0};                //!< for the logic, below 256
    uint32_t number{0};              //!< of the flow or message
    uint32_t sequence{0};            //!< index of the packet in it
    uint32_t bytes{0};               //!< application data
    bool isShort{false};             //!< whether it bears the DSCP Expedited Forwarding
    bool isFlow{false};              //!< see size
    uint64_t size{0};                //!< bytes of the flow or message; 0 if the packet does not
                                     //!< tell it, nor isFlow and tag
    uint64_t tag{0};                 //!< number of a flow, or tag of a message
    int64_t time{0};                 //!< for the logic, time steps
    std::span<const Range> ranges{}; //!< for the logic, at most 128; valid during a call
};

/**
 * @ingroup odcn
 *
 * What a TransportLogic may do: a host of ns-3 (LogicFlowTransport), or one of the exact engine.
 * Times are time steps, of Time's resolution in ns-3 and ps in the engine. Hosts are numbers that
 * ascend rack by rack, in ns-3 their addresses.
 */
class TransportHost
{
  public:
    /// What a host that waits for circuits knows of an uplink of its rack.
    struct Uplink
    {
        int64_t packetTime{0}; //!< of a full packet on it
        int64_t delay{0};      //!< of the fibre between host and ToR switch
        uint32_t server{0};    //!< index of the host in the rack
        uint32_t servers{1};   //!< number of hosts in the rack
    };

    virtual ~TransportHost() = default;

    /// @return the time
    virtual int64_t Now() const = 0;

    /// @param bytes of a packet, headers included
    /// @return its time on the host's line
    virtual int64_t GetTxTime(uint32_t bytes) const = 0;

    /**
     * Hand a packet to the network card. What sees the packet there may stop the logic.
     * @param packet the packet
     */
    virtual void Send(const TransportPacket& packet) = 0;

    /**
     * Call TransportLogic::TimerExpired() later, in place of what was set before for this timer.
     * @param timer a number of the logic's; a table is as long as the largest one
     * @param delay from now
     */
    virtual void SetTimer(uint32_t timer, int64_t delay) = 0;

    /// Do not call TimerExpired(). @param timer as it was set, or not set
    virtual void CancelTimer(uint32_t timer) = 0;

    /// @param timer a number
    /// @return whether TimerExpired() will be called for it
    virtual bool IsPending(uint32_t timer) const = 0;

    /// Data of a flow have arrived.
    /// @param flow its number
    /// @param bytes new application data
    virtual void DeliverBytes(uint32_t flow, uint32_t bytes) = 0;

    /// A message is complete.
    /// @param packet with sender, size, tag, and the time when the message was sent
    virtual void DeliverMessage(const TransportPacket& packet) = 0;

    /// @param peer another host
    /// @return its rack, if flows to it may wait for circuits; else NO_RACK
    virtual RackId FindRack(uint32_t peer) const;

    /// @param port an uplink of the own rack, of UseCircuit()
    /// @return what is known of it
    virtual Uplink GetUplink(uint32_t port) const;
};

/**
 * @ingroup odcn
 *
 * What a transport does at a host: what it sends next, and what it does at a packet or a timeout.
 * It knows no packets, sockets and events of ns-3, so that the same object runs in ns-3, where
 * LogicFlowTransport makes packets of what it sends, and in the exact engine. Both are equal packet
 * by packet.
 *
 * A class derived from it that is registered may be named wherever a transport is, as in
 * FlowApplication::Transport.
 *
 * Packets on the wire, from IPv4 on: 28 bytes of IPv4 and UDP, a TransportHeader of 4 bytes, a
 * FlowHeader, ranges of 8 bytes each, and a MessageHeader where the packet tells a size.
 */
class TransportLogic : public Object
{
  public:
    /// What the Attributes of a FlowApplication say.
    struct Settings
    {
        FlowApplication::Order order{FlowApplication::ROUND_ROBIN}; //!< Order
        uint32_t packetSize{1500};                                  //!< PacketSize
        bool hold{false};                                           //!< Hold
        bool windowPerMessage{false};                               //!< WindowPerMessage
        int64_t reorderTime{0};                                     //!< ReorderTime, time steps
        int64_t repairTimeout{0};                                   //!< RepairTimeout, time steps
        uint32_t window{0};                                         //!< Window
        uint32_t creditPackets{1};                                  //!< CreditPackets
    };

    /// What a flow from this host is doing, by number of the flow.
    using Stages = std::map<uint32_t, FlowApplication::FlowStage>;

    /// Most ranges of a packet.
    static constexpr std::size_t MAX_RANGES = 128;

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param text Udp, or type and Attributes of a class derived from this one
     * @param repair what is sent again; for Udp
     * @return the logic
     * @throws OdcnError when there is no such type
     */
    static Ptr<TransportLogic> Make(const std::string& text, FlowApplication::RepairMode repair);

    /// @param text type and Attributes of an object
    /// @return whether it is a class derived from this one that can be made
    static bool IsKnown(const std::string& text);

    /// Before anything else.
    /// @param host which outlives the use of this object
    /// @param settings of the application
    void Attach(TransportHost& host, const Settings& settings);

    /// Send and receive from now on.
    void Start();

    /// Neither send nor receive any more. The host ignores what is sent and set from now on.
    void Stop();

    /**
     * A flow begins.
     * @param flow its number
     * @param peer the receiver
     * @param bytes application data
     * @param isShort its class
     */
    virtual void SendFlow(uint32_t flow, uint32_t peer, uint64_t bytes, bool isShort) = 0;

    /**
     * A message begins.
     * @param peer the receiver
     * @param bytes application data
     * @param tag for the receiver
     * @param isShort its class
     */
    virtual void SendMessage(uint32_t peer, uint64_t bytes, uint64_t tag, bool isShort) = 0;

    /// A packet has arrived. One that was cut on the way has fewer bytes than were sent.
    /// @param packet the packet
    virtual void Receive(const TransportPacket& packet) = 0;

    /// @param timer which was set with TransportHost::SetTimer()
    virtual void TimerExpired(uint32_t timer) = 0;

    /**
     * A circuit of the own rack may be used, or has ended.
     * @param port the uplink
     * @param rack that it reaches, or NO_RACK
     * @param until its end
     */
    virtual void UseCircuit(uint32_t port, RackId rack, int64_t until);

    /// @param packet a packet
    /// @return bytes of its headers, from IPv4 on
    virtual uint32_t GetHeaders(const TransportPacket& packet) const;

    /// @param packet a packet
    /// @return the port that it goes to, from FlowApplication::Port on
    virtual uint16_t GetOffset(const TransportPacket& packet) const;

    /// @return whether what the network loses is sent again
    virtual bool Repairs() const = 0;

    /// @return whether it implements FlowApplication::Window
    virtual bool HasCredits() const;

    /// @return stages of flows that were begun; all bytes of others have left
    virtual Stages GetStages() const;

    /// @return packets by what became of them
    virtual FlowApplication::MessageCounts GetMessageCounts() const;

  protected:
    void DoDispose() override;

    /// Forget what is to be sent. Timers are cancelled by the host.
    virtual void DoStop();

    /// @return the settings
    const Settings& GetSettings() const
    {
        return m_settings;
    }

    /// @return the host
    TransportHost& Host() const
    {
        return *m_host;
    }

    /// @return whether it sends and receives; what sees a packet may stop it at any time
    bool IsStarted() const
    {
        return m_isStarted;
    }

  private:
    Settings m_settings{};          //!< of the application
    TransportHost* m_host{nullptr}; //!< where it is
    bool m_isStarted{false};        //!< whether it sends and receives
};

} // namespace ns3::odcn

#endif /* ODCN_TRANSPORT_LOGIC_H */
