// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Growth of time and memory with size. A benchmark runs all its sizes in turn, several rounds, and
 * prints the median cost of each and "slope": the exponent of the power law through them, by least
 * squares over their logarithms. The greatest sizes are 256 racks and 128 servers in a rack; those
 * of Growth/, each in a process of its own for its peak of memory, are 2,048 racks and 8,192 ranks.
 *
 * The offered load is four fifths of the cores, as in the ODCN paper at load 66, and data centres
 * are in their steady state before measurement.
 */

#include "../optics/odcn-packet-paths.h"
#include "odcn-benchmark-kit.h"

#include "ns3/odcn-collective.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-packet-fabric.h"
#include "ns3/odcn-plane-run.h"

#include <array>
#include <iomanip>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::odcn;
using kit::Jobs;
using kit::Median;
using paths::CIRCUIT;
using paths::PACKET_BYTES;

namespace
{

/// The rule "computing capacity first".
constexpr const char* CCF = "ns3::odcn::OdcnCcfPolicy";

/// One size of a benchmark: does a piece of work and returns its cost per unit, in ns.
using Piece = std::function<double()>;

/// @return bytes allocated on the heap
double
HeapBytes()
{
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// @param work to be timed  @param units number of its units  @return its cost in ns per unit
template <typename F>
double
NsPerUnit(F work, double units)
{
    return 1e9 * kit::SecondsOf(work) / units;
}

/// @param sizes of a benchmark  @param costs at each  @return exponent of the power law
double
Slope(const std::vector<uint32_t>& sizes, const std::vector<double>& costs)
{
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    const auto n = static_cast<double>(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        const double a = std::log(sizes[i]);
        const double b = std::log(costs[i]);
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

/**
 * Run all sizes in turn and print the cost of each.
 * @param state its iterations are the rounds
 * @param sizes in ascending order
 * @param make prepares one size
 */
void
Scale(benchmark::State& state,
      const std::vector<uint32_t>& sizes,
      const std::function<Piece(uint32_t)>& make)
{
    auto pieces = ListOf<Piece>(sizes, [&](const uint32_t size) { return make(size); });
    std::vector<std::vector<double>> costs(sizes.size());
    for (auto _ : state)
    {
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            costs[i].push_back(pieces[i]());
        }
    }
    std::vector<double> medians;
    std::ostringstream label;
    label << std::fixed << std::setprecision(1);
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        medians.push_back(Median(costs[i]));
        label << (i ? ", " : "ns at ") << sizes[i] << ": " << medians.back();
    }
    state.SetLabel(label.str());
    state.counters["slope"] = Slope(sizes, medians);
}

// ---- job level
// -----------------------------------------------------------------------------------

/// @param racks |V|  @param servers of each  @return load that offers four fifths of the cores
double
Load(uint32_t racks, uint32_t servers)
{
    return 66.0 * racks * servers / (16 * 32);
}

/// @param racks |V|  @param servers of each  @param policy fills it  @return a data centre
Ptr<OdcnScheduling>
Busy(uint32_t racks, uint32_t servers, DecisionPolicy& policy)
{
    OdcnHelper helper = kit::Sized(racks, servers);
    helper.SetProblemAttribute("Alpha", DoubleValue(0));
    const double load = Load(racks, servers);
    auto problem = helper.CreateProblem(Jobs(load));
    problem->Reset();
    kit::Fill(*problem, 3 * load, policy);
    return problem;
}

/**
 * Run data centres of all sizes, in their steady state.
 * @param state its iterations are the rounds
 * @param sizes number of racks, or of servers of a rack
 * @param overRacks whether racks grow, not servers
 * @param rule fills them
 * @param piece of work of one, and its cost in ns per unit
 */
void
ScaleBusy(benchmark::State& state,
          const std::vector<uint32_t>& sizes,
          bool overRacks,
          const std::string& rule,
          const std::function<double(OdcnScheduling&, DecisionPolicy&)>& piece)
{
    Scale(state,
          sizes,
          [&](uint32_t size) -> Piece
          {
              auto policy = DecisionPolicy::Create(rule);
              auto problem = overRacks ? Busy(size, 32, *policy) : Busy(16, size, *policy);
              return [&piece, problem, policy]() { return piece(*problem, *policy); };
          });
}

/// A rule decides and the action is executed: ns per VM.
double
Decide(OdcnScheduling& problem, DecisionPolicy& policy)
{
    constexpr uint64_t JOBS = 200;
    uint64_t decisions = 0;
    const double ns = NsPerUnit(
        [&]()
        {
            for (const uint64_t n = problem.GetNJobs() + JOBS; problem.GetNJobs() < n; ++decisions)
            {
                problem.Act(policy.Decide(problem));
            }
        },
        1);
    std::vector<float> rewards;
    problem.TakeRewards(rewards);
    return ns / static_cast<double>(decisions);
}

/// State and mask for an agent.
double
Look(OdcnScheduling& problem, DecisionPolicy& policy)
{
    constexpr int LOOKS = 300;
    std::vector<float> seen(problem.GetObservationSize());
    std::vector<uint8_t> mask(problem.GetNActions());
    double ns = 0;
    for (int i = 0; i < LOOKS; ++i)
    {
        problem.Act(policy.Decide(problem));
        ns += NsPerUnit(
            [&]()
            {
                // The clock has a resolution of 1 us: repeat ten times.
                for (int k = 0; k < 10; ++k)
                {
                    problem.Observe(seen.data());
                    problem.Mask(mask.data());
                    benchmark::DoNotOptimize(seen.data());
                }
            },
            10 * LOOKS);
    }
    return ns;
}

/// Mean latency of the network by the closed form, once a job.
double
Latency(OdcnScheduling& problem, DecisionPolicy& policy)
{
    constexpr int JOBS = 100;
    double ns = 0;
    for (int i = 0; i < JOBS; ++i)
    {
        problem.RunJob(policy);
        const auto network = problem.GetManager()->GetNetwork();
        ns += NsPerUnit([&]() { benchmark::DoNotOptimize(network->GetMeanLatencyNs()); }, JOBS);
    }
    return ns;
}

/// A run of the given number of jobs, warm-up excluded; also the memory that remains allocated.
void
Run(benchmark::State& state, const std::vector<uint32_t>& jobs)
{
    double grown = 0;
    Scale(state,
          jobs,
          [&grown](uint32_t size) -> Piece
          {
              auto policy = DecisionPolicy::Create(CCF);
              auto problem = Busy(16, 32, *policy);
              return [problem, policy, size, &grown]()
              {
                  const double before = HeapBytes();
                  const double ns = NsPerUnit([&]() { kit::Fill(*problem, size, *policy); }, size);
                  grown = (HeapBytes() - before) / size;
                  return ns;
              };
          });
    state.counters["bytes/job"] = grown;
}

/// Memory of a data centre without packets.
void
LedgerMemory(benchmark::State& state)
{
    const auto racks = static_cast<uint32_t>(state.range(0));
    const auto servers = static_cast<uint32_t>(state.range(1));
    double perServer = 0;
    double perJob = 0;
    for (auto _ : state)
    {
        const OdcnHelper helper = kit::Sized(racks, servers);
        const double load = Load(racks, servers);
        const double nothing = HeapBytes();
        auto problem = helper.CreateProblem(Jobs(load));
        problem->Reset();
        const double empty = HeapBytes();
        kit::Fill(*problem, 3 * load, *DecisionPolicy::Create(CCF));
        perServer = (empty - nothing) / (racks * servers);
        perJob = (HeapBytes() - empty) / static_cast<double>(problem->GetManager()->GetNActive());
    }
    state.counters["bytes/server"] = perServer;
    state.counters["bytes/job"] = perJob;
}

/// @param racks |V|  @param servers of each  @return fabric, IP stacks and applications
OdcnScenario
Build(uint32_t racks, uint32_t servers)
{
    OdcnHelper helper = kit::Sized(racks, servers);
    auto problem = helper.CreateProblem(Jobs(66));
    problem->Reset();
    auto scenario = helper.Install(problem, DecisionPolicy::Create(CCF));
    OdcnHelper::AssignStreams(scenario, 1);
    return scenario;
}

/// ns-3's servers with IP stacks and applications. @param overRacks whether racks grow, not servers
void
BuildFabric(benchmark::State& state, const std::vector<uint32_t>& sizes, bool overRacks)
{
    Scale(state,
          sizes,
          [overRacks](uint32_t size) -> Piece
          {
              return [overRacks, size]()
              {
                  const uint32_t racks = overRacks ? size : 16;
                  const uint32_t servers = overRacks ? 1 : size;
                  // One ToR has |V| - 1 uplinks, which are the unit if racks grow.
                  const double ns = NsPerUnit([&]() { Build(racks, servers); },
                                              overRacks ? racks * (racks - 1) : racks * servers);
                  Simulator::Destroy();
                  return ns;
              };
          });
}

/// Memory of ns-3: servers with their stacks and applications, and flows.
void
FabricMemory(benchmark::State& state)
{
    const auto racks = static_cast<uint32_t>(state.range(0));
    const auto servers = static_cast<uint32_t>(state.range(1));
    double perServer = 0;
    double perUplink = 0;
    double perFlow = 0;
    UsePicoseconds();
    for (auto _ : state)
    {
        const double nothing = HeapBytes();
        Build(racks, 1);
        const double few = HeapBytes();
        Simulator::Destroy();
        const double again = HeapBytes();
        auto scenario = Build(racks, servers);
        const double many = HeapBytes();
        perServer = (many - again - (few - nothing)) / (racks * (servers - 1));
        perUplink = (few - nothing - perServer * racks) / (racks * (racks - 1));

        // Their first packets wait in the event list.
        constexpr uint32_t FLOWS = 20;
        for (const auto& flow : scenario.flows)
        {
            flow->Initialize();
        }
        Simulator::Stop(Time(1));
        Simulator::Run();
        const double silent = HeapBytes();
        for (const auto& flow : scenario.flows)
        {
            for (uint32_t i = 0; i < FLOWS; ++i)
            {
                flow->AddFlow(i, scenario.fabric->GetServerAddress(0, 0), 7'000'000'000);
            }
        }
        perFlow = (HeapBytes() - silent) / static_cast<double>(FLOWS * scenario.flows.size());
        scenario = {};
        Simulator::Destroy();
    }
    state.counters["bytes/server"] = perServer;
    state.counters["bytes/uplink"] = perUplink;
    state.counters["bytes/flow"] = perFlow;
}

/// Packets in ns-3, each pair of servers with its own flow and circuit.
void
Ns3Flows(benchmark::State& state, const std::vector<uint32_t>& sizes)
{
    Scale(state,
          sizes,
          [](uint32_t size) -> Piece
          {
              return [size]()
              {
                  double ns = 0;
                  const auto meter = [&ns](auto&& run) { ns = NsPerUnit(run, 1); };
                  const uint64_t received =
                      paths::Run(paths::Wire::OPTICAL, paths::Load::SOCKETS, size, 20000, meter);
                  return ns / static_cast<double>(received);
              };
          });
}

/// The circuits of the engine's fabric. @param racks |V|  @return all-to-all
std::vector<OdcnCircuitChange>
AllToAll(uint32_t racks)
{
    const OdcnCircuitLedger circuits(racks, racks - 1, 1, CIRCUIT);
    std::vector<OdcnCircuitChange> changes;
    for (RackId u = 0; u < racks; ++u)
    {
        for (uint32_t p = 0; p < racks - 1; ++p)
        {
            const auto& end = circuits.GetOut(u, p);
            changes.push_back({u, p, NO_RACK, 0, end.rack, end.port});
        }
    }
    return changes;
}

/// Counts packets.
struct Counter : public OdcnPacketSink
{
    void Take(uint32_t, std::span<const PacketFate> fates) override
    {
        packets += static_cast<double>(fates.size());
    }

    double packets{0}; //!< number so far
};

/// Packets of the whole fabric in the exact engine, with the same circuit load for any size.
void
EngineFlows(benchmark::State& state, const std::vector<uint32_t>& sizes)
{
    constexpr uint32_t RACKS = 16;
    constexpr uint32_t SERVERS = 32;
    Scale(state,
          sizes,
          [](uint32_t size) -> Piece
          {
              FabricModel model;
              model.racks = RACKS;
              model.serversPerRack = SERVERS;
              model.uplinks = RACKS - 1;
              auto fabric = std::make_shared<PacketFabric>(model);
              fabric->AssignStreams(1);
              fabric->Preset(AllToAll(RACKS));
              const uint32_t each = size / (RACKS * (RACKS - 1));
              std::vector<PacketFlow> flows;
              ForPairs(RACKS,
                       [&](RackId u, RackId v)
                       {
                           for (uint32_t i = 0; u != v && i < each; ++i)
                           {
                               // Flows are spread over servers, so that none is overloaded.
                               const ServerId from = u * SERVERS + (v * each + i) % SERVERS;
                               const ServerId to = v * SERVERS + (u * each + i) % SERVERS;
                               const double gap = 8e12 * PACKET_BYTES * each / (0.5 * CIRCUIT);
                               flows.push_back({from, to, gap, PACKET_BYTES, 0});
                           }
                       });
              // A run begins when all packets of the previous one have arrived.
              auto now = std::make_shared<int64_t>(0);
              return [fabric, flows, now]()
              {
                  constexpr int64_t LENGTH = 100'000'000;
                  Counter counter;
                  const auto run = [&]()
                  { *now = fabric->Run(*now, *now + LENGTH, flows, counter) + 1; };
                  return NsPerUnit(run, 1) / counter.packets;
              };
          });
}

// ---- whole runs of networks
// -----------------------------------------------------------------------------------

/// Work that has been prepared, to be timed. It returns how many units of it have been done.
using Work = std::function<double()>;

/// What a run has cost.
struct Cost
{
    double seconds{0};   //!< processor time
    double megabytes{0}; //!< peak of memory above that before, preparation included
    double units{0};     //!< of work
};

/// @param prepare makes work, which is done in a process of its own
/// @return its cost; 0 units if it has failed
Cost
CostOf(const std::function<Work()>& prepare)
{
    const auto peak = []
    {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return 1.024e-3 * static_cast<double>(usage.ru_maxrss);
    };
    Cost cost;
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
    {
        return cost;
    }
    const pid_t child = fork();
    if (child == 0)
    {
        const double before = peak();
        try
        {
            const Work work = prepare();
            cost.seconds = kit::SecondsOf([&] { cost.units = work(); });
            cost.megabytes = peak() - before;
            const bool isWritten = write(ends[1], &cost, sizeof(cost)) == sizeof(cost);
            _exit(isWritten ? 0 : 1);
        }
        catch (const std::exception& error)
        {
            std::cerr << error.what() << "\n";
            _exit(1);
        }
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &cost, sizeof(cost)) != sizeof(cost))
    {
        cost = {};
    }
    close(ends[0]);
    if (child > 0)
    {
        waitpid(child, nullptr, 0);
    }
    return cost;
}

/**
 * Run all sizes, and print what each has cost, and the exponents of time and memory by unit.
 * @param state its iterations are the rounds
 * @param sizes in ascending order
 * @param prepare makes the work of a size
 */
void
Grow(benchmark::State& state, const std::vector<uint32_t>& sizes, Work (*prepare)(uint32_t size))
{
    UsePicoseconds();
    std::vector<std::vector<double>> seconds(sizes.size());
    std::vector<std::vector<double>> megabytes(sizes.size());
    std::vector<double> units(sizes.size());
    for (auto _ : state)
    {
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            const Cost cost = CostOf([&] { return prepare(sizes[i]); });
            if (cost.units == 0)
            {
                state.SkipWithError("a run has failed");
                return;
            }
            seconds[i].push_back(cost.seconds);
            megabytes[i].push_back(cost.megabytes);
            units[i] = cost.units;
        }
    }
    std::vector<double> times;
    std::vector<double> memory;
    std::ostringstream label;
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        times.push_back(Median(seconds[i]) / units[i]);
        memory.push_back(Median(megabytes[i]) / units[i]);
        label << (i ? ", " : "") << sizes[i] << ": " << std::setprecision(3) << Median(seconds[i])
              << " s " << std::setprecision(4) << Median(megabytes[i]) << " MB";
        if (units[i] > 1)
        {
            label << " " << std::setprecision(4) << 1e9 * times.back() << " ns each";
        }
    }
    state.SetLabel(label.str());
    state.counters["time_slope"] = Slope(sizes, times);
    state.counters["memory_slope"] = Slope(sizes, memory);
}

