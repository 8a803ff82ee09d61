// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The rules in situations with a known right answer: three racks of servers of 32 cores, circuits
 * of 40 Gb/s.
 */

#include "../core/odcn-gtest-kit.h"
#include "odcn-stub-problem.h"
#include "odcn-test-system.h"

#include "ns3/object-factory.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-jcb-policy.h"
#include "ns3/odcn-policy-registry.h"

#include <filesystem>
#include <unistd.h>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param cores of a VM  @return a VM with little memory and disk
OdcnResources
Cores(double cores)
{
    return OdcnResources::Of(cores, 1, 1);
}

/**
 * A data centre with running jobs.
 *
 * @param servers in each rack
 * @param cores in use, by rack; one VM each
 * @param used bandwidth in use; from and to are racks
 * @param job that is at its first VM afterwards
 * @return the data centre
 */
TestSystem
Situation(uint32_t servers,
          const std::vector<double>& cores,
          const std::vector<OdcnDemand>& used,
          const OdcnJob& job)
{
    TestSystem system(static_cast<uint32_t>(cores.size()), servers, TEST_SERVER);
    OdcnJob before = TestJob(1, 1000, {}, used);
    for (double c : cores)
    {
        before.vms.push_back(Cores(c));
    }
    OdcnJob now = job;
    now.arrival = 2;
    system.Start({before, now});
    for (RackId rack = 0; rack < cores.size(); ++rack)
    {
        system.problem->Act(rack);
    }
    EXPECT_EQ(system.manager->GetCounters().outcome[0], 1U) << "not as the test wants it";
    return system;
}

/// @param system at a job  @param policy to use  @return its choices until the job's last VM
std::vector<RackId>
Choices(const TestSystem& system, DecisionPolicy& policy)
{
    std::vector<RackId> choices;
    for (std::size_t n = system.problem->GetJob().vms.size(); n > 0; --n)
    {
        choices.push_back(policy.Decide(*system.problem));
        if (n > 1)
        {
            system.problem->Act(choices.back());
        }
    }
    return choices;
}

/// @param vms of a job  @param demands between them  @return the job
OdcnJob
Job(const std::vector<OdcnResources>& vms, const std::vector<OdcnDemand>& demands = {})
{
    return TestJob(2, 10, vms, demands);
}

/// A decision problem that no rule supports.
class Coin : public StubProblem
{
  public:
    Coin()
        : StubProblem(2, {1})
    {
    }

    void Observe(float* out) const override
    {
        *out = 0;
    }

    void Act(uint32_t) override
    {
        m_rewards.push_back(0);
    }

    void Reset() override
    {
    }
};

/// Any rule, by TypeId name.
class AnyRule : public testing::TestWithParam<std::string>
{
  protected:
    /// @return the rule
    static Ptr<DecisionPolicy> Make()
    {
        ObjectFactory factory;
        factory.SetTypeId("ns3::odcn::Odcn" + GetParam() + "Policy");
        return factory.Create<DecisionPolicy>();
    }
};

} // namespace

TEST_P(AnyRule, TakesTheLowestOfEqualRacks)
{
    auto policy = Make();
    auto system = Situation(2, {4, 4, 4}, {}, Job({Cores(4)}));
    EXPECT_EQ(policy->Decide(*system.problem), 0U);
    auto full = Situation(1, {31, 4, 4}, {}, Job({Cores(4)}));
    EXPECT_EQ(policy->Decide(*full.problem), 1U);
}

TEST_P(AnyRule, AnswersWhenNoRackHasAServer)
{
    auto policy = Make();
    auto system = Situation(1, {20, 20, 20}, {}, Job({Cores(16), Cores(16)}));
    EXPECT_LT(policy->Decide(*system.problem), 3U);
    EXPECT_EQ(system.problem->RunJob(*policy), OdcnOutcome::BLOCKED_COMPUTE);
}

