// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Slices of a pod: where policies place them, when jobs start, and what is true after any sequence
 * of jobs and failures.
 */

#include "../core/odcn-gtest-kit.h"
#include "../core/odcn-test-resolution.h"

#include "ns3/double.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/odcn-slice-folding.h"
#include "ns3/odcn-slice-workload.h"

#include <random>
#include <set>

namespace ns3::odcn
{
namespace
{

/// Folder of RFold's results.
const std::string REFERENCE = ODCN_DATA_DIR "/../test/data/pod/";

/// @param text sides
/// @return the shape
SliceShape
Shape(const std::string& text)
{
    return SliceShape::Parse("test", text);
}

/// @param shapes some
/// @return their texts
std::vector<std::string>
GetTexts(const std::vector<SliceShape>& shapes)
{
    std::vector<std::string> texts;
    for (const SliceShape& shape : shapes)
    {
        texts.push_back(shape.GetText());
    }
    return texts;
}

/// @param policy with Attributes
/// @param attributes of the queue
/// @return the queue
Ptr<SliceQueue>
MakeQueue(const std::string& policy,
          const std::vector<std::pair<std::string, std::string>>& attributes = {})
{
    auto queue = CreateObject<SliceQueue>();
    for (const auto& [name, value] : attributes)
    {
        queue->SetAttribute(name, StringValue(value));
    }
    queue->SetPolicy(SlicePolicy::Create(policy));
    queue->AssignStreams(100);
    return queue;
}

/// @param ledger of a pod
/// @param box first chip
/// @param shape sides of a box, all of whose chips are free
/// @return number of the slice
uint64_t
FillBox(SliceLedger& ledger, const std::array<uint32_t, 3>& box, const std::string& shape)
{
    Slice slice{Shape(shape), {}};
    for (uint32_t x = 0; x < slice.shape.sides[0]; ++x)
    {
        for (uint32_t y = 0; y < slice.shape.sides[1]; ++y)
        {
            for (uint32_t z = 0; z < slice.shape.sides[2]; ++z)
            {
                slice.chips.push_back(ledger.GetChip({box[0] + x, box[1] + y, box[2] + z}));
            }
        }
    }
    return ledger.Allocate(slice);
}

/// @param ledger of a pod
/// @param slice in it
/// @return its cubes
std::set<uint32_t>
GetCubesOf(const SliceLedger& ledger, const Slice& slice)
{
    std::set<uint32_t> cubes;
    for (const uint32_t chip : slice.chips)
    {
        cubes.insert(ledger.GetCube(chip));
    }
    return cubes;
}

/// RFold's program, by policy.
class SliceReferenceTest : public testing::TestWithParam<std::string>
{
};

TEST_P(SliceReferenceTest, StartsAndEndsEveryJobAsRfoldsProgram)
{
    const auto jobs = ReadSliceJobs(REFERENCE + "pod60.csv");
    const SliceRun run = MakeQueue(GetParam())->Run(jobs);
    RowReader rows(REFERENCE + "pod60-" + GetParam() + ".csv");
    rows.SetComments(true);
    std::size_t compared = 0;
    while (rows.NextRow())
    {
        const auto job = std::ranges::find(jobs, rows.Count(0, 0, 1000), &SliceJob::id);
        ASSERT_NE(job, jobs.end());
        const SliceRecord& record = run.records[std::size_t(job - jobs.begin())];
        const bool isGivenUp = rows[2] == "-inf";
        EXPECT_EQ(record.outcome == SliceRecord::Outcome::GIVEN_UP, isGivenUp) << job->id;
        if (!isGivenUp)
        {
            EXPECT_EQ(record.start, Seconds(rows.Number(2))) << job->id;
            EXPECT_EQ(record.end, Seconds(rows.Number(3))) << job->id;
        }
        ++compared;
    }
    EXPECT_EQ(compared, 60);
}

INSTANTIATE_TEST_SUITE_P(Policies,
                         SliceReferenceTest,
                         testing::Values("firstfit", "reconfig", "rfold", "slurm_hilbert"));

TEST(SliceReference, HasTheUtilisationOfThePrograms)
{
    auto jobs = ReadSliceJobs(REFERENCE + "pod60.csv");
    jobs.pop_back(); // that which only ends RFold's program
    const std::map<std::string, double> known{{"reconfig", 0.7566},
                                              {"rfold", 0.7566},
                                              {"firstfit", 0.6640},
                                              {"slurm_hilbert", 0.7623}};
    for (const auto& [policy, utilisation] : known)
    {
        EXPECT_NEAR(MakeQueue(policy)->Run(jobs).utilisation, utilisation, 5e-5) << policy;
    }
}

TEST(SliceShape, ReadsSidesOrANumberOfChips)
{
    EXPECT_EQ(Shape("4x4x8"), (SliceShape{{4, 4, 8}}));
    EXPECT_EQ(Shape("96").GetText(), "4x4x6");
    EXPECT_EQ(Shape("7").GetText(), "1x1x7");
    EXPECT_EQ(Shape("1").GetText(), "1x1x1");
    for (const std::string wrong : {"", "4x4", "0x4x4", "4x4x4x4", "4x4x", "-1", "1000000x1000x1"})
    {
        EXPECT_TRUE(Has(GetRefusal([&] { Shape(wrong); }), "'" + wrong + "'"));
    }
    EXPECT_EQ(GetTexts(Shape("1x2x3").GetRotations()),
              (std::vector<std::string>{"1x2x3", "1x3x2", "2x1x3", "2x3x1", "3x1x2", "3x2x1"}));
    EXPECT_EQ(GetTexts(Shape("4x8x4").GetRotations()),
              (std::vector<std::string>{"4x8x4", "4x4x8", "8x4x4"}));
}

TEST(SliceLedger, TakesAllChipsOfASliceOrNone)
{
    SliceLedger ledger(Shape("8x8x4"), 4);
    EXPECT_EQ(ledger.GetNCubes(), 4);
    const uint64_t first = FillBox(ledger, {0, 0, 0}, "2x4x4");
    EXPECT_EQ(ledger.Count().used, 32);
    EXPECT_EQ(ledger.CountFree(0), 32);
    const Slice twice{Shape("1x1x3"), {200, 201, 200}};
    EXPECT_TRUE(Has(GetRefusal([&] { ledger.Allocate(twice); }), "chip 200"));
    const Slice used{Shape("1x1x2"), {201, 0}};
    EXPECT_TRUE(Has(GetRefusal([&] { ledger.Allocate(used); }), "chip 0"));
    EXPECT_EQ(ledger.Count().free, 256 - 32);
    EXPECT_TRUE(ledger.IsFree(200) && ledger.IsFree(201));
    ledger.Free(first);
    EXPECT_EQ(ledger.Count().free, 256);
    EXPECT_TRUE(Has(GetRefusal([&] { ledger.Free(first); }), "slice: found '0'"));
    EXPECT_TRUE(Has(GetRefusal([] { SliceLedger(Shape("8x6x4"), 4); }), "'8x6x4'"));
}

TEST(SliceLedger, SwapsTheChipsOfAFailedCubeForThoseOfAnother)
{
    SliceLedger ledger(Shape("12x4x4"), 4);
    FillBox(ledger, {4, 0, 0}, "1x1x1"); // cube 1 cannot stand in
    const uint64_t slice = FillBox(ledger, {0, 0, 0}, "2x2x4");
    auto losses = ledger.Fail(0, true);
    ASSERT_EQ(losses.size(), 1);
    EXPECT_EQ(losses[0].slice, slice);
    EXPECT_TRUE(losses[0].isSwapped);
    EXPECT_EQ(GetCubesOf(ledger, ledger.GetSlice(slice)), std::set<uint32_t>{2});
    EXPECT_TRUE(ledger.IsJoined(ledger.GetSlice(slice), true));
    EXPECT_EQ(ledger.Count().failed, 64);
    EXPECT_EQ(ledger.Count().used, 17);
    EXPECT_TRUE(ledger.Fail(0, true).empty());
    // No cube has room now: the slice ends, and its other chips are free.
    losses = ledger.Fail(2, true);
    ASSERT_EQ(losses.size(), 1);
    EXPECT_FALSE(losses[0].isSwapped);
    EXPECT_EQ(ledger.GetSlices().size(), 1);
    EXPECT_EQ(ledger.Count().failed, 128);
    ledger.Repair(0);
    EXPECT_EQ(ledger.Count().free, 64 + 63);
    EXPECT_TRUE(Has(GetRefusal([&] { ledger.Repair(0); }), "one that has failed"));
    EXPECT_TRUE(Has(GetRefusal([&] { ledger.Fail(3, true); }), "below 3"));
}

TEST(SliceLedger, KnowsWhichLinksExist)
{
    SliceLedger ledger(Shape("8x8x8"), 4);
    const auto make = [&](const std::string& shape, std::vector<uint32_t> chips) {
        return Slice{Shape(shape), std::move(chips)};
    };
    const uint32_t last = ledger.GetChip({0, 0, 3});
    const uint32_t next = ledger.GetChip({0, 0, 4});
    const uint32_t far = ledger.GetChip({4, 4, 0});
    const uint32_t beside = ledger.GetChip({4, 5, 0});
    // Side by side in the pod, across cubes: a link of the static torus.
    EXPECT_TRUE(ledger.IsJoined(make("1x1x2", {last, next}), false));
    EXPECT_TRUE(ledger.IsJoined(make("1x1x2", {ledger.GetChip({0, 0, 7}), 0}), false));
    EXPECT_FALSE(ledger.IsJoined(make("1x1x2", {next, last}), false));
    // Faces of any two cubes, at the same place of the face, + to -.
    EXPECT_TRUE(ledger.IsJoined(make("1x1x2", {last, far}), true));
    EXPECT_FALSE(ledger.IsJoined(make("1x1x2", {last, beside}), true));
    EXPECT_FALSE(ledger.IsJoined(make("1x1x2", {last, far}), false));
    EXPECT_FALSE(ledger.IsJoined(make("1x1x2", {0, far}), true));
    EXPECT_FALSE(ledger.IsJoined(make("1x1x2", {last}), true));
    // A row as long as a cube closes by a circuit, but not in a static pod twice as long.
    const auto row = make("1x1x4", {0, 1, 2, 3});
    EXPECT_TRUE(ledger.IsJoined(row, true));
    EXPECT_TRUE(ledger.IsJoined(row, false)); // open there, which is no fault
    EXPECT_FALSE(ledger.IsJoined(make("1x1x4", {4, 1, 2, 3}), true));
}

TEST(SliceFolding, FoldsAsWorkedOutByHand)
{
    const auto fold = [](const std::string& shape, uint32_t side)
    { return GetTexts(GetFoldings(Shape(shape), side)); };
    using Texts = std::vector<std::string>;
    EXPECT_EQ(fold("8x16x1", 16), (Texts{"2x4x16", "2x8x8"}));
    EXPECT_EQ(fold("8x16x1", 4), (Texts{"2x4x16", "2x8x8", "4x4x8"}));
    EXPECT_EQ(fold("2x6x8", 4), (Texts{"3x4x8", "4x4x6"}));
    EXPECT_EQ(fold("2x6x8", 16), Texts{});
    EXPECT_EQ(fold("1x2x8", 4), (Texts{"1x4x4", "2x2x4"}));
    EXPECT_EQ(fold("1x6x10", 4), (Texts{"2x3x10", "2x5x6", "3x4x5"}));
    EXPECT_EQ(fold("1x3x5", 4), Texts{});
    EXPECT_EQ(fold("1x1x64", 4), Texts{});
    EXPECT_EQ(GetTexts(GetBoxes(12)), (Texts{"1x1x12", "1x2x6", "1x3x4", "2x2x3"}));
}

/// A search for the links of one box in another, node by node.
class LinkSearch
{
  public:
    /// @param from box whose links are looked for
    /// @param to box of as many chips
    LinkSearch(const SliceShape& from, const SliceShape& to)
        : m_from(MakeLinks(from)),
          m_to(MakeLinks(to)),
          m_place(m_from.size(), m_from.size()),
          m_isTaken(m_to.size())
    {
    }

