// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_ENGINE_H
#define ODCN_TRAINING_ENGINE_H

#include "odcn-training-job.h"
#include "odcn-training-path.h"
#include "odcn-training-run.h"
#include "odcn-training-times.h"

#include "ns3/nstime.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-message.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3::odcn
{

/**
 * The ranks of a TrainingRun: what they compute and send, and which of it they wait for.
 *
 * What happens has a cause that ended at that time, with the times along the path to it. What
 * begins inherits them, and adds its own time when it ends. So the times of the last operation are
 * those of the critical path, and their sum is the time of the run.
 *
 * @ingroup odcn
 */
class TrainingEngine
{
  public:
    /// Attributes of the run.
    struct Settings
    {
        /// Names for Collective::Make().
        TrainingRun::Algorithms algorithms{};
        uint32_t communications{1};             //!< Communications
        Time messageOverhead{};                 //!< MessageOverhead
        double reductionRate{0};                //!< ReductionRate, bytes a nanosecond
        uint32_t splits{1};                     //!< Splits
        uint32_t activeSplits{1};               //!< ActiveSplits
        uint32_t ringRounds{0};                 //!< RingRounds
        Time roundTime{};                       //!< RoundTime
        bool symmetric{false};                  //!< Symmetric
        uint32_t pathIterations{0};             //!< PathIterations
        Ptr<RandomVariableStream> jitter{};     //!< Jitter
        Ptr<RandomVariableStream> straggling{}; //!< Straggling
        TrainingRun::Explain explain{};         //!< what messages have waited for
        uint32_t first{0};                      //!< see TrainingRun::SetIterations()
        uint32_t iterations{0};                 //!< of the run; 0 for all of the job
    };

    /**
     * @param job outlives this
     * @param places end point of each rank
     * @param tag of messages
     * @param settings Attributes
     * @throws OdcnError when a rank has no program, or there is no such algorithm
     */
    TrainingEngine(const TrainingJob& job,
                   std::vector<uint32_t> places,
                   uint64_t tag,
                   Settings settings);

    /// See TrainingRun::Begin().
    /// @param now the time
    /// @param queued how long it has waited for end points
    /// @param [out] send gets messages
    void Begin(Time now, Time queued, std::vector<Message>& send);

    /// See TrafficSource.
    /// @param message received
    /// @param now the time
    /// @param [out] send gets messages
    void Receive(const Message& message, Time now, std::vector<Message>& send);

    /// @return whether all ranks have ended
    bool IsDone() const
    {
        return m_isStarted && m_ranksLeft == 0;
    }

    /// @return see TrainingRun
    Time GetTime() const
    {
        return m_end - m_start;
    }

    /// @return see TrainingRun
    const std::vector<Time>& GetIterationEnds() const
    {
        return m_iterationEnds;
    }

    /// @return see TrainingRun
    const TrainingTimes& GetTimes() const
    {
        return m_times;
    }

    /// @param message see TrainingRun
    /// @return see TrainingRun
    TrainingRun::Purpose GetPurpose(const Message& message) const;

    /// @return see TrainingRun
    bool IsSymmetric() const
    {
        return m_isSymmetric;
    }

    /// @return see TrainingRun
    std::vector<TrainingPath> GetPaths() const;

    /// @return see TrainingRun
    uint64_t GetNMessages() const
    {
        return m_nMessages;
    }

    /// @return see TrainingRun
    uint64_t CountUnderWay() const
    {
        return m_pending.size() - m_freePending.size();
    }

    /// @return see TrainingRun
    std::string DescribeUnfinished() const;

  private:
    /// A program with what follows from it.
    struct Prepared
    {
        const TrainingProgram* program{nullptr}; //!< the program
        std::vector<uint32_t> waits;             //!< by operation: operations before it
        std::vector<uint32_t> first;    //!< by operation: first of its successors, and the end
        std::vector<uint32_t> next;     //!< successors of all operations
        std::vector<uint32_t> ordinals; //!< by operation: how many are like it before it
        std::vector<uint32_t> totals;   //!< by operation: how many are like it in an iteration
        /// By operation: a computation that nothing but its end lets begin, and that then has the
        /// unit at once; or NONE. Both are one event.
        std::vector<uint32_t> continued;
    };

    /// What a rank has one or more of.
    enum Unit : uint8_t
    {
        ACCELERATOR,
        PROCESSOR,
        COMMUNICATION,
        N_UNITS
    };

    /// Indices of operations that are ready, the lowest first.
    using Ready = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>>;

    /// A rank.
    struct Rank
    {
        uint32_t iteration{0}; //!< index
        uint32_t left{0};      //!< operations of the iteration that have not ended
        double factor{1};      //!< of the time of computations
        std::vector<uint32_t>
            waits;                //!< by operation: those before it that have not ended, or ENDED
        Ready ready[N_UNITS];     //!< operations that wait for a unit
        uint32_t busy[N_UNITS]{}; //!< units in use
        bool isTouched{false};    //!< whether it is in m_touched
    };

    /// Steps of a collective as they are sent.
    struct Plan
    {
        /// A step.
        struct Step
        {
            uint32_t from;       //!< index in the group
            uint32_t to;         //!< index in the group
            uint64_t bytes;      //!< of the message
            uint32_t rounds;     //!< that it stands for
            uint32_t reductions; //!< of these, in which the receiver adds
            uint64_t block;      //!< bytes of a reduction
        };

        std::vector<Step> steps;       //!< by index
        std::vector<uint32_t> waits;   //!< by step: steps before it, and its sender
        std::vector<uint32_t> first;   //!< by step: first of its successors, and the end
        std::vector<uint32_t> next;    //!< successors of all steps
        std::vector<uint32_t> firstOf; //!< by member: first of its steps in sent, and the end
        std::vector<uint32_t> sent;    //!< steps by sender
        std::vector<uint32_t> parts;   //!< by member: steps that it sends or receives
        std::vector<uint32_t> rounds;  //!< by step: most steps that it waits for in turn
    };

    /// Part of a rank in a collective.
    struct Member
    {
        uint32_t active; //!< its operation in m_active; NONE before it has begun
        uint32_t left;   //!< steps that it sends or receives and that were not received
    };

    /// A collective of a group, or a split of it.
    struct Instance
    {
        std::shared_ptr<const Plan> plan{};                   //!< its steps
        const TrainingProgram::Operation* operation{nullptr}; //!< of the rank that came first
        uint32_t group{0};                                    //!< index of the group
        std::vector<uint32_t> waits{};                        //!< by step
        std::vector<Member> members{};                        //!< by index in the group
        uint32_t left{0};                                     //!< members that have not ended
        uint64_t key{0};                                      //!< in m_instances
    };

    /// Collective of a rank.
    struct Active
    {
        uint32_t rank;      //!< the rank
        uint32_t operation; //!< index of the operation
        uint64_t number;    //!< of the first split, in its group
        uint32_t next;      //!< split that begins next
        uint32_t left;      //!< splits that have not ended
    };

    /// An operation on the path to what is handled, and those of its iteration before it.
    struct Link
    {
        TrainingStep step{};                                   //!< times are absolute
        const TrainingProgram::Operation* collective{nullptr}; //!< that it is of; or null
        uint32_t iteration{0};                                 //!< of its rank
        std::shared_ptr<Link> before{};                        //!< null for the first one

        /// Release those before it one by one, since recursion could be too deep.
        ~Link()
        {
            while (before && before.use_count() == 1)
            {
                before = std::shared_ptr<Link>(std::move(before->before));
            }
        }
    };

    /// Why something is handled at this time.
    struct Cause
    {
        TrainingTimes times{};        //!< along the path to it
        std::shared_ptr<Link> link{}; //!< that ended now; null if its iteration's are not kept
    };

    /// What a message is, or what is woken.
    enum class What : uint8_t
    {
        COMPUTED, //!< computations have ended: rank, first one
        JOIN,     //!< a split begins: active, split
        STEP,     //!< a step was received: instance, step
        COUNT,    //!< a step counts as received: instance, step
        SENT      //!< a message from rank to rank was received: rank, operation
    };

    /// A message in flight, or a time to be woken.
    struct Pending
    {
        What what;       //!< what it is
        uint32_t a;      //!< index of a rank, an active collective or an instance
        uint32_t b;      //!< index of an operation, a split or a step
        uint64_t number; //!< SENT: in the order of the two ranks and the tag
        Cause cause;     //!< why it began
        Time since{};    //!< when it began
    };

    /// Sender, receiver, tag, number.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint64_t>;

    /// Prepare a program.
    /// @param program the program
    /// @return what follows from it
    static Prepared Prepare(const TrainingProgram& program);
    /// Find computations that go on after each other.
    /// @param [out] prepared the rest of it
    static void LinkComputations(Prepared& prepared);
    /// @param operation a collective
    /// @param ranks of the group
    /// @param bytes of the vector
    /// @param iteration its index
    /// @return its steps
    std::shared_ptr<const Plan> GetPlan(const TrainingProgram::Operation& operation,
                                        uint32_t ranks,
                                        uint64_t bytes,
                                        uint32_t iteration);
    /// @param operation a collective
    /// @param ranks of the group
    /// @param bytes of the vector
    /// @param iteration its index
    /// @param [out] plan gets the steps
    /// @return their order
    std::vector<std::vector<uint32_t>> MakeSteps(const TrainingProgram::Operation& operation,
                                                 uint32_t ranks,
                                                 uint64_t bytes,
                                                 uint32_t iteration,
                                                 Plan& plan) const;

    /// @param rank its index
    /// @return what follows from its program
    const Prepared& GetPrepared(uint32_t rank) const
    {
        return m_prepared[m_job.GetProgramOf(rank)];
    }

    /// @param rank its index
    /// @param index of an operation
    /// @return the operation
    const TrainingProgram::Operation& GetOperation(uint32_t rank, uint32_t index) const
    {
        return GetPrepared(rank).program->GetOperations()[index];
    }

    /// @return whether all ranks act at the same times, see TrainingRun
    bool CanBeSymmetric() const;
    /// @param operation a collective
    /// @return whether all ranks of all groups send the same, and the parts are equal
    bool IsEqualForAll(const TrainingProgram::Operation& operation) const;
    /// @param what operation
    /// @param ranks of the group
    /// @param bytes of the vector
    /// @param [out] plan gets the steps of one rank, to the ranks so many further on
    /// @return their order
    std::vector<std::vector<uint32_t>> MakeOwnSteps(Collective::Operation what,
                                                    uint32_t ranks,
                                                    uint64_t bytes,
                                                    Plan& plan) const;
    /// @param instance its index
    /// @param index of a member in its plan
    /// @return its rank
    uint32_t FindRank(uint32_t instance, uint32_t index) const;
    /// Something has taken its time, which belongs to the path from now on.
    /// @param spent where the time went
    /// @param since when it began
    /// @param operation that it is of: its rank, and index there
    /// @param to rank where it ended
    /// @param isMessage whether it is a message
    /// @param collective that it is of, or null
    void Spend(const TrainingTimes& spent,
               Time since,
               std::pair<uint32_t, uint32_t> operation,
               uint32_t to,
               bool isMessage,
               const TrainingProgram::Operation* collective = nullptr);
    /// A step of a collective has taken its time.
    /// @param spent where the time went
    /// @param pending the step
    void SpendStep(const TrainingTimes& spent, const Pending& pending);
    /// Begin an iteration.
    /// @param rank its index
    void BeginIteration(uint32_t rank);
    /// Handle all that follows at this time.
    void Settle();
    /// The operations before one have ended.
    /// @param rank its index
    /// @param index of the operation
    void SetReady(uint32_t rank, uint32_t index);
    /// Let a rank use its units.
    /// @param rank its index
    void UseUnits(uint32_t rank);
    /// Note that a rank may have a unit, or something for it.
    /// @param rank its index
    void Touch(uint32_t rank);
    /// @param rank its index
    /// @param index of an operation that has a unit
    void BeginOperation(uint32_t rank, uint32_t index);
    /// @param rank its index
    /// @param index of an operation that has ended
    void EndOperation(uint32_t rank, uint32_t index);
    /// @param operation one of a program
    /// @return its unit; N_UNITS if it takes none
    static Unit GetUnit(const TrainingProgram::Operation& operation);
    /// @param operation a collective
    /// @param rank its index
    /// @return its group; null if it ends at once
    const std::vector<uint32_t>* FindGroup(const TrainingProgram::Operation& operation,
                                           uint32_t rank) const;
    /// @param rank its index
    /// @param index of a computation
    /// @return the computation that goes on after it, see Prepared; or NONE
    uint32_t FindContinued(uint32_t rank, uint32_t index) const;
    /// @param rank its index
    /// @param index of a computation
    /// @return how long it takes; random factors are drawn
    Time FindDuration(uint32_t rank, uint32_t index);
    /// @param rank its index
    /// @param index of a computation, begun with those that go on after it
    void BeginComputation(uint32_t rank, uint32_t index);
    /// Computations have ended.
    /// @param rank its index
    /// @param index of the first one
    /// @param since when it began
    void EndComputation(uint32_t rank, uint32_t index, Time since);
    /// @param rank its index
    /// @param index of a send
    void BeginSend(uint32_t rank, uint32_t index);
    /// @param operation a collective
    /// @return into how many it is split, each of 1 byte or more
    uint32_t CountSplits(const TrainingProgram::Operation& operation) const;
    /// @param index in m_active
    void BeginSplit(uint32_t index);
    /// @param index in m_active
    /// @param split its index
    void Join(uint32_t index, uint32_t split);
    /// @param active of the rank that came first
    /// @param split its index
    /// @param key of the instance
    /// @return index of a new instance
    uint32_t MakeInstance(const Active& active, uint32_t split, uint64_t key);
    /// One of what a step waits for is there.
    /// @param instance its index
    /// @param step its index
    void Release(uint32_t instance, uint32_t step);
    /// @param instance its index
    /// @param step that was received
    void Count(uint32_t instance, uint32_t step);
    /// @param instance its index
    /// @param member whose part may have ended
    void CheckMember(uint32_t instance, uint32_t member);
    /// A message from rank to rank was received.
    /// @param from the sender
    /// @param index of its send
    /// @param number of the message
    void Arrive(uint32_t from, uint32_t index, uint64_t number);
    /// @param rank its index
    /// @param index of an operation
    /// @return its number among those like it
    uint64_t GetNumber(uint32_t rank, uint32_t index) const;
    /// @param pending what is sent
    /// @param from rank
    /// @param to rank
    /// @param bytes of it
    void Send(Pending pending, uint32_t from, uint32_t to, uint64_t bytes);
    /// @param pending what is woken
    /// @param rank its rank
    /// @param after time from now
    void Wake(Pending pending, uint32_t rank, Time after);

    const TrainingJob& m_job;         //!< the job
    std::vector<uint32_t> m_places;   //!< end point of each rank
    uint64_t m_tag;                   //!< of messages
    Settings m_settings;              //!< Attributes
    std::vector<Prepared> m_prepared; //!< by program
    std::vector<Rank> m_ranks;        //!< by rank
    /// By communicator and rank: index in its group.
    std::vector<std::vector<uint32_t>> m_indexInGroup;
    std::map<std::tuple<Collective::Operation, uint32_t, uint64_t, uint64_t>,
             std::shared_ptr<const Plan>>
        m_plans;                                        //!< by operation, ranks, bytes and weights
    std::vector<Pending> m_pending;                     //!< by number in a tag
    std::vector<uint32_t> m_freePending;                //!< unused ones
    std::vector<Instance> m_list;                       //!< instances
    std::vector<uint32_t> m_freeInstances;              //!< unused ones
    std::unordered_map<uint64_t, uint32_t> m_instances; //!< indices in m_list, by key
    std::vector<Active> m_active;                       //!< collectives of ranks
    std::vector<uint32_t> m_freeActive;                 //!< unused ones
    std::map<Key, bool> m_arrived;                      //!< messages that no receive has taken
    std::map<Key, uint32_t> m_posted; //!< receives that wait: indices of operations
    std::deque<std::pair<uint32_t, uint32_t>> m_ended;   //!< ranks and operations, at this time
    std::deque<std::pair<uint32_t, uint32_t>> m_counted; //!< instances and steps, at this time
    std::vector<uint32_t> m_touched;                     //!< see Touch()
    std::vector<Message>* m_send{nullptr};          //!< gets messages, while something is handled
    Time m_now;                                     //!< the time
    Cause m_cause;                                  //!< of what is handled
    bool m_isSymmetric{false};                      //!< whether rank 0 stands for all
    bool m_isStarted{false};                        //!< whether it has begun
    uint32_t m_ranksLeft{0};                        //!< ranks that have not ended
    uint64_t m_operationsLeft{0};                   //!< of all ranks and iterations
    Time m_start;                                   //!< of the run
    Time m_end;                                     //!< of the last operation so far
    std::vector<Time> m_iterationEnds;              //!< see GetIterationEnds()
    std::vector<std::shared_ptr<Link>> m_lastLinks; //!< by iteration: what ended it last
    TrainingTimes m_times;                          //!< see GetTimes()
    uint64_t m_nMessages{0};                        //!< see GetNMessages()
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_ENGINE_H */
