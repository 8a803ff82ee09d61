// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The rules of the disaggregated data centre: choices in cases that can be computed by hand,
 * masks obeyed, and acceptance.
 */

#include "../core/odcn-folder-test.h"
#include "rddc-test-system.h"

#include "ns3/odcn-observations.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/rddc-helper.h"

#include <filesystem>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param requests a list  @return a problem with them on 64 servers
Ptr<RddcAllocation>
Listed(const std::vector<RddcRequest>& requests)
{
    auto problem = RddcHelper().CreateProblem(CreateObject<ListedRequests>(requests));
    problem->Reset();
    return problem;
}

/// @param text description of a policy  @return the policy
Ptr<DecisionPolicy>
Policy(const std::string& text)
{
    return DecisionPolicy::Create("ns3::odcn::" + text);
}

/// @param text a policy  @return it with its settings
PolicyChoice
FindRddc(const std::string& text)
{
    return PolicyRegistry::Find("ns3::odcn::RddcAllocation", text);
}

/// @param problem at a request  @param servers in this order; the request ends with the last
void
Place(RddcAllocation& problem, const std::vector<uint32_t>& servers)
{
    for (uint32_t server : servers)
    {
        problem.Act(server);
    }
}

/// Requests, and the server of each.
struct UsedServers
{
    std::vector<RddcRequest> requests; //!< in order of arrival
    std::vector<uint32_t> servers;     //!< that take them

    /// Use part of the last servers.
    /// @param first of these servers
    /// @param units of CPU, and as many of memory, used on each
    void Use(uint32_t first, uint32_t units)
    {
        for (uint32_t server = first; server < 64; ++server)
        {
            requests.push_back({server, 0, units, units, 99});
            servers.push_back(server);
        }
    }
};

TEST(RddcPolicyTest, RandomTakesAllThatIsAllowedAlike)
{
    auto problem = Listed({{0, 1, 64, 1, 9}});
    problem->Act(5);
    auto policy = DecisionPolicy::Create("ns3::odcn::RandomPolicy");
    EXPECT_EQ(policy->AssignStreams(3), 1);
    std::vector<uint32_t> count(64, 0);
    for (uint32_t i = 0; i < 63000; ++i)
    {
        ++count[policy->Decide(*problem)];
    }
    EXPECT_EQ(count[5], 0U);
    for (uint32_t server = 0; server < 64; ++server)
    {
        // 1,000 +- 4.5 standard deviations.
        EXPECT_TRUE(server == 5 || (count[server] > 858 && count[server] < 1142)) << server;
    }
}

TEST(RddcPolicyTest, TetrisMatchesWhatIsNeeded)
{
    // Server 0 has 4 CPU and 16 memory left, server 1 16 and 4, all others 2 and 2.
    UsedServers used{{{0, 1, 12, 0, 99}, {1, 0, 0, 12, 99}}, {0, 1}};
    used.Use(2, 14);
    auto& [requests, servers] = used;
    requests.push_back({64, 0, 3, 8, 9});
    requests.push_back({65, 0, 8, 3, 9});
    auto problem = Listed(requests);
    Place(*problem, servers);
    auto policy = Policy("RddcTetrisPolicy");
    EXPECT_EQ(policy->Decide(*problem), 0U);
    EXPECT_EQ(Policy("RddcTetrisPolicy[Prefer=Smallest]")->Decide(*problem), 2U);
    problem->Act(0);
    EXPECT_EQ(policy->Decide(*problem), 1U);
    EXPECT_EQ(Policy("RddcTetrisPolicy[Score=Cosine]")->Decide(*problem), 1U);
}

TEST(RddcPolicyTest, CosineLooksAtProportionsAlone)
{
    // Server 0 has 2 CPU and 1 memory left, the others 16 and 16.
    auto problem = Listed({{0, 1, 14, 15, 99}, {1, 1, 8, 4, 9}});
    problem->Act(0);
    EXPECT_EQ(Policy("RddcTetrisPolicy[Score=Cosine|ChannelWeight=0]")->Decide(*problem), 0U);
    EXPECT_EQ(Policy("RddcTetrisPolicy[Score=Dot|ChannelWeight=0]")->Decide(*problem), 1U);
}

