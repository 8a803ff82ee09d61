// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Objects may be dropped and disposed of at any time: before and during a run, and by sinks of
 * their own traces. Under AddressSanitizer (.ci/nightly sanitizers) a use of freed memory is an
 * error; elsewhere it may go unseen.
 */

#include "../core/odcn-test-case.h"
#include "../optics/otn-test-ring.h"

#include "ns3/cluster-scheduling.h"
#include "ns3/icci-bulk-migration-application.h"
#include "ns3/icci-migration-control.h"
#include "ns3/icci-migration-scheduler.h"
#include "ns3/icci-ring-all-reduce-application.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/ocs-circuit-follower.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-cs-mgr.h"
#include "ns3/odcn-fault-injector.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-recorder.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-management-network.h"
#include "ns3/odcn-matching-controller.h"
#include "ns3/odcn-message-plane.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/odcn-placement-scheduler.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-rail-messages.h"
#include "ns3/odcn-slice-queue.h"
#include "ns3/odcn-torus-pod.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-controller.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-helper.h"
#include "ns3/rddc-allocation-scheduler.h"
#include "ns3/rddc-fabric-helper.h"
#include "ns3/rddc-fabric.h"
#include "ns3/rddc-manager.h"
#include "ns3/rddc-topology.h"
#include "ns3/traced-value.h"

#include <map>
#include <set>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// What a sink does at an event.
using Act = std::function<void()>;

/// Makes sinks of a signature.
template <typename F>
struct SinkOf;

template <typename... Args>
struct SinkOf<void (*)(Args...)>
{
    /// @param act at each event  @return the sink
    static CallbackBase Make(Act act)
    {
        return Callback<void, Args...>([act = std::move(act)](Args...) { act(); });
    }
};

/// @return maker of sinks by name of a signature
const std::map<std::string, CallbackBase (*)(Act)>&
GetSinks()
{
#define SIGNATURE(Type)                                                                            \
    {                                                                                              \
        "ns3::odcn::" #Type, &SinkOf<Type>::Make                                                   \
    }
    static const std::map<std::string, CallbackBase (*)(Act)> sinks{
        {"ns3::Packet::TracedCallback", &SinkOf<Packet::TracedCallback>::Make},
        {"ns3::TracedValueCallback::Uint64", &SinkOf<TracedValueCallback::Uint64>::Make},
        {"ns3::TracedCallback::Empty", &SinkOf<void (*)()>::Make},
        SIGNATURE(AllocationScheduler::DecidedTracedCallback),
        SIGNATURE(AllocationScheduler::WindowTracedCallback),
        SIGNATURE(BulkMigrationApplication::MigrationTracedCallback),
        SIGNATURE(BulkMigrationApplication::ResumedTracedCallback),
        SIGNATURE(ClusterScheduling::JobTracedCallback),
        SIGNATURE(ClusterScheduling::PlaceLostTracedCallback),
        SIGNATURE(ClusterScheduling::PlacementTracedCallback),
        SIGNATURE(ContinuousTraffic::FlowTracedCallback),
        SIGNATURE(ContinuousTraffic::JobTracedCallback),
        SIGNATURE(CsMgr::BlockedTracedCallback),
        SIGNATURE(CsMgr::ChangesTracedCallback),
        SIGNATURE(CsMgr::JobTracedCallback),
        SIGNATURE(FaultInjector::FaultTracedCallback),
        SIGNATURE(FlowApplication::CompletedTracedCallback),
        SIGNATURE(FlowApplication::FlowTracedCallback),
        SIGNATURE(FlowApplication::MessageTracedCallback),
        SIGNATURE(FlowApplication::RxTracedCallback),
        SIGNATURE(FlowRecorder::AllCompletedTracedCallback),
        SIGNATURE(IcciManager::StartedTracedCallback),
        SIGNATURE(JobFlowApplication::RxTracedCallback),
        SIGNATURE(JobFlowApplication::TxTracedCallback),
        SIGNATURE(ManagementNetwork::DeliveredTracedCallback),
        SIGNATURE(MatchingController::DecisionTracedCallback),
        SIGNATURE(MatchingController::DemandTracedCallback),
        SIGNATURE(MessagePlane::MessageTracedCallback),
        SIGNATURE(MigrationScheduler::CarriedTracedCallback),
        SIGNATURE(MigrationScheduler::DecidedTracedCallback),
        SIGNATURE(MigrationScheduler::HostTracedCallback),
        SIGNATURE(MigrationScheduler::MoveTracedCallback),
        SIGNATURE(OcsFabric::CircuitsUpTracedCallback),
        SIGNATURE(OcsFabric::PathTracedCallback),
        SIGNATURE(OcsFabric::ServerTracedCallback),
        SIGNATURE(OcsScheduleFollower::SlotTracedCallback),
        SIGNATURE(OcsSwitch::DropTracedCallback),
        SIGNATURE(OcsSwitch::ReconfigurationTracedCallback),
        SIGNATURE(OtnController::RestoredTracedCallback),
        SIGNATURE(OtnLightpath::DropTracedCallback),
        SIGNATURE(OtnNetwork::DownTracedCallback),
        SIGNATURE(OtnNetwork::LinkTracedCallback),
        SIGNATURE(OtnNetwork::UpTracedCallback),
        SIGNATURE(PacketSwitch::DropTracedCallback),
        SIGNATURE(PlacementScheduler::DecidedTracedCallback),
        SIGNATURE(PlacementScheduler::RewardedTracedCallback),
        SIGNATURE(PlacementScheduler::WindowTracedCallback),
        SIGNATURE(PlaneRun::ReceivedTracedCallback),
        SIGNATURE(RailMessages::RoutedTracedCallback),
        SIGNATURE(RddcFabric::CircuitsTracedCallback),
        SIGNATURE(RddcManager::GrantTracedCallback),
        SIGNATURE(RddcManager::RequestTracedCallback),
        SIGNATURE(RingAllReduceApplication::IterationTracedCallback),
        SIGNATURE(RingAllReduceApplication::PausedTracedCallback),
        SIGNATURE(SliceQueue::ChangedTracedCallback),
        SIGNATURE(TorSwitch::CircuitTracedCallback),
        SIGNATURE(TorSwitch::DropTracedCallback),
        SIGNATURE(TorusPod::CircuitsTracedCallback),
        SIGNATURE(TorusPod::SliceTracedCallback),
        SIGNATURE(TrainingCluster::EndedTracedCallback),
        SIGNATURE(TrainingController::PhaseTracedCallback),
    };
#undef SIGNATURE
    return sinks;
}

