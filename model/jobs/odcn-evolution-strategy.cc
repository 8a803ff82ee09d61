// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-evolution-strategy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::odcn
{

EvolutionStrategy::EvolutionStrategy(const std::vector<float>& start, double sigma)
    : mean(start),
      variance(start.size(), 1.0F),
      stepPath(start.size(), 0.0F),
      shapePath(start.size(), 0.0F),
      step(sigma)
{
}

std::vector<std::vector<float>>
EvolutionStrategy::Sample(uint32_t population, NormalRandomVariable& normal)
{
    const std::size_t n = mean.size();
    m_steps.assign(population, std::vector<float>(n));
    auto candidates = m_steps;
    for (uint32_t i = 0; i < population; ++i)
    {
        for (std::size_t k = 0; k < n; ++k)
        {
            m_steps[i][k] = i % 2 ? -m_steps[i - 1][k] : static_cast<float>(normal.GetValue());
            candidates[i][k] = static_cast<float>(
                mean[k] + step * std::sqrt(static_cast<double>(variance[k])) * m_steps[i][k]);
        }
    }
    return candidates;
}

void
EvolutionStrategy::Adapt(const std::vector<double>& cost, uint64_t generation)
{
    std::vector<std::size_t> order(cost.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
    const std::size_t parents = cost.size() / 2;
    std::vector<double> weights(parents);
    for (std::size_t i = 0; i < parents; ++i)
    {
        weights[i] =
            std::log(static_cast<double>(parents) + 0.5) - std::log(static_cast<double>(i) + 1.0);
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    double squares = 0;
    for (double& w : weights)
    {
        w /= sum;
        squares += w * w;
    }
    // The usual constants of CMA-ES; learning rates of the separable form are (n + 2) / 3 larger.
    const auto dimension = static_cast<double>(mean.size());
    const double effective = 1.0 / squares;
    const double cStep = (effective + 2) / (dimension + effective + 5);
    const double damping =
        1 + cStep + 2 * std::max(0.0, std::sqrt((effective - 1) / (dimension + 1)) - 1);
    const double cPath = (4 + effective / dimension) / (dimension + 4 + 2 * effective / dimension);
    const double faster = (dimension + 2) / 3;
    double cOne = faster * 2 / ((dimension + 1.3) * (dimension + 1.3) + effective);
    double cMany = faster * 2 * (effective - 2 + 1 / effective) /
                   ((dimension + 2) * (dimension + 2) + effective);
    const double most = 0.9;
    if (cOne + cMany > most)
    {
        const double scale = most / (cOne + cMany);
        cOne *= scale;
        cMany *= scale;
    }
    const double expected =
        std::sqrt(dimension) * (1 - 1 / (4 * dimension) + 1 / (21 * dimension * dimension));

    std::vector<double> move(mean.size(), 0.0);
    for (std::size_t i = 0; i < parents; ++i)
    {
        for (std::size_t k = 0; k < move.size(); ++k)
        {
            move[k] += weights[i] * m_steps[order[i]][k];
        }
    }
    double length = 0;
    for (std::size_t k = 0; k < move.size(); ++k)
    {
        stepPath[k] = static_cast<float>((1 - cStep) * stepPath[k] +
                                         std::sqrt(cStep * (2 - cStep) * effective) * move[k]);
        length += static_cast<double>(stepPath[k]) * stepPath[k];
    }
    length = std::sqrt(length);
    const double begun = 1 - std::pow(1 - cStep, 2.0 * static_cast<double>(generation));
    const bool steady = length / std::sqrt(begun) < (1.4 + 2 / (dimension + 1)) * expected;
    for (std::size_t k = 0; k < move.size(); ++k)
    {
        const double deviation = std::sqrt(static_cast<double>(variance[k]));
        const double moved = steady ? deviation * move[k] : 0.0;
        mean[k] += static_cast<float>(step * deviation * move[k]);
        shapePath[k] = static_cast<float>((1 - cPath) * shapePath[k] +
                                          std::sqrt(cPath * (2 - cPath) * effective) * moved);
        double spread = 0;
        for (std::size_t i = 0; i < parents; ++i)
        {
            const double z = m_steps[order[i]][k];
            spread += weights[i] * z * z;
        }
        const double path = shapePath[k];
        variance[k] = static_cast<float>((1 - cOne - cMany) * variance[k] + cOne * path * path +
                                         cMany * variance[k] * spread);
    }
    step *= std::exp(std::min(1.0, cStep / damping * (length / expected - 1)));
}

} // namespace ns3::odcn
