// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_SCHEDULING_H
#define CLUSTER_SCHEDULING_H

#include "cluster-job.h"
#include "cluster-ledger.h"

#include "ns3/odcn-decision-problem.h"
#include "ns3/odcn-fault-plan.h"
#include "ns3/odcn-outages.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// A scheduled job; it holds its demand from slot start to the end of slot GetFinish() - 1.
struct ClusterPlacement
{
    ClusterJob job;      //!< the job
    uint64_t start{0};   //!< first time slot, no earlier than the arrival
    uint32_t machine{0}; //!< index of the machine
    uint64_t order{0};   //!< number of placements before it

    /// @return T_ei, the first time slot in which it no longer holds anything
    uint64_t GetFinish() const
    {
        return start + job.duration;
    }

    /// @return T_i, cycling time in slots
    uint64_t GetCyclingTime() const
    {
        return GetFinish() - job.arrival;
    }

    /// @return S_i, weighted turnaround time or slowdown
    double GetSlowdown() const
    {
        return static_cast<double>(GetCyclingTime()) / job.GetLength();
    }
};

/**
 * @ingroup odcn
 *
 * Outcomes of the jobs of an episode:
 * offered = impossible + dropped + scheduled + those waiting in slots and backlog;
 * scheduled = finished + interrupted + displaced + those that run or have a place reserved.
 *
 * Sums are over the places that jobs keep: finished, running or reserved.
 */
struct ClusterCounters
{
    uint64_t offered{0};      //!< jobs that arrived, and those offered again
    uint64_t offeredAgain{0}; //!< of them, displaced jobs and interrupted ones that do not end
    uint64_t impossible{0};   //!< jobs that do not fit on an empty cluster
    uint64_t dropped{0};      //!< jobs that found the backlog full
    uint64_t scheduled{0};    //!< jobs that got a place, now or later
    uint64_t finished{0};     //!< scheduled jobs that have ended
    uint64_t interrupted{0};  //!< jobs that ran on a machine when it failed
    uint64_t displaced{0};    //!< jobs whose place was still to come when its machine failed
    uint64_t lostSlots{0};    //!< time slots for which interrupted jobs had run in vain
    double slowdown{0};       //!< sum of S_i
    uint64_t cyclingTime{0};  //!< sum of T_i, in slots
    uint64_t waitingTime{0};  //!< sum of T_i - T_i^e, in slots
    uint64_t work{0};         //!< sum over resources of units x slots, with those lost

    /// @return jobs that have finished, run or have a place reserved
    uint64_t GetPlaced() const
    {
        return scheduled - interrupted - displaced;
    }

    /// @param o other  @return whether all members are equal
    bool operator==(const ClusterCounters& o) const = default;
};

/**
 * @ingroup odcn
 *
 * Which job is scheduled next: the cluster of DeepRM, DeepRM_Plus (sections III-D and IV-B of its
 * paper) and A2cScheduler as a decision problem that follows DeepRM's code.
 *
 * Jobs wait in M slots, and behind them in a backlog. Action 0 is void; action i = 1 to M gives the
 * job of slot i the earliest place where it fits (ClusterLedger), now or later, and the first job
 * of the backlog moves into its slot. This takes no time and has reward 0. Void, an empty slot and
 * a job without a place let a time slot pass: jobs that end leave; an arriving job takes the lowest
 * empty slot, joins the backlog, or is dropped when that is full. The reward is then, over the jobs
 * that run, have a place or wait,
 *
 * - R1 (Eq. 4): minus the sum of 1 / T_j, T_j being the length of job j;
 * - R2 (Eq. 5): minus their number.
 *
 * An episode is one set of the source's jobs, and ends
 *
 * - no-new-job: after the time slots of the set;
 * - all-done: when these have passed and no job is left, or after MaxSlots.
 *
 * Machines may fail (SetFaults()). The jobs that run on a failed machine are interrupted, and
 * AfterFailure says what follows; those whose place on it is still to come are offered again in any
 * case. Jobs offered again come before those that arrive in the same slot: they take empty slots,
 * else the front of the backlog, and are dropped where that is full. Until the repair nothing is
 * free on the machine. A time slot is a second, and what changes within a slot has changed at its
 * beginning.
 *
 * The observation is an image of 1 channel, horizon x width; row 0 is the present slot. From the
 * left, for each resource: for each machine its units, a number above 0 where a job holds one, the
 * same number for all units of a job (Colours), and all 1 for a failed machine; then MaxJobSize
 * columns for each slot, 1 where its job needs a unit. Then the backlog, one 1 for each job, row by
 * row in ceil(backlog / horizon) columns; last a column with the slots since the last arrival / 10,
 * at most 1. The width is (machines x capacity + M x MaxJobSize) x resources + ceil(backlog /
 * horizon) + 1, which is 224 for DeepRM_Plus. What exceeds the space available is cut off.
 */