/// @param tid a TypeId  @return its trace sources of this module, by name: their signatures
std::map<std::string, std::string>
GetTraces(TypeId tid)
{
    std::map<std::string, std::string> traces;
    for (; tid.GetName().starts_with("ns3::odcn::"); tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetTraceSourceN(); ++i)
        {
            traces.emplace(tid.GetTraceSource(i).name, tid.GetTraceSource(i).callback);
        }
    }
    return traces;
}

/// Call a function at each event. @param object any  @param trace its trace  @param act the
/// function
void
Hear(Object& object, const std::string& trace, Act act)
{
    const auto traces = GetTraces(object.GetInstanceTypeId());
    object.TraceConnectWithoutContext(trace, GetSinks().at(traces.at(trace))(std::move(act)));
}

/// Every class.
ODCN_TEST_CASE(EachClassTestCase, "Every class is built, listened to, disposed of and dropped")
{
    uint32_t classes = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (!tid.GetName().starts_with("ns3::odcn::"))
        {
            continue;
        }
        for (const auto& [trace, signature] : GetTraces(tid))
        {
            NS_TEST_EXPECT_MSG_EQ(GetSinks().contains(signature),
                                  true,
                                  "no row of GetSinks(): " << signature);
        }
        if (!tid.HasConstructor() || !tid.IsChildOf(Object::GetTypeId()))
        {
            continue;
        }
        ++classes;
        const ObjectFactory factory(tid.GetName());
        for (const int times : {0, 1, 2})
        {
            const Ptr<Object> object = factory.Create<Object>();
            for (const auto& [trace, signature] : GetTraces(tid))
            {
                if (GetSinks().contains(signature))
                {
                    Hear(*object, trace, [&object] { object->Dispose(); });
                }
            }
            for (int n = 0; n < times; ++n)
            {
                object->Dispose();
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(classes, 60, "classes");
    Simulator::Destroy();
}

/// Objects that run together, and what else keeps them alive.
struct World
{
    std::vector<std::pair<std::string, Ptr<Object>>> objects; //!< under test, by name
    std::vector<Ptr<Object>> others;                          //!< kept, too
    Time length{MilliSeconds(1)};                             //!< of the run
};

/// @return a fabric that Valiant's packets cross, with flows
/// @param [out] world gets its parts
Ptr<OcsFabric>
AddFabric(World& world)
{
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetTorAttribute("Routing", StringValue("ValiantRouting"));
    helper.SetTorAttribute("BufferSize", StringValue("60kB"));
    helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    helper.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(500)));
    const Ptr<OcsFabric> fabric = helper.Build({4, 2, 2, 2});
    helper.InstallServers(fabric);
    fabric->AssignStreams(1);
    Traffic flows;
    for (ServerId i = 0; i < 8; ++i)
    {
        flows.Add({i, (i + 3) % 8, 300000, MicroSeconds(i)});
    }
    FlowHelper sender;
    sender.SetAttribute("Rate", StringValue("10Gbps"));
    sender.Install(fabric, flows);
    world.others.push_back(sender.GetRecorder());
    world.objects = {{"fabric", fabric},
                     {"optical switch", fabric->GetSwitch(0)},
                     {"uplink", fabric->GetUplink(0, 0)},
                     {"card", fabric->GetServerDevice(0, 0)},
                     {"fibre", fabric->GetUplink(0, 0)->GetChannel()}};
    return fabric;
}

