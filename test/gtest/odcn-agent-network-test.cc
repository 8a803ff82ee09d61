// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-graph-toy.h"

#include "ns3/boolean.h"
#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-checkpoint.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-mlp-network.h"
#include "ns3/odcn-rack-scorer-network.h"
#include "ns3/odcn-thread-team.h"
#include "ns3/odcn-torch-script-policy.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param n how many  @return observations between -1 and 1, negative ones often
std::vector<float>
Observations(std::size_t n)
{
    std::mt19937_64 random(5);
    std::vector<float> out(n);
    for (float& x : out)
    {
        x = static_cast<float>(random() >> 11) * 0x1p-52F - 1.0F;
    }
    return out;
}

/// @param description of a network  @return built for 16 racks, with random parameters
Ptr<OdcnNetwork>
Make(const std::string& description, uint32_t racks = 16)
{
    auto network = OdcnNetwork::Create(description);
    if (description.find("Graph") != std::string::npos)
    {
        const auto graph = OdcnToyTree(4, racks / 4, description.find("Layers=2") < 99 ? 2 : 1);
        network->Build({graph.GetSize()}, racks, &graph);
    }
    else if (description.find("Cnn") != std::string::npos)
    {
        network->Build({2, racks / 4, 4}, racks);
    }
    else
    {
        network->Build({2 * racks}, racks);
    }
    network->Randomize(3);
    return network;
}

/// What a network makes of a batch, and the gradient of a weighted sum of that.
struct Pass
{
    /// @param torch whether by LibTorch's graph
    Pass(OdcnNetwork& network, const std::vector<float>& x, uint32_t n, bool torch = false)
        : logits(std::size_t(n) * network.GetNActions()),
          values(n)
    {
        // As the means that a loss is made of.
        auto dLogits = Observations(logits.size());
        auto dValues = Observations(values.size());
        for (auto* derivatives : {&dLogits, &dValues})
        {
            for (float& d : *derivatives)
            {
                d /= static_cast<float>(n);
            }
        }
        if (torch)
        {
            network.OdcnNetwork::Forward(x.data(), n, logits.data(), values.data());
            network.OdcnNetwork::Backward(dLogits.data(), dValues.data());
        }
        else
        {
            network.Forward(x.data(), n, logits.data(), values.data());
            network.Backward(dLogits.data(), dValues.data());
        }
        gradient.assign(network.GetGradient().begin(), network.GetGradient().end());
    }

    std::vector<float> logits;
    std::vector<float> values;
    std::vector<float> gradient;
};

/// A file that goes away.
struct TemporaryFile
{
    std::string path{testing::TempDir() + "odcn-agent-file-" + std::to_string(::getpid())};

    ~TemporaryFile()
    {
        std::remove(path.c_str());
    }

    std::string Read() const
    {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

    void Write(const std::string& bytes) const
    {
        std::ofstream(path, std::ios::binary) << bytes;
    }
};

/// @param body what throws an OdcnError  @return its text
template <typename F>
std::string
Complaint(F body)
{
    try
    {
        body();
    }
    catch (const OdcnError& error)
    {
        return error.what();
    }
    return "nothing was thrown";
}

/// A policy by checkpoint.
Ptr<OdcnAgentPolicy>
Policy(const std::string& path, bool greedy = true, bool mask = true)
{
    auto policy = CreateObject<OdcnAgentPolicy>();
    policy->SetAttribute("Checkpoint", StringValue(path));
    policy->SetAttribute("Greedy", BooleanValue(greedy));
    policy->SetAttribute("UseMask", BooleanValue(mask));
    return policy;
}

} // namespace

class OdcnNetworks : public testing::TestWithParam<const char*>
{
};

