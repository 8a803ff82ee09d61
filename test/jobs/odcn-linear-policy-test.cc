// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Linear policies: scores, files, and the forms of problems in files; and that a problem's
 * mask does not depend on an earlier observation.
 */

#include "cluster-test-system.h"
#include "icci-test-system.h"
#include "odcn-linear-toy.h"
#include "odcn-test-system.h"
#include "rddc-test-system.h"

#include "ns3/cluster-job-generator.h"
#include "ns3/odcn-circuit-problem.h"
#include "ns3/odcn-decision-explanation.h"
#include "ns3/odcn-linear-policy.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-training-problem.h"
#include "ns3/rddc-request-generator.h"

#include <bit>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param settings of Attributes
/// @param racks number
/// @return a data centre at a decision
TestSystem
MakeRacks(const std::string& settings = "", uint32_t racks = 5)
{
    TestSystem system(racks, 4, TEST_SERVER);
    system.Set(settings);
    system.Start(TestGenerator(5, 11));
    return system;
}

/// @param settings of Attributes
/// @return a disaggregated data centre at a decision
Ptr<RddcAllocation>
MakeServers(const std::string& settings = "")
{
    auto problem = CreateObject<RddcAllocation>();
    problem->SetManager(MakeRddcManager());
    problem->SetRequestSource(CreateObject<RddcRequestGenerator>());
    problem->AssignStreams(3);
    problem->Reset();
    SetParts(problem, settings);
    return problem;
}

/// @param settings of Attributes
/// @return interconnected centres at a decision
Ptr<IcciMigration>
MakeCentres(const std::string& settings = "")
{
    IcciHelper helper;
    helper.SetMesh(MakeBayMesh());
    helper.SetPreset("stated");
    auto problem = helper.CreateProblem();
    problem->AssignStreams(0);
    problem->Reset();
    SetParts(problem, settings);
    return problem;
}

/// @return a cluster at a decision
Ptr<ClusterScheduling>
MakeCluster()
{
    auto problem = CreateObject<ClusterScheduling>();
    problem->SetJobSource(CreateObject<ClusterJobGenerator>());
    problem->AssignStreams(5);
    problem->Reset();
    return problem;
}

/**
 * Two equal problems, one of which is observed before its mask is computed.
 * @param observed @param blind equal problems  @param decisions number of decisions
 */
void
ExpectEqualMasks(DecisionProblem& observed, DecisionProblem& blind, int decisions)
{
    std::mt19937_64 random(4);
    for (int i = 0; i < decisions; ++i)
    {
        const auto before = random() % 2 ? MaskOf(observed) : MaskOf(blind);
        ObservationOf(observed);
        ASSERT_EQ(MaskOf(observed), before) << i;
        ASSERT_EQ(MaskOf(blind), before) << i;
        auto action = static_cast<uint32_t>(random() % before.size());
        for (std::size_t k = 0; k < before.size() && random() % 8 != 0 && !before[action]; ++k)
        {
            action = (action + 1) % before.size();
        }
        for (auto* problem : {&observed, &blind})
        {
            problem->Act(action);
            if (problem->IsDone())
            {
                problem->Reset();
            }
        }
    }
}

} // namespace

TEST(LinearPolicy, TakesTheFirstOfTheGreatestScores)
{
    auto toy = CreateObject<LinearToy>(4);
    auto policy = CreateObject<LinearPolicy>();
    policy->SetWeights(std::vector<float>{-1, 0}, 0);
    toy->observation = {0.5F, 0.2F, 0.1F, 0.2F, 0, 0, 1, 0};
    EXPECT_EQ(policy->Decide(*toy), 1U) << "action 2 is forbidden, 1 is the first of equals";
    policy->SetAttribute("UseMask", BooleanValue(false));
    EXPECT_EQ(policy->Decide(*toy), 2U);
    policy->SetWeights(std::vector<float>{0, 0}, 3);
    EXPECT_EQ(policy->Decide(*toy), 0U);
}

