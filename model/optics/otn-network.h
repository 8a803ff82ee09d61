// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_NETWORK_H
#define OTN_NETWORK_H

#include "ocs-net-device.h"
#include "otn-fiber.h"
#include "otn-lightpath.h"
#include "otn-node.h"

#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/otn-mesh.h"
#include "ns3/otn-wavelength-ledger.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::odcn
{

/// What has become of the packets that were given to transponders.
struct OtnNetworkCounts
{
    uint64_t sent{0};      //!< packets given to transponders
    uint64_t received{0};  //!< packets that transponders handed on at the far end
    uint64_t inFlight{0};  //!< packets in queues and on lightpaths
    OcsDropCounts dropped; //!< packets lost anywhere, by cause
};

/**
 * @ingroup odcn
 *
 * The optical transport mesh in packets: nodes, fibres and lightpaths. OtnHelper builds it; control
 * says what to set up, tear down and re-route, and is told what comes up and goes down.
 *
 * A lightpath's pair of transponders is made once and stays, with its IP addresses; light is set
 * up between them, torn down, set up elsewhere. The rate of the pair is that of its wavelengths
 * together.
 *
 * Always: sent = received + in flight + dropped by cause.
 */
class OtnNetwork : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OtnNetwork();
    ~OtnNetwork() override;

    /**
     * What OtnHelper calls.
     * @param mesh sites and links
     * @param sites a node for each site
     * @param nodes the optical node of each
     * @param fibers by number
     * @param device makes transponders
     * @param queue makes the queue of each
     */
    void Start(std::shared_ptr<const OtnMesh> mesh,
               const std::vector<Ptr<Node>>& sites,
               const std::vector<Ptr<OtnNode>>& nodes,
               const std::vector<Ptr<OtnFiber>>& fibers,
               const ObjectFactory& device,
               const ObjectFactory& queue);

    /**
     * Put a transponder into each of two sites and join them; nothing is set up yet.
     * @param from site of end 0
     * @param to site of end 1
     * @return the lightpath
     */
    Ptr<OtnLightpath> AddLightpath(uint32_t from, uint32_t to);

    /**
     * Set up: nodes connect the wavelengths, and after the SetUpTime packets pass. What was set up
     * before is torn down.
     * @param lightpath one of this network
     * @param grant path and wavelengths between its sites, both ways
     * @throws OdcnError when they do not fit; the lightpath is down then
     */
    void SetUp(Ptr<OtnLightpath> lightpath, const OtnGrant& grant);

    /// @param lightpath to tear down; what is under way is lost
    void TearDown(Ptr<OtnLightpath> lightpath);

    /// A cable is dug up: both fibres of a link are cut. @param link its number
    void CutLink(uint32_t link);

    /// Both fibres of a link are whole again. @param link its number
    void RepairLink(uint32_t link);

    /// A transponder breaks. @param lightpath one  @param end 0 or 1
    void FailTransponder(Ptr<OtnLightpath> lightpath, uint32_t end);

    /// A transponder works again. @param lightpath one  @param end 0 or 1
    void RepairTransponder(Ptr<OtnLightpath> lightpath, uint32_t end);

    /// @param lightpath one  @return whether it carries packets, transponders included
    bool IsUp(Ptr<const OtnLightpath> lightpath) const;

    /// @return sites and links
    const std::shared_ptr<const OtnMesh>& GetMesh() const;

    /// @param site its number  @return the node there
    Ptr<Node> GetSite(uint32_t site) const;

    /// @param site its number  @return the optical node there
    Ptr<OtnNode> GetNode(uint32_t site) const;

    /// @param fiber its number in the mesh  @return the fibre
    Ptr<OtnFiber> GetFiber(uint32_t fiber) const;

    /// @return number of lightpaths, set up or not
    std::size_t GetNLightpaths() const;

    /// @param i which, in the order of AddLightpath()  @return the lightpath
    Ptr<OtnLightpath> GetLightpath(std::size_t i) const;

    /// @param lightpath one  @param end 0 or 1  @return the site of that end
    uint32_t GetSiteOf(Ptr<const OtnLightpath> lightpath, uint32_t end) const;

    /// @return what has become of all packets
    OtnNetworkCounts Count() const;

    /// Signature of LightpathUp. @param lightpath which
    typedef void (*UpTracedCallback)(Ptr<OtnLightpath> lightpath);
    /// Signature of LightpathDown. @param lightpath which  @param cause why
    typedef void (*DownTracedCallback)(Ptr<OtnLightpath> lightpath, OcsDropCause cause);
    /// Signature of LinkChanged. @param link which  @param cut whether it is cut
    typedef void (*LinkTracedCallback)(uint32_t link, bool cut);

  protected:
    void DoDispose() override;

  private:
    /// A cross-connection of a node.
    struct Crossing
    {
        uint32_t site; //!< where
        OtnPort in;    //!< whence
        OtnPort out;   //!< where to
    };

    /// What the network knows of a lightpath.
    struct Entry
    {
        Ptr<OtnLightpath> lightpath;     //!< which
        uint32_t sites[2];               //!< of its ends
        uint32_t transponders[2];        //!< of its ends
        std::vector<Crossing> crossings; //!< of nodes, when it is set up
        std::vector<OtnPort> lit;        //!< wavelengths of fibres, when it is set up
        uint64_t setUps{0};              //!< how often it was set up
    };

    /// @param lightpath one of this network  @return what is known of it
    Entry& Find(Ptr<const OtnLightpath> lightpath);

    /// @param lightpath one of this network  @return what is known of it
    const Entry& Find(Ptr<const OtnLightpath> lightpath) const;

    /**
     * Connect one wavelength in one direction.
     * @param entry of the lightpath
     * @param end where it begins
     * @param ports wavelengths of fibres, one after the other
     */
    void Cross(Entry& entry, uint32_t end, const std::vector<OtnPort>& ports);

    /**
     * Follow the light through the nodes.
     * @param entry of the lightpath
     * @param end where it begins
     * @param first wavelength of the first fibre
     * @return the way
     */
    OtnLightpath::Way Follow(const Entry& entry, uint32_t end, const OtnPort& first) const;

    /// Undo what nodes and fibres do for it. @param entry of a lightpath
    void Undo(Entry& entry);

    /// The SetUpTime is over. @param lightpath which  @param setUps how often it was set up then
    void Ready(Ptr<OtnLightpath> lightpath, uint64_t setUps);

    /// @param entry of a lightpath  @return which of its fibres are cut
    std::vector<uint32_t> FindCuts(const Entry& entry) const;

    std::shared_ptr<const OtnMesh> m_mesh;                       //!< sites and links
    std::vector<Ptr<Node>> m_sites;                              //!< by number
    std::vector<Ptr<OtnNode>> m_nodes;                           //!< by site
    std::vector<Ptr<OtnFiber>> m_fibers;                         //!< by number
    std::vector<Entry> m_entries;                                //!< lightpaths
    std::map<const OtnLightpath*, std::size_t> m_index;          //!< of a lightpath in m_entries
    ObjectFactory m_device;                                      //!< makes transponders
    ObjectFactory m_queue;                                       //!< makes their queues
    Time m_setUpTime;                                            //!< from order to light
    DataRate m_wavelengthRate;                                   //!< of a wavelength
    TracedCallback<Ptr<OtnLightpath>> m_upTrace;                 //!< LightpathUp
    TracedCallback<Ptr<OtnLightpath>, OcsDropCause> m_downTrace; //!< LightpathDown
    TracedCallback<uint32_t, bool> m_linkTrace;                  //!< LinkChanged
};

} // namespace ns3::odcn

#endif /* OTN_NETWORK_H */