TEST_P(OdcnNetworks, KernelEqualsLibTorch)
{
    auto network = Make(GetParam());
    constexpr uint32_t N = 37;
    const auto x = Observations(N * network->GetObservationSize());
    std::vector<float> ours(N * 16);
    std::vector<float> torch(N * 16);
    std::vector<float> values(N);
    OdcnNetwork::Scratch scratch;
    network->Infer(x.data(), N, ours.data(), scratch);
    network->OdcnNetwork::Evaluate(x.data(), N, torch.data(), values.data());
    std::vector<float> again(N * 16);
    std::vector<float> ourValues(N);
    network->Evaluate(x.data(), N, again.data(), ourValues.data());
    EXPECT_EQ(again, ours);
    for (std::size_t i = 0; i < ours.size(); ++i)
    {
        ASSERT_NEAR(ours[i], torch[i], 1e-5) << i;
        ASSERT_NEAR(ourValues[i / 16], values[i / 16], 1e-5) << i;
    }
}

TEST_P(OdcnNetworks, UpdateEqualsLibTorch)
{
    auto network = Make(GetParam());
    // One row, less than a block of rows, and several shards that do not divide evenly.
    for (uint32_t n : {1U, 50U, 391U})
    {
        const auto x = Observations(n * network->GetObservationSize());
        const Pass ours(*network, x, n);
        const Pass torch(*network, x, n, true);
        for (std::size_t i = 0; i < ours.logits.size(); ++i)
        {
            ASSERT_NEAR(ours.logits[i], torch.logits[i], 1e-5) << n << " " << i;
        }
        for (std::size_t i = 0; i < n; ++i)
        {
            ASSERT_NEAR(ours.values[i], torch.values[i], 1e-5) << n << " " << i;
        }
        const float greatest = *std::max_element(torch.gradient.begin(), torch.gradient.end());
        ASSERT_GT(greatest, 0.005F);
        for (std::size_t i = 0; i < ours.gradient.size(); ++i)
        {
            ASSERT_NEAR(ours.gradient[i], torch.gradient[i], 1e-5 * greatest) << n << " " << i;
        }
    }
}

TEST_P(OdcnNetworks, NeitherThreadsNorVectorsMatter)
{
    auto network = Make(GetParam());
    constexpr uint32_t N = 270;
    const auto x = Observations(N * network->GetObservationSize());
    std::vector<float> inferred(N * 16);
    OdcnNetwork::Scratch scratch;
    network->Infer(x.data(), N, inferred.data(), scratch);
    const Pass expected(*network, x, N);
    const std::vector<float> parameters(network->GetParameters().begin(),
                                        network->GetParameters().end());
    std::vector<float> learnt;
    for (uint32_t lanes : {4U, 8U, 16U})
    {
        for (uint32_t threads : {1U, 3U})
        {
            if (!OdcnUseVectorLanes(lanes))
            {
                continue;
            }
            network->SetThreads(std::make_shared<OdcnThreadTeam>(threads));
            std::vector<float> logits(N * 16);
            network->Infer(x.data(), N, logits.data(), scratch);
            EXPECT_EQ(logits, inferred) << lanes;
            const Pass pass(*network, x, N);
            EXPECT_EQ(pass.logits, expected.logits) << lanes << " " << threads;
            EXPECT_EQ(pass.values, expected.values) << lanes << " " << threads;
            EXPECT_EQ(pass.gradient, expected.gradient) << lanes << " " << threads;
            auto now = parameters;
            OdcnAdam adam;
            adam.Reset(now.size());
            adam.Step(now.data(), pass.gradient.data(), 0.1, 1.0);
            EXPECT_TRUE(learnt.empty() || now == learnt) << lanes;
            learnt = now;
        }
    }
    // Back to the widest there are.
    OdcnUseVectorLanes(8);
    OdcnUseVectorLanes(16);
}

