// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_TEST_FABRIC_H
#define OCS_TEST_FABRIC_H

/**
 * @file
 * Fabrics for tests: a thousandth of the real rates (40 Mb/s, 59.2 us), so that every time is a
 * whole number of nanoseconds, and servers that only record received packets.
 */

#include "../core/odcn-test-kit.h"
#include "ocs-quiet-user.h"

#include "ns3/ipv4-header.h"
#include "ns3/ocs-helper.h"
#include "ns3/udp-header.h"

namespace ns3::odcn
{

/// Transmission time of 296 bytes at 40 Mb/s.
constexpr int64_t TEST_SERVICE_NS = 59200;

/// @param from address  @param to address  @param port source port  @param size bytes
/// @return a UDP packet
inline Ptr<Packet>
MakeTestPacket(Ipv4Address from, Ipv4Address to, uint16_t port, uint32_t size = 296)
{
    Ptr<Packet> packet = Create<Packet>(size - 28);
    UdpHeader udp;
    udp.SetSourcePort(port);
    udp.SetDestinationPort(9);
    packet->AddHeader(udp);
    Ipv4Header ip;
    ip.SetSource(from);
    ip.SetDestination(to);
    ip.SetProtocol(17);
    ip.SetPayloadSize(size - 20);
    packet->AddHeader(ip);
    return packet;
}

/// @param fabric a fabric  @param from rack  @param to rack  @param port source port
/// @return a packet of 296 bytes from server 0 to server 0
inline Ptr<Packet>
MakeTestPacket(const Ptr<OcsFabric>& fabric, RackId from, RackId to, uint16_t port)
{
    return MakeTestPacket(fabric->GetServerAddress(from, 0), fabric->GetServerAddress(to, 0), port);
}

/// @param fabric any  @return the identity of its counters that is broken; empty if all hold
inline std::string
FindImbalance(const Ptr<OcsFabric>& fabric)
{
    const PacketCounts c = fabric->Count();
    BROKEN_IF(c.sent + c.controlSent !=
                  c.received + c.controlReceived + c.inFlight + c.dropped.Total(),
              "sent = received + dropped by cause + in flight");
    for (RackId rack = 0; rack < fabric->GetSize().racks; ++rack)
    {
        const TorSwitch& tor = *fabric->GetTor(rack);
        BROKEN_IF(tor.GetReceived() != tor.GetSent() + tor.GetWaiting() + tor.GetDropped().Total(),
                  "received = sent + waiting + dropped by cause, in ToR switch " +
                      std::to_string(rack));
    }
    return "";
}

/// Replaces a server: takes packets off its network card and records them.
struct TestServer : public QuietUser
{
    void PortReceived(uint32_t, const Ptr<Packet>& packet) override
    {
        uids.push_back(packet->GetUid());
        tagged += packet->GetPacketTagIterator().HasNext();
    }

    std::vector<uint64_t> uids; //!< uids of packets in order of arrival
    uint32_t tagged{0};         //!< of these, with a packet tag
};

/// A fabric whose servers are TestServers.
class TestFabric
{
  public:
    /// @param size of the fabric  @param helper builds it; its rates are set here
    TestFabric(const OcsFabricSize& size, OcsHelper& helper)
    {
        helper.SetUplinkAttribute("DataRate", DataRateValue(DataRate("40Mbps")));
        helper.SetServerAttribute("DataRate", DataRateValue(DataRate("400Mbps")));
        fabric = helper.Build(size);
        servers.resize(size.racks * size.serversPerRack);
        for (uint32_t i = 0; i < servers.size(); ++i)
        {
            fabric->GetServerDevice(i / size.serversPerRack, i % size.serversPerRack)
                ->SetUser(&servers[i], 0);
        }
        fabric->AssignStreams(100);
    }

    /// Send now, from ToR to ToR, bypassing the network card. @param from rack  @param to rack
    /// @param port source port
    /// @param packets number
    /// @return uid of the last packet
    uint64_t Send(RackId from, RackId to, uint16_t port = 1000, uint32_t packets = 1)
    {
        Ptr<Packet> packet = MakeTestPacket(fabric, from, to, port);
        fabric->GetTor(from)->GetDownlink(0)->Receive(packet, true);
        return packets > 1 ? Send(from, to, port, packets - 1) : packet->GetUid();
    }

    Ptr<OcsFabric> fabric;           //!< the fabric
    std::vector<TestServer> servers; //!< rack by rack
    SimulationEnd end;               //!< of the simulation
};

} // namespace ns3::odcn

#endif /* OCS_TEST_FABRIC_H */
