// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Properties of graph networks; those of all networks are in odcn-agent-network-test.cc.
 */

#include "odcn-graph-toy.h"

#include "ns3/odcn-policy-network.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param graph of observations  @return shape of a problem with it
ProblemShape
MakeShape(const GraphObservation& graph)
{
    ProblemShape shape;
    shape.observation = {graph.GetSize()};
    shape.actions = static_cast<int64_t>(graph.candidates.size());
    shape.graph = std::make_shared<const GraphObservation>(graph);
    return shape;
}

/// @param graph of observations  @param words network  @return the network, random parameters
std::shared_ptr<PolicyNetwork>
Make(const GraphObservation& graph, const std::string& words = "GraphSage")
{
    return PolicyNetwork::Create(words, MakeShape(graph), 3);
}

/// @param from network  @param [in,out] to network for another size, gets the same parameters
void
CopyParameters(const PolicyNetwork& from, PolicyNetwork& to)
{
    torch::NoGradGuard noGrad;
    ASSERT_EQ(from.parameters().size(), to.parameters().size());
    for (std::size_t i = 0; i < from.parameters().size(); ++i)
    {
        ASSERT_EQ(to.parameters()[i].sizes(), from.parameters()[i].sizes());
        to.parameters()[i].copy_(from.parameters()[i]);
    }
}

/// @param graph of an observation  @return numbers from 0 to 1, with some nodes marked as chosen
std::vector<float>
Observe(const GraphObservation& graph)
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

/// @return logits, followed by the value
std::vector<float>
Evaluate(PolicyNetwork& network, const std::vector<float>& observation)
{
    torch::NoGradGuard noGrad;
    const auto out = network.forward(torch::tensor(observation).unsqueeze(0));
    std::vector<float> all(out.logits.data_ptr<float>(),
                           out.logits.data_ptr<float>() + out.logits.numel());
    all.push_back(out.values.item<float>());
    return all;
}

/// Vectors in double precision, for a computation independent of LibTorch.
using Numbers = std::vector<double>;

/// The equations of GraphSage, node by node.
class Reference
{
  public:
    Reference(const GraphObservation& graph, const PolicyNetwork& network, bool relative)
        : m_graph(graph),
          m_parameters(network.named_parameters()),
          m_relative(relative)
    {
    }

    /// @return logits, followed by the value
    Numbers Evaluate(const std::vector<float>& x) const
    {
        const float* globals = m_graph.GetGlobals(x.data());
        const Numbers whole{globals, globals + m_graph.globals};
        const auto nodes = Embed("policyMessages", x);
        const Numbers shared = Join(Stack("globals", whole, 2), MeanOf(nodes, ListChosen(x)));
        Numbers out;
        for (const uint32_t v : m_graph.candidates)
        {
            out.push_back(Stack("policy", Join(shared, nodes[v]), 2)[0]);
        }
        const auto others = Embed("valueMessages", x);
        const Numbers pooled =
            Join(Join(whole, MeanOf(others, m_graph.candidates)), MeanOf(others, ListChosen(x)));
        out.push_back(Stack("value", pooled, 2)[0]);
        return out;
    }

  private:
    static Numbers Join(Numbers a, const Numbers& b)
    {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    }

    static double Relu(double x)
    {
        return std::max(x, 0.0);
    }

    /// @param name of a linear layer  @param x inputs  @return outputs
    Numbers Linear(const std::string& name, const Numbers& x) const
    {
        const auto& weight = m_parameters[name + ".weight"];
        const auto& bias = m_parameters[name + ".bias"];
        EXPECT_EQ(weight.size(1), static_cast<int64_t>(x.size()));
        Numbers y;
        for (int64_t o = 0; o < weight.size(0); ++o)
        {
            y.push_back(bias.data_ptr<float>()[o]);
            for (std::size_t i = 0; i < x.size(); ++i)
            {
                y.back() += x[i] * weight.data_ptr<float>()[o * x.size() + i];
            }
        }
        return y;
    }

    /// @param name of a stack  @param x inputs  @param layers of it  @return outputs
    Numbers Stack(const std::string& name, Numbers x, int layers) const
    {
        for (int k = 0; k < layers; ++k)
        {
            x = Linear(name + "." + std::to_string(2 * k), x);
            for (double& y : x)
            {
                y = k + 1 < layers ? Relu(y) : y;
            }
        }
        return x;
    }

