// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-folder-test.h"
#include "../core/odcn-test-resolution.h"
#include "odcn-test-matrix.h"

#include "ns3/object-factory.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-matching-schedule.h"
#include "ns3/odcn-matching.h"

#include <cmath>

namespace ns3::odcn
{
namespace
{

/// @param kind class name without Schedule  @param racks number  @param planes number
/// @param stream random stream  @return the schedule
Ptr<CircuitSchedule>
Make(const std::string& kind, uint32_t racks, uint32_t planes, int64_t stream = 1)
{
    Ptr<CircuitSchedule> schedule = CircuitSchedule::Create(kind + "Schedule");
    schedule->AssignStreams(stream);
    schedule->Build(racks, planes);
    return schedule;
}

/// @param schedule a schedule  @return all its matchings
std::vector<Matching>
AllMatchings(const CircuitSchedule& schedule)
{
    std::vector<Matching> all;
    for (uint32_t p = 0; p < schedule.GetNPlanes(); ++p)
    {
        for (const CircuitSchedule::Slot& slot : schedule.GetPlane(p).slots)
        {
            all.push_back(slot.to);
        }
    }
    return all;
}

/// @param schedule a schedule  @param time a time  @return racks reached from rack 0 at that time
std::size_t
CountReached(const CircuitSchedule& schedule, Time time)
{
    std::set<RackId> reached{0};
    std::vector<RackId> open{0};
    while (!open.empty())
    {
        const RackId rack = open.back();
        open.pop_back();
        for (uint32_t p = 0; p < schedule.GetNPlanes(); ++p)
        {
            const RackId peer = schedule.GetPeer(p, rack, time);
            if (peer != NO_RACK && reached.insert(peer).second)
            {
                open.push_back(peer);
            }
        }
    }
    return reached.size();
}

TEST(CircuitSchedule, RotorMatchingsCoverEachPairOnce)
{
    for (const auto& [racks, planes] : std::vector<std::pair<uint32_t, uint32_t>>{{2, 1},
                                                                                  {7, 7},
                                                                                  {16, 4},
                                                                                  {15, 3},
                                                                                  {108, 6},
                                                                                  {200, 4}})
    {
        const auto schedule = Make("Rotor", racks, planes);
        std::map<std::pair<RackId, RackId>, int> times;
        for (const Matching& to : AllMatchings(*schedule))
        {
            for (RackId i = 0; i < racks; ++i)
            {
                if (to[i] != NO_RACK)
                {
                    EXPECT_EQ(to[to[i]], i) << "symmetric";
                    ++times[{i, to[i]}];
                }
            }
        }
        EXPECT_EQ(times.size(), std::size_t(racks) * (racks - 1));
        for (const auto& [pair, n] : times)
        {
            EXPECT_EQ(n, 1);
        }
    }
}

TEST(CircuitSchedule, RotorMatchingsAreRandomAtAnySize)
{
    // Components of the union of two matchings: some 0.5 ln(n) + 0.35 where they are random, with a
    // variance of about 2. Those of i + j = k mod n have gcd(k - k', n) of them, some of them many.
    for (const uint32_t racks : {24U, 120U, 240U, 2048U})
    {
        const std::vector<Matching> matchings = AllMatchings(*Make("Rotor", racks, 4));
        double sum = 0;
        double squares = 0;
        const uint32_t pairs = std::min(racks, 256U); // to take little time with many racks
        for (uint32_t k = 0; k < pairs; ++k)
        {
            const Matching& a = matchings[k];
            const Matching& b = matchings[(k + 1) % racks];
            std::vector<bool> seen(racks, false);
            uint32_t components = 0;
            for (RackId first = 0; first < racks; ++first)
            {
                components += !seen[first];
                std::vector<RackId> open{first};
                while (!open.empty())
                {
                    const RackId rack = open.back();
                    open.pop_back();
                    if (rack != NO_RACK && !seen[rack])
                    {
                        seen[rack] = true;
                        open.insert(open.end(), {a[rack], b[rack]});
                    }
                }
            }
            sum += components;
            squares += components * components;
        }
        const double mean = sum / pairs;
        EXPECT_NEAR(mean, 0.5 * std::log(racks) + 0.35, 0.5) << racks;
        EXPECT_LT(squares / pairs - mean * mean, 4) << racks;
    }
}

TEST(CircuitSchedule, RotorCapacityIsExact)
{
    const auto schedule = Make("Rotor", 16, 4);
    const DemandMatrix capacity = schedule->GetCapacity();
    const DemandMatrix guarded = schedule->GetCapacity(MicroSeconds(1));
    for (RackId i = 0; i < 16; ++i)
    {
        EXPECT_NEAR(capacity.GetSent(i), 4 * 0.9 * 15 / 16, 1e-12);
        for (RackId j = 0; j < 16; ++j)
        {
            EXPECT_NEAR(capacity.Get(i, j), i == j ? 0 : 0.225, 1e-12);
            EXPECT_NEAR(guarded.Get(i, j), i == j ? 0 : 0.22, 1e-12);
        }
    }
}

TEST(CircuitSchedule, ACircuitOfSeveralSlotsHasOneGuardAtEachEnd)
{
    const TemporaryPath file("several");
    // 0 to 1 lasts two of four slots; 1 to 2 the last and the first one; 2 to 0 for ever.
    file.Write("racks 3 planes 1 dark 10\nplane 0 offset 0\n15 1 2 0\n20 1 - 0\n"
               "25 - - 0\n40 - 2 0\n");
    ObjectFactory factory("ns3::odcn::FileSchedule", "File", StringValue(file.path));
    const auto schedule = factory.Create<CircuitSchedule>();
    schedule->Build(3, 1);
    const DemandMatrix plain = schedule->GetCapacity();
    EXPECT_DOUBLE_EQ(plain.Get(0, 1), 0.25);
    EXPECT_DOUBLE_EQ(plain.Get(1, 2), 0.45);
    EXPECT_DOUBLE_EQ(plain.Get(2, 0), 1);
    // A guard of 10 ns is more than what the dark time leaves of the slot of 15 ns.
    const DemandMatrix guarded = schedule->GetCapacity(NanoSeconds(10));
    EXPECT_DOUBLE_EQ(guarded.Get(0, 1), 0.05);
    EXPECT_DOUBLE_EQ(guarded.Get(1, 2), 0.25);
    EXPECT_DOUBLE_EQ(guarded.Get(2, 0), 1);
    EXPECT_EQ(schedule->GetCapacity(NanoSeconds(13)).Get(0, 1), 0) << "not less";
}

TEST(CircuitSchedule, CircuitsAreUpWhenTheSimulationStarts)
{
    for (const std::string kind : {"Rotor", "Opera", "Sirius"})
    {
        const auto schedule = Make(kind, 12, 4);
        const Time dark = schedule->GetReconfigurationTime();
        for (uint32_t plane = 0; plane < 4; ++plane)
        {
            const CircuitSchedule::Place first = schedule->Find(plane, Time(0));
            for (RackId rack = 0; rack < 12; ++rack)
            {
                const Matching& to = schedule->GetPlane(plane).slots[first.slot].to;
                EXPECT_EQ(schedule->GetPeer(plane, rack, Time(0)), to[rack]) << kind;
                EXPECT_EQ(schedule->GetPeer(plane, rack, first.end - TimeStep(1)), to[rack]);
                EXPECT_EQ(schedule->GetPeer(plane, rack, first.end), NO_RACK) << kind;
                EXPECT_EQ(schedule->GetPeer(plane, rack, first.end + dark - TimeStep(1)), NO_RACK);
            }
        }
    }
}

TEST(CircuitSchedule, RandomSchedulesDependOnTheStream)
{
    for (const std::string kind : {"Rotor", "Opera", "Expander"})
    {
        EXPECT_EQ(AllMatchings(*Make(kind, 12, 4, 5)), AllMatchings(*Make(kind, 12, 4, 5)));
        EXPECT_NE(AllMatchings(*Make(kind, 12, 4, 5)), AllMatchings(*Make(kind, 12, 4, 6)));
    }
}

TEST(CircuitSchedule, OperaConnectsAllRacksAtAllTimes)
{
    for (const auto& [racks, planes] :
         std::vector<std::pair<uint32_t, uint32_t>>{{16, 4}, {108, 6}})
    {
        const auto schedule = Make("Opera", racks, planes);
        EXPECT_EQ(schedule->GetPeriod(), MicroSeconds(600) * (racks / planes));
        const Time step = schedule->GetPeriod() / racks;
        for (uint32_t k = 0; k < racks; ++k)
        {
            // While a plane is dark, and after.
            EXPECT_EQ(CountReached(*schedule, step * k + MicroSeconds(1)), racks);
            EXPECT_EQ(CountReached(*schedule, step * k + MicroSeconds(11)), racks);
            uint32_t dark = SumOf<uint32_t>(
                planes,
                [&](uint32_t p) { return schedule->Find(p, step * k).start == step * k; });
            EXPECT_EQ(dark, 1U) << "one plane changes at a time";
        }
    }
}

TEST(CircuitSchedule, OperaHasOneDarkPlaneAtATime)
{
    const auto make = [](const std::string& dark)
    {
        const auto schedule =
            CircuitSchedule::Create("OperaSchedule[Slot=400us|ReconfigurationTime=" + dark + "]");
        schedule->AssignStreams(1);
        schedule->Build(16, 4);
        return schedule;
    };
    const auto schedule = make("100us");
    const Time step = MicroSeconds(100);
    for (uint32_t k = 1; k < 32; ++k)
    {
        // At the last moment of a dark time, and at the first of the next.
        EXPECT_EQ(CountReached(*schedule, step * k - TimeStep(1)), 16U);
        EXPECT_EQ(CountReached(*schedule, step * k), 16U);
    }
    EXPECT_REFUSAL(make("100001ns"), "at most Slot / planes, 100000000 ps");
}

TEST(CircuitSchedule, TellsTheChangeBefore)
{
    const auto opera = Make("Opera", 12, 4); // a plane every 150 us
    for (uint32_t k = 0; k < 26; ++k)
    {
        EXPECT_EQ(opera->GetChangeBefore(MicroSeconds(150) * k), MicroSeconds(150) * (int(k) - 1));
        EXPECT_EQ(opera->GetChangeBefore(MicroSeconds(150) * k + TimeStep(1)),
                  MicroSeconds(150) * k);
    }
    EXPECT_EQ(Make("Expander", 12, 4)->GetChangeBefore(Seconds(1)), Time::Min());
    // Of two planes, one has its circuits for two of three slots.
    const TemporaryPath file("changes");
    file.Write("racks 3 planes 2 dark 10\nplane 0 offset 100\n1000 1 2 0\n500 1 2 0\n"
               "1500 2 0 1\nplane 1 offset 0\n3000 2 0 1\n");
    const auto uneven = CircuitSchedule::Create("FileSchedule[File=" + file.path + "]");
    uneven->Build(3, 2);
    const auto check = [&uneven](int64_t time, int64_t last)
    { EXPECT_EQ(uneven->GetChangeBefore(NanoSeconds(time)), NanoSeconds(last)) << time; };
    check(0, -1400);
    check(100, -1400);
    check(101, 100);
    check(1600, 100);
    check(1601, 1600);
    check(3100, 1600);
    check(3101, 3100);
}

TEST(CircuitSchedule, CyclicShiftsShareTheCapacityEvenly)
{
    for (const std::string kind : {"RoundRobin", "Sirius"})
    {
        const auto schedule = Make(kind, 9, 4);
        const DemandMatrix capacity = schedule->GetCapacity();
        ExpectUniform(capacity, 4 * 0.9 / 8, 1e-12);
    }
    EXPECT_EQ(Make("Sirius", 9, 4)->GetPeriod(), NanoSeconds(800));
}

TEST(CircuitSchedule, AnExpanderIsStaticAndRegular)
{
    const auto schedule = Make("Expander", 20, 5);
    const DemandMatrix capacity = schedule->GetCapacity(MicroSeconds(5));
    for (RackId i = 0; i < 20; ++i)
    {
        EXPECT_DOUBLE_EQ(capacity.GetSent(i), 5) << "neither dark nor guarded";
        EXPECT_DOUBLE_EQ(capacity.GetReceived(i), 5);
        for (RackId j = 0; j < 20; ++j)
        {
            EXPECT_LE(capacity.Get(i, j), 1) << "no pair is connected twice";
        }
    }
    EXPECT_EQ(CountReached(*schedule, Seconds(1)), 20U);
}

TEST(CircuitSchedule, FindAgreesWithASearch)
{
    const auto schedule = Make("Opera", 12, 4);
    const Time period = schedule->GetPeriod();
    for (uint32_t p = 0; p < 4; ++p)
    {
        const CircuitSchedule::Plane& plane = schedule->GetPlane(p);
        Time start = plane.offset - period;
        uint32_t slot = 0;
        for (Time t; t < 2 * period; t += MicroSeconds(50))
        {
            while (start + plane.slots[slot].duration <= t)
            {
                start += plane.slots[slot].duration;
                slot = (slot + 1) % plane.slots.size();
            }
            const CircuitSchedule::Place place = schedule->Find(p, t);
            EXPECT_EQ(place.slot, slot);
            EXPECT_EQ(place.start, start);
            EXPECT_EQ(place.end, start + plane.slots[slot].duration);
        }
    }
}

TEST(CircuitSchedule, RacksWithFewerUplinksHaveFewerCircuits)
{
    const std::vector<uint32_t> uplinks{2, 1, 2, 0, 2};
    const auto full = Make("RoundRobin", 5, 2);
    const auto part = Make("RoundRobin", 5, 2);
    part->Build(5, 2, uplinks);
    for (uint32_t p = 0; p < 2; ++p)
    {
        for (uint32_t k = 0; k < full->GetPlane(p).slots.size(); ++k)
        {
            for (RackId from = 0; from < 5; ++from)
            {
                const RackId to = full->GetPlane(p).slots[k].to[from];
                const bool exists = p < uplinks[from] && p < uplinks[to];
                EXPECT_EQ(part->GetPlane(p).slots[k].to[from], exists ? to : NO_RACK);
            }
        }
    }
    // Each plane meets each pair in one of four slots, 0.9 of it; the slower rack has the say.
    const DemandMatrix capacity = part->GetCapacity(Time(0), {10, 10, 4, 10, 10});
    EXPECT_NEAR(capacity.Get(0, 4), 2 * 0.9 / 4 * 10, 1e-12);
    EXPECT_NEAR(capacity.Get(0, 1), 0.9 / 4 * 10, 1e-12);
    EXPECT_NEAR(capacity.Get(0, 2), 2 * 0.9 / 4 * 4, 1e-12);
    EXPECT_NEAR(capacity.Get(2, 1), 0.9 / 4 * 4, 1e-12);
    EXPECT_EQ(capacity.Get(3, 0), 0);
    EXPECT_THROW(part->Build(5, 2, {2, 2}), OdcnError);
    EXPECT_THROW(part->Build(5, 2, {3, 2, 2, 2, 2}), OdcnError);
    EXPECT_THROW(part->GetCapacity(Time(0), {1}), OdcnError);
}

TEST(CircuitSchedule, AFileHoldsAnySchedule)
{
    const TemporaryPath file("schedule");
    const auto opera = Make("Opera", 12, 4);
    opera->Write(file.path);
    const auto read = CircuitSchedule::Create("FileSchedule[File=" + file.path + "]");
    read->Build(12, 4);
    EXPECT_EQ(AllMatchings(*read), AllMatchings(*opera));
    EXPECT_EQ(read->GetPlane(2).offset, opera->GetPlane(2).offset);
    EXPECT_EQ(read->GetReconfigurationTime(), MicroSeconds(10));
    EXPECT_THROW(read->Build(12, 3), OdcnError);
}

TEST(CircuitSchedule, AFileHoldsTimesToThePicosecond)
{
    UsePicoseconds();
    const TemporaryPath file("picoseconds");
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int i = 0; i < 100; ++i)
    {
        const uint32_t racks = 4 + i % 5;
        const uint32_t planes = 1 + i % 3;
        const auto schedule = CreateObject<MatchingSchedule>();
        schedule->SetAttribute("Algorithm", StringValue("BirkhoffMatching[Terms=7]"));
        schedule->SetAttribute("Period", TimeValue(PicoSeconds(333333333 + i)));
        schedule->SetAttribute("ReconfigurationTime", TimeValue(PicoSeconds(1234567 + 100 * i)));
        schedule->SetDemand(MakeMatrix(racks, [&](RackId, RackId) { return uniform(random); }));
        schedule->Build(racks, planes);
        schedule->Write(file.path);
        const auto read = CircuitSchedule::Create("FileSchedule[File=" + file.path + "]");
        read->Build(racks, planes);
        EXPECT_EQ(AllMatchings(*read), AllMatchings(*schedule));
        EXPECT_EQ(read->GetReconfigurationTime(), schedule->GetReconfigurationTime());
        for (uint32_t p = 0; p < planes; ++p)
        {
            EXPECT_EQ(read->GetPlane(p).offset, schedule->GetPlane(p).offset);
            for (std::size_t k = 0; k < schedule->GetPlane(p).slots.size(); ++k)
            {
                EXPECT_EQ(read->GetPlane(p).slots[k].duration,
                          schedule->GetPlane(p).slots[k].duration);
            }
        }
    }
    const auto opera = CircuitSchedule::Create("OperaSchedule[Slot=100ns|ReconfigurationTime=1ns]");
    opera->Build(12, 6);
    opera->Write(file.path);
    const auto read = CircuitSchedule::Create("FileSchedule[File=" + file.path + "]");
    read->Build(12, 6);
    EXPECT_EQ(read->GetPlane(5).offset, PicoSeconds(83333));
    file.Write("racks 2 planes 1 dark 0.0625\nplane 0 offset 0\n1 1 0\n");
    EXPECT_REFUSAL(read->Build(2, 1), "three decimals");
}

TEST(CircuitSchedule, CircuitsStayOverSlotsInWhichTheyDoNotChange)
{
    const TemporaryPath file("extension");
    file.Write("racks 2 planes 1 dark 10\nplane 0 offset 0\n100 1 0\n200 1 -\n300 - -\n");
    ObjectFactory factory("ns3::odcn::FileSchedule", "File", StringValue(file.path));
    const auto schedule = factory.Create<CircuitSchedule>();
    schedule->Build(2, 1);
    const std::vector<std::vector<int64_t>> ns{{200, 0, 0}, {0, 300, 0}};
    for (RackId rack = 0; rack < 2; ++rack)
    {
        for (uint32_t slot = 0; slot < 3; ++slot)
        {
            EXPECT_EQ(schedule->GetExtension(0, slot, rack), NanoSeconds(ns[rack][slot]))
                << "rack " << rack << ", slot " << slot;
        }
    }
    EXPECT_EQ(Make("Expander", 6, 2)->GetExtension(1, 0, 3), Time::Max());
}

TEST(CircuitSchedule, BadFilesAreRefusedWithTheirLine)
{
    const TemporaryPath file("bad-schedule");
    const std::string head = "racks 3 planes 1 dark 10\n";
    for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
             {"", "found '', expected racks 3"},
             {"racks 4 planes 1 dark 10\n", "racks 3 planes 1"},
             {head, "found 'end of file'"},
             {head + "100 1 2 0\n", ":2: found '100 1 2 0'"},
             {head + "plane 1 offset 0\n", "plane 0 offset"},
             {head + "plane 0 offset -1\n", ":2: "},
             {head + "plane 0 offset 0\n100 1 2\n", ":3: "},
             {head + "plane 0 offset 0\n100 1 2 3\n", ":3: "},
             {head + "plane 0 offset 0\n100 1 2 x\n", ":3: "},
             {head + "plane 0 offset 0\n100 1 1 -\n", "slot 0"},
             {head + "plane 0 offset 0\n100 0 - -\n", "rack 0 to 0"},
             {head + "plane 0 offset 0\n10 1 2 0\n", "above the reconfiguration time"},
             {head + "plane 0 offset 200\n100 1 2 0\n", "0 to the period"},
         })
    {
        file.Write(text);
        const auto schedule = CircuitSchedule::Create("FileSchedule[File=" + file.path + "]");
        const std::string error = GetRefusal([&] { schedule->Build(3, 1); });
        EXPECT_TRUE(Has(error, part));
        EXPECT_EQ(schedule->GetNPlanes(), 0U);
    }
}

