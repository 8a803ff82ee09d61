// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Prints action and reward of each decision of a rule, for test/python-test.sh.
 *
 * Usage: python-rewards RULE RUN DECISIONS
 */

#include "ns3/odcn-helper.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/rng-seed-manager.h"

#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

int
main(int argc, char* argv[])
{
    if (argc != 4)
    {
        const bool help = argc == 2 && std::string(argv[1]) == "--help";
        (help ? std::cout : std::cerr) << "usage: python-rewards RULE RUN DECISIONS\n"
                                          "Prints action and reward of each decision of a rule.\n";
        return help ? 0 : 1;
    }
    RngSeedManager::SetRun(std::strtoull(argv[2], nullptr, 10));
    OdcnHelper helper;
    const auto problem = helper.CreateProblem(66);
    const auto choice = PolicyRegistry::Find(*problem, argv[1]);
    const auto policy = choice.Create();
    choice.Configure(*problem, *policy);
    problem->AssignStreams(0);
    problem->Reset();
    std::cout.precision(17);
    std::vector<float> rewards;
    for (int left = std::atoi(argv[3]); left > 0; --left)
    {
        const uint32_t action = policy->Decide(*problem);
        problem->Act(action);
        problem->TakeRewards(rewards);
        std::cout << action << ' ' << std::accumulate(rewards.begin(), rewards.end(), 0.0) << '\n';
        rewards.clear();
    }
    return 0;
}