TEST_P(OdcnNetworks, RowsDoNotDependOnTheBatch)
{
    auto network = Make(GetParam());
    const auto x = Observations(7 * network->GetObservationSize());
    std::vector<float> batch(7 * 16);
    OdcnNetwork::Scratch scratch;
    network->Infer(x.data(), 7, batch.data(), scratch);
    for (uint32_t i = 0; i < 7; ++i)
    {
        std::vector<float> one(16);
        network->Infer(x.data() + i * network->GetObservationSize(), 1, one.data(), scratch);
        EXPECT_TRUE(std::equal(one.begin(), one.end(), batch.begin() + 16 * i)) << i;
    }
}

TEST_P(OdcnNetworks, GradientIsTheDerivative)
{
    auto network = Make(GetParam());
    constexpr uint32_t N = 3;
    const auto x = Observations(N * network->GetObservationSize());
    const auto dLogits = Observations(N * 16);
    const std::vector<float> dValues{0.5F, -1.0F, 2.0F};
    std::vector<float> logits(N * 16);
    std::vector<float> values(N);
    auto loss = [&]
    {
        network->Evaluate(x.data(), N, logits.data(), values.data());
        double sum = 0.0;
        for (std::size_t i = 0; i < logits.size(); ++i)
        {
            sum += static_cast<double>(logits[i]) * dLogits[i];
        }
        for (std::size_t i = 0; i < N; ++i)
        {
            sum += static_cast<double>(values[i]) * dValues[i];
        }
        return sum;
    };
    for (int twice = 0; twice < 2; ++twice)
    {
        network->Forward(x.data(), N, logits.data(), values.data());
        network->Backward(dLogits.data(), dValues.data());
    }
    const std::size_t parameters = network->GetParameters().size();
    double greatest = 0.0;
    for (std::size_t i = 0; i < parameters; i += 1 + parameters / 97)
    {
        const float kept = network->GetParameters()[i];
        // Small: a step over a kink of an activation is no derivative.
        const float h = 0.001F;
        network->GetMutableParameters()[i] = kept + h;
        const double up = loss();
        network->GetMutableParameters()[i] = kept - h;
        const double down = loss();
        network->GetMutableParameters()[i] = kept;
        const double expected = (up - down) / (2.0 * h);
        greatest = std::max(greatest, std::abs(expected));
        EXPECT_NEAR(network->GetGradient()[i], expected, 2e-3 + 1e-2 * std::abs(expected)) << i;
    }
    EXPECT_GT(greatest, 0.01);
}

TEST_P(OdcnNetworks, CheckpointKeepsThem)
{
    auto network = Make(GetParam());
    TemporaryFile file;
    auto saved = OdcnCheckpoint::Of(*network);
    saved.provenance["command"] = "train --load=66 \xff";
    saved.counters["decisions"] = 1ULL << 60;
    saved.Save(file.path);
    const auto loaded = OdcnCheckpoint::Load(file.path);
    EXPECT_EQ(loaded.counters.at("decisions"), 1ULL << 60);
    auto again =
        loaded.MakeNetwork(file.path, network->GetObservationShape(), 16, network->GetGraph());
    EXPECT_EQ(again->GetAttributes(), network->GetAttributes());
    EXPECT_TRUE(std::equal(again->GetParameters().begin(),
                           again->GetParameters().end(),
                           network->GetParameters().begin(),
                           network->GetParameters().end()));
    // The same again is the same file, byte for byte.
    const auto bytes = file.Read();
    saved.Save(file.path);
    EXPECT_EQ(file.Read(), bytes);
}

