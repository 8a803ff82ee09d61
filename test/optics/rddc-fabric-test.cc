// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The three tiers of circuit switches: the channels of Table 1, the paths, and conservation of
 * channels.
 */

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-property.h"

#include "ns3/odcn-shortest-paths.h"
#include "ns3/rddc-channel-ledger.h"
#include "ns3/rddc-topology.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

using Settings = std::map<std::string, uint64_t>;

/// @param settings of a topology  @return the topology
Ptr<RddcTopology>
Topology(const Settings& settings)
{
    auto topology = CreateObject<RddcTopology>();
    for (const auto& [name, value] : settings)
    {
        topology->SetAttribute(name, UintegerValue(value));
    }
    return topology;
}

/// @param settings of a topology  @return its network
std::shared_ptr<const RddcNetwork>
Network(const Settings& settings)
{
    return Topology(settings)->Build();
}

/// One column of Table 1, and 1:1.
struct Column
{
    uint32_t bottomTop;   //!< oversubscription from the servers to tier 3
    uint32_t tier2;       //!< oversubscription at tier 2
    uint32_t tier3;       //!< oversubscription at tier 3
    uint32_t twoChannels; //!< twice the channels of a tier-2 link, in n
    uint32_t twoChannel3; //!< twice the channels of a tier-3 link, in n
};

const std::vector<Column> TABLE_1{{16, 4, 4, 4, 1},
                                  {8, 2, 4, 8, 2},
                                  {4, 2, 2, 8, 4},
                                  {1, 1, 1, 16, 16}};

/// @param network any  @return channels of all servers over those to the core switches
double
BottomTop(const RddcNetwork& network)
{
    return static_cast<double>(network.GetTierChannels(0)) /
           static_cast<double>(network.GetTierChannels(2));
}

TEST(RddcTopologyTest, Table1)
{
    for (const uint32_t n : {8, 16, 32})
    {
        for (const auto& column : TABLE_1)
        {
            const auto network = Network({{"Channels", n},
                                          {"Tier2Oversubscription", column.tier2},
                                          {"Tier3Oversubscription", column.tier3}});
            EXPECT_EQ(network->GetNServers(), 64U);
            EXPECT_EQ(network->GetNRacks(), 4U);
            EXPECT_EQ(network->GetNNodes(), 64U + 4 + 4 + 2);
            EXPECT_EQ(network->GetNLinks(), 64U + 8 + 8);
            EXPECT_EQ(network->GetSizes().channels[0], n);
            EXPECT_EQ(2 * network->GetSizes().channels[1], column.twoChannels * n);
            EXPECT_EQ(2 * network->GetSizes().channels[2], column.twoChannel3 * n);
            EXPECT_EQ(network->GetTierChannels(0), column.tier2 * network->GetTierChannels(1));
            EXPECT_EQ(network->GetTierChannels(1), column.tier3 * network->GetTierChannels(2));
            EXPECT_EQ(BottomTop(*network), column.bottomTop);
            const auto large = Network({{"Channels", n},
                                        {"Clusters", 8},
                                        {"RacksPerCluster", 8},
                                        {"Tier2Oversubscription", column.tier2},
                                        {"Tier3Oversubscription", column.tier3}});
            EXPECT_EQ(large->GetNServers(), 1024U);
            EXPECT_EQ(BottomTop(*large), column.bottomTop);
            EXPECT_EQ(large->GetTierChannels(0), column.tier2 * large->GetTierChannels(1));
        }
    }
}

