// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_CLUSTER_H
#define ODCN_TRAINING_CLUSTER_H

#include "odcn-training-job.h"
#include "odcn-training-placement.h"
#include "odcn-training-run.h"
#include "odcn-training-times.h"

#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/odcn-traffic.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * Training jobs that share the end points of a network. A job waits until there is an end point for
 * each of its ranks. All of them start together, and have their end points until the last one has
 * ended. As a TrainingRun, it is a source of messages for every engine.
 *
 * With the queue first-come, jobs start in the order of arrival. With backfill, a job may start
 * before the first one that waits if, by the estimated times, that does not delay it (EASY;
 * Lifka, JSSPP 1995). A job without an estimate never starts so.
 *
 * At any time, jobs = not arrived + waiting + running + ended, and end points = free + ranks of the
 * jobs that run.
 *
 * @ingroup odcn
 */
class TrainingCluster : public Object, public TrafficSource
{
  public:
    /// In which order jobs start.
    enum Queue : uint8_t
    {
        FIRST_COME, //!< in that of arrival
        BACKFILL    //!< others before the first one that waits, if they do not delay it
    };

    /// A job and what became of it.
    struct Outcome
    {
        std::shared_ptr<const TrainingJob> job{}; //!< the job
        Time arrival{};                           //!< when it came
        Time estimate{};                          //!< of its time alone; 0 if unknown
        Time start{-1};                           //!< of its ranks; negative before
        Time end{-1};                             //!< of its last operation; negative before
        std::vector<uint32_t> places{};           //!< end point of each rank; none before the start
        TrainingTimes times{};                    //!< from arrival to end; their sum is that time
        std::vector<Time> iterationEnds{};        //!< see TrainingRun::GetIterationEnds()
        uint64_t messages{0};                     //!< that it sent
        std::vector<TrainingPath> paths{};        //!< see TrainingRun::GetPaths()
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    TrainingCluster();
    ~TrainingCluster() override;

    /**
     * Set the end points, before the start.
     * @param endPoints their number
     * @param perRack how many of consecutive indices are in a rack
     * @throws OdcnError when there are none, or no racks
     */
    void SetEndPoints(uint32_t endPoints, uint32_t perRack);

    /// Set the rule of the Attribute Placement, before AssignStreams().
    /// @param placement decides which end points a job gets
    void SetPlacement(Ptr<TrainingPlacement> placement);

    /// @param name Attribute of TrainingRun
    /// @param value its value for all jobs
    void SetRunAttribute(const std::string& name, const AttributeValue& value);

    /// @param explain see TrainingRun::SetExplain()
    void SetExplain(TrainingRun::Explain explain);

    /**
     * Add a job, before the start, after SetEndPoints().
     * @param job the job
     * @param arrival when it comes, from the start
     * @param estimate of its time alone; 0 if unknown
     * @throws OdcnError when it has more ranks than there are end points, the arrival is negative,
     * or there are 2^23 jobs
     */
    void Add(std::shared_ptr<const TrainingJob> job, Time arrival, Time estimate = Time(0));