    /// @return whether each node of the one has its place in the other, neighbours side by side
    bool Find()
    {
        return Extend(0);
    }

  private:
    using Links = std::vector<std::set<std::size_t>>; //!< neighbours by node

    /// @param shape sides; those that are multiples of 4 are closed to rings
    /// @return its links
    static Links MakeLinks(const SliceShape& shape)
    {
        const auto [a, b, c] = shape.sides;
        Links links(shape.GetNChips());
        for (std::size_t node = 0; node < links.size(); ++node)
        {
            const std::array<std::size_t, 3> at{node / c / b, node / c % b, node % c};
            for (std::size_t d = 0; d < 3; ++d)
            {
                auto next = at;
                next[d] = (at[d] + 1) % shape.sides[d];
                const std::size_t other = (next[0] * b + next[1]) * c + next[2];
                if (other != node && (next[d] > 0 || shape.sides[d] % 4 == 0))
                {
                    links[node].insert(other);
                    links[other].insert(node);
                }
            }
        }
        return links;
    }

    /// @param node first without a place
    /// @return whether all can get one
    bool Extend(std::size_t node)
    {
        if (node == m_from.size())
        {
            return true;
        }
        for (std::size_t at = 0; at < m_to.size(); ++at)
        {
            const bool fits =
                std::ranges::all_of(m_from[node],
                                    [&](std::size_t other)
                                    { return other >= node || m_to[at].contains(m_place[other]); });
            if (m_isTaken[at] || !fits)
            {
                continue;
            }
            m_isTaken[at] = true;
            m_place[node] = at;
            if (Extend(node + 1))
            {
                return true;
            }
            m_isTaken[at] = false;
        }
        return false;
    }

