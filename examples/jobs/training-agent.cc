// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Where the ranks of training jobs go: rules and agents on mixes of jobs that share a fabric.
 *
 * Without --engine, jobs are a fluid, as in the training of agents; with it, every message of the
 * same jobs is carried by that engine.
 *
 *     ./ns3 run training-agent
 *     ./ns3 run "training-agent --policies=packing,least-total --loads=0.8"
 *     ./ns3 run "training-agent --train=200000 --agent=mine.pt"
 *     ./ns3 run "training-agent --policies=least-total,mine.pt"
 *     ./ns3 run "training-agent --policies=packing,least-total --engine=packets --loads=0.7"
 */

#include "training-end.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-options.h"
#include "ns3/odcn-training-policy-placement.h"
#include "ns3/odcn-training-problem.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param load mean share of servers in use; 0 for random ones
/// @return the problem
Ptr<TrainingProblem>
MakeProblem(double load)
{
    auto problem = CreateObject<TrainingProblem>();
    if (load > 0)
    {
        problem->Set("Load", "ns3::ConstantRandomVariable[Constant=" + FormatNumber(load) + "]");
    }
    problem->AssignStreams(0);
    return problem;
}

/// Policies on an engine that carries messages.
class EngineComparison
{
  public:
    /// @param engine that carries messages
    /// @param output folder of the results
    EngineComparison(FabricEngine engine, std::string output)
        : m_engine(engine),
          m_output(std::move(output))
    {
    }

    using Policies = std::vector<std::pair<std::string, std::string>>; //!< title and policy

    /**
     * Run all, and print and write the results.
     * @param policies of TrainingProblem
     * @param loads see MakeProblem()
     * @param replications of each, from ns-3's RngRun on
     */
    void Run(const Policies& policies, const std::vector<double>& loads, uint32_t replications);

  private:
    /// What became of the jobs of a run.
    struct Result
    {
        double time{0};     //!< mean, ms
        double slowdown{0}; //!< mean
    };

    /// @param policy decides
    /// @param load of the servers
    /// @return what became of the jobs with the present RngRun
    /// @throws OdcnError when jobs do not end
    Result Measure(const std::string& policy, double load);

    FabricEngine m_engine; //!< carries messages
    std::string m_output;  //!< folder of the results
};

EngineComparison::Result
EngineComparison::Measure(const std::string& policy, double load)
{
    constexpr double LIMIT = 1000; // s of simulated time
    constexpr int64_t STREAM = 1000000;
    const Ptr<TrainingProblem> problem = MakeProblem(load);
    problem->Reset();
    const FabricDesign design = problem->MakeDesign();
    const FabricSize& size = design.GetSize();
    const Ptr<PolicyTrainingPlacement> placement =
        CreateObjectWithAttributes<PolicyTrainingPlacement>("Policy", StringValue(policy));
    placement->SetDesign(design);
    const Ptr<TrainingCluster> cluster = CreateObject<TrainingCluster>();
    cluster->SetPlacement(placement);
    cluster->SetEndPoints(size.racks * size.servers, size.servers);
    for (const TrainingMix::Job& job : problem->GetJobs())
    {
        TrainingJob whole = *job.kind.job;
        whole.SetIterations(job.iterations);
        cluster->Add(std::make_shared<const TrainingJob>(std::move(whole)), Seconds(job.arrival));
    }
    cluster->AssignStreams(STREAM);
    const FabricDesignHelper helper;
    const Ptr<FabricNetwork> network = helper.BuildNetwork(design);
    network->AssignStreams(2 * STREAM);
    network->SetCircuits(DemandMatrix::Make("uniform", size.racks), 0); // as TrainingProblem
    if (m_engine == FabricEngine::PACKETS)
    {
        network->StartCircuits();
    }
    StopAtEnd(cluster);
    const Ptr<MessagePlane> plane =
        helper.MakePlane(network, m_engine, FabricDesignHelper::MakeHosts(design, 100000));
    const Ptr<PlaneTraffic> traffic = CreateObject<PlaneTraffic>();
    design.Explain([&] { traffic->Start(plane, *PeekPointer(cluster)); });
    Simulator::Stop(Seconds(LIMIT));
    Simulator::Run();
    const std::string open = cluster->DescribeUnfinished();
    traffic->Dispose();
    Simulator::Destroy();
    if (!open.empty())
    {
        throw OdcnError(policy + ", within " + FormatNumber(LIMIT) + " s: " + open);
    }
    Result result;
    const auto n = static_cast<double>(problem->GetJobs().size());
    for (std::size_t i = 0; i < problem->GetJobs().size(); ++i)
    {
        const TrainingCluster::Outcome& job = cluster->GetOutcomes()[i];
        const double time = (job.end - job.arrival).GetSeconds();
        result.time += time * 1e3 / n;
        result.slowdown += time / problem->GetJobs()[i].GetAlone() / n;
    }
    return result;
}