TEST(LinearPolicy, AddsInOrderInSinglePrecision)
{
    // (1 + 2^-24) + 2^-24 rounds to 1 at each step in this order; any other order gives 1 + 2^-23.
    const float tiny = 0x1p-24F;
    auto toy = CreateObject<LinearToy>(2);
    toy->observation = {tiny, 0, tiny, 0};
    auto policy = CreateObject<LinearPolicy>();
    policy->SetWeights(std::vector<float>{1, 1}, 1);
    EXPECT_EQ(policy->Decide(*toy), 0U);
    toy->observation = {0, tiny, 0, tiny};
    EXPECT_EQ(policy->Decide(*toy), 0U) << "the bias comes first: both scores are 1";
    policy->SetWeights(std::vector<float>{1, 1}, 0);
    EXPECT_EQ(policy->Decide(*toy), 1U);
}

TEST(LinearPolicy, ScoresTheCandidatesOfAGraph)
{
    auto problem = MakeServers();
    const std::size_t features = LinearPolicy::CountFeatures(*problem);
    ASSERT_EQ(features, 3U);
    auto policy = CreateObject<LinearPolicy>();
    RandomServer other(7);
    std::mt19937_64 random(8);
    for (int i = 0; i < 500; ++i)
    {
        std::vector<float> weights(features);
        for (float& w : weights)
        {
            w = std::normal_distribution<float>()(random);
        }
        policy->SetWeights(weights, 0.5F);
        const auto seen = ObservationOf(*problem);
        const auto mask = MaskOf(*problem);
        uint32_t best = UINT32_MAX;
        float most = 0;
        for (uint32_t server = 0; server < mask.size(); ++server)
        {
            float score = 0.5F;
            for (std::size_t f = 0; f < features; ++f)
            {
                score += weights[f] * seen[server * features + f];
            }
            if (mask[server] && (best == UINT32_MAX || score > most))
            {
                best = server;
                most = score;
            }
        }
        ASSERT_EQ(policy->Decide(*problem), best);
        problem->Act(other.Decide(*problem));
    }
}

TEST(DecisionExplanation, EffectsOfASumAddUpToTheLeadOverTheMean)
{
    auto system = MakeRacks("State=Placement");
    auto policy = CreateObject<LinearPolicy>();
    std::mt19937_64 random(7);
    std::vector<float> weights(LinearPolicy::CountFeatures(*system.problem));
    for (float& weight : weights)
    {
        weight = float(random() % 2001) / 1000 - 1;
    }
    policy->SetWeights(weights, 0.5F);
    uint32_t compared = 0;
    for (uint32_t i = 0; i < 200; ++i)
    {
        const auto why = DecisionExplanation::Of(*policy, *system.problem);
        ASSERT_EQ(why.action, policy->Decide(*system.problem));
        ASSERT_EQ(why.feasible, MaskOf(*system.problem));
        ASSERT_EQ(why.features.size(), weights.size());
        double lead = 0;
        double nextLead = 0;
        for (std::size_t f = 0; f < weights.size(); ++f)
        {
            EXPECT_EQ(why.features[f].name, system.problem->GetFeatureNames()[f]);
            lead += why.features[f].effect;
            nextLead += why.features[f].nextEffect;
        }
        if (why.feasible[why.action] && why.next)
        {
            ++compared;
            EXPECT_NEAR(lead, why.scores[why.action] - why.GetMeanScore(), 1e-4);
            EXPECT_NEAR(nextLead, why.scores[*why.next] - why.GetMeanScore(), 1e-4);
            for (uint32_t a = 0; a < why.scores.size(); ++a)
            {
                EXPECT_TRUE(!why.feasible[a] || a == why.action ||
                            why.scores[a] <= why.scores[*why.next]);
                EXPECT_TRUE(!why.feasible[a] || why.scores[a] <= why.scores[why.action]);
            }
        }
        system.problem->Act(why.action);
    }
    EXPECT_GT(compared, 50U);
}