TEST(RddcPolicyTest, TetrisStaysNear)
{
    // Servers 17 to 31 and 33 to 47 are empty, all others have 10 and 10 left.
    std::vector<RddcRequest> requests;
    std::vector<uint32_t> servers;
    for (uint32_t server = 0; server < 64; ++server)
    {
        if (server % 16 == 0 || server < 16 || server >= 48)
        {
            requests.push_back({server, 0, 6, 6, 99});
            servers.push_back(server);
        }
    }
    requests.push_back({99, 1, 40, 40, 9});
    auto problem = Listed(requests);
    Place(*problem, servers);
    Place(*problem, {0});
    EXPECT_EQ(Policy("RddcTetrisPolicy")->Decide(*problem), 17U) << "16 x 0.9 is more than 10";
    EXPECT_EQ(Policy("RddcTetrisPolicy[RackFactor=0.5]")->Decide(*problem), 33U)
        << "another cluster still has its 0.9";
    EXPECT_EQ(Policy("RddcTetrisPolicy[RackFactor=0.5|ClusterFactor=0.5]")->Decide(*problem), 1U);
    problem->Act(48);
    const std::string factors = "RackFactor=0.5|ClusterFactor=0.5";
    EXPECT_EQ(Policy("RddcTetrisPolicy[" + factors + "]")->Decide(*problem), 49U);
    EXPECT_EQ(Policy("RddcTetrisPolicy[Anchor=First|" + factors + "]")->Decide(*problem), 1U);
}

TEST(RddcPolicyTest, TetrisSeesChannels)
{
    // Server 0 has few units in use, but has lightpaths to five others.
    auto problem = Listed({{0, 1, 81, 1, 99}, {1, 1, 30, 1, 9}});
    Place(*problem, {1, 2, 3, 4, 5, 0});
    EXPECT_EQ(problem->GetManager()->GetServers().GetCpu(0), 15U);
    problem->Act(20);
    const std::string far = "RackFactor=1|ClusterFactor=1";
    EXPECT_EQ(Policy("RddcTetrisPolicy[ChannelWeight=0|" + far + "]")->Decide(*problem), 6U);
    EXPECT_EQ(Policy("RddcTetrisPolicy[ChannelWeight=1|" + far + "]")->Decide(*problem), 6U);
    EXPECT_EQ(Policy("RddcTetrisPolicy[ChannelWeight=-100|" + far + "]")->Decide(*problem), 0U);
}

TEST(RddcPolicyTest, AlignedTetrisCountsTheWholeRequest)
{
    // Server 0 has 16 CPU and 4 memory left, server 1 12 and 16, server 2 all, the others 2 and 2.
    UsedServers used{{{0, 1, 0, 12, 99}, {1, 0, 4, 0, 99}}, {0, 1}};
    used.Use(3, 14);
    auto& [requests, servers] = used;
    requests.push_back({64, 0, 24, 16, 9});
    auto problem = Listed(requests);
    Place(*problem, servers);
    auto policy = FindRddc("tetris-aligned").Create();
    EXPECT_EQ(policy->Decide(*problem), 2U);
    problem->Act(2);
    // 8 CPU are needed: 16 * 24 + 4 * 16 is less than 12 * 24 + 16 * 16.
    EXPECT_EQ(Policy("RddcTetrisPolicy")->Decide(*problem), 0U);
    EXPECT_EQ(policy->Decide(*problem), 1U);
}

TEST(RddcPolicyTest, AlignedTetrisCountsChannelsOneByOne)
{
    // Server 0 has 15 CPU left and five of 16 channels in use, servers from 6 on 4 CPU and none.
    UsedServers used{{{0, 1, 81, 1, 99}}, {1, 2, 3, 4, 5, 0}};
    used.Use(6, 12);
    auto& [requests, servers] = used;
    requests.push_back({64, 0, 30, 1, 9});
    auto problem = Listed(requests);
    Place(*problem, servers);
    EXPECT_EQ(Policy("RddcTetrisPolicy")->Decide(*problem), 0U);
    EXPECT_EQ(Policy("RddcAlignedTetrisPolicy")->Decide(*problem), 6U);
}

TEST(RddcPolicyTest, AlignedTetrisStaysInTheRackOfTheRequestBefore)
{
    // Rack 0 has 2 and 2 left at the first decision, and is free at the second.
    std::vector<RddcRequest> requests;
    for (uint32_t server = 0; server < 16; ++server)
    {
        requests.push_back({server, 0, 14, 14, 10});
    }
    requests.push_back({16, 0, 1, 1, 99});
    requests.push_back({17, 20, 1, 1, 99});
    auto problem = Listed(requests);
    for (uint32_t server = 0; server < 16; ++server)
    {
        problem->Act(server);
    }
    auto policy = Policy("RddcAlignedTetrisPolicy");
    EXPECT_EQ(policy->Decide(*problem), 16U);
    problem->Act(16);
    EXPECT_EQ(policy->Decide(*problem), 17U);
    policy->Reset();
    EXPECT_EQ(policy->Decide(*problem), 0U);
}