    Links m_from;                     //!< of the one
    Links m_to;                       //!< of the other
    std::vector<std::size_t> m_place; //!< by node of the one
    std::vector<bool> m_isTaken;      //!< by node of the other
};

TEST(SliceFolding, KeepsNeighboursTogetherByASearchOfAllPlaces)
{
    uint32_t tried = 0;
    for (const std::string shape : {"1x2x4", "1x4x4", "1x2x8", "1x4x6", "1x4x8", "2x2x4", "2x3x4"})
    {
        for (const SliceShape& folded : GetFoldings(Shape(shape), 4))
        {
            EXPECT_TRUE(LinkSearch(Shape(shape), folded).Find())
                << shape << " to " << folded.GetText();
            ++tried;
        }
    }
    EXPECT_GE(tried, 8);
    EXPECT_FALSE(LinkSearch(Shape("1x4x4"), Shape("1x2x8")).Find());
}

TEST(SlicePolicies, FirstFitScansZFirstAndTurnsTheShapeLast)
{
    SliceLedger ledger(Shape("4x4x8"), 4);
    const auto place = [&](const std::string& shape)
    { return SlicePolicy::Create("firstfit")->Place(ledger, Shape(shape)); };
    EXPECT_EQ(place("2x2x2")->chips[0], 0);
    FillBox(ledger, {0, 0, 0}, "1x1x1");
    EXPECT_EQ(ledger.GetPlace(place("2x2x2")->chips[0]), (std::array<uint32_t, 3>{0, 0, 1}));
    // Only the free row along x is left for a row along z, and it is turned.
    FillBox(ledger, {0, 0, 1}, "4x4x7");
    FillBox(ledger, {0, 1, 0}, "4x3x1");
    const auto turned = place("1x1x3");
    EXPECT_EQ(turned->shape.GetText(), "3x1x1");
    EXPECT_EQ(turned->chips, (std::vector<uint32_t>{32, 64, 96}));
    EXPECT_FALSE(place("1x2x2"));
    // A box may cross the end of the pod.
    SliceLedger ring(Shape("4x4x8"), 4);
    FillBox(ring, {0, 0, 2}, "4x4x4");
    const auto across = SlicePolicy::Create("firstfit")->Place(ring, Shape("4x4x4"));
    EXPECT_EQ(ring.GetPlace(across->chips[0])[2], 6);
    EXPECT_TRUE(ring.IsJoined(*across, false));
}

TEST(SlicePolicies, FoldingMakesBoxesOfRows)
{
    SliceLedger ledger(Shape("16x16x16"), 4);
    const auto place = [&](const std::string& shape)
    { return SlicePolicy::Create("folding")->Place(ledger, Shape(shape))->shape.GetSorted(); };
    EXPECT_EQ(place("256x1x1").GetText(), "4x8x8");
    EXPECT_EQ(place("128x1x1").GetText(), "4x4x8");
    EXPECT_EQ(place("8x32x1").GetText(), "2x8x16");
    EXPECT_EQ(place("4x4x8").GetText(), "4x4x8");
    EXPECT_EQ(place("1x1x1").GetText(), "1x1x1");
    EXPECT_FALSE(SlicePolicy::Create("folding")->MayWait(ledger, Shape("34x1x1")));
    EXPECT_TRUE(SlicePolicy::Create("folding")->MayWait(ledger, Shape("256x1x1")));
    EXPECT_FALSE(SlicePolicy::Create("firstfit")->MayWait(ledger, Shape("256x1x1")));
}

TEST(SlicePolicies, AHilbertCurveGoesFromNeighbourToNeighbour)
{
    SliceLedger ledger(Shape("8x8x8"), 4);
    const auto whole = SlicePolicy::Create("slurm_hilbert")->Place(ledger, Shape("8x8x8"));
    ASSERT_EQ(whole->chips.size(), 512);
    for (std::size_t i = 1; i < 512; ++i)
    {
        const auto a = ledger.GetPlace(whole->chips[i - 1]);
        const auto b = ledger.GetPlace(whole->chips[i]);
        uint32_t distance = 0;
        for (uint32_t d = 0; d < 3; ++d)
        {
            distance += std::max(a[d], b[d]) - std::min(a[d], b[d]);
        }
        EXPECT_EQ(distance, 1) << i;
    }
    // Of what is free, the shortest part of the curve: not the first chips, between which one is
    // used.
    const Slice used{Shape("1"), {whole->chips[1]}};
    ledger.Allocate(used);
    const auto pair = SlicePolicy::Create("slurm_hilbert")->Place(ledger, Shape("2"));
    EXPECT_EQ(pair->chips, (std::vector<uint32_t>{whole->chips[2], whole->chips[3]}));
}

TEST(SlicePolicies, ReconfigurationNeedsAnyCubes)
{
    SliceLedger ledger(Shape("16x16x16"), 4);
    // A chip in every other cube: no static box of 8x4x4 is free.
    for (uint32_t cube = 0; cube < 64; ++cube)
    {
        const auto place = ledger.GetPlace(ledger.GetChipOf(cube, {0, 0, 0}));
        if ((place[0] + place[1] + place[2]) / 4 % 2 == 0)
        {
            ledger.Allocate({Shape("1"), {ledger.GetChipOf(cube, {0, 0, 0})}});
        }
    }
    EXPECT_FALSE(SlicePolicy::Create("firstfit")->Place(ledger, Shape("4x4x8")));
    for (const std::string policy : {"reconfig", "rfold", "reconfig[Aligned=false]"})
    {
        const auto slice = SlicePolicy::Create(policy)->Place(ledger, Shape("4x8x64"));
        ASSERT_TRUE(slice) << policy;
        EXPECT_EQ(GetCubesOf(ledger, *slice).size(), 32);
        EXPECT_TRUE(slice->isJoined && ledger.IsJoined(*slice, true));
        EXPECT_FALSE(SlicePolicy::Create(policy)->Place(ledger, Shape("4x12x64")));
    }
    EXPECT_FALSE(SlicePolicy::Create("reconfig")->MayWait(ledger, Shape("4x4x260")));
}

TEST(SlicePolicies, PartsOfCubesLieWhereCircuitsJoinThem)
{
    for (const std::string text : {"6x4x4", "6x6x4", "5x6x7", "2x8x2", "9x1x3", "1x1x3", "3x3x3"})
    {
        SliceLedger ledger(Shape("16x16x16"), 4);
        for (uint32_t slices = 0;; ++slices)
        {
            const auto slice = SlicePolicy::Create("reconfig")->Place(ledger, Shape(text));
            if (!slice)
            {
                EXPECT_GE(slices, 8) << text;
                break;
            }
            EXPECT_EQ(slice->shape.GetSorted(), Shape(text).GetSorted());
            ASSERT_TRUE(ledger.IsJoined(*slice, true)) << text;
            ledger.Allocate(*slice);
        }
    }
    // The part of 2x4x4 has room at the + end of its cube only. It comes first then.
    SliceLedger ledger(Shape("4x4x8"), 4);
    FillBox(ledger, {0, 0, 4}, "2x4x4");
    const auto slice = SlicePolicy::Create("reconfig")->Place(ledger, Shape("6x4x4"));
    ASSERT_TRUE(slice);
    EXPECT_EQ(ledger.GetPlace(slice->chips[0]), (std::array<uint32_t, 3>{2, 0, 4}));
    EXPECT_TRUE(ledger.IsJoined(*slice, true));
}

TEST(SlicePolicies, RfoldsProgramCountsSlicesThatCannotBeJoined)
{
    // Cubes that have room for the parts of 6x6x4, but not for all at the same end.
    SliceLedger other(Shape("16x4x4"), 4);
    FillBox(other, {4, 0, 0}, "4x2x4");  // 4x2x4 only at the end of y
    FillBox(other, {8, 0, 0}, "2x4x4");  // 2x4x4 only at the end of x
    FillBox(other, {12, 2, 0}, "4x2x4"); // 2x2x4 only at the beginning of y
    const auto apart = SlicePolicy::Create("reconfig[Aligned=false]")->Place(other, Shape("6x6x4"));
    ASSERT_TRUE(apart);
    EXPECT_FALSE(apart->isJoined);
    EXPECT_FALSE(SlicePolicy::Create("reconfig")->Place(other, Shape("6x6x4")));
}

TEST(SlicePolicies, RfoldPacksRowsAndFoldsSheets)
{
    SliceLedger ledger(Shape("16x16x16"), 4);
    auto rfold = SlicePolicy::Create("rfold");
    // A row of 4 cubes' chips takes 4 cubes, where unfolded it takes 64.
    const auto row = rfold->Place(ledger, Shape("256x1x1"));
    EXPECT_EQ(GetCubesOf(ledger, *row).size(), 4);
    EXPECT_EQ(
        GetCubesOf(ledger, *SlicePolicy::Create("reconfig")->Place(ledger, row->shape)).size(),
        64);
    // A sheet of 16 cubes unfolded takes 4.
    const auto sheet = rfold->Place(ledger, Shape("16x16x1"));
    EXPECT_EQ(GetCubesOf(ledger, *sheet).size(), 4);
    EXPECT_TRUE(ledger.IsJoined(*sheet, true));
    // Cubes in use come first, and the path in the last one has the chips that lack.
    FillBox(ledger, {0, 0, 0}, "4x4x1");
    FillBox(ledger, {0, 0, 4}, "4x4x2");
    const auto packed = rfold->Place(ledger, Shape("70x1x1"));
    EXPECT_EQ(GetCubesOf(ledger, *packed), (std::set<uint32_t>{0, 1}));
    EXPECT_EQ(packed->chips.size(), 70);
    for (std::size_t i = 49; i < 70; ++i) // the path
    {
        const auto a = ledger.GetPlace(packed->chips[i - 1]);
        const auto b = ledger.GetPlace(packed->chips[i]);
        uint32_t moved = 0;
        for (uint32_t d = 0; d < 3; ++d)
        {
            const uint32_t distance = (a[d] + 4 - b[d]) % 4;
            moved += distance == 3 ? 1 : distance;
        }
        EXPECT_EQ(moved, 1) << i;
    }
    EXPECT_TRUE(Has(GetRefusal([] { SlicePolicy::Create("rfoldd"); }), "rfold"));
    EXPECT_TRUE(Has(GetRefusal([] { SlicePolicy::Create("rfold[Aligned=2]"); }), "Aligned=2"));
}

/// @param arrival s
/// @param shape sides
/// @param duration s
/// @return the job
SliceJob
Job(double arrival, const std::string& shape, double duration)
{
    static uint64_t id = 0;
    return {id++, Seconds(arrival), Shape(shape), Seconds(duration)};
}

/// @param run with jobs
/// @return starts in seconds
std::vector<double>
GetStarts(const SliceRun& run)
{
    std::vector<double> starts;
    for (const SliceRecord& record : run.records)
    {
        starts.push_back(record.start.GetSeconds());
    }
    return starts;
}

TEST(SliceQueue, BackfillsAsWorkedOutByHand)
{
    // Two cubes. The second job waits for both; the other would fit beside the first.
    const std::vector<std::pair<std::string, std::string>> pod{{"Pod", "4x4x8"}};
    const std::vector<SliceJob> jobs{Job(0, "4x4x4", 10),
                                     Job(1, "4x4x8", 5),
                                     Job(2, "4x4x4", 20),
                                     Job(3, "4x4x4", 7),
                                     Job(4, "4x4x4", 4)};
    auto starts = [&](const std::string& backfill)
    {
        auto attributes = pod;
        attributes.emplace_back("Backfill", backfill);
        return GetStarts(MakeQueue("reconfig", attributes)->Run(jobs));
    };
    using Starts = std::vector<double>;
    EXPECT_EQ(starts("None"), (Starts{0, 10, 15, 15, 22}));
    // Only the fourth job ends before the first one does, at 10.
    EXPECT_EQ(starts("Easy"), (Starts{0, 10, 15, 3, 15}));
    EXPECT_EQ(starts("Any"), (Starts{0, 22, 2, 10, 17}));
    // One that ends late may start if the first one that waits has room beside it.
    const std::vector<SliceJob> beside{Job(0, "4x4x8", 10),
                                       Job(1, "4x4x8", 5),
                                       Job(2, "4x4x4", 100)};
    auto wide = MakeQueue("reconfig", {{"Pod", "4x4x12"}, {"Backfill", "Easy"}});
    EXPECT_EQ(GetStarts(wide->Run(beside)), (Starts{0, 10, 2}));
}

TEST(SliceQueue, CountsChipSecondsAndGivesUpWhatNeverFits)
{
    auto queue = MakeQueue("firstfit", {{"Pod", "4x4x8"}});
    const SliceRun run =
        queue->Run({Job(0, "4x4x4", 10), Job(0, "4x4x16", 1), Job(4, "4x4x4", 16)});
    EXPECT_EQ(run.records[1].outcome, SliceRecord::Outcome::GIVEN_UP);
    EXPECT_EQ(run.Count(SliceRecord::Outcome::COMPLETED), 2);
    EXPECT_DOUBLE_EQ(run.utilisation, (10 + 16) * 64.0 / (20 * 128));
    EXPECT_DOUBLE_EQ(run.utilisationOfArrivals, 0.5);
    EXPECT_TRUE(std::isnan(run.utilisationOfEvents));
    EXPECT_TRUE(Has(GetRefusal([&] { queue->Run({Job(1, "1", 1), Job(0, "1", 1)}); }), "order"));
    EXPECT_TRUE(Has(GetRefusal([&] { queue->Run({Job(1, "1", 0)}); }), "duration"));
    EXPECT_TRUE(Has(GetRefusal([] { CreateObject<SliceQueue>()->Run({}); }), "policy"));
    EXPECT_TRUE(queue->Run({}).records.empty());
}

TEST(SliceQueue, WaitsForCircuitsOfSeveralCubesOnly)
{
    const std::vector<SliceJob> jobs{Job(0, "4x4x8", 10), Job(0, "4x4x4", 10)};
    const std::vector<std::pair<std::string, std::string>> slow{{"SwitchTime", "3s"}};
    const auto ends = [&](const std::string& policy)
    {
        const SliceRun run = MakeQueue(policy, slow)->Run(jobs);
        return std::pair(run.records[0].end, run.records[1].end);
    };
    EXPECT_EQ(ends("reconfig"), std::pair(Seconds(13), Seconds(10)));
    EXPECT_EQ(ends("firstfit"), std::pair(Seconds(10), Seconds(10)));
}

TEST(SliceQueue, FailuresSwapCubesOrEndJobs)
{
    std::vector<SliceJob> jobs;
    for (uint32_t i = 0; i < 400; ++i)
    {
        jobs.push_back(Job(100 * i, i % 3 ? "4x4x8" : "2x2x4", 3000));
    }
    const std::vector<std::pair<std::string, std::string>> faults{{"FailureTime", "100000s"},
                                                                  {"RepairTime", "1000s"},
                                                                  {"SwitchTime", "7s"}};
    const SliceRun swapped = MakeQueue("reconfig", faults)->Run(jobs);
    uint32_t swaps = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        const SliceRecord& record = swapped.records[i];
        ASSERT_EQ(record.outcome, SliceRecord::Outcome::COMPLETED);
        const uint32_t pauses = record.swaps + (i % 3 ? 1 : 0);
        EXPECT_EQ(record.end - record.start, Seconds(3000 + 7 * pauses)) << i;
        swaps += record.swaps;
    }
    EXPECT_GT(swaps, 3);
    EXPECT_GT(swapped.failures, swaps);
    const SliceRun ended = MakeQueue("firstfit", faults)->Run(jobs);
    const uint64_t interrupted = ended.Count(SliceRecord::Outcome::INTERRUPTED);
    EXPECT_GT(interrupted, 3);
    EXPECT_EQ(ended.Count(SliceRecord::Outcome::COMPLETED) + interrupted, jobs.size());
    // Without repair, cubes that are gone leave jobs without a slice.
    auto lost = MakeQueue("reconfig", {{"Pod", "4x4x8"}, {"FailureTime", "500s"}});
    const SliceRun last = lost->Run(jobs);
    EXPECT_GT(last.Count(SliceRecord::Outcome::GIVEN_UP), 0);
    EXPECT_EQ(last.failures, 2);
}

/// Checks a pod after each change.
class PodWatch
{
  public:
    /// @param isSwitched whether optical switches join cubes
    explicit PodWatch(bool isSwitched)
        : m_isSwitched(isSwitched)
    {
    }

