// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Runs of training jobs: the times of astra-sim, units of ranks, and where the time went.
 */

#include "../core/odcn-test-case.h"

#include "ns3/data-rate.h"
#include "ns3/node-container.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/odcn-network-flow-level.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/odcn-switch-flow-level.h"
#include "ns3/odcn-training-run.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

using TrainingKind = TrainingProgram::Kind;
using TrainingCollective = Collective::Operation;

/// 50 "GB/s" of astra-sim, which are 2^30 bytes a second each.
constexpr const char* ASTRA_RATE = "429496729600bps";

/// @param kind of an operation
/// @return the operation
TrainingProgram::Operation
MakeTrainingOperation(TrainingKind kind)
{
    TrainingProgram::Operation operation;
    operation.kind = kind;
    return operation;
}

/// @param duration of a computation
/// @return the computation
TrainingProgram::Operation
MakeComputation(Time duration)
{
    TrainingProgram::Operation operation = MakeTrainingOperation(TrainingKind::COMPUTE);
    operation.duration = duration;
    return operation;
}

/// @param what collective of communicator 0
/// @param bytes of it
/// @return the collective
TrainingProgram::Operation
MakeCollective(TrainingCollective what, uint64_t bytes)
{
    TrainingProgram::Operation operation = MakeTrainingOperation(TrainingKind::COLLECTIVE);
    operation.what = what;
    operation.bytes = bytes;
    return operation;
}

/// @param kind SEND or RECEIVE
/// @param peer the other rank minus this one
/// @param bytes of the message
/// @return the operation
TrainingProgram::Operation
MakeExchange(TrainingKind kind, int32_t peer, uint64_t bytes)
{
    TrainingProgram::Operation operation = MakeTrainingOperation(kind);
    operation.peer = peer;
    operation.bytes = bytes;
    return operation;
}

