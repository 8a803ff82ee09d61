// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Requests have the paper's distributions, wait for raw resources, and are granted completely or
 * not at all.
 */

#include "../core/odcn-property.h"
#include "rddc-test-system.h"

#include "ns3/enum.h"
#include "ns3/rddc-request-generator.h"

#include <tuple>

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
        const std::string error = GetRefusal([&] { generator->Next(request); });
        EXPECT_EQ(error.find(name), 0U) << error;
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

/// Requests and choices of servers, and a list of the grants.
class AllocationUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        REQUEST, //!< CPU, memory, holding time, time since the last one
        CHOOSE,  //!< server; the next useful one, mostly
    };

    /// @param routing order of paths  @param afterFailure of sampled faults; "" for none
    explicit AllocationUnderTest(const char* routing, const std::string& afterFailure = "")
        : m_manager(MakeRddcManager({{"Channels", 16}}))
    {
        m_manager->SetAttribute("Routing", StringValue(routing));
        if (!afterFailure.empty())
        {
            m_manager->SetAttribute("AfterFailure", StringValue(afterFailure));
            const FaultParts parts =
                RddcManager::GetFaultParts(*m_manager->GetChannels().GetNetwork());
            FaultPlan plan;
            for (const auto& [part, sizes] : parts)
            {
                plan.Sample(part, sizes, Seconds(100), Seconds(10), Seconds(500), 10 * int(part));
            }
            m_manager->SetFaults(std::make_shared<FaultTimeline>(plan, parts, MilliSeconds(30)));
        }
        m_manager->TraceConnectWithoutContext("Interrupted",
                                              MakeCallback(&AllocationUnderTest::Interrupt, this));
        m_manager->Reset();
        m_manager->TraceConnectWithoutContext("Granted",
                                              MakeCallback(&AllocationUnderTest::Grant, this));
        m_manager->TraceConnectWithoutContext("Released",
                                              MakeCallback(&AllocationUnderTest::Release, this));
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        RddcRequest again;
        if (operation.kind == REQUEST && !m_manager->IsServing() &&
            m_manager->TakeInterrupted(again))
        {
            m_manager->Begin(again);
            Note("again");
        }
        else if (operation.kind == REQUEST && !m_manager->IsServing())
        {
            m_manager->Begin({m_manager->GetCounters().received,
                              words[3] % 200 / 100.0,
                              1 + words[0] % 128,
                              words[1] % 129,
                              1.0 + words[2] % 30});
        }
        else if (operation.kind == CHOOSE && m_manager->IsServing())
        {
            ServerId server = words[0] % SERVERS;
            for (uint32_t i = 0; i < SERVERS && words[1] % 50 && !m_manager->IsUseful(server); ++i)
            {
                server = (server + 1) % SERVERS;
            }
            std::vector<uint8_t> mask(SERVERS);
            m_manager->FindConnected(mask.data());
            const bool refused = m_manager->Choose(server) == RddcManager::Step::REFUSED;
            if (refused != (mask[server] == 0))
            {
                return "the prediction of a refusal";
            }
            Note(refused ? "refused" : "chosen");
        }
        return Compare();
    }

    std::string Finish() override
    {
        if (!m_manager->IsServing())
        {
            m_manager->Begin({m_manager->GetCounters().received, 1e9, 1, 0, 1});
        }
        // The last request ends with a server that it has, if any, or with one of no use.
        while (m_manager->IsServing())
        {
            m_manager->Choose(m_manager->GetCurrent().shares.empty()
                                  ? 0
                                  : m_manager->GetCurrent().shares.front().server);
        }
        m_manager->Begin({m_manager->GetCounters().received, 1e9, 1, 0, 1});
        const RddcServerLedger empty(SERVERS, 16, 16);
        const bool free =
            m_manager->GetServers() == empty &&
            m_manager->GetChannels() == RddcChannelLedger(m_manager->GetChannels().GetNetwork());
        return free && m_grants.empty() ? Compare() : "a release leaves a trace";
    }

  private:
    static constexpr uint32_t SERVERS = 64; //!< number of servers

    /// @return the broken invariant
    std::string Compare() const
    {
        const RddcCounters& counters = m_manager->GetCounters();
        if (!m_broken.empty() || m_grants.size() != m_manager->GetNActive() ||
            counters.granted != m_granted || counters.interrupted != m_interrupted)
        {
            return m_broken + " grants";
        }
        if (counters.received != counters.granted + counters.refused + m_manager->IsServing())
        {
            return "received = granted + refused + the one being served";
        }
        const RddcNetwork& network = *m_manager->GetChannels().GetNetwork();
        RddcServerLedger servers(SERVERS, 16, 16);
        std::vector<uint64_t> used(network.GetNLinks());
        const auto add = [&](const RddcGrant& grant)
        {
            for (const auto& share : grant.shares)
            {
                servers.Take(share.server, share.cpu, share.memory);
            }
            for (const auto& lightpath : grant.lightpaths)
            {
                ++used[lightpath.from];
                ++used[lightpath.to];
                for (LinkId link : m_manager->GetChannels().GetSwitchLinks(lightpath))
                {
                    ++used[link];
                }
            }
        };
        for (const auto& [id, grant] : m_grants)
        {
            add(grant);
        }
        if (m_manager->IsServing())
        {
            add(m_manager->GetCurrent());
        }
        std::vector<bool> failed(used.size());
        for (const auto& [part, first, second] : FindFailed())
        {
            if (part == FaultPart::SERVER)
            {
                const ServerId server = first * network.GetSizes().serversPerRack + second;
                if (servers.GetCpu(server) != 16 || servers.GetMemory(server) != 16)
                {
                    return "a grant of a server that has failed";
                }
                servers.SetFailed(server, true);
                continue;
            }
            for (LinkId link = 0; link < used.size(); ++link)
            {
                const auto& [a, b] = network.GetEnds(link);
                const uint32_t node = SERVERS + first;
                failed[link] = failed[link] ||
                               (part == FaultPart::LINK ? link == first : a == node || b == node);
            }
        }
        for (LinkId link = 0; link < used.size(); ++link)
        {
            if (failed[link])
            {
                if (used[link] > 0 || m_manager->GetChannels().GetFree(link) > 0)
                {
                    return "a link that has failed";
                }
            }
            else if (used[link] + m_manager->GetChannels().GetFree(link) !=
                     network.GetChannels(link))
            {
                return "channels = free + those of the grants";
            }
        }
        return servers == m_manager->GetServers() ? "" : "units in use are those of the grants";
    }

    /// @param grant that begins
    void Grant(const RddcGrant& grant)
    {
        const std::size_t n = grant.shares.size();
        uint64_t cpu = 0;
        uint64_t memory = 0;
        for (const auto& share : grant.shares)
        {
            cpu += share.cpu;
            memory += share.memory;
        }
        if (grant.lightpaths.size() != n * (n - 1) / 2 || cpu != grant.request.cpu ||
            memory != grant.request.memory)
        {
            m_broken = "a grant in part";
        }
        m_grants[grant.request.id] = grant;
        ++m_granted;
        Note("granted");
    }

    /// @return the parts that do not work now
    std::set<std::tuple<FaultPart, uint32_t, uint32_t>> FindFailed() const
    {
        std::set<std::tuple<FaultPart, uint32_t, uint32_t>> parts;
        for (std::size_t i = 0;
             m_manager->GetFaults() && m_manager->GetFaults()->GetTime(i) <= m_manager->GetTime();
             ++i)
        {
            const auto& change = m_manager->GetFaults()->GetChanges()[i];
            if (change.failed)
            {
                parts.insert({change.part, change.first, change.second});
            }
            else
            {
                parts.erase({change.part, change.first, change.second});
            }
        }
        return parts;
    }

    /// @param grant that is interrupted
    void Interrupt(const RddcGrant& grant)
    {
        ++m_interrupted;
        Note("interrupted");
        Release(grant);
    }

    /// @param grant that ends
    void Release(const RddcGrant& grant)
    {
        if (m_grants.erase(grant.request.id) != 1)
        {
            m_broken = "a release without a grant";
        }
    }

    Ptr<RddcManager> m_manager;             //!< under test
    std::map<uint64_t, RddcGrant> m_grants; //!< the model: present grants
    uint64_t m_granted{0};                  //!< grants so far
    uint64_t m_interrupted{0};              //!< of them, interrupted
    std::string m_broken;                   //!< an invariant of the traces, if broken
};

