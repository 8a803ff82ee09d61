// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_NET_DEVICE_H
#define OCS_NET_DEVICE_H

#include "ocs-drop-cause.h"

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class EventImpl;
class Node;

namespace odcn
{

/**
 * @ingroup odcn
 *
 * The medium of an OcsNetDevice: a fibre, or a lightpath over several. It has two ends, 0 and 1.
 */
class OcsMedium : public Channel
{
  public:
    /// No node; equals Simulator::NO_CONTEXT.
    static constexpr uint32_t NO_CONTEXT = 0xffffffff;

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param end the end, 0 or 1
     * @param context id of the node of the device there, NO_CONTEXT if it has none
     */
    virtual void SetContext(uint32_t end, uint32_t context) = 0;

    /**
     * The first bit of a packet leaves an end with a device.
     *
     * @param end the end, 0 or 1
     * @param packet the packet
     * @param txTime time from the first to the last bit
     * @return id of the node that receives the packet at the time at which its last bit leaves;
     *         NO_CONTEXT if it arrives later or never
     */
    virtual uint32_t FirstBit(uint32_t end, const Ptr<Packet>& packet, const Time& txTime) = 0;

    /**
     * The last bit of a packet leaves an end with a device.
     *
     * @param end the end, 0 or 1
     * @param packet the packet
     * @param whole false if the packet is truncated
     */
    virtual void LastBit(uint32_t end, const Ptr<Packet>& packet, bool whole) = 0;
};

/**
 * @ingroup odcn
 *
 * A trace source of packets that is a single pointer while no sink is connected, a third of the
 * size of a TracedCallback: a device has eleven and evaluates most of them for each packet.
 * MakeTraceSourceAccessor() accepts it like a TracedCallback.
 */
class OcsPacketTrace
{
  public:
    /// @param callback sink to connect
    /// @param path context, its first argument
    void Connect(const CallbackBase& callback, const std::string& path)
    {
        Listen().Connect(callback, path);
    }

    /// @param callback sink to connect
    void ConnectWithoutContext(const CallbackBase& callback)
    {
        Listen().ConnectWithoutContext(callback);
    }

    /// @param callback sink to disconnect
    /// @param path context with which it was connected
    void Disconnect(const CallbackBase& callback, const std::string& path)
    {
        Listen().Disconnect(callback, path);
    }

    /// @param callback sink to disconnect
    void DisconnectWithoutContext(const CallbackBase& callback)
    {
        Listen().DisconnectWithoutContext(callback);
    }

    /// Call all sinks. @param packet Ptr to a packet, const or not
    template <typename T>
    void operator()(const Ptr<T>& packet) const
    {
        if (m_listeners)
        {
            (*m_listeners)(packet);
        }
    }

  private:
    using Listeners = TracedCallback<Ptr<const Packet>>; //!< connected sinks

    /// @return the sinks, created on first use
    Listeners& Listen()
    {
        if (!m_listeners)
        {
            m_listeners = std::make_unique<Listeners>();
        }
        return *m_listeners;
    }

    std::unique_ptr<Listeners> m_listeners; //!< null until a sink is connected
};

/**
 * @ingroup odcn
 *
 * User of a port in place of an IP stack: a switch. An interface class instead of a Callback for
 * speed, because it is called for every packet.
 */
class OcsPortUser
{
  public:
    virtual ~OcsPortUser() = default;

    /**
     * The last bit of a packet has arrived.
     *
     * @param port number given by the user to this port
     * @param packet the packet, now owned by the user
     */
    virtual void PortReceived(uint32_t port, const Ptr<Packet>& packet) = 0;

    /**
     * The port lost a packet that was to be transmitted.
     *
     * @param port number given by the user to this port
     * @param packet the packet
     * @param cause cause of the loss
     */
    virtual void PortDropped(uint32_t port, Ptr<const Packet> packet, OcsDropCause cause) = 0;

    /**
     * The port has failed or has been repaired. After a failure it is called before waiting packets
     * are dropped, so that the user may take them back.
     *
     * @param port number given by the user to this port
     * @param up whether it works
     */
    virtual void PortChanged(uint32_t port, bool up) = 0;