/// @param n number of them
/// @return 0 to n - 1
std::vector<uint32_t>
CountUp(uint32_t n)
{
    std::vector<uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// @param ranks of the job
/// @param program of all of them
/// @param iterations of it
/// @return the job, with communicator 0 of all ranks
std::shared_ptr<TrainingJob>
MakeTrainingJob(uint32_t ranks, const TrainingProgram& program, uint32_t iterations = 1)
{
    auto job = std::make_shared<TrainingJob>("test", ranks);
    job->AddCommunicator("all", {CountUp(ranks)});
    job->AddProgram(program, CountUp(ranks));
    job->SetIterations(iterations);
    return job;
}

/// @param ranks of a job
/// @param what collective
/// @param bytes of it
/// @return a job of one collective
std::shared_ptr<TrainingJob>
MakeAstraJob(uint32_t ranks, TrainingCollective what, uint64_t bytes)
{
    TrainingProgram program;
    program.Add(MakeCollective(what, bytes));
    return MakeTrainingJob(ranks, program);
}

/// @param hosts number of end points
/// @param rate of their links
/// @param latency of them
/// @return a ring of links in both directions, without headers
Ptr<MessagePlane>
MakeAstraRing(uint32_t hosts, const std::string& rate, Time latency)
{
    NodeContainer nodes(hosts);
    SimpleNetDeviceHelper helper;
    helper.SetDeviceAttribute("DataRate", StringValue(rate));
    helper.SetChannelAttribute("Delay", TimeValue(latency));
    helper.SetNetDevicePointToPointMode(true);
    for (uint32_t i = 0; i < hosts; ++i)
    {
        helper.Install(NodeContainer(nodes.Get(i), nodes.Get((i + 1) % hosts)));
    }
    const Ptr<NetworkFlowLevel> level = CreateObject<NetworkFlowLevel>();
    level->SetAttribute("HeaderSize", UintegerValue(0));
    level->SetHosts(nodes);
    return level;
}

/// @param hosts number of end points
/// @param rate of their ports
/// @param latency from port to port
/// @return a switch that never limits traffic, without headers
Ptr<MessagePlane>
MakeAstraSwitch(uint32_t hosts, const std::string& rate, Time latency)
{
    const Ptr<SwitchFlowLevel> level = CreateObject<SwitchFlowLevel>();
    level->SetAttribute("HeaderSize", UintegerValue(0));
    level->SetAttribute("Rate", StringValue(rate));
    level->SetAttribute("Latency", TimeValue(latency));
    level->SetNEndPoints(hosts);
    return level;
}

/// Carries each message as if it was alone, as astra-sim's congestion-unaware network does.
class UnawarePlane : public MessagePlane
{
  public:
    /// @param endPoints their number
    /// @param rate of each message
    /// @param latency of a message
    UnawarePlane(uint32_t endPoints, const DataRate& rate, Time latency)
        : m_endPoints(endPoints),
          m_rate(rate),
          m_latency(latency)
    {
    }

    uint32_t GetNEndPoints() const override
    {
        return m_endPoints;
    }

    FabricEngine GetEngine() const override
    {
        return FabricEngine::FLOWS;
    }

  protected:
    void DoSend(const Message& message) override
    {
        Simulator::Schedule(m_latency + m_rate.CalculateBytesTxTime(message.bytes),
                            [this, number = message.number] { Deliver(number); });
    }

  private:
    uint32_t m_endPoints; //!< their number
    DataRate m_rate;      //!< of each message
    Time m_latency;       //!< of each message
};

/// @param plane carries the messages
/// @param job what runs
/// @param settings Attributes of the run
/// @param stream first of its random times
/// @return the run, ended
Ptr<TrainingRun>
RunTrainingJob(const Ptr<MessagePlane>& plane,
               std::shared_ptr<const TrainingJob> job,
               const std::string& settings = "",
               int64_t stream = 1)
{
    const Ptr<TrainingRun> run = CreateObject<TrainingRun>();
    Configure(run, settings);
    run->AssignStreams(stream);
    run->SetJob(std::move(job), {});
    CreateObject<PlaneTraffic>()->Start(plane, *PeekPointer(run));
    Simulator::Run();
    Simulator::Destroy();
    return run;
}

/// A system of astra-sim.
struct AstraSystem
{
    const char* name; //!< as in its files
    uint32_t splits;  //!< preferred-dataset-splits
    uint32_t memory;  //!< local-mem-bw, 10^9 bytes a second
};

/// Systems of the recorded times; endpoint-delay is 10 ns.
constexpr AstraSystem ASTRA_SYSTEMS[] = {{"r4", 4, 1600}, {"r1", 1, 1600}, {"rt", 4, 50}};

/// @param system one of astra-sim
/// @param active splits at a time
/// @return Attributes of a run
std::string
GetAstraSettings(const AstraSystem& system, uint32_t active = 1)
{
    return "MessageOverhead=10ns|Splits=" + std::to_string(system.splits) +
           "|ActiveSplits=" + std::to_string(active) +
           "|AllToAll=ring|ReductionRate=" + std::to_string(8 * system.memory) + "Gbps";
}

/// Recorded times of astra-sim 518bd51, ns: 1 MiB, "50 GB/s", 500 ns; by system, for 4 and 8 ranks
/// all-reduce, all-gather, reduce-scatter, all-to-all.
constexpr int64_t ASTRA_RING[3][8] = {{43000, 64744, 22240, 41560, 64440, 151016, 33080, 125480},
                                      {33829, 60133, 17653, 32362, 43025, 140297, 22368, 82638},
                                      {88720, 64744, 67960, 41560, 117780, 151016, 86420, 125480}};
/// The same over its congestion-unaware switch.
constexpr int64_t ASTRA_SWITCH[3][8] = {
    {55000, 70744, 28240, 53560, 92440, 165016, 47080, 181480},
    {36829, 61633, 19153, 35362, 50025, 143797, 25868, 96638},
    {100720, 70744, 73960, 53560, 145780, 165016, 100420, 181480}};
/// The same over its congestion-aware switch.
constexpr int64_t ASTRA_AWARE[3][8] = {
    {84280, 129328, 42880, 82840, 126600, 301712, 64160, 249800},
    {66121, 120226, 33799, 64654, 84199, 280514, 42955, 164986},
    {130000, 129328, 88600, 82840, 179940, 301712, 117500, 249800}};
/// Collectives of the recorded times.
constexpr TrainingCollective ASTRA_COLLECTIVES[] = {TrainingCollective::ALL_REDUCE,
                                                    TrainingCollective::ALL_GATHER,
                                                    TrainingCollective::REDUCE_SCATTER,
                                                    TrainingCollective::ALL_TO_ALL};

/// A collective of astra-sim.
struct AstraRow
{
    TrainingCollective what; //!< collective
    uint32_t ranks;          //!< number of ranks

    /// @return bytes of it; what astra-sim says of an all-gather is the part of each rank
    uint64_t GetBytes() const
    {
        return (uint64_t{1} << 20) * (what == TrainingCollective::ALL_GATHER ? ranks : 1);
    }

    /// @return messages of a rank, one after the other, of a split
    uint32_t CountMessages() const
    {
        return what == TrainingCollective::ALL_REDUCE   ? 2 * (ranks - 1)
               : what == TrainingCollective::ALL_TO_ALL ? ranks * (ranks - 1) / 2
                                                        : ranks - 1;
    }
};

/// @param row a collective
/// @param system of astra-sim
/// @param latency of a message, ns
/// @param rate bytes a nanosecond
/// @return its time by the closed form that hits all of astra-sim's times, ns
int64_t
FindAstraTime(const AstraRow& row, const AstraSystem& system, double latency, double rate)
{
    const uint64_t bytes = row.GetBytes() / system.splits / row.ranks;
    const auto message = static_cast<int64_t>(latency + static_cast<double>(bytes) / rate) + 10;
    const bool reduces = row.what == TrainingCollective::ALL_REDUCE ||
                         row.what == TrainingCollective::REDUCE_SCATTER;
    const int64_t reduction = reduces ? 3 * static_cast<int64_t>(bytes / system.memory) : 0;
    return system.splits * (row.CountMessages() * message + (row.ranks - 1) * reduction + 10);
}

} // namespace

