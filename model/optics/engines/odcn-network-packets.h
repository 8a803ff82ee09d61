// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NETWORK_PACKETS_H
#define ODCN_NETWORK_PACKETS_H

#include "odcn-exact-packets.h"

#include "ns3/nstime.h"
#include "ns3/odcn-network-model.h"
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
     * @param model of the network, such as PacketNetworkHelper::GetModel()
     * @param settings the settings
     * @throws OdcnError when WhyNot() says so, or a setting is out of range or exceeds the Mtu
     */
    NetworkPackets(NetworkModel model, const Settings& settings);

    /**
     * @param network the network as it is now; it needs no IP stacks, and is not needed any more
     * @param settings the settings
     * @throws OdcnError as the other constructor
     */
    NetworkPackets(Ptr<PacketNetwork> network, const Settings& settings);

    ~NetworkPackets() override;

    /**
     * @param model of a network
     * @return "", or why its packets cannot be computed so
     */
    static std::string WhyNot(const NetworkModel& model);

    int64_t AssignStreams(int64_t stream) override;
    FaultParts GetParts() const override;
    std::vector<Time> GetUnloadedTimes(const Traffic& flows) const override;

  private:
    class NetworkEngine;

    /// Ports to a rack, by index in m_choices.
    struct Route
    {
        uint32_t first{0}; //!< the first one
        uint32_t ports{0}; //!< their number; 0 without a path
    };

    uint32_t GetNHosts() const override;
    std::unique_ptr<Engine> MakeEngine(const Traffic& flows) override;

    NetworkModel m_model;                //!< the network, without routes
    Settings m_settings;                 //!< the settings
    std::vector<uint32_t> m_switchOf;    //!< by host: index of its switch
    std::vector<uint32_t> m_firstPort;   //!< by switch: index of its first port among all
    std::vector<uint32_t> m_choices;     //!< indices of ports, see Route
    std::vector<Route> m_routes;         //!< [switch][rack]
    std::vector<RandomStream> m_streams; //!< by switch, at their beginning; or none yet
};

} // namespace ns3::odcn

#endif /* ODCN_NETWORK_PACKETS_H */
