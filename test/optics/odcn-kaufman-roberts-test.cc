// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The loss system against the values of the ODCN data centre and against Markov chains of small
 * systems, solved state by state.
 */

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-numbers.h"

#include "ns3/odcn-kaufman-roberts.h"

using namespace ns3::odcn;

namespace
{

/// @return the sizes of the ODCN paper's jobs, in cores
std::vector<OdcnSizeClass>
PaperSizes()
{
    return KaufmanRoberts::GetJobSizes(10, 21, {{4, 1}, {16, 1}, {16, 1}, {16, 1}});
}

/// A small system, all states of which can be listed.
struct Chain
{
    int64_t capacity;                   //!< of the pool
    std::vector<OdcnSizeClass> classes; //!< sizes; weights sum to 1
    double load;                        //!< offered jobs

    double blocking{0};    //!< result
    double utilization{0}; //!< result

    /// Solve the balance equations by relaxation, with no use of their product form.
    void Solve()
    {
        std::vector<std::vector<int>> states;
        std::vector<int> state(classes.size(), 0);
        List(states, state, 0, capacity);
        std::map<std::vector<int>, std::size_t> indexOf;
        for (std::size_t i = 0; i < states.size(); ++i)
        {
            indexOf[states[i]] = i;
        }
        std::vector<double> p(states.size(), 1.0 / states.size());
        for (int round = 0; round < 20000; ++round)
        {
            double change = 0;
            for (std::size_t i = 0; i < states.size(); ++i)
            {
                double out = 0;
                double in = 0;
                for (std::size_t c = 0; c < classes.size(); ++c)
                {
                    auto other = states[i];
                    ++other[c];
                    if (const auto up = indexOf.find(other); up != indexOf.end())
                    {
                        out += load * classes[c].weight;
                        in += p[up->second] * other[c];
                    }
                    other[c] -= 2;
                    if (other[c] >= 0)
                    {
                        out += other[c] + 1;
                        in += p[indexOf.at(other)] * load * classes[c].weight;
                    }
                }
                const double now = in / out;
                change = std::max(change, std::abs(now - p[i]) / (now + 1e-300));
                p[i] = now;
            }
            if (change < 1e-14)
            {
                break;
            }
        }
        double sum = 0;
        for (std::size_t i = 0; i < states.size(); ++i)
        {
            int64_t held =
                SumOf<int64_t>(classes.size(),
                               [&](std::size_t c) { return states[i][c] * classes[c].size; });
            sum += p[i];
            utilization += p[i] * static_cast<double>(held) / capacity;
            for (const auto& c : classes)
            {
                blocking += held + c.size > capacity ? p[i] * c.weight : 0;
            }
        }
        blocking /= sum;
        utilization /= sum;
    }

    /// List all states from class @p c on. @param [out] out states @param state so far @param c
    /// class @param left free capacity
    void List(std::vector<std::vector<int>>& out,
              std::vector<int>& state,
              std::size_t c,
              int64_t left)
    {
        if (c == classes.size())
        {
            out.push_back(state);
            return;
        }
        for (state[c] = 0; state[c] * classes[c].size <= left; ++state[c])
        {
            List(out, state, c + 1, left - state[c] * classes[c].size);
        }
        state[c] = 0;
    }
};

} // namespace

TEST(KaufmanRoberts, BoundsTheDataCentreOfThePaper)
{
    const std::map<double, std::pair<double, double>> expected{{54, {0.020, 66.40}},
                                                               {60, {0.205, 73.63}},
                                                               {66, {1.04, 80.27}},
                                                               {72, {3.08, 85.65}},
                                                               {78, {6.32, 89.49}}};
    for (const auto& [load, percent] : expected)
    {
        const KaufmanRoberts pool(16 * 32 * 32, PaperSizes(), load);
        EXPECT_NEAR(pool.GetBlocking() * 100, percent.first, percent.first > 1 ? 0.005 : 0.0005)
            << load;
        EXPECT_NEAR(pool.GetUtilization() * 100, percent.second, 0.005) << load;
    }
    const KaufmanRoberts racks32(32 * 64 * 32, PaperSizes(), 300);
    EXPECT_NEAR(racks32.GetBlocking() * 100, 0.92, 0.005);
    EXPECT_NEAR(racks32.GetUtilization() * 100, 91.34, 0.005);
    const KaufmanRoberts racks64(64 * 128 * 32, PaperSizes(), 1320);
    EXPECT_NEAR(racks64.GetBlocking() * 100, 3.05, 0.005);
    EXPECT_NEAR(racks64.GetUtilization() * 100, 98.18, 0.005);
}

TEST(KaufmanRoberts, EqualsTheMarkovChainOfSmallSystems)
{
    std::vector<Chain> chains{{5, {{1, 0.5}, {2, 0.5}}, 3},
                              {12, {{2, 0.25}, {4, 0.5}, {6, 0.25}}, 2.5},
                              {10, {{3, 0.7}, {7, 0.3}}, 0.4},
                              {7, {{1, 0.1}, {2, 0.2}, {3, 0.3}, {9, 0.4}}, 6},
                              {6, {{4, 1.0}}, 9}};
    for (auto& chain : chains)
    {
        chain.Solve();
        const KaufmanRoberts pool(chain.capacity, chain.classes, chain.load);
        PrintNumber("Kaufman-Roberts, blocking, pool of " + std::to_string(chain.capacity) +
                        ", against its Markov chain",
                    pool.GetBlocking(),
                    chain.blocking,
                    1e-10 * chain.blocking);
        EXPECT_NEAR(pool.GetBlocking() / chain.blocking, 1, 1e-10) << chain.capacity;
        EXPECT_NEAR(pool.GetUtilization() / chain.utilization, 1, 1e-10) << chain.capacity;
    }
}