INSTANTIATE_TEST_SUITE_P(
    Agent,
    OdcnNetworks,
    testing::Values("ns3::odcn::OdcnMlpNetwork",
                    "ns3::odcn::OdcnMlpNetwork[HiddenLayers=2|HiddenUnits=37|Activation=Tanh]",
                    "ns3::odcn::OdcnMlpNetwork[HiddenLayers=0]",
                    "ns3::odcn::OdcnCnnNetwork[Layers=Conv3-5,AvgPool2]",
                    "ns3::odcn::OdcnCnnNetwork[Layers=Conv5-16,MaxPool3|Hidden=|Value=Shared]",
                    "ns3::odcn::OdcnCnnNetwork[Layers=|Hidden=33,21|HiddenActivation=Relu]",
                    "ns3::odcn::OdcnRackScorerNetwork",
                    "ns3::odcn::OdcnRackScorerNetwork[Hidden=24|ValueHidden=]",
                    "ns3::odcn::OdcnRackScorerNetwork[Inputs=Own|Hidden=24]",
                    "ns3::odcn::OdcnRackScorerNetwork[Inputs=Own|Hidden=|ValueHidden=]",
                    "ns3::odcn::OdcnGraphSageNetwork",
                    "ns3::odcn::OdcnGraphSageNetwork[Layers=2|Units=19|GlobalSizes=5|Hidden=]",
                    "ns3::odcn::OdcnGraphSageNetwork[Inputs=Relative|Hidden=24,12|ValueHidden=]"));

TEST(OdcnNetwork, ActivationsAreWhatTheySay)
{
    // One hidden unit with weight 1 and bias 0 shows the activation itself.
    for (const char* name : {"Elu", "Relu", "Tanh"})
    {
        auto network = OdcnNetwork::Create(
            std::string("ns3::odcn::OdcnMlpNetwork[HiddenLayers=1|HiddenUnits=1|Activation=") +
            name + "]");
        network->Build({1}, 1);
        auto p = network->GetMutableParameters();
        p[0] = 1.0F;
        p[2] = 1.0F;
        OdcnNetwork::Scratch scratch;
        for (float x : {-200.0F, -87.5F, -3.0F, -0.7F, -1e-4F, 0.0F, 1e-4F, 0.7F, 3.0F, 200.0F})
        {
            float y = 0.0F;
            network->Infer(&x, 1, &y, scratch);
            const double expected = std::string(name) == "Elu"    ? (x > 0 ? x : std::expm1(x))
                                    : std::string(name) == "Relu" ? std::max(x, 0.0F)
                                                                  : std::tanh(x);
            EXPECT_NEAR(y, expected, 2e-7) << name << " " << x;
        }
    }
}

TEST(OdcnNetwork, SizesAreThoseOfThePaper)
{
    // 32-128-128-128-128-128-16 and the same to 1.
    const std::size_t trunk = 33 * 128 + 4 * 129 * 128;
    EXPECT_EQ(Make("ns3::odcn::OdcnMlpNetwork")->GetParameters().size(),
              2 * trunk + 129 * 16 + 129);
    EXPECT_EQ(Make("ns3::odcn::OdcnRackScorerNetwork")->GetParameters().size(),
              17 * 64 + 65 * 64 + 65 + 10 * 64 + 65 * 64 + 65);
}

TEST_P(OdcnNetworks, LogitsDependOnThePolicysParameters)
{
    auto network = Make(GetParam());
    const std::size_t size = network->GetPolicySize();
    auto all = network->GetMutableParameters();
    ASSERT_LT(size, all.size());
    const auto x = Observations(network->GetObservationSize());
    OdcnNetwork::Scratch scratch;
    std::vector<float> before(16);
    std::vector<float> after(16);
    network->Infer(x.data(), 1, before.data(), scratch);
    all = network->GetMutableParameters();
    std::fill(all.begin() + static_cast<std::ptrdiff_t>(size), all.end(), 9.0F);
    network->Infer(x.data(), 1, after.data(), scratch);
    EXPECT_EQ(before, after);
    // The last of them is the bias of a logit, or of all.
    all = network->GetMutableParameters();
    all[size - 1] += 1.0F;
    network->Infer(x.data(), 1, after.data(), scratch);
    EXPECT_NE(before, after);
}