ODCN_TEST_CASE(TrainingAstraRows, "Collectives take the times of astra-sim")
{
    const double rate = std::ldexp(50, 30) / 1e9;
    for (uint32_t s = 0; s < 3; ++s)
    {
        const AstraSystem& system = ASTRA_SYSTEMS[s];
        for (uint32_t i = 0; i < 8; ++i)
        {
            const AstraRow row{ASTRA_COLLECTIVES[i % 4], i < 4 ? 4U : 8U};
            const auto job = MakeAstraJob(row.ranks, row.what, row.GetBytes());
            // astra-sim rounds each message down to whole nanoseconds.
            const int64_t messages = int64_t{row.CountMessages()} * system.splits;
            const int64_t ring =
                RunTrainingJob(MakeAstraRing(row.ranks, ASTRA_RATE, NanoSeconds(500)),
                               job,
                               GetAstraSettings(system))
                    ->GetTime()
                    .GetPicoSeconds();
            const int64_t ringMore = ring - 1000 * ASTRA_RING[s][i];
            NS_TEST_EXPECT_MSG_GT(ringMore, -1, system.name << " ring, row " << i);
            NS_TEST_EXPECT_MSG_LT(ringMore, 1000 * messages, system.name << " ring, row " << i);
            const int64_t central =
                RunTrainingJob(MakeAstraSwitch(row.ranks, ASTRA_RATE, NanoSeconds(1000)),
                               job,
                               GetAstraSettings(system))
                    ->GetTime()
                    .GetPicoSeconds();
            const int64_t more = central - 1000 * ASTRA_SWITCH[s][i];
            NS_TEST_EXPECT_MSG_GT(more, -1, system.name << " switch, row " << i);
            NS_TEST_EXPECT_MSG_LT(more, 1000 * messages, system.name << " switch, row " << i);
            // The congestion-aware switch receives a message as a whole before it sends it.
            const double stored = 1000 * double(row.GetBytes() / system.splits / row.ranks) / rate;
            const double aware = 1000 * double(ASTRA_AWARE[s][i]) - double(messages) * stored;
            NS_TEST_EXPECT_MSG_EQ_TOL(aware,
                                      double(central),
                                      2000 * double(messages),
                                      system.name << " aware switch, row " << i);
        }
    }
}

