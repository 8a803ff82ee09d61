// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A user-defined problem: which of four queues a job joins (Poisson arrivals, exponential service).
 * The reward is minus its time in the system, known on departure. Compares two learners and a rule:
 *     ./ns3 run "own-problem --decisions=500000 --RngRun=2"
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-learner.h"
#include "ns3/random-variable-stream.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iostream>
using namespace ns3;
using namespace ns3::odcn;
const std::array<double, 4> SPEEDS{2.5, 0.9, 0.3, 0.3}; // mean jobs per unit of time
const double INTERARRIVAL = 1 / 3.2;                    // mean time: a load of 80 %

struct Dispatch : DecisionProblem
{
    static TypeId GetTypeId()
    {
        static auto tid = TypeId("Dispatch").SetParent<DecisionProblem>();
        return tid;
    }

    uint32_t GetNActions() const override
    {
        return 4;
    }

    std::vector<uint32_t> GetObservationShape() const override
    {
        return {4};
    }

    void Observe(float* out) const override // scaled queue lengths
    {
        for (const auto& queue : queues)
        {
            *out++ = 0.1F * queue.size();
        }
    }

    void Mask(uint8_t* out) const override
    {
        std::fill_n(out, 4, 1);
    }

    void Act(uint32_t action) override
    {
        const double start = queues[action].empty() ? now : queues[action].back();
        const double end = start + random->GetValue(1 / SPEEDS[action], 0);
        queues[action].push_back(end);
        jobs.push_back({end, now - end});
        sum += end - now, ++count;
        now += random->GetValue(INTERARRIVAL, 0);
        for (auto& q : queues)
        {
            q.erase(q.begin(), std::upper_bound(q.begin(), q.end(), now));
        }
    }

    void TakeRewards(std::vector<float>& out) override // in the order of the actions
    {
        while (!jobs.empty() && jobs.front()[0] <= now)
        {
            out.push_back(jobs.front()[1]), jobs.pop_front();
        }
    }

    bool IsDone() const override
    {
        return false;
    }

    void Reset() override
    {
        now = 0, queues = {}, jobs = {}, ClearScore();
    }

    int64_t AssignStreams(int64_t stream) override
    {
        return random->SetStream(stream), 1;
    }

    std::string GetScoreName() const override
    {
        return "mean time in system";
    }

    double GetScore() const override
    {
        return sum / count;
    }

    void ClearScore() override
    {
        sum = count = 0;
    }

    double now{0}, sum{0}, count{0};          // time; sum and number of sojourn times
    std::array<std::deque<double>, 4> queues; // departure times of the jobs in each queue
    std::deque<std::array<double, 2>> jobs;   // departure and reward of jobs not yet rewarded
    Ptr<ExponentialRandomVariable> random = CreateObject<ExponentialRandomVariable>();
};

struct ShortestQueue : DecisionPolicy
{
    uint32_t Decide(const DecisionProblem& problem) override
    {
        std::array<float, 4> lengths;
        problem.Observe(lengths.data());
        return std::min_element(lengths.begin(), lengths.end()) - lengths.begin();
    }
};

void
Compare(const std::string& name, DecisionPolicy& policy, uint64_t jobs)
{
    auto problem = CreateObject<Dispatch>();
    problem->AssignStreams(0); // the same arrivals for all; learners use other streams
    for (uint64_t i = 0; i < jobs; ++i)
    {
        problem->Act(policy.Decide(*problem));
    }
    std::cout << problem->GetScore() << "\t" << name << "\n";
}

int
main(int argc, char* argv[])
try
{
    uint64_t decisions = 300000;
    uint64_t jobs = 200000;
    OdcnCommandLine cmd(argc, argv, "Learners that choose which of four queues a job joins.");
    cmd.AddValue("decisions", "training decisions of each learner", decisions);
    cmd.AddRange("jobs", "jobs of the comparison", jobs, uint64_t{1});
    cmd.Parse();
    std::cout << "Mean time in the system of " << jobs << " jobs\n";
    Compare("shortest queue", *CreateObject<ShortestQueue>(), jobs);
    for (const std::string words : {"PpoLearner[RewardScale=0.1|Gamma=0.95]", "A2cLearner"})
    {
        std::vector<Ptr<DecisionProblem>> problems(16);
        for (auto& problem : problems)
        {
            problem = CreateObject<Dispatch>();
        }
        auto learner = Learner::Create(words);
        learner->SetAttribute("EpochDecisions", UintegerValue(16000)); // each from empty queues
        learner->SetNetwork("Mlp[layers=2|units=64]");
        learner->SetProblems(problems);
        learner->AssignStreams(1000);
        learner->Train(decisions);
        Compare(words, *learner->CreatePolicy(), jobs);
    }
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
