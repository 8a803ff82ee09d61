// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_RUN_H
#define ODCN_TRAINING_RUN_H

#include "odcn-training-job.h"
#include "odcn-training-path.h"
#include "odcn-training-times.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-traffic.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

class TrainingEngine;

/**
 * A run of a training job: its ranks compute and send, iteration after iteration. It is a source of
 * messages for every engine: PlaneTraffic carries it in packets or on the flow level,
 * ExactPackets::Run() without the simulator.
 *
 * @code
 *   Ptr<TrainingRun> run = CreateObject<TrainingRun>();
 *   run->SetJob(job, {});                              // rank i at end point i
 *   CreateObject<PlaneTraffic>()->Start(plane, *PeekPointer(run));
 *   Simulator::Run();
 *   std::cout << run->GetTime().GetSeconds();
 * @endcode
 *
 * An operation begins when those before it have ended and its rank has a unit for it. Units take
 * the operation of the lowest index that is ready. An accelerator and a processor compute one at a
 * time; Communications collectives and sends run at a time, and any number of receives. A
 * computation of no time takes no unit.
 *
 * The k-th collective of a communicator, in the order of the operations' indices, is the same on
 * all ranks of a group; messages match likewise, by ranks and tag. A collective begins on each rank
 * when its own operation begins: a step is sent when its sender has begun and has received the
 * steps before it. It ends for a rank when all steps that it sends and receives have been received.
 * One of no bytes, or of one rank, ends at once.
 *
 * With Symmetric, rank 0 alone runs if all ranks act at the same times: they have one program of
 * computations and collectives, one collective at a time, rings or direct ones of groups of one
 * size whose parts are equal, and no random factors. Where messages share nothing but the ports of
 * their senders and receivers, which have one rate, its times are those of all ranks, to the time
 * step. In other networks they are not.
 */
class TrainingRun : public Object, public TrafficSource
{
  public:
    /// Bits of the tags of its messages below the user's own.
    static constexpr uint32_t TAG_BITS = 40;

    /// What a message is for.
    struct Purpose
    {
        static constexpr uint32_t SEND = UINT32_MAX; //!< in place of a communicator

        uint32_t communicator{SEND}; //!< of its collective; SEND from rank to rank
        Collective::Operation what{Collective::Operation::ALL_REDUCE}; //!< of its collective
        uint64_t number{0};    //!< of the collective in the run; of the message of its sender
        uint32_t round{0};     //!< of the collective: most messages that it has waited for in turn
        uint32_t iteration{0}; //!< of its sender
    };

    /**
     * Tells what a message has waited for.
     * @param message the message
     * @param received when it was received
     * @param [out] times gets its times of CIRCUITS, DARK and SHARING
     * @return the rest of its time, as in an idle network
     */
    using Explain =
        std::function<Time(const Message& message, Time received, TrainingTimes& times)>;

    /// Names for Collective::Make(), by operation.
    using Algorithms = std::map<Collective::Operation, std::string>;

    /// @return the TypeId
    static TypeId GetTypeId();
    TrainingRun();
    ~TrainingRun() override;

    /**
     * Set what runs, once.
     * @param job the job; all of its ranks have a program
     * @param places end point of each rank, all different; empty for rank i at end point i
     * @param tag of its messages, added to numbers below 2^32
     * @throws OdcnError when there is a job already, a rank has no program, the places do not fit,
     * or there is no such algorithm for a collective
     */
    void SetJob(std::shared_ptr<const TrainingJob> job,
                std::vector<uint32_t> places,
                uint64_t tag = 0);

    /// Run a part of the iterations, before SetJob().
    /// @param first index of the first one in the job
    /// @param iterations their number; 0 for all of the job
    void SetIterations(uint32_t first, uint32_t iterations)
    {
        m_first = first;
        m_iterations = iterations;
    }

    /// @return index of the first iteration in the job
    uint32_t GetFirstIteration() const
    {
        return m_first;
    }

    /// @return number of iterations of this run; 0 for all of the job
    uint32_t CountIterations() const
    {
        return m_iterations;
    }

    /// Before SetJob().
    /// @param explain tells what messages have waited for; by default their time is all their own
    void SetExplain(Explain explain)
    {
        m_explain = std::move(explain);
    }

    /**
     * Assign streams of Jitter and Straggling.
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /// Start at time 0.
    /// @param [out] send see TrafficSource
    void Start(std::vector<Message>& send) override;

    /**
     * Start at any time.
     * @param now the time
     * @param queued how long it has waited for end points
     * @param [out] send see TrafficSource
     */
    void Begin(Time now, Time queued, std::vector<Message>& send);

    void Receive(const Message& message, Time now, std::vector<Message>& send) override;

    /// @return the algorithms that the Attributes name
    Algorithms GetAlgorithms() const;

    /// @return the job; null before SetJob()
    const std::shared_ptr<const TrainingJob>& GetJob() const
    {
        return m_job;
    }

    /// @return end point of each rank
    const std::vector<uint32_t>& GetPlaces() const
    {
        return m_places;
    }

    /// @return whether all ranks have ended all iterations
    bool IsDone() const;

    /// @return from its start to the end of its last operation so far
    Time GetTime() const;

    /// @return by iteration: when the last rank ended it, from the start
    std::vector<Time> GetIterationEnds() const;

    /// @return where its time went until the end of its last operation so far
    TrainingTimes GetTimes() const;

    /// @param message that it has sent and not yet received, of 1 byte or more
    /// @return what it is for
    Purpose GetPurpose(const Message& message) const;

    /// @return critical paths of the first iterations, see PathIterations; complete when it is done
    std::vector<TrainingPath> GetPaths() const;

    /// @return whether rank 0 stands for all, see Symmetric
    bool IsSymmetric() const;

    /// @return number of messages sent, by all ranks
    uint64_t GetNMessages() const;

    /// @return number of messages, and of ends of computations and pauses, that it will receive
    uint64_t CountUnderWay() const;

    /// @return the operations that have not ended, and the first of them with what it waits for;
    /// "" if it is done
    std::string DescribeUnfinished() const;

  protected:
    void DoDispose() override;

  private:
    std::string m_allReduce;                //!< AllReduce
    std::string m_reduceScatter;            //!< ReduceScatter
    std::string m_allGather;                //!< AllGather
    std::string m_allToAll;                 //!< AllToAll
    std::string m_broadcast;                //!< Broadcast
    uint32_t m_communications;              //!< Communications
    Time m_messageOverhead;                 //!< MessageOverhead
    DataRate m_reductionRate;               //!< ReductionRate
    uint32_t m_splits;                      //!< Splits
    uint32_t m_activeSplits;                //!< ActiveSplits
    uint32_t m_ringRounds;                  //!< RingRounds
    Time m_roundTime;                       //!< RoundTime
    bool m_symmetric;                       //!< Symmetric
    uint32_t m_pathIterations;              //!< PathIterations
    Ptr<RandomVariableStream> m_jitter;     //!< Jitter
    Ptr<RandomVariableStream> m_straggling; //!< Straggling

    std::shared_ptr<const TrainingJob> m_job; //!< the job; outlives m_engine
    std::vector<uint32_t> m_places;           //!< end point of each rank
    Explain m_explain;                        //!< see SetExplain()
    uint32_t m_first{0};                      //!< see SetIterations()
    uint32_t m_iterations{0};                 //!< see SetIterations()
    std::unique_ptr<TrainingEngine> m_engine; //!< state of its ranks; null before SetJob()
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_RUN_H */