/// @return faults of a fabric, from 100 us on
FaultPlan
MakeFaults()
{
    FaultPlan plan;
    for (const FaultPart part : {FaultPart::UPLINK,
                                 FaultPart::OCS_PORT,
                                 FaultPart::SERVER,
                                 FaultPart::TOR,
                                 FaultPart::MIRROR,
                                 FaultPart::OCS})
    {
        const int64_t at = 100 + 70 * int64_t(part);
        plan.Add({part, 0, 0, MicroSeconds(at), MicroSeconds(at + 150), ""});
    }
    return plan;
}

/// @return a fabric with a schedule and faults
World
MakeScheduled()
{
    World world;
    const Ptr<OcsFabric> fabric = AddFabric(world);
    const auto plan = CircuitSchedule::Create("RoundRobinSchedule[Slot=50us]");
    plan->Build(4, 2);
    const auto follower = CreateObject<OcsScheduleFollower>();
    follower->Start(fabric, plan);
    const auto injector = CreateObject<FaultInjector>();
    injector->SetAttribute("DetectionTime", StringValue("10us"));
    injector->SetFabric(fabric);
    injector->Start(MakeFaults());
    world.objects.emplace_back("follower", follower);
    world.objects.emplace_back("injector", injector);
    return world;
}

/// @return a fabric with circuits by a list
World
MakeListed()
{
    World world;
    const Ptr<OcsFabric> fabric = AddFabric(world);
    std::vector<OcsCircuitBatch> batches;
    for (uint32_t shift = 1; shift < 15; ++shift)
    {
        batches.push_back({MicroSeconds(60 * shift), {}});
        for (RackId rack = 0; rack < 4; ++rack)
        {
            batches.back().circuits.push_back({rack, 0, (rack + 1 + shift % 3) % 4, 0});
        }
    }
    const auto follower = CreateObject<OcsCircuitFollower>();
    follower->SetAttribute("Drain", StringValue("3us"));
    fabric->PresetAllToAll();
    follower->Start(fabric, {}, batches);
    world.objects.emplace_back("follower", follower);
    return world;
}

/// @return a fabric with a controller
World
MakeControlled()
{
    World world;
    const Ptr<OcsFabric> fabric = AddFabric(world);
    const auto node = CreateObject<Node>();
    const auto management = CreateObject<ManagementNetwork>();
    management->SetAttribute("DataRate", StringValue("10Gbps"));
    management->SetAttribute("Delay", StringValue("1us"));
    ManagementHelper().Install(management, node);
    const auto controller = CreateObject<MatchingController>();
    controller->SetAttribute("Epoch", StringValue("60us"));
    controller->SetAttribute("ReportDelay", StringValue("1us"));
    controller->SetAttribute("DecisionTime", StringValue("1us"));
    controller->SetFabric(fabric);
    controller->SetManagement(management);
    controller->AssignStreams(1);
    node->AddApplication(controller);
    world.objects.emplace_back("controller", controller);
    world.objects.emplace_back("follower", controller->GetFollower());
    world.objects.emplace_back("management", management);
    return world;
}