    std::vector<uint32_t> ListChosen(const std::vector<float>& x) const
    {
        std::vector<uint32_t> chosen;
        for (uint32_t v = 0; v < m_graph.nodes; ++v)
        {
            if (x[3 * v + 2] > 0.5F)
            {
                chosen.push_back(v);
            }
        }
        return chosen;
    }

    static Numbers MeanOf(const std::vector<Numbers>& nodes, const std::vector<uint32_t>& some)
    {
        Numbers mean(nodes[0].size());
        for (const uint32_t v : some)
        {
            for (std::size_t c = 0; c < mean.size(); ++c)
            {
                mean[c] += nodes[v][c] / static_cast<double>(some.size());
            }
        }
        return mean;
    }

    std::vector<Numbers> Embed(const std::string& name, const std::vector<float>& x) const
    {
        std::vector<Numbers> nodes;
        for (uint32_t v = 0; v < m_graph.nodes; ++v)
        {
            nodes.emplace_back(x.begin() + 3 * v, x.begin() + 3 * v + 3);
            nodes.back().resize(m_relative ? 6 : 3);
        }
        for (uint32_t f = 0; f < 3 && m_relative; ++f)
        {
            double minimum = 1e9;
            double maximum = -1e9;
            for (const uint32_t v : m_graph.candidates)
            {
                minimum = std::min(minimum, nodes[v][f]);
                maximum = std::max(maximum, nodes[v][f]);
            }
            for (const uint32_t v : m_graph.candidates)
            {
                nodes[v][3 + f] =
                    maximum > minimum ? (nodes[v][f] - minimum) / (maximum - minimum) : 0.0;
            }
        }
        for (int layer = 0; layer < 3; ++layer)
        {
            const std::string linear = name + "." + std::to_string(layer);
            std::vector<Numbers> next;
            for (uint32_t v = 0; v < m_graph.nodes; ++v)
            {
                Numbers sum = Linear(linear, Join(nodes[v], Numbers(m_graph.linkFeatures)));
                std::transform(sum.begin(), sum.end(), sum.begin(), Relu);
                for (uint32_t k = m_graph.offsets[v]; k < m_graph.offsets[v + 1]; ++k)
                {
                    const float* link =
                        m_graph.GetLinks(x.data()) + m_graph.linkOf[k] * m_graph.linkFeatures;
                    const Numbers message = Linear(
                        linear,
                        Join(nodes[m_graph.neighbours[k]], {link, link + m_graph.linkFeatures}));
                    for (std::size_t c = 0; c < sum.size(); ++c)
                    {
                        sum[c] += Relu(message[c]);
                    }
                }
                for (double& y : sum)
                {
                    y /= 1 + m_graph.offsets[v + 1] - m_graph.offsets[v];
                }
                next.push_back(sum);
            }
            nodes = next;
        }
        for (auto& node : nodes)
        {
            double square = 1e-12;
            for (const double y : node)
            {
                square += y * y;
            }
            for (double& y : node)
            {
                y /= std::sqrt(square);
            }
        }
        return nodes;
    }

    const GraphObservation& m_graph;
    torch::OrderedDict<std::string, torch::Tensor> m_parameters;
    bool m_relative;
};

} // namespace

TEST(GraphSage, EqualsItsEquations)
{
    for (const bool relative : {false, true})
    {
        for (const uint32_t linkFeatures : {0U, 1U, 3U})
        {
            const auto graph = ToyTree(3, 4, linkFeatures);
            const auto network =
                Make(graph, relative ? "GraphSage[inputs=relative]" : "GraphSage[inputs=own]");
            auto x = Observe(graph);
            for (int chosen = 0; chosen < 2; ++chosen)
            {
                const auto expected = Reference(graph, *network, relative).Evaluate(x);
                const auto actual = Evaluate(*network, x);
                EXPECT_TRUE(AllNear(actual, expected, 1e-5)) << relative << linkFeatures;
                // Again without any chosen node, and with a constant feature.
                for (uint32_t v = 0; v < graph.nodes; ++v)
                {
                    x[3 * v + 1] = 0.3F;
                    x[3 * v + 2] = 0.0F;
                }
            }
        }
    }
}

