// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Properties of all networks, user-defined networks, and the functions of Mlp, Scorer and
 * Attention.
 */

#include "odcn-graph-toy.h"

#include "ns3/odcn-policy-network.h"

#include <thread>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param words network  @param actions number  @return shape of a problem for it
ProblemShape
MakeShape(const std::string& words, int64_t actions = 16)
{
    ProblemShape shape;
    shape.actions = actions;
    if (words.find("Graph") != std::string::npos)
    {
        const auto graph = ToyTree(4, static_cast<uint32_t>(actions) / 4, 2);
        shape.graph = std::make_shared<const GraphObservation>(graph);
        shape.observation = {graph.GetSize()};
    }
    else if (words.find("Cnn") != std::string::npos)
    {
        shape.observation = {2, actions / 4, 4};
    }
    else
    {
        shape.observation = {2 * actions};
    }
    return shape;
}

/// @param words network  @param actions number  @return the network with random parameters
std::shared_ptr<PolicyNetwork>
Make(const std::string& words, int64_t actions = 16)
{
    return PolicyNetwork::Create(words, MakeShape(words, actions), 3);
}

/// @param shape of a problem  @param n number  @return observations from -1 to 1
torch::Tensor
Observations(const ProblemShape& shape, int64_t n)
{
    std::vector<int64_t> sizes{n};
    sizes.insert(sizes.end(), shape.observation.begin(), shape.observation.end());
    torch::manual_seed(5);
    return 2.0F * torch::rand(sizes) - 1.0F;
}

/// @return the greatest difference of two tensors of one size
float
Difference(const torch::Tensor& a, const torch::Tensor& b)
{
    EXPECT_EQ(a.sizes(), b.sizes());
    return (a - b).abs().max().item<float>();
}

/// @param words network for 16 actions  @return the error on its creation
std::string
GetCreateError(const std::string& words)
{
    return GetRefusal([&] { Make(words); });
}

/// As in the documentation of PolicyNetwork.
struct TwoLayers : PolicyNetwork
{
    torch::nn::Linear hidden, policy, value;

    explicit TwoLayers(const ProblemShape& shape)
        : hidden(register_module("hidden", torch::nn::Linear(shape.GetSize(), 64))),
          policy(register_module("policy", torch::nn::Linear(64, shape.actions))),
          value(register_module("value", torch::nn::Linear(64, 1)))
    {
    }

    PolicyOutput forward(torch::Tensor x) override
    {
        x = torch::relu(hidden(x.flatten(1)));
        return {policy(x), value(x).flatten()};
    }
};

ODCN_REGISTER_NETWORK(TwoLayers)

/// Options of all types, and errors on request.
struct Misfit : PolicyNetwork
{
    struct Options
    {
        bool column{false};
        double scale{0.5};
        std::vector<double> factors{1.5};
        std::vector<int64_t> sizes;
        std::string fault{"none"};
        NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT(Options, column, scale, factors, sizes, fault)
    };

    Options options;
    torch::nn::Linear policy;
    torch::nn::Linear unused;

    Misfit(const ProblemShape& shape, const Options& options)
        : options(options),
          policy(register_module("policy", torch::nn::Linear(shape.GetSize(), shape.actions))),
          unused(register_module("unused", torch::nn::Linear(3, 3)))
    {
        register_buffer("mean", torch::rand({2}));
        if (options.fault == "matrix")
        {
            torch::zeros({2, 3}).mm(torch::zeros({2, 3}));
        }
    }

    PolicyOutput forward(torch::Tensor x) override
    {
        auto values = torch::full({x.size(0)}, options.scale);
        return {policy(x.flatten(1)), options.column ? values.unsqueeze(1) : values};
    }
};

ODCN_REGISTER_NETWORK(Misfit)

} // namespace

using PolicyNetworks = testing::TestWithParam<const char*>;