TEST(KaufmanRoberts, IsErlangsFormulaForOneSize)
{
    // Erlang B by its recursion.
    for (double load : {0.5, 20.0, 300.0, 2000.0})
    {
        double erlang = 1;
        for (int lines = 1; lines <= 250; ++lines)
        {
            erlang = load * erlang / (lines + load * erlang);
        }
        const KaufmanRoberts pool(250 * 12 + 11, {{12, 3.0}}, load);
        PrintNumber("Erlang B, 250 lines, " + std::to_string(std::lround(load * 10)) +
                        " tenths of an erlang",
                    pool.GetBlocking(),
                    erlang,
                    1e-12 + 1e-10 * erlang);
        EXPECT_NEAR(pool.GetBlocking(), erlang, 1e-12 + 1e-10 * erlang) << load;
    }
}

TEST(KaufmanRoberts, CarriesWhatItAccepts)
{
    for (double load : {1.0, 66.0, 500.0, 20000.0})
    {
        const KaufmanRoberts pool(16 * 32 * 32, PaperSizes(), load);
        double held = 0;
        double share = 0;
        double blocking = -1;
        for (const auto& c : pool.GetClasses())
        {
            held += load * c.weight * (1 - c.blocking) * static_cast<double>(c.size);
            share += c.weight;
            EXPECT_GE(c.blocking, blocking) << "a larger job is refused at least as often";
            blocking = c.blocking;
        }
        EXPECT_NEAR(share, 1, 1e-12);
        EXPECT_NEAR(held / (16 * 32 * 32 * pool.GetUtilization()), 1, 1e-8) << load;
        EXPECT_LE(pool.GetUtilization(), 1);
    }
}

TEST(KaufmanRoberts, DoesNotDependOnTheUnit)
{
    const auto cores = PaperSizes();
    auto milli = cores;
    for (auto& c : milli)
    {
        c.size *= 1000;
    }
    const KaufmanRoberts a(16384, cores, 66);
    const KaufmanRoberts b(16384000, milli, 66);
    EXPECT_EQ(a.GetBlocking(), b.GetBlocking());
    EXPECT_DOUBLE_EQ(a.GetUtilization(), b.GetUtilization());
}

TEST(KaufmanRoberts, CountsJobsThatWantNothingOrTooMuch)
{
    const KaufmanRoberts mixed(10, {{0, 0.5}, {11, 0.5}}, 4);
    EXPECT_DOUBLE_EQ(mixed.GetBlocking(), 0.5);
    EXPECT_EQ(mixed.GetUtilization(), 0);
    const KaufmanRoberts nothing(10, {{0, 1}}, 4);
    EXPECT_EQ(nothing.GetBlocking(), 0);
    const KaufmanRoberts idle(10, {{2, 1}}, 0);
    EXPECT_EQ(idle.GetBlocking(), 0);
    EXPECT_EQ(idle.GetUtilization(), 0);
}

TEST(KaufmanRoberts, SumsTheSizesOfVms)
{
    const auto sizes = KaufmanRoberts::GetJobSizes(1, 2, {{1, 1}, {2, 3}});
    const std::vector<OdcnSizeClass> expected{{1, 0.125}, {2, 0.40625}, {3, 0.1875}, {4, 0.28125}};
    EXPECT_EQ(sizes, expected);
    double mean =
        SumOf<double>(PaperSizes(),
                      [&](const auto& c) { return c.weight * static_cast<double>(c.size); });
    EXPECT_NEAR(mean, 15.5 * 13, 1e-9);
}

TEST(KaufmanRoberts, RefusesWhatIsOutOfRange)
{
    EXPECT_THROW(KaufmanRoberts(0, {{1, 1}}, 1), OdcnError);
    EXPECT_THROW(KaufmanRoberts(10, {}, 1), OdcnError);
    EXPECT_THROW(KaufmanRoberts(10, {{-1, 1}}, 1), OdcnError);
    EXPECT_THROW(KaufmanRoberts(10, {{1, -1}}, 1), OdcnError);
    EXPECT_THROW(KaufmanRoberts(10, {{1, std::nan("")}}, 1), OdcnError);
    EXPECT_THROW(KaufmanRoberts(10, {{1, 1}}, -1), OdcnError);
    EXPECT_THROW(KaufmanRoberts(10, {{1, 1}}, std::nan("")), OdcnError);
    EXPECT_THROW(KaufmanRoberts(std::numeric_limits<int64_t>::max(), {{1, 1}}, 1), OdcnError);
    EXPECT_THROW(KaufmanRoberts::GetJobSizes(3, 2, {{1, 1}}), OdcnError);
}
