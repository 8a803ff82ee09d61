// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_SCHEDULING_H
#define CLUSTER_SCHEDULING_H

#include "odcn-decision-problem.h"

#include "ns3/cluster-job-source.h"
#include "ns3/cluster-ledger.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// A job with its place: it holds its demand from slot start to the end of slot GetFinish() - 1.
struct ClusterPlacement
{
    ClusterJob job;      //!< what
    uint64_t start{0};   //!< first time slot, no earlier than the arrival
    uint32_t machine{0}; //!< where

    /// @return T_ei, the time slot in which it holds nothing any more
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
        return static_cast<double>(GetCyclingTime()) / job.duration;
    }
};

/**
 * @ingroup odcn
 *
 * What became of the jobs of an episode:
 * offered = impossible + dropped + scheduled + those that wait in slots and backlog;
 * scheduled = finished + those that hold or have reserved a place.
 */
struct ClusterCounters
{
    uint64_t offered{0};     //!< have arrived
    uint64_t impossible{0};  //!< that an empty cluster cannot serve
    uint64_t dropped{0};     //!< that met a full backlog
    uint64_t scheduled{0};   //!< got a place, so that it is known when they finish
    uint64_t finished{0};    //!< of them have left
    double slowdown{0};      //!< sum of S_i over those scheduled
    uint64_t cyclingTime{0}; //!< sum of T_i over those scheduled, in slots
    uint64_t waitingTime{0}; //!< sum of start - arrival over those scheduled, in slots
    uint64_t work{0};        //!< units x slots of all resources that were scheduled

    /// @param o other  @return whether all members are equal
    bool operator==(const ClusterCounters& o) const = default;
};

/**
 * @ingroup odcn
 *
 * Which job next? The cluster of DeepRM, DeepRM_Plus (sections III-D and IV-B of its paper) and
 * A2cScheduler as a decision problem, in the manner of DeepRM's code.
 *
 * Jobs wait in M slots, and behind them in a backlog. Action 0 is void; action i = 1 to M gives the
 * job of slot i the earliest place that holds it (ClusterLedger), now or later, and the backlog's
 * first job takes its slot. That takes no time and earns 0. Void, an empty slot and a job without
 * place let a time slot pass: what ends leaves, what arrives takes the lowest empty slot, or joins
 * the backlog, or is dropped when that is full. The reward is then, over the jobs that run, have a
 * place or wait,
 *
 * - R1 (Eq. 4): minus the sum of 1 / T_j, the length of job j;
 * - R2 (Eq. 5): minus their number.
 *
 * An episode is a set of the source's jobs, and ends
 *
 * - no-new-job: when the set's time slots are over;
 * - all-done: when they are over and no job is left, or MaxSlots are over.
 *
 * The observation is an image of 1 channel, horizon x width, row 0 being the present slot. From the
 * left, for each resource: for each machine its units, a number above 0 where a job holds one, the
 * same number for all units of a job (Colours); then MaxJobSize columns for each slot, 1 where its
 * job wants a unit. Then the backlog, one 1 for each job, row by row in ceil(backlog / horizon)
 * columns; last a column with the slots since the last arrival / 10, 1 at most. The width is
 * (machines x capacity + M x MaxJobSize) x resources + ceil(backlog / horizon) + 1, which is 224
 * for DeepRM_Plus. What is longer or wider than there is room is cut off.
 */
class ClusterScheduling : public DecisionProblem
{
  public:
    /// What a time slot costs.
    enum RewardKind
    {
        SLOWDOWN,     //!< R1, for weighted turnaround time
        CYCLING_TIME, //!< R2
    };

    /// When an episode ends.
    enum ProtocolKind
    {
        NO_NEW_JOB, //!< with the set's time slots
        ALL_DONE,   //!< when no job is left
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    ClusterScheduling();

    /// @param source where jobs come from, for this problem alone
    void SetJobSource(Ptr<ClusterJobSource> source);

    uint32_t GetNActions() const override;
    std::vector<uint32_t> GetObservationShape() const override;
    /// @return MaxJobSize and Colours; the image's other dimensions are those of the cluster
    std::vector<std::string> GetFormAttributes() const override;
    void Observe(float* out) const override;
    void Mask(uint8_t* out) const override;
    void Act(uint32_t action) override;
    void TakeRewards(std::vector<float>& out) override;
    bool IsDone() const override;
    void Reset() override;
    int64_t AssignStreams(int64_t stream) override;
    std::string GetScoreName() const override;