TEST(DecisionExplanation, NeedsScoresAndNames)
{
    auto system = MakeRacks("State=Placement");
    const auto rule = DecisionPolicy::Create("odcn-jcb");
    EXPECT_REFUSAL(DecisionExplanation::Of(*rule, *system.problem), "without scores");
    auto toy = CreateObject<LinearToy>(4);
    toy->observation = {0.5F, 0.2F, 0.1F, 0.2F, 0, 0, 1, 0};
    EXPECT_REFUSAL(DecisionExplanation::Of(*rule, *toy), "no single actions");
}

TEST(LinearPolicy, SaysWhatDoesNotFit)
{
    auto policy = CreateObject<LinearPolicy>();
    auto toy = CreateObject<LinearToy>(4);
    EXPECT_EQ(GetRefusal([&] { policy->Decide(*toy); }),
              "ns3::odcn::LinearPolicy: the Attribute File names no file");
    policy->SetWeights(std::vector<float>{1, 2, 3}, 0);
    EXPECT_EQ(GetRefusal([&] { policy->Decide(*toy); }),
              "a linear policy: found 3 weights, ns3::odcn::DecisionProblem of 2 x 4 and 4 "
              "actions needs 2");
    EXPECT_THROW(policy->SetWeights(std::vector<float>{NAN}, 0), OdcnError);
    EXPECT_THROW(policy->SetWeights({}, std::numeric_limits<float>::infinity()), OdcnError);
    EXPECT_THROW(policy->SetWeights({}, -3e38F), OdcnError);
    EXPECT_EQ(policy->GetWeights().size(), 3U) << "as it was";
    auto centres = MakeCentres();
    EXPECT_REFUSAL(policy->Decide(*centres), "42 for 11 actions");
}

TEST(LinearPolicy, FilesAreReadBackBitForBit)
{
    auto system = MakeRacks("State=Placement");
    std::vector<float> weights(3 * std::size_t{OdcnRackFeatures::COUNT});
    std::mt19937 random(9);
    for (float& w : weights)
    {
        do
        {
            w = std::bit_cast<float>(static_cast<uint32_t>(random()));
        } while (!(std::abs(w) <= 1e30F));
    }
    weights[0] = 0.1F;
    weights[1] = -0.0F;
    weights[2] = std::numeric_limits<float>::denorm_min();
    weights[3] = 1e30F;
    weights[4] = -0.7290547F;
    auto policy = CreateObject<LinearPolicy>();
    policy->SetWeights(weights, 1.0F / 3);
    TemporaryPath file("linear");
    policy->Save(file.path, *system.problem, {{"command", "a \"b\" \xff"}, {"seed", "1"}});

    auto loaded = CreateObject<LinearPolicy>();
    loaded->SetAttribute("File", StringValue(file.path));
    ASSERT_EQ(loaded->GetWeights().size(), weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        EXPECT_EQ(std::bit_cast<uint32_t>(loaded->GetWeights()[i]),
                  std::bit_cast<uint32_t>(weights[i]));
    }
    EXPECT_EQ(loaded->GetBias(), 1.0F / 3);
    EXPECT_EQ(loaded->GetProvenance().at("seed"), "1");
    EXPECT_EQ(loaded->GetFile(), file.path);
    EXPECT_EQ(loaded->GetForm()->actions, 5U);
    const auto json = nlohmann::json::parse(ReadText(file.path));
    EXPECT_EQ(json["features"][1], "16:122:3200 free-cores");
    EXPECT_EQ(json["weights"][0].dump(), "0.1") << "as short as can be";
    const std::string first = ReadText(file.path);
    loaded->Save(file.path, *system.problem, loaded->GetProvenance());
    EXPECT_EQ(ReadText(file.path), first);
}

