// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Requests have the paper's distributions, wait for raw resources, and are granted completely or
 * not at all.
 */

#include "rddc-test-system.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/odcn-error.h"
#include "ns3/rddc-request-generator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

TEST(RddcRequestGeneratorTest, OffersThePapersLoad)
{
    EXPECT_EQ(RddcRequestGenerator::GetLongestHolding(0.95, 1024, 128), 30U);
    EXPECT_EQ(RddcRequestGenerator::GetLongestHolding(0.95, 16384, 128), 483U);
    auto generator = CreateObject<RddcRequestGenerator>();
    EXPECT_EQ(generator->AssignStreams(7), 4);
    RddcRequest request;
    double cpu = 0;
    double memory = 0;
    constexpr uint64_t N = 200000;
    std::map<uint32_t, uint32_t> sizes;
    for (uint64_t i = 0; i < N; ++i)
    {
        ASSERT_TRUE(generator->Next(request));
        EXPECT_EQ(request.id, i);
        EXPECT_EQ(request.gap, 1);
        ASSERT_TRUE(request.cpu >= 1 && request.cpu <= 128);
        ASSERT_TRUE(request.memory >= 1 && request.memory <= 128);
        ASSERT_TRUE(request.holding >= 1 && request.holding <= 30);
        ++sizes[request.cpu];
        cpu += request.cpu * request.holding;
        memory += request.memory * request.holding;
    }
    EXPECT_EQ(sizes.size(), 128U);
    // 64.5 units for 15.5 of each time unit, over 1024 units; 0.4 % are 2.5 standard errors.
    EXPECT_NEAR(cpu / N / 1024, 0.9763, 0.004);
    EXPECT_NEAR(memory / N / 1024, 0.9763, 0.004);
}

TEST(RddcRequestGeneratorTest, StreamsAreRepeatableAndIndependent)
{
    auto a = CreateObject<RddcRequestGenerator>();
    auto b = CreateObject<RddcRequestGenerator>();
    b->SetAttribute("Memory", StringValue("ns3::ConstantRandomVariable[Constant=5]"));
    a->AssignStreams(3);
    b->AssignStreams(3);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        RddcRequest x;
        RddcRequest y;
        a->Next(x);
        b->Next(y);
        EXPECT_EQ(y.memory, 5U);
        y.memory = x.memory;
        EXPECT_EQ(x, y);
    }
    a->AssignStreams(4);
    b->AssignStreams(5);
    RddcRequest x;
    RddcRequest y;
    a->Next(x);
    b->Next(y);
    EXPECT_FALSE(x == y);
}

TEST(RddcRequestGeneratorTest, RefusesWhatNoRequestCanHave)
{
    for (const auto& [name, value] : {std::pair{"Cpu", "0"},
                                      std::pair{"Cpu", "-3"},
                                      std::pair{"Cpu", "2e10"},
                                      std::pair{"Holding", "0"},
                                      std::pair{"Gap", "-1"}})
    {
        auto generator = CreateObject<RddcRequestGenerator>();
        generator->SetAttribute(
            name,
            StringValue(std::string("ns3::ConstantRandomVariable[Constant=") + value + "]"));
        RddcRequest request;
        try
        {
            generator->Next(request);
            ADD_FAILURE() << name << " " << value;
        }
        catch (const OdcnError& error)
        {
            EXPECT_EQ(std::string(error.what()).find(name), 0U) << error.what();
        }
    }
}

using Step = RddcManager::Step;

TEST(RddcManagerTest, LendsWhatIsFreeAndNeeded)
{
    auto manager = MakeRddcManager();
    const RddcServerLedger servers = manager->GetServers();
    const RddcChannelLedger channels = manager->GetChannels();
    manager->Begin({0, 1, 20, 5, 3});
    EXPECT_EQ(manager->Choose(0), Step::GOES_ON);
    EXPECT_EQ(manager->GetNeededCpu(), 4U);
    EXPECT_EQ(manager->GetNeededMemory(), 0U);
    EXPECT_FALSE(manager->IsUseful(0));
    EXPECT_TRUE(manager->IsUseful(1));
    EXPECT_EQ(manager->Choose(40), Step::GRANTED);
    EXPECT_EQ(manager->GetServers().GetCpu(0), 0U);
    EXPECT_EQ(manager->GetServers().GetMemory(0), 11U);
    EXPECT_EQ(manager->GetServers().GetCpu(40), 12U);
    EXPECT_EQ(manager->GetServers().GetMemory(40), 16U);
    EXPECT_EQ(manager->GetChannels().GetUsed(0), 2U);
    EXPECT_EQ(manager->GetChannels().GetUsed(1), 2U);
    EXPECT_EQ(manager->GetChannels().GetUsed(2), 2U);

    // It leaves at 4, before the next arrives at 4 and after one at 3.5.
    manager->Begin({1, 2.5, 1, 1, 1});
    EXPECT_EQ(manager->GetNActive(), 1U);
    EXPECT_EQ(manager->Choose(0), Step::GOES_ON);
    EXPECT_EQ(manager->Choose(0), Step::REFUSED) << "a server serves a request once";
    manager->Begin({2, 0.5, 1, 1, 1});
    EXPECT_EQ(manager->GetTime(), 4);
    EXPECT_EQ(manager->GetNActive(), 0U);
    EXPECT_EQ(manager->GetServers(), servers);
    EXPECT_EQ(manager->GetChannels(), channels);
    EXPECT_EQ(manager->GetCounters().granted, 1U);
    EXPECT_EQ(manager->GetCounters().refused, 1U);
    EXPECT_EQ(manager->GetCounters().received, 3U);
    EXPECT_EQ(manager->GetCounters().servers, 2U);
    EXPECT_EQ(manager->GetCounters().racks, 2U);
}