    /**
     * Assign streams of the placement and the jobs.
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    void Start(std::vector<Message>& send) override;
    void Receive(const Message& message, Time now, std::vector<Message>& send) override;

    /// @return jobs in the order of Add()
    const std::vector<Outcome>& GetOutcomes() const
    {
        return m_jobs;
    }

    /// @param message of a job
    /// @return index of the job
    static uint32_t GetJobOf(const Message& message)
    {
        return static_cast<uint32_t>(message.tag >> TrainingRun::TAG_BITS);
    }

    /// @param job index of a job
    /// @return its run; null if it does not run
    Ptr<TrainingRun> GetRun(uint32_t job) const
    {
        return m_runs[job];
    }

    /// @return a run of no job yet, with the Attributes of SetRunAttribute()
    Ptr<TrainingRun> MakeRun() const
    {
        return m_factory.Create<TrainingRun>();
    }

    /// @return number of jobs that wait for end points
    uint32_t CountWaiting() const
    {
        return static_cast<uint32_t>(m_queue.size());
    }

    /// @return number of jobs that have ended
    uint32_t CountEnded() const
    {
        return static_cast<uint32_t>(m_ended);
    }

    /// @return number of free end points
    uint32_t CountFree() const
    {
        return m_free;
    }

    /// @return number of end points
    uint32_t GetNEndPoints() const
    {
        return static_cast<uint32_t>(m_isUsed.size());
    }

    /// @return end points of a rack; the last rack may have fewer
    uint32_t GetPerRack() const
    {
        return m_perRack;
    }

    /// @return number of racks
    uint32_t GetNRacks() const
    {
        return static_cast<uint32_t>(m_freeOfRack.size());
    }

    /// @param place an end point
    /// @return whether no job has it
    bool IsFree(uint32_t place) const
    {
        return !m_isUsed[place];
    }

    /// @param rack its index
    /// @return number of its free end points
    uint32_t CountFreeOf(uint32_t rack) const
    {
        return m_freeOfRack[rack];
    }

    /// @param job index of a job
    /// @return number of its iterations that some rank has ended
    uint32_t CountIterations(uint32_t job) const;

    /// @return time of the last arrival or message, from the start
    Time GetNow() const
    {
        return m_now;
    }

    /// @return the algorithms of collectives, by the Attributes of TrainingRun
    TrainingRun::Algorithms GetAlgorithms() const;

    /// @return whether all jobs have ended
    bool IsDone() const
    {
        return m_ended == m_jobs.size();
    }

    /// @return how many jobs have not ended, and the first of them; "" if all have
    std::string DescribeUnfinished() const;

    /// Signature of Ended.
    /// @param job what became of it
    typedef void (*EndedTracedCallback)(const Outcome& job);

  protected:
    void DoDispose() override;

  private:
    /// Start jobs that have waited.
    /// @param now the time
    /// @param [out] send gets messages
    void StartJobs(Time now, std::vector<Message>& send);
    /// Start jobs behind the first one that waits.
    /// @param now the time
    /// @param [out] send messages
    void Backfill(Time now, std::vector<Message>& send);
    /// @param index of a job
    /// @param places free end point of each rank
    /// @param now the time
    /// @param [out] send gets messages
    void StartJob(uint32_t index,
                  std::vector<uint32_t> places,
                  Time now,
                  std::vector<Message>& send);
    /// If a job has ended, note it.
    /// @param index of the job
    /// @param now the time
    /// @return whether so
    bool NoteEnd(uint32_t index, Time now);
    /// @param index of a job for which there are end points
    /// @return what the placement chooses; none to let it wait
    /// @throws OdcnError when these are not free end points, one for each rank, or nothing would
    /// end the wait
    std::vector<uint32_t> ChoosePlaces(uint32_t index);
    /// @param name of the Attribute Placement
    void SetPlacementName(const std::string& name);
    /// @return the name; that of the type of an object of SetPlacement()
    std::string GetPlacementName() const;

    Queue m_queueing;                            //!< Queue
    std::string m_placementName;                 //!< Placement
    Ptr<TrainingPlacement> m_placement;          //!< chooses end points
    ObjectFactory m_factory;                     //!< makes runs
    TrainingRun::Explain m_explain;              //!< for all runs
    int64_t m_stream{-1};                        //!< first of the jobs; negative for automatic ones
    uint32_t m_perRack{1};                       //!< end points of a rack
    uint32_t m_free{0};                          //!< free end points
    std::vector<bool> m_isUsed;                  //!< by end point
    std::vector<uint32_t> m_freeOfRack;          //!< by rack: free end points
    std::vector<Outcome> m_jobs;                 //!< in the order of Add()
    std::vector<Ptr<TrainingRun>> m_runs;        //!< by job; null if it does not run
    std::deque<uint32_t> m_queue;                //!< jobs that wait
    std::size_t m_ended{0};                      //!< jobs that have ended
    Time m_now;                                  //!< see GetNow()
    TracedCallback<const Outcome&> m_endedTrace; //!< trace source Ended
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_CLUSTER_H */