    /// @param time of the change, not before that of the last one
    /// @param ledger after it
    void Look(Time time, const SliceLedger& ledger)
    {
        ++m_looks;
        m_wrong += time < m_last;
        m_last = time;
        std::set<uint32_t> chips;
        std::size_t used = 0;
        for (const auto& [number, slice] : ledger.GetSlices())
        {
            chips.insert(slice.chips.begin(), slice.chips.end());
            used += slice.chips.size();
            m_wrong += slice.chips.size() != slice.shape.GetNChips();
            m_wrong += slice.isJoined && !ledger.IsJoined(slice, m_isSwitched);
        }
        uint32_t free = 0;
        uint32_t failed = 0;
        for (uint32_t chip = 0; chip < ledger.GetNChips(); ++chip)
        {
            const bool isFailed = ledger.IsFailed(ledger.GetCube(chip));
            failed += isFailed;
            free += ledger.IsFree(chip);
            m_wrong += chips.contains(chip) && (isFailed || ledger.IsFree(chip));
        }
        const auto& counts = ledger.Count();
        m_wrong += chips.size() != used || counts.used != used || counts.free != free ||
                   counts.failed != failed ||
                   counts.free + counts.used + counts.failed != ledger.GetNChips();
    }

    uint64_t m_looks{0}; //!< number of Look()
    uint64_t m_wrong{0}; //!< found wrong