TEST(RddcManagerTest, SkipsServersWithNothingToLendWhereTold)
{
    // Two servers of 16.
    auto manager =
        MakeRddcManager({{"Clusters", 1}, {"RacksPerCluster", 1}, {"ServersPerRack", 2}});
    manager->SetAttribute("Useless", StringValue("Skip"));
    manager->Begin({0, 1, 16, 1, 10});
    EXPECT_EQ(manager->Choose(0), Step::GRANTED);
    manager->Begin({1, 1, 4, 0, 1});
    EXPECT_EQ(manager->Choose(0), Step::GOES_ON) << "no CPU there";
    EXPECT_TRUE(manager->IsChosen(0));
    EXPECT_EQ(manager->Choose(1), Step::GRANTED);
    EXPECT_EQ(manager->GetChannels().GetUsed(0), 0U) << "one server needs no path";
    // The second ends at 3, when the third arrives.
    manager->Begin({2, 1, 20, 0, 1});
    EXPECT_EQ(manager->GetTime(), 11) << "waits for the first";
    EXPECT_FALSE(manager->IsChosen(0)) << "forgotten";
    EXPECT_EQ(manager->Choose(1), Step::GOES_ON);
    EXPECT_EQ(manager->Choose(1), Step::GOES_ON) << "chosen before";
    EXPECT_EQ(manager->Choose(0), Step::GRANTED);
}

TEST(RddcManagerTest, ReleasesAfterAnArrivalWhereTold)
{
    for (const bool first : {true, false})
    {
        auto manager =
            MakeRddcManager({{"Clusters", 1}, {"RacksPerCluster", 1}, {"ServersPerRack", 2}});
        manager->SetAttribute("ReleaseFirst", BooleanValue(first));
        manager->Begin({0, 1, 16, 16, 2});
        EXPECT_EQ(manager->Choose(0), Step::GRANTED);
        // It ends at 3, when the next arrives.
        manager->Begin({1, 2, 4, 4, 1});
        EXPECT_EQ(manager->GetNActive(), first ? 0U : 1U);
        EXPECT_EQ(manager->GetServers().GetCpu(0), first ? 16U : 0U);
        EXPECT_EQ(manager->Choose(1), Step::GRANTED);
        // 30 units are free in neither case: it waits until the second ends.
        manager->Begin({2, 0, 30, 30, 1});
        EXPECT_EQ(manager->GetTime(), 4);
    }
}

TEST(RddcManagerTest, RequestsWaitForRawResources)
{
    // Two servers of 16.
    auto manager =
        MakeRddcManager({{"Clusters", 1}, {"RacksPerCluster", 1}, {"ServersPerRack", 2}});
    manager->Begin({0, 1, 30, 1, 10});
    EXPECT_EQ(manager->Choose(0), Step::GOES_ON);
    EXPECT_EQ(manager->Choose(1), Step::GRANTED);
    manager->Begin({1, 1, 2, 1, 20});
    EXPECT_EQ(manager->GetTime(), 2);
    EXPECT_EQ(manager->Choose(1), Step::GRANTED);
    manager->Begin({2, 1, 3, 1, 5});
    EXPECT_EQ(manager->GetTime(), 11) << "when the first leaves";
    EXPECT_EQ(manager->GetCounters().waited, 1U);
    EXPECT_EQ(manager->GetCounters().waitingTime, 8);
    EXPECT_EQ(manager->Choose(0), Step::GRANTED);
    EXPECT_THROW(manager->Begin({3, 1, 33, 1, 5}), OdcnError);
    EXPECT_THROW(manager->Begin({3, 1, 1, 33, 5}), OdcnError);
    EXPECT_THROW(manager->Begin({3, 1, 0, 0, 5}), OdcnError);
}

