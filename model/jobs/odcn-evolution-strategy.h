// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EVOLUTION_STRATEGY_H
#define ODCN_EVOLUTION_STRATEGY_H

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Separable CMA-ES (Ros and Hansen, 2008) with mirrored sampling: minimises a function of a vector
 * by drawing candidates from a normal distribution with a diagonal covariance matrix, whose mean,
 * step size and variances follow the better half of them.
 *
 * Both of a mirrored pair may be among the better half, where they cancel each other out. Without
 * any signal the evolution path is therefore shorter than that of independent candidates (mean
 * square 0.73 of it at 16 candidates), so the step size falls slowly. Constants are the usual ones
 * for independent candidates.
 */
struct EvolutionStrategy
{
    std::vector<float> mean;      //!< Of the candidates
    std::vector<float> variance;  //!< Of each parameter, relative to the step size
    std::vector<float> stepPath;  //!< Evolution path of the step size
    std::vector<float> shapePath; //!< Evolution path of the variances
    double step{0};               //!< Step size

    EvolutionStrategy() = default;
    /// @param start first mean  @param sigma first standard deviation of each parameter
    EvolutionStrategy(const std::vector<float>& start, double sigma);

    /**
     * @param population number of candidates, even
     * @param normal standard normal
     * @return candidates in mirrored pairs, [population][parameters]
     */
    std::vector<std::vector<float>> Sample(uint32_t population, NormalRandomVariable& normal);

    /**
     * Move mean, step size and variances.
     * @param cost of the candidates of the last Sample(); the least is the best
     * @param generation number of this one, from 1
     */
    void Adapt(const std::vector<double>& cost, uint64_t generation);

  private:
    std::vector<std::vector<float>> m_steps; //!< Standard normal steps of the candidates
};

} // namespace ns3::odcn

#endif /* ODCN_EVOLUTION_STRATEGY_H */