TEST(CircuitSchedule, MatchingsFillThePlanesInTheirShares)
{
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(3);
    for (const auto& [text, planes] :
         std::vector<std::pair<std::string, uint32_t>>{{"VermilionMatching[K=3]", 4},
                                                       {"BirkhoffMatching[Terms=5]", 2},
                                                       {"MaxWeightMatching", 3},
                                                       {"RoundRobinMatching", 1}})
    {
        const DemandMatrix demand =
            MakeMatrix(8, [&](RackId, RackId) { return random->GetValue(0, 1); });
        const auto algorithm = MatchingAlgorithm::Create(text);
        const auto matchings = algorithm->Compute(demand, {planes});
        double weights = SumOf<double>(matchings, &WeightedMatching::weight);
        DemandMatrix shares = MatchingAlgorithm::GetShares(matchings, 8);
        shares.Scale(planes / weights);
        const auto schedule = CreateObject<MatchingSchedule>();
        schedule->SetAttribute("Algorithm", StringValue(text));
        schedule->SetAttribute("Period", TimeValue(MilliSeconds(100)));
        schedule->SetAttribute("ReconfigurationTime", TimeValue(NanoSeconds(1)));
        schedule->SetDemand(demand);
        schedule->Build(8, planes);
        const DemandMatrix capacity = schedule->GetCapacity();
        ForPairs(8,
                 [&](RackId i, RackId j)
                 { EXPECT_NEAR(capacity.Get(i, j), shares.Get(i, j), 1e-5) << text; });
    }
    // Attributes of the algorithm, as text within text.
    const auto nested = CircuitSchedule::Create(
        "MatchingSchedule[Algorithm=BirkhoffMatching[Terms=3|Sinkhorn=false]|Period=700us]");
    DynamicCast<MatchingSchedule>(nested)->SetDemand(DemandMatrix::Make("uniform", 8));
    nested->Build(8, 1);
    EXPECT_EQ(nested->GetPlane(0).slots.size(), 3U);
    EXPECT_EQ(nested->GetPeriod(), MicroSeconds(700));
    // A circuit a rack is held for ever: each plane has one matching.
    DemandMatrix shift = DemandMatrix::Make("shift:3", 8);
    const auto schedule = CreateObject<MatchingSchedule>();
    schedule->SetAttribute("Algorithm", StringValue("MaxWeightMatching[Capacity=0.5]"));
    schedule->SetDemand(shift);
    schedule->Build(8, 2);
    EXPECT_DOUBLE_EQ(schedule->GetCapacity().Get(0, 3), 2);
    EXPECT_THROW(schedule->Build(9, 2), OdcnError);
    schedule->SetDemand(DemandMatrix(9));
    EXPECT_THROW(schedule->Build(9, 2), OdcnError);
}