TEST(OdcnNetwork, RandomizeIsSeeded)
{
    auto a = Make("ns3::odcn::OdcnMlpNetwork");
    const std::vector<float> first(a->GetParameters().begin(), a->GetParameters().end());
    a->Randomize(4);
    EXPECT_NE(first[0], a->GetParameters()[0]);
    a->Randomize(3);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), a->GetParameters().begin()));
    const float bound = 1.0F / std::sqrt(32.0F);
    const auto [least, greatest] = std::minmax_element(first.begin(), first.begin() + 32 * 128);
    EXPECT_GE(*least, -bound);
    EXPECT_LE(*greatest, bound);
    EXPECT_LT(*least, -0.99F * bound);
    EXPECT_GT(*greatest, 0.99F * bound);
}

TEST(OdcnNetwork, RefusesWhatItIsNot)
{
    EXPECT_THROW(OdcnNetwork::Create("ns3::odcn::NoSuchNetwork"), OdcnError);
    EXPECT_THROW(OdcnNetwork::Create("ns3::odcn::OdcnAgentPolicy"), OdcnError);
    EXPECT_THROW(OdcnNetwork::Create("ns3::odcn::OdcnNetwork"), OdcnError);
    EXPECT_THROW(OdcnNetwork::Create("ns3::odcn::OdcnMlpNetwork[HiddenUnits=0]"), OdcnError);
    EXPECT_THROW(OdcnNetwork::Create("ns3::odcn::OdcnMlpNetwork[HiddenUnits]"), OdcnError);
    EXPECT_THROW(OdcnNetwork::Create("ns3::odcn::OdcnMlpNetwork[Hidden=64"), OdcnError);
    EXPECT_THROW(OdcnNetwork::Create("ns3::odcn::OdcnRackScorerNetwork")->Build({33}, 16),
                 OdcnError);
    EXPECT_THROW(OdcnNetwork::Create("ns3::odcn::OdcnMlpNetwork")->Build({65536, 65536}, 2),
                 OdcnError);
    EXPECT_THROW(OdcnNetwork::Create("ns3::odcn::OdcnMlpNetwork[HiddenUnits=65536]")->Build({2}, 2),
                 OdcnError);
    EXPECT_THROW(
        OdcnNetwork::Create("ns3::odcn::OdcnRackScorerNetwork[Hidden=64,,64]")->Build({32}, 16),
        OdcnError);
}

TEST(OdcnRackScorerNetwork, TreatsRacksAlike)
{
    auto network = Make("ns3::odcn::OdcnRackScorerNetwork");
    auto x = Observations(32);
    std::vector<float> before(16);
    std::vector<float> after(16);
    OdcnNetwork::Scratch scratch;
    network->Infer(x.data(), 1, before.data(), scratch);
    std::rotate(x.begin(), x.begin() + 5, x.begin() + 16);
    std::rotate(x.begin() + 16, x.begin() + 21, x.end());
    network->Infer(x.data(), 1, after.data(), scratch);
    std::rotate(before.begin(), before.begin() + 5, before.end());
    for (std::size_t a = 0; a < 16; ++a)
    {
        EXPECT_NEAR(before[a], after[a], 1e-6) << a;
    }
}

TEST(OdcnAgentPolicy, ScorerServesOtherNumbersOfRacks)
{
    TemporaryFile file;
    OdcnCheckpoint::Of(*Make("ns3::odcn::OdcnRackScorerNetwork")).Save(file.path);
    for (uint32_t racks : {2U, 16U, 64U})
    {
        OdcnToyProblem problem(racks);
        auto policy = Policy(file.path);
        EXPECT_LT(policy->Decide(problem), racks);
        EXPECT_EQ(policy->GetNetwork()->GetNActions(), racks);
    }
}

TEST(OdcnAgentPolicy, NamesBothSizes)
{
    TemporaryFile file;
    OdcnCheckpoint::Of(*Make("ns3::odcn::OdcnMlpNetwork")).Save(file.path);
    OdcnToyProblem problem(32);
    EXPECT_EQ(Complaint([&] { Policy(file.path)->Decide(problem); }),
              file.path + ": trained for observations of 32 and 16 actions, the problem has 64 "
                          "and 32");
    // A policy that is at work does not change over, either.
    auto policy = Policy(file.path);
    policy->Decide(OdcnToyProblem(16));
    EXPECT_NE(Complaint([&] { policy->Decide(problem); }).find("16 actions"), std::string::npos);
}

