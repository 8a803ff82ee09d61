// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_JOB_H
#define ODCN_TRAINING_JOB_H

#include "odcn-training-source.h"

#include "ns3/nstime.h"
#include "ns3/odcn-collective.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * What a rank of a training job does in an iteration: a graph of operations, each begun when those
 * before it have ended. Ranks that do the same share one program.
 *
 * Collectives of a communicator, and messages of a tag between two ranks, are matched between ranks
 * by their number in the order of GetOperations().
 *
 * @ingroup odcn
 */
class TrainingProgram
{
  public:
    /// What an operation does.
    enum class Kind : uint8_t
    {
        COMPUTE,    //!< takes a time
        COLLECTIVE, //!< of a group of ranks; ends for a rank when its part has ended
        SEND,       //!< sends a message to another rank; ends when it has been received
        RECEIVE     //!< ends when a message has been received
    };

    /// Where a computation runs; each unit of a rank runs one at a time.
    enum class Unit : uint8_t
    {
        ACCELERATOR, //!< GPU or TPU
        PROCESSOR    //!< CPU of the server
    };

    /// An operation, known by its index.
    struct Operation
    {
        uint64_t id{0};               //!< its number in its source, for messages
        Kind kind{Kind::COMPUTE};     //!< what it does
        Unit unit{Unit::ACCELERATOR}; //!< COMPUTE: where
        Time duration;                //!< COMPUTE: how long; 0 takes no unit
        Collective::Operation what{Collective::Operation::ALL_REDUCE}; //!< COLLECTIVE: which
        uint32_t communicator{0}; //!< COLLECTIVE: index, see TrainingJob::AddCommunicator()
        int32_t peer{0};          //!< SEND, RECEIVE: the other rank minus this rank
        uint32_t tag{0};          //!< SEND, RECEIVE: they match by tag and order
        /// SEND, RECEIVE: of the message; COLLECTIVE: S of Collective::Make(), or 0: ends at once
        uint64_t bytes{0};
        uint32_t weights{0}; //!< ALL_TO_ALL: of TrainingJob::AddWeights(); 0 for equal parts
        bool isBack{false};  //!< ALL_TO_ALL with weights: what was received before is sent back
        uint32_t name{0};    //!< of GetName(), what the operation is for
        uint32_t after{0};   //!< first of GetAfter()
        uint32_t nAfter{0};  //!< number of GetAfter()
    };

    /**
     * Add an operation.
     * @param operation without name, after and nAfter
     * @param after indices of the operations that must end before it begins; they may be added
     * later
     * @param name what it is for, such as "attention"
     * @return its index
     */
    uint32_t Add(Operation operation,
                 std::span<const uint32_t> after = {},
                 const std::string& name = "");

    /// @return all operations
    const std::vector<Operation>& GetOperations() const
    {
        return m_operations;
    }

    /// @param operation one of GetOperations()
    /// @return indices of the operations that must end before it begins
    std::span<const uint32_t> GetAfter(const Operation& operation) const
    {
        return {m_after.data() + operation.after, operation.nAfter};
    }

    /// @param operation one of GetOperations()
    /// @return what it is for
    const std::string& GetName(const Operation& operation) const
    {
        return m_names[operation.name];
    }

  private:
    std::vector<Operation> m_operations;                //!< by index
    std::vector<uint32_t> m_after;                      //!< of all operations
    std::vector<std::string> m_names;                   //!< of operations, each once
    std::unordered_map<std::string, uint32_t> m_nameOf; //!< index of each of m_names
};

/**
 * A training job: what each of its ranks does, iteration after iteration. A rank begins an
 * iteration when it has ended the one before.
 *
 * @ingroup odcn
 */
class TrainingJob
{
  public:
    /// Groups of ranks that run collectives together, such as all tensor-parallel groups.
    struct Communicator
    {
        static constexpr uint32_t NONE = UINT32_MAX; //!< of a rank that is in no group

        std::string name;                          //!< such as "TP"
        std::vector<std::vector<uint32_t>> groups; //!< ranks of each group, in the order of a ring
        std::vector<uint32_t> groupOf;             //!< by rank: index of its group, or NONE
    };

    /// A job without ranks.
    TrainingJob() = default;