TEST(GraphSage, NamesOfNodesDoNotMatter)
{
    const auto graph = ToyTree(3, 4);
    const auto observation = Observe(graph);
    // Node v becomes node to[v]; links keep their numbers, candidates their order.
    auto to = ListOf<uint32_t>(graph.nodes, [&](uint32_t v) { return (5 * v + 2) % graph.nodes; });
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
    auto candidates = ListOf<uint32_t>(graph.candidates, [&](uint32_t v) { return to[v]; });
    const auto before = Evaluate(*Make(graph), observation);
    const auto after = Evaluate(*Make(ToyGraph(graph.nodes, ends, candidates)), renamed);
    EXPECT_TRUE(AllNear(before, after, 1e-5));
    EXPECT_GT(*std::max_element(before.begin(), before.end() - 1),
              *std::min_element(before.begin(), before.end() - 1) + 1e-3);
}

TEST(GraphSage, TwoOfAKindAreLikeOne)
{
    // A graph of two equal parts, larger than the one the parameters were made for.
    const auto small = ToyTree(3, 4);
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
    const auto large = ToyGraph(2 * small.nodes, ends, candidates);
    const auto x = Observe(small);
    const auto links = x.begin() + 3 * small.nodes;
    const auto globals = links + small.links;
    std::vector<float> twice(x.begin(), links);
    twice.insert(twice.end(), x.begin(), links);
    twice.insert(twice.end(), links, globals);
    twice.insert(twice.end(), links, globals);
    twice.insert(twice.end(), globals, x.end());

    const auto network = Make(small);
    const auto larger = Make(large);
    CopyParameters(*network, *larger);
    const auto one = Evaluate(*network, x);
    const auto both = Evaluate(*larger, twice);
    for (uint32_t a = 0; a < 12; ++a)
    {
        EXPECT_NEAR(both[a], one[a], 1e-5) << a;
        EXPECT_NEAR(both[12 + a], one[a], 1e-5) << a;
    }
    EXPECT_NEAR(both.back(), one.back(), 1e-5);
}

TEST(GraphSage, SeesAsFarAsItHasLayers)
{
    const auto graph = ToyTree(2, 3);
    for (uint32_t layers : {1U, 2U, 3U, 4U})
    {
        const auto network = Make(graph, "GraphSage[layers=" + std::to_string(layers) + "]");
        auto x = Observe(graph);
        for (uint32_t v = 0; v < graph.nodes; ++v)
        {
            x[3 * v + 2] = 0.0F;
        }
        const float before = Evaluate(*network, x)[0];
        // A server of the other rack is four links away.
        x[3 * 5] += 0.5F;
        EXPECT_EQ(Evaluate(*network, x)[0] != before, layers >= 4) << layers;
        // So is its link, whose features its switch receives, which is one link closer.
        x[3 * 5] -= 0.5F;
        x[3 * graph.nodes + 5] += 0.5F;
        EXPECT_EQ(Evaluate(*network, x)[0] != before, layers >= 4) << layers;
        x[3 * graph.nodes + 5] -= 0.5F;
        x[3 * graph.nodes + graph.links - 1] += 0.5F;
        EXPECT_EQ(Evaluate(*network, x)[0] != before, layers >= 3) << layers;
    }
}