TEST(RddcManagerTest, LedgersAreWhatGrantsMake)
{
    for (const char* routing : {"Hops", "LeastFree", "LeastUsed"})
    {
        Property property{{{"REQUEST", 1}, {"CHOOSE", 2}},
                          [routing] { return std::make_unique<AllocationUnderTest>(routing); },
                          {"granted", "refused"}};
        property.cost = 5;
        EXPECT_EQ(CheckProperty(property).report, "");
    }
}

TEST(RddcManagerTest, LedgersAreWhatFaultsLeave)
{
    for (const char* after : {"End", "Replace", "Restart"})
    {
        Property property{{{"REQUEST", 1}, {"CHOOSE", 2}},
                          [after] { return std::make_unique<AllocationUnderTest>("Hops", after); },
                          {"granted", "refused", "interrupted"}};
        if (std::string(after) != "End")
        {
            property.events.push_back("again");
        }
        property.cost = 20;
        EXPECT_EQ(CheckProperty(property).report, "");
    }
}

TEST(RddcManagerTest, InterruptedRequestsFollowAfterFailure)
{
    // One rack; server 0 fails at 3 s for good, server 1 from 3 to 8 s.
    FaultPlan plan;
    plan.Add({FaultPart::SERVER, 0, 0, Seconds(3), Time::Max(), ""});
    plan.Add({FaultPart::SERVER, 0, 1, Seconds(3), Seconds(8), ""});
    for (const std::string after : {"End", "Replace", "Restart"})
    {
        auto manager = MakeRddcManager(
            {{"Clusters", 1}, {"RacksPerCluster", 1}, {"ServersPerRack", 2}, {"Channels", 16}});
        manager->SetAttribute("AfterFailure", StringValue(after));
        const FaultParts parts = RddcManager::GetFaultParts(*manager->GetChannels().GetNetwork());
        manager->SetFaults(std::make_shared<FaultTimeline>(plan, parts, MilliSeconds(500)));
        manager->Reset();
        manager->Begin({0, 1, 8, 8, 10});
        EXPECT_EQ(manager->Choose(0), RddcManager::Step::GRANTED);
        // Control knows at 3.5 s; until 8.5 s there is nothing, so the request waits.
        manager->Begin({1, 4, 8, 8, 1});
        EXPECT_EQ(manager->GetTime(), 8.5);
        EXPECT_EQ(manager->Choose(0), RddcManager::Step::REFUSED) << "it has nothing";
        const RddcCounters& counters = manager->GetCounters();
        EXPECT_EQ(counters.interrupted, 1U);
        EXPECT_EQ(counters.lostWork, after == "Replace" ? 0 : 2.5);
        RddcRequest again;
        EXPECT_EQ(manager->TakeInterrupted(again), after != "End");
        if (after != "End")
        {
            EXPECT_EQ(again.holding, after == "Replace" ? 7.5 : 10);
            EXPECT_EQ(again.gap, 0);
        }
        // More than is left for ever.
        manager->Begin({2, 1, 17, 1, 1});
        EXPECT_FALSE(manager->IsServing());
        EXPECT_EQ(counters.failed, 1U);
        EXPECT_EQ(counters.received, counters.granted + counters.refused);
        EXPECT_DOUBLE_EQ(manager->GetFaults()->GetAvailability(10), 1 - (7 + 5) / 20.0);
    }
}

} // namespace
