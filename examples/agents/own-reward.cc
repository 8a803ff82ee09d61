// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A user-defined reward: an operator whose customers pay for each job, less the more its packets
 * wait, and who pays for each circuit that is changed. One network learns from the reward of the
 * ODCN paper (Eq. 1), another one from the operator's; both are compared on unseen jobs.
 *     ./ns3 run "own-reward --price=0.02 --decisions=400000 --RngRun=2"
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-learner.h"
#include "ns3/string.h"

#include <algorithm>
#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::odcn;

int
main(int argc, char* argv[])
try
{
    uint64_t decisions = 200000;
    uint64_t cloneDecisions = 50000;
    uint64_t jobs = 5000;
    uint64_t warmUp = 2000;
    double price = 0.05;
    OdcnCommandLine cmd(argc, argv, "A reward of one's own, beside the ODCN paper's.");
    cmd.AddRange("decisions", "training decisions of each network", decisions, uint64_t{1});
    cmd.AddRange("cloneDecisions",
                 "decisions of a rule that each network first learns to repeat",
                 cloneDecisions,
                 uint64_t{0});
    cmd.AddRange("jobs", "jobs of a replication of the comparison", jobs, uint64_t{1});
    cmd.AddRange("warmUp", "jobs before those that count", warmUp, uint64_t{0});
    cmd.AddRange("price", "deduction for each ns of latency", price, 0.0);
    cmd.Parse();

    OdcnHelper helper;
    helper.SetProblemAttribute("State", StringValue("Placement"));

    // The rewards of a job's decisions, one for each VM, are those of the problem until changed.
    const auto mine = [price](const DecisionOutcome& outcome, std::span<float> rewards)
    {
        const double job =
            outcome.placed ? 10 - price * outcome.latencyNs - 5 * outcome.reconfigurations : -10;
        std::fill(rewards.begin(), rewards.end(), static_cast<float>(job / rewards.size()));
    };

    Experiment experiment;
    experiment.SetProblem([&](double) { return helper.CreateProblem(66); });
    experiment.SetJobs(jobs, warmUp);
    experiment.SetReplications(5);
    experiment.AddPolicy("odcn-score");
    for (const bool own : {false, true})
    {
        std::vector<Ptr<DecisionProblem>> problems;
        for (int i = 0; i < 32; ++i)
        {
            problems.push_back(helper.CreateProblem(66));
            if (own)
            {
                problems.back()->SetReward(mine);
            }
        }
        auto learner = Learner::Create(
            "PpoLearner[RewardScale=0.1|CloneDecisions=" + std::to_string(cloneDecisions) +
            "|CloneLearningRate=0.002|LearningRate=0.001|"
            "MinibatchSamples=512|Passes=3|WarmUpDecisions=5000]");
        learner->SetNetwork("Scorer[inputs=own|hidden=32,32|valueHidden=32,32]");
        learner->SetTeacher(DecisionPolicy::Create("ns3::odcn::OdcnJcbPolicy"));
        learner->SetProblems(problems);
        learner->AssignStreams(1000000);
        learner->Train(decisions);
        experiment.AddPolicy(own ? "my reward" : "paper's reward", learner->CreatePolicy());
    }
    experiment.Run();
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