    /**
     * The last bit of a packet has left and no packet waits in the port's queue.
     *
     * @param port number given by the user to this port
     */
    virtual void PortIdle([[maybe_unused]] uint32_t port)
    {
    }
};

/**
 * @ingroup odcn
 *
 * A serial optical port with a transmit and a receive side, a queue and a fibre.
 *
 * Packets on the wire are IP packets without a link header: 296 bytes take 59.2 ns at 40 Gb/s
 * (so use Time::SetResolution(Time::PS)), and pcap files have link type DLT_RAW. In a server the
 * device is the network card and hands packets to IPv4 or IPv6 by their version field. In a switch
 * an OcsPortUser receives the packets instead.
 *
 * No NetDeviceQueueInterface is aggregated by default, so ns-3 installs no queue disc above the
 * device, and all losses occur, and are counted, here. See OcsHelper::EnableFlowControl.
 *
 * Counters (packets):
 * - offered = sent + taken back + waiting + dropped in transmission, by cause
 * - arrived = received + dropped in reception, by cause
 *
 * A packet is sent when its first bit leaves.
 */
class OcsNetDevice : public NetDevice
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    OcsNetDevice();
    ~OcsNetDevice() override;

    OcsNetDevice(const OcsNetDevice&) = delete;
    OcsNetDevice& operator=(const OcsNetDevice&) = delete;

    /**
     * Accept a packet for transmission, as Send() without addresses.
     *
     * @param packet packet with its IP header
     * @return whether it was accepted
     */
    bool Transmit(const Ptr<Packet>& packet);

    /**
     * Assign the port to a switch; received packets are no longer delivered to the node.
     *
     * @param user the switch; null assigns the port to the node again
     * @param port number passed in calls to the user
     */
    void SetUser(OcsPortUser* user, uint32_t port);

    /**
     * Fail both sides of the port. The packet in transmission is truncated and lost at the far
     * end; waiting packets (unless taken back by a user) and arriving ones are lost, also one whose
     * last bit arrives after a repair. The rate at the far end is taken to be DataRate.
     */
    void Fail();

    /// Repair the port.
    void Repair();

    /// @return whether the port has failed
    bool IsFailed() const
    {
        return m_failed;
    }

    /// @return all waiting packets in order, removed from the queue
    std::vector<Ptr<Packet>> TakeWaiting();

    /**
     * @param queue the queue ahead of the transmitter; null for the default one
     */
    void SetQueue(Ptr<Queue<Packet>> queue);

    /// @return the queue ahead of the transmitter
    Ptr<Queue<Packet>> GetQueue() const
    {
        return m_queue;
    }

    /// @param rate line rate
    void SetDataRate(DataRate rate);

    /// @return line rate
    DataRate GetDataRate() const
    {
        return m_rate;
    }

    /// @param size of a packet in bytes  @return its transmission time
    Time GetTxTime(uint32_t size);

    /// @return whether a packet is being transmitted
    bool IsTransmitting() const
    {
        return bool(m_leaving);
    }

    /// @return packets handed to the device for transmission
    uint64_t GetOffered() const
    {
        return m_offered;
    }

    /// @return packets whose first bit has left
    uint64_t GetSent() const
    {
        return m_sent;
    }

    /// @return packets that TakeWaiting() took back
    uint64_t GetTakenBack() const
    {
        return m_takenBack;
    }

    /// @return packets in the queue
    uint64_t GetWaiting() const;

    /// @return packets lost before their first bit left, by cause
    const OcsDropCounts& GetTxDropped() const
    {
        return m_txDropped;
    }

    /// @return packets whose last bit has arrived
    uint64_t GetArrived() const
    {
        return m_arrived;
    }

    /// @return packets handed to the node or to the user
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /// @return packets lost after their arrival, by cause
    const OcsDropCounts& GetRxDropped() const
    {
        return m_rxDropped;
    }

    // Called by the fibre.

    /**
     * @param fiber the fibre or lightpath; null to unplug
     * @param end end of it at this device, 0 or 1
     */
    void Plug(Ptr<OcsMedium> fiber, uint32_t end);

    /**
     * The last bit of a packet has arrived.
     *
     * @param packet the packet
     * @param whole false if the packet is truncated
     */
    void Receive(const Ptr<Packet>& packet, bool whole);

    // Called by ns-3.

    void SetIfIndex(const uint32_t index) override
    {
        m_ifIndex = index;
    }

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;

    Address GetAddress() const override
    {
        return m_address;
    }

    bool SetMtu(const uint16_t mtu) override;

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;

