// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_MESSAGES_H
#define ODCN_PACKET_MESSAGES_H

#include "odcn-collective.h"
#include "odcn-message-plane.h"

#include "ns3/ipv4-address.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/ptr.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Messages in ns-3's packets: each end point is a host with a FlowApplication, whose Attributes are
 * the transport. FlowHelper::InstallMessages() creates it.
 *
 * By UDP without repair a message that loses a packet stays in flight for ever.
 */
class PacketMessages : public MessagePlane
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Add the next end point.
     * @param application of the host
     * @param address of the host
     */
    void AddHost(Ptr<FlowApplication> application, Ipv4Address address);

    uint32_t GetNEndPoints() const override
    {
        return static_cast<uint32_t>(m_hosts.size());
    }

    FabricEngine GetEngine() const override
    {
        return FabricEngine::PACKETS;
    }

    /**
     * @param alpha time of an empty message in seconds
     * @param rate of a host in bit/s
     * @return a host's link for Collective::GetLeastTime(): packets as by default, by UDP
     */
    static Collective::Link GetLink(double alpha, double rate);

    /// @return packets of messages of all hosts, by UDP
    FlowApplication::MessageCounts CountPackets() const;

  protected:
    void DoDispose() override;
    void DoSend(const Message& message) override;
    std::string FindObstacle(const Message& message) const override;

  private:
    /// What the traces of applications, which may outlive the plane, are connected to.
    using Link = std::shared_ptr<PacketMessages*>;

    /// An end point.
    struct Host
    {
        Ptr<FlowApplication> application; //!< sends and receives
        Ipv4Address address;              //!< of the host
    };

    /// A host has received a message.
    /// @param link to the plane; null after Dispose()
    /// @param message the message
    static void Received(Link link, const FlowMessage& message);

    std::vector<Host> m_hosts;                            //!< by index
    Link m_link{std::make_shared<PacketMessages*>(this)}; //!< to this plane
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_MESSAGES_H */
