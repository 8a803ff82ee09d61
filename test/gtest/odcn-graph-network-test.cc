// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * What only networks on graphs promise; what all networks promise stands in
 * odcn-agent-network-test.cc.
 */

#include "odcn-graph-toy.h"

#include "ns3/double.h"
#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-ppo-learner.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <random>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const std::string SAGE = "ns3::odcn::OdcnGraphSageNetwork";

/// @param graph of its observations  @return built, with random parameters
Ptr<OdcnNetwork>
Make(const OdcnGraphObservation& graph, const std::string& description = SAGE)
{
    auto network = OdcnNetwork::Create(description);
    network->Build({graph.GetSize()}, static_cast<uint32_t>(graph.candidates.size()), &graph);
    network->Randomize(3);
    return network;
}

/// @param graph for which  @return numbers between 0 and 1, some nodes chosen
std::vector<float>
Observe(const OdcnGraphObservation& graph)
{
    std::mt19937_64 random(7);
    std::vector<float> out(graph.GetSize());
    for (float& x : out)
    {
        x = static_cast<float>(random() >> 11) * 0x1p-53F;
    }
    for (uint32_t v = 0; v < graph.nodes; ++v)
    {
        out[3 * v + 2] = v % 4 == 1 ? 1.0F : 0.0F;
    }
    return out;
}

/// @return logits, and the value after them
std::vector<float>
Ask(OdcnNetwork& network, const std::vector<float>& observation)
{
    std::vector<float> out(network.GetNActions() + 1);
    network.Evaluate(observation.data(), 1, out.data(), &out.back());
    return out;
}

} // namespace

TEST(OdcnGraphSageNetwork, NamesOfNodesDoNotMatter)
{
    const auto graph = OdcnToyTree(3, 4);
    const auto observation = Observe(graph);
    // Node v becomes node to[v]; links keep their numbers, candidates their order.
    std::vector<uint32_t> to;
    for (uint32_t v = 0; v < graph.nodes; ++v)
    {
        to.push_back((5 * v + 2) % graph.nodes);
    }
    std::vector<std::pair<uint32_t, uint32_t>> ends(graph.links);
    auto renamed = observation;
    for (uint32_t v = 0; v < graph.nodes; ++v)
    {
        for (uint32_t k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k)
        {
            ends[graph.linkOf[k]] = {to[v], to[graph.neighbours[k]]};
        }
        std::copy_n(observation.begin() + 3 * v, 3, renamed.begin() + 3 * to[v]);
    }
    std::vector<uint32_t> candidates;
    for (uint32_t v : graph.candidates)
    {
        candidates.push_back(to[v]);
    }
    const auto before = Ask(*Make(graph), observation);
    const auto after = Ask(*Make(OdcnToyGraph(graph.nodes, ends, candidates)), renamed);
    for (std::size_t a = 0; a < before.size(); ++a)
    {
        EXPECT_NEAR(before[a], after[a], 1e-5) << a;
    }
    EXPECT_GT(*std::max_element(before.begin(), before.end() - 1),
              *std::min_element(before.begin(), before.end() - 1) + 1e-3);
}

TEST(OdcnGraphSageNetwork, TwoOfAKindAreLikeOne)
{
    // A graph of two equal parts, larger than what the parameters were made for.
    const auto small = OdcnToyTree(3, 4);
    std::vector<std::pair<uint32_t, uint32_t>> ends(2 * small.links);
    auto candidates = small.candidates;
    for (uint32_t v = 0; v < small.nodes; ++v)
    {
        for (uint32_t k = small.offsets[v]; k < small.offsets[v + 1]; ++k)
        {
            const uint32_t link = small.linkOf[k];
            ends[link] = {v, small.neighbours[k]};
            ends[small.links + link] = {small.nodes + v, small.nodes + small.neighbours[k]};
        }
    }
    for (uint32_t v : small.candidates)
    {
        candidates.push_back(small.nodes + v);
    }
    const auto large = OdcnToyGraph(2 * small.nodes, ends, candidates);
    const auto x = Observe(small);
    const auto links = x.begin() + 3 * small.nodes;
    const auto globals = links + small.links;
    std::vector<float> twice(x.begin(), links);
    twice.insert(twice.end(), x.begin(), links);
    twice.insert(twice.end(), links, globals);
    twice.insert(twice.end(), links, globals);
    twice.insert(twice.end(), globals, x.end());

    auto network = Make(small);
    const std::string path = testing::TempDir() + "odcn-graph-" + std::to_string(::getpid());
    OdcnCheckpoint::Of(*network).Save(path);
    const auto loaded = OdcnCheckpoint::Load(path);
    std::remove(path.c_str());
    auto larger = loaded.MakeNetwork(path, {large.GetSize()}, 24, &large);
    const auto one = Ask(*network, x);
    const auto both = Ask(*larger, twice);
    for (uint32_t a = 0; a < 12; ++a)
    {
        EXPECT_NEAR(both[a], one[a], 1e-5) << a;
        EXPECT_NEAR(both[12 + a], one[a], 1e-5) << a;
    }
    EXPECT_NEAR(both.back(), one.back(), 1e-5);

    auto other = large;
    other.chosenFeature = 1;
    EXPECT_THROW(loaded.MakeNetwork(path, {large.GetSize()}, 24, &other), OdcnError);
}

