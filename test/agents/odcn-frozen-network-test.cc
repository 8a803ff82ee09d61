// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-policy-network.h"

using namespace ns3::odcn;

namespace
{

/// @param features of an action  @param actions number  @return shape of a block layout
ProblemShape
MakeShape(int64_t features, int64_t actions)
{
    ProblemShape shape;
    shape.observation = {features, actions};
    shape.actions = actions;
    return shape;
}

/// @param words network  @param shape of a problem  @param seed of its parameters  @return network
std::shared_ptr<DenseNetwork>
Make(const std::string& words, const ProblemShape& shape, uint64_t seed = 1)
{
    return std::dynamic_pointer_cast<DenseNetwork>(PolicyNetwork::Create(words, shape, seed));
}

/// @param network parameters  @param row input of its policy  @return outputs in double precision
std::vector<double>
Compute(const DenseNetwork& network, std::vector<double> row, const std::string& activation)
{
    const auto parameters = network.named_children()["policy"]->parameters();
    for (std::size_t k = 0; k < parameters.size(); k += 2)
    {
        const auto& weight = parameters[k];
        std::vector<double> out(weight.size(0));
        for (std::size_t o = 0; o < out.size(); ++o)
        {
            out[o] = parameters[k + 1].data_ptr<float>()[o];
            for (std::size_t i = 0; i < row.size(); ++i)
            {
                out[o] += row[i] * weight.data_ptr<float>()[o * row.size() + i];
            }
            if (k + 2 < parameters.size())
            {
                out[o] = activation == "Elu"    ? (out[o] > 0 ? out[o] : std::expm1(out[o]))
                         : activation == "Relu" ? std::max(out[o], 0.0)
                                                : std::tanh(out[o]);
            }
        }
        row = out;
    }
    return row;
}

/// A layer that a DenseNetwork passes on to LibTorch as it is.
struct GeluNetwork : DenseNetwork
{
    explicit GeluNetwork(const ProblemShape& shape)
    {
        torch::nn::Sequential policy(torch::nn::Linear(shape.GetSize(), 8),
                                     torch::nn::GELU(),
                                     torch::nn::Linear(8, shape.actions));
        SetStacks(shape, policy, MakeStack(shape.GetSize(), {}, 1, "Elu"));
    }

    void Describe(const float* observation, float* rows, float*) const override
    {
        std::copy_n(observation, GetShape().GetSize(), rows);
    }
};

ODCN_REGISTER_NETWORK(GeluNetwork)

} // namespace

TEST(FrozenNetwork, EqualsTheNetwork)
{
    // Shapes from one unit to more than a block of them, and parameters from small to large.
    std::mt19937 random(7);
    const auto draw = [&random](int64_t most) { return 1 + int64_t(random()) % most; };
    torch::NoGradGuard noGrad;
    for (int trial = 0; trial < 120; ++trial)
    {
        const std::string activation = std::vector<std::string>{"Elu", "Relu", "Tanh"}[trial % 3];
        std::string words = "|activation=" + activation + "]";
        if (trial % 2)
        {
            words = "Mlp[layers=" + std::to_string(draw(5) - 1) +
                    "|units=" + std::to_string(draw(200)) + words;
        }
        else
        {
            words = "Scorer[inputs=" + std::string(trial % 4 ? "own" : "relative") +
                    "|hidden=" + std::to_string(draw(90)) + "," + std::to_string(draw(90)) + words;
        }
        const auto network = Make(words, MakeShape(draw(5), draw(40)), trial);
        // No more than 3: several layers of large weights magnify every difference in rounding.
        const float scale = std::vector<float>{0.01F, 0.1F, 1.0F, 3.0F}[trial / 6 % 4];
        for (auto& parameter : network->parameters())
        {
            parameter.mul_(scale);
        }
        const auto& shape = network->GetShape();
        const auto x = 3.0F * torch::randn({1, shape.observation[0], shape.observation[1]});
        const auto expected = network->GetLogits(x)[0];
        std::vector<float> logits(shape.actions);
        network->Freeze()(x.data_ptr<float>(), 1, logits.data());
        const double greatest = expected.abs().max().item<float>();
        for (int64_t a = 0; a < shape.actions; ++a)
        {
            ASSERT_NEAR(logits[a], expected[a].item<float>(), 1e-5 * std::max(1.0, greatest))
                << words << " " << a;
        }
    }
}