ODCN_TEST_CASE(TrainingAstraForms, "Collectives of other numbers of ranks take the closed forms")
{
    const double rate = std::ldexp(50, 30) / 1e9;
    for (const AstraSystem& system : ASTRA_SYSTEMS)
    {
        for (const uint32_t ranks : {2U, 5U, 16U})
        {
            for (const TrainingCollective what : ASTRA_COLLECTIVES)
            {
                const AstraRow row{what, ranks};
                const auto job = MakeAstraJob(ranks, what, row.GetBytes());
                const int64_t time =
                    RunTrainingJob(MakeAstraSwitch(ranks, ASTRA_RATE, NanoSeconds(500)),
                                   job,
                                   GetAstraSettings(system))
                        ->GetTime()
                        .GetPicoSeconds();
                const int64_t more = time - 1000 * FindAstraTime(row, system, 500, rate);
                // A part of 1 MiB that 5 ranks do not divide is a byte longer for some.
                NS_TEST_EXPECT_MSG_GT(more, -1, system.name << " " << ranks << " ranks");
                NS_TEST_EXPECT_MSG_LT(more,
                                      1010 * int64_t{row.CountMessages()} * system.splits,
                                      system.name << " " << ranks << " ranks");
            }
        }
    }
}

ODCN_TEST_CASE(TrainingAstraH100, "Two splits at a time take the times of astra-sim's H100")
{
    // HGX-H100-validated: 400 "GB/s", 936.25 ns to the switch and from it, 3350 GB/s, 4 splits.
    constexpr int64_t UNAWARE[] = {55222, 34908, 27810, 109668};
    constexpr int64_t AWARE[] = {57426, 44058, 28950, 114000};
    const AstraSystem system{"H100", 4, 3350};
    const char* rateText = "3435973836800bps";
    const double rate = std::ldexp(400, 30) / 1e9;
    const Time latency = PicoSeconds(1872500);
    for (uint32_t i = 0; i < 4; ++i)
    {
        const AstraRow row{ASTRA_COLLECTIVES[i], 8};
        const auto job = MakeAstraJob(8, row.what, row.GetBytes());
        const auto run = [&](const Ptr<MessagePlane>& plane) {
            return RunTrainingJob(plane, job, GetAstraSettings(system, 2))
                ->GetTime()
                .GetPicoSeconds();
        };
        const double messages = row.CountMessages();
        // The congestion-unaware network carries each message alone: two splits at a time, in two
        // turns, each message up to a nanosecond longer than astra-sim's whole ones.
        const int64_t alone =
            run(CreateObject<UnawarePlane>(8, DataRate(rateText), latency)) - 1000 * UNAWARE[i];
        NS_TEST_EXPECT_MSG_GT(alone, -1, "row " << i);
        NS_TEST_EXPECT_MSG_LT(alone, 1000 * 2 * int64_t{row.CountMessages()}, "row " << i);
        // On a switch, two splits share a port: the second one begins a message later. After that
        // they do not meet again.
        const int64_t time = run(MakeAstraSwitch(8, rateText, latency));
        const double size = 1000 * double(row.GetBytes() / 4 / 8) / rate;
        const double more = double(time) - 1000 * double(UNAWARE[i]) - size;
        NS_TEST_EXPECT_MSG_GT(more, -1000, "row " << i);
        NS_TEST_EXPECT_MSG_LT(more, 1000 * messages * 2 + 1000, "row " << i);
        // The aware one stores each message as a whole, of two splits at a time.
        NS_TEST_EXPECT_MSG_EQ_TOL(1000 * double(AWARE[i]) - 2 * messages * size,
                                  double(time),
                                  4000 * messages + 1000,
                                  "row " << i);
    }
}

