// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Which circuits training jobs get: rules and trained policies on mixes of jobs that share a
 * fabric, on the flow level or in packets.
 *
 * A mix has two kinds of jobs of random size that come as a Poisson process. When a job begins, a
 * policy chooses to leave circuits as they are, or to set them for the job, or for each of its
 * iterations, phases or steps.
 *
 *     ./ns3 run training-circuits
 *     ./ns3 run "training-circuits --loads=300,1000
 * --policies=least-time,data/linear-circuits.json"
 *     ./ns3 run "training-circuits --engine=packets --loads=300 --jobs=4 --replications=4"
 *     ./ns3 run "training-circuits --train=100000 --agent=mine.json"
 */

#include "training-end.h"

#include "ns3/odcn-circuit-problem.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-bound.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-controller.h"
#include "ns3/odcn-training-model.h"
#include "ns3/odcn-training-options.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <array>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Runs mixes of jobs.
class CircuitMixes
{
  public:
    /// @param cmd command line, which gets the options
    void AddOptions(OdcnCommandLine& cmd);

    /// @param dark dark time, us; 0: from 32 us to 3.2 ms, each decade as often
    /// @return the problem
    Ptr<CircuitProblem> MakeProblem(double dark);

    /// @return the setting, in a line
    std::string Describe() const;

  private:
    /// A kind of job.
    struct Kind
    {
        std::shared_ptr<const TrainingJob> job; //!< of some iterations
        Time least;                             //!< no run is shorter
    };

    /// Model, copies, stages, iterations.
    using Sizes = std::tuple<bool, uint32_t, uint32_t, uint32_t>;

    /// @param sizes of a kind
    /// @return the kind
    const Kind& GetKind(const Sizes& sizes);

    /// @param dark see MakeProblem()
    /// @param rule chooses circuits
    /// @param episode number of the mix
    /// @return what became of the jobs
    CircuitProblem::Result Run(double dark, const Ptr<CircuitRule>& rule, uint32_t episode);

    FabricSize m_size{.racks = 8, .servers = 1, .uplinks = 2, .gbps = 100}; //!< of the fabric
    uint32_t m_jobs{10};                                                    //!< of a mix
    double m_arrival{1};           //!< mean time between jobs, ms
    double m_limit{1000};          //!< longest time of a run, s
    std::string m_engine{"flows"}; //!< carries messages: flows or packets
    std::map<Sizes, Kind> m_kinds; //!< kinds so far
};

void
CircuitMixes::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("Jobs");
    cmd.AddRange("jobs", "Jobs of a mix", m_jobs, 1U, 1000U);
    cmd.AddRange("arrival", "Mean time between jobs, ms", m_arrival, 0.001, 1e6);
    cmd.AddRange("uplinks", "Uplinks of each of 8 racks of one server", m_size.uplinks, 1U, 64U);
    cmd.AddWord("engine",
                "carries messages: flows, the flow level; packets, in ns-3",
                m_engine,
                {"flows", "packets"});
}

std::string
CircuitMixes::Describe() const
{
    return FormatCount(m_jobs, "job") + ", " + FormatNumber(m_arrival) + " ms apart on average, " +
           std::to_string(m_size.racks) + " racks of one server, " +
           FormatCount(m_size.uplinks, "uplink") + " of " + FormatNumber(m_size.gbps) + " Gb/s, " +
           m_engine;
}

const CircuitMixes::Kind&
CircuitMixes::GetKind(const Sizes& sizes)
{
    Kind& kind = m_kinds[sizes];
    if (!kind.job)
    {
        const auto& [hasExperts, data, pipeline, iterations] = sizes;
        TrainingModel model = TrainingModel::Find(hasExperts ? "mini-moe" : "mini-gpt");
        model.layers = 2;
        const TrainingParallelism how{.data = data,
                                      .pipeline = pipeline,
                                      .expert = hasExperts ? 2U : 1U,
                                      .length = 64,
                                      .flops = 4e12};
        const auto link =
            PacketMessages::GetLink(m_size.delay * 1e-9, m_size.gbps * m_size.uplinks * 1e9);
        kind.job = std::make_shared<const TrainingJob>(model.MakeJob(how, iterations));
        kind.least = TrainingBound::GetLeastTime(*kind.job, link);
    }
    return kind;
}