TEST(RddcManagerTest, RefusedRequestsLeaveNoTrace)
{
    auto manager = MakeRddcManager(
        {{"Channels", 2}, {"Tier2Oversubscription", 4}, {"Tier3Oversubscription", 4}});
    const RddcServerLedger servers = manager->GetServers();
    const RddcChannelLedger channels = manager->GetChannels();
    manager->Begin({0, 1, 64, 1, 10});
    EXPECT_EQ(manager->Choose(0), Step::GOES_ON);
    EXPECT_EQ(manager->Choose(1), Step::GOES_ON);
    EXPECT_EQ(manager->Choose(2), Step::GOES_ON);
    EXPECT_EQ(manager->Choose(3), Step::REFUSED) << "server 0 has two channels";
    EXPECT_EQ(manager->GetServers(), servers);
    EXPECT_EQ(manager->GetChannels(), channels);
    EXPECT_FALSE(manager->IsServing());
}

TEST(RddcManagerTest, MemoryNeedsNoPathToMemory)
{
    for (const bool all : {true, false})
    {
        auto manager = MakeRddcManager();
        manager->SetAttribute("Connectivity", StringValue(all ? "AllToAll" : "ComputePairs"));
        manager->Reset();
        manager->Begin({0, 1, 1, 48, 10});
        EXPECT_EQ(manager->Choose(0), Step::GOES_ON);
        EXPECT_EQ(manager->Choose(1), Step::GOES_ON);
        EXPECT_EQ(manager->Choose(2), Step::GRANTED);
        EXPECT_EQ(manager->GetChannels().GetUsed(0), all ? 6U : 4U);
    }
}

/// Checks that all resources in use belong to a grant.
class Holdings
{
  public:
    /// @param manager to observe
    explicit Holdings(RddcManager& manager)
        : m_network(manager.GetChannels().GetNetwork())
    {
        manager.TraceConnectWithoutContext("Granted", MakeCallback(&Holdings::Grant, this));
        manager.TraceConnectWithoutContext("Released", MakeCallback(&Holdings::Release, this));
    }

    /// @param manager observed  @return whether its ledgers agree with its grants
    bool Explain(const RddcManager& manager) const
    {
        RddcServerLedger servers(m_network->GetNServers(), 16, 16);
        std::vector<uint64_t> used(m_network->GetNLinks(), 0);
        for (const auto& [id, grant] : m_grants)
        {
            for (const auto& share : grant.shares)
            {
                servers.Take(share.server, share.cpu, share.memory);
            }
            for (const auto& lightpath : grant.lightpaths)
            {
                ++used[lightpath.from];
                ++used[lightpath.to];
                for (LinkId link : manager.GetChannels().GetSwitchLinks(lightpath))
                {
                    ++used[link];
                }
            }
        }
        for (LinkId link = 0; link < used.size(); ++link)
        {
            if (used[link] + manager.GetChannels().GetFree(link) != m_network->GetChannels(link))
            {
                return false;
            }
        }
        return servers == manager.GetServers();
    }

  private:
    /// @param grant that begins
    void Grant(const RddcGrant& grant)
    {
        const std::size_t n = grant.shares.size();
        EXPECT_EQ(grant.lightpaths.size(), n * (n - 1) / 2);
        uint64_t cpu = 0;
        uint64_t memory = 0;
        for (const auto& share : grant.shares)
        {
            cpu += share.cpu;
            memory += share.memory;
        }
        EXPECT_EQ(cpu, grant.request.cpu);
        EXPECT_EQ(memory, grant.request.memory);
        m_grants[grant.request.id] = grant;
    }

    /// @param grant that ends
    void Release(const RddcGrant& grant)
    {
        EXPECT_EQ(m_grants.erase(grant.request.id), 1U);
    }

    std::shared_ptr<const RddcNetwork> m_network; //!< of the manager
    std::map<uint64_t, RddcGrant> m_grants;       //!< present grants
};

TEST(RddcManagerTest, LedgersAreWhatGrantsMake)
{
    for (const char* routing : {"Hops", "LeastFree", "LeastUsed"})
    {
        auto manager = MakeRddcManager({{"Channels", 16}});
        manager->SetAttribute("Routing", StringValue(routing));
        auto generator = CreateObject<RddcRequestGenerator>();
        generator->AssignStreams(1);
        auto problem = CreateObject<RddcAllocation>();
        problem->SetManager(manager);
        problem->SetRequestSource(generator);
        problem->Reset();
        Holdings holdings(*manager);
        RandomServer policy(1, 0.01);
        std::vector<uint8_t> mask(64);
        for (uint32_t i = 0; i < 3000; ++i)
        {
            const auto step = policy.Decide(*problem);
            manager->FindConnected(mask.data());
            const bool useful = manager->IsUseful(step);
            const auto refused = manager->GetCounters().refused;
            problem->Act(step);
            if (useful)
            {
                ASSERT_EQ(mask[step] == 0, manager->GetCounters().refused > refused);
            }
            const RddcCounters& counters = manager->GetCounters();
            ASSERT_EQ(counters.received, counters.granted + counters.refused + 1);
            if (manager->GetCurrent().shares.empty())
            {
                ASSERT_TRUE(holdings.Explain(*manager)) << i;
            }
        }
        EXPECT_GT(manager->GetCounters().granted, 100U);
        EXPECT_GT(manager->GetCounters().refused, 100U);
    }
}

} // namespace