/// @return a mesh with a controller, packets, cuts and repairs
World
MakeMesh()
{
    World world;
    OtnHelper helper;
    helper.SetNetworkAttribute("SetUpTime", StringValue("50us"));
    const Ptr<OtnNetwork> network = helper.Build(MakeRing(5, 2));
    const auto control = CreateObject<OtnController>();
    control->SetAttribute("DetectionTime", StringValue("20us"));
    control->SetNetwork(network);
    const auto lightpath = control->SetUp(0, 2, 1);
    control->SetUp(1, 2, 2);
    for (int64_t us = 100; us < 1000; us += 7)
    {
        Simulator::Schedule(MicroSeconds(us),
                            [device = lightpath->GetTransponder(0)]
                            { device->Transmit(Create<Packet>(1500)); });
    }
    for (const int64_t us : {300, 600})
    {
        Simulator::Schedule(MicroSeconds(us), &OtnNetwork::CutLink, network, us / 300);
        Simulator::Schedule(MicroSeconds(us + 200), &OtnNetwork::RepairLink, network, us / 300);
    }
    world.objects = {{"network", network},
                     {"controller", control},
                     {"lightpath", lightpath},
                     {"transponder", lightpath->GetTransponder(0)}};
    return world;
}

/// @return a disaggregated fabric whose circuits come and go
World
MakeDisaggregated()
{
    World world;
    RddcFabricHelper helper;
    helper.SetSwitchAttribute("ReconfigurationTime", StringValue("10us"));
    const Ptr<RddcFabric> fabric =
        helper.Build(Make<RddcTopology>("ServersPerRack=4|Channels=4|Tier2Oversubscription=2|"
                                        "Tier3Oversubscription=1")
                         ->Build());
    helper.InstallServers(fabric);
    for (int64_t us = 10; us < 900; us += 100)
    {
        Simulator::Schedule(
            MicroSeconds(us),
            [fabric]
            {
                const auto group =
                    fabric->Connect(std::vector<RddcLightpath>{{0, 3, 0}, {0, 5, 1}});
                Simulator::Schedule(MicroSeconds(60), &RddcFabric::Disconnect, fabric, group);
            });
    }
    world.objects = {{"fabric", fabric},
                     {"optical switch", fabric->GetSwitch(fabric->GetNetwork()->GetNServers())}};
    return world;
}

/// @return an electrical network that is too small for its flows, with faults
World
MakeElectrical()
{
    World world;
    PacketNetworkHelper helper;
    helper.SetSwitchAttribute("QueueDisc", StringValue("ns3::PfifoFastQueueDisc[MaxSize=20p]"));
    helper.SetUplinkAttribute("DataRate", StringValue("1Gbps"));
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    const Ptr<PacketNetwork> network = helper.BuildLeafSpine(4, 2, 2, 2);
    helper.InstallServers(network);
    Traffic flows;
    for (ServerId i = 0; i < 8; ++i)
    {
        flows.Add({i, (i + 3) % 8, 100000, MicroSeconds(i)});
    }
    FlowHelper sender;
    sender.SetAttribute("Rate", StringValue("10Gbps"));
    sender.Install(network->GetServers(), flows);
    world.others.push_back(sender.GetRecorder());
    const auto injector = CreateObject<FaultInjector>();
    injector->SetPacketNetwork(network);
    FaultPlan plan;
    // Both uplinks, whichever the hashes of flows choose.
    plan.Add({FaultPart::UPLINK, 0, 0, MicroSeconds(100), MicroSeconds(400), ""});
    plan.Add({FaultPart::UPLINK, 0, 1, MicroSeconds(100), MicroSeconds(400), ""});
    plan.Add({FaultPart::TOR, 1, 0, MicroSeconds(200), MicroSeconds(500), ""});
    injector->Start(plan);
    world.objects = {{"network", network},
                     {"switch", network->GetSwitchOf(0)},
                     {"uplink", network->GetSwitchOf(0)->GetPort(2)},
                     {"other uplink", network->GetSwitchOf(0)->GetPort(3)},
                     {"injector", injector}};
    return world;
}

/// A world.
struct Kind
{
    const char* name; //!< of the world
    World (*make)();  //!< builds it
};

const std::vector<Kind> KINDS{{"a schedule", &MakeScheduled},
                              {"a list of circuits", &MakeListed},
                              {"a controller", &MakeControlled},
                              {"a mesh", &MakeMesh},
                              {"a disaggregated fabric", &MakeDisaggregated},
                              {"an electrical network", &MakeElectrical}};

/**
 * Build a world, run it, and destroy it.
 * @param kind of world
 * @param prepare may connect and schedule
 */
void
Live(const Kind& kind, const std::function<void(World&)>& prepare)
{
    World world = kind.make();
    prepare(world);
    const Time length = world.length;
    try
    {
        RunFor(length);
    }
    catch (const OdcnError&)
    {
        // That a part is missing may be said.
    }
    world = {};
    Simulator::Destroy();
}

