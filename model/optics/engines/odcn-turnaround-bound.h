// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TURNAROUND_BOUND_H
#define ODCN_TURNAROUND_BOUND_H

#include <vector>

namespace ns3::odcn
{

/// A job of TurnaroundBound.
struct TurnaroundJob
{
    double arrival{0};          //!< time before which the job cannot start, not negative
    double length{0};           //!< time that it runs without interruption, above 0
    std::vector<double> shares; //!< share of the whole capacity that it holds, by resource; 0 to 1
    double weight{1};           //!< of its turnaround time, above 0
};

/**
 * @ingroup odcn
 *
 * The least sum of weight x turnaround time (finish - arrival) that any schedule of some jobs can
 * have, even one that knows all arrivals in advance: a lower bound by relaxation.
 *
 * Let one resource be a single server that works for one job at a time, interrupts jobs at will and
 * takes length x share for a job. A schedule that runs each job from start to start + length is, in
 * the server's time, a schedule in which the job is served at the rate share; the mean time of that
 * service is start + length / 2. The sum of weight x mean service time is least when the server
 * always serves the job that has arrived with the greatest weight / (length x share) (Goemans,
 * 1997, the mean busy time relaxation; with equal weights and shares this is shortest remaining
 * time first). So the sum of weight x finish is at least that sum plus weight x length / 2.
 *
 * The bound is the largest of that of each resource, that of the mean of a job's shares (no
 * schedule uses more of it than the server has either), and the sum of weight x length.
 *
 * @param jobs jobs in any order
 * @return the least sum
 * @throws OdcnError when a value is out of range or the jobs differ in their number of resources
 */
double TurnaroundBound(const std::vector<TurnaroundJob>& jobs);

} // namespace ns3::odcn

#endif /* ODCN_TURNAROUND_BOUND_H */
