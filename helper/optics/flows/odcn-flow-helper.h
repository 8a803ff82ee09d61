// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_HELPER_H
#define ODCN_FLOW_HELPER_H

#include "ns3/application-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ocs-fabric.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-flow-recorder.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-tcp-flow-transport.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class AttributeValue;

namespace odcn
{

class FabricNetwork;

/// Settings of FlowHelper::SetDataCentreTcp().
struct DataCentreTcp
{
    std::string congestionControl{"ns3::TcpCubic"}; //!< a TcpCongestionOps of ns-3
    bool ecn{false};           //!< explicit congestion notification; TcpDctcp always has it
    uint32_t packetSize{1500}; //!< full packet in bytes, headers included
    uint32_t buffer{
        200000}; //!< send and receive buffer in bytes; limits a flow to one a round trip
    Time minRto{MilliSeconds(2)};       //!< shortest retransmission timeout
    Time connTimeout{MilliSeconds(2)};  //!< before the first SYN is sent again
    Time delayedAck{MicroSeconds(100)}; //!< longest delay of an acknowledgement
    /// Retries of a SYN, and of data, before a connection gives up. Times between them double.
    uint32_t retries{TcpFlowTransport::RETRIES};
};

/**
 * @ingroup odcn
 *
 * Installs flows on hosts, with a recorder of their completion times. Where hosts are divided among
 * ranks, each rank sends and receives the flows of its own, and FlowRecorder::Merge() joins the
 * results.
 *
 * @code
 *   FlowHelper helper;
 *   helper.SetAttribute("ShortFlows", UintegerValue(100000));
 *   helper.Install(fabric->GetServers(), flows);
 *   Simulator::Stop(Seconds(2));
 *   Simulator::Run();
 *   helper.GetRecorder()->WriteSummary("summary.csv");
 *   Simulator::Destroy();
 * @endcode
 */
class FlowHelper
{
  public:
    FlowHelper();

    /// @param name Attribute of FlowApplication  @param value its value for all hosts
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of FlowRecorder  @param value its value
    void SetRecorderAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Install an application on each host. Hosts send from, and receive at, the first address of
     * their IPv4 interface 1.
     *
     * @param hosts all hosts by number, for example the servers of a fabric, rack by rack
     * @param flows the flows
     * @return the applications by host
     * @throws OdcnError when a host has no address, a flow is not valid, or a host would have more
     * TCP connections at a time than ports
     */
    ApplicationContainer Install(const NodeContainer& hosts, const Traffic& flows);

    /**
     * As Install() on the servers of a fabric; flows may also wait in the hosts for circuits
     * (FlowApplication::Hold).
     *
     * @param fabric a fabric after OcsHelper::InstallServers()  @param flows the flows
     * @return the applications by host
     * @throws OdcnError when a host has no address, or a flow is not valid
     */
    ApplicationContainer Install(Ptr<OcsFabric> fabric, const Traffic& flows);

    /**
     * As Install() on the servers of the network of a design; flows wait in the hosts for circuits
     * if the design says so.
     * @param network of FabricDesignHelper
     * @param flows the flows
     * @return the applications by host
     */
    ApplicationContainer Install(const Ptr<FabricNetwork>& network, const Traffic& flows);

    /**
     * Install an application on each host of a fabric, without flows, for messages at any time.
     * @param fabric a fabric after OcsHelper::InstallServers(); end points are its servers, rack by
     * rack
     * @return the messages
     * @throws OdcnError when a server has no address
     */
    Ptr<PacketMessages> InstallMessages(Ptr<OcsFabric> fabric);

    /**
     * As InstallMessages() of a fabric, on any hosts.
     * @param hosts the end points
     * @return the messages
     */
    Ptr<PacketMessages> InstallMessages(const NodeContainer& hosts);

    /**
     * As InstallMessages() of the network of a design; messages wait in the hosts for circuits if
     * the design says so.
     * @param network of FabricDesignHelper
     * @return the messages
     */
    Ptr<PacketMessages> InstallMessages(const Ptr<FabricNetwork>& network);

    /// @return the recorder of the last Install(); null before
    Ptr<FlowRecorder> GetRecorder() const
    {
        return m_recorder;
    }

    /**
     * Set the defaults of ns-3's TCP for round trips of microseconds, instead of those for a wide
     * area, with which a lost SYN waits for 3 s and a lost segment for 1 s. For all sockets created
     * later, of any application.
     *
     * @param settings the settings
     * @throws OdcnError when one is out of range, or there is no such congestion control
     */
    static void SetDataCentreTcp(const DataCentreTcp& settings = {});

  private:
    /// Take the settings of hosts that a design says. @param network of the design
    void UseDesign(const FabricNetwork& network);

    /// Install() without unloaded times.
    /// @param hosts all hosts by number
    /// @param flows the flows
    /// @return the applications by host
    ApplicationContainer Add(const NodeContainer& hosts, const Traffic& flows);

    /// Tell the recorder the times of flows alone in the network.
    /// @param paths of the network
    /// @param applications of the hosts
    /// @param flows the flows
    void SetUnloadedTimes(FlowPaths paths,
                          const ApplicationContainer& applications,
                          const Traffic& flows) const;

    /// @param hosts the end points, with applications
    /// @param applications of the hosts
    /// @return the messages
    static Ptr<PacketMessages> Join(const NodeContainer& hosts,
                                    const ApplicationContainer& applications);

    ObjectFactory m_application;     //!< creates FlowApplication
    ObjectFactory m_recorderFactory; //!< creates FlowRecorder
    Ptr<FlowRecorder> m_recorder;    //!< of the last Install()
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_FLOW_HELPER_H */
