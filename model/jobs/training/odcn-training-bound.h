// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_BOUND_H
#define ODCN_TRAINING_BOUND_H

#include "odcn-training-job.h"
#include "odcn-training-run.h"

#include "ns3/nstime.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-fabric-least-times.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * Least times of a training job alone, and of jobs that share end points.
 *
 * Computations are as long as the job says; a TrainingRun whose Jitter or Straggling may be below 1
 * can be faster.
 *
 * @ingroup odcn
 */
class TrainingBound
{
  public:
    /// What the ranks of a job send to those of other racks, all of it or that of a communicator.
    struct Transfer
    {
        std::string name;   //!< of the communicator; "sends", or "all"
        DemandMatrix bytes; //!< between racks, of all iterations
        Time before;        //!< least computation of a rank before its first byte
        Time after;         //!< least computation of a rank after its last byte

        /// @param other bytes to add, between as many racks
        void Add(const DemandMatrix& other);
    };

    /// A job that shares end points with others.
    struct Share
    {
        Time arrival;   //!< when it comes
        uint32_t ranks; //!< end points that it has until its end
        Time least;     //!< least time from its start to its end
    };

    /**
     * @param job all of whose ranks have a program
     * @return time of its computations alone: of the rank with the longest chain of them, or with
     * the busiest accelerator or processor
     */
    static Time GetComputeTime(const TrainingJob& job);

    /**
     * @param job all of whose ranks have a program
     * @param link of each rank, to a network without contention
     * @param algorithms of its collectives
     * @param communications collectives and sends of a rank at a time
     * @return time by the alpha-beta model: the same, with each collective taking
     * Collective::GetLeastTime() and each send alpha and its bytes, as if all ranks of a group
     * began together; or of the rank with the most communication. No run is shorter if the ranks of
     * each group run the same program, and no message takes less than alpha: the
     * last rank to begin a collective sends its part from then on, another one ends no earlier than
     * GetLeastTime() after it, and so on with the next collective. Therefore uneven all-to-alls
     * count as what the rank sends that sends the least.
     * @throws OdcnError when there is no such algorithm
     */
    static Time GetLeastTime(const TrainingJob& job,
                             const Collective::Link& link,
                             const TrainingRun::Algorithms& algorithms = GetAlgorithms(),
                             uint32_t communications = 1);

    /**
     * @param job all of whose ranks have a program
     * @param racks rack of each rank
     * @param nRacks number of racks
     * @param algorithms of its collectives
     * @return what it sends from rack to rack: of each communicator, of sends, and of all together
     * if there are several
     * @throws OdcnError when there is no such algorithm
     */
    static std::vector<Transfer> GetTransfers(
        const TrainingJob& job,
        const std::vector<RackId>& racks,
        uint32_t nRacks,
        const TrainingRun::Algorithms& algorithms = GetAlgorithms());

    /**
     * @param transfers of a job
     * @param fabric tells the times of bytes
     * @return least times of the job on it: the longest time before a transfer, of it and after it.
     * All bytes of a transfer are sent between the two
     */
    static FabricLeastTimes::Times GetNetworkTimes(const std::vector<Transfer>& transfers,
                                                   const FabricLeastTimes& fabric);

    /**
     * @param jobs all jobs
     * @param endPoints their number
     * @return no schedule of the jobs ends before: each job takes its least time from its arrival,
     * and of those that come at a time or later, end points do the work, ranks x least time
     */
    static Time GetMakespan(std::span<const Share> jobs, uint32_t endPoints);

    /**
     * @param jobs all jobs
     * @param endPoints their number
     * @return no schedule of the jobs has a smaller mean time from arrival to end: that of their
     * least times, or of one machine that does the work of all end points, the job with the least
     * work left first (Schrage, Operations Research 1968), whichever is longer
     */
    static Time GetMeanTime(std::vector<Share> jobs, uint32_t endPoints);

    /// @return the algorithms that a TrainingRun uses by default
    static TrainingRun::Algorithms GetAlgorithms();
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_BOUND_H */
