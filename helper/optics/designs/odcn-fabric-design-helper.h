// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_DESIGN_HELPER_H
#define ODCN_FABRIC_DESIGN_HELPER_H

#include "ns3/object-factory.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-fabric-model.h"
#include "ns3/odcn-fabric-network.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-packet-topology.h"
#include "ns3/odcn-schedule-packets.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class AttributeValue;

namespace odcn
{

/**
 * @ingroup odcn
 *
 * Builds what a FabricDesign says, for each engine.
 *
 * @code
 *   FabricDesignHelper helper;
 *   Ptr<FabricNetwork> network = helper.Build(FabricDesign::Find("opera"));
 *   Ptr<MessagePlane> plane = helper.MakePlane(network, FabricEngine::PACKETS);
 *   plane->Send(0, 60, 1000000, [](const Message&) { Simulator::Stop(); });
 *   Simulator::Run();
 * @endcode
 *
 * Servers have an IPv4 stack; any sockets and applications run on them.
 */
class FabricDesignHelper
{
  public:
    /// Stream of circuits, after that of the network, in Build() and RunExact().
    static constexpr int64_t CIRCUITS_STREAM = 90000;

    /// @param text queue disc with Attributes of all switches; "" for none
    void SetQueueDisc(const std::string& text)
    {
        m_queueDisc = text;
    }

    /// @param fair whether pairs of a sender and a receiver have fair shares of all queues
    /// (FairQueue), instead of first in, first out; without SetQueueDisc()
    void SetFairQueues(bool fair)
    {
        m_fair = fair;
    }

    /// @param name Attribute of TorSwitch, which the design does not say
    /// @param value its value for all ToR switches, as text
    void SetTorAttribute(const std::string& name, const std::string& value)
    {
        m_tor[name] = value;
    }

    /**
     * @param design a design
     * @param stream first stream number to use; that of circuits is CIRCUITS_STREAM later
     * @param demand in links, for schedules that depend on it; empty for uniform
     * @return its network, with circuits that start now
     * @throws OdcnError when there is none of its size
     */
    Ptr<FabricNetwork> Build(const FabricDesign& design,
                             int64_t stream = 1,
                             const DemandMatrix& demand = DemandMatrix()) const;

    /**
     * As Build(), without streams and circuits; FabricNetwork has methods for them.
     * @param design a design
     * @param switches number of optical switches; 0 for one an uplink
     * @param engine that carries its messages; servers get IP stacks for PACKETS, or if
     * a controller sets the circuits
     * @return its network
     * @throws OdcnError when there is none of its size
     */
    Ptr<FabricNetwork> BuildNetwork(const FabricDesign& design,
                                    uint32_t switches = 0,
                                    FabricEngine engine = FabricEngine::PACKETS) const;

    /**
     * @param network of a design; SetCircuits() comes before, and for packets StartCircuits()
     * @param engine PACKETS or FLOWS
     * @param flows settings of hosts for packets
     * @return carries messages between servers in ns-3's time
     * @throws OdcnError when the engine cannot carry them, see FabricDesign::WhyNot()
     */
    Ptr<MessagePlane> MakePlane(const Ptr<FabricNetwork>& network,
                                FabricEngine engine,
                                FlowHelper flows = FlowHelper()) const;

    /**
     * @param design a design
     * @param shortFlows messages of fewer bytes do not wait for circuits
     * @return hosts that send lost packets of messages again, unless FlowApplication::Repair was
     * given; for MakePlane()
     */
    static FlowHelper MakeHosts(const FabricDesign& design, uint64_t shortFlows);

    /**
     * @param design an optical one
     * @return parameters of its fabric, for engines without events
     * @throws OdcnError when these do not support it
     */
    FabricModel GetModel(const FabricDesign& design) const;

    /**
     * @param design one that SchedulePackets or NetworkPackets can carry
     * @param schedule of its circuits; null if it has none
     * @param settings from FabricDesign::MakeSettings()
     * @param stream of random numbers of its controller, if it has one, as of
     * FabricNetwork::SetCircuits()
     * @return the engine
     * @throws OdcnError when it cannot, see FabricDesign::WhyNot()
     */
    std::unique_ptr<ExactPackets> MakeExact(const FabricDesign& design,
                                            const Ptr<CircuitSchedule>& schedule,
                                            const SchedulePackets::Settings& settings,
                                            int64_t stream) const;

    /**
     * Run flows without the simulator, as they run by UDP in the network of Build().
     * @param design a design
     * @param flows the flows
     * @param until when the run ends at the latest
     * @param stream as for Build()
     * @param demand as for Build()
     * @return the results
     * @throws OdcnError when the engine cannot, see FabricDesign::WhyNot()
     */
    ExactPackets::Result RunExact(const FabricDesign& design,
                                  const Traffic& flows,
                                  Time until,
                                  int64_t stream = 1,
                                  const DemandMatrix& demand = DemandMatrix()) const;

  private:
    /// @return type of the queues of ports
    std::string GetQueueType() const
    {
        return m_fair ? "ns3::odcn::FairQueue" : "ns3::DropTailQueue";
    }

    /// @param design an optical one
    /// @return helper for its fabric
    OcsHelper MakeHelper(const FabricDesign& design) const;

    /// @param design an electrical one
    /// @return helper for its network
    PacketNetworkHelper MakeElectricalHelper(const FabricDesign& design) const;

    /// @param design an electrical one
    /// @return its topology
    static PacketTopology GetTopology(const FabricDesign& design);

    std::string m_queueDisc;                  //!< see SetQueueDisc()
    bool m_fair{false};                       //!< see SetFairQueues()
    std::map<std::string, std::string> m_tor; //!< see SetTorAttribute()
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_FABRIC_DESIGN_HELPER_H */