    /**
     * @param name for messages and tables
     * @param ranks their number, at least 1
     * @throws OdcnError when there are none
     */
    TrainingJob(std::string name, uint32_t ranks);

    /**
     * Read a job from a file, whose format is found by its name and its first words: a Chakra
     * trace (PREFIX.RANK.et, one file a rank), AICB or SimAI text, GOAL text, or CSV of one's own,
     * see doc/jobs/training-formats.rst. The job has passed Check().
     * @param path file name; of a Chakra trace any of its files, or the prefix
     * @param options how to read it
     * @param [out] report what was read and what was left out; may be nullptr
     * @return the job
     * @throws OdcnError in one line with file, line or rank and id
     */
    static TrainingJob Read(const std::string& path,
                            const TrainingReadOptions& options = {},
                            TrainingReadReport* report = nullptr);

    /**
     * Check that the job can end: each rank has a program; no operation waits for itself, also over
     * messages and collectives; the ranks of a group run the same collectives in the same order;
     * each message is sent and received with one size. The time grows with programs rather than
     * ranks.
     * @throws OdcnError in one line with rank, id, value and what was expected
     */
    void Check() const;

    /**
     * Add groups of ranks.
     * @param name such as "TP"
     * @param groups ranks of each group, in the order of a ring; a rank is in one group at most
     * @return index of the communicator
     * @throws OdcnError when a rank does not exist or is twice in them
     */
    uint32_t AddCommunicator(const std::string& name, std::vector<std::vector<uint32_t>> groups);

    /**
     * Add a program.
     * @param program what ranks do in an iteration
     * @param ranks those that do it
     * @throws OdcnError when a rank does not exist or has a program
     */
    void AddProgram(TrainingProgram program, std::span<const uint32_t> ranks);

    /**
     * Let all-to-alls be uneven, as those of experts are: a member sends each member its weight of
     * the bytes, and keeps its own.
     * @param weights by iteration and member of a group; used again after as many iterations
     * @return for TrainingProgram::Operation::weights
     * @throws OdcnError unless all iterations have weights of as many members, none of them
     * negative, whose sum is 1
     */
    uint32_t AddWeights(std::vector<std::vector<double>> weights);

    /**
     * @param operation a collective
     * @param iteration its index
     * @return 0 if its parts are equal; else a number that tells its weights
     */
    uint64_t FindWeights(const TrainingProgram::Operation& operation, uint32_t iteration) const;

    /**
     * @param operation a collective
     * @param name of its algorithm, see Collective::Make()
     * @param ranks of a group
     * @param bytes of it, or of a split
     * @param iteration its index
     * @return its steps
     * @throws OdcnError when there is no such algorithm, or it is uneven and not direct, or weights
     * are of another number of ranks
     */
    Collective MakeCollective(const TrainingProgram::Operation& operation,
                              const std::string& name,
                              uint32_t ranks,
                              uint64_t bytes,
                              uint32_t iteration) const;

    /// @param iterations their number, at least 1
    void SetIterations(uint32_t iterations);

    /// @return its name
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return number of ranks
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_programOf.size());
    }

    /// @return number of iterations
    uint32_t GetIterations() const
    {
        return m_iterations;
    }

    /// @return all programs
    const std::vector<TrainingProgram>& GetPrograms() const
    {
        return m_programs;
    }

    /// @param rank its index
    /// @return index of its program
    uint32_t GetProgramOf(uint32_t rank) const
    {
        return m_programOf[rank];
    }

    /// @return all communicators
    const std::vector<Communicator>& GetCommunicators() const
    {
        return m_communicators;
    }

  private:
    /// @param rank its index
    /// @throws OdcnError when it does not exist
    void CheckRank(uint32_t rank) const;

    std::string m_name;                        //!< for messages and tables
    uint32_t m_iterations{1};                  //!< number of iterations
    std::vector<TrainingProgram> m_programs;   //!< what ranks do
    std::vector<uint32_t> m_programOf;         //!< by rank
    std::vector<Communicator> m_communicators; //!< groups of ranks
    std::vector<std::vector<double>> m_rows;   //!< weights of members, of all AddWeights()
    std::vector<std::pair<uint32_t, uint32_t>> m_weights; //!< first row of each, and their number
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_JOB_H */
