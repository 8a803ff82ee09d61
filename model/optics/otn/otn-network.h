// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_NETWORK_H
#define OTN_NETWORK_H

#include "otn-fiber.h"
#include "otn-lightpath.h"
#include "otn-mesh.h"
#include "otn-node.h"
#include "otn-wavelength-ledger.h"

#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/ocs-net-device.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Packet model of the optical transport mesh: nodes, fibres and lightpaths. OtnHelper builds it; a
 * controller sets up, tears down and reroutes lightpaths, and traces report their changes.
 *
 * The pair of transponders of a lightpath is created once and remains, with its IP addresses, while
 * its path is set up, torn down and set up again. Its rate is the sum of its wavelengths.
 *
 * Invariant: sent = received + in flight + dropped by cause.
 */
class OtnNetwork : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OtnNetwork();
    ~OtnNetwork() override;

    /**
     * Called by OtnHelper.
     * @param mesh sites and links
     * @param sites the node of each site
     * @param nodes the optical node of each site
     * @param fibers fibres by number
     * @param device factory of transponders
     * @param queue factory of their queues
     */
    void Start(std::shared_ptr<const OtnMesh> mesh,
               const std::vector<Ptr<Node>>& sites,
               const std::vector<Ptr<OtnNode>>& nodes,
               const std::vector<Ptr<OtnFiber>>& fibers,
               const ObjectFactory& device,
               const ObjectFactory& queue);

    /// Let sites be on different ranks: OtnLightpath::Divide() for lightpaths added from now on.
    void Divide();

    /**
     * Create a transponder at each of two sites and join them; nothing is set up yet.
     * @param from site of end 0
     * @param to site of end 1
     * @return the lightpath
     */
    Ptr<OtnLightpath> AddLightpath(uint32_t from, uint32_t to);

    /**
     * Set up a lightpath: nodes connect the wavelengths, and after the SetUpTime packets pass. Its
     * previous path is torn down.
     * @param lightpath one of this network
     * @param grant path and wavelengths between its sites, in both directions
     * @throws OdcnError when the grant is not valid; the lightpath is then down
     */
    void SetUp(Ptr<OtnLightpath> lightpath, const OtnGrant& grant);

    /// @param lightpath to tear down; packets in flight are lost
    void TearDown(Ptr<OtnLightpath> lightpath);

    /// Cut both fibres of a link. @param link its number
    void CutLink(uint32_t link);

    /// Repair both fibres of a link. @param link its number
    void RepairLink(uint32_t link);

    /// Fail a transponder. @param lightpath its lightpath  @param end 0 or 1
    void FailTransponder(Ptr<OtnLightpath> lightpath, uint32_t end);

    /// Repair a transponder. @param lightpath its lightpath  @param end 0 or 1
    void RepairTransponder(Ptr<OtnLightpath> lightpath, uint32_t end);

    /// @param lightpath a lightpath  @return whether it is up and both transponders work
    bool IsUp(Ptr<const OtnLightpath> lightpath) const;

    /// @return sites and links
    const std::shared_ptr<const OtnMesh>& GetMesh() const
    {
        return m_mesh;
    }

    /// @param site its number  @return the node there
    Ptr<Node> GetSite(uint32_t site) const
    {
        return m_sites.at(site);
    }

    /// @param site its number  @return the optical node there
    Ptr<OtnNode> GetNode(uint32_t site) const
    {
        return m_nodes.at(site);
    }

    /// @param fiber its number in the mesh  @return the fibre
    Ptr<OtnFiber> GetFiber(uint32_t fiber) const
    {
        return m_fibers.at(fiber);
    }

    /// @return number of lightpaths, set up or not
    std::size_t GetNLightpaths() const
    {
        return m_entries.size();
    }

    /// @param i index in the order of AddLightpath()  @return the lightpath
    Ptr<OtnLightpath> GetLightpath(std::size_t i) const
    {
        return m_entries.at(i).lightpath;
    }

    /// @param lightpath a lightpath  @param end 0 or 1  @return the site of that end
    uint32_t GetSiteOf(Ptr<const OtnLightpath> lightpath, uint32_t end) const;

    /// @return packets by outcome
    PacketCounts Count() const;

    /// Signature of LightpathUp. @param lightpath the lightpath
    typedef void (*UpTracedCallback)(Ptr<OtnLightpath> lightpath);
    /// Signature of LightpathDown. @param lightpath the lightpath  @param cause the cause
    typedef void (*DownTracedCallback)(Ptr<OtnLightpath> lightpath, OcsDropCause cause);
    /// Signature of LinkChanged. @param link its number  @param cut whether it is cut
    typedef void (*LinkTracedCallback)(uint32_t link, bool cut);

  protected:
    void DoDispose() override;

  private:
    /// A cross-connection of a node.
    struct Crossing
    {
        uint32_t site; //!< site of the node
        OtnPort in;    //!< input
        OtnPort out;   //!< output
    };

    /// A lightpath and its resources.
    struct Entry
    {
        Ptr<OtnLightpath> lightpath;     //!< the lightpath
        uint32_t sites[2];               //!< sites of its ends
        uint32_t transponders[2];        //!< transponder numbers of its ends
        std::vector<Crossing> crossings; //!< cross-connections, while set up
        std::vector<OtnPort> lit;        //!< wavelengths of fibres, while set up
        uint64_t setUps{0};              //!< number of times it was set up
    };

    /// @param lightpath one of this network  @return its entry
    Entry& Find(Ptr<const OtnLightpath> lightpath);

    /// @param lightpath one of this network  @return its entry
    const Entry& Find(Ptr<const OtnLightpath> lightpath) const;

    /**
     * Connect one wavelength in one direction.
     * @param entry of the lightpath
     * @param end sending end
     * @param ports wavelengths of fibres, in order
     */
    void Cross(Entry& entry, uint32_t end, const std::vector<OtnPort>& ports);

    /**
     * Trace a wavelength through the nodes.
     * @param entry of the lightpath
     * @param end sending end
     * @param first wavelength of the first fibre
     * @return the path with its latency
     */
    OtnLightpath::Way Follow(const Entry& entry, uint32_t end, const OtnPort& first) const;

    /// Release cross-connections and wavelengths. @param entry of a lightpath
    void Undo(Entry& entry);

    /// The SetUpTime is over. @param lightpath the lightpath  @param setUps Entry::setUps at start
    void Ready(Ptr<OtnLightpath> lightpath, uint64_t setUps);

    /// @param entry of a lightpath  @return its fibres that are cut
    std::vector<uint32_t> FindCuts(const Entry& entry) const;

    std::shared_ptr<const OtnMesh> m_mesh;              //!< sites and links
    std::vector<Ptr<Node>> m_sites;                     //!< nodes by site
    std::vector<Ptr<OtnNode>> m_nodes;                  //!< optical nodes by site
    std::vector<Ptr<OtnFiber>> m_fibers;                //!< fibres by number
    std::vector<Entry> m_entries;                       //!< lightpaths in order of creation
    std::map<const OtnLightpath*, std::size_t> m_index; //!< index in m_entries
    ObjectFactory m_device;                             //!< factory of transponders
    ObjectFactory m_queue;                              //!< factory of their queues
    bool m_divided{false};                              //!< see Divide()
    Time m_setUpTime;                                   //!< from SetUp() until packets pass
    DataRate m_wavelengthRate;                          //!< chi, rate of a wavelength
    TracedCallback<Ptr<OtnLightpath>> m_upTrace;        //!< LightpathUp
    TracedCallback<Ptr<OtnLightpath>, OcsDropCause> m_downTrace; //!< LightpathDown
    TracedCallback<uint32_t, bool> m_linkTrace;                  //!< LinkChanged
};

} // namespace ns3::odcn

#endif /* OTN_NETWORK_H */
