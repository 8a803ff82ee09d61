// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SEQUENTIAL_STOPPING_H
#define ODCN_SEQUENTIAL_STOPPING_H

#include "odcn-statistics.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Rule that says when a mean of independent replications is known well enough: the sequential
 * procedure of A. M. Law and W. D. Kelton (Simulation Modeling and Analysis, 3rd ed., section
 * 9.4.1) for a relative error, which rests on Y. S. Chow and H. Robbins, On the asymptotic theory
 * of fixed-width sequential confidence intervals for the mean, Ann. Math. Stat. 36 (1965),
 * 457-462.
 *
 * After each replication from the least number on, the procedure ends when the half width of the
 * interval is at most precision / (1 + precision) of the estimate, so that the estimate is
 * then within the precision of the true mean with the confidence of the interval. Since the end
 * depends on the data, coverage is somewhat below that confidence for few replications; the
 * default least number is the one that Law and Kelton recommend.
 */
struct SequentialStopping
{
    double precision{0.1}; //!< relative error of the estimate, above 0
    uint32_t least{10};    //!< replications before the rule is applied, at least 2
    uint32_t most{200};    //!< replications after which the procedure ends anyway

    /**
     * @param estimate mean of the replications so far, with its interval
     * @return whether it is precise enough: never before the least number of replications, nor
     * where the interval is not finite
     */
    bool IsPrecise(const Estimate& estimate) const;
};

} // namespace ns3::odcn

#endif /* ODCN_SEQUENTIAL_STOPPING_H */
