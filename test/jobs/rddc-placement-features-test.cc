// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Features of a placement: against a direct computation of their definition, with another
 * number of racks, and by hand.
 */

#include "rddc-test-system.h"

#include "ns3/rddc-placement-features.h"
#include "ns3/rddc-request-generator.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

using F = RddcPlacementFeatures;
using Row = std::array<double, F::COUNT>;

/// The servers of a rack or a cluster.
struct Place
{
    std::vector<ServerId> servers; //!< all its servers
    double free{0};                //!< free channels of its uplinks
    double uplinks{0};             //!< channels of its uplinks
};

/**
 * @param manager with a request  @param inside whether a node belongs to the place
 * @return the place
 */
template <typename T>
Place
Gather(const RddcManager& manager, T inside)
{
    const RddcNetwork& network = *manager.GetChannels().GetNetwork();
    Place place;
    for (ServerId s = 0; s < network.GetNServers(); ++s)
    {
        if (inside(s))
        {
            place.servers.push_back(s);
        }
    }
    for (LinkId link = 0; link < network.GetNLinks(); ++link)
    {
        const auto [u, v] = network.GetEnds(link);
        if (inside(u) != inside(v))
        {
            place.free += manager.GetChannels().GetFree(link);
            place.uplinks += network.GetChannels(link);
        }
    }
    return place;
}

/// @param x units  @param y units of a server  @return number of servers needed
double
Fill(double x, double y)
{
    return std::ceil(x / y);
}

