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
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
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
 * With CheckpointIterations, all ranks of a job stop after so many iterations, for CheckpointTime.
 * Then a job
 * - is preempted, with the queues priority and shortest-remaining, if one that goes before it waits
 *   and would get enough end points from it and from others that it goes before;
 * - is moved, with Migration, if the placement chooses end points of fewer racks for it.
 *
 * With Failures, end points fail and are repaired. The job of one that fails loses what it did
 * since its last checkpoint, and waits again. A job that goes on elsewhere or later takes
 * RestartTime before. What was in the network stays there until it arrives, and is ignored.
 *
 * With SetScheduler(), arrivals, ends and starts take the time of what decides on them, such as a
 * TrainingScheduler: a job waits for end points when its arrival is decided, its ranks start when
 * they are commanded to, and its end points are free when its end is decided. All of that until the
 * ranks start counts as its wait for end points. Without it they take no time.
 *
 * At any time, jobs = not arrived + waiting + running + ended, and end points = free + failed +
 * ranks of the jobs that run, of those that are commanded to start, and of those whose end is not
 * decided. Jobs that run pause, compute and send, or write a checkpoint.
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
        BACKFILL,   //!< others before the first one that waits, if they do not delay it
        PRIORITY,   //!< the highest priority first, then in that of arrival
        SHORTEST    //!< the least estimated time of the iterations left first
    };

    /// What takes the time of a scheduler.
    enum Change : uint8_t
    {
        ARRIVAL, //!< a job has come, and is to wait for end points
        START,   //!< the ranks of a job, which has end points, are to start
        END,     //!< a job has ended, and its end points are to be free
        CIRCUITS //!< circuits are to be set, see TrainingController
    };

    /**
     * Carries a change out.
     * @param change the change
     * @param count ranks of START; ports of CIRCUITS
     * @param answer for Receive() of the source when it is to happen
     * @return whether it is to happen at once; then there is no answer
     */
    using Scheduler = std::function<bool(Change change, uint32_t count, const Message& answer)>;

    /// A job and what became of it.
    struct Outcome
    {
        std::shared_ptr<const TrainingJob> job{}; //!< the job
        Time arrival{};                           //!< when it came
        Time estimate{};                          //!< of its time alone; 0 if unknown
        Time start{-1};                           //!< first one of its ranks; negative before
        Time end{-1};                             //!< of its last operation; negative before
        std::vector<uint32_t> places{};           //!< last ones of its ranks; none before the start
        TrainingTimes times{};                    //!< from arrival to end; their sum is that time
        std::vector<Time> iterationEnds{};        //!< by iteration, from the start; not lost ones
        uint64_t messages{0};                     //!< that it sent
        std::vector<TrainingPath> paths{};        //!< until a first checkpoint; see GetPaths()
        int32_t priority{0};                      //!< for the queue priority
        uint32_t failures{0};                     //!< how often an end point of it has failed
        uint32_t preemptions{0};                  //!< how often it had to wait for another job
        uint32_t migrations{0};                   //!< how often it was moved
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
    /// @param value its value for all jobs; of a random variable each job has a copy
    void SetRunAttribute(const std::string& name, const AttributeValue& value);

    /// @param explain see TrainingRun::SetExplain()
    void SetExplain(TrainingRun::Explain explain);

    /// @param scheduler carries changes out, before the start; it answers by Receive(), not while
    /// it is called
    void SetScheduler(Scheduler scheduler);

    /// Ask the scheduler for a change.
    /// @param change see Scheduler
    /// @param count see Scheduler
    /// @param answer see Scheduler
    /// @return see Scheduler; true without a scheduler
    bool Ask(Change change, uint32_t count, const Message& answer) const
    {
        return !m_scheduler || m_scheduler(change, count, answer);
    }

    /**
     * Add a job, before the start, after SetEndPoints().
     * @param job the job
     * @param arrival when it comes, from the start
     * @param estimate of its time alone; 0 if unknown
     * @param priority for the queue priority, higher ones first
     * @throws OdcnError when it has more ranks than there are end points, the arrival is negative,
     * or there are 2^23 jobs
     */
    void Add(std::shared_ptr<const TrainingJob> job,
             Time arrival,
             Time estimate = Time(0),
             int32_t priority = 0);

    /**
     * Assign streams of the placement, of Failures and Repairs if there are any, and of the jobs.
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

    /// @param message that this source sends
    /// @return whether it is of a run of a job, rather than an arrival or another event
    static bool IsOfRun(const Message& message);

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

    /// @param job index of a job
    /// @return whether it has end points
    bool HasPlaces(uint32_t job) const
    {
        return m_states[job].phase >= STARTING;
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

    /// @return number of end points that have failed and are not yet repaired
    uint32_t CountFailed() const
    {
        return m_failed;
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
    /// @return whether no job has it, and it has not failed
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
    /// What a job does.
    enum Phase : uint8_t
    {
        AWAY,     //!< it has not arrived, or has ended
        COMING,   //!< it has arrived, which is not decided
        WAITING,  //!< it waits for end points
        STARTING, //!< its ranks are commanded to start
        PAUSED,   //!< it takes RestartTime
        RUNNING,  //!< its ranks compute and send
        SAVING,   //!< it writes a checkpoint
        LEAVING   //!< it has ended, which is not decided
    };

    /// How far a job is.
    struct State
    {
        Phase phase{AWAY}; //!< what it does
        Time since{};      //!< when it began that; SAVING: when it began to run
        Time saving{};     //!< when it began to write the checkpoint
        uint32_t saved{0}; //!< iterations of its last checkpoint
        uint32_t part{0};  //!< in tags: another one after each failure
        std::map<uint32_t, uint64_t> aborted{}; //!< by part that failed: its messages under way
        TrainingTimes times{};                  //!< SAVING: of the iterations of the checkpoint
        std::vector<Time> ends{}; //!< SAVING: ends of these iterations, from the start
        std::array<Ptr<RandomVariableStream>, 2> factors{}; //!< of its runs, by FACTORS
    };

    /// What a message from an end point to itself tells.
    enum Event : uint8_t
    {
        ARRIVED,  //!< a job is there
        DECIDED,  //!< its arrival is decided
        STARTED,  //!< its ranks start
        LEFT,     //!< its end is decided
        RESUMED,  //!< the pause of a job is over
        SAVED,    //!< a checkpoint is written
        FAILED,   //!< an end point fails
        REPAIRED, //!< an end point is repaired
    };

    /// @param index of a job or an end point
    /// @param event what happens
    /// @param time when
    /// @return the message that tells it
    Message MakeEvent(uint32_t index, Event event, Time time) const;
    /// @param variable in seconds; null for 0
    /// @return a time of it
    /// @throws OdcnError when it is negative
    static Time Draw(const Ptr<RandomVariableStream>& variable);
    /// @param a index of a job
    /// @param b index of a job
    /// @return whether a goes before b, whenever they came
    bool GoesBefore(uint32_t a, uint32_t b) const;
    /// @param index of a job that waits again, or has come
    /// @param now the time
    void Enqueue(uint32_t index, Time now);

    /// @param place an end point
    /// @param isUsed whether it is used from now on, or free
    void SetUsed(uint32_t place, bool isUsed);
    /// Give a job end points.
    /// @param index of the job
    /// @param places free end point of each rank
    void TakePlaces(uint32_t index, std::vector<uint32_t> places);
    /// @param index of a job, whose end points are free from now on
    void FreePlaces(uint32_t index);
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
    /// The ranks of a job start.
    /// @param index of the job
    /// @param now the time
    /// @param [out] send gets messages
    void StartRanks(uint32_t index, Time now, std::vector<Message>& send);
    /// Let a job take RestartTime.
    /// @param index of the job
    /// @param now the time
    /// @param [out] send gets messages
    void Pause(uint32_t index, Time now, std::vector<Message>& send);
    /// Give a run the random factors of its job.
    /// @param index of the job
    /// @param run its next one
    /// @throws OdcnError when they have values that are no Attributes
    void SetFactors(uint32_t index, TrainingRun& run);
    /// Run the iterations until the next checkpoint.
    /// @param index of the job
    /// @param now the time
    /// @param [out] send gets messages
    void Run(uint32_t index, Time now, std::vector<Message>& send);
    /// If a job has ended, or has reached a checkpoint, note it.
    /// @param index of the job
    /// @param now the time
    /// @param [out] send gets messages
    /// @return whether end points have become free
    bool NoteEnd(uint32_t index, Time now, std::vector<Message>& send);
    /// A checkpoint is written.
    /// @param index of the job
    /// @param now the time
    /// @param [out] send gets messages
    void NoteSaved(uint32_t index, Time now, std::vector<Message>& send);
    /// @param index of a job
    /// @return whether another one needs its end points and goes before it
    bool Yields(uint32_t index) const;
    /// Move a job if that takes fewer racks.
    /// @param index of the job
    /// @return whether it was moved
    bool Migrate(uint32_t index);
    /// An end point fails.
    /// @param place the end point
    /// @param now the time
    void Fail(uint32_t place, Time now);
    /// A job fails: what it has under way belongs to its last part from now on.
    /// @param index of the job
    /// @throws OdcnError when messages of all parts that tags can tell are under way
    void Abort(uint32_t index);
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
    Scheduler m_scheduler;                       //!< see SetScheduler()
    int64_t m_stream{-1};                        //!< first of the jobs; negative for automatic ones
    uint32_t m_perRack{1};                       //!< end points of a rack
    uint32_t m_free{0};                          //!< free end points
    uint32_t m_failed{0};                        //!< failed end points
    uint32_t m_checkpointIterations;             //!< CheckpointIterations
    Time m_checkpointTime;                       //!< CheckpointTime
    Time m_restartTime;                          //!< RestartTime
    bool m_migration;                            //!< Migration
    Ptr<RandomVariableStream> m_failures;        //!< Failures
    Ptr<RandomVariableStream> m_repairs;         //!< Repairs
    std::vector<State> m_states;                 //!< by job
    std::vector<bool> m_isUsed;                  //!< by end point
    std::vector<uint32_t> m_jobAt;               //!< by end point: its job; NO_JOB if there is none
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
