// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Invalid calls of the public API, each of which throws an OdcnError of one line, also in a release
 * build.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/cluster-helper.h"
#include "ns3/icci-helper.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-jcb-policy.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-problems.h"
#include "ns3/otn-mesh.h"
#include "ns3/rddc-helper.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// An invalid call, and its error.
struct Misuse
{
    std::string name;           //!< of the test
    std::string expected;       //!< part of the message
    std::function<void()> call; //!< throws
};

/// @param load of the jobs  @return scheduling on 16 racks, reset
Ptr<OdcnScheduling>
MakeScheduling(double load = 66)
{
    auto problem = OdcnHelper().CreateProblem(load);
    problem->AssignStreams(0);
    problem->Reset();
    return problem;
}

/// @return a cluster, not reset
Ptr<ClusterScheduling>
MakeUnresetCluster()
{
    ClusterHelper helper;
    return helper.CreateProblem(helper.CreateJobs(0.5));
}

/// @return an allocation, not reset
Ptr<RddcAllocation>
MakeAllocation()
{
    auto problem = CreateObject<RddcAllocation>();
    problem->SetManager(CreateObject<RddcManager>());
    return problem;
}

/// @return computing centres, not reset
Ptr<IcciMigration>
MakeMigration()
{
    IcciHelper helper;
    helper.SetMesh(OtnMesh::Read("data/sf-bay-22-38.json"));
    return helper.CreateProblem();
}

/// Returns the same action always.
struct Far : DecisionPolicy
{
    uint32_t Decide(const DecisionProblem&) override
    {
        return 999;
    }
};

/// @param policies of the option  @return an experiment on 4 racks
Experiment
MakeEmptyExperiment(const std::string& policies = "odcn-jcb")
{
    static OdcnHelper helper;
    Experiment experiment;
    experiment.SetProblem([](double load) { return helper.CreateProblem(load); });
    experiment.SetLoads("6", "load");
    experiment.SetJobs(10, 0);
    experiment.SetPolicies(policies);
    return experiment;
}

