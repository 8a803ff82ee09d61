// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_MANAGER_H
#define RDDC_MANAGER_H

#include "ns3/object.h"
#include "ns3/odcn-departures.h"
#include "ns3/rddc-channel-ledger.h"
#include "ns3/rddc-request.h"
#include "ns3/rddc-server-ledger.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::odcn
{

/// What a server lends to a request.
struct RddcShare
{
    ServerId server{NO_SERVER}; //!< which
    uint32_t cpu{0};            //!< units
    uint32_t memory{0};         //!< units

    /// @param o other  @return whether all members are equal
    bool operator==(const RddcShare& o) const = default;
};

/// A request and what it was granted.
struct RddcGrant
{
    RddcRequest request;                   //!< what was asked
    double from{0};                        //!< when it was granted
    double until{0};                       //!< when it leaves
    std::vector<RddcShare> shares;         //!< servers, as they were chosen
    std::vector<RddcLightpath> lightpaths; //!< among them
};

/// What the RddcManager counts: received = granted + refused + the one being served.
struct RddcCounters
{
    uint64_t received{0};  //!< requests begun
    uint64_t granted{0};   //!< with all servers and lightpaths
    uint64_t refused{0};   //!< for want of a path, or by a choice that cannot serve
    uint64_t waited{0};    //!< requests that waited for room
    uint64_t servers{0};   //!< of granted requests
    uint64_t racks{0};     //!< of granted requests
    double waitingTime{0}; //!< of requests that waited
};

/**
 * @ingroup odcn
 *
 * Grants requests on a resource-disaggregated data centre (section 4.A of the NARA paper): server
 * by server as somebody chooses, each with a lightpath to all chosen before, and the whole request
 * or nothing. Half a request is never left behind.
 *
 * Time moves only forward, by Begin(): a request for more than is free in all waits until releases
 * have made room, the clock running and nothing else arriving.
 */
class RddcManager : public Object
{
  public:
    /// Which pairs of a request's servers get a lightpath.
    enum Connectivity
    {
        ALL_TO_ALL,    //!< every pair
        COMPUTE_PAIRS, //!< every pair of which at least one lends CPU
        NO_PAIRS,      //!< none: what raw resources alone would allow
    };

    /// What becomes of a request whose server has nothing to lend.
    enum Useless
    {
        REFUSE, //!< it is refused
        SKIP,   //!< it goes on, as long as another server has something to lend
    };

    /// What became of a choice.
    enum class Step
    {
        GOES_ON, //!< the server lends what it can, more is needed
        GRANTED, //!< the request has all it needs
        REFUSED, //!< no path, or the server has nothing to lend: all is taken back
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    RddcManager();

    /// @param network servers and links; may be shared
    void SetNetwork(std::shared_ptr<const RddcNetwork> network);

    /**
     * Everything is free, the clock at 0, nothing counted.
     * @throws OdcnError when an Attribute is out of range
     */
    void Reset();

    /**
     * Take a request; the one before must have ended.
     * @param request what is asked
     * @throws OdcnError when it asks for nothing, or for more than all servers together have
     */
    void Begin(const RddcRequest& request);

    /**
     * Choose a server for the request: it lends as much as is free there and still needed.
     * @param server which
     * @return what became of it; unless it goes on, the request has ended
     */
    Step Choose(ServerId server);

    /// @return the free units of every server, less what the request was lent so far
    const RddcServerLedger& GetServers() const
    {
        return m_servers;
    }

    /// @return the free channels, less those of the request so far
    const RddcChannelLedger& GetChannels() const
    {
        return m_channels;
    }

    /// @return the request being served and what it was lent so far
    const RddcGrant& GetCurrent() const
    {
        return m_current;
    }

    /// @return whether a request is being served
    bool IsServing() const
    {
        return m_serving;
    }

    /// @return CPU units that the request still needs
    uint32_t GetNeededCpu() const
    {
        return m_neededCpu;
    }

    /// @return memory units that it still needs
    uint32_t GetNeededMemory() const
    {
        return m_neededMemory;
    }

    /// @param server a server  @return whether the request has chosen it
    bool IsChosen(ServerId server) const
    {
        return m_chosen[server] != 0;
    }

    /// @param server a server  @return whether it has something that the request still needs
    bool IsUseful(ServerId server) const
    {
        return !m_chosen[server] && ((m_neededCpu && m_servers.GetCpu(server)) ||
                                     (m_neededMemory && m_servers.GetMemory(server)));
    }

    /**
     * @param [out] out a byte for each server: 1 if it is useful and would find all its paths
     */
    void FindConnected(uint8_t* out) const;

    /// @return how paths are chosen
    const RddcRouting& GetRouting() const
    {
        return m_routing;
    }

    /**
     * Hold what is granted from now on longer than was asked: until the report of its release has
     * come over the management network. It lasts over Reset().
     * @param time units of job time, 0 by default
     */
    void SetControlLatency(double time)
    {
        m_controlLatency = time;
    }

    /// @return time
    double GetTime() const
    {
        return m_time;
    }

    /// @return what was counted since Reset() or ClearCounters()
    const RddcCounters& GetCounters() const
    {
        return m_counters;
    }

    /// Count anew from now; a request being served counts as received.
    void ClearCounters();

    /// @return how many granted requests are held
    std::size_t GetNActive() const
    {
        return m_departures.GetSize();
    }

    /// @return a copy with the same configuration and state, and no trace sinks
    Ptr<RddcManager> Clone() const;

    /// Signature of the Granted and Released trace sources. @param grant the grant
    typedef void (*GrantTracedCallback)(const RddcGrant& grant);
    /// Signature of the Refused trace source. @param request the request
    typedef void (*RequestTracedCallback)(const RddcRequest& request);

  private:
    /// The grant that ends first ends.
    void ReleaseNext();

    /**
     * @param lendsCpu whether the server in question lends CPU
     * @return the servers chosen so far that it needs a lightpath to
     */
    const std::vector<ServerId>& GetPeers(bool lendsCpu) const;

    /// The request is granted.
    void Grant();

    /// The request is refused; all is taken back.
    void Refuse();

    /// The request is over: servers that were skipped may be chosen by the next one.
    void ForgetSkipped();

    RddcRouting::Order m_order;                        //!< how paths are chosen
    uint32_t m_tries;                                  //!< how many paths are tried
    Connectivity m_connectivity;                       //!< which pairs get a lightpath
    Useless m_useless;                                 //!< what becomes of a useless choice
    bool m_releaseFirst;                               //!< see Attribute ReleaseFirst
    uint32_t m_cpuPerServer;                           //!< CPU units
    uint32_t m_memoryPerServer;                        //!< memory units
    std::shared_ptr<const RddcNetwork> m_network;      //!< servers and links
    RddcRouting m_routing;                             //!< order and tries together
    RddcServerLedger m_servers;                        //!< who has what
    RddcChannelLedger m_channels;                      //!< on which link
    double m_time{0};                                  //!< now
    bool m_serving{false};                             //!< whether a request is being served
    RddcGrant m_current;                               //!< the request being served
    uint32_t m_neededCpu{0};                           //!< by it, still
    uint32_t m_neededMemory{0};                        //!< by it, still
    std::vector<uint8_t> m_chosen;                     //!< [server]: whether it has chosen it
    std::vector<ServerId> m_skipped;                   //!< chosen, without anything to lend
    mutable std::vector<ServerId> m_peers;             //!< scratch of GetPeers()
    std::vector<RddcGrant> m_grants;                   //!< slots of grants, reused
    std::vector<uint32_t> m_freeSlots;                 //!< slots not in use
    Departures m_departures;                           //!< when they leave
    double m_controlLatency{0};                        //!< added to holding times
    RddcCounters m_counters;                           //!< what was counted
    TracedCallback<const RddcGrant&> m_grantedTrace;   //!< a request was granted
    TracedCallback<const RddcGrant&> m_releasedTrace;  //!< a grant has ended
    TracedCallback<const RddcRequest&> m_refusedTrace; //!< a request was refused
};

} // namespace ns3::odcn

#endif /* RDDC_MANAGER_H */