void
EngineComparison::Run(const Policies& policies,
                      const std::vector<double>& loads,
                      uint32_t replications)
{
    OutputFiles files(m_output);
    Progress progress("training agent", policies.size() * loads.size() * replications, "runs");
    CsvWriter csv(files.Path("runs.csv"), {"load", "policy", "run", "mean_time_ms", "slowdown"});
    Table table({"Load", "Policy", "Time, ms", "vs " + policies.front().first + ", %", "Slowdown"});
    const uint64_t firstRun = RngSeedManager::GetRun();
    uint64_t done = 0;
    for (const double load : loads)
    {
        std::vector<double> reference;
        for (const auto& [title, policy] : policies)
        {
            std::vector<double> times;
            std::vector<double> slowdowns;
            for (uint32_t i = 0; i < replications; ++i)
            {
                RngSeedManager::SetRun(firstRun + i);
                const Result result = Measure(policy, load);
                times.push_back(result.time);
                slowdowns.push_back(result.slowdown);
                csv.Row(load, title, firstRun + i, result.time, result.slowdown);
                progress.Update(++done);
            }
            const bool isFirst = reference.empty();
            reference = isFirst ? times : reference;
            const std::vector<double> ones(times.size(), 1);
            Estimate change = QuotientOfRatios({times, ones}, {reference, ones}, false);
            for (double* end : {&change.mean, &change.lower, &change.upper})
            {
                *end -= 1;
            }
            table.AddRow({FormatNumber(load),
                          title,
                          FormatEstimate(MeanOfReplications(times)),
                          isFirst ? "-" : FormatEstimate(change, 100),
                          FormatEstimate(MeanOfReplications(slowdowns))});
        }
        table.AddRule();
    }
    RngSeedManager::SetRun(firstRun);
    progress.Finish(done);
    files.Commit(csv, "every run of every policy");
    std::cout << MakeProblem(0)->MakeDesign().GetSize().Describe() << ", " << GetName(m_engine)
              << ", " << FormatCount(replications, "run") << " from " << firstRun << " on\n";
    table.Print(std::cout);
    std::cout << "\n";
    files.Finish(std::cout);
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Time::SetResolution(Time::PS);
    std::string agent;
    std::string engine = "fluid";
    TrainingOptions training({.system = "training",
                              .problem = "ns3::odcn::TrainingProblem",
                              .agent = "agent",
                              .isShare = false,
                              .stream = 1000});
    Experiment experiment;
    experiment.SetPolicies("random,first,packing,locality,max-weight,least-own,least-total,bound");
    experiment.SetLoads("0.5,0.7,0.9",
                        "mean share of servers in use if jobs take their times alone");
    experiment.SetReplications(20);
    OdcnCommandLine cmd(argc, argv, "Where the ranks of training jobs go: rules and agents.");
    cmd.AddWord("engine",
                "fluid, as in trainings; flows, the flow level; packets, in ns-3",
                engine,
                {"fluid", "flows", "packets"});
    experiment.AddOptions(cmd, TrainingProblem::GetTypeId().GetName());
    cmd.SetGroup("Training", "train");
    cmd.AddValue("train", "train an agent with so many decisions, and exit", training.decisions);
    cmd.AddValue("agent", "file of the agent to train", agent);
    training.AddPartsTo(cmd);
    cmd.Restrict({"loads"}, {"!train"}); // a training has random ones
    cmd.Parse();
    if (training.decisions > 0)
    {
        OdcnCommandLine::Check(!agent.empty(), "agent", agent, "a file to write the agent to");
        return training.Run({agent, [](const TrainingCase&) { return MakeProblem(0); }});
    }
    if (engine != "fluid")
    {
        EngineComparison::Policies policies;
        for (const auto& words : OdcnCommandLine::SplitList(experiment.GetPolicies(), "policies"))
        {
            const auto policy = Experiment::SplitTitle(words);
            if (!PolicyRegistry::Find(TrainingProblem::GetTypeId().GetName(), policy.second).bound)
            {
                policies.push_back(policy);
            }
        }
        OdcnCommandLine::Check(!policies.empty(),
                               "policies",
                               experiment.GetPolicies(),
                               "a policy that places jobs, which a bound does not");
        EngineComparison(FindEngine(engine), experiment.GetOutput())
            .Run(policies, experiment.GetLoads(), experiment.GetReplications());
        return 0;
    }
    experiment.SetProblem([](double load) { return MakeProblem(load); });
    experiment.Run();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
