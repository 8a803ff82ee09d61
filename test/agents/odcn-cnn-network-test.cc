// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-policy-network.h"

using namespace ns3::odcn;

namespace
{

/// @param options in brackets  @param shape of an image  @param actions number of actions
/// @return the network with random parameters
std::shared_ptr<PolicyNetwork>
Make(const std::string& options, const std::vector<int64_t>& image, int64_t actions)
{
    ProblemShape shape;
    shape.observation = image;
    shape.actions = actions;
    return PolicyNetwork::Create("Cnn[" + options + "]", shape, 1);
}

/// @return number of parameters of the network
int64_t
Count(const std::shared_ptr<PolicyNetwork>& network)
{
    return SumOf<int64_t>(network->parameters(), &torch::Tensor::numel);
}

/**
 * @param layers before the flat part
 * @param shape of the image
 * @param filter weights of the convolution, if there is one, [out][in][row][column]
 * @param biases of its filters
 * @param image observation
 * @param outputs of the layers
 * @return output of the layers: the rest of the network is the identity
 */
std::vector<float>
Compute(const std::string& layers,
        const std::vector<int64_t>& shape,
        const std::vector<float>& filter,
        const std::vector<float>& biases,
        const std::vector<float>& image,
        int64_t outputs)
{
    const auto network = Make("hidden=|value=none|layers=" + layers, shape, outputs);
    torch::NoGradGuard noGrad;
    auto parameters = network->named_parameters();
    EXPECT_EQ(parameters.size(), filter.empty() ? 2U : 4U);
    if (!filter.empty())
    {
        auto& weight = parameters["policy.0.weight"];
        weight.copy_(torch::tensor(filter).view(weight.sizes()));
        parameters["policy.0.bias"].copy_(torch::tensor(biases));
    }
    parameters["logits.0.weight"].copy_(torch::eye(outputs));
    parameters["logits.0.bias"].zero_();
    auto sizes = shape;
    sizes.insert(sizes.begin(), 1);
    const auto logits = network->GetLogits(torch::tensor(image).view(sizes)).contiguous();
    return {logits.data_ptr<float>(), logits.data_ptr<float>() + outputs};
}

/// @return the error on creation of such a network
std::string
GetCreateError(const std::string& options, const std::vector<int64_t>& image)
{
    return GetRefusal([&] { Make(options, image, 3); });
}

} // namespace

TEST(Cnn, ConvolvesAsWorkedByHand)
{
    // Weights 1 to 9 row by row, bias -20; zero padding.
    const std::vector<float> image{1, 0, 2, 0, 3, 0};
    const std::vector<float> filter{1, 2, 3, 4, 5, 6, 7, 8, 9};
    // Pixel (0, 0): 5 x 1 + 6 x 0 + 8 x 0 + 9 x 3 = 32; (0, 1): 4 + 12 + 8 x 3 = 40;
    // (0, 2): 10 + 7 x 3 = 31; (1, 0): 2 + 6 x 3 = 20; (1, 1): 1 + 3 x 2 + 15 = 22;
    // (1, 2): 2 x 2 + 4 x 3 = 16, below the bias.
    EXPECT_EQ(Compute("Conv3-1", {1, 2, 3}, filter, {-20}, image, 6),
              (std::vector<float>{12, 20, 11, 0, 2, 0}));
}

TEST(Cnn, AddsChannelsUp)
{
    // Two channels to two filters of one pixel: a + 2 b, and b - a + 1.
    const std::vector<float> image{1, 2, 3, 5};
    EXPECT_EQ(Compute("Conv1-2", {2, 1, 2}, {1, 2, -1, 1}, {0, 1}, image, 4),
              (std::vector<float>{7, 12, 3, 4}));
}

TEST(Cnn, PoolsAsWorkedByHand)
{
    // 3 x 5 pixels: the last row and the last column do not fill a square.
    const std::vector<float> image{1, 2, -3, -4, 9, 3, 6, -5, -8, 9, 9, 9, 9, 9, 9};
    EXPECT_EQ(Compute("AvgPool2", {3, 5}, {}, {}, image, 2), (std::vector<float>{3, -5}));
    EXPECT_EQ(Compute("MaxPool2", {1, 3, 5}, {}, {}, image, 2), (std::vector<float>{6, -3}));
}

