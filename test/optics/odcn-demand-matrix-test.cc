// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-folder-test.h"

#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-traffic.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @return a generator with a stream of its own
Ptr<UniformRandomVariable>
MakeRandom()
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    return random;
}

/// @param pattern of 16 racks  @return the error, or nothing
std::string
GetError(const std::string& pattern)
{
    return GetRefusal([&] { DemandMatrix::Make(pattern, 16, MakeRandom()); });
}

/// A temporary file of each test.
class DemandMatrixFileTest : public FolderTest
{
  protected:
    /// @param text content of the file  @return the error after the file's name, or nothing
    std::string GetReadError(const std::string& text)
    {
        return Refuse([&] { DemandMatrix::Read(Write(text)); });
    }
};

TEST(DemandMatrix, EveryPatternLoadsItsBusiestRackByOneAndItselfByNone)
{
    for (const char* pattern : {"uniform",
                                "permutation",
                                "shift:3",
                                "skewed:0.2",
                                "chessboard",
                                "hot:4",
                                "hot-pair:7",
                                "incast:5"})
    {
        const auto matrix = DemandMatrix::Make(pattern, 16, MakeRandom());
        EXPECT_NEAR(matrix.GetMaxLoad(), 1, 1e-12) << pattern;
        for (RackId rack = 0; rack < 16; ++rack)
        {
            EXPECT_EQ(matrix.Get(rack, rack), 0) << pattern;
        }
    }
}

TEST(DemandMatrix, FixedPatternsHaveTheirWeights)
{
    EXPECT_NEAR(DemandMatrix::Make("uniform", 16).Get(3, 4), 1.0 / 15, 1e-15);
    const auto chessboard = DemandMatrix::Make("chessboard", 16);
    EXPECT_NEAR(chessboard.Get(3, 4), 3.0 / 31, 1e-15);
    EXPECT_NEAR(chessboard.Get(3, 5), 1.0 / 31, 1e-15);
    const auto shift = DemandMatrix::Make("shift:3", 16);
    EXPECT_EQ(shift.Get(15, 2), 1);
    EXPECT_EQ(shift.Get(2, 15), 0);
    const auto hot = DemandMatrix::Make("hot:4", 16);
    EXPECT_NEAR(hot.Get(0, 9), 1.0 / 15, 1e-15);
    EXPECT_NEAR(hot.Get(9, 0), 4 * hot.Get(9, 8), 1e-15);
    const auto pair = DemandMatrix::Make("hot-pair:7", 16);
    EXPECT_NEAR(pair.Get(0, 1), 7.0 / 21, 1e-15);
    EXPECT_NEAR(pair.Get(1, 0), 7 * pair.Get(0, 2), 1e-15);
    const auto incast = DemandMatrix::Make("incast:5", 16);
    EXPECT_NEAR(incast.Get(5, 0), 0.2, 1e-15);
    EXPECT_EQ(incast.Get(6, 0), 0);
    EXPECT_NEAR(incast.GetReceived(0), 1, 1e-15);
}

TEST(DemandMatrix, PermutationsAreDerangementsAndEquallyLikely)
{
    const auto random = MakeRandom();
    std::map<std::vector<RackId>, int> counts;
    constexpr int DRAWS = 9000;
    for (int i = 0; i < DRAWS; ++i)
    {
        const auto matrix = DemandMatrix::Make("permutation", 4, random);
        std::vector<RackId> image;
        for (RackId from = 0; from < 4; ++from)
        {
            ASSERT_EQ(matrix.GetSent(from), 1);
            ASSERT_EQ(matrix.GetReceived(from), 1);
            for (RackId to = 0; to < 4; ++to)
            {
                if (matrix.Get(from, to) == 1)
                {
                    image.push_back(to);
                }
            }
        }
        ++counts[image];
    }
    // Four elements have nine derangements. 1000 of each, standard deviation 30.
    EXPECT_EQ(counts.size(), 9u);
    for (const auto& [image, count] : counts)
    {
        EXPECT_NEAR(count, DRAWS / 9, 120);
    }
}

TEST(DemandMatrix, SkewedTrafficIsAllToAllAmongAFractionOfRacks)
{
    const auto matrix = DemandMatrix::Make("skewed:0.25", 16, MakeRandom());
    uint32_t active = 0;
    for (RackId rack = 0; rack < 16; ++rack)
    {
        active += matrix.GetSent(rack) > 0;
        EXPECT_NEAR(matrix.GetSent(rack), matrix.GetReceived(rack), 1e-15);
    }
    EXPECT_EQ(active, 4u);
    const auto other = DemandMatrix::Make("skewed:1", 16, MakeRandom());
    EXPECT_NEAR(other.Get(7, 3), 1.0 / 15, 1e-15);
}

