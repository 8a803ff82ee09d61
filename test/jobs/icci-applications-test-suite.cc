// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Rings and migrations in packets, compared with computed times.
 */

#include "../core/odcn-test-case.h"

#include "ns3/icci-bulk-migration-application.h"
#include "ns3/icci-ring-all-reduce-application.h"
#include "ns3/ipv4-address.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-helper.h"
#include "ns3/otn-mesh.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr uint64_t SEGMENT = 8948;         // bytes of a packet of 9000
constexpr double PACKET_US = 0.72;         // 9000 bytes at 100 Gb/s
constexpr double HOP_US = PACKET_US + .05; // and 10 m

/// @param time any  @return time in us
double
Us(Time time)
{
    return time.GetSeconds() * 1e6;
}

/// Centres of 16 GPUs at the corners of a triangle, a lightpath between the first two.
class IcciWorld
{
  public:
    /// @param centres number with GPUs, 1 or 2  @param wavelengths of the lightpath
    explicit IcciWorld(uint32_t centres, uint32_t wavelengths = 1)
    {
        auto helper = PacketNetworkHelper::ForCentres();
        helper.SetServerFiberAttribute("Delay", TimeValue(NanoSeconds(50)));
        helper.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(50)));
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("20000p"));
        helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("20000p"));
        NodeContainer gateways;
        for (uint32_t c = 0; c < centres; ++c)
        {
            trees.push_back(helper.BuildCentre(c, 16));
            helper.InstallServers(trees.back());
            gateways.Add(trees.back()->GetGatewayNode());
        }
        if (centres == 2)
        {
            gateways.Create(1);
            // 20 km directly, 25 + 30 km by the detour.
            const std::vector<OtnSite> sites{{"a"}, {"b"}, {"c"}};
            const std::vector<OtnLink> links{{0, 1, 20}, {0, 2, 25}, {1, 2, 30}};
            OtnHelper otnHelper;
            otnHelper.SetTransponderQueue("ns3::DropTailQueue", QueueSize("20000p"));
            otn = otnHelper.Build(std::make_shared<OtnMesh>(sites, links), gateways);
            control = CreateObject<OtnController>();
            control->SetNetwork(otn);
            PacketNetwork::Connect(trees[0], trees[1], control->SetUp(0, 1, wavelengths));
        }
    }

    ~IcciWorld()
    {
        Simulator::Destroy();
        for (const auto& tree : trees)
        {
            tree->Dispose();
        }
        if (control)
        {
            control->Dispose();
            otn->Dispose();
        }
    }

    /// A host of a centre.
    struct Place
    {
        uint32_t centre; //!< which centre
        uint32_t host;   //!< which host
    };

    /// @param place a host  @return its address
    Ipv4Address GetAddress(const Place& place) const
    {
        return trees[place.centre]->GetServerAddress(place.host);
    }

    /// @param place a host  @return its node
    Ptr<Node> GetNode(const Place& place) const
    {
        return trees[place.centre]->GetServer(place.host);
    }

    /**
     * Start workers at 20 ms.
     * @param places of workers
     * @param chunk bytes of a message
     * @param iterations their number
     * @param scale share of the bytes that is sent
     * @param port of the ring
     * @return the workers
     */
    std::vector<Ptr<RingAllReduceApplication>> AddRing(const std::vector<Place>& places,
                                                       uint64_t chunk,
                                                       uint32_t iterations,
                                                       double scale = 1,
                                                       uint16_t port = 49200)
    {
        std::vector<Ptr<RingAllReduceApplication>> workers;
        for (std::size_t i = 0; i < places.size(); ++i)
        {
            workers.push_back(AddWorker(places[i],
                                        places[(i + 1) % places.size()],
                                        places.size(),
                                        chunk,
                                        iterations,
                                        scale,
                                        port));
        }
        return workers;
    }

    /// @param place host  @param next its successor  @param workers N  @param chunk bytes
    /// @param iterations their number  @param scale of bytes  @param port of the ring  @return it
    Ptr<RingAllReduceApplication> AddWorker(const Place& place,
                                            const Place& next,
                                            std::size_t workers,
                                            uint64_t chunk,
                                            uint32_t iterations,
                                            double scale,
                                            uint16_t port)
    {
        auto worker = CreateObject<RingAllReduceApplication>();
        worker->SetAttribute("Next", Ipv4AddressValue(GetAddress(next)));
        worker->SetAttribute("Workers", UintegerValue(workers));
        worker->SetAttribute("Bytes", UintegerValue(chunk * workers));
        worker->SetAttribute("Scale", DoubleValue(scale));
        worker->SetAttribute("Iterations", UintegerValue(iterations));
        worker->SetAttribute("ComputeTime", TimeValue(MilliSeconds(5)));
        worker->SetAttribute("Port", UintegerValue(port));
        Record(worker, "Iteration", this->iterations);
        GetNode(place)->AddApplication(worker);
        worker->SetStartTime(std::max(MilliSeconds(20) - Simulator::Now(), Time(0)));
        return worker;
    }

    /**
     * Two places of a worker, from 20 ms on.
     * @param from old place
     * @param to new place
     * @param bytes of the worker
     * @param scale share of the bytes that is sent
     * @return the application at the old place, and the one at the new place
     */
    std::pair<Ptr<BulkMigrationApplication>, Ptr<BulkMigrationApplication>> AddMigration(
        const Place& from,
        const Place& to,
        uint64_t bytes,
        double scale = 1)
    {
        auto source = CreateObject<BulkMigrationApplication>();
        source->SetAttribute("Peer", Ipv4AddressValue(GetAddress(to)));
        source->SetAttribute("Data", UintegerValue(bytes / 2));
        source->SetAttribute("Parameters", UintegerValue(bytes - bytes / 2));
        source->SetAttribute("Scale", DoubleValue(scale));
        Record(source, "Done", done);
        Record(source, "Abandoned", abandoned);
        auto target = CreateObject<BulkMigrationApplication>();
        GetNode(from)->AddApplication(source);
        GetNode(to)->AddApplication(target);
        source->SetStartTime(MilliSeconds(20));
        target->SetStartTime(MilliSeconds(20));
        return {source, target};
    }

    /// @param ms end of the run, ms
    static void RunUntil(double ms)
    {
        RunFor(NanoSeconds(static_cast<uint64_t>(std::llround(ms * 1e6))) - Simulator::Now());
    }

    /// @return packets unaccounted for: sent - received - lost - in flight, invariant 0
    int64_t CountMissing() const
    {
        int64_t missing = 0;
        for (const auto& tree : trees)
        {
            const auto c = tree->Count();
            missing += static_cast<int64_t>(c.sent - c.received - c.inFlight - c.dropped.Total());
        }
        if (otn)
        {
            const auto c = otn->Count();
            missing -= static_cast<int64_t>(c.inFlight + c.dropped.Total());
        }
        return missing;
    }

    std::vector<Ptr<PacketNetwork>> trees; //!< centres
    Ptr<OtnNetwork> otn;                   //!< between them
    Ptr<OtnController> control;            //!< controls the mesh
    std::vector<RingIteration> iterations; //!< of all workers
    std::vector<BulkMigration> done;       //!< migrations done
    std::vector<BulkMigration> abandoned;  //!< migrations abandoned
};