  private:
    bool m_isSwitched; //!< whether optical switches join cubes
    Time m_last;       //!< of the last change
};

TEST(SliceQueue, KeepsItsIdentitiesForRandomJobsAndFailures)
{
    std::mt19937 random(1);
    for (const std::string& policy : SlicePolicy::GetNames())
    {
        for (const std::string backfill : {"None", "Easy", "Any"})
        {
            std::vector<SliceJob> jobs;
            double arrival = 0;
            for (uint32_t i = 0; i < 60; ++i)
            {
                SliceJob job = Job(arrival, "1", 1 + random() % 400);
                for (uint32_t& side : job.shape.sides)
                {
                    side = 1 + random() % (random() % 3 ? 4 : 12);
                }
                jobs.push_back(job);
                arrival += random() % 40;
            }
            auto queue = MakeQueue(policy,
                                   {{"Pod", "8x8x12"},
                                    {"Backfill", backfill},
                                    {"FailureTime", "20000s"},
                                    {"RepairTime", "300s"},
                                    {"SwitchTime", "1s"}});
            PodWatch watch(SlicePolicy::Create(policy)->IsSwitched());
            queue->TraceConnectWithoutContext("Changed", MakeCallback(&PodWatch::Look, &watch));
            const SliceRun run = queue->Run(jobs);
            EXPECT_EQ(watch.m_wrong, 0) << policy << " " << backfill;
            EXPECT_GT(watch.m_looks, 60);
            using Outcome = SliceRecord::Outcome;
            EXPECT_EQ(run.Count(Outcome::COMPLETED) + run.Count(Outcome::GIVEN_UP) +
                          run.Count(Outcome::INTERRUPTED),
                      jobs.size());
            EXPECT_GT(run.Count(Outcome::COMPLETED), 10);
            EXPECT_GT(run.utilisation, 0.05);
            EXPECT_LT(run.utilisation, 1);
            queue->AssignStreams(100);
            EXPECT_EQ(GetStarts(queue->Run(jobs)), GetStarts(run)) << policy;
        }
    }
}

/// @param workload random jobs
/// @param pod for them
/// @param [out] seconds gets the sum of their times between arrivals
/// @return 20,000 jobs, in parts: at picoseconds, ns-3 knows no time after 106 days
std::vector<SliceJob>
GenerateMany(SliceWorkload& workload, const SliceLedger& pod, double& seconds)
{
    std::vector<SliceJob> all;
    for (uint32_t part = 0; part < 4; ++part)
    {
        const auto jobs = workload.Generate(5000, pod);
        seconds += jobs.back().arrival.GetSeconds();
        all.insert(all.end(), jobs.begin(), jobs.end());
    }
    return all;
}

TEST(SliceWorkload, DrawsWhatTheFilesSay)
{
    const SliceLedger pod(Shape("16x16x16"), 4);
    auto workload = CreateObject<SliceWorkload>();
    workload->AssignStreams(7);
    double seconds = 0;
    const auto jobs = GenerateMany(*workload, pod, seconds);
    std::map<std::string, double> shares;
    double chips = 0;
    for (const SliceJob& job : jobs)
    {
        shares[job.shape.GetText()] += 1.0 / double(jobs.size());
        chips += job.shape.GetNChips();
    }
    // Shares of tpu_job_size.csv, of both kinds of torus together, whose sum is 97.8.
    EXPECT_NEAR(shares["4x4x8"], 0.175 / 0.978, 0.01);
    EXPECT_NEAR(shares["1x2x2"], 0.067 / 0.978, 0.01);
    EXPECT_NEAR(shares["12x16x16"], 0.057 / 0.978, 0.01);
    EXPECT_NEAR(seconds / double(jobs.size()), 620.8, 12); // mean of tpu_arrival_time.csv
    workload->AssignStreams(7);
    const auto again = workload->Generate(100, pod);
    EXPECT_EQ(again[99].arrival, jobs[99].arrival);
    EXPECT_EQ(again[99].duration, jobs[99].duration);
}

TEST(SliceWorkload, MixesRowsSheetsAndBoxesAsRfold)
{
    const SliceLedger pod(Shape("16x16x16"), 4);
    auto workload = CreateObject<SliceWorkload>();
    workload->SetAttribute("Shapes", StringValue("mixed"));
    workload->SetAttribute("Intervals", StringValue("rfold"));
    workload->SetAttribute("Stretch", DoubleValue(2));
    workload->AssignStreams(7);
    double seconds = 0;
    const auto jobs = GenerateMany(*workload, pod, seconds);
    double small = 0;
    double rows = 0;
    double middle = 0;
    double sheets = 0;
    for (const SliceJob& job : jobs)
    {
        const uint32_t chips = job.shape.GetNChips();
        const uint32_t dimensions = job.shape.GetNDimensions();
        EXPECT_TRUE(chips == 1 || chips % 2 == 0);
        EXPECT_LE(chips, 4096);
        // Of sizes that are a multiple of 4 only there are sheets, too.
        small += chips > 4 && chips <= 256 && chips % 4 == 0;
        rows += chips > 4 && chips <= 256 && chips % 4 == 0 && dimensions == 1;
        middle += chips > 256 && chips <= 1024 && chips % 8 == 0;
        sheets += chips > 256 && chips <= 1024 && chips % 8 == 0 && dimensions == 2;
        EXPECT_TRUE(chips <= 256 || dimensions > 1);
        EXPECT_TRUE(chips <= 1024 || dimensions == 3);
    }
    EXPECT_NEAR(rows / small, 0.8, 0.02);
    EXPECT_GT(sheets / middle, 0.5);
    EXPECT_NEAR(seconds / double(jobs.size()), 2 * 228.3, 15);
}

TEST(SliceWorkload, RefusesMalformedFilesInOneLine)
{
    const std::string path = testing::TempDir() + "odcn-slice-jobs.csv";
    const auto refusal = [&](const std::string& text)
    {
        std::ofstream(path) << text;
        return GetRefusal([&] { ReadSliceJobs(path); });
    };
    const std::string good = "# header\n\n0,0.0,T3D_NT,4x4x8,128,5# comment\n";
    std::ofstream(path) << good;
    EXPECT_EQ(ReadSliceJobs(path).size(), 1);
    EXPECT_TRUE(Has(refusal(good + "1,2,T3D_NT,4x4x8,127,5\n"), ":4: found '127', expected"));
    EXPECT_TRUE(Has(refusal(good + "1,2,CLOS,4x4x8,128,5\n"), "T3D_NT or T3D_T"));
    EXPECT_TRUE(Has(refusal(good + "1,2,T3D_T,4x4,16,5\n"), "'4x4'"));
    EXPECT_TRUE(Has(refusal(good + "1,2,T3D_T,4x4x4,64,0\n"), "above 0"));
    EXPECT_TRUE(Has(refusal(good + "1,2,T3D_T,4x4x4,64\n"), "columns"));
    EXPECT_TRUE(Has(refusal(good + "1,-1,T3D_T,4x4x4,64,1\n"), "'-1'"));
    EXPECT_TRUE(Has(refusal("1,3,T3D_T,1x1x1,1,1\n1,2,T3D_T,1x1x1,1,1\n"), "row above"));
    EXPECT_TRUE(Has(refusal("# nothing\n"), "a job"));
    auto workload = CreateObject<SliceWorkload>();
    workload->SetAttribute("Durations", StringValue(path));
    std::ofstream(path) << "12\n0\n";
    const SliceLedger pod(Shape("4x4x4"), 4);
    EXPECT_TRUE(Has(GetRefusal([&] { workload->Generate(1, pod); }), ":2: found '0'"));
    std::ofstream(path) << "12\n";
    EXPECT_EQ(workload->Generate(3, pod)[2].duration, Seconds(12));
    auto cut = CreateObject<SliceWorkload>();
    cut->SetAttribute("Durations", StringValue(path));
    cut->SetAttribute("Longest", StringValue("5s"));
    EXPECT_EQ(cut->Generate(3, pod)[2].duration, Seconds(5));
    // Times that ns-3 does not know, at picoseconds from 53 days on, are refused.
    UsePicoseconds();
    EXPECT_TRUE(Has(GetRefusal([&] { workload->Generate(20000, pod); }), "Time::SetResolution"));
}
} // namespace
} // namespace ns3::odcn