ODCN_TEST_CASE(TrainingAstraCustomRing, "A ring of sends and receives takes astra-sim's 90,174 ns")
{
    TrainingProgram program;
    std::vector<uint32_t> last;
    for (uint32_t step = 0; step < 14; ++step)
    {
        last = {program.Add(MakeExchange(TrainingKind::SEND, 1, 131072), last)};
        last = {program.Add(MakeExchange(TrainingKind::RECEIVE, -1, 131072), last)};
        if (step < 7)
        {
            last = {program.Add(MakeComputation(MicroSeconds(7)), last)};
        }
    }
    // Rank 7 sends to rank 0 and so on.
    auto job = std::make_shared<TrainingJob>("custom", 8);
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        TrainingProgram own;
        for (TrainingProgram::Operation operation : program.GetOperations())
        {
            const auto after = program.GetAfter(operation);
            operation.peer += operation.peer == 1 && rank == 7    ? -8
                              : operation.peer == -1 && rank == 0 ? 8
                                                                  : 0;
            own.Add(operation, after);
        }
        job->AddProgram(own, std::vector<uint32_t>{rank});
    }
    const auto run =
        RunTrainingJob(MakeAstraRing(8, ASTRA_RATE, NanoSeconds(500)), job, "MessageOverhead=10ns");
    const int64_t more = run->GetTime().GetPicoSeconds() - 90174000;
    NS_TEST_EXPECT_MSG_GT(more, -1, "14 messages and 7 computations");
    NS_TEST_EXPECT_MSG_LT(more, 14000, "14 messages and 7 computations");
    NS_TEST_EXPECT_MSG_EQ(run->GetTimes().Get(TrainingTimes::COMPUTATION), MicroSeconds(49), "");
    NS_TEST_EXPECT_MSG_EQ(run->GetTimes().GetSum(), run->GetTime(), "");
}

ODCN_TEST_CASE(TrainingSymmetric, "One rank that stands for all takes the times of all")
{
    constexpr uint64_t BYTES = uint64_t{3} << 20;
    constexpr uint32_t RANKS = 12;
    for (const char* algorithm : {"ring", "direct"})
    {
        // Groups of 4 that follow each other, and of 3 across them.
        auto job = std::make_shared<TrainingJob>("symmetric", RANKS);
        job->AddCommunicator("TP", {{0, 1, 2, 3}, {5, 4, 7, 6}, {8, 9, 10, 11}});
        job->AddCommunicator("DP", {{0, 4, 8}, {1, 5, 9}, {2, 6, 10}, {3, 7, 11}});
        TrainingProgram program;
        std::vector<uint32_t> last;
        for (const TrainingCollective what : ASTRA_COLLECTIVES)
        {
            last = {program.Add(MakeComputation(MicroSeconds(7)), last)};
            TrainingProgram::Operation collective = MakeCollective(what, BYTES);
            last = {program.Add(collective, last)};
            collective.communicator = 1; // overlaps with the next computation
            program.Add(collective, last);
        }
        job->AddProgram(program, CountUp(RANKS));
        job->SetIterations(3);
        const std::string settings = "MessageOverhead=10ns|Splits=2|ReductionRate=800Gbps"
                                     "|AllToAll=direct|AllReduce=" +
                                     std::string(algorithm) + "|ReduceScatter=" + algorithm +
                                     "|AllGather=" + algorithm;
        for (const char* rounds : {"|RingRounds=0", "|RingRounds=2"})
        {
            const auto all = RunTrainingJob(MakeAstraSwitch(RANKS, ASTRA_RATE, NanoSeconds(500)),
                                            job,
                                            settings + rounds);
            const auto one = RunTrainingJob(MakeAstraSwitch(RANKS, ASTRA_RATE, NanoSeconds(500)),
                                            job,
                                            settings + rounds + "|Symmetric=true");
            NS_TEST_EXPECT_MSG_EQ(all->IsSymmetric(), false, algorithm);
            NS_TEST_EXPECT_MSG_EQ(one->IsSymmetric(), true, algorithm);
            NS_TEST_EXPECT_MSG_EQ(one->GetTime(), all->GetTime(), algorithm << rounds);
            NS_TEST_EXPECT_MSG_EQ((one->GetIterationEnds() == all->GetIterationEnds()),
                                  true,
                                  algorithm << rounds);
            NS_TEST_EXPECT_MSG_EQ(one->GetNMessages(), all->GetNMessages(), algorithm << rounds);
            NS_TEST_EXPECT_MSG_EQ(one->GetTimes().GetSum(), all->GetTime(), algorithm << rounds);
        }
    }
}