TEST(OdcnAgentPolicy, DecidesAsItsNetworkSays)
{
    TemporaryFile file;
    auto network = Make("ns3::odcn::OdcnMlpNetwork", 6);
    OdcnCheckpoint::Of(*network).Save(file.path);
    auto greedy = Policy(file.path);
    auto reckless = Policy(file.path, true, false);
    auto drawing = Policy(file.path, false);
    drawing->AssignStreams(1);
    OdcnToyProblem problem;
    std::vector<float> x(12);
    std::vector<float> logits(6);
    std::vector<float> value(1);
    std::vector<uint8_t> mask(6);
    int differ = 0;
    for (int i = 0; i < 300; ++i)
    {
        problem.Observe(x.data());
        problem.Mask(mask.data());
        network->Evaluate(x.data(), 1, logits.data(), value.data());
        EXPECT_EQ(reckless->Decide(problem),
                  std::max_element(logits.begin(), logits.end()) - logits.begin());
        for (std::size_t a = 0; a < 6; ++a)
        {
            logits[a] = mask[a] ? logits[a] : -1e9F;
        }
        const uint32_t best = std::max_element(logits.begin(), logits.end()) - logits.begin();
        EXPECT_EQ(greedy->Decide(problem), best);
        const uint32_t drawn = drawing->Decide(problem);
        EXPECT_EQ(mask[drawn], 1);
        differ += drawn != best ? 1 : 0;
        problem.Act(best);
    }
    EXPECT_GT(differ, 30);
}

TEST(OdcnAgentPolicy, BatchDecidesAsOneByOne)
{
    auto policy = CreateObject<OdcnAgentPolicy>();
    policy->SetNetwork(Make("ns3::odcn::OdcnMlpNetwork", 6));
    std::vector<Ptr<OdcnToyProblem>> toys;
    std::vector<const OdcnDecisionProblem*> problems;
    std::vector<uint32_t> expected;
    for (int i = 0; i < 9; ++i)
    {
        toys.push_back(CreateObject<OdcnToyProblem>());
        problems.push_back(PeekPointer(toys.back()));
        expected.push_back(policy->Decide(*toys.back()));
    }
    std::vector<uint32_t> actions;
    policy->DecideBatch(problems, actions);
    EXPECT_EQ(actions, expected);
}

TEST(OdcnCheckpoint, RefusesWhatIsNone)
{
    TemporaryFile file;
    OdcnToyProblem problem(16);
    auto complaint = [&] { return Complaint([&] { Policy(file.path)->Decide(problem); }); };
    EXPECT_NE(complaint().find("cannot be read"), std::string::npos);
    EXPECT_NE(Complaint([&] { Policy("")->Decide(problem); }).find("names no file"),
              std::string::npos);
    EXPECT_NE(
        Complaint([&] { Policy(testing::TempDir())->Decide(problem); }).find("cannot be read"),
        std::string::npos);
    file.Write("");
    EXPECT_EQ(complaint(), file.path + ": not an odcn checkpoint");
    file.Write("job,arrival\n1,2\n");
    EXPECT_EQ(complaint(), file.path + ": not an odcn checkpoint");

    OdcnCheckpoint::Of(*Make("ns3::odcn::OdcnMlpNetwork")).Save(file.path);
    const auto bytes = file.Read();
    for (std::size_t size : {8UL, 20UL, 100UL, bytes.size() / 2, bytes.size() - 1})
    {
        file.Write(bytes.substr(0, size));
        EXPECT_EQ(complaint(), file.path + ": the checkpoint is cut short") << size;
    }
    for (std::size_t at : {30UL, 200UL, bytes.size() - 3})
    {
        auto damaged = bytes;
        damaged[at] ^= 4;
        file.Write(damaged);
        EXPECT_EQ(complaint(), file.path + ": the checkpoint is damaged") << at;
    }
    file.Write(bytes + "x");
    EXPECT_EQ(complaint(), file.path + ": the checkpoint is damaged");
    auto newer = bytes;
    newer[8] = 2;
    file.Write(newer);
    EXPECT_NE(complaint().find("version 2"), std::string::npos);
    file.Write(bytes);
    EXPECT_LT(Policy(file.path)->Decide(problem), 16U);
}

