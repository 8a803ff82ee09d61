// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_SOURCE_H
#define ODCN_TRAINING_SOURCE_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * How TrainingJob::Read() reads a file.
 *
 * @ingroup odcn
 */
struct TrainingReadOptions
{
    uint32_t ranks{0};               //!< number of ranks; 0: as the file says
    bool controlDependencies{false}; //!< Chakra: whether control dependencies are kept
    std::string groups;              //!< Chakra: JSON file with the ranks of each group, or ""
    double peakFlops{0};             //!< Chakra: operations/s for nodes without a duration; 0: none
    double memoryBandwidth{0};       //!< Chakra: bytes/s of memory for the same; 0: unlimited
};

/**
 * What TrainingJob::Read() has read and left out, as counts of words.
 *
 * @ingroup odcn
 */
class TrainingReadReport
{
  public:
    /**
     * @param what such as "collectives"
     * @param count how many more
     */
    void Add(const std::string& what, uint64_t count = 1);

    /// @param what a word of Add()
    /// @return its count; 0 if it was never added
    uint64_t Get(const std::string& what) const;

    /// @return one line, such as "8 ranks, 24 computations", in the order in which they were added
    std::string ToString() const;

  private:
    std::vector<std::pair<std::string, uint64_t>> m_counts; //!< by word
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_SOURCE_H */