TEST(DemandMatrix, OfFlowsIsScaledToTheBusiestRack)
{
    Traffic flows;
    flows.Add({0, 2, 300});
    flows.Add({1, 5, 100});
    flows.Add({4, 3, 500});
    flows.Add({2, 3, 10000}); // within a rack
    const DemandMatrix demand = DemandMatrix::FromFlows(flows, 3, 2);
    // Rack 1 receives 800 bytes, which is most.
    EXPECT_DOUBLE_EQ(demand.Get(0, 1), 300.0 / 800);
    EXPECT_DOUBLE_EQ(demand.Get(0, 2), 100.0 / 800);
    EXPECT_DOUBLE_EQ(demand.Get(2, 1), 500.0 / 800);
    EXPECT_EQ(demand.Get(1, 1), 0);
    EXPECT_DOUBLE_EQ(demand.GetMaxLoad(), 1);
    EXPECT_EQ(DemandMatrix::FromFlows(Traffic(), 3, 2).GetMaxLoad(), 0);
    EXPECT_THROW(DemandMatrix::FromFlows(flows, 3, 1), OdcnError);
}

TEST(DemandMatrix, RefusesOtherPatternsInOneLine)
{
    EXPECT_EQ(GetError("gravity"),
              "demand pattern: found 'gravity', expected uniform, permutation, shift:K, "
              "skewed:FRACTION, chessboard, hot:K, hot-pair:K, incast:K or file:PATH");
    EXPECT_EQ(GetError("shift:16"),
              "demand pattern: found 'shift:16', expected shift:K, K a whole number from 1 to 15");
    EXPECT_EQ(GetError("skewed:1.5"),
              "demand pattern: found 'skewed:1.5', expected skewed:NUMBER, the number from 0 to 1");
    EXPECT_EQ(GetError("skewed:0.05"),
              "demand pattern: found 'skewed:0.05', expected a fraction of 16 racks that makes 2 "
              "racks or more");
    for (const char* pattern :
         {"", "uniform:2", "permutation:1", "shift", "incast:0", "incast:16", "hot", "hot:-1"})
    {
        EXPECT_NE(GetError(pattern), "") << pattern;
    }
    EXPECT_THROW(DemandMatrix::Make("uniform", 1), OdcnError);
    EXPECT_THROW(DemandMatrix::Make("permutation", 4), OdcnError) << "no random variable";
}

TEST_F(DemandMatrixFileTest, ReadsAMatrixAndScalesIt)
{
    Write("0 1  2.5\n3\t0 4\r\n5 6 0");
    const auto matrix = DemandMatrix::Read(m_path);
    ASSERT_EQ(matrix.GetNRacks(), 3u);
    EXPECT_EQ(matrix.Get(0, 2), 2.5);
    EXPECT_EQ(matrix.Get(2, 1), 6);
    EXPECT_NEAR(DemandMatrix::Make("file:" + m_path, 3).Get(2, 0), 5.0 / 11, 1e-15);
    EXPECT_THROW(DemandMatrix::Make("file:" + m_path, 4), OdcnError);
    Write("0 0\n0 0\n");
    EXPECT_THROW(DemandMatrix::Make("file:" + m_path, 2), OdcnError) << "no traffic";
}

TEST_F(DemandMatrixFileTest, NamesTheLineOfAnError)
{
    EXPECT_EQ(GetReadError("0 1\n1\n"), ":2: found '1', expected 2 numbers, as in the first line");
    EXPECT_EQ(GetReadError("0 1\n1 x\n"), ":2: found 'x', expected in column 2 0 on the diagonal");
    EXPECT_EQ(GetReadError("0 -1\n1 0\n"),
              ":1: found '-1', expected in column 2 a number from 0 to 1e+18");
    EXPECT_EQ(GetReadError("0 1\n1 0\n0 0\n"),
              ":3: found '0 0', expected no line after the first 2");
    EXPECT_EQ(GetReadError("0 1 1\n1 0 1\n"),
              ":2: found '2 lines', expected as many lines as numbers in a line, 2 or more");
    EXPECT_NE(GetReadError("0\n"), "");
    EXPECT_NE(GetReadError(""), "");
    std::string wide;
    for (int i = 0; i < 1000000; ++i)
    {
        wide += "0 ";
    }
    EXPECT_EQ(GetReadError(wide), ":1: found '1000000 numbers', expected at most 4096");
}

} // namespace
