// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A collective of one's own: an all-reduce in two levels, beside a ring, over rotor switches.
 *
 * A ring of n servers takes 2 (n - 1) steps one after the other, and one of each four goes to
 * another rack. In two levels, the servers of a rack divide the vector among them; each sums up its
 * part over the racks; then they give each other the results. That are fewer steps.
 *
 *     ./ns3 run own-collective
 *     ./ns3 run "own-collective --bytes=16000000"                    of long vectors, bytes count
 *     ./ns3 run "own-collective --collectives=all-reduce:two-level:8"
 */

#include "ns3/boolean.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-collective-builder.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-table.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>

using namespace ns3;
using namespace ns3::odcn;

// [collective]
/// An all-reduce of groups of ranks: a ring in each group, rings across groups, a ring in each
/// group. The vector has a block for each rank, and each member of a group a part of m blocks.
/// @param builder the builder
static void
AddTwoLevels(CollectiveBuilder& builder)
{
    const uint32_t n = builder.GetNRanks();
    const uint32_t g = builder.GetNumber(); // ranks of a group
    if (n % g != 0)
    {
        throw OdcnError::InOption("GROUP", std::to_string(g), "a divisor of " + std::to_string(n));
    }
    const uint32_t m = n / g; // groups
    std::vector<CollectiveBuilder::Steps> received(n);
    // All ranks send to their next one, after all that they have received.
    const auto add = [&](auto next, auto block, uint32_t nBlocks, bool reduce)
    {
        CollectiveBuilder::Steps now(n);
        for (uint32_t r = 0; r < n; ++r)
        {
            now[next(r)] = builder.Add(r, next(r), block(r), nBlocks, reduce, received[r]);
        }
        for (uint32_t r = 0; r < n; ++r)
        {
            received[r].push_back(now[r]);
        }
    };
    const auto inside = [=](uint32_t r) { return r / g * g + (r + 1) % g; };
    const auto across = [=](uint32_t r) { return (r + g) % n; };
    for (uint32_t s = 1; s < g; ++s)
    {
        add(
            inside,
            [=](uint32_t r) { return (r + g - s) % g * m; },
            m,
            true);
    }
    for (const bool reduce : {true, false})
    {
        const uint32_t first = reduce ? 1 : 0;
        for (uint32_t s = first; s + 1 < m + first; ++s)
        {
            add(
                across,
                [=](uint32_t r) { return r % g * m + (r / g + m - s) % m; },
                1,
                reduce);
        }
    }
    for (uint32_t s = 0; s + 1 < g; ++s)
    {
        add(
            inside,
            [=](uint32_t r) { return (r + g - s) % g * m; },
            m,
            false);
    }
}

ODCN_REGISTER_COLLECTIVE(AddTwoLevels, "all-reduce:two-level:GROUP=4")

// [run]
int
main(int argc, char* argv[])
try
{
    const OcsFabricSize size{16, 4, 4, 4}; // racks, servers of a rack, uplinks of a rack, switches
    const uint32_t servers = size.racks * size.serversPerRack;
    std::string names = "all-reduce:ring,all-reduce:two-level:4";
    uint64_t bytes = 640000;
    OdcnCommandLine cmd(argc, argv, "A collective of one's own over rotor switches.");
    cmd.AddValue("collectives", "Names separated by commas", names);
    cmd.AddRange("bytes", "Bytes of a server's vector", bytes, uint64_t{64}, uint64_t{1} << 30);
    cmd.Parse();
    Time::SetResolution(Time::PS);
    std::vector<RackId> racks;
    for (uint32_t server = 0; server < servers; ++server)
    {
        racks.push_back(server / size.serversPerRack);
    }
    std::vector<Collective> collectives;
    for (const std::string& name : OdcnCommandLine::SplitList(names, "collectives"))
    {
        collectives.push_back(Collective::Make(name, servers, bytes));
    }
    Table table({"collective", "steps", "of a rack\nMB", "idle network\nms", "rotors\nms"});
    for (std::size_t i = 0; i < collectives.size(); ++i)
    {
        const Collective& collective = collectives[i];
        OcsHelper helper;
        helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
        helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
        helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
        Ptr<OcsFabric> fabric = helper.Build(size);
        helper.InstallServers(fabric);
        fabric->AssignStreams(1);
        Ptr<CircuitSchedule> plan = CircuitSchedule::Create("RotorSchedule");
        plan->AssignStreams(1000);
        plan->Build(size.racks, size.uplinks);
        auto follower = CreateObject<OcsScheduleFollower>();
        follower->Start(fabric, plan);
        FlowHelper flows;
        flows.SetAttribute("Hold", BooleanValue(true));
        Ptr<MessagePlane> messages = flows.InstallMessages(fabric);
        Ptr<PlaneRun> run = messages->Send(collective.GetMessages(), [] { Simulator::Stop(); });
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        const std::string open = run->DescribeUnfinished();
        Simulator::Destroy();
        const std::string name = OdcnCommandLine::SplitList(names, "collectives")[i];
        if (!open.empty())
        {
            throw OdcnError(name + " within 100 s: " + open);
        }
        const double load = collective.GetTraffic(racks, size.racks).GetMaxLoad();
        table.AddRow(
            {name,
             std::to_string(collective.GetSteps().size() / servers),
             FormatFixed(load * 1e-6, 2),
             FormatFixed(collective.GetLeastTime(PacketMessages::GetLink(1e-6, 1e10)) * 1e3, 3),
             FormatFixed(run->GetTime().GetSeconds() * 1e3, 2)});
    }
    table.Print(std::cout);
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
