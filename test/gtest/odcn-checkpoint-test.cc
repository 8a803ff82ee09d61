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