TEST(FrozenNetwork, BothEqualTheDefinition)
{
    torch::NoGradGuard noGrad;
    for (const std::string activation : {"Elu", "Relu", "Tanh"})
    {
        const auto network = Make("Mlp[activation=" + activation + "]", MakeShape(2, 16));
        const auto x = torch::randn({1, 2, 16});
        const float* begin = x.data_ptr<float>();
        const auto expected = Compute(*network, {begin, begin + 32}, activation);
        const auto torchs = network->GetLogits(x)[0];
        std::vector<float> logits(16);
        network->Freeze()(begin, 1, logits.data());
        for (std::size_t a = 0; a < 16; ++a)
        {
            EXPECT_NEAR(logits[a], expected[a], 1e-6) << activation;
            EXPECT_NEAR(torchs[a].item<float>(), expected[a], 1e-6) << activation;
        }
    }
}

TEST(FrozenNetwork, ActivationsAreWhatTheySay)
{
    // One hidden unit with weight 1 and bias 0 shows the activation itself.
    torch::NoGradGuard noGrad;
    for (const std::string activation : {"Elu", "Relu", "Tanh"})
    {
        const auto network =
            Make("Mlp[layers=1|units=1|activation=" + activation + "]", MakeShape(1, 1));
        for (std::size_t k = 0; k < network->parameters().size(); ++k)
        {
            network->parameters()[k].fill_(k % 2 == 0 ? 1.0F : 0.0F);
        }
        const auto infer = network->Freeze();
        for (float x : {-200.0F, -87.5F, -3.0F, -0.7F, -1e-4F, 0.0F, 1e-4F, 0.7F, 3.0F, 200.0F})
        {
            float y = 0.0F;
            infer(&x, 1, &y);
            EXPECT_NEAR(y, Compute(*network, {x}, activation)[0], 2e-7) << activation << " " << x;
        }
    }
}

TEST(FrozenNetwork, ServesSeveralSizesAndChangedParameters)
{
    torch::NoGradGuard noGrad;
    for (const int64_t actions : {16, 64, 3})
    {
        const auto network = Make("Scorer", MakeShape(2, actions));
        for (int twice = 0; twice < 2; ++twice)
        {
            const auto x = torch::randn({1, 2, actions});
            std::vector<float> logits(actions);
            network->Freeze()(x.data_ptr<float>(), 1, logits.data());
            const auto expected = network->GetLogits(x)[0];
            for (int64_t a = 0; a < actions; ++a)
            {
                EXPECT_NEAR(logits[a], expected[a].item<float>(), 1e-5) << actions;
            }
            network->parameters()[0].mul_(2.0);
        }
    }
}

TEST(FrozenNetwork, KeepsItsParameters)
{
    torch::NoGradGuard noGrad;
    for (const char* words : {"Mlp", "Scorer"})
    {
        const auto network = Make(words, MakeShape(2, 5));
        const auto infer = network->Freeze();
        for (const int64_t n : {1, 4})
        {
            const auto x = torch::randn({n, 2, 5});
            auto before = torch::empty({n, 5});
            auto after = torch::empty({n, 5});
            infer(x.data_ptr<float>(), n, before.data_ptr<float>());
            for (auto& parameter : network->parameters())
            {
                parameter.mul_(2.0);
            }
            infer(x.data_ptr<float>(), n, after.data_ptr<float>());
            EXPECT_TRUE(torch::equal(before, after)) << words << " " << n;
        }
    }
}

TEST(FrozenNetwork, BatchesOfAnySizeAndOtherLayers)
{
    torch::NoGradGuard noGrad;
    for (const char* words : {"Mlp", "Scorer", "GeluNetwork", "Attention"})
    {
        const auto network = PolicyNetwork::Create(words, MakeShape(2, 5), 1);
        const auto infer = network->Freeze();
        for (const int64_t n : {4, 1, 9})
        {
            const auto x = torch::randn({n, 2, 5});
            auto logits = torch::empty({n, 5});
            infer(x.data_ptr<float>(), n, logits.data_ptr<float>());
            EXPECT_TRUE(torch::allclose(logits, network->GetLogits(x), 1e-5, 1e-5)) << words;
            // To the bit, a row has the same logits beside others.
            const auto others = torch::cat({x.slice(0, 0, 1), torch::randn({n - 1, 2, 5})});
            auto again = torch::empty({n, 5});
            infer(others.data_ptr<float>(), n, again.data_ptr<float>());
            EXPECT_TRUE(torch::equal(logits[0], again[0])) << words << " " << n;
        }
    }
}