TEST(RddcPolicyTest, LocalityWalksOutwards)
{
    auto problem = Listed({{0, 1, 128, 128, 99}, {1, 1, 128, 128, 99}, {2, 1, 128, 128, 9}});
    Place(*problem, {1, 0, 2, 3, 4, 5, 6, 7});
    auto nulb = Policy("RddcLocalityPolicy[Neighbours=InOrder]");
    std::vector<uint32_t> chosen;
    const auto run = [&](DecisionPolicy& policy, uint32_t first)
    {
        chosen.assign(1, first);
        const uint64_t request = problem->GetNRequests();
        problem->Act(first);
        while (problem->GetNRequests() == request)
        {
            chosen.push_back(policy.Decide(*problem));
            problem->Act(chosen.back());
        }
    };
    run(*nulb, 9);
    EXPECT_EQ(chosen, (std::vector<uint32_t>{9, 8, 10, 11, 12, 13, 14, 15}));
    // Rack 0 is full: the other rack of the cluster is next, then the other cluster.
    run(*nulb, 17);
    EXPECT_EQ(chosen, (std::vector<uint32_t>{17, 16, 18, 19, 20, 21, 22, 23}));
}

TEST(RddcPolicyTest, NalbFollowsFreeChannels)
{
    // Server 0 has two lightpaths, to 14 and 15, and nearly all its units free.
    auto problem = Listed({{0, 1, 33, 1, 99}, {1, 1, 40, 40, 9}, {2, 1, 1, 1, 1}});
    Place(*problem, {14, 15, 0});
    problem->Act(5);
    EXPECT_EQ(Policy("RddcLocalityPolicy[Neighbours=InOrder]")->Decide(*problem), 0U);
    EXPECT_EQ(Policy("RddcLocalityPolicy[Neighbours=MostFree]")->Decide(*problem), 1U);
    EXPECT_EQ(Policy("RddcLocalityPolicy[Neighbours=LeastFree]")->Decide(*problem), 0U);
}

TEST(RddcPolicy, FilesHaveAttributesAndAnySign)
{
    const TemporaryPath folder("me@work");
    std::filesystem::create_directory(folder.path);
    const std::string file = folder.path + "/a.json";
    std::filesystem::copy_file(std::string(ODCN_DATA_DIR) + "/linear-rddc-8-8.json", file);
    const std::string routing = FindRddc(file).settings.at("Routing");
    EXPECT_EQ(FindRddc(file).GetFile(), file);
    EXPECT_EQ(FindRddc(file + "@Hops").settings.at("Routing"), "Hops");
    const auto open = FindRddc(file + "[UseMask=false]");
    EXPECT_EQ(open.words, "ns3::odcn::LinearPolicy[File=" + file + "|UseMask=false]");
    EXPECT_EQ(open.settings.at("Routing"), routing);
    EXPECT_EQ(FindRddc("linear[File=" + file + "]").GetFile(), file);
    EXPECT_EQ(FindRddc("linear[File=" + file + "]@Hops").settings.at("Routing"), "Hops");
    EXPECT_REFUSAL(FindRddc(file + "[File=" + file + "]"), "one file");
    EXPECT_REFUSAL(FindRddc(file + "[Mask=false]"), "found 'Mask=false'");
    std::filesystem::remove_all(folder.path);
}

TEST(RddcPolicyTest, EveryRuleKeepsToTheMask)
{
    for (const char* mask : {"Useful", "Connected"})
    {
        for (const auto& choice : PolicyRegistry::Get("ns3::odcn::RddcAllocation"))
        {
            if (choice.words.rfind("ns3::odcn::AgentPolicy", 0) == 0)
            {
                continue; // agents are another library's, with tests of its own
            }
            RddcHelper helper;
            helper.SetTopologyAttribute("Channels", UintegerValue(8));
            helper.SetProblemAttribute("Mask", StringValue(mask));
            auto problem = helper.CreateProblem();
            PolicyChoice named = choice;
            named.SetFile(std::string(ODCN_DATA_DIR) + "/linear-rddc-8-8.json");
            auto policy = named.Create();
            named.Configure(*problem, *policy);
            problem->AssignStreams(1);
            problem->Reset();
            policy->AssignStreams(100);
            for (uint32_t i = 0; i < 2000; ++i)
            {
                const auto allowed = MaskOf(*problem);
                const uint32_t action = policy->Decide(*problem);
                ASSERT_LT(action, allowed.size());
                ASSERT_TRUE(allowed[action] || std::count(allowed.begin(), allowed.end(), 1) == 0)
                    << choice.name;
                problem->Act(action);
            }
            if (choice.name == "raw-bound")
            {
                EXPECT_EQ(problem->GetManager()->GetCounters().refused, 0U);
            }
        }
    }
}