ODCN_TEST_CASE(TrainingNotSymmetric, "No rank stands for others that act at other times")
{
    const auto isSymmetric =
        [](const std::shared_ptr<TrainingJob>& job, const std::string& settings = "")
    {
        return RunTrainingJob(MakeAstraSwitch(4, ASTRA_RATE, NanoSeconds(500)),
                              job,
                              settings + "|Symmetric=true")
            ->IsSymmetric();
    };
    const auto reduce = [](uint64_t bytes)
    { return MakeAstraJob(4, TrainingCollective::ALL_REDUCE, bytes); };
    NS_TEST_EXPECT_MSG_EQ(isSymmetric(reduce(1000), "Splits=1"), true, "");
    NS_TEST_EXPECT_MSG_EQ(isSymmetric(reduce(1001), "Splits=1"), false, "unequal parts");
    NS_TEST_EXPECT_MSG_EQ(isSymmetric(reduce(1000), "Splits=3"), false, "unequal splits");
    NS_TEST_EXPECT_MSG_EQ(isSymmetric(reduce(1000), "AllReduce=halving-doubling"), false, "");
    NS_TEST_EXPECT_MSG_EQ(isSymmetric(reduce(1000), "Communications=2"), false, "");
    NS_TEST_EXPECT_MSG_EQ(isSymmetric(reduce(1000), "Splits=2|ActiveSplits=2"), false, "");
    NS_TEST_EXPECT_MSG_EQ(
        isSymmetric(reduce(1000), "Jitter=ns3::ConstantRandomVariable[Constant=1]"),
        false,
        "");
    auto groups = std::make_shared<TrainingJob>("groups", 4);
    groups->AddCommunicator("unequal", {{0, 1, 2}, {3}});
    TrainingProgram program;
    program.Add(MakeCollective(TrainingCollective::ALL_REDUCE, 1200));
    groups->AddProgram(program, CountUp(4));
    NS_TEST_EXPECT_MSG_EQ(isSymmetric(groups, "Splits=1"), false, "unequal groups");
}