/// @param manager with a request  @param server any  @return its features, by their definition
Row
Naive(const RddcManager& manager, ServerId server)
{
    Row row{};
    row[F::CHOSEN] = manager.IsChosen(server);
    if (!manager.IsUseful(server))
    {
        return row;
    }
    const RddcNetwork& network = *manager.GetChannels().GetNetwork();
    const RddcSizes& sizes = network.GetSizes();
    const RddcServerLedger& servers = manager.GetServers();
    const double units = 16;
    const double n = sizes.channels[0];
    const double cpu = manager.GetNeededCpu();
    const double memory = manager.GetNeededMemory();
    const double toCome = std::max(Fill(cpu, units), Fill(memory, units));
    auto chosen = ListOf<ServerId>(manager.GetCurrent().shares,
                                   [&](const auto& share) { return share.server; });
    const double k = chosen.size();
    const RackId rackId = network.GetRack(server);
    const uint32_t clusterId = network.GetCluster(rackId);
    const uint32_t firstAggregation = network.GetNServers() + network.GetNRacks();
    const auto inRack = [&](uint32_t node)
    {
        return node < network.GetNServers() ? network.GetRack(node) == rackId
                                            : node == network.GetNServers() + rackId;
    };
    const auto inCluster = [&](uint32_t node)
    {
        if (node < network.GetNServers())
        {
            return network.GetCluster(network.GetRack(node)) == clusterId;
        }
        if (node < firstAggregation)
        {
            return network.GetCluster(node - network.GetNServers()) == clusterId;
        }
        return node < firstAggregation + sizes.clusters * sizes.rackUplinks &&
               (node - firstAggregation) / sizes.rackUplinks == clusterId;
    };
    const auto count = [&](auto inside) -> double
    { return std::count_if(chosen.begin(), chosen.end(), inside); };
    const auto usable = [&](ServerId s)
    { return manager.IsUseful(s) && manager.GetChannels().GetFree(s) >= k + toCome - 1; };
    const auto fit = [&](const Place& place, double& left)
    {
        double freeCpu = 0;
        double freeMemory = 0;
        for (ServerId s : place.servers)
        {
            freeCpu += usable(s) ? servers.GetCpu(s) : 0;
            freeMemory += usable(s) ? servers.GetMemory(s) : 0;
        }
        const double share =
            std::min({1.0, cpu > 0 ? freeCpu / cpu : 1.0, memory > 0 ? freeMemory / memory : 1.0});
        const double all = units * place.servers.size();
        left = share == 1 ? ((freeCpu - cpu) / all + (freeMemory - memory) / all) / 2 : 0;
        return share;
    };
    const Place rack = Gather(manager, inRack);
    const Place cluster = Gather(manager, inCluster);
    const auto idle = [&](ServerId s)
    { return manager.IsUseful(s) && servers.GetCpu(s) == units && servers.GetMemory(s) == units; };
    const double idles = std::count_if(rack.servers.begin(), rack.servers.end(), idle);
    const double lendCpu = std::min<double>(servers.GetCpu(server), cpu);
    const double lendMemory = std::min<double>(servers.GetMemory(server), memory);
    const double after = std::max(Fill(cpu - lendCpu, units), Fill(memory - lendMemory, units));
    const double free = manager.GetChannels().GetFree(server);
    row[F::CPU] = lendCpu / units;
    row[F::MEMORY] = lendMemory / units;
    row[F::CPU_LEFT] = (servers.GetCpu(server) - lendCpu) / units;
    row[F::MEMORY_LEFT] = (servers.GetMemory(server) - lendMemory) / units;
    row[F::PROGRESS] =
        (std::max(cpu, memory) - std::max(cpu - lendCpu, memory - lendMemory)) / units;
    row[F::STEP] = after < toCome;
    row[F::COMPLETE] = lendCpu == cpu && lendMemory == memory;
    row[F::CHANNELS] = free / n;
    row[F::CHANNELS_LEFT] = std::max(0.0, free - k - after) / n;
    row[F::CHANNELS_SHORT] = std::min(1.0, std::max(0.0, k + after - free) / n);
    row[F::IDLE] = idle(server);
    row[F::SPOILT] = idle(server) ? std::min(row[F::CPU_LEFT], row[F::MEMORY_LEFT]) : 0;
    if (k > 0)
    {
        const double far = k - count(inRack);
        const double farther = k - count(inCluster);
        row[F::NEAR] = count(inRack) / k;
        row[F::RACK_PATHS] = std::min(1.0, far / sizes.serversPerRack);
        row[F::CLUSTER_PATHS] = std::min(1.0, farther / sizes.serversPerRack);
        row[F::RACK_LOAD] = std::min(1.0, far / (1 + rack.free));
        row[F::CLUSTER_LOAD] = std::min(1.0, farther / (1 + cluster.free));
    }
    row[F::RACK_FIT] = fit(rack, row[F::RACK_LEFT]);
    row[F::RACK_HOLDS] = row[F::RACK_FIT] == 1;
    row[F::CLUSTER_FIT] = fit(cluster, row[F::CLUSTER_LEFT]);
    row[F::CLUSTER_HOLDS] = row[F::CLUSTER_FIT] == 1;
    row[F::RACK_IDLE] = idles / sizes.serversPerRack;
    row[F::RACK_IDLE_FIT] = std::min(1.0, idles / toCome);
    row[F::RACK_UPLINKS] = 1 - rack.free / rack.uplinks;
    row[F::CLUSTER_UPLINKS] = 1 - cluster.free / cluster.uplinks;
    const double inside = count(inRack) + row[F::RACK_FIT] * toCome;
    row[F::SPLIT] = std::min(1.0, inside * (k + toCome - inside) / (1 + rack.free));
    RddcChannelLedger trial = manager.GetChannels();
    std::vector<RddcLightpath> paths;
    row[F::LOST] = !trial.Connect(server, chosen, manager.GetRouting(), paths);
    row[F::LOST_SERVERS] =
        row[F::LOST] > 0 ? std::min(1.0, 2 * (k + toCome) / sizes.serversPerRack) : 0;
    return row;
}

/// @param settings of a topology  @param stream of the requests  @return a problem
Ptr<RddcAllocation>
MakeProblem(const std::map<std::string, uint64_t>& settings, int64_t stream)
{
    auto problem = CreateObject<RddcAllocation>();
    problem->SetAttribute("State", StringValue("Placement"));
    problem->SetManager(MakeRddcManager(settings));
    auto source = CreateObject<RddcRequestGenerator>();
    source->AssignStreams(stream);
    problem->SetRequestSource(source);
    problem->Reset();
    return problem;
}