TEST(Cnn, EqualColumnsChangeNeitherOutputsNorGradients)
{
    // With gradients by the image, LibTorch's layers compute all of its pixels.
    for (const char* options : {"",
                                "value=none|filterBias=0",
                                "layers=Conv3-16|hidden=",
                                "layers=Conv5-3,Conv3-2,MaxPool3|activation=Elu|value=shared",
                                "layers=AvgPool2,Conv1-2,MaxPool2,AvgPool2|value=shared|hidden=",
                                "layers=MaxPool2|hidden=5,4"})
    {
        const auto network = Make(options, {2, 8, 30}, 4);
        for (const int64_t n : {1, 5, 40})
        {
            torch::manual_seed(n);
            auto images = torch::rand({n, 2, 8, 3}).index_select(3, torch::randint(3, {30}));
            images.slice(0, 0, n / 2) = 0.5;
            std::vector<PolicyOutput> outputs;
            std::vector<std::vector<torch::Tensor>> gradients;
            for (const bool plain : {false, true})
            {
                images.set_requires_grad(plain);
                outputs.push_back(network->Evaluate(images));
                const auto loss = outputs.back().logits.log_softmax(1).select(1, 0).sum() +
                                  outputs.back().values.square().sum();
                gradients.push_back(torch::autograd::grad({loss}, network->parameters()));
            }
            EXPECT_TRUE(torch::allclose(outputs[0].logits, outputs[1].logits, 1e-5, 1e-5))
                << options << n;
            EXPECT_TRUE(torch::allclose(outputs[0].values, outputs[1].values, 1e-5, 1e-5))
                << options << n;
            for (std::size_t i = 0; i < gradients[0].size(); ++i)
            {
                EXPECT_TRUE(torch::allclose(gradients[0][i], gradients[1][i], 1e-4, 1e-5))
                    << options << n << network->named_parameters()[i].key();
            }
        }
    }
}

TEST(Cnn, IsTableOneOfDeepRmPlus)
{
    const std::vector<int64_t> image{1, 20, 224};
    const int64_t policy =
        (25 + 1) * 8 + (25 * 8 + 1) * 16 + (5 * 56 * 16 + 1) * 69 + (69 + 1) * 11;
    EXPECT_EQ(Count(Make("value=none", image, 11)), policy);
    EXPECT_EQ(Count(Make("value=shared", image, 11)), policy + 70);
    EXPECT_EQ(Count(Make("", image, 11)), 2 * policy - 700);
    for (const char* value : {"value=own", "value=shared", "value=none"})
    {
        int64_t sum =
            SumOf<int64_t>(Make(value, image, 11)->GetPolicyParameters(), &torch::Tensor::numel);
        EXPECT_EQ(sum, policy) << value;
    }
}

TEST(Cnn, FilterBiasScalesTheirInitialBiases)
{
    const auto usual = Make("", {1, 20, 64}, 11);
    const auto half = Make("filterBias=0.5", {1, 20, 64}, 11);
    const auto none = Make("filterBias=0", {1, 20, 64}, 11);
    for (const auto& parameter : usual->named_parameters())
    {
        const std::string& name = parameter.key();
        const bool filter = name.find("policy.0.bias") == 0 || name.find("policy.3.bias") == 0 ||
                            name.find("value.0.bias") == 0 || name.find("value.3.bias") == 0;
        EXPECT_TRUE(
            torch::equal(half->named_parameters()[name], parameter.value() * (filter ? 0.5 : 1.0)))
            << name;
        EXPECT_TRUE(
            torch::equal(none->named_parameters()[name], parameter.value() * (filter ? 0.0 : 1.0)))
            << name;
    }
}

TEST(Cnn, WithoutValueLearnsThePolicy)
{
    const auto network = Make("layers=Conv3-2|activation=Elu|hidden=|value=none", {1, 3, 4}, 2);
    const auto out = network->forward(torch::ones({1, 1, 3, 4}));
    EXPECT_EQ(out.values.item<float>(), 0.0F);
    (out.logits[0][0] - out.logits[0][1] + 5 * out.values.sum()).backward();
    const torch::Tensor bias = network->named_parameters()["logits.0.bias"].grad();
    EXPECT_EQ(bias[0].item<float>(), 1.0F);
    EXPECT_EQ(bias[1].item<float>(), -1.0F);
    EXPECT_NE(network->parameters()[0].grad()[0][0][0][0].item<float>(), 0.0F);
}

TEST(Cnn, SaysWhatIsWrong)
{
    for (const char* layers : {"Conv5",
                               "Conv5-",
                               "Conv-8",
                               "Conv0-8",
                               "Conv4-8",
                               "Conv5-0",
                               "Conv5-99999",
                               "Conv5-8,",
                               ",Conv5-8",
                               "Conv5-8 ",
                               "Conv5-8;AvgPool2",
                               "Pool2",
                               "AvgPool",
                               "AvgPool0",
                               "MaxPool5",
                               "AvgPool2,AvgPool3",
                               "Conv99999999999-8",
                               "conv5-8"})
    {
        const std::string text = GetCreateError(std::string("layers=") + layers, {1, 4, 8});
        EXPECT_EQ(text.find(std::string("layers: found '") + layers + "'"), 0U) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos);
    }
    EXPECT_EQ(GetCreateError("", {32}).find("Cnn reads images"), 0U);
    EXPECT_EQ(GetCreateError("layers=Conv1-65536", {1, 1000, 1000}).find("layers: found"), 0U);
    EXPECT_EQ(GetCreateError("hidden=0", {1, 20, 224}).find("units of a layer: found '0'"), 0U);
    EXPECT_EQ(GetCreateError("value=all", {1, 20, 224}),
              "value: found 'all', expected own, shared or none");
    EXPECT_EQ(GetCreateError("filterBias=2", {1, 20, 224}).find("filterBias: found '2"), 0U);
    EXPECT_EQ(GetCreateError("activation=Sine", {1, 20, 224}).find("activation: found 'Sine'"), 0U);
}
