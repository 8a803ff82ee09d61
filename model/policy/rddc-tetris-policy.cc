// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-tetris-policy.h"

#include "odcn-rule.h"

#include "ns3/double.h"
#include "ns3/odcn-ns3-compat.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcTetrisPolicy);

TypeId
RddcTetrisPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::RddcTetrisPolicy")
            .SetParent<DecisionPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<RddcTetrisPolicy>()
            .AddAttribute("Score",
                          "How the match of free and needed resources is measured.",
                          CompatEnumValue<Score>(Score::DOT),
                          CompatEnumAccessor<Score>(&RddcTetrisPolicy::m_score),
                          MakeEnumChecker(Score::DOT, "Dot", Score::COSINE, "Cosine"))
            .AddAttribute("Prefer",
                          "Which score is the best.",
                          CompatEnumValue<Prefer>(Prefer::LARGEST),
                          CompatEnumAccessor<Prefer>(&RddcTetrisPolicy::m_prefer),
                          MakeEnumChecker(Prefer::LARGEST, "Largest", Prefer::SMALLEST, "Smallest"))
            .AddAttribute("Anchor",
                          "Whose rack is near: that of the server chosen last, or first.",
                          CompatEnumValue<Anchor>(Anchor::PREVIOUS),
                          CompatEnumAccessor<Anchor>(&RddcTetrisPolicy::m_anchor),
                          MakeEnumChecker(Anchor::PREVIOUS, "Previous", Anchor::FIRST, "First"))
            .AddAttribute("ChannelWeight",
                          "Weight of channels; that of CPU and memory is 1.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&RddcTetrisPolicy::m_channelWeight),
                          MakeDoubleChecker<double>())
            .AddAttribute("RackFactor",
                          "Factor on the score in another rack of the cluster.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&RddcTetrisPolicy::m_rackFactor),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("ClusterFactor",
                          "Factor on the score in another cluster.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&RddcTetrisPolicy::m_clusterFactor),
                          MakeDoubleChecker<double>(1e-6));
    return tid;
}

RddcTetrisPolicy::RddcTetrisPolicy() = default;

uint32_t
RddcTetrisPolicy::Decide(const DecisionProblem& problem)
{
    const RddcAllocation& allocation = AsAllocation(problem);
    m_mask.resize(problem.GetNActions());
    problem.Mask(m_mask.data());
    return Pick(allocation, m_mask);
}

ServerId
RddcTetrisPolicy::Pick(const RddcAllocation& problem, const std::vector<uint8_t>& mask) const
{
    const RddcManager& manager = *PeekPointer(problem.GetManager());
    const RddcServerLedger& servers = manager.GetServers();
    const RddcChannelLedger& channels = manager.GetChannels();
    const RddcNetwork& network = *channels.GetNetwork();
    const auto& shares = manager.GetCurrent().shares;
    const double cpuUnit = 1.0 / servers.GetCpuCapacity();
    const double memoryUnit = 1.0 / servers.GetMemoryCapacity();
    const double channelUnit = 1.0 / network.GetSizes().channels[0];

    const double cpu = manager.GetNeededCpu() * cpuUnit;
    const double memory = manager.GetNeededMemory() * memoryUnit;
    const double others = static_cast<double>(shares.size()) + std::ceil(std::max(cpu, memory)) - 1;
    const double peers = others * channelUnit;
    const double cpuTerm = cpu * cpuUnit;
    const double memoryTerm = memory * memoryUnit;
    const double channelTerm = m_channelWeight * peers * channelUnit;
    const double weight = std::abs(m_channelWeight) * channelUnit * channelUnit;

    RackId near = NO_RACK;
    if (!shares.empty())
    {
        near = network.GetRack(m_anchor == Anchor::FIRST ? shares.front().server
                                                         : shares.back().server);
    }
    ServerId best = 0;
    double most = -HUGE_VAL;
    ServerId server = 0;
    for (RackId rack = 0; rack < network.GetNRacks(); ++rack)
    {
        const double factor = near == NO_RACK || near == rack ? 1
                              : network.GetCluster(near) == network.GetCluster(rack)
                                  ? m_rackFactor
                                  : m_clusterFactor;
        for (uint32_t i = 0; i < network.GetSizes().serversPerRack; ++i, ++server)
        {
            if (!mask[server])
            {
                continue;
            }
            const double freeCpu = servers.GetCpu(server);
            const double freeMemory = servers.GetMemory(server);
            const double freeChannels = channels.GetFree(server);
            double score = freeCpu * cpuTerm + freeMemory * memoryTerm + freeChannels * channelTerm;
            if (m_score == Score::COSINE)
            {
                // The length of the vector of needs is the same for all servers.
                score /= std::sqrt(freeCpu * freeCpu * cpuUnit * cpuUnit +
                                   freeMemory * freeMemory * memoryUnit * memoryUnit +
                                   freeChannels * freeChannels * weight);
            }
            score = m_prefer == Prefer::LARGEST ? score * factor : -score / factor;
            if (score > most)
            {
                most = score;
                best = server;
            }
        }
    }
    return best;
}

} // namespace ns3::odcn
