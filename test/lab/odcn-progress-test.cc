// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Progress lines, in a pipe and on a terminal.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-progress.h"

#include <algorithm>
#include <chrono>
#include <sstream>

using namespace ns3::odcn;

namespace
{

/// A progress reporter with a clock set by the test.
struct Reporter
{
    double now{100};       //!< the time in s
    std::ostringstream os; //!< what was printed
    Progress progress;     //!< the reporter

    /// @param total steps
    /// @param terminal whether to draw a bar
    Reporter(uint64_t total, bool terminal)
        : progress("train",
                   total,
                   "jobs",
                   os,
                   terminal,
                   [this] { return std::chrono::duration<double>(now); })
    {
    }

    /// @return lines printed
    std::size_t Lines() const
    {
        const std::string text = os.str();
        return std::count(text.begin(), text.end(), '\n');
    }
};

} // namespace

TEST(Progress, IsSparseInAPipe)
{
    Reporter r(1000, false);
    for (int i = 1; i <= 1000; ++i)
    {
        r.now += 0.1; // 100 s in all: a tenth every 10 s
        r.progress.Update(i, [] { return std::string("blocking 8.2 %"); });
    }
    r.progress.Finish(1000, "done");
    r.progress.Finish(1000, "again");
    EXPECT_GE(r.Lines(), 10);
    EXPECT_LE(r.Lines(), 12);
    const std::string text = r.os.str();
    EXPECT_EQ(text.find('\r'), std::string::npos);
    EXPECT_TRUE(Has(text, "train: 50 %, 500/1000 jobs, 10/s, ETA 0:50, blocking 8.2 %\n"));
    EXPECT_TRUE(Has(text, "train: 100 %, 1000 jobs, 10/s, took 1:40, done\n"));
    EXPECT_EQ(text.find("again"), std::string::npos);
}

TEST(Progress, SaysNothingInAFastRunButItsEnd)
{
    Reporter r(1000000, false);
    uint64_t asked = 0;
    for (int i = 1; i <= 1000000; ++i)
    {
        r.now += 1e-6;
        r.progress.Update(i,
                          [&asked]
                          {
                              ++asked;
                              return std::string();
                          });
    }
    EXPECT_EQ(asked, 0);
    r.progress.Finish(1000000);
    EXPECT_EQ(r.Lines(), 1);
}

TEST(Progress, ShowsLifeWhenATenthTakesLong)
{
    Reporter r(1000, false);
    for (int i = 1; i <= 90; ++i)
    {
        r.now += 1;
        r.progress.Update(i);
    }
    EXPECT_EQ(r.Lines(), 3);
}

TEST(Progress, ShowsLifeAfterFastSteps)
{
    Reporter r(1000, false);
    for (int i = 1; i <= 300; ++i)
    {
        r.now += 1e-4;
        r.progress.Update(i);
    }
    for (int i = 301; i <= 400; ++i)
    {
        r.now += 1;
        r.progress.Update(i);
    }
    EXPECT_GE(r.Lines(), 3); // one in 30 s
}

TEST(Progress, CountsWhatARunGoesOnFromAsNoWork)
{
    Reporter r(1000, false);
    r.progress.Resume(900);
    r.now += 31;
    r.progress.Update(931);
    EXPECT_EQ(r.os.str(), "train: 93 %, 931/1000 jobs, 1/s, ETA 1:09\n");
}

TEST(Progress, PerCentAreNotRoundedDownOfWholeOnes)
{
    for (int done = 1; done <= 99; ++done)
    {
        Reporter r(100, false);
        r.now += 31;
        r.progress.Update(done);
        EXPECT_TRUE(Has(r.os.str(), "train: " + std::to_string(done) + " %,")) << done;
    }
}

TEST(Progress, RedrawsABarOnATerminal)
{
    Reporter r(100, true);
    for (int i = 1; i <= 100; ++i)
    {
        r.now += 0.05;
        r.progress.Update(i);
    }
    const std::string drawn = r.os.str();
    EXPECT_EQ(r.Lines(), 0);
    const auto redraws = std::count(drawn.begin(), drawn.end(), '\r');
    EXPECT_GT(redraws, 20);
    EXPECT_LE(redraws, 50);
    EXPECT_TRUE(Has(drawn, "[############............]"));
    r.progress.Finish(100);
    EXPECT_EQ(r.Lines(), 1);
}

TEST(Progress, CountsWhereNoEndIsKnown)
{
    Reporter r(0, false);
    r.now += 31;
    r.progress.Update(62);
    EXPECT_EQ(r.os.str(), "train: 62 jobs, 2/s, 0:31\n");
}