TEST(RddcTopologyTest, RefusesBadNumbersInOneLine)
{
    const std::vector<std::pair<Settings, std::string>> bad{
        {{{"Channels", 0}}, "Channels: found '0'"},
        {{{"Clusters", 0}}, "Clusters: found '0'"},
        {{{"RacksPerCluster", 0}}, "RacksPerCluster: found '0'"},
        {{{"ServersPerRack", 0}}, "ServersPerRack: found '0'"},
        {{{"RackUplinks", 0}}, "RackUplinks: found '0'"},
        {{{"ClusterUplinks", 0}}, "ClusterUplinks: found '0'"},
        {{{"ClusterUplinks", 3}}, "ClusterUplinks: found '3', expected a multiple of"},
        {{{"Paths", 0}}, "Paths: found '0'"},
        {{{"Paths", 300}}, "Paths: found '300'"},
        {{{"Tier2Oversubscription", 0}}, "Tier2Oversubscription: found '0'"},
        {{{"Tier2Oversubscription", 3}},
         "Tier2Oversubscription: found '3', expected a number by "
         "which 256 channels divide evenly over 2 uplinks"},
        {{{"Tier3Oversubscription", 5}}, "Tier3Oversubscription: found '5'"},
        {{{"Channels", 1}, {"Tier2Oversubscription", 16}}, "Tier2Oversubscription: found '16'"},
        {{{"Clusters", 4000000000}}, "Clusters: found '4000000000'"},
        {{{"Channels", 4000000000}}, "Channels: found '4000000000'"},
    };
    for (const auto& [settings, words] : bad)
    {
        const std::string error = GetRefusal([&] { Network(settings); });
        EXPECT_EQ(error.find(words), 0U) << error;
        EXPECT_EQ(error.find('\n'), std::string::npos);
    }
}

/**
 * All simple paths, by brute force.
 * @param neighbours of each node
 * @param path so far
 * @param target last node
 * @param [in,out] all receives the paths
 */
void
Walk(const std::vector<std::set<uint32_t>>& neighbours,
     std::vector<uint32_t>& path,
     uint32_t target,
     std::vector<std::vector<uint32_t>>& all)
{
    if (path.back() == target)
    {
        all.push_back(path);
        return;
    }
    for (uint32_t node : neighbours[path.back()])
    {
        if (std::find(path.begin(), path.end(), node) == path.end())
        {
            path.push_back(node);
            Walk(neighbours, path, target, all);
            path.pop_back();
        }
    }
}

TEST(ShortestPathsTest, AreThoseOfBruteForce)
{
    std::mt19937 random(5);
    for (uint32_t round = 0; round < 200; ++round)
    {
        const uint32_t nodes = 3 + random() % 6;
        std::vector<std::set<uint32_t>> neighbours(nodes);
        std::vector<std::pair<uint32_t, uint32_t>> links;
        for (uint32_t u = 0; u < nodes; ++u)
        {
            for (uint32_t v = u + 1; v < nodes; ++v)
            {
                if (random() % 2)
                {
                    links.emplace_back(u, v);
                    neighbours[u].insert(v);
                    neighbours[v].insert(u);
                }
            }
        }
        std::vector<std::vector<uint32_t>> all;
        std::vector<uint32_t> path{0};
        Walk(neighbours, path, nodes - 1, all);
        // By hops, and by few different lengths, so that ties are frequent.
        std::vector<double> lengths;
        std::map<std::pair<uint32_t, uint32_t>, double> known;
        for (const auto& link : links)
        {
            // In tenths, whose sums as doubles are rounded: 0.1 + 0.2 is not 0.3.
            const auto tenths = static_cast<double>(1 + random() % 4);
            lengths.push_back(tenths / 10);
            known[link] = tenths;
        }
        for (const bool byLength : {false, true})
        {
            const auto measure = [&](const std::vector<uint32_t>& nodes)
            {
                double sum = 0;
                for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
                {
                    sum += byLength ? known.at(std::minmax(nodes[i], nodes[i + 1])) : 1;
                }
                return sum;
            };
            std::sort(all.begin(),
                      all.end(),
                      [&](const auto& a, const auto& b)
                      { return std::pair(measure(a), a) < std::pair(measure(b), b); });
            for (const std::size_t k : {std::size_t{1}, std::size_t{3}, all.size() + 1})
            {
                ShortestPaths search(nodes, links, byLength ? lengths : std::vector<double>());
                const auto found = search.Find(0, nodes - 1, k);
                const auto wanted = std::vector(all.begin(), all.begin() + std::min(k, all.size()));
                EXPECT_EQ(found, wanted) << "round " << round << ", k " << k << ", " << byLength;
            }
        }
    }
}

TEST(RddcNetworkTest, KeepsAtMost256Paths)
{
    // Four core switches and three aggregation switches a cluster: far more paths than 256.
    RddcSizes sizes;
    sizes.rackUplinks = 3;
    sizes.cores = 4;
    sizes.paths = 256;
    const auto network = std::make_shared<const RddcNetwork>(sizes);
    EXPECT_EQ(network->GetNPaths(0, 2), 256U);
    RddcChannelLedger ledger(network);
    std::vector<RddcLightpath> granted;
    const std::vector<ServerId> others{40};
    EXPECT_TRUE(ledger.Connect(0, others, {RddcRouting::LEAST_USED, 256}, granted));
    sizes.paths = 257;
    const std::string error = GetRefusal([&] { RddcNetwork refused(sizes); });
    EXPECT_EQ(error, "Paths: found '257', expected 1 to 256");
}

