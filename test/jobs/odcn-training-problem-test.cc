// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-test-kit.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-training-bound.h"
#include "ns3/odcn-training-fluid.h"
#include "ns3/odcn-training-links.h"
#include "ns3/odcn-training-model.h"
#include "ns3/odcn-training-problem.h"

#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param call what is to be refused
/// @param word of the message
/// @return whether it is refused so
bool
IsRefused(const std::function<void()>& call, const std::string& word)
{
    return GetRefusal(call).find(word) != std::string::npos;
}

/// @param design its name
/// @param uplinks of each of 8 racks of 4 servers
/// @return its links
std::shared_ptr<const TrainingLinks>
MakeLinks(const std::string& design, uint32_t uplinks)
{
    FabricSize size;
    size.racks = 8;
    size.servers = 4;
    size.uplinks = uplinks;
    return std::make_shared<const TrainingLinks>(FabricDesign::Find(design, size), 0);
}

/// @param ranks in one ring
/// @param computation of an iteration
/// @param bytes of an all-reduce
/// @return what is known of the job, with links of 10 Gb/s without delay or headers
std::shared_ptr<const TrainingSketch>
MakeSketch(uint32_t ranks, Time computation, uint64_t bytes)
{
    TrainingJob job("ring", ranks);
    std::vector<uint32_t> all(ranks);
    std::iota(all.begin(), all.end(), 0);
    job.AddCommunicator("all", {all});
    TrainingProgram program;
    TrainingProgram::Operation compute;
    compute.duration = computation;
    const std::vector<uint32_t> first{program.Add(compute)};
    TrainingProgram::Operation reduce;
    reduce.kind = TrainingProgram::Kind::COLLECTIVE;
    reduce.bytes = bytes;
    program.Add(reduce, first);
    job.AddProgram(program, all);
    return std::make_shared<const TrainingSketch>(job,
                                                  Collective::Link{0, 1e10},
                                                  TrainingBound::GetAlgorithms());
}

} // namespace

TEST(TrainingLinks, AreTheCircuitsOfARing)
{
    const auto links = MakeLinks("torus", 2);
    EXPECT_EQ(links->GetNLinks(), 16U); // 8 racks, both ways round
    EXPECT_EQ(links->GetHops(0, 0), 0);
    EXPECT_EQ(links->GetHops(0, 7), 1);
    EXPECT_EQ(links->GetHops(6, 1), 3);
    EXPECT_EQ(links->GetHops(2, 6), 4);
    // Rank 0 sends 750 bytes each to rank 1 and so on: rings of 4, 2 x 3 / 4 of 1000 bytes.
    const auto sketch = MakeSketch(2, Time(0), 1000);
    const auto far = links->GetLoads(sketch->bytes, {0, 16});
    ASSERT_EQ(far.size(), 16U); // racks 0 and 4: half of the bytes take each way, both directions
    for (const auto& [link, bytes] : far)
    {
        EXPECT_EQ(bytes, 500);
    }
    const auto near = links->GetLoads(sketch->bytes, {0, 4});
    ASSERT_EQ(near.size(), 2U);
    EXPECT_EQ(near[0].second, 1000);
    EXPECT_DOUBLE_EQ(links->GetTime(near), 1000 * 8 / 1e10);
    EXPECT_TRUE(links->GetLoads(sketch->bytes, {0, 3}).empty()) << "within a rack";
}

TEST(TrainingLinks, AreThoseOfOtherDesignsOrRefused)
{
    const auto sketch = MakeSketch(2, Time(0), 1000);
    EXPECT_EQ(MakeLinks("fat-tree", 4)->GetNLinks(), 0U);
    const auto clos = MakeLinks("clos-3:1", 4);
    EXPECT_EQ(clos->GetNLinks(), 16U); // up and down
    EXPECT_DOUBLE_EQ(clos->GetCapacity(0), 4.0 / 3 * 1e10 / 8);
    EXPECT_EQ(clos->GetLoads(sketch->bytes, {0, 4}).size(), 4U);
    // 4 uplinks take 7 or 8 matchings in turn, a tenth of the time dark.
    const auto rotor = MakeLinks("rotornet-direct", 4);
    EXPECT_EQ(rotor->GetNLinks(), 56U);
    EXPECT_NEAR(rotor->GetCapacity(0), 0.9 * 4 / 8 * 1e10 / 8, 0.1e9);
    EXPECT_TRUE(IsRefused([] { MakeLinks("opera", 4); }, "design opera"));
    EXPECT_TRUE(IsRefused([] { MakeLinks("helios", 4); }, "design helios"));
}