TEST(GraphSage, LearnsWhatLiesTwoLinksAway)
{
    // Supervised, so that only the network is tested: all servers of the right rack share the loss.
    const auto draw = [](GraphToy& problem, int64_t n, torch::Tensor& right, torch::Tensor& mask)
    {
        const int64_t actions = problem.GetNActions();
        auto x = torch::empty({n, problem.GetObservationSize()});
        right = torch::zeros({n, actions});
        mask = torch::empty({n, actions}, torch::kUInt8);
        for (int64_t i = 0; i < n; ++i)
        {
            problem.Observe(x[i].data_ptr<float>());
            problem.Mask(mask[i].data_ptr<uint8_t>());
            const float* links = problem.GetGraph()->GetLinks(x[i].data_ptr<float>());
            const int64_t racks = problem.GetGraph()->links - actions;
            const float* uplinks = links + actions;
            const auto best = std::max_element(uplinks, uplinks + racks) - uplinks;
            right[i].view({racks, -1})[best].fill_(1.0F);
            problem.Reset();
        }
        mask = mask.to(torch::kBool);
        return x;
    };
    const auto getError = [&](PolicyNetwork& network, GraphToy& problem)
    {
        torch::NoGradGuard noGrad;
        torch::Tensor right;
        torch::Tensor mask;
        const auto x = draw(problem, 1000, right, mask);
        const auto actions = MaskedLogSoftmax(network.GetLogits(x), mask).argmax(1, true);
        return 1.0F - right.gather(1, actions).mean().item<float>();
    };
    GraphToy problem;
    problem.AssignStreams(1);
    const auto network = PolicyNetwork::Create("GraphSage", ProblemShape(problem), 3);
    EXPECT_GT(getError(*network, problem), 0.4);
    torch::optim::Adam adam(network->parameters(), torch::optim::AdamOptions(0.01));
    for (int step = 0; step < 600; ++step)
    {
        torch::Tensor right;
        torch::Tensor mask;
        const auto x = draw(problem, 64, right, mask);
        const auto p = MaskedLogSoftmax(network->GetLogits(x), mask).exp();
        const auto loss = -(p * right).sum(1).add(1e-6).log().mean();
        adam.zero_grad();
        loss.backward();
        adam.step();
    }
    EXPECT_LT(getError(*network, problem), 0.15);

    // The trained parameters also work with more racks.
    GraphToy larger(5, 4);
    larger.AssignStreams(2);
    const auto again = PolicyNetwork::Create("GraphSage", ProblemShape(larger), 1);
    CopyParameters(*network, *again);
    EXPECT_LT(getError(*again, larger), 0.3);
}

TEST(Scorer, ScoresTheCandidatesOfAGraph)
{
    // As with features in blocks; links and other nodes have no effect.
    auto graph = ToyTree(3, 4);
    std::reverse(graph.candidates.begin(), graph.candidates.end());
    auto observation = Observe(graph);
    std::vector<float> blocks;
    for (uint32_t f = 0; f < graph.nodeFeatures; ++f)
    {
        for (uint32_t v : graph.candidates)
        {
            blocks.push_back(observation[graph.nodeFeatures * v + f]);
        }
    }
    ProblemShape shape;
    shape.actions = static_cast<int64_t>(graph.candidates.size());
    shape.observation = {graph.nodeFeatures, shape.actions};
    for (const char* words :
         {"Scorer[inputs=own|hidden=|valueHidden=]", "Scorer[hidden=8]", "Attention"})
    {
        const auto network = Make(graph, words);
        const auto flat = PolicyNetwork::Create(words, shape, 3);
        const auto expected = Evaluate(*flat, blocks);
        const auto before = Evaluate(*network, observation);
        for (std::size_t i = graph.nodes * graph.nodeFeatures; i < observation.size(); ++i)
        {
            observation[i] += 0.25F;
        }
        EXPECT_EQ(Evaluate(*network, observation), before);
        EXPECT_TRUE(AllNear(before, expected, 1e-6)) << words;
    }
}

TEST(GraphSage, SaysWhatIsWrong)
{
    const auto graph = ToyTree(2, 3);
    auto shape = MakeShape(graph);
    EXPECT_THROW(PolicyNetwork::Create("GraphSage", ProblemShape(ToyProblem()), 1), OdcnError);
    shape.actions = 5;
    EXPECT_THROW(PolicyNetwork::Create("GraphSage", shape, 1), OdcnError) << "other candidates";
    shape = MakeShape(graph);
    ++shape.observation[0];
    EXPECT_THROW(PolicyNetwork::Create("GraphSage", shape, 1), OdcnError) << "other size";
    for (const char* words : {"GraphSage[globals=]",
                              "GraphSage[units=0]",
                              "GraphSage[layers=0]",
                              "GraphSage[hidden=0]",
                              "GraphSage[inputs=both]"})
    {
        EXPECT_THROW(Make(graph, words), OdcnError) << words;
    }
    // The same numbers of nodes and actions, but other links.
    auto wired = graph;
    std::swap(wired.linkOf[0], wired.linkOf[1]);
    EXPECT_THROW(Make(wired)->RequireFit(GraphToy(2, 3)), OdcnError);
    EXPECT_NO_THROW(Make(graph)->RequireFit(GraphToy(2, 3)));
}