TEST(LinearPolicy, BringsTheSettingOfItsTraining)
{
    const std::string type = "ns3::odcn::IcciMigration";
    auto centres = MakeCentres("State=Moves");
    auto policy = CreateObject<LinearPolicy>();
    policy->SetWeights(std::vector<float>(centres->GetFeatureNames().size(), 1.0F), 0);
    TemporaryPath file("recorded", ".json");
    policy->Save(file.path, *centres, {{"outlook", "6"}, {"routing", "LeastUsed"}});
    const auto find = [&](const std::string& text)
    {
        auto settings = PolicyRegistry::Find(type, text).settings;
        return settings["Outlook"];
    };
    EXPECT_EQ(find(file.path), "6");
    EXPECT_EQ(find("linear[File=" + file.path + "]"), "6");
    EXPECT_EQ(find(file.path + "@3"), "3") << "the command says otherwise";
    EXPECT_EQ(find("linear"), "") << "no file yet";
    auto later = PolicyRegistry::Find(type, "linear");
    later.SetFile(file.path);
    later.Configure(*centres, *later.Create());
    EXPECT_EQ(centres->Get("Outlook"), "6");

    policy->Save(file.path, *centres, {{"seed", "1"}});
    EXPECT_EQ(find(file.path), "") << "it records nothing";
    EXPECT_THROW(centres->Get("Sight"), OdcnError);
}

TEST(LinearPolicy, ShippedFilesFitTheirProblems)
{
    auto system = MakeRacks();
    auto servers = MakeServers();
    auto centres = MakeCentres();
    const Ptr<DecisionProblem> training = CreateObject<TrainingProblem>();
    training->AssignStreams(1);
    training->Reset();
    const auto circuits = CreateObject<CircuitProblem>(CircuitProblem::Runner());
    circuits->Follow({.times = {2, 1, 3, 4, 5}, .settled = {2, 1, 3, 4, 5}});
    const std::map<std::string, Ptr<DecisionProblem>> problems{
        {"ns3::odcn::OdcnScheduling", system.problem},
        {"ns3::odcn::RddcAllocation", servers},
        {"ns3::odcn::IcciMigration", centres},
        {"ns3::odcn::TrainingProblem", training},
        {"ns3::odcn::CircuitProblem", circuits}};
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(ODCN_DATA_DIR))
    {
        const std::string name = entry.path().filename().string();
        if (name.rfind("linear-", 0) != 0)
        {
            continue;
        }
        auto policy = CreateObject<LinearPolicy>();
        policy->SetFile(entry.path().string());
        auto& problem = *problems.at(policy->GetForm()->problem);
        policy->Configure(problem);
        EXPECT_LT(policy->Decide(problem), problem.GetNActions());
        EXPECT_EQ(policy->GetWeights().size(), problem.GetFeatureNames().size());
        EXPECT_EQ(ObservationForm::Of(problem).attributes, policy->GetForm()->attributes) << name;
        ++files;
    }
    EXPECT_GE(files, 18);
}