TEST_P(PolicyNetworks, RowsDoNotDependOnTheBatch)
{
    torch::NoGradGuard noGrad;
    const auto network = Make(GetParam());
    const auto x = Observations(network->GetShape(), 7);
    const auto all = network->forward(x);
    ASSERT_EQ(all.logits.sizes(), (std::vector<int64_t>{7, 16}));
    ASSERT_EQ(all.values.sizes(), (std::vector<int64_t>{7}));
    EXPECT_TRUE(torch::equal(network->GetLogits(x), all.logits));
    for (int64_t i = 0; i < 7; ++i)
    {
        const auto one = network->forward(x.slice(0, i, i + 1));
        EXPECT_LT(Difference(one.logits[0], all.logits[i]), 1e-5) << i;
        EXPECT_LT(Difference(one.values[0], all.values[i]), 1e-5) << i;
    }
    EXPECT_GT(Difference(all.logits[0], all.logits[1]), 1e-3) << "they depend on their row";
}

TEST_P(PolicyNetworks, ThreadsMayShareOne)
{
    const auto network = Make(GetParam());
    const auto x = Observations(network->GetShape(), 5);
    torch::NoGradGuard noGrad;
    const auto expected = network->forward(x);
    std::vector<std::thread> threads;
    std::vector<int> wrong(2);
    for (int& mine : wrong)
    {
        threads.emplace_back(
            [&]
            {
                torch::NoGradGuard noGrad;
                for (int k = 0; k < 50; ++k)
                {
                    const auto out = network->forward(x);
                    mine += torch::equal(out.logits, expected.logits) ? 0 : 1;
                    mine += torch::equal(out.values, expected.values) ? 0 : 1;
                }
            });
    }
    for (auto& thread : threads)
    {
        thread.join();
    }
    EXPECT_EQ(wrong, (std::vector<int>{0, 0}));
}

TEST_P(PolicyNetworks, EveryParameterLearns)
{
    const auto network = Make(GetParam());
    const auto out = network->forward(Observations(network->GetShape(), 64));
    // Not the plain sum, which does not change with a bias common to all probabilities.
    ((out.logits * torch::rand(out.logits.sizes())).sum() + out.values.square().sum()).backward();
    for (const auto& parameter : network->named_parameters())
    {
        ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
        EXPECT_TRUE(parameter.value().grad().isfinite().all().item<bool>()) << parameter.key();
        EXPECT_GT(parameter.value().grad().abs().max().item<float>(), 0) << parameter.key();
    }
}

TEST_P(PolicyNetworks, LogitsDependOnThePolicysParameters)
{
    const auto network = Make(GetParam());
    const auto x = Observations(network->GetShape(), 4);
    const auto used = network->GetPolicyParameters();
    torch::NoGradGuard noGrad;
    const auto before = network->GetLogits(x);
    for (const auto& parameter : network->parameters())
    {
        const bool isUsed =
            std::any_of(used.begin(),
                        used.end(),
                        [&](const auto& other) { return other.is_same(parameter); });
        const auto kept = parameter.clone();
        parameter.add_(torch::rand(parameter.sizes()));
        EXPECT_EQ(torch::equal(network->GetLogits(x), before), !isUsed);
        parameter.copy_(kept);
    }
}

TEST_P(PolicyNetworks, SeedsAndOptionsMakeThemAgain)
{
    const auto network = Make(GetParam());
    const auto again = PolicyNetwork::Create(GetParam(), network->GetShape(), 3);
    const auto other = PolicyNetwork::Create(GetParam(), network->GetShape(), 4);
    const auto built =
        PolicyNetwork::Build(network->GetName(), network->GetOptions(), network->GetShape());
    EXPECT_EQ(built->GetOptions(), network->GetOptions());
    for (std::size_t i = 0; i < network->parameters().size(); ++i)
    {
        const auto expected = network->parameters()[i];
        EXPECT_TRUE(torch::equal(again->parameters()[i], expected)) << i;
        EXPECT_EQ(built->parameters()[i].sizes(), expected.sizes()) << i;
    }
    EXPECT_FALSE(torch::equal(other->parameters()[0], network->parameters()[0]));
}

