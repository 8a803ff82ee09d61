// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A routing of one's own in a hybrid fabric, beside routings of the library and an electrical
 * network, on the same flows.
 *
 * The first bytes of each flow go electrically, at once, and what follows waits for a circuit:
 * short flows need not be known as such before they begin.
 *
 *     ./ns3 run own-routing
 *     ./ns3 run "own-routing --load=0.4 --FirstBytesRouting::Threshold=100000"
 */

#include "ns3/double.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-table.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tor-routing.h"
#include "ns3/tor-switch.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <iostream>
#include <unordered_map>

using namespace ns3;
using namespace ns3::odcn;

/// The first bytes of a flow go electrically, the rest waits for a circuit to its destination.
class FirstBytesRouting : public DirectRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("FirstBytesRouting")
                                .SetParent<DirectRouting>()
                                .AddConstructor<FirstBytesRouting>()
                                .AddAttribute("Threshold",
                                              "First bytes of a flow that go electrically",
                                              UintegerValue(15000),
                                              MakeUintegerAccessor(&FirstBytesRouting::m_threshold),
                                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

    Choice Route(const Arrival& arrival) override
    {
        uint64_t& sent = m_sent[arrival.header.flow]; // with Spreading=PerFlow the switch reads it
        sent += arrival.packet->GetSize();
        return sent <= m_threshold && GetTor().HasElectrical(arrival.destination)
                   ? SendElectrically()
                   : DirectRouting::Route(arrival);
    }

  private:
    uint64_t m_threshold{0};                       //!< Threshold
    std::unordered_map<uint32_t, uint64_t> m_sent; //!< bytes by flow
};

NS_OBJECT_ENSURE_REGISTERED(FirstBytesRouting);

/// Run flows over a network and add its row to a table.
static void
Run(const std::string& name, const NodeContainer& servers, const Traffic& flows, Table& table)
{
    FlowHelper helper;
    helper.SetAttribute("ShortFlows", UintegerValue(10000)); // what ClassRouting knows as short
    helper.Install(servers, flows);
    Simulator::Stop(MilliSeconds(40));
    Simulator::Run();
    const auto classes = helper.GetRecorder()->Summarise();
    const auto& brief = classes.front().time; // below 10 kB
    const auto& all = classes.back();
    const auto us = [](double seconds)
    { return std::isinf(seconds) ? INFINITE_PERCENTILE : FormatFixed(seconds * 1e6, 1); };
    table.AddRow({name,
                  us(brief.p50),
                  us(brief.p99),
                  us(all.time.p50),
                  FormatFixed(100.0 * double(all.flows - all.incomplete) / double(all.flows), 1)});
    Simulator::Destroy();
}

int
main(int argc, char* argv[])
try
{
    double load = 0.2;
    OdcnCommandLine cmd(argc, argv, "A routing of one's own for hybrid fabrics, compared.");
    cmd.AddRange("load", "Offered data as a share of the servers' line rate", load, 0.001, 1.0);
    cmd.Parse();
    Time::SetResolution(Time::PS);
    // Racks, servers of a rack, uplinks, rotor switches, and electrical uplinks of a rack.
    const OcsFabricSize size{16, 4, 4, 4, 1};
    auto workload = CreateObject<FlowWorkload>();
    workload->SetAttribute("Load", DoubleValue(load));
    workload->SetAttribute("Sizes", StringValue(GetDataFile("flow-cdf/websearch.csv")));
    workload->SetAttribute("Duration", TimeValue(MilliSeconds(20)));
    workload->AssignStreams(1);
    const auto flows =
        workload->Generate(DemandMatrix::Make("uniform", size.racks), size.serversPerRack);
    Table table(
        {"network and routing", "p50 < 10 kB\nus", "p99 < 10 kB\nus", "p50\nus", "complete\n%"});
    for (const std::string routing : {"DirectRouting",
                                      "HybridRouting",
                                      "ClassRouting[Short=ElectricalRouting|Bulk=DirectRouting]",
                                      "FirstBytesRouting"})
    {
        OcsHelper helper;
        helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
        helper.SetTorAttribute("Routing", StringValue(routing));
        helper.SetTorAttribute("Spreading", StringValue("PerFlow"));
        helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
        helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
        helper.SetElectricalAttribute("DataRate", StringValue("10Gbps"));
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
        auto fabric = helper.Build(size);
        helper.InstallServers(fabric);
        auto plan = CircuitSchedule::Create("RotorSchedule[Slot=100us|ReconfigurationTime=10us]");
        plan->AssignStreams(1000);
        plan->Build(size.racks, size.uplinks);
        auto follower = CreateObject<OcsScheduleFollower>();
        follower->Start(fabric, plan);
        Run(routing.substr(0, routing.find('[')), fabric->GetServers(), flows, table);
    }
    // An electrical baseline with as many ports: five spines at the same rates, no circuits.
    PacketNetworkHelper helper;
    helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
    auto network = helper.BuildLeafSpine(size.racks, size.serversPerRack, 5, 5);
    helper.InstallServers(network);
    Run("leaf-spine", network->GetServers(), flows, table);
    table.Print(std::cout);
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