/// @param racks of an Opera fabric with 8 uplinks each
/// @return one: build it and run it until its first message has arrived
Work
StartOpera(uint32_t racks)
{
    return [racks]
    {
        FabricSize size;
        size.racks = racks;
        size.servers = 1;
        size.uplinks = 8;
        const FabricDesignHelper helper;
        const FabricDesign design = FabricDesign::Find("opera", size);
        const Ptr<FabricNetwork> network = helper.Build(design);
        const Ptr<MessagePlane> plane =
            helper.MakePlane(network,
                             FabricEngine::PACKETS,
                             FabricDesignHelper::MakeHosts(design, 100000));
        // A short one does not wait for a circuit of its own.
        plane->Send(0, racks - 1, 1000, [](const Message&) { Simulator::Stop(); });
        Simulator::Run();
        return 1.0;
    };
}

/// @param name of a collective of 1 kB a rank and peer
/// @param ranks its size, below one switch
/// @return its messages, steps without bytes included: build the switch and run it
Work
RunFluid(const std::string& name, uint32_t ranks)
{
    return [name, ranks]
    {
        FabricSize size;
        size.racks = ranks / 16;
        size.servers = 16;
        size.uplinks = 16;
        const FabricDesignHelper helper;
        const Ptr<FabricNetwork> network = helper.Build(FabricDesign::Find("ideal", size));
        const Ptr<MessagePlane> plane = helper.MakePlane(network, FabricEngine::FLOWS);
        const auto run =
            plane->Send(Collective::Make(name, ranks, 1000 * uint64_t(ranks)).GetMessages());
        Simulator::Run();
        if (plane->CountMessages().inFlight > 0)
        {
            throw OdcnError(plane->DescribeInFlight());
        }
        return double(run->CountReceived());
    };
}