ODCN_TEST_CASE(TrainingPaths, "The critical path of an iteration adds up to its time")
{
    // Rank 2 computes longest, so that all wait for its part of the all-reduce; rank 0 sends to
    // rank 1, which computes longest after that, while others go on.
    auto job = std::make_shared<TrainingJob>("path", 4);
    job->AddCommunicator("all", {CountUp(4)});
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        TrainingProgram program;
        const std::vector<uint32_t> computed{
            program.Add(MakeComputation(MicroSeconds(rank == 2 ? 90 : 10)), {}, "forward")};
        std::vector<uint32_t> last{
            program.Add(MakeCollective(TrainingCollective::ALL_REDUCE, 4000000), computed, "sum")};
        if (rank == 0)
        {
            last = {program.Add(MakeExchange(TrainingKind::SEND, 1, 1000000), last, "token")};
        }
        if (rank == 1)
        {
            last = {program.Add(MakeExchange(TrainingKind::RECEIVE, -1, 1000000), last)};
            program.Add(MakeComputation(MicroSeconds(50)), last, "backward");
        }
        job->AddProgram(program, std::vector<uint32_t>{rank});
    }
    job->SetIterations(4);
    const auto run = RunTrainingJob(MakeAstraSwitch(4, ASTRA_RATE, NanoSeconds(500)),
                                    job,
                                    "MessageOverhead=10ns|PathIterations=3");
    const std::vector<Time> ends = run->GetIterationEnds();
    const std::vector<TrainingPath> paths = run->GetPaths();
    NS_TEST_ASSERT_MSG_EQ(paths.size(), 3, "");
    for (uint32_t i = 0; i < 3; ++i)
    {
        Time at = i > 0 ? ends[i - 1] : Time(0);
        NS_TEST_EXPECT_MSG_EQ(paths[i].GetTimes().GetSum(), ends[i] - at, "iteration " << i);
        for (const TrainingStep& step : paths[i].GetSteps())
        {
            NS_TEST_EXPECT_MSG_EQ(step.begin, at, "iteration " << i);
            NS_TEST_EXPECT_MSG_EQ(step.times.GetSum(), step.end - step.begin, "iteration " << i);
            at = step.end;
        }
        NS_TEST_EXPECT_MSG_EQ(at, ends[i], "iteration " << i);
    }
    const std::vector<TrainingStep>& steps = paths[0].GetSteps();
    NS_TEST_ASSERT_MSG_EQ(steps.size(), 4, "");
    NS_TEST_EXPECT_MSG_EQ(steps[0].Describe(*job), "forward computation", "");
    NS_TEST_EXPECT_MSG_EQ(steps[0].rank, 2, "");
    NS_TEST_EXPECT_MSG_EQ(steps[0].times.Get(TrainingTimes::COMPUTATION), MicroSeconds(90), "");
    NS_TEST_EXPECT_MSG_EQ(steps[1].Describe(*job), "sum all-reduce", "");
    NS_TEST_EXPECT_MSG_EQ(steps[1].rank, 2, "the ring goes on from there");
    NS_TEST_EXPECT_MSG_EQ(steps[1].messages, 6, "");
    NS_TEST_EXPECT_MSG_EQ(steps[1].last, 0, "6 ranks further on");
    NS_TEST_EXPECT_MSG_EQ(steps[2].Describe(*job), "token send", "");
    NS_TEST_EXPECT_MSG_EQ(steps[2].rank, 0, "");
    NS_TEST_EXPECT_MSG_EQ(steps[2].last, 1, "");
    NS_TEST_EXPECT_MSG_EQ(steps[3].Describe(*job), "backward computation", "");
    // In the second one rank 2 has begun to compute before rank 1 has ended the first one.
    const TrainingStep& cut = paths[1].GetSteps().front();
    NS_TEST_EXPECT_MSG_EQ(cut.rank, 2, "");
    NS_TEST_EXPECT_MSG_LT(cut.times.Get(TrainingTimes::COMPUTATION), MicroSeconds(90), "");
    NS_TEST_EXPECT_MSG_GT(cut.times.Get(TrainingTimes::COMPUTATION), Time(0), "");
}

