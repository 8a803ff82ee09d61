// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Trains a user-defined network to place jobs on 16 racks, saves it, compares it with the rule
 * ODCN-JCB on unseen jobs, and runs it inside the simulator, where packets are sent.
 *     ./ns3 run "torch-first --decisions=200000 --RngRun=2 --output=mine"
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-learner.h"
#include "ns3/odcn-pcap-trace.h"
#include "ns3/odcn-policy-network.h"
#include "ns3/odcn-training.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <iostream>

using namespace ns3;
using namespace ns3::odcn;

/// Each rack is described by its features; in the encoder, every rack attends to all racks.
struct RackAttention : PolicyNetwork
{
    explicit RackAttention(const ProblemShape& problem)
        : shape(problem)
    {
        auto form = torch::nn::TransformerEncoderLayerOptions(32, 2).dim_feedforward(64).dropout(0);
        embedding = register_module("embedding", torch::nn::Linear(shape.GetFeatures(), 32));
        encoder = register_module("encoder", torch::nn::TransformerEncoderLayer(form));
        logit = register_module("logit", torch::nn::Linear(32, 1));
        value = register_module("value", torch::nn::Linear(32, 1));
    }

    PolicyOutput forward(torch::Tensor observations) override
    {
        auto x = encoder(embedding(shape.GetActions(observations).transpose(0, 1)));
        return {logit(x).squeeze(2).t(), value(x.mean(0)).flatten()}; // from [racks, n, 32]
    }

    ProblemShape shape;
    torch::nn::Linear embedding{nullptr}, logit{nullptr}, value{nullptr};
    torch::nn::TransformerEncoderLayer encoder{nullptr};
};
ODCN_REGISTER_NETWORK(RackAttention)

/// Packets: the agent decides inside the simulator. After 1,000 jobs, VMs send for 20 us.
void
RunPackets(OdcnHelper& helper, Ptr<OdcnScheduling> problem, const std::string& output)
{
    helper.SetSchedulerAttribute("MaxJobs", StringValue("1001"));
    problem->AssignStreams(0);
    problem->Reset();
    OdcnScenario scenario = helper.Install(
        problem,
        DecisionPolicy::Create("ns3::odcn::AgentPolicy[Checkpoint=" + output + ".pt]"));
    OdcnHelper::AssignStreams(scenario, 1000);
    helper.GetOptics().EnablePcap(output + ".pcap", scenario.fabric->GetUplink(0, 0), true, true);
    Simulator::Run();
    PcapTrace::FinishAll();
    const PacketCounts counts = scenario.fabric->Count();
    std::cout << counts.sent << " packets sent, " << counts.received << " received, "
              << counts.dropped.Total() << " dropped\n";
    Simulator::Destroy();
}

int
main(int argc, char* argv[])
try
{
    // 1. Options, besides --RngRun and --ns3::odcn::PpoLearner::Threads.
    uint64_t decisions = 1500000, jobs = 10000;
    std::string output = "torch-first";
    OdcnCommandLine cmd(argc, argv, "A network of one's own: trained, compared, and in packets.");
    cmd.AddValue("decisions", "training decisions; 0: use the existing checkpoint", decisions);
    cmd.AddRange("jobs", "jobs of the comparison of rule and agent", jobs, uint64_t{1});
    cmd.AddValue("output", "prefix of the files", output);
    cmd.Parse();
    Time::SetResolution(Time::PS); // a packet takes tens of nanoseconds

    // 2. 16 racks of 32 servers. The observation is a list of features of each rack.
    OdcnHelper helper;
    helper.SetProblemAttribute("State", StringValue("Placement"));
    helper.SetProblemAttribute("Alpha", StringValue("1.3")); // weight of latency in the reward
    const auto makeProblem = [&helper]() { return helper.CreateProblem(66); }; // at load 66

    // 3. Clone ODCN-JCB, then learn by PPO in 32 parallel data centres. Ctrl-C stops it.
    auto learner = Learner::Create(
        "PpoLearner[RewardScale=0.1|EntropyWeight=0|MinibatchSamples=512|Passes=3|"
        "CloneDecisions=100000|CloneLearningRate=0.002|WarmUpDecisions=5000|EpochDecisions=96000|"
        "EvaluationEpochs=2|EvaluationDecisions=20000]");
    learner->SetNetwork("RackAttention");
    learner->SetTeacher(DecisionPolicy::Create("ns3::odcn::OdcnJcbPolicy"));
    std::vector<Ptr<DecisionProblem>> problems(36);
    std::generate(problems.begin(), problems.end(), makeProblem);
    learner->SetProblems({problems.begin(), problems.begin() + 32});
    learner->SetEvaluation({problems.begin() + 32, problems.end()});
    learner->AssignStreams(1000000);
    if (decisions > 0)
    {
        if (const int status = Training(output + ".pt", true).Run(*learner, decisions))
        {
            return status; // interrupted: the same command resumes
        }
    }

    // 4. Compare rule and agent on the same unseen jobs (learners use separate random streams),
    // after 2,000 jobs that fill the data centre.
    Experiment experiment;
    experiment.SetProblem([&](double) { return makeProblem(); });
    experiment.SetJobs(jobs, 2000);
    experiment.SetReplications(1);
    experiment.AddPolicy("odcn-jcb");
    experiment.AddPolicy("agent", output + ".pt");
    experiment.Measure(); // experiment.Run() would print a table
    for (const std::string policy : {"odcn-jcb", "agent"})
    {
        std::cout << 100 * experiment.GetEstimate(policy, "blocking").mean
                  << " % of jobs blocked by " << policy << "\n";
    }

    RunPackets(helper, makeProblem(), output); // 5.
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
