// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-packet-days.h"

#include "ns3/icci-plane-helper.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::odcn;

PacketDays::PacketDays(uint32_t migrations,
                       bool traces,
                       Ptr<const IcciManager> manager,
                       OutputFiles& files)
    : m_migrations(migrations),
      m_isTraced(traces),
      m_plane(IcciPlaneHelper::Build(manager->GetMesh(), IcciPlaneOptions::Of(manager))),
      m_management(CreateObject<ManagementNetwork>()),
      m_controller(CreateObject<Node>()),
      m_traces(files, MicroSeconds(10))
{
    TimeValue delay;
    m_management->GetAttribute("Delay", delay);
    m_management->SetAttribute("DataRate", StringValue(delay.Get().IsZero() ? "0bps" : "1Gbps"));
    ManagementHelper helper;
    const auto gateway = helper.Install(m_management, m_controller);
    if (traces && !m_management->IsIdeal())
    {
        m_traces.Watch(m_controller);
        m_traces.Watch(gateway);
        m_traces.AddPcap(helper,
                         m_controller->GetDevice(0),
                         "control.pcap",
                         "control packets, at the controller");
    }
}

PacketDays::~PacketDays()
{
    Simulator::Destroy();
    m_plane->Dispose();
}

void
PacketDays::MoveReady(const IcciWorkerPlace& from, const IcciWorkerPlace&)
{
    if (!m_hasPcap)
    {
        m_hasPcap = true;
        IcciPlaneHelper helper;
        m_traces.AddPcap(helper,
                         m_plane->GetTree(from.centre)->GetServerDevice(from.host),
                         "migration.pcap",
                         "packets of the first worker that moved, at its old place");
    }
}

void
PacketDays::Run(const Experiment::Trial& trial)
{
    m_done = trial.replication == 0 ? 0 : m_done;
    m_day.clear();
    auto scheduler = CreateObject<MigrationScheduler>();
    scheduler->SetAttribute("Policy", PointerValue(Ptr<DecisionPolicy>(&trial.policy)));
    // Windows follow each other directly: idle time would dominate plots of a day.
    scheduler->SetAttribute("JobTimeUnit", TimeValue(Time(0)));
    scheduler->SetAttribute("WindowAfter", UintegerValue(0));
    scheduler->SetAttribute("WindowSpacing", UintegerValue(m_done < m_migrations));
    scheduler->SetAttribute("MaxWindows", UintegerValue(m_migrations - m_done));
    scheduler->SetManagement(m_management);
    scheduler->SetProblem(Ptr<IcciMigration>(dynamic_cast<IcciMigration*>(&trial.problem)));
    scheduler->SetPlane(m_plane);
    const auto carried = [this](const IcciPacketMigration& migration)
    {
        Interruption::Check();
        m_day.push_back(migration);
    };
    using Carried = Callback<void, const IcciPacketMigration&>;
    scheduler->TraceConnectWithoutContext("Carried", Carried(carried));
    scheduler->TraceConnectWithoutContext("Finished", Callback<void>([]() { Simulator::Stop(); }));
    if (m_isTraced)
    {
        scheduler->TraceConnectWithoutContext("HostUsed",
                                              MakeCallback(&PacketTraces::Watch, &m_traces));
        scheduler->TraceConnectWithoutContext("MoveReady",
                                              MakeCallback(&PacketDays::MoveReady, this));
    }
    m_controller->AddApplication(scheduler);
    Simulator::Run();
    m_done += m_day.size();
}

void
PacketDays::Commit()
{
    m_traces.Keep("FlowMonitor of all rings and migrations in packets");
}