TEST_P(AnyRule, NeverSendsAVmWhereNoServerIsIfThereIsOne)
{
    if (GetParam() == "Score")
    {
        GTEST_SKIP() << "it refuses jobs that way";
    }
    auto policy = Make();
    TestSystem system(6, 5, TEST_SERVER);
    system.Start(TestGenerator(9, 4));
    for (int i = 0; i < 3000; ++i)
    {
        system.problem->RunJob(*policy);
    }
    const auto& outcome = system.manager->GetCounters().outcome;
    EXPECT_EQ(outcome[static_cast<std::size_t>(OdcnOutcome::BLOCKED_CHOICE)], 0U);
    EXPECT_GT(outcome[static_cast<std::size_t>(OdcnOutcome::BLOCKED_COMPUTE)], 100U);
    EXPECT_GT(system.manager->GetCounters().Accepted(), 1000U);
}

TEST_P(AnyRule, SameJobsSameChoices)
{
    std::vector<std::vector<RackId>> runs;
    for (int64_t stream : {1, 1, 50})
    {
        auto policy = Make();
        TestSystem system(6, 5, TEST_SERVER);
        system.Start(TestGenerator(7, stream));
        EXPECT_EQ(policy->AssignStreams(0), 0) << "rules draw nothing";
        runs.emplace_back();
        for (int i = 0; i < 5000; ++i)
        {
            runs.back().push_back(policy->Decide(*system.problem));
            system.problem->Act(runs.back().back());
        }
    }
    EXPECT_EQ(runs[0], runs[1]);
    EXPECT_NE(runs[0], runs[2]);
}

TEST_P(AnyRule, KnowsNoOtherProblem)
{
    auto policy = Make();
    auto coin = CreateObject<Coin>();
    const std::string error = GetRefusal([&] { policy->Decide(*coin); });
    EXPECT_TRUE(Has(error, "ns3::odcn::OdcnScheduling"));
}

INSTANTIATE_TEST_SUITE_P(Policies,
                         AnyRule,
                         testing::Values("Ccf", "Jcb", "BestFit", "Packing", "Score"),
                         [](const auto& info) { return info.param; });

TEST(CcfPolicy, TakesTheRackWithMostCoresAndStays)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy");
    // Free cores 52, 60, 56: rack 1 for three VMs of 16 (two servers, one of 28 cores: 3 fit), then
    // rack 2, which then has most.
    auto system = Situation(2, {12, 4, 8}, {}, Job(std::vector<OdcnResources>(5, Cores(16))));
    EXPECT_EQ(Choices(system, *policy), (std::vector<RackId>{1, 1, 1, 2, 2}));
}

TEST(Rules, TakeEachRackByItsOwnCapacity)
{
    // Racks of 1 and 3 servers, of 32 and 96 cores: 16 and 36 are free.
    TestSystem system(2, 7, TEST_SERVER);
    system.manager->SetAttribute("ServersByRack", StringValue("1,3"));
    OdcnJob before = TestJob(1, 1000, {Cores(16), Cores(30), Cores(30)});
    system.Start({before, Job({Cores(4)})});
    system.Act({0, 1, 1});
    ASSERT_EQ(system.manager->GetCounters().outcome[0], 1U);
    EXPECT_EQ(DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy")->Decide(*system.problem), 1U)
        << "36 free cores";
    // With the VM, 12 of 32 cores stay free in rack 0 and 32 of 96 in rack 1.
    EXPECT_EQ(CreateObject<OdcnJcbPolicy>()->Decide(*system.problem), 0U);
    EXPECT_EQ(DecisionPolicy::Create("ns3::odcn::OdcnBestFitPolicy")->Decide(*system.problem), 1U);
    EXPECT_EQ(DecisionPolicy::Create("ns3::odcn::OdcnPackingPolicy")->Decide(*system.problem), 1U);
    EXPECT_EQ(system.problem->ViewCompute(0), 0.375F);
    EXPECT_FLOAT_EQ(system.problem->ViewCompute(1), 1 / 3.0F);
    system.problem->SetAttribute("ComputeState", StringValue("Server"));
    EXPECT_EQ(system.problem->ViewCompute(0), 0.375F);
    OdcnRackFeatures features;
    features.Begin(*system.problem);
    OdcnRackFeatures::Row row;
    features.Describe(*system.problem, 0, row);
    EXPECT_EQ(row[OdcnRackFeatures::FREE_CORES], 0.5F);
    EXPECT_EQ(row[OdcnRackFeatures::LARGE_SLOTS], 0.5F) << "1 of 2";
    features.Describe(*system.problem, 1, row);
    EXPECT_EQ(row[OdcnRackFeatures::FREE_CORES], 0.375F);
    EXPECT_FLOAT_EQ(row[OdcnRackFeatures::LARGE_SLOTS], 2 / 6.0F);
    EXPECT_FLOAT_EQ(row[OdcnRackFeatures::STRANDED], 4 / 96.0F);
}

TEST(CcfPolicy, MostCoresAreOfNoUseWithoutAServer)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy");
    // Rack 0 has 2 x 15 cores left, rack 1 only 16, in one server.
    TestSystem system(2, 2, TEST_SERVER);
    system.Start({TestJob(1, 99, {Cores(17), Cores(17)}),
                  TestJob(1, 99, {Cores(32), Cores(16)}),
                  Job({Cores(16)})});
    system.Act({0, 0, 1, 1});
    EXPECT_EQ(policy->Decide(*system.problem), 1U);
}

