// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_PATH_H
#define ODCN_TRAINING_PATH_H

#include "odcn-training-job.h"
#include "odcn-training-times.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// An operation on the critical path of an iteration. Times are from the start of the job.
///
/// @ingroup odcn
struct TrainingStep
{
    uint32_t rank{0};      //!< where the path enters it
    uint32_t last{0};      //!< where the path leaves it: another rank after messages
    uint32_t operation{0}; //!< index in the program of rank
    uint32_t messages{0};  //!< of it on the path, one after the other
    Time begin;            //!< when the path enters it
    Time end;              //!< when the path leaves it
    TrainingTimes times{}; //!< where the time from begin to end went

    /// @param job the job
    /// @return the operation
    const TrainingProgram::Operation& GetOperation(const TrainingJob& job) const;

    /// @param job the job
    /// @return what it is for and what it does, such as "attention all-reduce"
    std::string Describe(const TrainingJob& job) const;
};

/**
 * Critical path of an iteration: its steps follow each other without gaps, from the end of the
 * iteration before to its own end. So their times add up to the time of the iteration, to the time
 * step.
 *
 * It is found from the end, as in TrainingTimes. Ranks may begin an iteration before others have
 * ended the one before; what they do then is left out, and of an operation that lasts longer the
 * part after that, in which it waits first.
 *
 * @ingroup odcn
 */
class TrainingPath
{
  public:
    /// An empty path.
    TrainingPath() = default;

    /**
     * @param steps in order, without gaps
     * @param begin of the iteration; what comes before is cut off
     */
    TrainingPath(std::vector<TrainingStep> steps, Time begin);

    /// @return its steps, in order
    const std::vector<TrainingStep>& GetSteps() const
    {
        return m_steps;
    }

    /// @return where the time of the iteration went
    TrainingTimes GetTimes() const;

  private:
    std::vector<TrainingStep> m_steps; //!< in order
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_PATH_H */
