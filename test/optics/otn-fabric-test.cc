// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The ledger of wavelengths against a naive model with an owner of each wavelength.
 */

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-property.h"
#include "otn-test-ring.h"

#include "ns3/otn-wavelength-ledger.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @return the shipped mesh
std::shared_ptr<const OtnMesh>
Bay()
{
    static const auto mesh = OtnMesh::Read(std::string(ODCN_DATA_DIR) + "/sf-bay-22-38.nodes.csv");
    return mesh;
}

/// @param wavelengths of each link  @return sites 0 to 3 in a ring
std::shared_ptr<const OtnMesh>
Circle(uint32_t wavelengths)
{
    return MakeRing(4, wavelengths);
}

/// @param numbers of wavelengths  @return the set
OtnWavelengths
Set(std::initializer_list<int> numbers)
{
    OtnWavelengths set;
    for (int number : numbers)
    {
        set.set(number);
    }
    return set;
}

TEST(OtnWavelengthLedger, AssignsByName)
{
    EXPECT_EQ(FindOtnAssignment("MostUsed"), OtnRouting::MOST_USED);
    EXPECT_EQ(FindOtnAssignment("LeastUsed"), OtnRouting::LEAST_USED);
    EXPECT_THROW(FindOtnAssignment("Most"), OdcnError);

    // Link 0 uses 0 and 1, link 1 uses 1: for link 2, 1 is the most used, 2 and 3 the least.
    const auto circle = Circle(4);
    const auto prepared = [&]
    {
        OtnWavelengthLedger ledger(circle);
        std::vector<OtnGrant> granted;
        EXPECT_TRUE(ledger.ReserveOn(OtnPath{0}, 2, {}, granted));
        EXPECT_TRUE(ledger.ReserveOn(OtnPath{2}, 2, {}, granted));
        EXPECT_EQ(granted[1].wavelengths[0], Set({0, 1}));
        OtnGrant zero{OtnPath{2}, {Set({0})}, true};
        ledger.Release({&zero, 1});
        return ledger;
    };
    for (const auto& [name, first, both] : {std::tuple{"FirstFit", Set({0}), Set({0, 1})},
                                            std::tuple{"MostUsed", Set({1}), Set({0, 1})},
                                            std::tuple{"LeastUsed", Set({2}), Set({2, 3})}})
    {
        const OtnRouting routing{FindOtnAssignment(name)};
        EXPECT_STREQ(OtnAssignmentName(routing.assignment), name);
        auto ledger = prepared();
        std::vector<OtnGrant> granted;
        ASSERT_TRUE(ledger.ReserveOn(OtnPath{4}, 1, routing, granted));
        EXPECT_EQ(granted[0].wavelengths[0], first) << name;
        ledger.Release(granted);
        EXPECT_TRUE(ledger == prepared());
        ASSERT_TRUE(ledger.ReserveOn(OtnPath{4}, 2, routing, granted));
        EXPECT_EQ(granted[1].wavelengths[0], both) << name;
    }
}

TEST(OtnWavelengthLedger, KeepsWavelengthsContinuousUnlessNodesConvert)
{
    OtnWavelengthLedger ledger(Circle(2));
    std::vector<OtnGrant> granted;
    // 0 is used on link 0, 1 on link 1: no common wavelength for two hops.
    ASSERT_TRUE(ledger.ReserveOn(OtnPath{0}, 1, {}, granted));
    ASSERT_TRUE(ledger.ReserveOn(OtnPath{2}, 2, {}, granted));
    OtnGrant zero{OtnPath{2}, {Set({0})}, true};
    ledger.Release({&zero, 1});
    const OtnPath through{0, 2};
    OtnRouting converting;
    converting.conversion = true;
    EXPECT_EQ(ledger.CountFree(through, {}), 0);
    EXPECT_EQ(ledger.CountFree(through, converting), 1);
    const auto before = ledger;
    EXPECT_FALSE(ledger.ReserveOn(through, 1, {}, granted));
    EXPECT_FALSE(ledger.ReserveOn(through, 2, converting, granted));
    EXPECT_TRUE(ledger == before);
    ASSERT_TRUE(ledger.ReserveOn(through, 1, converting, granted));
    EXPECT_EQ(granted.back().wavelengths, (std::vector{Set({1}), Set({0})}));
    // The other way round the ring is free.
    const OtnDemand demand{0, 2, 2};
    EXPECT_EQ(ledger.FindPath(demand, {}), (OtnPath{7, 5}));
    ASSERT_TRUE(ledger.Reserve({&demand, 1}, {}, granted));
    EXPECT_EQ(granted.back().GetCount(), 2);
}