/// @param name of a design
/// @param size its size, with lines of 100 Gb/s
/// @return packets of a permutation of its servers by credits, all at once, in the exact engine
Work
RunCredits(const std::string& name, FabricSize size)
{
    // Of all flows, so that small networks run long enough to be measured.
    constexpr uint64_t BYTES = 500'000'000;
    size.gbps = 100;
    const FabricDesign design = FabricDesign::Find(name, size);
    const uint32_t hosts = size.racks * size.servers;
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    const DemandMatrix demand = DemandMatrix::Make("permutation", hosts, random);
    Traffic flows;
    for (ServerId from = 0; from < hosts; ++from)
    {
        for (ServerId to = 0; to < hosts; ++to)
        {
            if (demand.Get(from, to) > 0)
            {
                flows.Add({from, to, BYTES / hosts, Time(0)});
            }
        }
    }
    auto settings = design.MakeSettings(0);
    settings.repair = FlowApplication::NACK;
    settings.window = 64;
    const auto schedule = design.IsElectrical() ? nullptr : design.MakeSchedule(DemandMatrix(), 1);
    const std::shared_ptr<ExactPackets> engine =
        FabricDesignHelper().MakeExact(design, schedule, settings, 1);
    engine->AssignStreams(1);
    return [engine, flows]
    {
        const ExactPackets::Result result = engine->Run(flows, Seconds(10));
        if (!result.stages.empty())
        {
            throw OdcnError("flows are not complete within 10 s");
        }
        return double(result.counts.sent);
    };
}