TEST(TrainingFluid, GivesAJobItsTimeAlone)
{
    const auto links = MakeLinks("torus", 2);
    TrainingFluid fluid;
    fluid.SetLinks(links);
    // 4 ranks send 1.5 MB each, 1.2 ms at 10 Gb/s.
    const auto sketch = MakeSketch(4, MicroSeconds(700), 1'000'000);
    EXPECT_NEAR(sketch->computation, 0.0007, 1e-12);
    EXPECT_NEAR(sketch->communication, 0.0012, 1e-12);
    fluid.Start(5, sketch, links->GetLoads(sketch->bytes, {0, 1, 4, 5}), 3);
    EXPECT_EQ(fluid.Advance(0.001), TrainingFluid::NONE);
    EXPECT_EQ(fluid.GetNow(), 0.001);
    EXPECT_EQ(fluid.Advance(1), 5U);
    EXPECT_NEAR(fluid.GetNow(), 3 * 0.0019, 1e-12);
    // Two racks apart on each way, two ranks a rack: one link carries the bytes of two ranks.
    fluid.Clear();
    fluid.Start(6, sketch, links->GetLoads(sketch->bytes, {0, 4, 1, 5}), 1);
    EXPECT_EQ(fluid.Advance(1), 6U);
    EXPECT_NEAR(fluid.GetNow(), 0.0007 + 2 * 0.0012, 1e-12);
}

TEST(TrainingFluid, SharesLinksByMaxMin)
{
    const auto links = MakeLinks("torus", 2);
    const auto sketch = MakeSketch(2, Time(0), 1'000'000); // 0.8 ms
    TrainingFluid fluid;
    fluid.SetLinks(links);
    const auto loads = links->GetLoads(sketch->bytes, {0, 4});
    // Two on one link take twice as long, but for the part when one is alone.
    fluid.Start(0, sketch, loads, 1);
    fluid.Start(1, sketch, loads, 2);
    EXPECT_EQ(fluid.Advance(1), 0U);
    EXPECT_NEAR(fluid.GetNow(), 0.0016, 1e-12);
    EXPECT_EQ(fluid.Advance(1), 1U);
    EXPECT_NEAR(fluid.GetNow(), 0.0024, 1e-12);
    // Three: one on links a and b, one on each. All of them get a half.
    fluid.Clear();
    fluid.Start(0, sketch, links->GetLoads(sketch->bytes, {0, 8}), 1);
    fluid.Start(1, sketch, loads, 1);
    fluid.Start(2, sketch, links->GetLoads(sketch->bytes, {5, 8}), 1);
    fluid.Advance(0.0001);
    for (const TrainingFluid::Job& job : fluid.GetJobs())
    {
        EXPECT_NEAR(job.rate, 0.5, 1e-12) << job.id;
    }
    // Where another job has left a link, its share goes to those that can use it.
    fluid.Clear();
    const auto small = MakeSketch(2, MilliSeconds(1), 1'000'000);
    fluid.Start(0, sketch, loads, 1);
    fluid.Start(1, small, loads, 1);
    EXPECT_EQ(fluid.Advance(1), 0U);
    EXPECT_NEAR(fluid.GetNow(), 0.0008, 1e-12) << "the other computes meanwhile";
}