/// Before and during a run.
ODCN_TEST_CASE(RunTestCase, "Objects are dropped and disposed of before and during a run")
{
    for (const Kind& kind : KINDS)
    {
        for (const auto& at : {Time(0), MicroSeconds(333), MicroSeconds(777)})
        {
            Live(kind,
                 [&](World& world)
                 { Simulator::Schedule(at, [&world] { world.objects.clear(); }); });
        }
        Live(kind, [](World& world) { world.objects.clear(); });
        const std::size_t n = kind.make().objects.size();
        Simulator::Destroy();
        for (std::size_t i = 0; i < n; ++i)
        {
            Live(kind, [&](World& world) { world.objects[i].second->Dispose(); });
            for (const int64_t us : {50, 333, 505, 777})
            {
                Live(kind,
                     [&](World& world)
                     {
                         Simulator::Schedule(MicroSeconds(us),
                                             [object = world.objects[i].second]
                                             { object->Dispose(); });
                     });
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(KINDS.size(), 6, "all have run");
}

/// In their own traces.
ODCN_TEST_CASE(TraceTestCase, "Objects are disposed of and dropped by sinks of their own traces")
{
    std::set<std::string> fired;
    for (const Kind& kind : KINDS)
    {
        std::vector<std::pair<std::size_t, std::string>> traces;
        const World sample = kind.make();
        Simulator::Destroy();
        for (std::size_t i = 0; i < sample.objects.size(); ++i)
        {
            const TypeId tid = sample.objects[i].second->GetInstanceTypeId();
            for (const auto& [trace, signature] : GetTraces(tid))
            {
                // The first event, a later one, and both after the others have let go.
                for (const uint32_t nth : {1, 7})
                {
                    Live(kind,
                         [&](World& world)
                         {
                             const auto object = PeekPointer(world.objects[i].second);
                             const auto count = std::make_shared<uint32_t>(0);
                             const auto sink = [&, object, count, nth]
                             {
                                 fired.insert(tid.GetName() + "::" + trace);
                                 if (++*count == nth)
                                 {
                                     object->Dispose();
                                     world.objects.clear();
                                 }
                             };
                             Hear(*object, trace, sink);
                         });
                }
            }
        }
    }
    for (const char* trace : {"FaultInjector::Fault",
                              "ManagementNetwork::Delivered",
                              "MatchingController::Decision",
                              "MatchingController::Demand",
                              "OcsFabric::CircuitsUp",
                              "OcsFabric::PathChanged",
                              "OcsFabric::ServerChanged",
                              "OcsNetDevice::MacRx",
                              "OcsNetDevice::MacTx",
                              "OcsNetDevice::PhyRxDrop",
                              "OcsNetDevice::PhyRxEnd",
                              "OcsNetDevice::PhyTxBegin",
                              "OcsNetDevice::PhyTxEnd",
                              "OcsNetDevice::Sniffer",
                              "OcsScheduleFollower::Slot",
                              "OcsSwitch::Drop",
                              "OcsSwitch::ReconfigurationDone",
                              "OcsSwitch::ReconfigurationStart",
                              "OtnController::Restored",
                              "OtnLightpath::Drop",
                              "OtnNetwork::LightpathDown",
                              "OtnNetwork::LightpathUp",
                              "OtnNetwork::LinkChanged",
                              "PacketSwitch::Drop",
                              "RddcFabric::Connected",
                              "RddcFabric::Disconnected"})
    {
        NS_TEST_EXPECT_MSG_EQ(fired.contains(std::string("ns3::odcn::") + trace),
                              true,
                              "no world fires " << trace);
    }
}

/// Followers that nobody keeps.
ODCN_TEST_CASE(KeptTestCase, "A follower that nobody keeps works as one that is kept")
{
    for (const Kind& kind : {KINDS[0], KINDS[1]})
    {
        std::vector<uint64_t> received;
        for (const bool kept : {true, false})
        {
            Ptr<OcsFabric> fabric;
            Live(kind,
                 [&](World& world)
                 {
                     fabric = DynamicCast<OcsFabric>(world.objects[0].second);
                     if (!kept)
                     {
                         world.objects.clear();
                     }
                 });
            received.push_back(fabric->Count().received);
        }
        NS_TEST_EXPECT_MSG_GT(received[0], 500, kind.name);
        NS_TEST_EXPECT_MSG_EQ(received[1], received[0], kind.name);
    }
}

/// Lifetimes.
PicosecondSuite g_lifetimeTestSuite("odcn-lifetime");

} // namespace