TEST(CcfPolicy, LooksAtNoBandwidth)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy");
    // After 16 cores, rack 0 cannot take 20 more; rack 1 has most, though 0 -> 1 is full.
    auto system = Situation(1,
                            {1, 2, 3},
                            {{0, 1, 40 * TEST_GBPS}},
                            Job({Cores(16), Cores(20)}, {{0, 1, 5 * TEST_GBPS}}));
    EXPECT_EQ(Choices(system, *policy), (std::vector<RackId>{0, 1}));
}

TEST(JcbPolicy, StaysWhileServerAndBandwidthAreThere)
{
    auto policy = CreateObject<OdcnJcbPolicy>();
    // No traffic anywhere: as CCF.
    auto system =
        Situation(2,
                  {12, 4, 8},
                  {},
                  Job(std::vector<OdcnResources>(5, Cores(16)), {{0, 1, 30 * TEST_GBPS}}));
    EXPECT_EQ(Choices(system, *policy), (std::vector<RackId>{1, 1, 1, 2, 2}));
}

TEST(JcbPolicy, GoesWhereTheDemandsAreMet)
{
    auto policy = CreateObject<OdcnJcbPolicy>();
    // As in CcfPolicy.LooksAtNoBandwidth, but rack 2 is reached by a free circuit.
    auto system = Situation(1,
                            {1, 2, 3},
                            {{0, 1, 36 * TEST_GBPS}},
                            Job({Cores(16), Cores(20)}, {{0, 1, 5 * TEST_GBPS}}));
    system.problem->Act(0);
    EXPECT_EQ(policy->Decide(*system.problem), 2U);
    // Taken together, rack 1 can receive 44 Gb/s more, which suffices in sum. Its score: 10 / 32 of
    // the cores and 39 / 80 of the incoming bandwidth, against 9 / 32 and 75 / 80.
    policy->SetAttribute("Bandwidth", StringValue("Aggregate"));
    EXPECT_EQ(policy->Decide(*system.problem), 2U);
}

TEST(JcbPolicy, SeesBandwidthByItsAttribute)
{
    auto policy = CreateObject<OdcnJcbPolicy>();
    // 0 -> 1 has 4 Gb/s left, too little for 5; but rack 1 has far more cores than rack 2.
    const OdcnJob job = Job({Cores(16), Cores(4)}, {{0, 1, 5 * TEST_GBPS}});
    auto system = Situation(1, {15, 1, 27}, {{0, 1, 36 * TEST_GBPS}}, job);
    system.problem->Act(0);
    // Per link: rack 2 alone. Together: 27 / 32 + 39 / 80 = 1.33 against 1 / 32 + 75 / 80 = 0.97.
    EXPECT_EQ(policy->Decide(*system.problem), 2U);
    policy->SetAttribute("Bandwidth", StringValue("Aggregate"));
    EXPECT_EQ(policy->Decide(*system.problem), 1U);
}

TEST(JcbPolicy, WeighsCoresAgainstBandwidth)
{
    auto policy = CreateObject<OdcnJcbPolicy>();
    // First VM. Cores left after it: 24, 20, 16 of 32. Bandwidth left: 10 / 40 of 0 -> 1 at racks 0
    // and 1, all at rack 2: 1.0, 0.875, 1.5.
    auto system = Situation(1, {4, 8, 12}, {{0, 1, 30 * TEST_GBPS}}, Job({Cores(4)}));
    EXPECT_EQ(policy->Decide(*system.problem), 2U);
    // Less traffic, 36 / 40 left: 1.65, 1.525, 1.5.
    auto quiet = Situation(1, {4, 8, 12}, {{0, 1, 4 * TEST_GBPS}}, Job({Cores(4)}));
    EXPECT_EQ(policy->Decide(*quiet.problem), 0U);
}