TEST(TrainingFluid, EstimatesWhatItDoes)
{
    // Jobs that run for ever, in random places: estimated times beside those of the fluid.
    const auto links = MakeLinks("torus", 2);
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(3);
    double estimated = 0;
    double seen = 0;
    for (int run = 0; run < 40; ++run)
    {
        TrainingFluid fluid;
        fluid.SetLinks(links);
        std::vector<uint32_t> places(32);
        std::iota(places.begin(), places.end(), 0);
        for (uint32_t i = 31; i > 0; --i)
        {
            std::swap(places[i], places[random->GetInteger(0, i)]);
        }
        for (uint32_t job = 0; job < 5; ++job)
        {
            const auto sketch = MakeSketch(4,
                                           MicroSeconds(random->GetInteger(200, 3000)),
                                           random->GetInteger(100'000, 1'000'000));
            const auto begin = places.begin() + 4 * job;
            fluid.Start(job, sketch, links->GetLoads(sketch->bytes, {begin, begin + 4}), 100000);
        }
        std::vector<const TrainingFluid::Job*> jobs;
        for (const TrainingFluid::Job& job : fluid.GetJobs())
        {
            jobs.push_back(&job);
        }
        const std::vector<double> times = TrainingFluid::Estimate(*links, jobs);
        fluid.Advance(1);
        for (std::size_t job = 0; job < 5; ++job)
        {
            const TrainingFluid::Job& now = fluid.GetJobs()[job];
            const double own = 1.0 / (100000 - now.iterations);
            EXPECT_NEAR(times[job] / own, 1, 0.35) << "run " << run << ", job " << job;
            estimated += times[job];
            seen += own;
        }
    }
    EXPECT_NEAR(estimated / seen, 1, 0.05);
}

/// A problem with few jobs.
struct TrainingProblemTest : testing::Test
{
    Ptr<TrainingProblem> problem{CreateObject<TrainingProblem>()}; //!< the problem

    TrainingProblemTest()
    {
        problem->Set("Jobs", "30");
        problem->AssignStreams(7);
    }

    /// Let a policy decide an episode.
    /// @param policy by its name
    /// @return mean slowdown
    double Run(const std::string& policy)
    {
        const PolicyChoice choice = PolicyRegistry::Find(*problem, policy);
        const Ptr<DecisionPolicy> decider = choice.Create();
        choice.Configure(*problem, *decider);
        decider->AssignStreams(100);
        problem->AssignStreams(7);
        problem->Reset();
        std::vector<float> rewards;
        const EpisodeRun run = problem->RunEpisode(*decider, UINT64_MAX, nullptr, &rewards);
        EXPECT_TRUE(problem->IsDone());
        EXPECT_EQ(rewards.size(), run.decisions);
        EXPECT_EQ(problem->GetTally().accepted, 30U);
        const FigureValue slowdown = problem->MeasureFigures()[1];
        EXPECT_EQ(slowdown.count, 30);
        const double sum = std::accumulate(rewards.begin(), rewards.end(), 0.0);
        EXPECT_NEAR(-sum, slowdown.total, 1e-3 * slowdown.total) << policy;
        problem->Set("Sharing", "true");
        return slowdown.Get();
    }
};

TEST_F(TrainingProblemTest, RewardsAddUpAndNoPolicyIsBetterThanTheBound)
{
    const double bound = Run("bound");
    EXPECT_GE(bound, 1);
    for (const std::string policy :
         {"random", "packing", "locality", "first", "max-weight", "least-own", "least-total"})
    {
        EXPECT_GE(Run(policy), bound) << policy;
    }
    // Decisions at random, with waiting: still a bound.
    EXPECT_GT(Run("RandomPolicy"), bound);
}

TEST_F(TrainingProblemTest, CandidatesAreFreeServersAndFollowSeesTheSame)
{
    // Another problem is asked at each decision: it has the same candidates but for the random one.
    const auto other = CreateObject<TrainingProblem>();
    other->AssignStreams(7);
    other->Reset();
    problem->Reset();
    const auto policy = DecisionPolicy::Create("RandomPolicy");
    policy->AssignStreams(1);
    std::vector<TrainingProblem::Running> running;
    uint32_t decisions = 0;
    const uint32_t actions = problem->GetNActions();
    std::vector<float> seen(problem->GetObservationSize());
    std::vector<float> followed(seen.size());
    std::vector<uint8_t> mask(actions);
    const uint32_t any = problem->GetAction(TrainingProblem::RANDOM);
    const uint32_t wait = problem->GetAction(TrainingProblem::WAIT);
    for (; !problem->IsDone(); ++decisions)
    {
        problem->Mask(mask.data());
        problem->Observe(seen.data());
        TrainingProblem::Question question = problem->GetQuestion();
        std::set<uint32_t> used;
        for (const TrainingProblem::Running& job : question.running)
        {
            for (const uint32_t place : job.places)
            {
                EXPECT_TRUE(used.insert(place).second) << "two jobs on a server";
            }
        }
        other->Follow(question);
        other->Observe(followed.data());
        for (uint32_t action = 0; action < actions; ++action)
        {
            const std::vector<uint32_t>& places = problem->GetPlaces(action);
            std::set<uint32_t> all(places.begin(), places.end());
            EXPECT_EQ(all.size(), mask[action] && action != wait ? question.sketch->ranks : 0U);
            for (const uint32_t place : all)
            {
                EXPECT_FALSE(used.contains(place)) << "action " << action;
                EXPECT_LT(place, 32U);
            }
            if (action != any)
            {
                EXPECT_EQ(other->GetPlaces(action), places) << "action " << action;
            }
            for (uint32_t f = 0; action != any && f < TrainingProblem::FEATURES; ++f)
            {
                const uint32_t i = f * actions + action;
                EXPECT_FLOAT_EQ(followed[i], seen[i]) << problem->GetFeatureNames()[f];
                EXPECT_TRUE(seen[i] <= 1 && seen[i] >= (mask[action] ? 0 : -1)) << seen[i];
            }
        }
        problem->Act(policy->Decide(*problem));
    }
    EXPECT_GT(decisions, 30U);
    EXPECT_TRUE(IsRefused([&] { other->Act(0); }, "Follow()"));
}

TEST_F(TrainingProblemTest, RefusesWhatItCannotModel)
{
    problem->Set("Design", "opera");
    EXPECT_TRUE(IsRefused([&] { problem->Reset(); }, "design opera"));
    problem->Set("Design", "no-such");
    EXPECT_TRUE(IsRefused([&] { problem->Reset(); }, "no-such"));
    problem->Set("Design", "torus");
    problem->Set("MinIterations", "5");
    problem->Set("MaxIterations", "4");
    EXPECT_TRUE(IsRefused([&] { problem->Reset(); }, "MinIterations"));
    problem->Set("MaxIterations", "5");
    problem->Set("Load", "ns3::ConstantRandomVariable[Constant=0]");
    EXPECT_TRUE(IsRefused([&] { problem->Reset(); }, "load"));
}