TEST(CircuitSchedule, MatchingsHaveTheirTimeAndThatOfReconfiguration)
{
    // One plane of 10 Gb/s: 60 and 20 slots of 1 us, and 10 us before each, are a period of 100 us.
    DemandMatrix demand(3);
    for (RackId i = 0; i < 3; ++i)
    {
        demand.Set(i, (i + 1) % 3, 75000);
        demand.Set(i, (i + 2) % 3, 25000);
    }
    const auto schedule = CircuitSchedule::Create(
        "MatchingSchedule[Algorithm=SolsticeMatching|Period=100us|ReconfigurationTime=10us]");
    DynamicCast<MatchingSchedule>(schedule)->SetDemand(demand, DataRate("10Gbps"));
    schedule->Build(3, 1);
    ASSERT_EQ(schedule->GetPlane(0).slots.size(), 2U);
    EXPECT_EQ(schedule->GetPlane(0).slots[0].duration, MicroSeconds(70));
    EXPECT_EQ(schedule->GetPlane(0).slots[1].duration, MicroSeconds(30));
    // So circuits carry what is asked of them in the period: 0.6 x 100 us x 10 Gb/s.
    EXPECT_NEAR(schedule->GetCapacity().Get(0, 1), 0.6, 1e-9);
    EXPECT_NEAR(schedule->GetCapacity().Get(0, 2), 0.2, 1e-9);
    const auto unknown = CreateObject<MatchingSchedule>();
    unknown->SetAttribute("Algorithm", StringValue("SolsticeMatching"));
    unknown->SetDemand(demand);
    EXPECT_REFUSAL(unknown->Build(3, 1), "no rate of circuits");
}