    /**
     * @return mean slowdown (with R2: cycling time) of the jobs that got a place. Those that had
     * none when their episode ended count as if they had then begun, so that it never pays to leave
     * jobs waiting.
     */
    double GetScore() const override;
    void ClearScore() override;
    /// All of the present episode. Means over jobs are over those that got a place, as DeepRM's
    /// code has it.
    /// @return slowdown, cycling and waiting time, jobs without a place, reward and length
    std::vector<FigureOfMerit> GetFigures() const override;
    std::vector<FigureValue> MeasureFigures() const override;
    /// @return of the present episode; jobs left waiting at its end are neither accepted nor
    /// blocked
    DecisionTally GetTally() const override;
    uint64_t GetNDecided() const override;

    /// @return the present time slot, 0 at the beginning of the episode
    uint64_t GetNow() const
    {
        return m_now;
    }

    /// @param slot below GetNActions() - 1  @return the job that waits there; null if none does
    const ClusterJob* GetWaiting(uint32_t slot) const
    {
        return m_slots[slot].duration ? &m_slots[slot] : nullptr;
    }

    /// @return jobs in the backlog, first come first
    const std::deque<ClusterJob>& GetBacklog() const
    {
        return m_backlog;
    }

    /// @return jobs that run or have a place, in the order in which they got it
    const std::vector<ClusterPlacement>& GetRunning() const
    {
        return m_running;
    }

    /// @return free units, now and in the slots to come
    const ClusterLedger& GetLedger() const
    {
        return m_ledger;
    }

    /// @return what became of the jobs since Reset()
    const ClusterCounters& GetCounters() const
    {
        return m_counters;
    }

    /**
     * A copy in the same state; the jobs after the next one come from another source.
     * @param source the copy's source
     * @return the copy
     */
    Ptr<ClusterScheduling> Clone(Ptr<ClusterJobSource> source) const;

    /// A job got a place.
    typedef void (*PlacementTracedCallback)(const ClusterPlacement& placement);
    /// A job was lost.
    typedef void (*JobTracedCallback)(const ClusterJob& job);

  protected:
    void DoDispose() override;

  private:
    /// @param slot with a job  @return whether it got a place
    bool Schedule(uint32_t slot);

    /// Let a time slot pass.
    void Advance();

    /// Admit the jobs that arrive now.
    void Admit();

    /// @return jobs that wait in slots and backlog
    uint64_t GetNWaiting() const;

    /// @param placement what the score learns of
    void AddToScore(const ClusterPlacement& placement);

    uint32_t m_machines;     //!< N
    uint32_t m_resources;    //!< d
    uint32_t m_capacity;     //!< r, units of each resource of a machine
    uint32_t m_horizon;      //!< time slots ahead
    uint32_t m_nSlots;       //!< M
    uint32_t m_backlogSize;  //!< most jobs behind the slots
    uint32_t m_maxJobSize;   //!< columns of a slot and resource
    uint32_t m_colours;      //!< numbers that tell jobs apart
    RewardKind m_reward;     //!< R1 or R2
    ProtocolKind m_protocol; //!< when an episode ends
    uint64_t m_maxSlots;     //!< of an episode of all-done

    Ptr<ClusterJobSource> m_source;              //!< jobs
    ClusterLedger m_ledger;                      //!< free units
    std::vector<ClusterJob> m_slots;             //!< waiting; duration 0 for none
    std::deque<ClusterJob> m_backlog;            //!< likewise, behind them
    std::vector<ClusterPlacement> m_running;     //!< with a place
    std::vector<uint32_t> m_colour;              //!< of each of them
    uint64_t m_firstFinish{0};                   //!< of m_running
    ClusterJob m_pending;                        //!< the next to arrive
    bool m_hasPending{false};                    //!< whether there is one
    bool m_done{false};                          //!< whether the episode is over
    uint64_t m_now{0};                           //!< time slot
    uint32_t m_sinceArrival{0};                  //!< slots since a job arrived, 10 at most
    uint32_t m_nWaiting{0};                      //!< jobs in m_slots
    int64_t m_inverseSum{0};                     //!< of 1 / T_j, in units of INVERSE_UNIT
    ClusterCounters m_counters;                  //!< since Reset()
    std::vector<float> m_rewards;                //!< known and not yet taken
    double m_rewardSum{0};                       //!< since Reset()
    double m_scoreSum{0};                        //!< since ClearScore()
    uint64_t m_scoreJobs{0};                     //!< likewise
    mutable std::vector<ClusterDemand> m_filled; //!< scratch of Observe()

    TracedCallback<const ClusterPlacement&> m_scheduledTrace; //!< a job got a place
    TracedCallback<const ClusterJob&> m_droppedTrace;         //!< a job met a full backlog
    TracedCallback<const ClusterJob&> m_impossibleTrace;      //!< a job is too large or too long
};

} // namespace ns3::odcn

#endif /* CLUSTER_SCHEDULING_H */
