// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The rules in situations with a known right answer: three racks of servers of 32 cores, circuits
 * of 40 Gb/s.
 */

#include "../core/odcn-folder-test.h"
#include "odcn-stub-problem.h"
#include "odcn-test-system.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-jcb-policy.h"
#include "ns3/odcn-policy-registry.h"

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

/// @param vms of a job
/// @param demands between them
/// @return the job
OdcnJob
Job(const std::vector<OdcnResources>& vms, const std::vector<OdcnDemand>& demands = {})
{
    return TestJob(2, 10, vms, demands);
}

/// @param name of a rule without "Odcn", and its Attributes
/// @return the rule
Ptr<DecisionPolicy>
MakeOdcnRule(const std::string& name)
{
    return DecisionPolicy::Create("ns3::odcn::Odcn" + name);
}

/// @param weights of a score, those not named 0
/// @return the rule's name and Attributes
std::string
Weighted(const std::map<std::string, double>& weights)
{
    std::string text;
    for (const char* name : {"RackLoad", "Backlog", "Kept", "Hard", "Stay", "Room", "Fill", "Lost"})
    {
        const auto weight = weights.find(name);
        text += std::string(text.empty() ? "ScorePolicy[" : "|") + name +
                "Weight=" + std::to_string(weight == weights.end() ? 0 : weight->second);
    }
    return text + "]";
}

/// @param weights of a score, those not named 0
/// @return the rule
Ptr<DecisionPolicy>
Score(const std::map<std::string, double>& weights)
{
    return MakeOdcnRule(Weighted(weights));
}

/// A decision problem that no rule supports.
class Coin : public StubProblem
{
  public:
    Coin()
        : StubProblem(2, {1})
    {
    }

    void Act(uint32_t) override
    {
        m_rewards.push_back(0);
    }
};

