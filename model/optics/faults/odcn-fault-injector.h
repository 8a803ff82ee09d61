// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FAULT_INJECTOR_H
#define ODCN_FAULT_INJECTOR_H

#include "odcn-fault-tally.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ocs-fabric.h"
#include "ns3/otn-network.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

class PacketNetwork;

/**
 * @ingroup odcn
 *
 * Lets the parts of a network fail and be repaired as a FaultPlan says, by events of the simulator.
 *
 * Faults that overlap are counted: a device is repaired when the last fault that it is subject to
 * has ended. A device that fails loses packets at once; control learns of it DetectionTime later
 * (OcsFabric::SetPathFailed()), and as late of the repair. Faults that start at time 0 are known
 * from the beginning. A ToR switch notices failures of its own ports without delay. In a fabric
 * that is divided among ranks (OcsHelper::Divide()) each rank has an injector with the same plan.
 *
 * An injector is held by its events, so nobody else needs to keep it. Dispose() ends it: parts stay
 * as they are.
 *
 * @code
 *   auto injector = CreateObject<FaultInjector>();
 *   injector->SetFabric(fabric);
 *   injector->Start(FaultPlan::Read("faults.csv"));
 * @endcode
 */
class FaultInjector : public Object
{
  public:
    /// Fails or repairs a part. @param first number of its index  @param second number
    /// @param failed whether it fails
    using Handler = std::function<void(uint32_t first, uint32_t second, bool failed)>;

    /// @return the TypeId
    static TypeId GetTypeId();
    FaultInjector();

    /// Add the parts of an optical fabric: from ocs to server. @param fabric the fabric
    void SetFabric(Ptr<OcsFabric> fabric);

    /**
     * Add the parts of an electrical network: uplink (any port of the switch of a rack to another
     * switch), tor and server. Routes are computed again when control learns of a fault.
     * @param network the network
     */
    void SetPacketNetwork(Ptr<PacketNetwork> network);

    /**
     * Add the parts of a transport mesh: link, node, and transponder of the present lightpaths.
     * @param network the network
     */
    void SetOtnNetwork(Ptr<OtnNetwork> network);

    /**
     * Add parts of another kind.
     * @param part the kind  @param sizes as for FaultPlan::Sample()
     * @param handler called when a part fails or works again, overlapping faults as one
     */
    void AddParts(FaultPart part, std::vector<uint32_t> sizes, Handler handler);

    /// @param part a kind  @return the sizes given to AddParts(); empty without such parts
    const std::vector<uint32_t>& GetSizes(FaultPart part) const
    {
        return m_tally.GetSizes(part);
    }

    /**
     * Schedule faults from now on. Those that start at present are carried out at once. A second
     * call adds faults to those of the first.
     * @param plan the faults
     * @throws OdcnError when there is no such part, before any change
     */
    void Start(const FaultPlan& plan);

    /// @param part a kind  @return share of the time since the first Start() in which its parts
    /// worked, averaged over the parts; 1 without parts or time
    double GetAvailability(FaultPart part) const;

    /// @param part a kind  @return whether any of its parts does not work now
    bool IsDown(FaultPart part) const
    {
        return m_tally.IsDown(part);
    }

    /// @param part a kind  @return faults of its parts that have started
    uint64_t GetNFaults(FaultPart part) const
    {
        return m_tally.GetNFaults(part);
    }

    /**
     * TracedCallback signature of Fault.
     *
     * @param fault the fault
     * @param up whether it has ended
     */
    typedef void (*FaultTracedCallback)(const Fault& fault, bool up);

  protected:
    void DoDispose() override;

  private:
    /// Add the parts uplink, tor and server of the optical fabric.
    /// @param uplinks number of uplinks by rack
    void AddRackParts(const std::vector<uint32_t>& uplinks);
    /// Fail or repair a ToR switch with all its ports.
    /// @param rack its rack
    /// @param failed whether it fails
    void SetTor(RackId rack, bool failed);

    /// A path between a ToR and an optical switch, in one direction.
    struct Path
    {
        RackId rack;   //!< of the ToR switch
        uint32_t port; //!< its uplink
        bool output;   //!< from the ToR switch
    };

    /// A fault starts or ends. @param fault the fault  @param failed whether it starts
    void Change(const Fault& fault, bool failed);

    /// @param device to fail or repair  @param failed whether it fails
    void SetDevice(const Ptr<OcsNetDevice>& device, bool failed);

    /// @param w optical switch  @param port its port  @param failed whether it fails
    /// @param cause of losses
    void SetOcsPort(uint32_t w, uint32_t port, bool failed, OcsDropCause cause);

    /// @param w optical switch  @param input its input  @param failed whether it fails
    /// @param mirror how
    void SetMirror(uint32_t w, uint32_t input, bool failed, OcsMirror mirror);

    /// @param link of the mesh  @param failed whether it fails
    void SetLink(uint32_t link, bool failed);

    /// @param lightpath index  @param end 0 or 1  @param failed whether it fails
    void SetTransponder(uint32_t lightpath, uint32_t end, bool failed);

    /// Tell control of paths. @param paths of uplinks  @param failed whether they have failed
    void Tell(const std::vector<Path>& paths, bool failed);

    /// Tell control after the DetectionTime. @param tell tells it
    void After(std::function<void()> tell);

    /// @param w an optical switch  @param port its port  @return its uplink; rack NO_RACK if none
    Path GetUplinkOf(uint32_t w, uint32_t port) const;

    Time m_detectionTime;                        //!< from a failure until control is told
    Ptr<OcsFabric> m_fabric;                     //!< optical fabric, or null
    Ptr<PacketNetwork> m_packets;                //!< electrical network, or null
    Ptr<OtnNetwork> m_otn;                       //!< transport mesh, or null
    std::array<Handler, FAULT_PARTS> m_handlers; //!< fail or repair a part, by FaultPart
    FaultTally m_tally;                          //!< faults in effect
    /// Paths of stuck mirrors.
    std::map<FaultTally::Key, std::vector<Path>> m_held;
    bool m_early{false};                         //!< whether control knows of faults at once
    bool m_isStarted{false};                     //!< whether Start() was called
    bool m_ended{false};                         //!< whether disposed of
    TracedCallback<const Fault&, bool> m_faults; //!< trace source Fault
};

} // namespace ns3::odcn

#endif /* ODCN_FAULT_INJECTOR_H */