TEST(RddcPlacementFeaturesTest, AreWhatTheirWordsSay)
{
    std::array<bool, F::COUNT> seen{};
    for (const auto& settings : std::vector<std::map<std::string, uint64_t>>{
             {{"Channels", 16}},
             {{"Channels", 8}, {"Tier2Oversubscription", 4}},
             {{"Clusters", 3}, {"RacksPerCluster", 4}, {"ServersPerRack", 8}}})
    {
        auto problem = MakeProblem(settings, 7);
        const GraphObservation& graph = *problem->GetGraph();
        EXPECT_EQ(graph.nodeFeatures, F::COUNT);
        RandomServer policy(5);
        for (uint32_t decision = 0; decision < 300; ++decision)
        {
            const auto observed = ObservationOf(*problem);
            for (ServerId s = 0; s < problem->GetNActions(); ++s)
            {
                const Row expected = Naive(*problem->GetManager(), s);
                const float* row = graph.GetNodes(observed.data()) + s * F::COUNT;
                for (uint32_t f = 0; f < F::COUNT; ++f)
                {
                    ASSERT_NEAR(row[f], expected[f], 2e-6) << F::GetNames()[f] << " of " << s;
                    ASSERT_GE(row[f], 0) << F::GetNames()[f];
                    ASSERT_LE(row[f], 1) << F::GetNames()[f];
                    seen[f] = seen[f] || row[f] > 0;
                }
            }
            problem->Act(policy.Decide(*problem));
        }
    }
    for (uint32_t f = 0; f < F::COUNT; ++f)
    {
        EXPECT_TRUE(seen[f]) << F::GetNames()[f] << " was never anything";
    }
}

TEST(RddcPlacementFeaturesTest, DoNotDependOnHowManyRacksThereAre)
{
    // Nothing is in use: a server of the first cluster has the same features in a large network.
    auto small = MakeProblem({{"Channels", 16}}, 3);
    auto large = MakeProblem({{"Channels", 16}, {"Clusters", 8}}, 3);
    for (const ServerId s : {5, 20, 6, 40})
    {
        const auto x = ObservationOf(*small);
        const auto y = ObservationOf(*large);
        const auto nodes = x.begin() + 64 * F::COUNT;
        EXPECT_TRUE(std::equal(x.begin(), nodes, y.begin())) << s;
        small->Act(s);
        large->Act(s);
    }
}

TEST(RddcPlacementFeaturesTest, OfOneRequest)
{
    auto problem = CreateObject<RddcAllocation>();
    problem->SetAttribute("State", StringValue("Placement"));
    problem->SetManager(MakeRddcManager({{"Channels", 8}}));
    problem->SetRequestSource(
        CreateObject<ListedRequests>(std::vector<RddcRequest>{{0, 1, 40, 20, 9}}));
    problem->Reset();
    problem->Act(2);
    const auto observed = ObservationOf(*problem);
    const auto of = [&](ServerId s, F::Feature f) { return observed[s * F::COUNT + f]; };
    EXPECT_EQ(of(2, F::CHOSEN), 1);
    EXPECT_EQ(of(2, F::CHANNELS), 0) << "nothing to lend";
    // 24 CPU and 4 memory are still needed: two servers.
    EXPECT_EQ(of(3, F::CPU), 1);
    EXPECT_EQ(of(3, F::MEMORY), 0.25F);
    EXPECT_EQ(of(3, F::MEMORY_LEFT), 0.75F);
    EXPECT_EQ(of(3, F::PROGRESS), 1);
    EXPECT_EQ(of(3, F::STEP), 1);
    EXPECT_EQ(of(3, F::COMPLETE), 0);
    EXPECT_EQ(of(3, F::CHANNELS_LEFT), 6.0F / 8) << "two peers";
    EXPECT_EQ(of(3, F::NEAR), 1);
    EXPECT_EQ(of(3, F::RACK_PATHS), 0);
    EXPECT_EQ(of(20, F::NEAR), 0);
    EXPECT_EQ(of(20, F::RACK_PATHS), 1.0F / 16);
    EXPECT_EQ(of(20, F::CLUSTER_PATHS), 0);
    EXPECT_EQ(of(40, F::CLUSTER_PATHS), 1.0F / 16);
    EXPECT_EQ(of(3, F::RACK_IDLE), 15.0F / 16);
    EXPECT_EQ(of(20, F::RACK_IDLE), 1);
    EXPECT_EQ(of(3, F::RACK_HOLDS), 1);
    EXPECT_EQ(of(3, F::LOST), 0);
}

} // namespace