TEST(JcbPolicy, LeavesTheRackWhenBandwidthFails)
{
    auto policy = CreateObject<OdcnJcbPolicy>();
    // VM 0 in rack 0, VM 1 in rack 1; VM 2 cannot stay there as VM 0 sends it more than 0 -> 1 has.
    auto system = Situation(2,
                            {4, 4, 4},
                            {{0, 1, 36 * TEST_GBPS}},
                            Job({Cores(16), Cores(16), Cores(16)}, {{0, 2, 5 * TEST_GBPS}}));
    system.Act({0, 1});
    EXPECT_EQ(policy->Decide(*system.problem), 2U);
}

TEST(JcbPolicy, TakesAServerWhereNoRackMeetsTheDemands)
{
    auto policy = CreateObject<OdcnJcbPolicy>();
    auto system =
        Situation(1, {12, 8, 4}, {}, Job({Cores(20), Cores(4)}, {{0, 1, 41 * TEST_GBPS}}));
    system.problem->Act(0);
    EXPECT_EQ(policy->Decide(*system.problem), 2U);
}

TEST(BestFitPolicy, TakesTheFullestRackThatHasBoth)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnBestFitPolicy");
    auto system = Situation(2, {12, 28, 20}, {}, Job({Cores(16)}));
    EXPECT_EQ(policy->Decide(*system.problem), 1U);
    // Rack 1 is fullest, but 0 -> 1 is too full.
    auto busy = Situation(2,
                          {30, 28, 20},
                          {{0, 1, 36 * TEST_GBPS}},
                          Job({Cores(32), Cores(4)}, {{0, 1, 5 * TEST_GBPS}}));
    busy.problem->Act(0);
    // Rack 0 has 2 cores left.
    EXPECT_EQ(policy->Decide(*busy.problem), 2U);
}

TEST(BestFitPolicy, FullIsTheScarcestResource)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnBestFitPolicy");
    TestSystem system(3, 1, TEST_SERVER);
    system.Start({TestJob(1,
                          99,
                          {OdcnResources::Of(8, 1, 1),
                           OdcnResources::Of(4, 200, 1),
                           OdcnResources::Of(4, 1, 2000)}),
                  Job({Cores(2)})});
    system.Act({0, 1, 2});
    // Least fractions: 22 / 32 cores, 55 / 256 of memory, 1583 / 3584 of disk.
    EXPECT_EQ(policy->Decide(*system.problem), 1U);
}

TEST(BestFitPolicy, TakesTheFullestServerWhereNoRackMeetsTheDemands)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnBestFitPolicy");
    auto system =
        Situation(1, {12, 4, 8}, {}, Job({Cores(20), Cores(4)}, {{0, 1, 41 * TEST_GBPS}}));
    system.problem->Act(0);
    EXPECT_EQ(policy->Decide(*system.problem), 2U);
}

/// @param weights of a score, those not named 0  @return the rule
Ptr<DecisionPolicy>
Score(const std::map<std::string, double>& weights)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnScorePolicy");
    for (const char* name : {"RackLoad", "Backlog", "Kept", "Hard", "Stay", "Room", "Fill", "Lost"})
    {
        const auto weight = weights.find(name);
        policy->SetAttribute(std::string(name) + "Weight",
                             DoubleValue(weight == weights.end() ? 0 : weight->second));
    }
    return policy;
}

TEST(ScorePolicy, PacksByCoresAlone)
{
    auto system = Situation(2, {4, 12, 8}, {}, Job({Cores(16)}));
    EXPECT_EQ(Score({})->Decide(*system.problem), 1U);
}