const std::vector<Misuse> TABLE{
    {"SchedulingWithoutManager", "SetManager", []() { CreateObject<OdcnScheduling>()->Reset(); }},
    {"ActionsWithoutManager",
     "SetManager",
     []() { CreateObject<OdcnScheduling>()->GetNActions(); }},
    {"StreamsWithoutSource",
     "SetJobSource",
     []() { CreateObject<OdcnScheduling>()->AssignStreams(0); }},
    {"SchedulingNotReset", "Reset", []() { OdcnHelper().CreateProblem(66)->Act(0); }},
    {"NoSuchRack", "action 999 does not exist, there are 16", []() { MakeScheduling()->Act(999); }},
    {"NoSuchProblem", "one of cluster, icci, ", []() { CreateProblem("rdcc"); }},
    {"LoadOfATide", "the tide sets the load", []() { CreateProblem("icci", 2); }},
    {"LoadOfNothing", "load", []() { OdcnHelper().CreateProblem(0); }},
    {"AttributeOfNobody", "no Attribute Wings", []() { MakeScheduling()->Set("Wings", "2"); }},
    {"AttributeOutOfRange",
     "Reconfigurable",
     []() { MakeScheduling()->Set("Reconfigurable", "perhaps"); }},
    {"EpisodeNotReset",
     "Reset",
     []() { OdcnHelper().CreateProblem(66)->RunEpisode(*CreateObject<OdcnJcbPolicy>()); }},
    {"PolicyOfNoAction",
     "action 999",
     []() { MakeScheduling()->RunEpisode(*CreateObject<Far>(), 1); }},
    {"ClusterNotReset", "Reset", []() { MakeUnresetCluster()->Act(0); }},
    {"ClusterObservedBeforeReset",
     "Reset",
     []()
     {
         auto cluster = MakeUnresetCluster();
         std::vector<float> out(cluster->GetObservationSize());
         cluster->Observe(out.data());
     }},
    {"ClusterWithoutJobs", "SetJobSource", []() { CreateObject<ClusterScheduling>()->Reset(); }},
    {"ClusterAfterTheEnd",
     "the episode has ended",
     []()
     {
         auto cluster = MakeUnresetCluster();
         cluster->Reset();
         while (!cluster->IsDone())
         {
             cluster->Act(0);
         }
         cluster->Act(0);
     }},
    {"RuleOfAnotherSystem",
     "OdcnScheduling",
     []()
     {
         auto cluster = MakeUnresetCluster();
         cluster->Reset();
         cluster->RunEpisode(*CreateObject<OdcnJcbPolicy>());
     }},
    {"AllocationNotReset",
     "Reset",
     []()
     {
         std::vector<uint8_t> mask(64);
         MakeAllocation()->Mask(mask.data());
     }},
    {"AllocationWithoutRequests", "SetRequestSource", []() { MakeAllocation()->Reset(); }},
    {"CentresWithoutMesh", "SetMesh", []() { IcciHelper().CreateProblem(); }},
    {"CentresWithoutManager", "SetManager", []() { CreateObject<IcciMigration>()->GetNActions(); }},
    {"CentresNotReset", "Reset", []() { MakeMigration()->Act(0); }},
    {"NoSuchMigration",
     "does not exist",
     []()
     {
         auto problem = MakeMigration();
         problem->Reset();
         problem->Act(1000000);
     }},
    {"PolicyOfNoName",
     "odcn-jcb",
     []() { PolicyRegistry::Find("ns3::odcn::OdcnScheduling", "magic"); }},
    {"PolicyWithoutFile",
     "absent.json",
     []() { PolicyRegistry::Find("ns3::odcn::OdcnScheduling", "absent.json"); }},
    {"ExperimentWithoutProblem", "SetProblem", []() { Experiment().Measure(); }},
    {"ExperimentWithoutPolicy",
     "no policy",
     []()
     {
         auto experiment = MakeEmptyExperiment("");
         experiment.Measure();
     }},
    {"PolicyOfNull",
     "an object",
     []() { MakeEmptyExperiment().AddPolicy("mine", Ptr<DecisionPolicy>()); }},
    {"TitleTwice",
     "each title once",
     []() { MakeEmptyExperiment().AddPolicy("odcn-jcb", "random"); }},
    {"ReferenceOfNobody",
     "reference",
     []()
     {
         auto experiment = MakeEmptyExperiment();
         experiment.SetReference("sjf");
         experiment.Measure();
     }},
    {"NoReplication", "replications", []() { MakeEmptyExperiment().SetReplications(0); }},
    {"NoLoads", "loads", []() { MakeEmptyExperiment().SetLoads("", "load"); }},
    {"NegativeLoad", "loads", []() { MakeEmptyExperiment().SetLoads("-6", "load"); }},
    {"FigureOfNothing",
     "blocking, reconfigurations_per_job",
     []()
     {
         auto experiment = MakeEmptyExperiment();
         experiment.Measure();
         experiment.GetEstimate("odcn-jcb", "beauty");
     }},
};

TEST(CreateProblem, MakesTheProblemOfEachSystem)
{
    for (const std::string name : {"odcn", "rddc", "cluster", "icci", "matching"})
    {
        const auto problem = CreateProblem(name);
        problem->AssignStreams(1);
        problem->Reset();
        EXPECT_GT(problem->GetNActions(), 1U) << name;
        EXPECT_FALSE(problem->IsDone()) << name;
    }
    RegisterProblem("mine", [](double load) { return OdcnHelper().CreateProblem(load); });
    EXPECT_EQ(CreateProblem("mine", 60)->GetScoreName(), CreateProblem("odcn")->GetScoreName());
}

/// Runs one invalid call.
using MisuseTest = testing::TestWithParam<Misuse>;

TEST_P(MisuseTest, IsOneClearError)
{
    EXPECT_REFUSAL(GetParam().call(), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Api,
                         MisuseTest,
                         testing::ValuesIn(TABLE),
                         [](const auto& info) { return info.param.name; });

} // namespace