CircuitProblem::Result
CircuitMixes::Run(double dark, const Ptr<CircuitRule>& rule, uint32_t episode)
{
    // Far from those of the problem and its policies.
    const int64_t stream = (int64_t{1} << 54) + (int64_t{episode} << 20);
    const auto draw = CreateObject<UniformRandomVariable>();
    draw->SetStream(stream);
    const auto gap = CreateObject<ExponentialRandomVariable>();
    gap->SetStream(stream + 1);
    FabricSize size = m_size;
    const double drawn = std::pow(10, draw->GetValue(1.5, 3.5));
    size.dark = dark > 0 ? dark : drawn;
    size.slot = 10 * size.dark;
    size.serverGbps = size.gbps * size.uplinks;
    const FabricDesign design =
        FabricDesign::Parse("TrainingController[Rule=LeastTimeRule];ExpanderRouting[MaxHops=255]",
                            size);
    const FabricDesignHelper helper;
    const Ptr<FabricNetwork> network = helper.BuildNetwork(design);
    network->AssignStreams(stream + 1000);
    network->SetCircuits(DemandMatrix::Make("uniform", size.racks), stream + 900000);
    const auto controller = DynamicCast<TrainingController>(network->GetController());
    controller->SetRule(rule);
    const Ptr<TrainingCluster> cluster = CreateObject<TrainingCluster>();
    cluster->SetAttribute("Placement", StringValue("packing"));
    cluster->SetEndPoints(size.racks * size.servers, size.servers);
    std::array<Sizes, 2> sizes;
    for (Sizes& kind : sizes)
    {
        kind = {draw->GetInteger(0, 1) == 1,
                2 * draw->GetInteger(1, 2),
                draw->GetInteger(1, 2),
                draw->GetInteger(1, 4)};
    }
    std::vector<TrainingBound::Share> shares;
    CircuitProblem::Result result;
    Time arrival;
    for (uint32_t i = 0; i < m_jobs; ++i)
    {
        const Kind& kind = GetKind(sizes[draw->GetInteger(0, 1)]);
        cluster->Add(kind.job, arrival, kind.least);
        shares.push_back({arrival, kind.job->GetNRanks(), kind.least});
        result.alone.push_back(kind.least.GetSeconds());
        arrival += Seconds(gap->GetValue(m_arrival, 0) * 1e-3);
    }
    result.least = TrainingBound::GetMeanTime(shares, size.racks * size.servers).GetSeconds();
    cluster->AssignStreams(stream + 500000);
    controller->SetCluster(cluster);
    StopAtEnd(cluster);
    network->StartCircuits();
    const Ptr<MessagePlane> plane =
        helper.MakePlane(network, FindEngine(m_engine), FabricDesignHelper::MakeHosts(design, 0));
    const Ptr<PlaneTraffic> traffic = CreateObject<PlaneTraffic>();
    design.Explain([&] { traffic->Start(plane, *PeekPointer(controller)); });
    Simulator::Stop(Seconds(m_limit));
    Simulator::Run();
    traffic->Dispose();
    Simulator::Destroy();
    for (const TrainingCluster::Outcome& job : cluster->GetOutcomes())
    {
        const bool hasEnded = !job.end.IsStrictlyNegative();
        result.times.push_back((hasEnded ? job.end - job.arrival : Seconds(m_limit)).GetSeconds());
        result.unended += hasEnded ? 0 : 1;
    }
    return result;
}

Ptr<CircuitProblem>
CircuitMixes::MakeProblem(double dark)
{
    auto problem =
        CreateObject<CircuitProblem>([this, dark](const Ptr<CircuitRule>& rule, uint32_t episode)
                                     { return Run(dark, rule, episode); });
    problem->AssignStreams(0);
    return problem;
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Time::SetResolution(Time::PS);
    CircuitMixes mixes;
    std::string agent;
    TrainingOptions training({.system = "circuits",
                              .problem = "ns3::odcn::CircuitProblem",
                              .agent = "agent",
                              .isShare = false,
                              .stream = 1000});
    Experiment experiment;
    experiment.SetPolicies("random,stay,per-job,per-step,least-time");
    experiment.SetLoads("30,300,1000,3000", "dark time of a reconfiguration, us");
    experiment.SetReplications(10);
    OdcnCommandLine cmd(argc, argv, "Which circuits training jobs get: rules and agents.");
    mixes.AddOptions(cmd);
    experiment.AddOptions(cmd, CircuitProblem::GetTypeId().GetName());
    cmd.SetGroup("Training", "train");
    cmd.AddValue("train",
                 "train a policy with so many decisions at dark times from 32 us to 3.2 ms, and "
                 "exit; with --threads=1",
                 training.decisions);
    cmd.AddValue("agent", "file of the policy to train", agent);
    training.AddPartsTo(cmd);
    cmd.Restrict({"loads"}, {"!train"}); // a training has random ones
    cmd.Parse();
    for (const double dark : experiment.GetLoads())
    {
        OdcnCommandLine::Check(dark <= 1e6, "loads", dark, "dark times of 1e6 us at most");
    }
    if (training.decisions > 0)
    {
        OdcnCommandLine::Check(!agent.empty(), "agent", agent, "a file to write the policy to");
        return training.Run({agent, [&](const TrainingCase&) { return mixes.MakeProblem(0); }});
    }
    std::cout << mixes.Describe() << "\n";
    experiment.SetProblem([&](double dark) { return mixes.MakeProblem(dark); });
    experiment.Run();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