TEST(LinearPolicy, SaysWhatIsWrongWithAFile)
{
    auto toy = CreateObject<LinearToy>(4);
    auto policy = CreateObject<LinearPolicy>();
    policy->SetWeights(std::vector<float>{1, 2}, 3);
    TemporaryPath file("broken");
    policy->Save(file.path, *toy, {});
    const std::string good = ReadText(file.path);
    const auto without = [&](const std::string& key)
    {
        auto json = nlohmann::json::parse(good);
        json.erase(key);
        return json.dump();
    };
    const auto with = [&](const std::string& key, const std::string& value)
    {
        auto json = nlohmann::json::parse(good);
        json[key] = nlohmann::json::parse(value);
        return json.dump();
    };
    const std::vector<std::pair<std::string, std::string>> broken{
        {"", "expected a linear policy"},
        {"PK\x03\x04", "expected a linear policy"},
        {"[]", "expected a linear policy"},
        {good.substr(0, good.size() / 2), "expected a linear policy"},
        {with("policy", "\"tree\""), "expected a linear policy"},
        {without("weights"), "not complete"},
        {without("bias"), "not complete"},
        {without("form"), "not complete"},
        {with("weights", "7"), "not complete"},
        {with("provenance", "[1]"), "not complete"},
        {with("weights", "[1, \"x\"]"), "expected finite numbers"},
        {with("weights", "[1, null]"), "expected finite numbers"},
        {with("bias", "1e39"), "expected finite numbers"},
        {with("weights", "[3e38, 1]"), "found '3e+38', expected finite numbers from -1e30 to 1e30"},
        {with("bias", "-3e38"), "found '-3e+38', expected finite numbers"},
        {with("form", "{}"), "expected a JSON object with problem"},
        {with("form", "{\"problem\":\"a\\nb\",\"attributes\":{},\"shape\":[],\"actions\":1}"),
         "printable"},
        {with("form", "{\"problem\":\"a\",\"attributes\":{},\"shape\":[-1],\"actions\":1}"),
         "expected a count"},
        {std::string(100000, '['), "deeply nested"},
        {std::string(5000000, ' '), "expected a linear policy"},
    };
    for (const auto& [text, expected] : broken)
    {
        file.Write(text);
        const auto error = GetRefusal([&] { policy->SetFile(file.path); });
        EXPECT_EQ(error.find(file.path + ": "), 0U) << error;
        EXPECT_TRUE(Has(error, expected)) << error << ", of " << text.substr(0, 99);
        EXPECT_EQ(policy->GetBias(), 3) << "nothing has changed";
        EXPECT_EQ(policy->GetWeights().size(), 2U);
    }
    EXPECT_REFUSAL(policy->SetFile("/nonexistent/file"), "cannot be read");
    EXPECT_REFUSAL(policy->SetFile("/"), "/: cannot be read: it is a folder");
    const std::string pipe = file.path + ".pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_REFUSAL(policy->SetFile(pipe), pipe + ": cannot be read: it is a pipe");
    std::filesystem::remove(pipe);
    file.Write(good);
    policy->SetFile(file.path);
    auto other = CreateObject<LinearPolicy>();
    other->SetWeights(std::vector<float>{1}, 0);
    EXPECT_THROW(other->Save(file.path, *toy, {}), OdcnError) << "another size";
    EXPECT_THROW(policy->Save("/nonexistent/file", *toy, {}), OdcnError);
    EXPECT_EQ(ReadText(file.path), good);
}

TEST(ObservationForm, IsAppliedWhereItDiffers)
{
    auto trained = MakeRacks("State=Placement|SlotVms=8:64:64");
    const auto form = ObservationForm::Of(*trained.problem);
    EXPECT_EQ(form.Describe(), "2 x 18 x 5 and 5 actions");
    EXPECT_EQ(form.problem, "ns3::odcn::OdcnScheduling");
    auto system = MakeRacks();
    const auto copy = ObservationForm::FromJson(form.ToJson(), "file");
    EXPECT_EQ(copy.ToJson(), form.ToJson());
    // After Reset(), in the middle of a job.
    system.Act({0});
    copy.Apply(*system.problem, "file");
    EXPECT_EQ(ObservationForm::Of(*system.problem).ToJson(), form.ToJson());
    auto policy = CreateObject<LinearPolicy>();
    policy->SetWeights(std::vector<float>(36, 0.5F), 0);
    for (int i = 0; i < 200; ++i)
    {
        ASSERT_LT(policy->Decide(*system.problem), 5U);
        ObservationOf(*system.problem);
        system.problem->Act(policy->Decide(*system.problem));
    }

    auto servers = MakeServers();
    EXPECT_EQ(GetRefusal([&] { form.Apply(*servers, "x.pt"); }),
              "x.pt: trained for ns3::odcn::OdcnScheduling, the problem is "
              "ns3::odcn::RddcAllocation");
    servers->SetAttribute("State", StringValue("Placement"));
    const auto placement = ObservationForm::Of(*servers);
    auto others = MakeServers();
    placement.Apply(*others, "x.pt");
    EXPECT_EQ(others->GetObservationSize(), servers->GetObservationSize());
    EXPECT_EQ(others->GetGraph()->nodeFeatures, RddcPlacementFeatures::COUNT);
    ObservationOf(*others);
}

