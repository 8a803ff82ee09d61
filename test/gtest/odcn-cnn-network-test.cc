// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/odcn-error.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-thread-team.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param attributes of the network, between brackets  @return not yet built
Ptr<OdcnNetwork>
Make(const std::string& attributes = "")
{
    return OdcnNetwork::Create("ns3::odcn::OdcnCnnNetwork[" + attributes + "]");
}

/// @param network built  @param image one observation  @return logits
std::vector<float>
Infer(const Ptr<OdcnNetwork>& network, const std::vector<float>& image)
{
    std::vector<float> logits(network->GetNActions());
    OdcnNetwork::Scratch scratch;
    network->Infer(image.data(), 1, logits.data(), scratch);
    return logits;
}

/**
 * @param layers before the flat part
 * @param shape of the image
 * @param filter parameters of the convolution, if there is one
 * @param image what is seen
 * @return what the layers make of it: the rest of the network is the identity
 */
std::vector<float>
Show(const std::string& layers,
     const std::vector<uint32_t>& shape,
     const std::vector<float>& filter,
     const std::vector<float>& image,
     uint32_t outputs)
{
    auto network = Make("Hidden=|Value=None|Layers=" + layers);
    network->Build(shape, outputs);
    auto p = network->GetMutableParameters();
    EXPECT_EQ(p.size(), filter.size() + outputs * outputs + outputs);
    std::copy(filter.begin(), filter.end(), p.begin());
    for (uint32_t i = 0; i < outputs; ++i)
    {
        p[filter.size() + i * outputs + i] = 1.0F;
    }
    return Infer(network, image);
}

} // namespace

TEST(OdcnCnnNetwork, ConvolvesAsWorkedByHand)
{
    // Weights 1 to 9 row by row, bias -20: each pixel meets its neighbours, none beyond the edge.
    const std::vector<float> image{1, 0, 2, 0, 3, 0};
    const std::vector<float> filter{1, 2, 3, 4, 5, 6, 7, 8, 9, -20};
    // Pixel (0, 0): 5 x 1 + 6 x 0 + 8 x 0 + 9 x 3 = 32; (0, 1): 4 + 12 + 8 x 3 = 40;
    // (0, 2): 10 + 7 x 3 = 31; (1, 0): 2 + 6 x 3 = 20; (1, 1): 1 + 3 x 2 + 15 = 22;
    // (1, 2): 2 x 2 + 4 x 3 = 16, less than the bias takes.
    EXPECT_EQ(Show("Conv3-1", {1, 2, 3}, filter, image, 6),
              (std::vector<float>{12, 20, 11, 0, 2, 0}));
}

TEST(OdcnCnnNetwork, AddsChannelsUp)
{
    // Two channels to two filters of one pixel: a + 2 b, and b - a + 1.
    const std::vector<float> image{1, 2, 3, 5};
    const std::vector<float> filter{1, 2, -1, 1, 0, 1};
    EXPECT_EQ(Show("Conv1-2", {2, 1, 2}, filter, image, 4), (std::vector<float>{7, 12, 3, 4}));
}

TEST(OdcnCnnNetwork, PoolsAsWorkedByHand)
{
    // 3 x 5 pixels: the last row and the last column make no whole square.
    const std::vector<float> image{1, 2, -3, -4, 9, 3, 6, -5, -8, 9, 9, 9, 9, 9, 9};
    EXPECT_EQ(Show("AvgPool2", {3, 5}, {}, image, 2), (std::vector<float>{3, -5}));
    EXPECT_EQ(Show("MaxPool2", {1, 3, 5}, {}, image, 2), (std::vector<float>{6, -3}));
}

TEST(OdcnCnnNetwork, IsTableOneOfDeepRmPlus)
{
    auto network = Make("Value=None");
    network->Build({1, 20, 224}, 11);
    const std::size_t policy =
        (25 + 1) * 8 + (25 * 8 + 1) * 16 + (5 * 56 * 16 + 1) * 69 + (69 + 1) * 11;
    EXPECT_EQ(network->GetParameters().size(), policy);
    network = Make("Value=Shared");
    network->Build({1, 20, 224}, 11);
    EXPECT_EQ(network->GetParameters().size(), policy + 70);
    network = Make();
    network->Build({1, 20, 224}, 11);
    EXPECT_EQ(network->GetParameters().size(), 2 * policy - 700);
    EXPECT_EQ(network->GetPolicySize(), policy);
}