TEST(ScorePolicy, WeighsWhatASmallVmSpoils)
{
    // Rack 0 is the fullest and has an empty server; rack 1 has two of 15 cores left.
    TestSystem system(3, 2, TEST_SERVER);
    system.problem->SetAttribute("SlotVms", StringValue("16:1:1"));
    system.Start({TestJob(1, 99, {Cores(32), Cores(4)}),
                  TestJob(1, 99, {Cores(17), Cores(17)}),
                  Job({Cores(4)})});
    system.Act({0, 0, 1, 1});
    EXPECT_EQ(Score({})->Decide(*system.problem), 0U);
    // 28 and 30 of 64 cores are free: 1/32 more at rack 1. Rack 0 keeps its one large slot.
    EXPECT_EQ(Score({{"Lost", 0.1}})->Decide(*system.problem), 0U);
    EXPECT_EQ(Score({{"Fill", 0.04}})->Decide(*system.problem), 1U);
    EXPECT_EQ(Score({{"Fill", 0.02}})->Decide(*system.problem), 0U);
}

TEST(ScorePolicy, StaysWhereTheJobIs)
{
    auto system = Situation(
        2,
        {4, 28, 8},
        {},
        Job({Cores(16), Cores(16), Cores(4)}, {{0, 1, 6 * TEST_GBPS}, {1, 2, 6 * TEST_GBPS}}));
    system.problem->Act(0);
    // Rack 0 has 44 of 64 cores free, rack 1 has 36.
    EXPECT_EQ(Score({})->Decide(*system.problem), 1U);
    EXPECT_EQ(Score({{"Kept", 0.1}})->Decide(*system.problem), 1U);
    EXPECT_EQ(Score({{"Kept", 0.15}})->Decide(*system.problem), 0U);
    EXPECT_EQ(Score({{"Backlog", 9}})->Decide(*system.problem), 0U);
    system.problem->Act(2);
    EXPECT_EQ(Score({{"Stay", 9}})->Decide(*system.problem), 1U) << "small VMs go where they fit";
}

TEST(ScorePolicy, LargeVmsStay)
{
    TestSystem system(3, 2, TEST_SERVER);
    system.problem->SetAttribute("SlotVms", StringValue("16:1:1"));
    system.Start({TestJob(1, 99, {Cores(4), Cores(28), Cores(8)}),
                  Job(std::vector<OdcnResources>(4, Cores(16)))});
    system.Act({0, 1, 2, 0});
    EXPECT_EQ(Score({{"Stay", 0.1}})->Decide(*system.problem), 1U);
    EXPECT_EQ(Score({{"Stay", 0.15}})->Decide(*system.problem), 0U);
    // Two of the next three fit in rack 0 or rack 1, all three in rack 2.
    EXPECT_EQ(Score({{"Room", 1}})->Decide(*system.problem), 2U);
    EXPECT_EQ(Score({{"Room", 0.5}})->Decide(*system.problem), 1U);
}

TEST(ScorePolicy, RefusesRatherThanMoveCircuits)
{
    // No bandwidth from rack 0 to racks 1 and 2; rack 0 itself is full.
    auto system = Situation(1,
                            {16, 4, 4},
                            {{0, 1, 36 * TEST_GBPS}, {0, 2, 36 * TEST_GBPS}},
                            Job({Cores(16), Cores(16)}, {{0, 1, 6 * TEST_GBPS}}));
    system.problem->Act(0);
    EXPECT_EQ(DecisionPolicy::Create("ns3::odcn::OdcnScorePolicy")->Decide(*system.problem), 0U);
}

TEST(PackingPolicy, SmallVmsGoFirstWhereNoLargeOneCan)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnPackingPolicy");
    // Rack 0 is fuller in sum, but one of its servers can take 16 cores; rack 2 has two holes
    // of 15.
    TestSystem system(3, 2, TEST_SERVER);
    system.Start({TestJob(1, 99, {Cores(32), Cores(16)}),
                  TestJob(1, 99, {Cores(17), Cores(17)}),
                  Job({Cores(16), Cores(4), Cores(4)})});
    system.Act({0, 0, 2, 2});
    EXPECT_EQ(policy->Decide(*system.problem), 0U) << "a large one to the fullest that takes it";
    system.problem->Act(1);
    EXPECT_EQ(policy->Decide(*system.problem), 2U) << "a small one into the holes";
    policy->SetAttribute("LargeCores", DoubleValue(4));
    EXPECT_EQ(policy->Decide(*system.problem), 1U) << "now it is large, and stays";
}

