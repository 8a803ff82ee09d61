// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_RACKS_H
#define ODCN_TRAINING_RACKS_H

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * In which order rules of placement take the racks of a training job, by the free end points of
 * each.
 *
 * @ingroup odcn
 */
struct TrainingRacks
{
    /// @param racks number of racks
    /// @return all of them, the lowest first
    static std::vector<uint32_t> GetAll(std::size_t racks);

    /// Packing.
    /// @param free by rack
    /// @return all racks, those with the fewest free ones first; of equals, the lowest
    static std::vector<uint32_t> GetFewestFirst(const std::vector<uint32_t>& free);

    /// Locality.
    /// @param free by rack
    /// @param ranks of the job
    /// @return the first rack that has enough; else all, those with the most free ones first
    static std::vector<uint32_t> GetLocal(const std::vector<uint32_t>& free, uint32_t ranks);

    /// Maximum weight.
    /// @param free by rack
    /// @param ranks of the job
    /// @return the fullest rack that has enough, of equals the highest; else all, those with the
    /// most free ones first
    static std::vector<uint32_t> GetTightest(const std::vector<uint32_t>& free, uint32_t ranks);
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_RACKS_H */