class ClusterScheduling : public DecisionProblem
{
  public:
    /// Cost of a time slot.
    enum RewardKind
    {
        SLOWDOWN,     //!< R1, for weighted turnaround time
        CYCLING_TIME, //!< R2
    };

    /// When an episode ends.
    enum ProtocolKind
    {
        NO_NEW_JOB, //!< after the time slots of the set
        ALL_DONE,   //!< when no job is left
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    ClusterScheduling();

    /// @param source source of the jobs, used by this problem only
    void SetJobSource(Ptr<ClusterJobSource> source);

    /// @return the parts that may fail: machine M is server 0:M
    FaultParts GetFaultParts() const;

    /// Gives the faults of the next set of jobs, from its first time slot on.
    using FaultSource = std::function<std::shared_ptr<const FaultTimeline>()>;

    /// @param faults called by each Reset(), for faults of the parts of GetFaultParts(); null for
    /// none
    void SetFaults(FaultSource faults);

    uint32_t GetNActions() const override;
    std::vector<uint32_t> GetObservationShape() const override;
    /// @return MaxJobSize and Colours; the other dimensions of the image follow from the cluster
    std::vector<std::string> GetFormAttributes() const override;
    Bounds GetObservationBounds() const override;
    void Observe(float* out) const override;
    void Mask(uint8_t* out) const override;
    void Act(uint32_t action) override;
    void Reset() override;
    int64_t AssignStreams(int64_t stream) override;
    std::string GetScoreName() const override;

    void ClearScore() override;
    /// Figures of the present episode. The first is the mean slowdown of all jobs that were not
    /// dropped, where a job without a place at the end counts as if it started then; in the second
    /// a dropped job counts likewise, as in GetScore(). Jobs that never fit are left out. Other
    /// means are taken over the jobs that got a place, as in DeepRM's code.
    /// @return slowdown without and with dropped jobs, and of those with a place, cycling and
    /// waiting time, jobs without a place, reward and length; with faults the shares of interrupted
    /// and of displaced jobs and the availability, too
    std::vector<FigureOfMerit> GetFigures() const override;
    std::vector<FigureValue> MeasureFigures() const override;

    bool IsMeasuredWhole() const override
    {
        return true;
    }

    /// @return tally of the present episode; jobs still waiting at its end are neither accepted nor
    /// blocked
    /// @return "slot": nothing was scheduled, the time slot ended
    std::vector<std::string> GetCauses() const override;
    DecisionTally GetTally() const override;
    uint64_t GetNDecided() const override;

    /// @return the present time slot, 0 at the beginning of the episode
    uint64_t GetNow() const
    {
        return m_now;
    }

    /// @param slot below GetNActions() - 1  @return the job that waits there; null if there is none
    const ClusterJob* GetWaiting(uint32_t slot) const
    {
        return m_slots[slot].duration ? &m_slots[slot] : nullptr;
    }

    /// @return jobs in the backlog, in order of arrival
    const std::deque<ClusterJob>& GetBacklog() const
    {
        return m_backlog;
    }

    /// @return jobs that run or have a place, in the order in which they were scheduled
    const std::vector<ClusterPlacement>& GetRunning() const
    {
        return m_running;
    }

    /// @return free units in the present slot and the slots ahead
    const ClusterLedger& GetLedger() const
    {
        return m_ledger;
    }

    /// @return the jobs that have arrived since Reset() and fit on an empty cluster
    const std::vector<ClusterJob>& GetArrived() const
    {
        return m_arrived;
    }

    /// @return outcomes of the jobs since Reset()
    const ClusterCounters& GetCounters() const
    {
        return m_counters;
    }

    /**
     * A copy in the same state; its jobs after the next one come from another source.
     * @param source source of the copy
     * @return the copy
     */
    Ptr<ClusterScheduling> Clone(Ptr<ClusterJobSource> source) const;