/// 2 (N - 1) / N P / B plus latencies.
ODCN_TEST_CASE(RingTestCase, "an all-reduce on an idle network takes what the textbook says")
{
    for (uint32_t n : {2U, 3U, 4U})
    {
        IcciWorld world(1);
        // One worker in each pod, so that no two share a link.
        auto places = ListOf<IcciWorld::Place>(n,
                                               [&](uint32_t i) {
                                                   return IcciWorld::Place{0, 4 * i};
                                               });
        constexpr uint64_t SEGMENTS = 200;
        world.AddRing(places, SEGMENTS * SEGMENT, 3);
        IcciWorld::RunUntil(100);
        NS_TEST_EXPECT_MSG_EQ(world.iterations.size(), 3 * n, "iterations");
        const double step = SEGMENTS * PACKET_US + 6 * HOP_US - PACKET_US;
        for (const auto& iteration : world.iterations)
        {
            const double measured = Us(iteration.GetCommunication());
            NS_TEST_EXPECT_MSG_EQ_TOL(measured / (2 * (n - 1) * step), 1, 0.01, n << " workers");
            NS_TEST_EXPECT_MSG_EQ(iteration.computed - iteration.begun,
                                  MilliSeconds(5),
                                  "computing");
            NS_TEST_EXPECT_MSG_EQ(iteration.GetUnscaled(), iteration.GetCommunication(), "all");
        }
        NS_TEST_EXPECT_MSG_EQ(world.CountMissing(), 0, "conserved");
        NS_TEST_EXPECT_MSG_EQ(world.trees[0]->Count().dropped.Total(), 0, "none lost");
    }
}

