// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_MANAGER_H
#define RDDC_MANAGER_H

#include "rddc-request.h"
#include "rddc-server-ledger.h"

#include "ns3/object.h"
#include "ns3/odcn-departures.h"
#include "ns3/odcn-fault-plan.h"
#include "ns3/odcn-outages.h"
#include "ns3/rddc-channel-ledger.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// Resources of one server that are allocated to a request.
struct RddcShare
{
    ServerId server{NO_SERVER}; //!< the server
    uint32_t cpu{0};            //!< CPU units
    uint32_t memory{0};         //!< memory units

    /// @param o other  @return whether all members are equal
    bool operator==(const RddcShare& o) const = default;
};

/// A request and the resources granted to it.
struct RddcGrant
{
    RddcRequest request;                   //!< the request
    double from{0};                        //!< time of the grant
    double until{0};                       //!< time of the release
    std::vector<RddcShare> shares;         //!< in the order in which the servers were chosen
    std::vector<RddcLightpath> lightpaths; //!< between these servers
};

/// Counters of the RddcManager: received = granted + refused + the one being served, and granted =
/// released + interrupted + active.
struct RddcCounters
{
    uint64_t received{0};     //!< requests begun
    uint64_t granted{0};      //!< requests with all servers and lightpaths
    uint64_t refused{0};      //!< requests without a path, or with a server of no use
    uint64_t failed{0};       //!< of those, requests for more than faults leave for ever
    uint64_t waited{0};       //!< requests that waited for free resources
    uint64_t servers{0};      //!< sum over granted requests
    uint64_t racks{0};        //!< sum over granted requests
    double waitingTime{0};    //!< sum over requests
    uint64_t interrupted{0};  //!< grants that lost a server or a link
    uint64_t offeredAgain{0}; //!< of them, see AfterFailure
    double lostWork{0};       //!< time for which they had been served in vain
};

/**
 * @ingroup odcn
 *
 * Grants requests on a resource-disaggregated data centre (section 4.A of the NARA paper), server
 * by server as the policy chooses, each with a lightpath to all servers chosen before. A request is
 * granted completely or not at all.
 *
 * Time moves only forward, in Begin(): a request for more than is free in total waits until enough
 * grants have ended; no other request arrives meanwhile.
 *
 * Parts may fail (SetFaults()): servers, links and switches (all links of one). A grant with a
 * failed server, or a lightpath over a failed link, is interrupted and released at once, and
 * AfterFailure says what follows. Until the repair a failed server has nothing free, nor has a
 * failed link. A unit of time is a second.
 */
class RddcManager : public Object
{
  public:
    /// Which pairs of a request's servers get a lightpath.
    enum Connectivity
    {
        ALL_TO_ALL,    //!< every pair
        COMPUTE_PAIRS, //!< every pair with at least one server that provides CPU
        NO_PAIRS,      //!< none: a bound given by the servers alone
    };

    /// Consequence of choosing a server that has nothing the request needs.
    enum Useless
    {
        REFUSE, //!< the request is refused
        SKIP,   //!< the request continues, as long as another server is useful
    };

    /// Outcome of a choice.
    enum class Step
    {
        GOES_ON, //!< the server provides what it can; more is needed
        GRANTED, //!< the request has all it needs
        REFUSED, //!< no path, or a useless server: everything is released
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param network servers and links; may be shared
    void SetNetwork(std::shared_ptr<const RddcNetwork> network);

    /// @param network a data centre  @return its parts: servers by rack; links; switches as nodes,
    /// those of racks first
    static FaultParts GetFaultParts(const RddcNetwork& network);

    /// @param faults of the parts of GetFaultParts(), from time 0 on; null for none. Kept over
    /// Reset()
    void SetFaults(std::shared_ptr<const FaultTimeline> faults)
    {
        m_outages.SetFaults(std::move(faults));
    }

    /// @return the faults; null for none
    const std::shared_ptr<const FaultTimeline>& GetFaults() const
    {
        return m_outages.GetFaults();
    }

    /**
     * Take the next interrupted request that is to be offered again.
     * @param [out] request the request  @return false if there is none
     */
    bool TakeInterrupted(RddcRequest& request);

    /**
     * Release everything, and set the clock and the counters to 0.
     * @throws OdcnError when an Attribute is out of range
     */
    void Reset();

    /**
     * Begin a request; the one before must have ended. If it waits for parts that are never
     * repaired, it is refused at once: IsServing() is false.
     * @param request the request
     * @throws OdcnError when it asks for nothing, or for more than all servers together have
     */
    void Begin(const RddcRequest& request);

    /**
     * Choose a server: it provides as much as it has free and the request still needs.
     * @param server the server
     * @return the outcome; unless GOES_ON, the request has ended
     */
    Step Choose(ServerId server);

    /// @return free units of every server, less those of the current request
    const RddcServerLedger& GetServers() const
    {
        return m_servers;
    }

    /// @return free channels, less those of the current request
    const RddcChannelLedger& GetChannels() const
    {
        return m_channels;
    }

    /// @return the current request and what it has been granted so far
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

    /// @return memory units that the request still needs
    uint32_t GetNeededMemory() const
    {
        return m_neededMemory;
    }

    /// @param server a server  @return whether the request has chosen it
    bool IsChosen(ServerId server) const
    {
        return m_chosen[server] != 0;
    }

