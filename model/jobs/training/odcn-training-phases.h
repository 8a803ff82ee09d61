// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_PHASES_H
#define ODCN_TRAINING_PHASES_H

#include "odcn-circuit-rule.h"
#include "odcn-training-run.h"

#include "ns3/odcn-message.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * The phases of a training job between its racks, in the order in which they begin, found by a run
 * of the job in a network without contention. Each message between racks belongs to one phase.
 *
 * A rack is in one phase at a time. A message joins that of its two racks, the later one if they
 * differ, if it is for the same (see CircuitRule::Unit), or, with PHASE, if messages of that phase
 * are then under way at its racks; otherwise a new phase begins there. So a message of a phase has
 * waited for messages of this phase and earlier ones of its racks only. With JOB and ITERATION all
 * racks of the job are in the same phase.
 *
 * In another network messages may come in another order; then those with the same sender, receiver
 * and purpose take the same phases in their order.
 *
 * @ingroup odcn
 */
class TrainingPhases
{
  public:
    /// Two racks: from, to.
    using Pair = std::pair<RackId, RackId>;

    /// Links of the network.
    struct Links
    {
        uint32_t servers{1};  //!< of a rack
        double serverRate{1}; //!< bit/s
        double uplinkRate{1}; //!< bit/s
        Time delay{};         //!< from rack to rack
    };

    /**
     * @param run that is about to begin; it has ended afterwards
     * @param job its index in the cluster
     * @param unit JOB, ITERATION, PHASE or STEP
     * @param links of the network
     */
    TrainingPhases(TrainingRun& run, uint32_t job, CircuitRule::Unit unit, const Links& links);

    /**
     * The same phases of an equal job, without a run.
     * @param equal phases of a job with the same program and as many iterations
     * @param job its index in the cluster
     * @param places end point of each rank; FindRacks() is that of the other job
     */
    TrainingPhases(const TrainingPhases& equal, uint32_t job, const std::vector<uint32_t>& places);

    /**
     * @param places end point of each rank
     * @param servers of a rack
     * @return by rank: its rack, numbered in the order of their first ranks
     */
    static std::vector<uint32_t> FindRacks(const std::vector<uint32_t>& places, uint32_t servers);

    /// @return phases in the order in which they begin
    const std::vector<TrainingPhase>& GetPhases() const
    {
        return m_phases;
    }

    /// @param phase its index
    /// @return number of messages in it, by pair of racks
    const std::map<Pair, uint32_t>& GetMessages(uint32_t phase) const
    {
        return m_messages[phase];
    }

    /// @return by rack: the phases in which it is, in their order
    const std::map<RackId, std::vector<uint32_t>>& GetOrder() const
    {
        return m_order;
    }

    /**
     * @param message between racks, the next one of its sender, receiver and purpose
     * @param purpose of it
     * @return index of its phase
     * @throws OdcnError when the job sends more messages than in a network without contention
     */
    uint32_t Take(const Message& message, const TrainingRun::Purpose& purpose);

  private:
    /// Messages with one label are for the same: communicator or iteration, collective, round.
    using Label = std::tuple<uint32_t, uint64_t, uint32_t>;
    /// Ranks of sender and receiver, and label.
    using Key = std::tuple<uint32_t, uint32_t, Label>;

    /// Phases of messages with the same key.
    struct Line
    {
        uint32_t index{0};              //!< in m_taken
        std::vector<uint32_t> phases{}; //!< by message
    };

    using Lines = std::map<Key, Line>; //!< of messages between racks

    /// @param purpose of a message
    /// @return its label
    Label GetLabel(const TrainingRun::Purpose& purpose) const;
    /// @param message a message
    /// @return whether it is between racks
    bool IsBetween(const Message& message) const;
    /// @param message between racks
    /// @param purpose of it
    /// @param job that sends it
    /// @return index of its phase, which may be new
    uint32_t Join(const Message& message,
                  const TrainingRun::Purpose& purpose,
                  const TrainingJob& job);
    /// @param rack a rack
    /// @return index of its phase; NONE before the first one
    uint32_t GetOpen(RackId rack) const;
    /// @param places end point of each rank
    void SetPlaces(const std::vector<uint32_t>& places);
    /// @param message between racks
    /// @param purpose of it
    /// @return what stands for its sender, receiver and purpose
    Key GetKey(const Message& message, const TrainingRun::Purpose& purpose) const;

    static constexpr uint32_t NONE = UINT32_MAX; //!< no phase

    CircuitRule::Unit m_unit;                                   //!< see the constructor
    Links m_links;                                              //!< see the constructor
    std::vector<TrainingPhase> m_phases;                        //!< see GetPhases()
    std::vector<Label> m_labels;                                //!< by phase: of its first message
    std::vector<std::map<Pair, uint32_t>> m_messages;           //!< see GetMessages()
    std::vector<std::map<Pair, double>> m_bytes;                //!< by phase and pair
    std::vector<std::map<Pair, double>> m_reductions;           //!< part of m_bytes
    std::map<RackId, std::vector<uint32_t>> m_order;            //!< see GetOrder()
    std::map<std::pair<uint32_t, RackId>, uint32_t> m_underWay; //!< messages, by phase and rack
    std::vector<uint32_t> m_places;                             //!< end point of each rank
    std::unordered_map<uint32_t, uint32_t> m_ranks;             //!< by end point
    std::shared_ptr<const Lines> m_lines;                       //!< shared by equal jobs
    std::vector<uint32_t> m_taken;                              //!< by line, see Take()
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_PHASES_H */
