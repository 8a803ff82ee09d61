// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_BYTES_H
#define ODCN_TRAINING_BYTES_H

#include "odcn-training-job.h"
#include "odcn-training-run.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

/**
 * What the ranks of a training job send each other in an iteration, the first one.
 *
 * @ingroup odcn
 */
class TrainingBytes
{
  public:
    /**
     * @param job all of whose ranks have a program
     * @param algorithms of its collectives
     * @throws OdcnError when there is no such algorithm
     */
    TrainingBytes(const TrainingJob& job, const TrainingRun::Algorithms& algorithms);

    /// @param rank its index
    /// @return bytes that it sends, by receiver
    const std::map<uint32_t, uint64_t>& GetSent(uint32_t rank) const
    {
        return m_sent[rank];
    }

    /// @return number of ranks
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_sent.size());
    }

    /// @return bytes of all ranks
    uint64_t GetTotal() const;

    /**
     * Group ranks that exchange the most bytes. Groups are filled one by one: with the rank left
     * that sends and receives the most, and then each time with that which exchanges the most bytes
     * with those in the group. Of equals, the first.
     * @param sizes of the groups, together as many as there are ranks, or more
     * @return ranks, group by group
     */
    std::vector<uint32_t> Group(const std::vector<uint32_t>& sizes) const;

    /**
     * Put ranks at end points so that those that exchange the most bytes are in one group.
     * @param sizes see Group()
     * @param places end points, group by group, of which the first ones are taken
     * @return end point of each rank
     */
    std::vector<uint32_t> Arrange(const std::vector<uint32_t>& sizes,
                                  const std::vector<uint32_t>& places) const;

  private:
    std::vector<std::map<uint32_t, uint64_t>> m_sent; //!< by sender and receiver
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_BYTES_H */