TEST(ObservationForm, SetsOnlyWhatDecidesTheObservation)
{
    auto system = MakeRacks();
    auto form = ObservationForm::Of(*system.problem);
    form.attributes = {{"PhiReconf", "7"}};
    EXPECT_REFUSAL(form.Apply(*system.problem, "file"), "file: needs PhiReconf=7");
    form.attributes = {{"SlotVms", "none"}};
    EXPECT_EQ(GetRefusal([&] { form.Apply(*system.problem, "file"); }).find("file: "), 0U);
    auto cluster = MakeCluster();
    form = ObservationForm::Of(*cluster);
    EXPECT_EQ(form.attributes.size(), 2U);
    form.attributes["Colours"] = "many";
    EXPECT_REFUSAL(form.Apply(*cluster, "file"), "Colours=many");
    form.attributes["Colours"] = "3";
    form.Apply(*cluster, "file");
    EXPECT_EQ(ObservationForm::Of(*cluster).attributes.at("Colours"), "3");
    EXPECT_THROW(ObservationForm::FromJson(std::string(70000, ' '), "file"), OdcnError);
    EXPECT_THROW(ObservationForm::FromJson(std::string(60000, '['), "file"), OdcnError);
}

TEST(ObservationForm, ProblemsWithoutTypeIdAreAnyProblem)
{
    auto toy = CreateObject<LinearToy>(4);
    const auto form = ObservationForm::Of(*toy);
    EXPECT_EQ(form.problem, "ns3::odcn::DecisionProblem");
    auto system = MakeRacks();
    form.Apply(*system.problem, "file");
    EXPECT_THROW(ObservationForm::Of(*system.problem).Apply(*toy, "file"), OdcnError);
    LinearToy onStack(3);
    EXPECT_EQ(ObservationForm::Of(onStack).problem, "ns3::odcn::DecisionProblem");
}

TEST(ProblemMask, DoesNotDependOnObservations)
{
    for (const std::string state : {"State=Paper", "State=Placement"})
    {
        for (const char* sharing : {"Pooled", "Pinned"})
        {
            const auto settings = state + "|PortsPerTor=12|Sharing=" + sharing;
            auto observed = MakeRacks(settings, 7);
            auto blind = MakeRacks(settings, 7);
            ExpectEqualMasks(*observed.problem, *blind.problem, 4000);
        }
        for (const std::string mask : {"|Mask=Useful", "|Mask=Connected"})
        {
            ExpectEqualMasks(*MakeServers(state + mask), *MakeServers(state + mask), 300);
        }
    }
    ExpectEqualMasks(*MakeCluster(), *MakeCluster(), 2000);
    for (const char* state : {"State=Paper", "State=Moves"})
    {
        ExpectEqualMasks(*MakeCentres(state), *MakeCentres(state), 100);
    }
}

TEST(ProblemMask, FollowsTheLedgersBetweenObservationAndMask)
{
    auto system = MakeRacks("PortsPerTor=12|State=Placement", 7);
    RandomRack policy(3, 0.2, 0.9);
    std::mt19937_64 random(6);
    int changed = 0;
    for (int i = 0; i < 4000; ++i)
    {
        system.Observe();
        const auto before = system.Mask();
        const auto& neighbours = system.problem->GetViews().GetNeighbours();
        const bool fails = random() % 4 == 0 && !neighbours.empty();
        const RackId rack = fails ? neighbours.front().rack : static_cast<RackId>(random() % 7);
        for (uint32_t port = 0; port < 12; ++port)
        {
            system.network->SetPortFailed(rack, port, true, fails);
        }
        // With State=Paper the mask is computed from residual fractions instead.
        auto other = system.problem->Clone(
            Ptr<OdcnJobSource>(CreateObject<ListedJobs>(std::vector<OdcnJob>())));
        other->SetAttribute("State", StringValue("Paper"));
        const auto mask = system.Mask();
        ASSERT_EQ(mask, MaskOf(*other)) << i;
        changed += mask != before;
        system.problem->Act(policy.Decide(*system.problem));
    }
    EXPECT_GT(changed, 50);
}
