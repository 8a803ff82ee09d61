// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Max-min fair rates after any changes: those of water filling from scratch. Senders and receivers
 * of the flow level: those of a map.
 */

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-property.h"

#include "ns3/odcn-flow-pairs.h"
#include "ns3/odcn-max-min-rates.h"

#include <cmath>
#include <deque>
#include <map>
#include <random>
#include <set>

using namespace ns3::odcn;

namespace
{

/// Links of each of two networks that share none.
constexpr uint32_t NETWORK_LINKS = 8;

/// A flow of the model.
struct PathOfFlow
{
    uint32_t flow;               //!< index
    std::vector<uint32_t> links; //!< of the first network, or all of the second
};

/// Compute rates.
/// @param rates after changes
/// @return flows that it visits
std::vector<uint32_t>
Update(MaxMinRates& rates)
{
    std::vector<uint32_t> visited;
    rates.Update([&](uint32_t flow) { visited.push_back(flow); });
    return visited;
}

/// @param flows with their paths
/// @param free capacities by link
/// @return rates of the flows
std::vector<double>
FillFlows(const std::vector<PathOfFlow>& flows, std::vector<double> free)
{
    std::vector<double> rates(flows.size(), -1);
    for (std::size_t left = flows.size(); left > 0;)
    {
        std::vector<uint32_t> open(free.size());
        for (std::size_t f = 0; f < flows.size(); ++f)
        {
            for (const uint32_t link : flows[f].links)
            {
                open[link] += rates[f] < 0;
            }
        }
        uint32_t least = 0;
        for (uint32_t link = 0; link < free.size(); ++link)
        {
            const bool isLess =
                open[least] == 0 || free[link] / open[link] < free[least] / open[least];
            least = open[link] > 0 && isLess ? link : least;
        }
        const double share = std::max(0.0, free[least] / open[least]);
        for (std::size_t f = 0; f < flows.size(); ++f)
        {
            const auto& links = flows[f].links;
            if (rates[f] < 0 && std::count(links.begin(), links.end(), least) > 0)
            {
                rates[f] = share;
                --left;
                for (const uint32_t link : links)
                {
                    free[link] -= share;
                }
            }
        }
    }
    return rates;
}

/// Changes of flows over two networks, and of capacities; the second one also on its own.
class RatesUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        ADD,    //!< network, hops, links
        REMOVE, //!< which flow
        CHANGE, //!< link, capacity
        UPDATE, //!< after any number of changes
    };

    /// @param most number of flows
    explicit RatesUnderTest(std::size_t most)
        : m_most(most),
          m_capacities(2 * NETWORK_LINKS, 10)
    {
        for (uint32_t link = 0; link < 2 * NETWORK_LINKS; ++link)
        {
            m_rates.AddLink(10);
            m_alone.AddLink(10);
        }
    }

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        switch (operation.kind)
        {
        case ADD:
            if (m_flows.size() < m_most)
            {
                Add(words);
            }
            break;
        case REMOVE:
            if (!m_flows.empty())
            {
                std::swap(m_flows[words[0] % m_flows.size()], m_flows.back());
                m_rates.RemoveFlow(m_flows.back().flow);
                if (m_flows.back().links[0] >= NETWORK_LINKS)
                {
                    m_alone.RemoveFlow(m_flows.back().flow);
                }
                m_unused.push_back(m_flows.back().flow);
                m_flows.pop_back();
            }
            break;
        case CHANGE:
        {
            // Few values, so that links often have equal levels, and 0.
            const uint32_t link = words[0] % (2 * NETWORK_LINKS);
            m_capacities[link] = words[1] % 4 * 5.0;
            m_rates.SetCapacity(link, m_capacities[link]);
            if (link >= NETWORK_LINKS)
            {
                m_alone.SetCapacity(link, m_capacities[link]);
            }
            break;
        }
        default:
            return Compare();
        }
        return "";
    }

    std::string Finish() override
    {
        return Compare();
    }

  private:
    /// Add a flow. @param words network, hops, links
    void Add(const std::array<uint32_t, 4>& words)
    {
        std::set<uint32_t> links;
        for (uint32_t hop = 0; hop <= words[1] % 4; ++hop)
        {
            links.insert(words[0] % 2 * NETWORK_LINKS + (words[2] >> (3 * hop)) % NETWORK_LINKS);
        }
        uint32_t flow = static_cast<uint32_t>(m_flows.size() + m_unused.size());
        if (!m_unused.empty())
        {
            flow = m_unused.back();
            m_unused.pop_back();
        }
        m_flows.push_back({flow, {links.begin(), links.end()}});
        m_rates.AddFlow(flow, m_flows.back().links);
        if (words[0] % 2 == 1)
        {
            m_alone.AddFlow(flow, m_flows.back().links);
        }
    }

    /// Update both, and compare them with the model.
    /// @return what differs
    std::string Compare()
    {
        std::vector<double> before(m_flows.size());
        for (std::size_t f = 0; f < m_flows.size(); ++f)
        {
            before[f] = m_rates.GetRate(m_flows[f].flow);
        }
        const std::vector<uint32_t> changed = Update(m_rates);
        Update(m_alone);
        const std::vector<double> expected = FillFlows(m_flows, m_capacities);
        for (std::size_t f = 0; f < m_flows.size(); ++f)
        {
            const uint32_t flow = m_flows[f].flow;
            const double rate = m_rates.GetRate(flow);
            BROKEN_IF(!(std::abs(rate - expected[f]) <= 1e-9 * (1 + expected[f])),
                      "a rate is not that of water filling");
            BROKEN_IF(rate != before[f] && std::count(changed.begin(), changed.end(), flow) != 1,
                      "a flow with another rate is not told, or twice");
            BROKEN_IF(m_flows[f].links[0] >= NETWORK_LINKS && m_alone.GetRate(flow) != rate,
                      "a rate depends on links that are not connected");
        }
        if (changed.size() < m_flows.size())
        {
            Note("some are not touched");
        }
        return "";
    }

    std::size_t m_most;               //!< most flows
    std::vector<double> m_capacities; //!< by link
    std::vector<PathOfFlow> m_flows;  //!< those there are
    std::vector<uint32_t> m_unused;   //!< indices
    MaxMinRates m_rates;              //!< of both networks
    MaxMinRates m_alone;              //!< of the second one
};