TEST(OtnWavelengthLedger, GrantsAllOrNothing)
{
    OtnWavelengthLedger ledger(Circle(4));
    std::vector<OtnGrant> granted;
    const std::array<OtnDemand, 3> demands{{{0, 1, 3}, {1, 2, 3}, {0, 2, 5}}};
    EXPECT_FALSE(ledger.Reserve(demands, {}, granted));
    EXPECT_TRUE(granted.empty());
    EXPECT_TRUE(ledger == OtnWavelengthLedger(ledger.GetMesh()));
    ASSERT_TRUE(ledger.Reserve(std::span(demands).first(2), {}, granted));
    EXPECT_EQ(ledger.GetUsed(), 12);
    EXPECT_EQ(ledger.GetCapacity(), 32);
    const auto full = ledger;

    // Undo a release exactly; refuse wavelengths that another grant has by now.
    ledger.Release(granted);
    std::vector<OtnGrant> other;
    ASSERT_TRUE(ledger.ReserveOn(OtnPath{2}, 2, {}, other));
    const auto between = ledger;
    EXPECT_FALSE(ledger.Take(granted));
    EXPECT_TRUE(ledger == between);
    ledger.Release(other);
    EXPECT_TRUE(ledger.Take(granted));
    EXPECT_TRUE(ledger == full);
}

TEST(OtnWavelengthLedger, FindsAnotherWayOrNone)
{
    OtnWavelengthLedger ledger(Circle(4));
    std::vector<OtnGrant> granted;
    const std::array<OtnDemand, 2> demands{{{0, 1, 3}, {2, 3, 2}}};
    ASSERT_TRUE(ledger.Reserve(demands, {}, granted));
    ledger.SetCut(0, true);
    const auto before = ledger;
    // The other way round link 2 has two left, so three cannot be rerouted.
    OtnGrant grant = granted[0];
    EXPECT_FALSE(ledger.Reroute(grant, {}));
    EXPECT_EQ(grant, granted[0]);
    EXPECT_TRUE(ledger == before);
    ledger.Release({&granted[1], 1});
    ASSERT_TRUE(ledger.Reroute(grant, {}));
    EXPECT_EQ(grant.path, (OtnPath{7, 5, 3}));
    EXPECT_EQ(grant.GetCount(), 3);
    EXPECT_EQ(ledger.GetUsed(), 18);
    // Its own wavelengths count as free.
    ledger.SetCut(0, false);
    ASSERT_TRUE(ledger.Reroute(grant, {}));
    EXPECT_EQ(grant, granted[0]);
    ledger.Release({&grant, 1});
    EXPECT_TRUE(ledger == OtnWavelengthLedger(ledger.GetMesh()));
}

TEST(OtnWavelengthLedger, OneWayTakesOneFiber)
{
    OtnWavelengthLedger ledger(Circle(4));
    OtnRouting oneWay;
    oneWay.bothWays = false;
    std::vector<OtnGrant> granted;
    ASSERT_TRUE(ledger.ReserveOn(OtnPath{0}, 3, oneWay, granted));
    EXPECT_EQ(ledger.GetUsed(0), 3);
    EXPECT_EQ(ledger.GetUsed(1), 0);
    EXPECT_EQ(ledger.CountFree(OtnPath{1}, oneWay), 4);
    EXPECT_EQ(ledger.CountFree(OtnPath{1}, {}), 1);
    EXPECT_EQ(ledger.CountFree(OtnPath{}, {}), 0);
    EXPECT_FALSE(ledger.ReserveOn(OtnPath{}, 1, {}, granted));
    EXPECT_FALSE(ledger.ReserveOn(OtnPath{0}, 0, {}, granted));
}

