// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NETWORK_PACKETS_H
#define ODCN_NETWORK_PACKETS_H

#include "odcn-exact-packets.h"

#include "ns3/nstime.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-random-stream.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Exact packets of an electrical network: as with FlowHelper on the servers of a PacketNetwork
 * whose ports have DropTailQueues, FairQueues or TrimQueues. Ties are broken as in ns-3 when the
 * flows are installed at time 0.
 *
 * Ports that have failed before the last PacketNetwork::UpdateRoutes() are not used, and do not
 * work; others fail as SetFaults() says.
 */
class NetworkPackets : public ExactPackets
{
  public:
    /// How packets are sent.
    struct Settings : HostSettings
    {
        uint16_t port{48700}; //!< FlowApplication::Port, which hashes of flows depend on
    };

    /**
     * @param network the network, after PacketNetworkHelper built it; it needs no IP stacks
     * @param settings the settings
     * @throws OdcnError when WhyNot() says so, or a setting is out of range or exceeds the Mtu
     */
    NetworkPackets(Ptr<PacketNetwork> network, const Settings& settings);

    ~NetworkPackets() override;

    /**
     * @param network a network
     * @return "", or why its packets cannot be computed so
     */
    static std::string WhyNot(const PacketNetwork& network);

    int64_t AssignStreams(int64_t stream) override;
    FaultParts GetParts() const override;

    /// @copydoc ExactPackets::GetUnloadedTimes
    /// To be called before Simulator::Destroy().
    std::vector<Time> GetUnloadedTimes(const Traffic& flows) const override;

  private:
    class NetworkEngine;

    /// A port of a switch.
    struct Uplink
    {
        uint32_t peer{UINT32_MAX};     //!< index of the switch at the other end; none if that is a
                                       //!< server, or in another network
        uint32_t peerPort{UINT32_MAX}; //!< index of the port at the other end
        uint32_t rate{0};              //!< index in m_rates
        int64_t delay{0};              //!< of the fibre, ps
        uint64_t mostPackets{0};       //!< limit of the queue, packets
        uint64_t mostBytes{0};         //!< the same, bytes
        bool fair{false};              //!< whether it is a FairQueue
        uint32_t data{0};              //!< TrimQueue::DataPackets, or 0
        uint32_t headers{0};           //!< TrimQueue::HeaderSize, or 0
    };

    /// Ports to a rack, by index in m_choices.
    struct Route
    {
        uint32_t first{0}; //!< the first one
        uint32_t ports{0}; //!< their number; 0 without a path
    };

    uint32_t GetNHosts() const override;
    std::unique_ptr<Engine> MakeEngine(const Traffic& flows) override;

    /// @param device a port between two switches
    /// @param peer index of the other switch
    /// @param port of the other switch
    /// @return the port
    Uplink MakeUplink(const OcsNetDevice& device, uint32_t peer, uint32_t port);

    Ptr<PacketNetwork> m_network;        //!< the network
    Settings m_settings;                 //!< the settings
    std::vector<uint32_t> m_switchOf;    //!< by host: index of its switch
    std::vector<uint32_t> m_firstPort;   //!< by switch: index of its first port in m_uplinks
    std::vector<BitRate> m_rates;        //!< of uplinks, bit/s
    std::vector<Uplink> m_uplinks;       //!< of all switches
    std::vector<uint32_t> m_choices;     //!< indices in m_uplinks, see Route
    std::vector<Route> m_routes;         //!< [switch][rack]
    std::vector<RandomStream> m_streams; //!< by switch, at their beginning; or none yet
};

} // namespace ns3::odcn

#endif /* ODCN_NETWORK_PACKETS_H */