TEST(OdcnGraphSageNetwork, SeesAsFarAsItHasLayers)
{
    const auto graph = OdcnToyTree(2, 3);
    for (uint32_t layers : {1U, 2U, 3U, 4U})
    {
        auto network = Make(graph, SAGE + "[Layers=" + std::to_string(layers) + "]");
        auto x = Observe(graph);
        for (uint32_t v = 0; v < graph.nodes; ++v)
        {
            x[3 * v + 2] = 0.0F;
        }
        const float before = Ask(*network, x)[0];
        // A server of the other rack is four links away.
        x[3 * 5] += 0.5F;
        EXPECT_EQ(Ask(*network, x)[0] != before, layers >= 4) << layers;
        // So is the link to it, which its switch hears of, one link nearer.
        x[3 * 5] -= 0.5F;
        x[3 * graph.nodes + 5] += 0.5F;
        EXPECT_EQ(Ask(*network, x)[0] != before, layers >= 4) << layers;
        x[3 * graph.nodes + 5] -= 0.5F;
        x[3 * graph.nodes + graph.links - 1] += 0.5F;
        EXPECT_EQ(Ask(*network, x)[0] != before, layers >= 3) << layers;
    }
}

TEST(OdcnGraphSageNetwork, LearnsWhatLiesTwoLinksAway)
{
    auto learner = CreateObject<OdcnPpoLearner>();
    std::vector<Ptr<OdcnDecisionProblem>> problems;
    for (int i = 0; i < 8; ++i)
    {
        problems.push_back(CreateObject<OdcnGraphToy>());
    }
    auto network = OdcnNetwork::Create(SAGE);
    learner->SetNetwork(network);
    learner->SetEnvironments(problems);
    learner->SetEvaluation({CreateObject<OdcnGraphToy>()});
    learner->SetAttribute("Gamma", DoubleValue(0));
    learner->SetAttribute("LearningRate", DoubleValue(0.005));
    learner->SetAttribute("EvaluationWarmUp", UintegerValue(0));
    learner->SetAttribute("EvaluationDecisions", UintegerValue(2000));
    learner->SetAttribute("EpochDecisions", UintegerValue(30000));
    learner->Prepare();
    EXPECT_GT(learner->Evaluate(), 0.4);
    ASSERT_TRUE(learner->Train(30000));
    EXPECT_LT(learner->Evaluate(), 0.15);

    // What was learnt holds where there are more racks.
    OdcnGraphToy larger(5, 4);
    auto again = OdcnNetwork::Create(SAGE);
    again->Build(larger);
    std::copy(network->GetParameters().begin(),
              network->GetParameters().end(),
              again->GetMutableParameters().begin());
    auto policy = CreateObject<OdcnAgentPolicy>();
    policy->SetNetwork(again);
    for (int i = 0; i < 2000; ++i)
    {
        larger.Act(policy->Decide(larger));
    }
    EXPECT_LT(larger.GetScore(), 0.3);
}

TEST(OdcnRackScorerNetwork, ScoresTheCandidatesOfAGraph)
{
    // As if their features were given in blocks; neither links nor other nodes matter.
    auto graph = OdcnToyTree(3, 4);
    std::reverse(graph.candidates.begin(), graph.candidates.end());
    const auto n = static_cast<uint32_t>(graph.candidates.size());
    auto observation = Observe(graph);
    std::vector<float> blocks;
    for (uint32_t f = 0; f < graph.nodeFeatures; ++f)
    {
        for (uint32_t v : graph.candidates)
        {
            blocks.push_back(observation[graph.nodeFeatures * v + f]);
        }
    }
    for (const char* attributes : {"[Inputs=Own|Hidden=|ValueHidden=]", "[Hidden=8]"})
    {
        const auto name = std::string("ns3::odcn::OdcnRackScorerNetwork") + attributes;
        auto network = Make(graph, name);
        auto flat = OdcnNetwork::Create(name);
        flat->Build({graph.nodeFeatures * n}, n);
        flat->Randomize(3);
        ASSERT_EQ(network->GetParameters().size(), flat->GetParameters().size());
        const auto expected = Ask(*flat, blocks);
        const auto before = Ask(*network, observation);
        for (float& link : std::span(observation).subspan(graph.nodes * graph.nodeFeatures))
        {
            link += 0.25F;
        }
        EXPECT_EQ(Ask(*network, observation), before);
        std::vector<float> logits(n);
        OdcnNetwork::Scratch scratch;
        network->Infer(observation.data(), 1, logits.data(), scratch);
        for (uint32_t a = 0; a < n; ++a)
        {
            EXPECT_FLOAT_EQ(before[a], expected[a]) << a;
            EXPECT_NEAR(logits[a], expected[a], 1e-6) << a;
        }
    }
}

TEST(OdcnGraphSageNetwork, SaysWhatIsWrong)
{
    auto network = OdcnNetwork::Create(SAGE);
    EXPECT_THROW(network->Build(OdcnToyProblem()), OdcnError) << "no graph";
    const auto graph = OdcnToyTree(2, 3);
    network = OdcnNetwork::Create(SAGE);
    EXPECT_THROW(network->Build({graph.GetSize()}, 5, &graph), OdcnError) << "other candidates";
    network = OdcnNetwork::Create(SAGE);
    EXPECT_THROW(network->Build({graph.GetSize() + 1}, 6, &graph), OdcnError) << "other size";
    network = OdcnNetwork::Create(SAGE + "[GlobalSizes=]");
    EXPECT_THROW(network->Build({graph.GetSize()}, 6, &graph), OdcnError);
    // As many numbers and actions, other links.
    auto wired = graph;
    std::swap(wired.linkOf[0], wired.linkOf[1]);
    network = Make(wired);
    EXPECT_THROW(network->RequireFit(OdcnGraphToy(2, 3)), OdcnError);
    EXPECT_NO_THROW(Make(graph)->RequireFit(OdcnGraphToy(2, 3)));
}