/// @param servers of a fat tree, k^3 / 4 for switches with k ports
/// @return the work of credits in it
Work
RunFatTree(uint32_t servers)
{
    const auto half = static_cast<uint32_t>(std::lround(std::cbrt(servers / 2.0))); // k / 2
    FabricSize size;
    size.racks = 2 * half * half;
    size.servers = half;
    size.uplinks = half;
    return RunCredits("fat-tree", size);
}

/// @param racks of 4 servers with 8 uplinks each, whose circuits do not change
/// @return the work of credits over them
Work
RunExpander(uint32_t racks)
{
    FabricSize size;
    size.racks = racks;
    size.servers = 4;
    size.uplinks = 8;
    return RunCredits("expander", size);
}

/**
 * @param name of a benchmark
 * @param rounds number of rounds
 * @param function to run
 * @param more its further arguments
 */
template <typename F, typename... Args>
void
Add(const std::string& name, int rounds, F function, Args... more)
{
    benchmark::RegisterBenchmark(("Scaling/" + name).c_str(),
                                 [=](benchmark::State& state) { function(state, more...); })
        ->Iterations(rounds);
}

/// Names contain the quantity that grows.
const bool REGISTERED = []
{
    const std::vector<uint32_t> racks{16, 32, 64, 128, 256};
    const std::vector<uint32_t> servers{32, 64, 128, 256, 512};
    Add("racks/ccf", 5, ScaleBusy, racks, true, CCF, Decide);
    Add("racks/best_fit", 5, ScaleBusy, racks, true, "ns3::odcn::OdcnBestFitPolicy", Decide);
    Add("racks/state", 5, ScaleBusy, racks, true, CCF, Look);
    Add("racks/latency", 5, ScaleBusy, racks, true, CCF, Latency);
    Add("servers/ccf", 5, ScaleBusy, servers, false, CCF, Decide);
    Add("servers/state", 5, ScaleBusy, servers, false, CCF, Look);
    Add("jobs/ccf", 1, Run, std::vector<uint32_t>{10000, 100000, 1000000});
    Add("racks/build_uplinks", 3, BuildFabric, racks, true);
    Add("servers/build", 3, BuildFabric, servers, false);
    Add("flows/ns3", 5, Ns3Flows, std::vector<uint32_t>{1, 4, 16, 64, 256, 1024});
    Add("flows/engine", 5, EngineFlows, std::vector<uint32_t>{240, 960, 3840, 15360, 61440});
    const auto grow =
        [](const std::string& name, std::vector<uint32_t> sizes, Work (*prepare)(uint32_t))
    {
        benchmark::RegisterBenchmark(("Growth/" + name).c_str(),
                                     [=](benchmark::State& state) { Grow(state, sizes, prepare); })
            ->Iterations(1);
    };
    grow("racks/opera", {16, 32, 64, 128, 256, 512, 1024, 2048}, StartOpera);
    grow("servers/fat_tree", {16, 54, 128, 250, 432, 686, 1024}, RunFatTree);
    grow("racks/expander", {16, 32, 64, 128, 256}, RunExpander);
    grow("ranks/all_to_all",
         {256, 512, 1024, 2048},
         [](uint32_t ranks) { return RunFluid("all-to-all:direct", ranks); });
    grow("ranks/halving_doubling",
         {256, 512, 1024, 2048, 4096, 8192},
         [](uint32_t ranks) { return RunFluid("all-reduce:halving-doubling", ranks); });
    for (const auto& [name, function] :
         {std::pair("Memory/ledgers", &LedgerMemory), std::pair("Memory/ns3", &FabricMemory)})
    {
        auto* one = benchmark::RegisterBenchmark(name, function)->Iterations(1);
        one->Args({16, 32})->Args({64, 128})->Args({256, 128});
    }
    return true;
}();

} // namespace