/// A share of the bytes predicts the time of all.
ODCN_TEST_CASE(ScaleTestCase, "the unscaled time of a scaled ring is that of an unscaled ring")
{
    constexpr uint64_t CHUNK = 1300 * SEGMENT;
    double measured = 0;
    double derived = 0;
    for (double scale : {1.0, 0.05})
    {
        IcciWorld world(2);
        world.AddRing({{0, 0}, {1, 0}}, CHUNK, 1, scale);
        IcciWorld::RunUntil(60);
        NS_TEST_ASSERT_MSG_EQ(world.iterations.size(), 2, "done");
        const auto& iteration = world.iterations[0];
        (scale == 1 ? measured : derived) = Us(iteration.GetUnscaled());
        if (scale < 1)
        {
            NS_TEST_EXPECT_MSG_LT(Us(iteration.GetCommunication()), measured / 2, "faster");
        }
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(derived / measured, 1, 0.01, "as long");
}

/// Messages of 14 packets where 16 are needed (15 with that of the header), and of 17.
ODCN_TEST_CASE(FewPacketsTestCase, "times are not extrapolated from a few packets")
{
    for (const uint32_t packets : {14, 17})
    {
        const bool few = packets < 16;
        {
            IcciWorld world(1);
            world.AddRing({{0, 0}, {0, 4}}, 100 * SEGMENT, 1, packets * 0.01);
            const std::string text = GetRefusal([] { IcciWorld::RunUntil(60); });
            const bool refused = text.find("RingAllReduceApplication::Scale") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(refused, few, text);
        }
        IcciWorld world(1);
        const auto source = world.AddMigration({0, 0}, {0, 4}, 100 * SEGMENT, packets * 0.01).first;
        IcciWorld::RunUntil(30);
        const std::string text = GetRefusal([&] { source->Migrate(); });
        NS_TEST_EXPECT_MSG_EQ((text.find("16 packets, not 15") != std::string::npos), few, text);
        NS_TEST_EXPECT_MSG_EQ(
            source->GetState(),
            (few ? BulkMigrationApplication::HERE : BulkMigrationApplication::MOVING),
            "refused before any change");
    }
}

/// Two rings over one wavelength.
ODCN_TEST_CASE(SharedTestCase, "a shared fibre slows both rings as arithmetic says")
{
    constexpr uint64_t SEGMENTS = 400;
    double times[2] = {0, 0};
    double latency = 0;
    for (uint32_t rings : {1U, 2U})
    {
        IcciWorld world(2);
        world.AddRing({{0, 0}, {1, 0}}, SEGMENTS * SEGMENT, 2);
        if (rings == 2)
        {
            world.AddRing({{0, 8}, {1, 8}}, SEGMENTS * SEGMENT, 2, 1, 49201);
        }
        IcciWorld::RunUntil(60);
        NS_TEST_EXPECT_MSG_EQ(world.iterations.size(), 4 * rings, "iterations");
        for (const auto& iteration : world.iterations)
        {
            times[rings - 1] = std::max(times[rings - 1], Us(iteration.GetCommunication()));
        }
        latency = 2 * (8 * HOP_US + 300);
        NS_TEST_EXPECT_MSG_EQ(world.CountMissing(), 0, "conserved");
        NS_TEST_EXPECT_MSG_EQ(world.otn->Count().dropped.Total(), 0, "none lost");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(times[0] / (latency + 2 * SEGMENTS * PACKET_US), 1, 0.01, "alone");
    NS_TEST_EXPECT_MSG_EQ_TOL(times[1] / (latency + 4 * SEGMENTS * PACKET_US),
                              1,
                              0.01,
                              "with another");
}

/// Downtime compared with Eq. 16.
ODCN_TEST_CASE(MigrationTestCase,
               "downtime is transfer, propagation, O-E-O and the switch of the GPU")
{
    IcciWorld world(2);
    // 100 GB, of which 1 in 10,000 is sent.
    const auto [source, target] = world.AddMigration({0, 0}, {1, 0}, 100000000000, 1e-4);
    Simulator::Schedule(MilliSeconds(30), &BulkMigrationApplication::Migrate, source);
    IcciWorld::RunUntil(29);
    NS_TEST_EXPECT_MSG_EQ(source->GetState(), BulkMigrationApplication::HERE, "here");
    IcciWorld::RunUntil(31);
    NS_TEST_EXPECT_MSG_EQ(source->GetState(), BulkMigrationApplication::MOVING, "moving");
    NS_TEST_EXPECT_MSG_EQ(source->Migrate(), false, "once only");
    IcciWorld::RunUntil(100);
    NS_TEST_EXPECT_MSG_EQ(source->GetState(), BulkMigrationApplication::MOVED, "moved");
    NS_TEST_EXPECT_MSG_EQ(source->Migrate(), false, "gone");
    NS_TEST_EXPECT_MSG_EQ(target->GetResumed(), 1, "works there");
    NS_TEST_ASSERT_MSG_EQ(world.done.size(), 1, "once");
    NS_TEST_EXPECT_MSG_EQ(world.abandoned.size(), 0, "never");
    const auto& migration = world.done[0];
    NS_TEST_EXPECT_MSG_EQ(migration.bytes, 10000000, "scaled");
    const double packets = 1e7 / SEGMENT;
    const double fixed = 8 * HOP_US + 300 + 50000;
    NS_TEST_EXPECT_MSG_EQ_TOL(Us(migration.GetDowntime() - MilliSeconds(50)) /
                                  (packets * PACKET_US + fixed - 50000),
                              1,
                              0.01,
                              "measured");
    // Eq. 16 with the payload's share of the line.
    const double eq16 = 1e11 * 8 / (100e9 * SEGMENT / 9000) + fixed * 1e-6;
    NS_TEST_EXPECT_MSG_EQ_TOL(migration.GetUnscaled().GetSeconds() / eq16, 1, 0.01, "Eq. 16");
    NS_TEST_EXPECT_MSG_EQ(world.CountMissing(), 0, "conserved");
}

/// A fibre is cut during a migration, while a ring continues.
ODCN_TEST_CASES(CutTestCase,
                bool,
                std::string("a cut in the middle of a migration, ") +
                    (parameter ? "restored" : "abandoned, and tried again"),
                true,
                false)
{
    const bool restored = parameter; // whether the controller reroutes the lightpath
    IcciWorld world(2);
    world.control->SetAttribute("Restoration", BooleanValue(restored));
    // The task: a ring of two centres, whose worker at (0, 0) is to move.
    const auto ring = world.AddRing({{0, 0}, {0, 5}, {1, 10}}, 20 * SEGMENT, 0);
    const auto [source, target] = world.AddMigration({0, 0}, {1, 0}, 3300 * SEGMENT);
    source->SetAttribute("Timeout", TimeValue(MilliSeconds(150)));
    for (const auto& worker : ring)
    {
        Simulator::Schedule(MilliSeconds(40), &RingAllReduceApplication::Pause, worker);
    }
    IcciWorld::RunUntil(60);
    for (const auto& worker : ring)
    {
        NS_TEST_EXPECT_MSG_EQ(worker->IsPaused(), true, "between two iterations");
    }
    const std::size_t before = world.iterations.size();
    NS_TEST_EXPECT_MSG_GT(before, 0, "it had worked");
    NS_TEST_EXPECT_MSG_EQ(before, 3 * ring[0]->GetIterations(), "all alike");
    // 2.4 ms of transfer: the cut is in its middle.
    source->Migrate();
    Simulator::Schedule(MicroSeconds(1500), &OtnNetwork::CutLink, world.otn, 0);
    IcciWorld::RunUntil(62);
    NS_TEST_EXPECT_MSG_GT(world.otn->Count().dropped[OcsDropCause::FIBER_CUT], 0, "cut");
    NS_TEST_EXPECT_MSG_EQ(world.CountMissing(), 0, "conserved");
    IcciWorld::RunUntil(400);
    if (!restored)
    {
        NS_TEST_ASSERT_MSG_EQ(world.abandoned.size(), 1, "abandoned");
        NS_TEST_EXPECT_MSG_EQ(world.done.size(), 0, "not done");
        NS_TEST_EXPECT_MSG_EQ(target->GetResumed(), 0, "not there");
        NS_TEST_EXPECT_MSG_EQ(source->GetState(), BulkMigrationApplication::HERE, "here");
        NS_TEST_EXPECT_MSG_EQ(world.abandoned[0].done - world.abandoned[0].begun,
                              MilliSeconds(150),
                              "by the timeout");
        // The task continues in the old place, as soon as the fibre is repaired.
        for (const auto& worker : ring)
        {
            worker->Resume();
        }
        world.otn->RepairLink(0);
        IcciWorld::RunUntil(600);
        NS_TEST_EXPECT_MSG_GT(ring[0]->GetIterations(), before / 3 + 3, "it works");
        for (const auto& worker : ring)
        {
            worker->Pause();
        }
        IcciWorld::RunUntil(620);
        source->Migrate();
        IcciWorld::RunUntil(1000);
    }
    NS_TEST_ASSERT_MSG_EQ(world.done.size(), 1, "done, once");
    NS_TEST_EXPECT_MSG_EQ(world.abandoned.size(), (restored ? 0U : 1U), "abandoned");
    NS_TEST_EXPECT_MSG_EQ(target->GetResumed(), 1, "works there, once");
    NS_TEST_EXPECT_MSG_EQ(world.otn->Count().dropped[OcsDropCause::QUEUE_OVERFLOW], 0, "why");
    // The ring includes the new place, and continues.
    const uint32_t iterations = ring[0]->GetIterations();
    const auto moved = world.AddWorker({1, 0}, {0, 5}, 3, 20 * SEGMENT, 0, 1, 49200);
    moved->SetAttribute("First", UintegerValue(iterations));
    ring[2]->SetNext(world.GetAddress({1, 0}));
    ring[0]->Leave();
    ring[1]->Resume();
    ring[2]->Resume();
    const double now = Simulator::Now().GetSeconds() * 1000;
    IcciWorld::RunUntil(now + 60);
    NS_TEST_EXPECT_MSG_GT(moved->GetIterations(), iterations + 3, "it goes on");
    NS_TEST_EXPECT_MSG_EQ(ring[0]->GetIterations(), iterations, "not at the old place");
    NS_TEST_EXPECT_MSG_EQ(world.CountMissing(), 0, "conserved");
}

/// Rings and migrations.
PicosecondSuite g_icciApplicationsTestSuite("icci-applications");

} // namespace
