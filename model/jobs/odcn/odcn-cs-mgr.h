// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CS_MGR_H
#define ODCN_CS_MGR_H

#include "odcn-compute-ledger.h"
#include "odcn-job.h"
#include "odcn-n-mgr.h"

#include "ns3/object.h"
#include "ns3/odcn-departures.h"
#include "ns3/odcn-fault-plan.h"
#include "ns3/traced-callback.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Outcome of a job request.
enum class OdcnOutcome : uint8_t
{
    ACCEPTED,          //!< served on the present circuits
    RECONFIGURED,      //!< served after a reconfiguration
    BLOCKED_COMPUTE,   //!< a VM found no server in any rack
    BLOCKED_CHOICE,    //!< a VM was sent to a rack without a fitting server, though another had one
    BLOCKED_BANDWIDTH, //!< bandwidth was lacking, even with reconfiguration
};

/// Number of outcomes.
constexpr std::size_t ODCN_OUTCOMES = 5;

/// @param outcome an outcome  @return its name as written to files, e.g. "blocked-compute"
const char* OdcnOutcomeName(OdcnOutcome outcome);

/**
 * @ingroup odcn
 *
 * Counters of the cloud service manager. Invariants:
 * offered = accepted + reconfigured + blocked by compute + by choice + by bandwidth, and
 * reconfigurations = jobs with outcome RECONFIGURED. Since Reset(),
 * accepted = released + interrupted + in service, and of those interrupted, offeredAgain were
 * offered once more, which is part of offered.
 */
struct OdcnCounters
{
    std::array<uint64_t, ODCN_OUTCOMES> outcome{}; //!< jobs by outcome
    uint64_t changedCircuits{0};                   //!< output ports moved by reconfigurations
    uint64_t placedVms{0};                         //!< VMs of accepted jobs
    uint64_t interrupted{0};                       //!< jobs whose servers or circuits failed
    uint64_t offeredAgain{0};                      //!< of them, see AfterFailure
    double lostWork{0};                            //!< of interrupted jobs, job time
    double since{0};                               //!< job time at which counting began
    double until{0};                               //!< job time of the last update
    std::array<double, OdcnResources::KINDS>
        busy{}; //!< integral of use over job time, in 1/1000 units x time

    /// @return number of jobs decided
    uint64_t Offered() const;
    /// @return number of jobs blocked
    uint64_t Blocked() const;
    /// @return number of jobs served
    uint64_t Accepted() const;
    /// @return Blocked() / Offered(), 0 without jobs
    double BlockingRatio() const;
    /// @return number of reconfigurations
    uint64_t Reconfigurations() const;
};

/**
 * @ingroup odcn
 *
 * A placed job, as seen by traces and writers.
 */
struct OdcnPlacedJob
{
    JobId id{0};                     //!< the job
    double arrival{0};               //!< t_j
    double departure{0};             //!< t_j + T_j; infinite until EndJob() if open-ended
    std::vector<OdcnResources> vms;  //!< Q_{j,k}
    std::vector<OdcnDemand> demands; //!< D_j
    std::vector<ServerId> servers;   //!< A_j: the server of each VM
    std::vector<PairLoad> bandwidth; //!< bandwidth held between racks
    double start{0};                 //!< job time of its acceptance
    double duration{0};              //!< T_j
};

/**
 * @ingroup odcn
 *
 * The cloud service manager (CSMgr, section 3.A and Algorithm 1 of the ODCN paper): takes job
 * requests, reserves servers VM by VM as the scheduler decides, asks the network manager for the
 * bandwidth, and commits the whole job or releases everything. No job is ever placed in part.
 *
 * A job is interrupted when one of its servers fails, or when circuits fail and the others between
 * two racks cannot carry their demands, those accepted last first. Its servers and bandwidth are
 * released at once, and AfterFailure decides what becomes of it.
 *
 * Time is job time and moves only forward, by AdvanceTo().
 */