TEST(RddcNetworkTest, PathsJoinTheirRacks)
{
    for (const auto& settings :
         {Settings{},
          Settings{{"Clusters", 5}, {"RacksPerCluster", 3}, {"Tier3Oversubscription", 3}},
          Settings{{"Clusters", 1}},
          Settings{{"RacksPerCluster", 1}, {"Tier3Oversubscription", 2}},
          Settings{{"Clusters", 1}, {"RacksPerCluster", 1}}})
    {
        const auto network = Network(settings);
        const uint32_t firstRack = network->GetNServers();
        for (RackId a = 0; a < network->GetNRacks(); ++a)
        {
            EXPECT_EQ(network->GetNPaths(a, a), 1U);
            EXPECT_TRUE(network->GetPath(a, a, 0).empty());
            for (RackId b = 0; b < network->GetNRacks(); ++b)
            {
                if (a == b)
                {
                    continue;
                }
                const bool near = network->GetCluster(a) == network->GetCluster(b);
                EXPECT_EQ(network->GetPath(a, b, 0).size(), near ? 2U : 4U);
                std::set<std::vector<LinkId>> different;
                std::size_t length = 0;
                for (std::size_t p = 0; p < network->GetNPaths(a, b); ++p)
                {
                    const auto links = network->GetPath(a, b, p);
                    EXPECT_GE(links.size(), length);
                    length = links.size();
                    EXPECT_EQ(links.data(), network->GetPath(b, a, p).data()) << "one list a pair";
                    different.insert({links.begin(), links.end()});
                    // Walk from the lower rack's switch to the other's, visiting no node twice.
                    std::set<uint32_t> met{firstRack + std::min(a, b)};
                    uint32_t at = firstRack + std::min(a, b);
                    for (LinkId link : links)
                    {
                        const auto [u, v] = network->GetEnds(link);
                        ASSERT_TRUE(at == u || at == v);
                        at = at == u ? v : u;
                        EXPECT_TRUE(met.insert(at).second);
                    }
                    EXPECT_EQ(at, firstRack + std::max(a, b));
                }
                EXPECT_EQ(different.size(), network->GetNPaths(a, b));
            }
        }
    }
}

TEST(RddcNetworkTest, FirstPathsUseAllUplinksAlike)
{
    auto topology = Topology({});
    topology->SetAttribute("SpreadPaths", BooleanValue(true));
    const auto network = topology->Build();
    std::vector<uint32_t> uses(network->GetNLinks(), 0);
    for (RackId a = 0; a < 2; ++a)
    {
        for (RackId b = 2; b < 4; ++b)
        {
            for (LinkId link : network->GetPath(a, b, 0))
            {
                ++uses[link];
            }
            // The second avoids all links of the first.
            for (LinkId link : network->GetPath(a, b, 1))
            {
                const auto first = network->GetPath(a, b, 0);
                EXPECT_EQ(std::find(first.begin(), first.end(), link), first.end());
            }
        }
    }
    for (LinkId link = network->GetNServers(); link < network->GetNLinks(); ++link)
    {
        EXPECT_EQ(uses[link], 1U) << link;
    }
}