TEST(PackingPolicy, LargeVmsStayWhileTheRackServes)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnPackingPolicy");
    auto system =
        Situation(2,
                  {4, 12, 8},
                  {},
                  Job(std::vector<OdcnResources>(5, Cores(16)), {{0, 4, 30 * TEST_GBPS}}));
    // Rack 1 is the fullest; it takes three (20 and 32 cores in its servers), then rack 2.
    EXPECT_EQ(Choices(system, *policy), (std::vector<RackId>{1, 1, 1, 2, 2}));
}

TEST(PackingPolicy, WeighsBandwidthAgainstCores)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnPackingPolicy");
    // Free cores 26 and 25 of 32; bandwidth left 0.25 (0 -> 1) at racks 0 and 1, all at rack 2
    // with 24.
    const std::vector<double> cores{6, 9, 7};
    auto system = Situation(1, cores, {{0, 1, 30 * TEST_GBPS}}, Job({Cores(16)}));
    policy->SetAttribute("BandwidthWeight", DoubleValue(0));
    EXPECT_EQ(policy->Decide(*system.problem), 1U) << "cores alone";
    policy->SetAttribute("BandwidthWeight", DoubleValue(0.1));
    // 0.1 x (1 - 0.25) = 0.075 > 2 / 32 = 0.0625
    EXPECT_EQ(policy->Decide(*system.problem), 2U);
    policy->SetAttribute("BandwidthWeight", DoubleValue(0.08));
    EXPECT_EQ(policy->Decide(*system.problem), 1U) << "0.06 is less than 2 / 32";
}

TEST(PackingPolicy, LeavesTheRackWhenBandwidthFails)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnPackingPolicy");
    policy->SetAttribute("BandwidthWeight", DoubleValue(0.1));
    // VM 0 in rack 0, VM 1 in rack 1; VM 2 cannot stay there as VM 0 sends it more than 0 -> 1 has.
    auto system = Situation(2,
                            {4, 4, 4},
                            {{0, 1, 36 * TEST_GBPS}},
                            Job({Cores(16), Cores(16), Cores(16)}, {{0, 2, 5 * TEST_GBPS}}));
    system.Act({0, 1});
    EXPECT_EQ(policy->Decide(*system.problem), 0U) << "as full as rack 1, and needs no circuit";
}

TEST(PackingPolicy, TakesAServerWhereNoRackMeetsTheDemands)
{
    auto policy = DecisionPolicy::Create("ns3::odcn::OdcnPackingPolicy");
    auto system =
        Situation(1, {12, 4, 8}, {}, Job({Cores(20), Cores(16)}, {{0, 1, 41 * TEST_GBPS}}));
    system.problem->Act(0);
    EXPECT_EQ(policy->Decide(*system.problem), 2U);
}

namespace
{

/// Another system.
const std::string TOY = "ns3::odcn::Toy";
const std::string SCORE = "ns3::odcn::OdcnScorePolicy";
const std::string AGENT = "ns3::odcn::AgentPolicy";

/// @param text a policy of the toy  @return the policy
PolicyChoice
FindToy(const std::string& text)
{
    PolicyRegistry::Add(TOY, {"fill", "fills", SCORE + "[StayWeight=0]", {{"Level", "1"}}});
    PolicyRegistry::Add(TOY, {"agent", "learns", AGENT, {{"Level", "2"}}});
    return PolicyRegistry::Find(TOY, text);
}

/// @param text a policy  @return the error
std::string
WhyNot(const std::string& text)
{
    return GetRefusal([&] { FindToy(text); });
}

} // namespace

TEST(PolicyRegistry, ShortNamesAndTypeIds)
{
    EXPECT_EQ(FindToy("fill").words, SCORE + "[StayWeight=0]");
    EXPECT_EQ(FindToy("fill").title, "fills");
    EXPECT_EQ(FindToy("fill").settings.at("Level"), "1");
    // Known by name, with or without agents in this build.
    EXPECT_EQ(FindToy("agent").settings.at("Level"), "2");
    EXPECT_TRUE(FindToy("agent").IsTrained());
    const std::string words = SCORE + "[StayWeight=0|HardWeight=3]";
    const auto choice = FindToy(words);
    EXPECT_EQ(choice.name, words);
    EXPECT_EQ(choice.words, words);
    EXPECT_TRUE(choice.settings.empty());
    EXPECT_FALSE(choice.IsTrained());
    DoubleValue weight;
    choice.Create()->GetAttribute("HardWeight", weight);
    EXPECT_EQ(weight.Get(), 3);
    EXPECT_NE(DynamicCast<OdcnJcbPolicy>(DecisionPolicy::Create("ns3::odcn::OdcnJcbPolicy")),
              nullptr);
}