    /// @param server a server  @return whether it is not chosen yet and has something needed
    bool IsUseful(ServerId server) const
    {
        return !m_chosen[server] && ((m_neededCpu && m_servers.GetCpu(server)) ||
                                     (m_neededMemory && m_servers.GetMemory(server)));
    }

    /**
     * @param [out] out one byte per server: 1 if it is useful and all its paths exist
     */
    void FindConnected(uint8_t* out) const;

    /// @return how paths are selected
    const RddcRouting& GetRouting() const
    {
        return m_routing;
    }

    /**
     * Hold resources granted from now on longer than requested, until the report of their release
     * has arrived over the management network. Kept over Reset().
     * @param time units of job time, 0 by default
     */
    void SetControlLatency(double time)
    {
        m_controlLatency = time;
    }

    /// @return current time
    double GetTime() const
    {
        return m_time;
    }

    /// @param request to be begun next
    /// @return time of its arrival: its gap after the request before was begun
    double GetArrival(const RddcRequest& request) const
    {
        return m_begun + request.gap;
    }

    /// @return whether TakeInterrupted() has one
    bool HasInterrupted() const
    {
        return !m_interrupted.empty();
    }

    /// @return time of the next end of a grant, fault or repair; NaN or infinite if none is to come
    double GetNextChange() const;

    /// Let time pass between requests, and what happens with it. @param time not before GetTime()
    void PassTo(double time);

    /// @return counters since Reset() or ClearCounters()
    const RddcCounters& GetCounters() const
    {
        return m_counters;
    }

    /// Restart counting from now; a request being served counts as received.
    void ClearCounters();

    /// @return number of grants held
    std::size_t GetNActive() const
    {
        return m_grants.GetSize();
    }

    /// @return a copy with the same configuration and state, and no trace sinks
    Ptr<RddcManager> Clone() const;

    /// Signature of the Granted, Released and Interrupted trace sources. @param grant the grant
    typedef void (*GrantTracedCallback)(const RddcGrant& grant);
    /// Signature of the Refused trace source. @param request the request
    typedef void (*RequestTracedCallback)(const RddcRequest& request);

  private:
    /// Release the grant that ends first.
    void ReleaseNext();

    /// Release the resources of a grant that has left. @param grant the grant
    void Free(const RddcGrant& grant);

    /// Release what ends, and change the parts that fail or are repaired. @param time until then
    void AdvanceTo(double time);

    /// Advance to the next release or fault. @return false if there is none
    bool Wait();

    /// Carry out the next fault.
    void ChangePart();

    /// Release grants. @param isHit whether a grant is interrupted  @param now time
    void Interrupt(const std::function<bool(const RddcGrant&)>& isHit, double now);

    /**
     * @param lendsCpu whether the next server provides CPU
     * @return the servers chosen so far to which it needs a lightpath
     */
    const std::vector<ServerId>& GetPeers(bool lendsCpu) const;

    /// Grant the current request.
    void Grant();

    /// Refuse the current request and release everything.
    void Refuse();

    /// Make skipped servers available to the next request.
    void ForgetSkipped();

    RddcRouting::Order m_order;                        //!< order in which paths are tried
    uint32_t m_tries;                                  //!< k, paths tried per pair
    Connectivity m_connectivity;                       //!< which pairs get a lightpath
    Useless m_useless;                                 //!< consequence of a useless choice
    bool m_releaseFirst;                               //!< see Attribute ReleaseFirst
    uint32_t m_cpuPerServer;                           //!< CPU units of a server
    uint32_t m_memoryPerServer;                        //!< memory units of a server
    std::shared_ptr<const RddcNetwork> m_network;      //!< servers and links
    RddcRouting m_routing;                             //!< m_order and m_tries
    RddcServerLedger m_servers;                        //!< free units
    RddcChannelLedger m_channels;                      //!< free channels
    double m_time{0};                                  //!< current time
    double m_begun{0};                                 //!< when the last request was begun
    bool m_serving{false};                             //!< whether a request is being served
    RddcGrant m_current;                               //!< the current request
    uint32_t m_neededCpu{0};                           //!< CPU units it still needs
    uint32_t m_neededMemory{0};                        //!< memory units it still needs
    std::vector<uint8_t> m_chosen;                     //!< [server]: whether it is chosen
    std::vector<ServerId> m_skipped;                   //!< servers chosen in spite of being useless
    mutable std::vector<ServerId> m_peers;             //!< scratch of GetPeers()
    JobsInService<RddcGrant> m_grants;                 //!< grants held
    double m_controlLatency{0};                        //!< added to holding times
    FaultPlan::AfterFailure m_afterFailure;            //!< see AfterFailure
    Outages m_outages;                                 //!< faults of its parts
    std::deque<RddcRequest> m_interrupted;             //!< to be offered again
    RddcCounters m_counters;                           //!< the counters
    TracedCallback<const RddcGrant&> m_grantedTrace;   //!< trace source Granted
    TracedCallback<const RddcGrant&> m_releasedTrace;  //!< trace source Released
    TracedCallback<const RddcRequest&> m_refusedTrace; //!< trace source Refused
    TracedCallback<const RddcGrant&> m_interruptedTrace; //!< trace source Interrupted
};

} // namespace ns3::odcn

#endif /* RDDC_MANAGER_H */