    bool IsBroadcast() const override
    {
        return true;
    }

    Address GetBroadcast() const override;

    bool IsMulticast() const override
    {
        return true;
    }

    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;

    bool IsPointToPoint() const override
    {
        return true;
    }

    bool IsBridge() const override
    {
        return false;
    }

    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;

    bool NeedsArp() const override
    {
        return false;
    }

    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override
    {
        m_up = cb;
    }

    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override
    {
        m_promiscUp = cb;
    }

    bool SupportsSendFrom() const override
    {
        return false;
    }

  protected:
    void DoDispose() override;

  private:
    /// Start to transmit the next waiting packet, if any.
    void StartNext();

    /// The last bit has left.
    void TransmitComplete();

    /// @param packet lost in transmission  @param cause cause of the loss
    void DropTx(Ptr<const Packet> packet, OcsDropCause cause);

    /// @param packet lost in reception  @param cause cause of the loss
    void DropRx(Ptr<const Packet> packet, OcsDropCause cause);

    /// @param packet dropped by the queue itself after accepting it
    void QueueDropped(Ptr<const Packet> packet);

    /// Transmission time of a size.
    struct TxTime
    {
        uint32_t size{0}; //!< bytes; 0 for none
        Time time;        //!< at the line rate
    };

    // Members used for each packet come first, close together: in a large fabric most events find
    // their device outside the cache.
    Ptr<OcsMedium> m_fiber;               //!< fibre or lightpath, or null
    uint32_t m_end{0};                    //!< end of the fibre at this device
    uint32_t m_port{0};                   //!< number given by the user
    OcsPortUser* m_user{nullptr};         //!< switch that uses the port, or null
    Ptr<Queue<Packet>> m_queue;           //!< queue ahead of the transmitter
    Ptr<Packet> m_leaving;                //!< packet in transmission
    Ptr<EventImpl> m_completeEvent;       //!< one event object for all transmissions
    std::array<TxTime, 2> m_txTimes;      //!< of the sizes that were sent last, latest first
    uint32_t m_context{0xffffffff};       //!< id of the node
    bool m_failed{false};                 //!< whether the port has failed
    bool m_truncated{false};              //!< whether it failed during this transmission
    Time m_repaired;                      //!< time of the last repair; 0 for none
    uint64_t m_offered{0};                //!< packets handed over for transmission
    uint64_t m_sent{0};                   //!< packets whose first bit has left
    uint64_t m_arrived{0};                //!< packets whose last bit has arrived
    uint64_t m_received{0};               //!< packets handed to node or user
    OcsPacketTrace m_macTxTrace;          //!< MacTx
    OcsPacketTrace m_phyTxBeginTrace;     //!< PhyTxBegin
    OcsPacketTrace m_phyTxEndTrace;       //!< PhyTxEnd
    OcsPacketTrace m_snifferTrace;        //!< Sniffer
    OcsPacketTrace m_promiscSnifferTrace; //!< PromiscSniffer
    OcsPacketTrace m_phyRxEndTrace;       //!< PhyRxEnd
    OcsPacketTrace m_macRxTrace;          //!< MacRx
    NetDevice::ReceiveCallback m_up;      //!< the node's receive callback
    PromiscReceiveCallback m_promiscUp;   //!< promiscuous receive callback
    Address m_peer;                       //!< sender's address reported to the stack

    OcsPacketTrace m_macTxDropTrace;    //!< MacTxDrop
    OcsPacketTrace m_macPromiscRxTrace; //!< MacPromiscRx
    OcsPacketTrace m_phyTxDropTrace;    //!< PhyTxDrop
    OcsPacketTrace m_phyRxDropTrace;    //!< PhyRxDrop
    TracedCallback<> m_linkChange;      //!< fibre plugged, port failed or repaired
    uint64_t m_takenBack{0};            //!< packets taken back by the user
    OcsDropCounts m_txDropped;          //!< packets lost in transmission
    OcsDropCounts m_rxDropped;          //!< packets lost in reception
    Ptr<Node> m_node;                   //!< node of the device
    DataRate m_rate;                    //!< line rate
    Mac48Address m_address;             //!< MAC address, not on the wire
    uint32_t m_ifIndex{0};              //!< index in the node
    uint16_t m_mtu;                     //!< largest IP packet, bytes
};

} // namespace odcn
} // namespace ns3

#endif /* OCS_NET_DEVICE_H */
