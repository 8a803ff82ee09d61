// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_TIMES_H
#define ODCN_TRAINING_TIMES_H

#include "ns3/nstime.h"
#include "ns3/odcn-collective.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace ns3::odcn
{

/**
 * Where the time of a training job went: the time along its critical path, by cause. The parts add
 * up to the time from its arrival to its end, to the time step.
 *
 * The critical path is found from the end: the last operation that ended, what it had waited for
 * last, and so on. Communication on it is exposed: no rank on the path computes meanwhile.
 *
 * @ingroup odcn
 */
class TrainingTimes
{
  public:
    /// A cause.
    enum Part : uint8_t
    {
        QUEUE,          //!< wait for end points
        COMPUTATION,    //!< computations
        ALL_REDUCE,     //!< messages of all-reduces, as in an idle network; so the next five
        REDUCE_SCATTER, //!< messages of reduce-scatters
        ALL_GATHER,     //!< messages of all-gathers
        ALL_TO_ALL,     //!< messages of all-to-alls
        BROADCAST,      //!< messages of broadcasts
        SEND,           //!< messages from rank to rank
        OVERHEAD,       //!< overhead of messages and collectives, and reductions
        CIRCUITS,       //!< messages without a circuit
        DARK,           //!< messages while circuits between their racks were being set
        SHARING,        //!< messages that took longer than in an idle network for other reasons
        CHECKPOINT,     //!< writing of checkpoints
        RESTART,        //!< reading of checkpoints after a failure, a preemption or a migration
        LOST,           //!< work since a checkpoint that a failure has destroyed
        N_PARTS         //!< number of parts
    };

    /// @param part a cause
    /// @return its word, such as "all-reduce"
    static const char* GetName(Part part)
    {
        constexpr std::array<const char*, N_PARTS> NAMES{"queue",
                                                         "computation",
                                                         "all-reduce",
                                                         "reduce-scatter",
                                                         "all-gather",
                                                         "all-to-all",
                                                         "broadcast",
                                                         "send",
                                                         "overhead",
                                                         "circuits",
                                                         "dark",
                                                         "sharing",
                                                         "checkpoint",
                                                         "restart",
                                                         "lost"};
        return NAMES[part];
    }

    /// @param what a collective
    /// @return part of its messages
    static Part GetPart(Collective::Operation what)
    {
        return static_cast<Part>(ALL_REDUCE + static_cast<int>(what));
    }

    /// @param part a cause
    /// @return its time
    Time Get(Part part) const
    {
        return Time(m_steps[part]);
    }

    /// @param part a cause
    /// @param time to add
    void Add(Part part, Time time)
    {
        m_steps[part] += time.GetTimeStep();
    }

    /// @param other times to add
    void Add(const TrainingTimes& other)
    {
        for (std::size_t part = 0; part < m_steps.size(); ++part)
        {
            m_steps[part] += other.m_steps[part];
        }
    }

    /// @return all parts together
    Time GetSum() const
    {
        return Time(std::accumulate(m_steps.begin(), m_steps.end(), int64_t{0}));
    }

    /// @return exposed communication: messages, overhead, and all that they waited for
    Time GetCommunication() const
    {
        return GetSum() - Get(QUEUE) - Get(COMPUTATION) - Get(CHECKPOINT) - Get(RESTART) -
               Get(LOST);
    }

  private:
    std::array<int64_t, N_PARTS> m_steps{}; //!< by part, time steps
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_TIMES_H */
