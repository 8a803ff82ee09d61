// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_TRANSPORT_H
#define ODCN_FLOW_TRANSPORT_H

#include "odcn-flow-application.h"

#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ocs-address-plan.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3::odcn
{

class TorSwitch;

/**
 * @ingroup odcn
 *
 * How the flows and messages of a host cross the network in ns-3. FlowApplication has one, which
 * its Attribute Transport names. A transport of one's own is derived from TransportLogic, which
 * the exact engine runs, too, or, with sockets of its own, from this class; it needs no change of
 * odcn.
 *
 * The application tells when a flow or message begins; the transport sends it at once or later, and
 * tells the application of the other host what has arrived.
 */
class FlowTransport : public Object
{
  public:
    /// What the Attributes of a FlowApplication say.
    struct Settings
    {
        FlowApplication::Order order; //!< Order
        uint32_t packetSize;          //!< PacketSize
        bool hold;                    //!< Hold
        bool windowPerMessage;        //!< WindowPerMessage
        uint16_t port;                //!< Port
        Time reorderTime;             //!< ReorderTime
        Time repairTimeout;           //!< RepairTimeout
        uint32_t window;              //!< Window
        uint32_t creditPackets;       //!< CreditPackets
    };

    /// Where a FlowApplication has been installed.
    struct Host
    {
        Ptr<Node> node;              //!< the host
        Ptr<NetDevice> device;       //!< sends
        Ipv4Address address;         //!< of the device
        DataRate lineRate;           //!< at which packets leave
        bool acceptsMessages{false}; //!< see FlowApplication::AcceptMessages()
    };

    /// What a flow from this host is doing, by number of the flow.
    using Stages = std::map<uint32_t, FlowApplication::FlowStage>;

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param text Udp, Tcp, or type and Attributes of a transport
     * @param repair what is sent again; for Udp
     * @return the transport
     * @throws OdcnError when there is no such type
     */
    static Ptr<FlowTransport> Make(const std::string& text, FlowApplication::RepairMode repair);

    /// @param settings of the application, before anything else
    void SetSettings(const Settings& settings)
    {
        m_settings = settings;
    }

    /**
     * Send and receive from now on.
     * @param application that this transport belongs to
     * @param host where it is
     * @throws OdcnError when a port is taken
     */
    void Start(FlowApplication& application, const Host& host);

    /// Neither send nor receive any more.
    void Stop();

    /**
     * A flow begins.
     * @param flow its number
     * @param peer address of the receiver, which expects it
     * @param bytes application data
     * @param isShort its class
     */
    virtual void SendFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, bool isShort) = 0;

    /**
     * A message begins. Those of a class to one receiver follow each other.
     * @param peer address of the receiver
     * @param bytes application data
     * @param tag for the receiver
     * @param isShort its class
     */
    virtual void SendMessage(Ipv4Address peer, uint64_t bytes, uint64_t tag, bool isShort) = 0;

    /// @return bytes of headers in each packet of a flow
    virtual uint32_t GetHeaders() const = 0;

    /// @return bytes that precede the data of a flow
    virtual uint32_t GetPreamble() const;

    /**
     * @param isMessage whether it is a message, not a flow
     * @return most bytes of it
     */
    virtual uint64_t GetMaxBytes(bool isMessage) const;

    /// @return whether flows are messages for it, so that it listens for these in any case
    virtual bool SendsMessages() const;

    /// @return whether it implements FlowApplication::Hold and has a ToR switch
    virtual bool CanHold() const;

    /// @return whether it implements FlowApplication::Window
    virtual bool HasCredits() const;

    /// @return whether what the network loses is sent again
    virtual bool Repairs() const = 0;

    /// For Hold.
    /// @param tor switch of the host
    /// @param plan encoding of racks in addresses
    /// @param server index of the host in the rack
    virtual void SetTor(Ptr<TorSwitch> tor, const OcsAddressPlan& plan, uint32_t server);

    /// @return stages of flows that were begun; all bytes of others have left
    virtual Stages GetStages() const;

    /// @return packets by what became of them
    virtual FlowApplication::MessageCounts GetMessageCounts() const;

    /// @return see FlowApplication::GetNTimeouts()
    virtual uint64_t GetNTimeouts() const;

    /// @return see FlowApplication::GetNRecoveries()
    virtual uint64_t GetNRecoveries() const;

  protected:
    void DoDispose() override;

    /// Begin to listen.
    virtual void DoStart() = 0;
    /// Close connections and cancel events. Sockets of Bind() are closed afterwards.
    virtual void DoStop() = 0;

    /// @return the settings
    const Settings& GetSettings() const
    {
        return m_settings;
    }

    /// @return the host, once started
    const Host& GetHost() const
    {
        return m_host;
    }

    /// @return whether it sends and receives; sinks of traces may stop it at any time
    bool IsStarted() const
    {
        return m_application != nullptr;
    }

    /**
     * @param factory type of the socket's factory
     * @param offset from Settings::port
     * @param tos type of service of what it sends
     * @return a socket that is bound to the port, closed at the end
     * @throws OdcnError when the port is taken
     */
    Ptr<Socket> Bind(TypeId factory, uint16_t offset, uint8_t tos);

    /// @throws OdcnError since a port is taken
    [[noreturn]] void RefusePort() const;

    /**
     * Data of a flow have arrived.
     * @param flow its number
     * @param bytes new application data
     */
    void NotifyReceived(uint32_t flow, uint32_t bytes);

    /// The last byte of a message has arrived. @param message the message
    void NotifyMessage(const FlowMessage& message);

  private:
    Settings m_settings{};                     //!< of the application
    Host m_host;                               //!< where it is
    FlowApplication* m_application{nullptr};   //!< null unless started
    std::map<uint16_t, Ptr<Socket>> m_sockets; //!< of Bind(), by offset
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_TRANSPORT_H */