    /// Signature of the Scheduled trace source. @param placement the job and its place
    typedef void (*PlacementTracedCallback)(const ClusterPlacement& placement);
    /// Signature of the PlaceLost trace source. @param placement the job and its place
    /// @param slot when its machine has failed
    typedef void (*PlaceLostTracedCallback)(const ClusterPlacement& placement, uint64_t slot);
    /// Signature of the Dropped and Impossible trace sources. @param job the job
    typedef void (*JobTracedCallback)(const ClusterJob& job);

  private:
    /// Give a job its place. @param slot a slot with a job  @return whether it got one
    bool Schedule(uint32_t slot);

    /// Let a time slot pass.
    void Advance();

    /// Admit the jobs that arrive now.
    void Admit();

    /// @param job joins those that wait, unless it is dropped  @param at its index in the backlog
    void Enqueue(const ClusterJob& job, std::size_t at);

    /// Let the machines fail and recover that do so in the present slot.
    void ChangeMachines();

    /// @param machine that fails  @param again gets its jobs that are offered again
    void Evict(uint32_t machine, std::vector<ClusterJob>& again);

    /// @return number of jobs that wait in slots and backlog
    uint64_t GetNWaiting() const;

    /// Count a job in the score. @param placement the job and its place  @param times 1, or -1 to
    /// take it out again
    void AddToScore(const ClusterPlacement& placement, int times);

    uint32_t m_machines;     //!< N
    uint32_t m_resources;    //!< d
    uint32_t m_capacity;     //!< r, units of each resource of a machine
    uint32_t m_horizon;      //!< time slots ahead
    uint32_t m_nSlots;       //!< M
    uint32_t m_backlogSize;  //!< largest number of jobs in the backlog
    uint32_t m_maxJobSize;   //!< image columns per slot and resource
    uint32_t m_colours;      //!< number of values that distinguish jobs in the image
    RewardKind m_reward;     //!< R1 or R2
    ProtocolKind m_protocol; //!< when an episode ends
    uint64_t m_maxSlots;     //!< length of an episode of all-done at most

    Ptr<ClusterJobSource> m_source;              //!< source of the jobs
    ClusterLedger m_ledger;                      //!< free units
    std::vector<ClusterJob> m_slots;             //!< waiting jobs; duration 0 for an empty slot
    std::deque<ClusterJob> m_backlog;            //!< jobs waiting behind the slots
    std::vector<ClusterPlacement> m_running;     //!< jobs with a place
    std::vector<ClusterJob> m_arrived;           //!< see GetArrived()
    uint64_t m_firstFinish{0};                   //!< earliest finish in m_running
    ClusterJob m_pending;                        //!< the next job to arrive
    bool m_hasPending{false};                    //!< whether there is one
    uint64_t m_now{0};                           //!< present time slot
    uint32_t m_sinceArrival{0};                  //!< slots since the last arrival, at most 10
    uint32_t m_nWaiting{0};                      //!< jobs in m_slots
    int64_t m_inverseSum{0};                     //!< sum of 1 / T_j, in units of INVERSE_UNIT
    ClusterCounters m_counters;                  //!< outcomes since Reset()
    double m_rewardSum{0};                       //!< sum of the rewards since Reset()
    double m_leftSum{0};                         //!< S_i of jobs without a place at the end
    uint64_t m_left{0};                          //!< number of these
    std::vector<ClusterJob> m_dropped;           //!< jobs of the episode that were dropped
    double m_droppedSum{0};                      //!< S_i of these, at the end
    uint64_t m_scoreOrder{0};                    //!< first placement of the episode in the score
    FaultPlan::AfterFailure m_afterFailure;      //!< what becomes of interrupted jobs
    FaultSource m_faultSource;                   //!< see SetFaults()
    Outages m_outages;                           //!< faults of the present set
    mutable std::vector<ClusterDemand> m_filled; //!< scratch of Observe()

    TracedCallback<const ClusterPlacement&> m_scheduledTrace;           //!< trace source Scheduled
    TracedCallback<const ClusterPlacement&, uint64_t> m_placeLostTrace; //!< PlaceLost
    TracedCallback<const ClusterJob&> m_droppedTrace;                   //!< trace source Dropped
    TracedCallback<const ClusterJob&> m_impossibleTrace;                //!< trace source Impossible
};

} // namespace ns3::odcn

#endif /* CLUSTER_SCHEDULING_H */