/// Lightpaths between 64 servers, and the number of them on each link.
class ChannelsUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        CONNECT, //!< server, first of the others, their gaps, order and number of paths
        RELEASE, //!< which of those granted
    };

    /// @param network servers and links
    explicit ChannelsUnderTest(const std::shared_ptr<const RddcNetwork>& network)
        : m_empty(network),
          m_ledger(network),
          m_used(network->GetNLinks())
    {
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        if (operation.kind == RELEASE)
        {
            if (!m_live.empty())
            {
                std::swap(m_live[words[0] % m_live.size()], m_live.back());
                m_ledger.Release(m_live.back());
                Count(m_live.back(), -1);
                m_live.pop_back();
            }
            return Compare();
        }
        const ServerId server = words[0] % 64;
        std::vector<ServerId> others;
        std::minstd_rand gaps(words[2]);
        for (ServerId other = words[1] % 8; other < 64; other += 1 + gaps() % 16)
        {
            if (other != server)
            {
                others.push_back(other);
            }
        }
        const RddcRouting routing{static_cast<RddcRouting::Order>(words[3] % 3),
                                  1 + words[3] / 3 % 4};
        const RddcChannelLedger before = m_ledger;
        const RackId rack = m_ledger.GetNetwork()->GetRack(server);
        const bool can = m_ledger.GetFree(server) >= others.size() &&
                         m_ledger.CanConnectRack(rack, others, routing);
        std::vector<RddcLightpath> granted;
        const bool connected = m_ledger.Connect(server, others, routing, granted);
        Note(connected ? "granted" : "refused");
        BROKEN_IF(can != connected, "the prediction of a grant");
        BROKEN_IF(granted.size() != (connected ? others.size() : 0),
                  "a lightpath for each server or none");
        BROKEN_IF(!connected && !(m_ledger == before), "a refusal leaves a trace");
        Count(granted, 1);
        if (connected)
        {
            m_live.push_back(std::move(granted));
        }
        return Compare();
    }

    std::string Finish() override
    {
        for (const auto& lightpaths : m_live)
        {
            m_ledger.Release(lightpaths);
        }
        return m_ledger == m_empty ? "" : "a release leaves a trace";
    }

  private:
    /// @param lightpaths granted or released  @param sign 1 or -1
    void Count(const std::vector<RddcLightpath>& lightpaths, int sign)
    {
        for (const auto& lightpath : lightpaths)
        {
            m_used[lightpath.from] += sign;
            m_used[lightpath.to] += sign;
            for (LinkId link : m_ledger.GetSwitchLinks(lightpath))
            {
                m_used[link] += sign;
            }
        }
    }

    /// @return the broken invariant
    std::string Compare() const
    {
        const RddcNetwork& network = *m_ledger.GetNetwork();
        std::array<uint64_t, 3> tiers{};
        for (LinkId link = 0; link < network.GetNLinks(); ++link)
        {
            tiers[network.GetTier(link)] += m_used[link];
            BROKEN_IF(m_used[link] + m_ledger.GetFree(link) != network.GetChannels(link),
                      "channels = free + lightpaths");
        }
        return tiers == std::array{m_ledger.GetUsed(0), m_ledger.GetUsed(1), m_ledger.GetUsed(2)}
                   ? ""
                   : "channels in use of a tier";
    }

    RddcChannelLedger m_empty;                      //!< as it began
    RddcChannelLedger m_ledger;                     //!< under test
    std::vector<uint32_t> m_used;                   //!< lightpaths by link
    std::vector<std::vector<RddcLightpath>> m_live; //!< granted together
};

TEST(RddcChannelLedgerTest, ConservesChannelsAndPredictsGrants)
{
    for (const uint64_t oversubscription : {1, 4})
    {
        const auto network =
            Network({{"Channels", 8}, {"Tier2Oversubscription", oversubscription}});
        const Property property{{{"CONNECT", 1}, {"RELEASE", 1}},
                                [&network] { return std::make_unique<ChannelsUnderTest>(network); },
                                {"granted", "refused"}};
        EXPECT_EQ(CheckProperty(property).report, "");
    }
}

TEST(RddcChannelLedgerTest, RoutesByChannels)
{
    // Two racks of one cluster: two short paths, those over the core switches are longer.
    RddcChannelLedger ledger(Network({{"Clusters", 1}}));
    std::vector<RddcLightpath> granted;
    const ServerId other = 16;
    ASSERT_TRUE(ledger.Connect(0, {&other, 1}, {RddcRouting::HOPS, 3}, granted));
    ASSERT_TRUE(ledger.Connect(1, {&other, 1}, {RddcRouting::HOPS, 3}, granted));
    ASSERT_TRUE(ledger.Connect(2, {&other, 1}, {RddcRouting::LEAST_USED, 3}, granted));
    ASSERT_TRUE(ledger.Connect(3, {&other, 1}, {RddcRouting::LEAST_FREE, 3}, granted));
    EXPECT_EQ(granted[0].path, 0U);
    EXPECT_EQ(granted[1].path, 0U);
    EXPECT_EQ(granted[2].path, 1U);
    EXPECT_EQ(granted[3].path, 0U);
    EXPECT_GT(ledger.GetNetwork()->GetNPaths(0, 1), 2U);
}

} // namespace
