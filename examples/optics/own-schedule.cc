// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A schedule and flows of one's own: in a slot with mask m, rack i has a circuit to rack i XOR m,
 * and the servers run one round of a ring all-reduce over it.
 *
 *     ./ns3 run own-schedule
 *     ./ns3 run "own-schedule --schedule=RotorSchedule"            one of the library, same flows
 *     ./ns3 run "own-schedule --schedule=XorSchedule[Slot=50us]"
 */

#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-table.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>

using namespace ns3;
using namespace ns3::odcn;

// [schedule]
/// Masks 1 to racks - 1 in turn; planes start evenly spread over them.
class XorSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = AddTimes(
            TypeId("XorSchedule").SetParent<CircuitSchedule>().AddConstructor<XorSchedule>(),
            MicroSeconds(100), // default of Slot
            MicroSeconds(10)); // default of ReconfigurationTime
        return tid;
    }

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override
    {
        if ((racks & (racks - 1)) != 0)
        {
            throw OdcnError::InOption("racks", std::to_string(racks), "a power of two");
        }
        std::vector<Plane> result(planes);
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            for (uint32_t slot = 0; slot < racks - 1; ++slot)
            {
                const uint32_t mask = 1 + (slot + plane * (racks - 1) / planes) % (racks - 1);
                Matching to(racks);
                for (RackId rack = 0; rack < racks; ++rack)
                {
                    to[rack] = rack ^ mask;
                }
                result[plane].slots.push_back({GetSlot(), to});
            }
        }
        return result;
    }
};

NS_OBJECT_ENSURE_REGISTERED(XorSchedule);

// [flows]
/// One round of a ring all-reduce: each server sends to the one of its number in the next rack.
/// @param size the fabric  @param bytes data of each server  @return the flows
static Traffic
MakeRing(const OcsFabricSize& size, uint64_t bytes)
{
    Traffic flows;
    const uint32_t servers = size.racks * size.serversPerRack;
    for (ServerId server = 0; server < servers; ++server)
    {
        flows.Add({server, (server + size.serversPerRack) % servers, bytes, Time(0)});
    }
    return flows;
}

// [run]
int
main(int argc, char* argv[])
try
{
    OcsFabricSize size{8, 2, 2, 2}; // racks, servers of a rack, uplinks of a rack, switches
    std::string schedule = "XorSchedule";
    OdcnCommandLine cmd(argc, argv, "A schedule and flows of one's own.");
    cmd.AddValue("schedule", "XorSchedule, or one of the library", schedule);
    cmd.AddRange("racks", "Number of racks", size.racks, 2U, 64U);
    cmd.Parse();
    Time::SetResolution(Time::PS);

    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetTorAttribute("Routing", StringValue("DirectRouting"));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
    Ptr<OcsFabric> fabric = helper.Build(size);
    helper.InstallServers(fabric);
    fabric->AssignStreams(1);
    Ptr<CircuitSchedule> plan = CircuitSchedule::Create(schedule);
    plan->AssignStreams(1000);
    plan->Build(size.racks, size.uplinks);
    const Time packet = DataRate(helper.GetModel(size).uplinkRate).CalculateBytesTxTime(1500);
    if (!plan->LastsFor(packet))
    {
        throw OdcnError::InOption("--schedule",
                                  schedule,
                                  "circuits that last for a packet of 1500 bytes, " +
                                      std::to_string(packet.GetNanoSeconds()) + " ns");
    }
    auto follower = CreateObject<OcsScheduleFollower>();
    follower->Start(fabric, plan);

    FlowHelper flows;
    flows.Install(fabric->GetServers(), MakeRing(size, 1000000));
    Simulator::Stop(MilliSeconds(20));
    Simulator::Run();
    const FlowSummary all = flows.GetRecorder()->Summarise().back();
    const PacketCounts counts = fabric->Count();
    std::cout << schedule << ": a period of " << plan->GetPeriod().As(Time::US) << ", "
              << all.flows - all.incomplete << " of " << all.flows << " flows complete, p99 "
              << (all.incomplete > 0 ? "-" : FormatFixed(all.time.p99 * 1e3, 2) + " ms") << "\n"
              << counts.sent << " packets sent = " << counts.received << " received + "
              << counts.inFlight << " held or in flight + " << counts.dropped.Total()
              << " dropped\n";
    const std::string open = flows.GetRecorder()->DescribeIncomplete();
    Simulator::Destroy();
    if (!open.empty())
    {
        throw OdcnError("the round is not over after 20 ms: " + open);
    }
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