TEST(OtnWavelengthLedger, GoesRoundCuts)
{
    OtnWavelengthLedger ledger(Bay());
    // Cut the links of the stored paths, as long as the mesh stays connected.
    const OtnDemand demand{9, 0, 1};
    std::vector<OtnPath> seen;
    OtnPath path = ledger.FindPath(demand, {});
    EXPECT_EQ(path, Bay()->GetPaths(9, 0)[0]);
    while (!path.empty())
    {
        EXPECT_TRUE(ledger.IsWhole(path));
        seen.push_back(path);
        ledger.SetCut(path[path.size() / 2] / 2, true);
        EXPECT_FALSE(ledger.IsWhole(path));
        EXPECT_EQ(ledger.CountFree(path, {}), 0);
        path = ledger.FindPath(demand, {});
    }
    // More alternative paths than are tried; in the end the sites are disconnected.
    EXPECT_GT(seen.size(), OtnRouting{}.tries);
    EXPECT_TRUE(Bay()
                    ->FindPaths(9,
                                0,
                                1,
                                [&]
                                {
                                    std::vector<bool> closed(Bay()->GetNLinks());
                                    for (uint32_t link = 0; link < closed.size(); ++link)
                                    {
                                        closed[link] = ledger.IsCut(link);
                                    }
                                    return closed;
                                }())
                    .empty());
    for (uint32_t link = 0; link < Bay()->GetNLinks(); ++link)
    {
        ledger.SetCut(link, false);
    }
    EXPECT_TRUE(ledger == OtnWavelengthLedger(Bay()));
    OtnRouting many;
    many.tries = 20;
    EXPECT_EQ(ledger.FindPath(demand, many), Bay()->GetPaths(9, 0)[0]);
}

/// A naive ledger with the owner of each wavelength.
class Naive
{
  public:
    /// @param mesh with the wavelengths
    explicit Naive(const OtnMesh& mesh)
        : m_owner(mesh.GetNFibers() * W),
          m_cut(mesh.GetNLinks())
    {
    }

    /// @param fiber index  @param w wavelength  @param both whether both ways  @return whether free
    bool IsFree(uint32_t fiber, uint32_t w, bool both) const
    {
        return !m_cut[fiber / 2] && m_owner[fiber * W + w] == 0 &&
               (!both || m_owner[(fiber ^ 1) * W + w] == 0);
    }

    /// @param w wavelength  @return fibres that use it
    int Uses(uint32_t w) const
    {
        int uses = 0;
        for (std::size_t at = w; at < m_owner.size(); at += W)
        {
            uses += m_owner[at] != 0 ? 1 : 0;
        }
        return uses;
    }

    /**
     * The expected grant.
     * @param path fibres  @param count of wavelengths  @param routing settings
     * @return the wavelengths, empty if there are too few
     */
    std::vector<uint32_t> Choose(const OtnPath& path, uint32_t count, const OtnRouting& routing)
    {
        std::vector<uint32_t> free;
        for (uint32_t w = 0; w < W; ++w)
        {
            if (std::all_of(path.begin(),
                            path.end(),
                            [&](uint32_t f) { return IsFree(f, w, routing.bothWays); }))
            {
                free.push_back(w);
            }
        }
        if (free.size() < count)
        {
            return {};
        }
        if (routing.assignment != OtnRouting::FIRST_FIT)
        {
            const int sign = routing.assignment == OtnRouting::MOST_USED ? -1 : 1;
            std::array<int, W> uses{};
            for (uint32_t w : free)
            {
                uses[w] = sign * Uses(w);
            }
            std::stable_sort(free.begin(),
                             free.end(),
                             [&](uint32_t v, uint32_t w) { return uses[v] < uses[w]; });
        }
        free.resize(count);
        std::sort(free.begin(), free.end());
        return free;
    }

