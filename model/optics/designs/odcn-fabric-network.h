// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_NETWORK_H
#define ODCN_FABRIC_NETWORK_H

#include "odcn-fabric-design.h"

#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/object.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-packet-network.h"

#include <cstdint>

namespace ns3::odcn
{

class FaultInjector;

/**
 * @ingroup odcn
 *
 * The ns-3 network of a FabricDesign, optical or electrical, with its servers and what sets its
 * circuits. FabricDesignHelper builds it.
 *
 * Circuits that have been started go on until the end of the simulation, whether or not anybody
 * keeps this object.
 */
class FabricNetwork : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param design of an optical network
    /// @param fabric with servers
    FabricNetwork(const FabricDesign& design, Ptr<OcsFabric> fabric);

    /// @param design of an electrical network
    /// @param network with servers
    FabricNetwork(const FabricDesign& design, Ptr<PacketNetwork> network);

    /// @return its design
    const FabricDesign& GetDesign() const
    {
        return m_design;
    }

    /// @return the fabric; null if electrical
    Ptr<OcsFabric> GetFabric() const
    {
        return m_fabric;
    }

    /// @return the electrical network; null if optical
    Ptr<PacketNetwork> GetPacketNetwork() const
    {
        return m_network;
    }

    /// @return all servers, rack by rack
    NodeContainer GetServers() const;

    /// @param server its number
    /// @return its address
    Ipv4Address GetServerAddress(ServerId server) const;

    /// @return packets by outcome
    PacketCounts Count() const;

    /**
     * @param stream first stream number to use, but for circuits
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /// @return the stream of AssignStreams(); negative before
    int64_t GetStream() const
    {
        return m_stream;
    }

    /**
     * Compute the circuits, once.
     * @param demand for schedules that depend on it
     * @param stream of random numbers
     * @throws OdcnError when there are none for its size
     */
    void SetCircuits(const DemandMatrix& demand, int64_t stream);

    /// @return schedule of its circuits, after SetCircuits(); null if it has none
    Ptr<CircuitSchedule> GetSchedule() const
    {
        return m_schedule;
    }

    /// @return what sets its circuits, after SetCircuits(); null if it has no controller
    Ptr<CircuitController> GetController() const
    {
        return m_controller;
    }

    /// Have the circuits follow their schedule or controller from now on. Nothing happens to an
    /// electrical network. @throws OdcnError before SetCircuits(), or for the second time
    void StartCircuits();

    /// @param injector of faults, which gets the parts of the network
    void SetParts(FaultInjector& injector) const;

  protected:
    void DoDispose() override;

  private:
    FabricDesign m_design;               //!< its design
    Ptr<OcsFabric> m_fabric;             //!< null if electrical
    Ptr<PacketNetwork> m_network;        //!< null if optical
    Ptr<CircuitSchedule> m_schedule;     //!< see GetSchedule()
    Ptr<CircuitController> m_controller; //!< of SetCircuits(), if it has one
    bool m_started{false};               //!< see StartCircuits()
    int64_t m_stream{-1};                //!< see GetStream()
};

} // namespace ns3::odcn

#endif /* ODCN_FABRIC_NETWORK_H */