/// Any rule, by TypeId name.
class AnyRule : public testing::TestWithParam<std::string>
{
  protected:
    /// @return the rule
    static Ptr<DecisionPolicy> Make()
    {
        return MakeOdcnRule(GetParam() + "Policy");
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
    system.Run(3000, *policy);
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

namespace
{

/// Traffic in Gb/s, between racks or between VMs.
using Volumes = std::vector<std::array<uint32_t, 3>>;

/// @param traffic any
/// @return it as demands
std::vector<OdcnDemand>
Demands(const Volumes& traffic)
{
    std::vector<OdcnDemand> demands;
    for (const auto& [from, to, gbps] : traffic)
    {
        demands.push_back({from, to, gbps * TEST_GBPS});
    }
    return demands;
}

/// What a rule decides in a situation of three racks.
struct Decision
{
    std::string rule;             //!< without "Odcn", and its Attributes
    uint32_t servers;             //!< in each rack
    std::vector<double> cores;    //!< in use, by rack; one VM each
    Volumes used;                 //!< bandwidth in use between racks
    std::vector<double> vms;      //!< cores of the job's VMs
    Volumes demands;              //!< between them
    std::vector<RackId> placed;   //!< racks of the first VMs
    std::vector<RackId> expected; //!< choices for the next ones
};

} // namespace

TEST(Rules, DecideAsWorkedByHand)
{
    const std::vector<double> five(5, 16);
    const Volumes third{{0, 1, 30}};
    const Volumes most{{0, 1, 36}};
    const Volumes few{{0, 1, 5}};
    const Volumes ring{{0, 1, 6}, {1, 2, 6}};
    const std::string aggregate = "JcbPolicy[Bandwidth=Aggregate]";
    const std::vector<Decision> table{
        // Free cores 52, 60, 56: rack 1 for three VMs of 16 (two servers, one of 28 cores: 3 fit),
        // then rack 2, which then has most.
        {"CcfPolicy", 2, {12, 4, 8}, {}, five, {}, {}, {1, 1, 1, 2, 2}},
        // After 16 cores, rack 0 cannot take 20 more; rack 1 has most, though 0 -> 1 is full.
        {"CcfPolicy", 1, {1, 2, 3}, {{0, 1, 40}}, {16, 20}, few, {}, {0, 1}},
        // No traffic anywhere: as CCF.
        {"JcbPolicy", 2, {12, 4, 8}, {}, five, {{0, 1, 30}}, {}, {1, 1, 1, 2, 2}},
        // As the second, but rack 2 is reached by a free circuit.
        {"JcbPolicy", 1, {1, 2, 3}, most, {16, 20}, few, {0}, {2}},
        // Taken together, rack 1 can receive 44 Gb/s more, which suffices in sum. Its score: 10 /
        // 32 of the cores and 39 / 80 of the incoming bandwidth, against 9 / 32 and 75 / 80.
        {aggregate, 1, {1, 2, 3}, most, {16, 20}, few, {0}, {2}},
        // 0 -> 1 has 4 Gb/s left, too little for 5; but rack 1 has far more cores than rack 2. Per
        // link: rack 2 alone. Together: 27 / 32 + 39 / 80 = 1.33 against 1 / 32 + 75 / 80 = 0.97.
        {"JcbPolicy", 1, {15, 1, 27}, most, {16, 4}, few, {0}, {2}},
        {aggregate, 1, {15, 1, 27}, most, {16, 4}, few, {0}, {1}},
        // First VM. Cores left after it: 24, 20, 16 of 32. Bandwidth left: 10 / 40 of 0 -> 1 at
        // racks 0 and 1, all at rack 2: 1.0, 0.875, 1.5.
        {"JcbPolicy", 1, {4, 8, 12}, third, {4}, {}, {}, {2}},
        // Less traffic, 36 / 40 left: 1.65, 1.525, 1.5.
        {"JcbPolicy", 1, {4, 8, 12}, {{0, 1, 4}}, {4}, {}, {}, {0}},
        // VM 2 cannot stay in rack 1 as VM 0 sends it more than 0 -> 1 has.
        {"JcbPolicy", 2, {4, 4, 4}, most, {16, 16, 16}, {{0, 2, 5}}, {0, 1}, {2}},
        // No rack meets the demands.
        {"JcbPolicy", 1, {12, 8, 4}, {}, {20, 4}, {{0, 1, 41}}, {0}, {2}},
        // The fullest rack that has both. Then rack 1 is fullest, but 0 -> 1 is too full, and rack
        // 0 has 2 cores left.
        {"BestFitPolicy", 2, {12, 28, 20}, {}, {16}, {}, {}, {1}},
        {"BestFitPolicy", 2, {30, 28, 20}, most, {32, 4}, few, {0}, {2}},
        // The fullest server where no rack meets the demands.
        {"BestFitPolicy", 1, {12, 4, 8}, {}, {20, 4}, {{0, 1, 41}}, {0}, {2}},
        // A score packs by cores alone.
        {Weighted({}), 2, {4, 12, 8}, {}, {16}, {}, {}, {1}},
        // Rack 0 has 44 of 64 cores free, rack 1 has 36.
        {Weighted({}), 2, {4, 28, 8}, {}, {16, 16, 4}, ring, {0}, {1}},
        {Weighted({{"Kept", 0.1}}), 2, {4, 28, 8}, {}, {16, 16, 4}, ring, {0}, {1}},
        {Weighted({{"Kept", 0.15}}), 2, {4, 28, 8}, {}, {16, 16, 4}, ring, {0}, {0}},
        {Weighted({{"Backlog", 9}}), 2, {4, 28, 8}, {}, {16, 16, 4}, ring, {0}, {0}},
        // Small VMs go where they fit.
        {Weighted({{"Stay", 9}}), 2, {4, 28, 8}, {}, {16, 16, 4}, ring, {0, 2}, {1}},
        // No bandwidth from rack 0 to racks 1 and 2; rack 0 itself is full. It refuses rather than
        // move circuits.
        {"ScorePolicy", 1, {16, 4, 4}, {{0, 1, 36}, {0, 2, 36}}, {16, 16}, {{0, 1, 6}}, {0}, {0}},
        // Rack 1 is the fullest; it takes three (20 and 32 cores in its servers), then rack 2.
        {"PackingPolicy", 2, {4, 12, 8}, {}, five, {{0, 4, 30}}, {}, {1, 1, 1, 2, 2}},
        // Free cores 26 and 25 of 32; bandwidth left 0.25 (0 -> 1) at racks 0 and 1, all at rack 2
        // with 24. By cores alone, with 0.1 x (1 - 0.25) = 0.075 > 2 / 32 = 0.0625, and with 0.06.
        {"PackingPolicy[BandwidthWeight=0]", 1, {6, 9, 7}, third, {16}, {}, {}, {1}},
        {"PackingPolicy[BandwidthWeight=0.1]", 1, {6, 9, 7}, third, {16}, {}, {}, {2}},
        {"PackingPolicy[BandwidthWeight=0.08]", 1, {6, 9, 7}, third, {16}, {}, {}, {1}},
        // VM 2 cannot stay in rack 1; rack 0 is as full as rack 1, and needs no circuit.
        {"PackingPolicy[BandwidthWeight=0.1]",
         2,
         {4, 4, 4},
         most,
         {16, 16, 16},
         {{0, 2, 5}},
         {0, 1},
         {0}},
        // No rack meets the demands.
        {"PackingPolicy", 1, {12, 4, 8}, {}, {20, 16}, {{0, 1, 41}}, {0}, {2}},
    };
    for (std::size_t row = 0; row < table.size(); ++row)
    {
        const Decision& d = table[row];
        SCOPED_TRACE("row " + std::to_string(row) + ": " + d.rule);
        std::vector<OdcnResources> vms(d.vms.size());
        std::transform(d.vms.begin(), d.vms.end(), vms.begin(), Cores);
        auto policy = MakeOdcnRule(d.rule);
        auto system = Situation(d.servers, d.cores, Demands(d.used), Job(vms, Demands(d.demands)));
        system.Act(d.placed);
        for (std::size_t k = 0; k < d.expected.size(); ++k)
        {
            EXPECT_EQ(policy->Decide(*system.problem), d.expected[k]) << "VM " << k;
            if (k + 1 < d.expected.size())
            {
                system.problem->Act(d.expected[k]);
            }
        }
    }
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
    EXPECT_EQ(MakeOdcnRule("CcfPolicy")->Decide(*system.problem), 1U) << "36 free cores";
    // With the VM, 12 of 32 cores stay free in rack 0 and 32 of 96 in rack 1.
    EXPECT_EQ(CreateObject<OdcnJcbPolicy>()->Decide(*system.problem), 0U);
    EXPECT_EQ(MakeOdcnRule("BestFitPolicy")->Decide(*system.problem), 1U);
    EXPECT_EQ(MakeOdcnRule("PackingPolicy")->Decide(*system.problem), 1U);
    EXPECT_EQ(system.problem->GetViews().GetCompute(0), 0.375F);
    EXPECT_FLOAT_EQ(system.problem->GetViews().GetCompute(1), 1 / 3.0F);
    system.problem->SetAttribute("ComputeState", StringValue("Server"));
    EXPECT_EQ(system.problem->GetViews().GetCompute(0), 0.375F);
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

TEST(LookaheadPolicy, ChangesTheFirstRackOfJobsThatWouldBeLost)
{
    // Rack 0 has one server, and no circuit carries what the VMs of the first job send.
    TestSystem system(3, 2, TEST_SERVER);
    system.Set("ServersByRack=1,2*2");
    const auto pair = [](double gbps) {
        return Job({Cores(32), Cores(32)}, {{0, 1, static_cast<BitRate>(gbps * 1e9)}});
    };
    system.Start({pair(50), pair(8), pair(50)});
    auto ahead = DecisionPolicy::Create("LookaheadPolicy[Policy=first-fit]");
    ahead->Configure(*system.problem);
    auto plain = DecisionPolicy::Create("FirstFitPolicy");
    EXPECT_EQ(plain->Decide(*system.problem), 0U);
    EXPECT_EQ(ahead->Decide(*system.problem), 1U) << "the first of two that are equally good";
    EXPECT_EQ(ahead->Decide(*system.problem), 0U) << "a second decision is that of the policy";
    ahead->Reset();
    EXPECT_EQ(system.problem->RunJob(*ahead), OdcnOutcome::ACCEPTED);
    EXPECT_EQ(system.manager->GetServers().GetRackFree(1).Cores(), 0);
    // This one would not be lost.
    EXPECT_EQ(ahead->Decide(*system.problem), 0U);
    EXPECT_EQ(system.problem->RunJob(*ahead), OdcnOutcome::ACCEPTED);
    // Only one server is left, so nothing can be done.
    EXPECT_EQ(ahead->Decide(*system.problem), 2U);
    EXPECT_EQ(system.problem->RunJob(*ahead), OdcnOutcome::BLOCKED_COMPUTE);
}

TEST(LookaheadPolicy, TakesThePlanOfTheLargestReward)
{
    TestSystem system(3, 2, TEST_SERVER);
    system.Set("ServersByRack=1,2*2");
    system.Start({Job({Cores(32), Cores(32)}, {{0, 1, 50 * TEST_GBPS}})});
    // One's own reward sees the copies, too, and is not seen by the problem itself.
    int seen = 0;
    system.problem->SetReward(
        [&](const DecisionOutcome& outcome, std::span<float> rewards)
        {
            rewards.back() = static_cast<float>(++seen);
            EXPECT_EQ(outcome.decisions, 2U);
        });
    auto ahead = DecisionPolicy::Create("LookaheadPolicy[Policy=first-fit]");
    ahead->Configure(*system.problem);
    EXPECT_EQ(ahead->Decide(*system.problem), 2U) << "the last plan has the largest reward";
    EXPECT_EQ(seen, 3);
    EXPECT_TRUE(system.Rewards().empty());
    EXPECT_EQ(system.problem->GetNDecided(), 0U);
}

TEST(LookaheadPolicy, BlocksFewerJobsThanThePolicy)
{
    std::map<std::string, double> blocked;
    for (const std::string words : {"odcn-score", "LookaheadPolicy[Policy=odcn-score]"})
    {
        TestSystem system(6, 8, TEST_SERVER);
        auto generator = TestGenerator(9, 3);
        generator->SetAttribute("Pattern", StringValue("star"));
        system.Set("State=Placement");
        auto policy = DecisionPolicy::Create(words);
        policy->Configure(*system.problem);
        system.Start(generator);
        system.Run(1500, *policy);
        blocked[words] = system.problem->GetScore();
    }
    EXPECT_GT(blocked["odcn-score"], 0.05);
    EXPECT_LT(blocked["LookaheadPolicy[Policy=odcn-score]"], blocked["odcn-score"] - 0.02);
}

TEST(LookaheadPolicy, SaysWhatIsWrong)
{
    TestSystem system(3, 2, TEST_SERVER);
    system.Start({Job({Cores(1)})});
    EXPECT_REFUSAL(DecisionPolicy::Create("LookaheadPolicy")->Configure(*system.problem),
                   "the Attribute Policy names no policy");
    EXPECT_REFUSAL(
        DecisionPolicy::Create("LookaheadPolicy[Policy=nobody]")->Configure(*system.problem),
        "found 'nobody'");
    EXPECT_REFUSAL(
        DecisionPolicy::Create("LookaheadPolicy[Policy=odcn-jcb]")->Decide(*system.problem),
        "Configure() first");
    Coin stub;
    auto ahead = DecisionPolicy::Create("LookaheadPolicy[Policy=RandomPolicy]");
    ahead->Configure(stub);
    EXPECT_REFUSAL(ahead->Decide(stub), "cannot be copied");
}

TEST(CcfPolicy, MostCoresAreOfNoUseWithoutAServer)
{
    auto policy = MakeOdcnRule("CcfPolicy");
    // Rack 0 has 2 x 15 cores left, rack 1 only 16, in one server.
    TestSystem system(2, 2, TEST_SERVER);
    system.Start({TestJob(1, 99, {Cores(17), Cores(17)}),
                  TestJob(1, 99, {Cores(32), Cores(16)}),
                  Job({Cores(16)})});
    system.Act({0, 0, 1, 1});
    EXPECT_EQ(policy->Decide(*system.problem), 1U);
}

TEST(BestFitPolicy, FullIsTheScarcestResource)
{
    auto policy = MakeOdcnRule("BestFitPolicy");
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

TEST(PackingPolicy, SmallVmsGoFirstWhereNoLargeOneCan)
{
    auto policy = MakeOdcnRule("PackingPolicy");
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
    static const PolicyRegistration TOYS{
        TOY,
        {{"fill", "fills", SCORE + "[StayWeight=0]", {{"Level", "1"}}},
         {"agent", "learns", AGENT, {{"Level", "2"}}}}};
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
    EXPECT_NE(DynamicCast<OdcnJcbPolicy>(MakeOdcnRule("JcbPolicy")), nullptr);
}

TEST(PolicyRegistry, RefusesANameTwice)
{
    const auto before = FindToy("fill").words;
    EXPECT_EQ(GetRefusal(
                  [] {
                      PolicyRegistry::Add(TOY, {"fill", "another", SCORE, {}});
                  }),
              "policy fill: ns3::odcn::Toy has a policy of this name already");
    EXPECT_EQ(FindToy("fill").words, before);
}

TEST(PolicyRegistry, SaysWhatWouldHaveBeenAccepted)
{
    const std::string type = "the TypeId name of a policy in this build (agents need LibTorch)";
    EXPECT_EQ(WhyNot("magic"), "policy: found 'magic', expected fill, agent or " + type);
    EXPECT_EQ(WhyNot(""), "policy: found '', expected fill, agent or " + type);
    EXPECT_EQ(WhyNot("fil"),
              "policy: found 'fil', expected fill, agent or " + type + "; did you mean fill?");
    // Neither a type that is not a policy nor one that cannot be created.
    for (const std::string name : {"ns3::odcn::OdcnScheduling", "ns3::odcn::DecisionPolicy"})
    {
        EXPECT_EQ(WhyNot(name), "policy: found '" + name + "', expected fill, agent or " + type);
    }
    for (const std::string setting : {"StayWeight=much", "StayWeight=", "StayWeight=1x"})
    {
        EXPECT_EQ(WhyNot(SCORE + "[" + setting + "]"),
                  "policy " + SCORE + ": found '" + setting + "', expected a number");
    }
    EXPECT_EQ(
        WhyNot(SCORE + "[StayWieght=1]"),
        "policy " + SCORE +
            ": found 'StayWieght=1', expected one of its Attributes; did you mean StayWeight?");
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

TEST(PolicyRegistry, NamesAreTheSameForAllThatCreate)
{
    EXPECT_NE(DynamicCast<OdcnJcbPolicy>(DecisionPolicy::Create("odcn-jcb")), nullptr);
    EXPECT_NE(DynamicCast<OdcnJcbPolicy>(DecisionPolicy::Create("OdcnJcbPolicy")), nullptr);
    const auto score = DecisionPolicy::Create("odcn-score[HardWeight=3]");
    EXPECT_EQ(GetAttributeOf<DoubleValue>(*score, "HardWeight"), 3);
    const std::string problem = "ns3::odcn::OdcnScheduling";
    EXPECT_EQ(PolicyRegistry::Find(problem, "OdcnScorePolicy[HardWeight=3]").words,
              SCORE + "[HardWeight=3]");
    // Its settings are those of a problem, and this name is a rule of its own in each problem.
    EXPECT_REFUSAL(DecisionPolicy::Create("all2all-ccf"),
                   "policy all2all-ccf: depends on the problem");
    EXPECT_REFUSAL(DecisionPolicy::Create("random"), "ns3::odcn::ClusterScheduling");
    // A type without any Attribute, its parents included.
    EXPECT_REFUSAL(
        DecisionPolicy::Create("odcn-ccf[Foo=1]"),
        "policy ns3::odcn::OdcnCcfPolicy: found 'Foo=1', expected one of its Attributes");
    EXPECT_REFUSAL(DecisionPolicy::Create("odcn-jbc"), "did you mean odcn-jcb?");
    EXPECT_REFUSAL(DecisionPolicy::Create("OdcnJcbPolcy"), "did you mean OdcnJcbPolicy?");
}

TEST(PolicyRegistry, ShortNamesTakeAttributes)
{
    const auto choice = FindToy("fill[HardWeight=3]");
    EXPECT_EQ(choice.name, "fill[HardWeight=3]");
    EXPECT_EQ(choice.words, SCORE + "[HardWeight=3|StayWeight=0]");
    EXPECT_EQ(choice.settings.at("Level"), "1");
    EXPECT_EQ(FindToy("fill[StayWeight=1]").words, SCORE + "[StayWeight=1]");
    EXPECT_EQ(WhyNot("fill[Weight=1]"),
              "policy " + SCORE + ": found 'Weight=1', expected one of its Attributes");
    EXPECT_NE(WhyNot("fil[StayWeight=1]"), "");
}

TEST(PolicyRegistry, LookingAheadMakesNoRuleOfAnAgent)
{
    PolicyChoice choice;
    choice.words = "ns3::odcn::LookaheadPolicy[Policy=" + AGENT + "[Checkpoint=x.pt]]";
    EXPECT_TRUE(choice.IsTrained());
    choice.words = "ns3::odcn::LookaheadPolicy[Policy=" + SCORE + "[StayWeight=0]]";
    EXPECT_FALSE(choice.IsTrained());
}

TEST(PolicyRegistry, TrainedPoliciesHaveAFile)
{
    const TemporaryPath temporary("policy-choice", ".pt");
    const std::string& file = temporary.Write("an agent");
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
    std::remove(file.c_str());
    EXPECT_THROW(agent.SetFile(""), OdcnError);
}