TEST(MaxMinRates, RandomChangesGiveTheRatesOfWaterFilling)
{
    for (const std::size_t most : {3, 20, 100})
    {
        const Property property{{{"ADD", 40}, {"REMOVE", 30}, {"CHANGE", 10}, {"UPDATE", 40}},
                                [most] { return std::make_unique<RatesUnderTest>(most); },
                                {"some are not touched"},
                                1000,
                                most > 20 ? 4U : 1U};
        EXPECT_EQ(CheckProperty(property).report, "");
    }
}

TEST(MaxMinRates, AChangeTouchesOnlyLinksWhoseLevelChanges)
{
    // Flow 0 shares link 0 (4) with flow 1, which shares link 1 (10) with flow 2.
    MaxMinRates rates;
    rates.AddLink(4);
    rates.AddLink(10);
    rates.AddFlow(0, {0});
    rates.AddFlow(1, {0, 1});
    rates.AddFlow(2, {1});
    EXPECT_EQ(Update(rates).size(), 3U);
    EXPECT_EQ(rates.GetRate(0), 2);
    EXPECT_EQ(rates.GetRate(1), 2);
    EXPECT_EQ(rates.GetRate(2), 8);
    // Link 1 is above the level of link 0 whatever happens there.
    rates.SetCapacity(1, 12);
    EXPECT_EQ(Update(rates).size(), 2U);
    EXPECT_EQ(rates.GetRate(0), 2);
    EXPECT_EQ(rates.GetRate(2), 10);
    rates.RemoveFlow(2);
    EXPECT_EQ(Update(rates), std::vector<uint32_t>{1});
    rates.RemoveFlow(0);
    EXPECT_EQ(Update(rates), std::vector<uint32_t>{1});
    EXPECT_EQ(rates.GetRate(1), 4);
    EXPECT_FALSE(rates.HasChanged());
}

TEST(MaxMinRates, GivesItsMemoryBack)
{
    MaxMinRates rates;
    const uint32_t a = rates.AddLink(4);
    const uint32_t b = rates.AddLink(10);
    rates.AddFlow(0, {a, b});
    rates.AddFlow(1, {a});
    Update(rates);
    rates.RemoveFlow(1);
    rates.RemoveFlow(0);
    rates.FreeMemory();
    EXPECT_FALSE(rates.IsUsed(a));
    rates.AddFlow(7, {b, a});
    rates.AddFlow(2, {b});
    EXPECT_EQ(Update(rates).size(), 2U);
    EXPECT_EQ(rates.GetRate(7), 4);
    EXPECT_EQ(rates.GetRate(2), 6);
}

TEST(FlowPairs, AreThoseOfAMap)
{
    std::mt19937 random(7);
    FlowPairs pairs;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> indices;
    std::map<uint32_t, std::deque<uint32_t>> waiting;
    for (uint32_t step = 0; step < 20000; ++step)
    {
        const uint32_t from = random() % 40;
        const uint32_t to = random() % (step < 10000 ? 40 : 5) + 100;
        const auto found = indices.find({from, to});
        const uint32_t index = pairs.Find(from, to);
        ASSERT_EQ(index, found == indices.end() ? FlowPairs::NONE : found->second);
        if (index == FlowPairs::NONE)
        {
            const uint32_t added = pairs.Add(from, to);
            for (const auto& [other, taken] : indices)
            {
                ASSERT_NE(taken, added);
            }
            EXPECT_EQ(pairs[added].time, 0);
            EXPECT_FALSE(pairs[added].isBusy);
            indices[{from, to}] = added;
            pairs[added].time = step;
            continue;
        }
        ASSERT_EQ(pairs[index].from, from);
        ASSERT_EQ(pairs[index].to, to);
        std::deque<uint32_t>& messages = waiting[index];
        ASSERT_EQ(pairs.HasWaiting(index), !messages.empty());
        switch (random() % 3)
        {
        case 0:
            pairs.AddWaiting(index, step);
            messages.push_back(step);
            break;
        case 1:
            if (!messages.empty())
            {
                ASSERT_EQ(pairs.TakeWaiting(index), messages.front());
                messages.pop_front();
            }
            break;
        default:
            if (messages.empty())
            {
                pairs.Remove(index);
                EXPECT_TRUE(pairs[index].isBusy);
                indices.erase(found);
            }
        }
    }
    EXPECT_GT(indices.size(), 100U);
    pairs.Clear();
    EXPECT_EQ(pairs.Find(indices.begin()->first.first, indices.begin()->first.second),
              FlowPairs::NONE);
}

} // namespace
