// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_NET_DEVICE_H
#define OCS_NET_DEVICE_H

#include "ocs-packet-trace.h"

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3
{

class EventImpl;
class Node;

namespace odcn
{

class OcsMedium;

/**
 * @ingroup odcn
 *
 * What stands behind a port in place of an IP stack: a switch. A plain interface instead of a
 * Callback, because it is called for every packet.
 */
class OcsPortUser
{
  public:
    virtual ~OcsPortUser() = default;

    /**
     * The last bit of a packet has come in.
     *
     * @param port number the user gave to this port
     * @param packet the packet, from now on the user's
     */
    virtual void PortReceived(uint32_t port, const Ptr<Packet>& packet) = 0;

    /**
     * The port lost a packet that it was asked to transmit.
     *
     * @param port number the user gave to this port
     * @param packet the packet
     * @param cause why
     */
    virtual void PortDropped(uint32_t port, Ptr<const Packet> packet, OcsDropCause cause) = 0;

    /**
     * The port has failed or has been repaired. Called after a failure while the packets still
     * wait in the port, so that the user may take them back.
     *
     * @param port number the user gave to this port
     * @param up whether it works
     */
    virtual void PortChanged(uint32_t port, bool up) = 0;
};

/**
 * @ingroup odcn
 *
 * A serial optical port with a transmit and a receive side, a queue and a fibre.
 *
 * On the wire is the bare IP packet, without any link header: 296 bytes take 59.2 ns at 40 Gb/s
 * (so run with Time::SetResolution(Time::PS)), and a pcap of it has link type DLT_RAW. In a server
 * it is the network card, and IPv4 or IPv6 of the node is told by the packet's version. In a
 * switch an OcsPortUser takes the packets instead.
 *
 * No NetDeviceQueueInterface is aggregated by default: so ns-3 puts no queue disc ahead of the
 * device, and whatever is lost is lost, and counted, here. See OcsHelper::EnableFlowControl.
 *
 * Counters (packets):
 * - offered = sent + taken back + waiting + dropped on the way out, by cause
 * - arrived = received + dropped on the way in, by cause
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
     * Take a packet for transmission: the work of Send() without addresses.
     *
     * @param packet packet with its IP header
     * @return whether it was accepted
     */
    bool Transmit(const Ptr<Packet>& packet);

    /**
     * Give the port to a switch; received packets no longer go up to the node.
     *
     * @param user the switch; null gives the port back to the node
     * @param port number to call it by
     */
    void SetUser(OcsPortUser* user, uint32_t port);

    /**
     * The port breaks, both sides of it. The packet in transmission is truncated and lost at the
     * far end, waiting packets are lost (if no user takes them back), arriving ones too.
     */
    void Fail();

    /// The port works again.
    void Repair();

    /// @return whether the port has failed
    bool IsFailed() const;

    /// @return all waiting packets, first one first, which are taken out of the queue
    std::vector<Ptr<Packet>> TakeWaiting();

    /**
     * @param queue the queue ahead of the transmitter; null for the default one
     */
    void SetQueue(Ptr<Queue<Packet>> queue);

    /// @return the queue ahead of the transmitter
    Ptr<Queue<Packet>> GetQueue() const;

    /// @param rate speed of the line
    void SetDataRate(DataRate rate);

    /// @return speed of the line
    DataRate GetDataRate() const;

    /// @return whether a packet is leaving now
    bool IsTransmitting() const;

    /// @return packets that were to be transmitted
    uint64_t GetOffered() const;

    /// @return packets whose first bit has left
    uint64_t GetSent() const;

    /// @return packets that TakeWaiting() took back
    uint64_t GetTakenBack() const;

    /// @return packets in the queue
    uint64_t GetWaiting() const;

    /// @return packets lost before their first bit left, by cause
    const OcsDropCounts& GetTxDropped() const;

    /// @return packets whose last bit has come in
    uint64_t GetArrived() const;

    /// @return packets handed to the node or to the user
    uint64_t GetReceived() const;

    /// @return packets lost after they had come in, by cause
    const OcsDropCounts& GetRxDropped() const;

    // What the fibre calls

    /**
     * @param fiber the fibre or lightpath, null to unplug
     * @param end which end of it is here, 0 or 1
     */
    void Plug(Ptr<OcsMedium> fiber, uint32_t end);

    /**
     * The last bit of a packet has come in.
     *
     * @param packet the packet
     * @param whole false if its tail is missing
     */
    void Receive(const Ptr<Packet>& packet, bool whole);

    // What ns-3 calls

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsPointToPoint() const override;
    bool IsBridge() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    /// Let the first bit of the next waiting packet, if there is one, leave.
    void StartNext();

    /// The last bit has left.
    void TransmitComplete();

    /// @param size bytes  @return how long they take
    Time GetTxTime(uint32_t size);

    /// @param packet packet lost on the way out  @param cause why
    void DropTx(Ptr<const Packet> packet, OcsDropCause cause);

    /// @param packet packet lost on the way in  @param cause why
    void DropRx(Ptr<const Packet> packet, OcsDropCause cause);

    /// @param packet packet that the queue itself threw away after accepting it
    void QueueDropped(Ptr<const Packet> packet);

    // What every packet touches stands together: in a large fabric each event finds its device out
    // of the cache.
    Ptr<OcsMedium> m_fiber;               //!< what it is plugged to
    uint32_t m_end{0};                    //!< end of the fibre
    uint32_t m_port{0};                   //!< number the switch gave to it
    OcsPortUser* m_user{nullptr};         //!< switch behind the port
    Ptr<Queue<Packet>> m_queue;           //!< ahead of the transmitter
    Ptr<Packet> m_leaving;                //!< the packet in transmission
    Ptr<EventImpl> m_completeEvent;       //!< one event object for all transmissions
    Time m_txTime;                        //!< time of the last size, since division is slow
    uint32_t m_txSize{0};                 //!< bytes that take m_txTime
    uint32_t m_context{0xffffffff};       //!< id of its node
    bool m_failed{false};                 //!< whether it has failed
    bool m_truncated{false};              //!< the port failed during this transmission
    uint64_t m_offered{0};                //!< packets to transmit
    uint64_t m_sent{0};                   //!< packets whose first bit left
    uint64_t m_arrived{0};                //!< packets that came in
    uint64_t m_received{0};               //!< packets handed on
    OcsPacketTrace m_macTxTrace;          //!< MacTx
    OcsPacketTrace m_phyTxBeginTrace;     //!< PhyTxBegin
    OcsPacketTrace m_phyTxEndTrace;       //!< PhyTxEnd
    OcsPacketTrace m_snifferTrace;        //!< Sniffer
    OcsPacketTrace m_promiscSnifferTrace; //!< PromiscSniffer
    OcsPacketTrace m_phyRxEndTrace;       //!< PhyRxEnd
    OcsPacketTrace m_macRxTrace;          //!< MacRx
    NetDevice::ReceiveCallback m_up;      //!< into the node
    PromiscReceiveCallback m_promiscUp;   //!< into the node, for all to see
    Address m_peer;                       //!< sender's address, as told to the stack

    OcsPacketTrace m_macTxDropTrace;    //!< MacTxDrop
    OcsPacketTrace m_macPromiscRxTrace; //!< MacPromiscRx
    OcsPacketTrace m_phyTxDropTrace;    //!< PhyTxDrop
    OcsPacketTrace m_phyRxDropTrace;    //!< PhyRxDrop
    TracedCallback<> m_linkChange;      //!< fibre plugged, port failed or repaired
    uint64_t m_takenBack{0};            //!< packets taken back
    OcsDropCounts m_txDropped;          //!< packets lost on the way out
    OcsDropCounts m_rxDropped;          //!< packets lost on the way in
    Ptr<Node> m_node;                   //!< where it is plugged in
    DataRate m_rate;                    //!< speed of the line
    Mac48Address m_address;             //!< has no meaning on the wire
    uint32_t m_ifIndex{0};              //!< index in the node
    uint16_t m_mtu;                     //!< largest IP packet
};

} // namespace odcn
} // namespace ns3

#endif /* OCS_NET_DEVICE_H */
