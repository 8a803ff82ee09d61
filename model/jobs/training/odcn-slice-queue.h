// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SLICE_QUEUE_H
#define ODCN_SLICE_QUEUE_H

#include "odcn-slice-policy.h"

#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * A job that asks for a slice of a pod.
 *
 * @ingroup odcn
 */
struct SliceJob
{
    uint64_t id{0};   //!< its number in its source
    Time arrival;     //!< when it arrives
    SliceShape shape; //!< of the slice
    Time duration;    //!< how long it computes
};

/**
 * What became of a job.
 *
 * @ingroup odcn
 */
struct SliceRecord
{
    /// How a job ended.
    enum class Outcome : uint8_t
    {
        COMPLETED,  //!< it computed to its end
        GIVEN_UP,   //!< no slice for it can be had
        INTERRUPTED //!< a cube failed, and no other one could take its place
    };

    Outcome outcome{Outcome::GIVEN_UP}; //!< how it ended
    Time start;                         //!< when it got its slice; given up: when that was known
    Time end;                           //!< when it ended
    uint32_t swaps{0};                  //!< failed cubes that others replaced
    bool isJoined{false};               //!< see Slice::isJoined
};

/**
 * A run of a SliceQueue.
 *
 * @ingroup odcn
 */
struct SliceRun
{
    std::vector<SliceRecord> records; //!< by job
    /// Share of chips in slices, on average over the time from the first arrival to the last end.
    double utilisation{0};
    double utilisationOfArrivals{0}; //!< the same, to the last arrival
    /// The same share, on average over the moments after a start or an end from 10 to 5,000 hours
    /// after the first arrival, as RFold's scripts have it; NaN if there is none.
    double utilisationOfEvents{0};
    uint64_t failures{0}; //!< of cubes

    /// @param outcome how jobs ended
    /// @return their number
    uint64_t Count(SliceRecord::Outcome outcome) const;
};

/**
 * Jobs that wait for slices of a pod: first come, first served, all behind the one that waits,
 * unless some are started before it (Backfill).
 *
 * Run() is a loop over the events in order of time: ends, repairs and failures of cubes, arrivals.
 * It schedules nothing in ns-3's Simulator and does not read its clock.
 *
 * A job is given up when there is no slice for it and SlicePolicy::MayWait() is false, or nothing
 * runs and no failed cube comes back. Jobs = completed + given up + interrupted.
 *
 * @ingroup odcn
 */
class SliceQueue : public Object
{
  public:
    /// Which jobs start before one that waits.
    enum Backfill
    {
        NONE, //!< none
        EASY, //!< those that do not delay the first one that waits, by the durations of jobs
        ANY   //!< all for which there is a slice
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    SliceQueue();

    /// @param policy chooses chips
    void SetPolicy(Ptr<SlicePolicy> policy)
    {
        m_policy = policy;
    }

    /**
     * Let jobs come and go until all have ended.
     * @param jobs in order of arrival
     * @return what became of them
     * @throws OdcnError when there is no policy, jobs are not in order, a duration is not above 0,
     * or the pod is malformed
     */
    SliceRun Run(const std::vector<SliceJob>& jobs);

    /// @return an empty pod
    /// @throws OdcnError when it is malformed
    SliceLedger MakeLedger() const;

    /// @param stream first stream number to use, the policy's
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// Signature of Changed.
    /// @param time of a start, an end or a failure
    /// @param ledger after it
    typedef void (*ChangedTracedCallback)(Time time, const SliceLedger& ledger);

  protected:
    void DoDispose() override;

  private:
    class Loop;

    std::string m_pod;                                  //!< Pod
    uint32_t m_side;                                    //!< Cube
    Backfill m_backfill;                                //!< Backfill
    uint32_t m_depth;                                   //!< BackfillDepth
    Time m_switchTime;                                  //!< SwitchTime
    Time m_failureTime;                                 //!< FailureTime
    Time m_repairTime;                                  //!< RepairTime
    Ptr<SlicePolicy> m_policy;                          //!< chooses chips
    Ptr<ExponentialRandomVariable> m_faults;            //!< times to failures and repairs
    TracedCallback<Time, const SliceLedger&> m_changed; //!< trace source Changed
};

} // namespace ns3::odcn

#endif /* ODCN_SLICE_QUEUE_H */