TEST(OdcnCheckpoint, RefusesNetworksItDoesNotKnow)
{
    TemporaryFile file;
    auto c = OdcnCheckpoint::Of(*Make("ns3::odcn::OdcnMlpNetwork"));
    c.networkType = "ns3::odcn::OdcnNetworkOfTomorrow";
    c.Save(file.path);
    EXPECT_NE(Complaint([&] { OdcnCheckpoint::Load(file.path).MakeNetwork(file.path, {32}, 16); })
                  .find("OdcnNetworkOfTomorrow"),
              std::string::npos);
    c = OdcnCheckpoint::Of(*Make("ns3::odcn::OdcnMlpNetwork"));
    c.networkAttributes["HiddenUnits"] = "64";
    EXPECT_NE(Complaint([&] { c.MakeNetwork("f", {32}, 16); }).find("do not fit"),
              std::string::npos);
}

TEST(OdcnCheckpoint, LeavesTheOldFileWhereItCannotWrite)
{
    auto c = OdcnCheckpoint::Of(*Make("ns3::odcn::OdcnMlpNetwork"));
    EXPECT_THROW(c.Save(testing::TempDir() + "no/such/folder/file"), OdcnError);
}

TEST(OdcnTorchScriptPolicy, RefusesWhatIsNone)
{
    TemporaryFile file;
    OdcnToyProblem problem;
    auto policy = CreateObject<OdcnTorchScriptPolicy>();
    policy->SetAttribute("File", StringValue(file.path));
    EXPECT_NE(Complaint([&] { policy->Decide(problem); }).find("cannot be read"),
              std::string::npos);
    file.Write("not a module");
    EXPECT_NE(Complaint([&] { policy->Decide(problem); }).find("not a TorchScript module"),
              std::string::npos);
}

TEST(OdcnTorchScriptPolicy, DecidesByATensorOrATuple)
{
    // One module returns the first half of an observation as logits, one the second half in a
    // tuple.
    for (const uint32_t half : {0U, 1U})
    {
        auto policy = CreateObject<OdcnTorchScriptPolicy>();
        policy->SetAttribute("File",
                             StringValue(std::string("test/data") +
                                         (half ? "/second-half-tuple.pt" : "/first-half.pt")));
        OdcnToyProblem problem;
        std::vector<float> x(12);
        std::vector<uint8_t> mask(6);
        for (int i = 0; i < 50; ++i)
        {
            problem.Observe(x.data());
            problem.Mask(mask.data());
            uint32_t expected = 0;
            for (uint32_t a = 0; a < 6; ++a)
            {
                expected = mask[a] && x[6 * half + a] > x[6 * half + expected] ? a : expected;
            }
            EXPECT_EQ(policy->Decide(problem), expected);
            problem.Act(0);
        }
        OdcnToyProblem smaller(3);
        EXPECT_NE(Complaint([&] { policy->Decide(smaller); }).find("changed its size"),
                  std::string::npos);
        OdcnToyProblem larger(7);
        auto fresh = CreateObject<OdcnTorchScriptPolicy>();
        fresh->SetAttribute("File", StringValue(std::string("test/data") + "/first-half.pt"));
        EXPECT_NE(Complaint([&] { fresh->Decide(larger); }).find("6 logits"), std::string::npos);
    }
}