TEST(RddcPolicyTest, PoliciesAreFoundByName)
{
    EXPECT_THROW(FindRddc("magic"), OdcnError);
    EXPECT_THROW(FindRddc("ns3::odcn::RddcTetrisPolicy[Score=Sine]"), OdcnError);
    EXPECT_THROW(FindRddc("ns3::odcn::RddcTetrisPolicy[Sign=1]"), OdcnError);
    EXPECT_THROW(FindRddc("ns3::odcn::RddcTetrisPolicy[Score]"), OdcnError);
    EXPECT_THROW(FindRddc("ns3::odcn::RddcTetrisPolicy[Score=Dot"), OdcnError);
    EXPECT_EQ(FindRddc("nalb").settings.at("Routing"), "LeastUsed");
    EXPECT_EQ(FindRddc("nalb@LeastFree").settings.at("Routing"), "LeastFree");
    EXPECT_EQ(FindRddc("nalb@LeastFree").words, FindRddc("nalb").words);
    const auto choice = FindRddc("ns3::odcn::RddcTetrisPolicy@Sideways");
    EXPECT_EQ(choice.settings.at("Routing"), "Sideways");
    EXPECT_THROW(choice.Apply(*RddcHelper().CreateProblem()), OdcnError);
}

/**
 * @param name of a policy  @param episodes their number  @param channels n
 * @return the observations at 1:16
 */
Observations
Evaluate(const std::string& name, uint32_t episodes, uint32_t channels)
{
    RddcHelper helper;
    helper.SetTopologyAttribute("Channels", UintegerValue(channels));
    helper.SetTopologyAttribute("Tier2Oversubscription", UintegerValue(4));
    helper.SetProblemAttribute("MaxRequests", UintegerValue(128));
    auto problem = helper.CreateProblem();
    const auto choice = FindRddc(name);
    auto policy = choice.Create();
    choice.Configure(*problem, *policy);
    problem->AssignStreams(0);
    policy->AssignStreams(50);
    Observations observations(problem->GetFigures());
    for (uint32_t i = 0; i < episodes; ++i)
    {
        problem->Reset();
        policy->Reset();
        problem->RunEpisode(*policy);
        observations.Add({1, i, 0, problem->GetTally(), problem->MeasureFigures()});
    }
    const auto totals = observations.GetTotals();
    EXPECT_EQ(totals.offered, uint64_t{128} * episodes);
    EXPECT_EQ(totals.offered, totals.accepted + totals.GetBlocked());
    return observations;
}

TEST(RddcFiguresTest, EpisodesAreRepeatableAndPaired)
{
    const auto a = Evaluate("tetris", 5, 8);
    const auto again = Evaluate("tetris", 5, 8);
    for (std::size_t i = 0; i < a.Get().size(); ++i)
    {
        for (std::size_t f = 0; f < a.GetFigures().size(); ++f)
        {
            EXPECT_EQ(a.Get()[i].values[f].Get(), again.Get()[i].values[f].Get());
        }
    }
    const auto none = a.GetDifference("acceptance", a);
    EXPECT_EQ(none.mean, 0);
    EXPECT_EQ(none.GetHalfWidth(), 0);
    const auto bound = Evaluate("raw-bound", 5, 8);
    EXPECT_EQ(bound.GetEstimate("overall_acceptance").mean, 1);
    EXPECT_EQ(bound.GetEstimate("tier_1_use").mean, 0);
    EXPECT_GT(bound.GetDifference("cpu_use", a).lower, 0);
    EXPECT_GT(a.GetDifference("acceptance", Evaluate("random", 5, 8)).lower, 0.1);
}

TEST(RddcFiguresTest, RandomIsThatOfThePublicCode)
{
    // Five episodes of its public code with Random: 0.21, 0.29, 0.38 at n = 8, 16, 32 and 1:16. It
    // omits pairs of memory-only servers, so it is an upper estimate for all pairs.
    const std::vector<std::pair<uint32_t, double>> known{{8, 0.21}, {16, 0.29}, {32, 0.38}};
    for (const auto& [channels, acceptance] : known)
    {
        const auto ours = Evaluate("random", 20, channels).GetEstimate("acceptance");
        EXPECT_NEAR(ours.mean, acceptance, 0.05) << channels;
    }
}

} // namespace