class CsMgr : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param network network manager, used by this manager only; sets the number of racks
     */
    void SetNetwork(Ptr<NMgr> network);

    /// @return the network manager
    Ptr<NMgr> GetNetwork() const
    {
        return m_network;
    }

    /**
     * Build empty ledgers from the Attributes; all jobs and counters are cleared.
     * @throws OdcnError when an Attribute is out of range
     */
    void Reset();

    /// @return the server ledger
    const OdcnComputeLedger& GetServers() const
    {
        return m_servers;
    }

    /**
     * Count, until Reset(), how many more VMs of some kinds the racks can take.
     * @param kinds the kinds
     * @throws OdcnError when a kind has less than a core
     */
    void CountSlots(const std::vector<OdcnResources>& kinds)
    {
        m_servers.CountSlots(kinds);
    }

    /**
     * Release the jobs that expire until then, in order, and account for the resources in use.
     * @param time job time, not before the last one
     */
    void AdvanceTo(double time);

    /**
     * Hold resources granted from now on longer than requested, until the report of their release
     * has arrived over the management network. Kept over Reset().
     * @param time units of job time, 0 by default
     */
    void SetControlLatency(double time)
    {
        m_controlLatency = time;
    }

    /**
     * Let jobs that are accepted from now on stay in service until EndJob(), whatever their
     * duration. Kept over Reset().
     * @param openEnded whether they do, false by default
     */
    void SetOpenEnded(bool openEnded)
    {
        m_isOpenEnded = openEnded;
    }

    /**
     * An open-ended job has ended: release what it holds, at the present job time. Nothing happens
     * if it is not in service. Not within a request that has VMs placed.
     * @param id the job
     * @throws OdcnError when VMs of a request are placed
     */
    void EndJob(JobId id);

    /// @return job time
    double GetTime() const
    {
        return m_counters.until;
    }

    /// @return whether a request was begun and has not ended
    bool IsServing() const
    {
        return m_job != nullptr;
    }

    /**
     * Begin a request; the one before must have ended with Commit() or Block(). The caller keeps
     * it unchanged until then.
     * @param job the request
     */
    void Begin(const OdcnJob& job);

    /// @param k index of a VM  @return demands between it and the VMs before it
    const std::vector<OdcnDemand>& GetDemands(uint32_t k) const
    {
        return m_links[k];
    }

    /// @param rack a rack  @return a number that grows whenever its servers' free resources change
    uint64_t GetVersion(RackId rack) const
    {
        return m_versions[rack];
    }

    /// @return index k of the next VM to be placed; K_j when all are placed
    uint32_t GetVmIndex() const
    {
        return static_cast<uint32_t>(m_current.size());
    }

    /// @param k index of a VM already placed  @return its server
    ServerId GetServer(uint32_t k) const
    {
        return m_current[k];
    }

    /**
     * Reserve a server for the next VM, and stage its demands to and from the VMs placed before it.
     * @param action a rack; with Placement=Policy see GetNFits()
     * @return false when no server there fits; nothing has changed, and Block() must follow
     */
    bool Place(uint32_t action);

    /// @return number of ways to find a server in a rack that a decision can choose from: those of
    /// OdcnComputeLedger::Placement with Placement=Policy, else 1. An action is the number of a
    /// rack plus that of the way times the number of racks
    uint32_t GetNFits() const
    {
        return m_placement == OdcnComputeLedger::POLICY ? OdcnComputeLedger::FITS : 1;
    }

    /// @param action see GetNFits()
    /// @return its rack
    RackId GetRack(uint32_t action) const
    {
        const uint32_t racks = m_servers.GetNRacks();
        return action < racks ? action : action % racks;
    }

    /**
     * @param servers GetServers(), or a copy
     * @param action see GetNFits()
     * @param vm a VM
     * @return the server that it would get, or NO_SERVER
     */
    ServerId FindServer(const OdcnComputeLedger& servers,
                        uint32_t action,
                        const OdcnResources& vm) const;

    /**
     * Request the bandwidth when all VMs are placed.
     * @return ACCEPTED, RECONFIGURED, or BLOCKED_BANDWIDTH after everything was released
     */
    OdcnOutcome Commit();

    /**
     * Refuse the request and release everything.
     * @param cause BLOCKED_COMPUTE or BLOCKED_CHOICE
     */
    void Block(OdcnOutcome cause);

    /**
     * Fail or repair a port of a ToR switch, as NMgr::SetPortFailed(), and interrupt jobs that lack
     * bandwidth then. Not within a request that has VMs placed.
     *
     * @param rack the rack
     * @param port the port
     * @param output whether it is an output port (else an input port)
     * @param failed whether it fails (else it is repaired)
     * @return the circuit that was lost or came back; its from is NO_RACK when none did
     * @throws OdcnError when there is no such port, or VMs of a request are placed
     */
    OdcnCircuitChange SetPortFailed(RackId rack, uint32_t port, bool output, bool failed);

    /**
     * Fail or repair a server: its jobs are interrupted, and it takes none until it is repaired.
     * Nothing happens if it is in that state. Not within a request that has VMs placed.
     *
     * @param server the server  @param failed whether it fails (else it is repaired)
     * @throws OdcnError when there is no such server, or VMs of a request are placed
     */
    void SetServerFailed(ServerId server, bool failed);

    /**
     * Take the next interrupted job that is to be offered again; its arrival is now.
     * @param [out] job the job
     * @return false when there is none
     */
    bool TakeInterrupted(OdcnJob& job);

    /// @return whether TakeInterrupted() has one
    bool HasInterrupted() const
    {
        return !m_interrupted.empty();
    }

    /// @return job time at which the next job in service ends; NaN or infinite if none does
    double GetNextDeparture() const
    {
        return m_jobs.GetNext();
    }

    /// @return counters since Reset() or ClearCounters()
    const OdcnCounters& GetCounters() const
    {
        return m_counters;
    }

    /// Restart counting from now.
    void ClearCounters();

    /**
     * @param kind 0 cores, 1 memory, 2 disk
     * @return share of it in use, averaged over job time since counting began
     */
    double GetUtilisation(std::size_t kind) const;

    /// @return number of jobs in service
    std::size_t GetNActive() const
    {
        return m_jobs.GetSize();
    }

    /**
     * @param visit called with every job in service, in order of departure
     */
    template <typename F>
    void ForEachActive(F visit) const;

    /**
     * A copy with the same configuration and state, its own network manager included, and no trace
     * sinks.
     * @param request copy of the request being placed, if any, for the new manager to refer to
     * @return the copy
     */
    Ptr<CsMgr> Clone(const OdcnJob& request) const;

    /// Signature of the JobPlaced and JobReleased trace sources. @param job the job
    typedef void (*JobTracedCallback)(const OdcnPlacedJob& job);
    /// Signature of the JobBlocked trace source. @param job the request  @param cause the reason
    typedef void (*BlockedTracedCallback)(const OdcnJob& job, OdcnOutcome cause);
    /// Signature of the CircuitsChanged trace source. @param changes changes to be made at the OCSs
    typedef void (*ChangesTracedCallback)(const std::vector<OdcnCircuitChange>& changes);

  private:
    /// Account for the resources in use up to a time. @param time job time
    void Account(double time);

    /// Note a change of free resources. @param server the server
    void Changed(ServerId server)
    {
        m_versions[m_servers.GetRack(server)] = ++m_version;
    }

    /// @param text value of ServersByRack
    void SetServersByRack(const std::string& text);

    /// @return value of ServersByRack
    std::string GetServersByRack() const;

    /// Release the servers of the current request.
    void ReleaseCurrent();

    /// Release what a job holds. @param job the job
    void ReleaseJob(const OdcnPlacedJob& job);

    /// Interrupt jobs, those accepted last first. @param isHit whether a job is interrupted
    void Interrupt(const std::function<bool(const OdcnPlacedJob&)>& isHit);

    /// @throws OdcnError when VMs of a request are placed
    void CheckBetweenJobs() const;

    uint32_t m_serversPerRack;                    //!< M
    std::string m_serversText;                    //!< ServersByRack as set
    std::vector<uint32_t> m_serversByRack;        //!< of each rack; empty for m_serversPerRack
    double m_cores;                               //!< CPU cores of a server
    double m_memoryGb;                            //!< memory of a server, GB
    double m_diskGb;                              //!< disk of a server, GB
    OdcnComputeLedger::Placement m_placement;     //!< in-rack strategy
    OdcnComputeLedger::Tie m_tie;                 //!< among servers with equal free cores
    Ptr<NMgr> m_network;                          //!< grants bandwidth
    OdcnComputeLedger m_servers;                  //!< free resources of the servers
    uint64_t m_version{0};                        //!< changes so far
    std::vector<uint64_t> m_versions;             //!< of each rack, see GetVersion()
    const OdcnJob* m_job{nullptr};                //!< the request being placed
    std::vector<ServerId> m_current;              //!< servers of its VMs so far
    std::vector<std::vector<OdcnDemand>> m_links; //!< [k]: demands of VM k with earlier VMs
    std::vector<PairLoad> m_granted;              //!< scratch of Commit()
    JobsInService<OdcnPlacedJob> m_jobs;          //!< in service
    bool m_isOpenEnded{false};                    //!< see SetOpenEnded()
    double m_controlLatency{0};                   //!< added to the duration of jobs, in job time
    FaultPlan::AfterFailure m_afterFailure;       //!< what becomes of interrupted jobs
    double m_checkpoints;                         //!< time between checkpoints, job time
    std::map<ServerId, OdcnResources> m_failed;   //!< resources of failed servers
    OdcnResources m_failedSum;                    //!< their sum, which is not in use
    std::deque<OdcnJob> m_interrupted;            //!< to be offered again
    OdcnCounters m_counters;                      //!< the counters
    TracedCallback<const OdcnPlacedJob&> m_placedTrace;                   //!< JobPlaced
    TracedCallback<const OdcnPlacedJob&> m_releasedTrace;                 //!< JobReleased
    TracedCallback<const OdcnPlacedJob&> m_interruptedTrace;              //!< JobInterrupted
    TracedCallback<const OdcnJob&, OdcnOutcome> m_blockedTrace;           //!< JobBlocked
    TracedCallback<const std::vector<OdcnCircuitChange>&> m_changesTrace; //!< CircuitsChanged
};

template <typename F>
void
CsMgr::ForEachActive(F visit) const
{
    for (const uint32_t slot : m_jobs.GetSlots())
    {
        visit(m_jobs[slot]);
    }
}

} // namespace ns3::odcn

#endif /* ODCN_CS_MGR_H */