TEST(OdcnCnnNetwork, ImagesWithEqualColumnsEqualLibTorch)
{
    // As of a cluster: most columns are alike, side by side and from one image to the next.
    for (const char* attributes : {"", "Layers=Conv3-5,MaxPool2,Conv3-7|Hidden=|Value=Shared"})
    {
        auto network = Make(attributes);
        network->Build({2, 20, 64}, 11);
        network->Randomize(1);
        constexpr uint32_t N = 600;
        const std::size_t size = network->GetObservationSize();
        std::mt19937_64 random(2);
        std::vector<float> images(N * size);
        std::vector<uint32_t> heights(2 * 64);
        for (uint32_t i = 0; i < N; ++i)
        {
            heights[random() % heights.size()] = random() % 4;
            for (std::size_t p = 0; p < size; ++p)
            {
                const std::size_t y = p / 64 % 20;
                images[i * size + p] = y < 5 * heights[p / 1280 * 64 + p % 64] ? 1.0F : 0.0F;
            }
        }
        std::vector<float> ours(N * 11);
        std::vector<float> torch(N * 11);
        std::vector<float> values(N);
        std::vector<float> torchValues(N);
        std::vector<float> dLogits(N * 11);
        std::vector<float> dValues(N);
        for (float& d : dLogits)
        {
            d = static_cast<float>(random() >> 11) * 0x1p-53F - 0.5F;
        }
        for (float& d : dValues)
        {
            d = static_cast<float>(random() >> 11) * 0x1p-53F;
        }
        network->OdcnNetwork::Forward(images.data(), N, torch.data(), torchValues.data());
        network->OdcnNetwork::Backward(dLogits.data(), dValues.data());
        const std::vector<float> expected(network->GetGradient().begin(),
                                          network->GetGradient().end());
        // Two shards, by two threads.
        network->SetThreads(std::make_shared<OdcnThreadTeam>(2));
        network->Forward(images.data(), N, ours.data(), values.data());
        network->Backward(dLogits.data(), dValues.data());
        for (std::size_t i = 0; i < ours.size(); ++i)
        {
            ASSERT_NEAR(ours[i], torch[i], 1e-5) << i;
            ASSERT_NEAR(values[i / 11], torchValues[i / 11], 1e-5) << i;
        }
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            ASSERT_NEAR(network->GetGradient()[i], expected[i], 1e-4 + 1e-4 * std::abs(expected[i]))
                << i;
        }

        // One after the other, while what was met before is remembered, and after a change.
        OdcnNetwork::Scratch scratch;
        for (int twice = 0; twice < 2; ++twice)
        {
            network->Evaluate(images.data(), N, torch.data(), torchValues.data());
            for (uint32_t i = 0; i < N; i += 3)
            {
                network->Infer(images.data() + i * size, 3, ours.data() + i * 11, scratch);
            }
            EXPECT_EQ(ours, torch);
            network->GetMutableParameters()[0] += 1.0F;
        }
    }
}

TEST(OdcnCnnNetwork, WithoutValueLearnsThePolicy)
{
    auto network = Make("Layers=Conv3-2|Activation=Elu|Hidden=|Value=None");
    network->Build({1, 3, 4}, 2);
    network->Randomize(1);
    const std::vector<float> image(12, 1.0F);
    std::vector<float> logits(2);
    float value = 1.0F;
    network->Forward(image.data(), 1, logits.data(), &value);
    EXPECT_EQ(value, 0.0F);
    const std::vector<float> dLogits{1.0F, -1.0F};
    const float dValue = 5.0F;
    network->Backward(dLogits.data(), &dValue);
    const auto gradient = network->GetGradient();
    EXPECT_EQ(gradient[gradient.size() - 2], 1.0F);
    EXPECT_EQ(gradient[gradient.size() - 1], -1.0F);
    EXPECT_NE(gradient[0], 0.0F);
}

TEST(OdcnCnnNetwork, SaysWhatIsWrong)
{
    const auto complaint = [](const std::string& attributes, const std::vector<uint32_t>& shape)
    {
        try
        {
            Make(attributes)->Build(shape, 3);
        }
        catch (const OdcnError& error)
        {
            return std::string(error.what());
        }
        return std::string("nothing was thrown");
    };
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
        const std::string text = complaint(std::string("Layers=") + layers, {1, 4, 8});
        EXPECT_EQ(text.find(std::string("Layers: found '") + layers + "'"), 0U) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos);
    }
    EXPECT_EQ(complaint("", {32}).find("OdcnCnnNetwork reads images"), 0U);
    EXPECT_EQ(complaint("Layers=Conv1-65536", {1, 1000, 1000}).find("Layers: found"), 0U);
    EXPECT_EQ(complaint("Hidden=0", {1, 20, 224}).find("Hidden: found '0'"), 0U);
}