    /// @param grant any  @param owner its new owner, 0 for none
    void Give(const OtnGrant& grant, int owner)
    {
        for (std::size_t i = 0; i < grant.path.size(); ++i)
        {
            for (uint32_t w = 0; w < W; ++w)
            {
                if (grant.wavelengths[i][w])
                {
                    m_owner[grant.path[i] * W + w] = owner;
                    if (grant.bothWays)
                    {
                        m_owner[(grant.path[i] ^ 1) * W + w] = owner;
                    }
                }
            }
        }
    }

    /// @param link index  @return whether it is cut, modifiable
    std::vector<bool>::reference Cut(uint32_t link)
    {
        return m_cut[link];
    }

    static constexpr uint32_t W = 40; //!< wavelengths of a fibre

  private:
    std::vector<int> m_owner; //!< [fibre][wavelength], 0 for none
    std::vector<bool> m_cut;  //!< of each link
};

/// Set-ups, tear-downs, cuts and repairs beside the naive ledger.
class WavelengthsUnderTest : public PropertySystem
{
  public:
    /// Kinds of operations.
    enum Kind : uint32_t
    {
        CUT,     //!< link; repairs it if it is cut
        RELEASE, //!< which grant
        RESERVE, //!< from, to, wavelengths, routing
        REROUTE, //!< which grant, routing
    };

    std::string Apply(const PropertyOperation& operation) override
    {
        const auto& words = operation.words;
        const uint32_t link = words[0] % m_mesh->GetNLinks();
        const std::size_t which = m_live.empty() ? 0 : words[0] % m_live.size();
        const OtnRouting routing{static_cast<OtnRouting::Assignment>(words[3] % 3),
                                 1 + words[3] / 3 % 3,
                                 words[3] / 9 % 4 != 0};
        const OtnWavelengthLedger before = m_ledger;
        if (operation.kind == CUT)
        {
            // Usually few cuts at a time.
            const bool cut = !m_ledger.IsCut(link) && words[1] % 10 == 0;
            m_ledger.SetCut(link, cut);
            m_naive.Cut(link) = cut;
        }
        else if (operation.kind == RESERVE)
        {
            const uint32_t from = words[0] % m_mesh->GetNSites();
            const uint32_t to =
                (from + 1 + words[1] % (m_mesh->GetNSites() - 1)) % m_mesh->GetNSites();
            return Reserve({from, to, 1 + words[2] % 6}, routing);
        }
        else if (operation.kind == RELEASE && !m_live.empty())
        {
            std::swap(m_live[which], m_live.back());
            const OtnGrant grant = m_live.back();
            m_ledger.Release({&grant, 1});
            if (words[1] % 2 && m_ledger.Take({&grant, 1}))
            {
                Note("taken back");
                return m_ledger == before ? "" : "to take a grant back undoes its release";
            }
            m_naive.Give(grant, 0);
            m_live.pop_back();
            return Compare(grant);
        }
        else if (operation.kind == REROUTE && !m_live.empty())
        {
            OtnGrant& grant = m_live[which];
            const OtnGrant old = grant;
            if (!m_ledger.Reroute(grant, routing))
            {
                Note("not rerouted");
                return m_ledger == before && grant == old ? "" : "a failure leaves a trace";
            }
            Note("rerouted");
            m_naive.Give(old, 0);
            m_naive.Give(grant, 1);
            const auto sites = m_mesh->GetSites(grant.path);
            const auto ends = m_mesh->GetSites(old.path);
            BROKEN_IF(grant.GetCount() != old.GetCount() || sites.front() != ends.front() ||
                          sites.back() != ends.back() || !m_ledger.IsWhole(grant.path),
                      "the same ends and number of wavelengths, over no cut");
            const std::string broken = Compare(old);
            return broken.empty() ? Compare(grant) : broken;
        }
        return "";
    }