TEST_P(PolicyNetworks, CopiesAreEqualAndApart)
{
    torch::NoGradGuard noGrad;
    const auto network = Make(GetParam());
    const auto copy = network->Copy();
    const auto x = Observations(network->GetShape(), 3);
    const auto before = network->forward(x);
    EXPECT_TRUE(torch::equal(copy->forward(x).logits, before.logits));
    EXPECT_TRUE(torch::equal(copy->forward(x).values, before.values));
    EXPECT_EQ(copy->GetName(), network->GetName());
    EXPECT_EQ(copy->GetOptions(), network->GetOptions());
    EXPECT_EQ(copy->GetShape().observation, network->GetShape().observation);
    for (auto& parameter : copy->parameters())
    {
        parameter.add_(1.0);
    }
    EXPECT_TRUE(torch::equal(network->forward(x).logits, before.logits));
    EXPECT_FALSE(torch::equal(copy->forward(x).logits, before.logits));
}

INSTANTIATE_TEST_SUITE_P(Agent, PolicyNetworks, testing::ValuesIn(ALL_NETWORKS));
INSTANTIATE_TEST_SUITE_P(User, PolicyNetworks, testing::Values("TwoLayers"));

TEST(PolicyNetwork, ParametersAreDrawnFromTheUsualRange)
{
    const auto first = Make("Mlp")->parameters()[0];
    const float bound = 1.0F / std::sqrt(32.0F);
    EXPECT_GE(first.min().item<float>(), -bound);
    EXPECT_LE(first.max().item<float>(), bound);
    EXPECT_LT(first.min().item<float>(), -0.99F * bound);
    EXPECT_GT(first.max().item<float>(), 0.99F * bound);
}

TEST(PolicyNetwork, SizesAreThoseOfThePaper)
{
    const auto count = [](const PolicyNetwork& network)
    { return SumOf<int64_t>(network.parameters(), &torch::Tensor::numel); };
    // 32-128-128-128-128-128-16 and the same to 1.
    const int64_t trunk = 33 * 128 + 4 * 129 * 128;
    EXPECT_EQ(count(*Make("Mlp")), 2 * trunk + 129 * 16 + 129);
    EXPECT_EQ(count(*Make("Scorer")), 17 * 64 + 65 * 64 + 65 + 10 * 64 + 65 * 64 + 65);
}

TEST(PolicyNetwork, OptionsInWordsHaveTheTypeOfTheirDefault)
{
    const auto network =
        Make("Misfit[column=false|scale=2|factors=0.5,3|sizes=4,5|fault=no, really]");
    const auto options = nlohmann::json::parse(network->GetOptions());
    EXPECT_EQ(options,
              nlohmann::json::parse(R"({"column": false, "scale": 2.0, "factors": [0.5, 3.0],
                                        "sizes": [4, 5], "fault": "no, really"})"));
    EXPECT_EQ(nlohmann::json::parse(Make("Misfit[sizes=]")->GetOptions())["sizes"].size(), 0U);
    EXPECT_EQ(Make("Misfit[scale=.25]")->forward(torch::zeros({1, 32})).values.item<float>(),
              0.25F);
}