TEST(PolicyRegistry, SaysWhatWouldHaveBeenAccepted)
{
    const std::string type = "the TypeId name of a policy in this build (agents need LibTorch)";
    EXPECT_EQ(WhyNot("magic"), "policy: found 'magic', expected fill, agent, or " + type);
    EXPECT_EQ(WhyNot(""), "policy: found '', expected fill, agent, or " + type);
    // Neither a type that is not a policy nor one that cannot be created.
    for (const std::string name : {"ns3::odcn::OdcnScheduling", "ns3::odcn::DecisionPolicy"})
    {
        EXPECT_EQ(WhyNot(name), "policy: found '" + name + "', expected fill, agent, or " + type);
    }
    for (const std::string setting :
         {"Weight=1", "StayWeight=much", "StayWeight=", "StayWeight=1x"})
    {
        EXPECT_EQ(WhyNot(SCORE + "[" + setting + "]"),
                  "policy " + SCORE + ": found '" + setting +
                      "', expected an Attribute of it with a value in its range");
    }
    EXPECT_EQ(WhyNot(SCORE + "[StayWeight]"),
              "policy: found 'StayWeight', expected Attribute=value");
    EXPECT_EQ(WhyNot(SCORE + "[StayWeight=1"),
              "policy: found '" + SCORE + "[StayWeight=1', expected TypeId[Attribute=value|...]");
}

TEST(PolicyRegistry, PoliciesOfTheMainProgram)
{
    const std::string problem = "ns3::odcn::OdcnScheduling";
    EXPECT_EQ(PolicyRegistry::Find(problem, "all2all-ccf").settings.at("Reconfigurable"), "false");
    EXPECT_TRUE(PolicyRegistry::Find(problem, SCORE + "[HardWeight=3]").settings.empty());
    EXPECT_THROW(PolicyRegistry::Find(problem, "odcn"), OdcnError);
    for (const auto& choice : PolicyRegistry::Get(problem))
    {
        EXPECT_FALSE(choice.title.empty());
        if (!choice.IsTrained())
        {
            EXPECT_NE(choice.Create(), nullptr) << choice.name;
        }
    }
}

TEST(PolicyRegistry, ShortNamesTakeAttributes)
{
    const auto choice = FindToy("fill[HardWeight=3]");
    EXPECT_EQ(choice.name, "fill[HardWeight=3]");
    EXPECT_EQ(choice.words, SCORE + "[HardWeight=3|StayWeight=0]");
    EXPECT_EQ(choice.settings.at("Level"), "1");
    EXPECT_EQ(FindToy("fill[StayWeight=1]").words, SCORE + "[StayWeight=1]");
    EXPECT_EQ(WhyNot("fill[Weight=1]"),
              "policy " + SCORE +
                  ": found 'Weight=1', expected an Attribute of it with a value in its range");
    EXPECT_NE(WhyNot("fil[StayWeight=1]"), "");
}

TEST(PolicyRegistry, TrainedPoliciesHaveAFile)
{
    const std::string file =
        testing::TempDir() + "odcn-policy-choice-" + std::to_string(::getpid()) + ".pt";
    std::ofstream(file) << "an agent";
    auto rule = FindToy("fill");
    rule.SetFile("absent");
    EXPECT_EQ(rule.words, SCORE + "[StayWeight=0]");
    EXPECT_EQ(rule.GetFile(), "");
    auto agent = FindToy("agent");
    agent.SetFile(file);
    EXPECT_EQ(agent.words, AGENT + "[Checkpoint=" + file + "]");
    EXPECT_EQ(agent.GetFile(), file);
    EXPECT_EQ(agent.GetForm(), AGENT);
    EXPECT_EQ(FindToy(file).words, agent.words) << "a file alone";
    // The system's own name has precedence.
    agent.words = AGENT + "[Greedy=0|Checkpoint=" + file + "]";
    agent.SetFile("absent");
    EXPECT_EQ(agent.words, AGENT + "[Checkpoint=" + file + "|Greedy=0]");
    std::filesystem::remove(file);
    EXPECT_THROW(agent.SetFile(""), OdcnError);
}
