// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_CONTROLLER_H
#define OTN_CONTROLLER_H

#include "otn-network.h"
#include "otn-wavelength-ledger.h"

#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Controls an OtnNetwork: chooses paths and wavelengths with a ledger, sets up lightpaths, and when
 * a fibre is cut reroutes them with as many wavelengths as before. A lightpath that cannot be
 * rerouted keeps its path and recovers with the fibre. Without the controller, dropped or disposed
 * of, lightpaths stay as they are.
 *
 * If both sites have an IPv4 stack, the two ends of a lightpath get IPv4 addresses in
 * 172.16.0.0/12, a /30 subnet for each pair; a new lightpath reuses the transponders of one
 * between the same sites that was torn down.
 */
class OtnController : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OtnController();
    ~OtnController() override;

    /**
     * @param network to control, without any lightpath set up; its links may be cut
     * @throws OdcnError while lightpaths are set up here
     */
    void SetNetwork(Ptr<OtnNetwork> network);

    /// @return the network
    const Ptr<OtnNetwork>& GetNetwork() const
    {
        return m_network;
    }

    /**
     * Use the ledger of another object that grants wavelengths (for instance IcciManager). Cuts,
     * the present ones too, and reroutes are recorded there; Restored reports which lightpath's
     * grant has changed. Only while nothing is set up.
     * @param ledger of the network's mesh, which must outlive its use; null for an internal one
     */
    void SetLedger(OtnWavelengthLedger* ledger);

    /**
     * @param from a site
     * @param to another site
     * @param wavelengths number of wavelengths, above 0
     * @return the lightpath, being set up; null when it is blocked
     * @throws OdcnError when a site has no room for another transponder, there are no more
     * addresses, or a wavelength that is free in the ledger is not; nothing is reserved then
     */
    Ptr<OtnLightpath> SetUp(uint32_t from, uint32_t to, uint32_t wavelengths);

    /**
     * Set up a grant that its owner has reserved in the ledger; TearDown() does not release it.
     * @param grant in both directions
     * @return the lightpath, being set up; end 0 is at the beginning of the path
     */
    Ptr<OtnLightpath> SetUp(const OtnGrant& grant);

    /// @param lightpath one set up here, to tear down
    void TearDown(Ptr<OtnLightpath> lightpath);

    /// @param lightpath one set up here  @return its path and wavelengths
    const OtnGrant& GetGrant(Ptr<OtnLightpath> lightpath) const
    {
        return m_entries.at(lightpath).grant;
    }

    /// @param lightpath a lightpath  @param end 0 or 1  @return its address; 0.0.0.0 without IPv4
    Ipv4Address GetAddress(Ptr<const OtnLightpath> lightpath, uint32_t end) const;

    /// @return the ledger of free wavelengths and cuts
    const OtnWavelengthLedger& GetLedger() const
    {
        return *m_ledger;
    }

    /// @return number of reroutes around cuts
    uint64_t GetRestored() const
    {
        return m_restored;
    }

    /// Signature of Restored and NotRestored. @param lightpath the lightpath
    typedef void (*RestoredTracedCallback)(Ptr<OtnLightpath> lightpath);

  protected:
    void DoDispose() override;

  private:
    /// A lightpath that is set up.
    struct Entry
    {
        OtnGrant grant; //!< path and wavelengths
        bool ours;      //!< whether reserved by this controller
    };

    /// @param grant to set up  @param ours see Entry  @return its lightpath, being set up
    Ptr<OtnLightpath> Light(const OtnGrant& grant, bool ours);

    /// @param assignment rule of wavelength assignment
    void SetAssignment(OtnRouting::Assignment assignment)
    {
        m_routing.assignment = assignment;
    }

    /// @param paths number of paths tried
    void SetPaths(uint32_t paths)
    {
        m_routing.tries = paths;
    }

    /// @param conversion whether nodes convert wavelengths
    void SetConversion(bool conversion)
    {
        m_routing.conversion = conversion;
    }

    /// A link was cut or repaired. @param link its index  @param cut whether it is cut
    void LinkChanged(uint32_t link, bool cut);

    /// A lightpath has gone down. @param lightpath the lightpath  @param cause the cause
    void LightpathDown(Ptr<OtnLightpath> lightpath, OcsDropCause cause);

    /// Cut the connections to the traces of the network.
    void Disconnect();

    /// Tell the ledger which links of the network are cut.
    void NoteCuts();

    /// Restore() after the DetectionTime if lightpaths are restored. @param lightpath that is cut
    void ScheduleRestore(Ptr<OtnLightpath> lightpath);

    /// @param from a site  @param to another  @throws OdcnError without addresses for one more pair
    void CheckAddresses(uint32_t from, uint32_t to) const;

    /// Reroute a lightpath around the cuts if it is still cut. @param lightpath the lightpath
    void Restore(Ptr<OtnLightpath> lightpath);

    /// Assign addresses to both ends. @param lightpath a new one
    void AssignAddresses(Ptr<OtnLightpath> lightpath);

    Ptr<OtnNetwork> m_network;                            //!< the network
    OtnWavelengthLedger m_own;                            //!< internal ledger
    OtnWavelengthLedger* m_ledger{&m_own};                //!< ledger in use
    OtnRouting m_routing;                                 //!< how paths and wavelengths are chosen
    std::map<Ptr<OtnLightpath>, Entry> m_entries;         //!< lightpaths that are set up
    std::vector<Ptr<OtnLightpath>> m_idle;                //!< lightpaths torn down, for reuse
    std::vector<EventId> m_restorations;                  //!< pending calls of Restore()
    uint32_t m_pairs{0};                                  //!< number of pairs with addresses
    bool m_restoration;                                   //!< whether lightpaths are rerouted
    Time m_detectionTime;                                 //!< from a cut to the reroute
    uint64_t m_restored{0};                               //!< number of reroutes
    TracedCallback<Ptr<OtnLightpath>> m_restoredTrace;    //!< Restored
    TracedCallback<Ptr<OtnLightpath>> m_notRestoredTrace; //!< NotRestored
};

} // namespace ns3::odcn

#endif /* OTN_CONTROLLER_H */
