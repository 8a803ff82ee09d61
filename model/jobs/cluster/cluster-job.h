// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_H
#define CLUSTER_JOB_H

#include "ns3/odcn-source.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::odcn
{

/// Maximum number of resource types of a cluster.
constexpr std::size_t CLUSTER_RESOURCES = 4;
/// Maximum units of a resource per machine.
constexpr uint16_t CLUSTER_UNITS = 32767;

/// Units of each resource, at most CLUSTER_UNITS; 0 for resources that the cluster lacks.
using ClusterDemand = std::array<uint16_t, CLUSTER_RESOURCES>;

/**
 * @ingroup odcn
 *
 * A cluster job: demands J_i = <r_i^1, ..., r_i^d> and duration (section III-D of the DeepRM_Plus
 * paper). It holds its demand from its start to its end, on one machine.
 */
struct ClusterJob
{
    uint64_t id{0};         //!< job number, increasing in order of arrival
    uint64_t arrival{0};    //!< time slot, counted from the beginning of its set of jobs
    uint32_t duration{0};   //!< time slots for which it needs its demand, 1 or more
    ClusterDemand demand{}; //!< r_i in units; at least one is above 0
    uint32_t served{0};     //!< time slots before its machine failed, which it need not repeat

    /// @return T_i^e, its length in time slots
    uint32_t GetLength() const
    {
        return served + duration;
    }

    /// @param o other  @return whether all members are equal
    bool operator==(const ClusterJob& o) const = default;
};

/**
 * @ingroup odcn
 *
 * Source of cluster jobs: a sequence of job sets, one per episode. Next() gives false at the end of
 * a set.
 */
class ClusterJobSource : public Source<ClusterJob>
{
  public:
    /**
     * Begin the next set, even if the current one was not read to its end. The contents of the
     * sets do not depend on how far each was read. To be called after AssignStreams().
     */
    virtual void NextSet() = 0;

    /// @return length of the set in time slots, above all arrivals; valid once Next() gave false
    virtual uint64_t GetSlots() const = 0;
};

} // namespace ns3::odcn

#endif /* CLUSTER_JOB_H */