/// @param random draws
/// @return a job of six ranks with two random programs: computations on both units that often
/// follow each other, and collectives of all
std::shared_ptr<TrainingJob>
MakeRandomJob(const Ptr<UniformRandomVariable>& random)
{
    constexpr uint32_t OPERATIONS = 14;
    auto job = std::make_shared<TrainingJob>("random", 6);
    job->AddCommunicator("all", {CountUp(6)});
    std::vector<bool> isCollective;
    for (uint32_t i = 0; i < OPERATIONS; ++i)
    {
        isCollective.push_back(random->GetInteger(0, 4) == 0);
    }
    for (const auto& ranks : {std::vector<uint32_t>{0, 2, 5}, std::vector<uint32_t>{1, 3, 4}})
    {
        TrainingProgram program;
        for (uint32_t i = 0; i < OPERATIONS; ++i)
        {
            std::vector<uint32_t> after;
            for (uint32_t before = 0; before < i; ++before)
            {
                // The last ones more often, so that there are chains with and without side ways.
                const uint32_t odds = before + 1 == i ? 8 : i - before < 4 ? 2 : 0;
                if (random->GetInteger(0, 9) < odds)
                {
                    after.push_back(before);
                }
            }
            TrainingProgram::Operation operation =
                isCollective[i] ? MakeCollective(TrainingCollective::ALL_REDUCE, 60000)
                                : MakeComputation(PicoSeconds(random->GetInteger(0, 2000000)));
            operation.unit = random->GetInteger(0, 3) == 0 ? TrainingProgram::Unit::PROCESSOR
                                                           : TrainingProgram::Unit::ACCELERATOR;
            program.Add(operation, after);
        }
        job->AddProgram(program, ranks);
    }
    job->SetIterations(3);
    return job;
}

ODCN_TEST_CASE(TrainingChains, "Computations that are one event take the times of single ones")
{
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(7);
    for (uint32_t i = 0; i < 60; ++i)
    {
        const std::shared_ptr<TrainingJob> job = MakeRandomJob(random);
        const std::string settings =
            "Communications=14|PathIterations=3|Straggling=ns3::UniformRandomVariable[Max=2]";
        const auto run = [&](const std::string& more, int64_t stream)
        {
            return RunTrainingJob(MakeAstraSwitch(6, ASTRA_RATE, NanoSeconds(500)),
                                  job,
                                  settings + more,
                                  stream);
        };
        const Ptr<TrainingRun> chains = run("", 2);
        // With random times, each computation is an event of its own. Jitter has the first stream.
        const Ptr<TrainingRun> single = run("|Jitter=ns3::ConstantRandomVariable[Constant=1]", 1);
        NS_TEST_ASSERT_MSG_EQ(chains->IsDone(), true, "job " << i);
        NS_TEST_EXPECT_MSG_EQ(chains->GetTime(), single->GetTime(), "job " << i);
        NS_TEST_EXPECT_MSG_EQ((chains->GetIterationEnds() == single->GetIterationEnds()),
                              true,
                              "job " << i);
        for (uint32_t part = 0; part < TrainingTimes::N_PARTS; ++part)
        {
            const auto get = [&](const Ptr<TrainingRun>& of)
            { return of->GetTimes().Get(static_cast<TrainingTimes::Part>(part)); };
            NS_TEST_EXPECT_MSG_EQ(get(chains), get(single), "job " << i << ", part " << part);
        }
        const std::vector<TrainingPath> paths = chains->GetPaths();
        const std::vector<TrainingPath> expected = single->GetPaths();
        for (uint32_t iteration = 0; iteration < 3; ++iteration)
        {
            const std::vector<TrainingStep>& a = paths[iteration].GetSteps();
            const std::vector<TrainingStep>& b = expected[iteration].GetSteps();
            const bool isEqual =
                std::equal(a.begin(),
                           a.end(),
                           b.begin(),
                           b.end(),
                           [](const TrainingStep& x, const TrainingStep& y)
                           {
                               return std::tie(x.rank, x.last, x.operation, x.begin, x.end) ==
                                      std::tie(y.rank, y.last, y.operation, y.begin, y.end);
                           });
            NS_TEST_EXPECT_MSG_EQ(isEqual, true, "path of job " << i << ", " << iteration);
        }
    }
}

static PicosecondSuite g_trainingRunSuite("odcn-training-run");
