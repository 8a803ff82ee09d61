// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_FAT_TREE_H
#define ICCI_FAT_TREE_H

#include "icci-switch.h"
#include "ocs-fiber.h"
#include "ocs-net-device.h"
#include "otn-lightpath.h"

#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// Size of a fat tree.
struct IcciFatTreeSize
{
    uint32_t k{2};     //!< ports of a switch, even
    uint32_t hosts{2}; //!< number of GPUs, at most k^3 / 4

    /**
     * @param gpus number of hosts
     * @return the smallest tree with room for them
     * @throws OdcnError when @p gpus is 0 or above 2662, the limit of the addresses
     */
    static IcciFatTreeSize For(uint32_t gpus);

    /// @return k / 2
    uint32_t GetHalf() const
    {
        return k / 2;
    }

    /// @return number of edge switches, and of aggregation switches
    uint32_t GetNEdges() const
    {
        return k * k / 2;
    }

    /// @return number of core switches
    uint32_t GetNCores() const
    {
        return k * k / 4;
    }
};

/// Packets of a centre by outcome, without lightpaths.
struct IcciFatTreeCounts
{
    uint64_t sent{0};      //!< packets that hosts handed to their network cards
    uint64_t received{0};  //!< packets that network cards handed to their hosts
    uint64_t left{0};      //!< packets handed to lightpaths
    uint64_t came{0};      //!< packets received from lightpaths
    uint64_t inFlight{0};  //!< packets in queues and on fibres
    OcsDropCounts dropped; //!< packets lost, by cause
};

/**
 * @ingroup odcn
 *
 * An intelligent computing centre: a k-ary fat tree of GPUs, and the gateway above its cores.
 * IcciFatTreeHelper builds it.
 *
 * k pods of k/2 edge and k/2 aggregation switches; (k/2)^2 cores; core c is connected to
 * aggregation switch c / (k/2) of each pod. Each GPU is a host; edge switches are filled in order.
 *
 * Invariant: sent + came = received + left + in flight + dropped by cause.
 */
class IcciFatTree : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    IcciFatTree();
    ~IcciFatTree() override;

    /// Called by IcciFatTreeHelper. @param centre its index  @param size its size
    void Start(uint32_t centre, const IcciFatTreeSize& size);

    /// @param node of the next host  @param device its network card
    void AddHost(Ptr<Node> node, Ptr<OcsNetDevice> device);

    /// @param node of the next switch of its layer  @param icciSwitch the switch
    void AddSwitch(Ptr<Node> node, Ptr<IcciSwitch> icciSwitch);

    /// @param fiber the next fibre
    void AddFiber(Ptr<OcsFiber> fiber);

    /// @return index of the centre
    uint32_t GetCentre() const;

    /// @return size of the tree
    const IcciFatTreeSize& GetSize() const;

    /// @param host its number  @return the node
    Ptr<Node> GetHost(uint32_t host) const;

    /// @return all hosts
    NodeContainer GetHosts() const;

    /// @param host its number  @return its network card
    Ptr<OcsNetDevice> GetHostDevice(uint32_t host) const;

    /// @param host its number  @return its address
    Ipv4Address GetHostAddress(uint32_t host) const;

    /// @param layer a layer  @return number of its switches
    uint32_t GetNSwitches(IcciLayer layer) const;

    /// @param layer a layer  @param i index in the layer  @return the switch
    Ptr<IcciSwitch> GetSwitch(IcciLayer layer, uint32_t i) const;

    /// @return the gateway
    Ptr<IcciSwitch> GetGateway() const;

    /// @return the gateway's node
    Ptr<Node> GetGatewayNode() const;

    /// @return packets by outcome
    IcciFatTreeCounts Count() const;

    /**
     * Use a lightpath between two centres; flows spread over all lightpaths in use.
     * @param a centre at end 0
     * @param b centre at end 1
     * @param lightpath between their gateways
     */
    static void Connect(Ptr<IcciFatTree> a, Ptr<IcciFatTree> b, Ptr<OtnLightpath> lightpath);

    /// Undo Connect(). @param a at end 0  @param b at end 1  @param lightpath between them
    static void Disconnect(Ptr<IcciFatTree> a, Ptr<IcciFatTree> b, Ptr<OtnLightpath> lightpath);

  protected:
    void DoDispose() override;

  private:
    uint32_t m_centre{0};                       //!< index of the centre
    IcciFatTreeSize m_size;                     //!< size of the tree
    NodeContainer m_hosts;                      //!< hosts by number
    std::vector<Ptr<OcsNetDevice>> m_devices;   //!< network cards by host
    std::vector<Ptr<Node>> m_nodes[4];          //!< nodes of switches by layer
    std::vector<Ptr<IcciSwitch>> m_switches[4]; //!< switches by layer
    std::vector<Ptr<OcsFiber>> m_fibers;        //!< all fibres
};

} // namespace ns3::odcn

#endif /* ICCI_FAT_TREE_H */