TEST(PolicyNetwork, SaysWhatIsWrong)
{
    // Other tests register additional networks.
    EXPECT_EQ(GetCreateError("Mlq").find("network: found 'Mlq', expected one of Attention, Cnn, "),
              0U);
    for (const char* name : {"Mlp", "Scorer", "TwoLayers"})
    {
        EXPECT_TRUE(Has(GetCreateError("Mlq"), std::string(", ") + name)) << name;
    }
    EXPECT_EQ(GetCreateError("Mlp[depth=2]"),
              "network Mlp: found 'depth', expected one of its options: activation, layers, units");
    EXPECT_EQ(GetCreateError("TwoLayers[units=2]"),
              "network TwoLayers: found 'units', expected one of its options: none");
    EXPECT_EQ(GetCreateError("Mlp[units=many]"),
              "network Mlp: found 'units=many', expected a value as in units=128");
    EXPECT_EQ(GetCreateError("Scorer[hidden=64,,64]"),
              "network Scorer: found 'hidden=64,,64', expected a value as in hidden=64,64");
    for (const char* words : {"Mlp[units=1.5]",
                              "Mlp[units=]",
                              "Scorer[hidden=4.5]",
                              "Scorer[hidden=64,]",
                              "Scorer[hidden=99999999999999999999]",
                              "Misfit[column=maybe]",
                              "Misfit[scale=nan]",
                              "Misfit[sizes=x]"})
    {
        EXPECT_TRUE(Has(GetCreateError(words), "expected a value as in")) << words;
    }
    for (const char* words : {"Mlp[units",
                              "Mlp[units]",
                              "Mlp[units=0]",
                              "Mlp[units=65537]",
                              "Mlp[layers=65]",
                              "Mlp[layers=-1]",
                              "Mlp[activation=Sine]",
                              "Mlp[activation=\xff]",
                              "Mlp[units=65536]",
                              "Scorer[hidden=0]",
                              "Scorer[inputs=both]",
                              "Attention[heads=5]",
                              "Attention[heads=0]",
                              "Attention[units=0]",
                              "Cnn[hidden=0]",
                              ""})
    {
        EXPECT_NE(GetCreateError(words), "") << words;
    }
    ProblemShape shape;
    shape.observation = {33};
    shape.actions = 16;
    EXPECT_EQ(GetRefusal([&] { PolicyNetwork::Create("Scorer", shape, 1); }),
              "this network needs as many observed numbers for every action, found 33 for 16 "
              "actions");
    shape.observation = {65536, 65536};
    EXPECT_EQ(GetRefusal([&] { PolicyNetwork::Create("Mlp", shape, 1); }),
              "a network needs from 1 to 2^24 actions and observed numbers, found 65536 x 65536 "
              "numbers and 16 actions");
    shape.observation = {32};
    EXPECT_EQ(GetRefusal([&] { PolicyNetwork::Build("Mlp", "[]", shape); }),
              "options of network Mlp: found '[]', expected a JSON object");
    EXPECT_REFUSAL(PolicyNetwork::Build("Mlp", R"({"units": "8"})", shape), "as in units=128");
}

TEST(PolicyNetwork, RefusesNetworksThatAreNone)
{
    EXPECT_EQ(GetCreateError("Misfit[column=true]"),
              "network Misfit: forward() of n observations has to give logits [n, 16] and values "
              "[n]; for n = 2 it gave [2, 16] and [2, 1]");
    EXPECT_EQ(GetCreateError("Misfit[fault=matrix]").find("network Misfit: mat1 and mat2"), 0U);
    EXPECT_THROW(PolicyNetwork::Register("Mlp", {}, {}), OdcnError);
    EXPECT_THROW(TwoLayers(MakeShape("TwoLayers")).Copy(), OdcnError);
}

TEST(PolicyNetwork, CopiesBuffersToo)
{
    const auto network = Make("Misfit");
    EXPECT_TRUE(torch::equal(network->Copy()->buffers()[0], network->buffers()[0]));
}

TEST(PolicyNetwork, FitsWhatItWasBuiltFor)
{
    const auto network = PolicyNetwork::Create("Mlp", ProblemShape(ToyProblem(16)), 1);
    EXPECT_NO_THROW(network->RequireFit(ToyProblem(16)));
    EXPECT_EQ(GetRefusal([&] { network->RequireFit(ToyProblem(32)); }),
              "the network is built for 32 numbers and 16 actions, the problem has 64 numbers and "
              "32 actions");
}

TEST(PolicyNetwork, NamesParametersThatAreNotFinite)
{
    const auto network = Make("Mlp[layers=2]");
    EXPECT_NO_THROW(network->RequireFinite("file.pt"));
    torch::NoGradGuard noGrad;
    network->parameters()[2][5][7] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(GetRefusal([&] { network->RequireFinite("file.pt"); }),
              "file.pt: parameter policy.2.weight has numbers that are not finite");
}

using AnyNumberOfActions = testing::TestWithParam<const char*>;