/// A schedule as a user's program defines it, outside of the namespace.
class UserSchedule : public RoundRobinSchedule
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("UserSchedule").SetParent<RoundRobinSchedule>().AddConstructor<UserSchedule>();
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(UserSchedule);

TEST(CircuitSchedule, TypesAreFoundWithAndWithoutNamespace)
{
    EXPECT_TRUE(DynamicCast<UserSchedule>(CircuitSchedule::Create("UserSchedule[Slot=50us]")));
    EXPECT_TRUE(DynamicCast<RotorSchedule>(CircuitSchedule::Create("RotorSchedule")));
    EXPECT_TRUE(DynamicCast<RotorSchedule>(CircuitSchedule::Create("ns3::odcn::RotorSchedule")));
    const std::string error = GetRefusal([&] { CircuitSchedule::Create("UserSchedul"); });
    EXPECT_TRUE(Has(error, "found 'UserSchedul'"));
    EXPECT_TRUE(Has(error, " or UserSchedule; did you mean UserSchedule?"));
}

TEST(CircuitSchedule, CircuitsLastForSlotsWithTheSamePeer)
{
    // Planes of one matching never change; of two, a circuit lasts for its slot.
    EXPECT_TRUE(Make("Expander", 16, 4)->LastsFor(Days(1)));
    const auto rotor = Make("Rotor", 16, 4);
    const Time up = rotor->GetPlane(0).slots[0].duration - rotor->GetReconfigurationTime();
    EXPECT_TRUE(rotor->LastsFor(up));
    EXPECT_FALSE(rotor->LastsFor(up + TimeStep(1)));
}

TEST(CircuitSchedule, ImpossibleSizesAreRefused)
{
    EXPECT_THROW(Make("Rotor", 16, 3), OdcnError);
    EXPECT_THROW(Make("RoundRobin", 1, 1), OdcnError);
    EXPECT_THROW(Make("RoundRobin", 4, 0), OdcnError);
    EXPECT_THROW(Make("Opera", 16, 1), OdcnError);
    EXPECT_THROW(Make("Opera", 16, 2), OdcnError) << "one matching does not connect 16 racks";
    EXPECT_THROW(Make("Expander", 4, 4), OdcnError);
    EXPECT_THROW(Make("Rotor", 4, 2)->GetPlane(2), OdcnError);
}

} // namespace
} // namespace ns3::odcn