    std::string Finish() override
    {
        for (uint32_t fiber = 0; fiber < m_mesh->GetNFibers(); ++fiber)
        {
            for (uint32_t w = 0; w < Naive::W; ++w)
            {
                BROKEN_IF(m_ledger.GetFree(OtnPath{fiber}, false)[w] !=
                              m_naive.IsFree(fiber, w, false),
                          "the free wavelengths of all fibres");
            }
        }
        for (uint32_t link = 0; link < m_mesh->GetNLinks(); ++link)
        {
            m_ledger.SetCut(link, false);
        }
        m_ledger.Release(m_live);
        return m_ledger == OtnWavelengthLedger(m_mesh) ? "" : "a release leaves a trace";
    }

  private:
    /// @param demand any  @param routing any  @return the broken invariant
    std::string Reserve(const OtnDemand& demand, const OtnRouting& routing)
    {
        // The naive model knows only the stored paths; others are checked below.
        std::vector<uint32_t> expected;
        OtnPath path;
        bool whole = false;
        const auto paths = m_mesh->GetPaths(demand.from, demand.to);
        for (uint32_t k = 0; k < routing.tries && expected.empty(); ++k)
        {
            path = paths[k];
            whole = whole || m_ledger.IsWhole(path);
            expected = m_naive.Choose(path, demand.wavelengths, routing);
        }
        const OtnWavelengthLedger before = m_ledger;
        const bool done = m_ledger.Reserve({&demand, 1}, routing, m_live);
        Note(done ? "granted" : "refused");
        BROKEN_IF((!expected.empty() || whole) && done == expected.empty(),
                  "whether a demand is granted");
        if (!done)
        {
            return m_ledger == before ? "" : "a refusal leaves a trace";
        }
        const OtnGrant& grant = m_live.back();
        if (expected.empty())
        {
            Note("granted around cuts");
            path = grant.path;
            expected = m_naive.Choose(path, demand.wavelengths, routing);
            const auto sites = m_mesh->GetSites(path);
            BROKEN_IF(expected.empty() || sites.front() != demand.from || sites.back() != demand.to,
                      "a path around cuts");
        }
        OtnWavelengths set;
        for (uint32_t w : expected)
        {
            set.set(w);
        }
        BROKEN_IF(grant.path != path ||
                      grant.wavelengths != std::vector<OtnWavelengths>(path.size(), set),
                  "the path and wavelengths of a grant");
        m_naive.Give(grant, 1);
        return Compare(grant);
    }

    /// @param grant whose fibres have changed  @return the broken invariant
    std::string Compare(const OtnGrant& grant) const
    {
        for (const uint32_t fiber : grant.path)
        {
            for (uint32_t w = 0; w < Naive::W; ++w)
            {
                BROKEN_IF(m_ledger.GetFree(OtnPath{fiber}, false)[w] !=
                              m_naive.IsFree(fiber, w, false),
                          "the free wavelengths of a fibre");
            }
        }
        return "";
    }

    std::shared_ptr<const OtnMesh> m_mesh{Bay()}; //!< sites and links
    OtnWavelengthLedger m_ledger{m_mesh};         //!< under test
    Naive m_naive{*m_mesh};                       //!< the model
    std::vector<OtnGrant> m_live;                 //!< grants
};

TEST(OtnWavelengthLedger, NeverSharesAWavelength)
{
    Property property{
        {{"CUT", 2}, {"RELEASE", 46}, {"RESERVE", 46}, {"REROUTE", 6}},
        [] { return std::make_unique<WavelengthsUnderTest>(); },
        {"granted", "granted around cuts", "refused", "rerouted", "not rerouted", "taken back"}};
    property.length = 5000;
    EXPECT_EQ(CheckProperty(property).report, "");
}

} // namespace