TEST_P(AnyNumberOfActions, TreatsAllAlike)
{
    torch::NoGradGuard noGrad;
    const auto network = Make(GetParam());
    const auto x = Observations(network->GetShape(), 3);
    const auto rotated = x.view({3, 2, 16}).roll(5, 2).reshape({3, 32});
    const auto before = network->forward(x);
    const auto after = network->forward(rotated);
    EXPECT_LT(Difference(after.logits, before.logits.roll(5, 1)), 1e-5);
    EXPECT_LT(Difference(after.values, before.values), 1e-5);
}

TEST_P(AnyNumberOfActions, ParametersServeOtherSizes)
{
    torch::NoGradGuard noGrad;
    const auto network = Make(GetParam());
    const auto larger = Make(GetParam(), 64);
    ASSERT_EQ(network->parameters().size(), larger->parameters().size());
    for (std::size_t i = 0; i < network->parameters().size(); ++i)
    {
        ASSERT_EQ(network->parameters()[i].sizes(), larger->parameters()[i].sizes());
        larger->parameters()[i].copy_(network->parameters()[i]);
    }
    // Every rack four times: means, extremes and attention do not change, ranks do.
    const auto x = Observations(network->GetShape(), 2);
    const auto four = x.view({2, 2, 16}).repeat({1, 1, 4}).reshape({2, 128});
    const auto small = network->forward(x);
    const auto large = larger->forward(four);
    if (std::string(GetParam()) != "Scorer")
    {
        EXPECT_LT(Difference(large.logits, small.logits.repeat({1, 4})), 1e-5);
    }
    EXPECT_LT(Difference(large.values, small.values), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Agent,
    AnyNumberOfActions,
    testing::Values("Scorer", "Scorer[inputs=own]", "Attention", "Mixture[gate=1|experts=3]"));

TEST(Mixture, DecidesAsTheSumThatItsGateChooses)
{
    const auto network = Make("Mixture[gate=1|experts=2|hidden=8]");
    const std::vector<std::vector<float>> sums{{1.0F, 0.5F}, {-2.0F, 0.25F}};
    network->AdoptSums([&] { return sums; });
    const auto x = Observations(network->GetShape(), 200);
    const auto actions = network->GetShape().GetActions(x);
    const auto own = [&](int64_t row, const std::vector<float>& sum)
    { return 100.0F * actions[row].matmul(torch::tensor(sum)); };
    std::vector<int> chosen(2);
    int between = 0;
    const auto soft = network->GetLogits(x).detach();
    const torch::NoGradGuard noGrad;
    const auto hard = network->GetLogits(x);
    for (int64_t i = 0; i < 200; ++i)
    {
        const bool second = Difference(hard[i], own(i, sums[1])) < 1e-3;
        ASSERT_TRUE(second || Difference(hard[i], own(i, sums[0])) < 1e-3) << i;
        ++chosen[second];
        between += Difference(soft[i], hard[i]) > 1e-3;
    }
    EXPECT_GT(chosen[0] + chosen[1], 0);
    EXPECT_GT(between, 190) << "while it learns, both sums count";
    // What its gate reads decides: the mean of a feature.
    network->named_parameters()["gate.2.bias"].copy_(torch::tensor({50.0F, 0.0F}));
    EXPECT_LT(Difference(network->GetLogits(x)[0], own(0, sums[0])), 1e-3);
    network->named_parameters()["gate.2.bias"].copy_(torch::tensor({0.0F, 50.0F}));
    EXPECT_LT(Difference(network->GetLogits(x)[0], own(0, sums[1])), 1e-3);
}

TEST(Mixture, LearnersLeaveSumsAloneUnlessToldOtherwise)
{
    for (const std::string fixed : {"true", "false"})
    {
        const auto network = Make("Mixture[gate=0,1|fixed=" + fixed + "]");
        const auto out = network->forward(Observations(network->GetShape(), 64));
        ((out.logits * torch::rand(out.logits.sizes())).sum() + out.values.sum()).backward();
        const auto parameters = network->named_parameters();
        EXPECT_EQ(parameters["experts"].grad().defined(), fixed == "false");
        EXPECT_GT(parameters["gate.0.weight"].grad().abs().max().item<float>(), 0);
        const auto used = network->GetPolicyParameters();
        EXPECT_EQ(used.size(), fixed == "false" ? 5U : 4U);
    }
}

TEST(Mixture, ReadsFeaturesByNameAndByIndexInFilesOfEarlierVersions)
{
    ProblemShape shape = MakeShape("Mixture");
    shape.features = {"load", "1"};
    const auto x = Observations(shape, 20);
    const auto decide = [&](const std::string& gate)
    {
        return PolicyNetwork::Create("Mixture[experts=2|hidden=8|gate=" + gate + "]", shape, 3)
            ->GetLogits(x);
    };
    EXPECT_TRUE(torch::equal(decide("load"), decide("0")));
    EXPECT_TRUE(torch::equal(decide("load,1"), decide("0,1")));
    EXPECT_FALSE(torch::equal(decide("0"), decide("1")));
    // A name comes before an index.
    std::reverse(shape.features.begin(), shape.features.end());
    EXPECT_TRUE(torch::equal(decide("1"), decide("0")));
    EXPECT_FALSE(torch::equal(decide("load"), decide("0")));
    EXPECT_REFUSAL(decide("laod"), "did you mean load");
    // Options of a checkpoint of version 0.3.
    for (const char* gate : {"[0]", "[\"0\"]"})
    {
        const std::string options = std::string(R"({"gate": )") + gate + "}";
        EXPECT_NO_THROW(PolicyNetwork::Build("Mixture", options, MakeShape("Mixture"))) << gate;
    }
    EXPECT_REFUSAL(PolicyNetwork::Build("Mixture", R"({"gate": [2]})", MakeShape("Mixture")),
                   "found '2'");
    EXPECT_REFUSAL(PolicyNetwork::Build("Mixture", R"({"gate": [true]})", MakeShape("Mixture")),
                   "gate");
}

TEST(Mixture, SaysWhatIsWrong)
{
    EXPECT_REFUSAL(Make("Mixture"), "gate");
    EXPECT_REFUSAL(Make("Mixture[gate=2]"), "found '2'");
    EXPECT_REFUSAL(Make("Mixture[gate=-1]"), "found '-1'");
    EXPECT_REFUSAL(Make("Mixture[gate=0.5]"), "found '0.5'");
    EXPECT_REFUSAL(Make("Mixture[gate=0|experts=0]"), "experts");
    EXPECT_REFUSAL(Make("Mixture[gate=0|experts=3]")
                       ->AdoptSums(
                           [] {
                               return PolicyNetwork::Sums{{1, 2}, {3, 4}};
                           }),
                   "expected 2, the number of sums");
}

TEST(Scorer, DescribesAsWorkedByHand)
{
    // Two features of four actions; the first is infeasible by its second feature.
    const std::vector<float> x{4, 1, 3, 1, -1, 0.5F, 2, 0.5F};
    ProblemShape shape;
    shape.observation = {8};
    shape.actions = 4;
    const auto network = PolicyNetwork::Create("Scorer", shape, 1);
    std::vector<float> rows(4 * 16);
    std::vector<float> pooled(9);
    dynamic_cast<DenseNetwork&>(*network).Describe(x.data(), rows.data(), pooled.data());
    const float mean = 5.0F / 3.0F;
    const std::vector<float> expected{
        4, 0, mean, 1, 3, 1,        3, -1, -1,   1, 1, 0.5F, 2, 0,        -1.5F, 3,    //
        1, 0, mean, 1, 3, 0.5F / 3, 0, 2,  0.5F, 0, 1, 0.5F, 2, 1.5F / 3, 0,     1.5F, //
        3, 0, mean, 1, 3, 2.0F / 3, 2, 0,  2,    0, 1, 0.5F, 2, 1,        1.5F,  0,    //
        1, 0, mean, 1, 3, 0.5F / 3, 0, 2,  0.5F, 0, 1, 0.5F, 2, 1.5F / 3, 0,     1.5F};
    EXPECT_TRUE(AllNear(rows, expected, 1e-6));
    const std::vector<float> expectedPooled{mean, 1, 3, 0, 1, 0.5F, 2, 0.25F, 0.75F};
    EXPECT_TRUE(AllNear(pooled, expectedPooled, 1e-6));
    const auto own = PolicyNetwork::Create("Scorer[inputs=own]", shape, 1);
    std::vector<float> ownRows(8);
    std::vector<float> ownPooled(9);
    dynamic_cast<DenseNetwork&>(*own).Describe(x.data(), ownRows.data(), ownPooled.data());
    EXPECT_EQ(ownRows, (std::vector<float>{4, -1, 1, 0.5F, 3, 2, 1, 0.5F}));
    EXPECT_EQ(ownPooled, pooled);
}

TEST(Scorer, WithoutFeasibleActionsAllCount)
{
    const std::vector<float> x{-1, -3, 1, 2};
    ProblemShape shape;
    shape.observation = {4};
    shape.actions = 2;
    const auto network = PolicyNetwork::Create("Scorer", shape, 1);
    std::vector<float> rows(2 * 16);
    std::vector<float> pooled(9);
    dynamic_cast<DenseNetwork&>(*network).Describe(x.data(), rows.data(), pooled.data());
    EXPECT_EQ(pooled, (std::vector<float>{-2, -3, -1, 1, 1.5F, 1, 2, 0, 0}));
}

TEST(MaskedLogSoftmax, MaskedActionsHaveProbabilityZero)
{
    auto logits = torch::tensor({1.0F, 2.0F, 3.0F, 1.0F, 2.0F, 3.0F}).view({2, 3});
    logits.set_requires_grad(true);
    // The second row allows no action: it is not masked.
    const auto masks = torch::tensor({1, 0, 1, 0, 0, 0}).view({2, 3}).to(torch::kBool);
    const auto logProbabilities = MaskedLogSoftmax(logits, masks);
    const auto p = logProbabilities.exp();
    const double e = std::exp(2.0);
    EXPECT_NEAR(p[0][0].item<float>(), 1 / (1 + e), 1e-6);
    EXPECT_EQ(p[0][1].item<float>(), 0);
    EXPECT_NEAR(p[0][2].item<float>(), e / (1 + e), 1e-6);
    EXPECT_LT(Difference(logProbabilities[1], logits[1].log_softmax(0)), 1e-6);
    EXPECT_TRUE(torch::equal(MaskedLogSoftmax(logits, {}), logits.log_softmax(1)));

    const auto entropy = Entropy(logProbabilities);
    const double q = 1 / (1 + e);
    EXPECT_NEAR(entropy[0].item<float>(), -q * std::log(q) - (1 - q) * std::log(1 - q), 1e-6);
    (entropy.sum() + logProbabilities.select(1, 0).sum()).backward();
    EXPECT_TRUE(logits.grad().isfinite().all().item<bool>());
    EXPECT_EQ(logits.grad()[0][1].item<float>(), 0);
    EXPECT_NE(logits.grad()[1][1].item<float>(), 0);
}

TEST(TrainingBatch, SlicesAndTakesSamples)
{
    TrainingBatch batch;
    batch.observations = torch::arange(12).view({4, 3});
    batch.actions = torch::arange(4);
    batch.advantages = 10 * torch::arange(4);
    const auto slice = batch.Slice(1, 3);
    EXPECT_EQ(slice.GetN(), 2);
    EXPECT_EQ(slice.observations[0][0].item<int>(), 3);
    EXPECT_FALSE(slice.masks.defined());
    const auto taken = batch.Take(torch::tensor({3, 0}));
    EXPECT_EQ(taken.actions[0].item<int>(), 3);
    EXPECT_EQ(taken.advantages[1].item<int>(), 0);
    EXPECT_EQ(taken.observations[0][2].item<int>(), 11);
    EXPECT_FALSE(taken.targets.defined());
    // A view shares its storage, a selection does not.
    slice.actions[0] = 7;
    EXPECT_EQ(batch.actions[1].item<int>(), 7);
    EXPECT_EQ(batch.Take(torch::tensor({1})).actions.data_ptr() == batch.actions.data_ptr(), false);
}
