// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_CONTROLLER_H
#define OTN_CONTROLLER_H

#include "otn-network.h"

#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/otn-wavelength-ledger.h"
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
 * Controls an OtnNetwork: chooses paths and wavelengths by its ledger, has them set up, and when a
 * fibre is cut sends lightpaths round, with as many wavelengths as before. One that finds no way
 * round keeps its own, and comes back with the fibre. Keep it as long as the network runs, or
 * Dispose of it before.
 *
 * Where both sites have an IPv4 stack, the two ends of a lightpath get addresses of their own in
 * 172.16.0.0/12, four for each pair; a lightpath between two sites uses again the transponders of
 * one that was torn down there.
 */
class OtnController : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OtnController();
    ~OtnController() override;

    /// @param network to be controlled; nothing is set up in it
    void SetNetwork(Ptr<OtnNetwork> network);

    /// @return what is controlled
    const Ptr<OtnNetwork>& GetNetwork() const
    {
        return m_network;
    }

    /**
     * Keep account in the ledger of somebody else, who grants wavelengths in it (IcciManager for
     * instance). Cuts and ways round them are noted there; Restored tells which grant has changed.
     * @param ledger of the network's mesh, to outlive its use here; null for one of its own. Only
     * while nothing is set up
     */
    void SetLedger(OtnWavelengthLedger* ledger);

    /**
     * @param from a site
     * @param to another site
     * @param wavelengths how many, above 0
     * @return the lightpath, being set up; null when there is no way for it
     */
    Ptr<OtnLightpath> SetUp(uint32_t from, uint32_t to, uint32_t wavelengths);

    /**
     * Set up what its owner has reserved in the ledger. It stays the owner's: TearDown() does not
     * give it back.
     * @param grant both ways
     * @return the lightpath, being set up; end 0 is where the path begins
     */
    Ptr<OtnLightpath> SetUp(const OtnGrant& grant);

    /// @param lightpath one that was set up here, to be torn down
    void TearDown(Ptr<OtnLightpath> lightpath);

    /// @param lightpath one that was set up here  @return its path and wavelengths
    const OtnGrant& GetGrant(Ptr<OtnLightpath> lightpath) const;

    /// @param lightpath one  @param end 0 or 1  @return IP address there; 0.0.0.0 without IP stack
    Ipv4Address GetAddress(Ptr<const OtnLightpath> lightpath, uint32_t end) const;

    /// @return the ledger: what is free, what is cut
    const OtnWavelengthLedger& GetLedger() const;

    /// @return lightpaths that were sent round a cut
    uint64_t GetRestored() const;

    /// Signature of Restored and NotRestored. @param lightpath which
    typedef void (*RestoredTracedCallback)(Ptr<OtnLightpath> lightpath);

  protected:
    void DoDispose() override;

  private:
    /// A lightpath that is set up.
    struct Entry
    {
        OtnGrant grant; //!< path and wavelengths
        bool ours;      //!< whether they were reserved here
    };

    /// @param grant reserved  @param ours whether here  @return its lightpath, being set up
    Ptr<OtnLightpath> Light(const OtnGrant& grant, bool ours);

    /// @param assignment which wavelengths
    void SetAssignment(OtnRouting::Assignment assignment);

    /// @param paths how many are tried
    void SetPaths(uint32_t paths);

    /// @param conversion whether nodes change wavelengths
    void SetConversion(bool conversion);

    /// A link was cut or repaired. @param link which  @param cut whether it is cut
    void LinkChanged(uint32_t link, bool cut);

    /// A lightpath has gone down. @param lightpath which  @param cause why
    void LightpathDown(Ptr<OtnLightpath> lightpath, OcsDropCause cause);

    /// Send a lightpath round the cuts, if it still is cut. @param lightpath which
    void Restore(Ptr<OtnLightpath> lightpath);

    /// Give addresses to both ends. @param lightpath a new one
    void AssignAddresses(Ptr<OtnLightpath> lightpath);

    Ptr<OtnNetwork> m_network;                            //!< what is controlled
    OtnWavelengthLedger m_own;                            //!< unless it is somebody else's
    OtnWavelengthLedger* m_ledger{&m_own};                //!< of its wavelengths
    OtnRouting m_routing;                                 //!< how paths and wavelengths are chosen
    std::map<Ptr<OtnLightpath>, Entry> m_entries;         //!< what is set up
    std::vector<Ptr<OtnLightpath>> m_idle;                //!< torn down
    uint32_t m_pairs{0};                                  //!< pairs with addresses
    bool m_restoration;                                   //!< whether lightpaths are sent round
    Time m_detectionTime;                                 //!< from a cut to the search
    uint64_t m_restored{0};                               //!< lightpaths sent round
    TracedCallback<Ptr<OtnLightpath>> m_restoredTrace;    //!< Restored
    TracedCallback<Ptr<OtnLightpath>> m_notRestoredTrace; //!< NotRestored
};

} // namespace ns3::odcn

#endif /* OTN_CONTROLLER_H */
