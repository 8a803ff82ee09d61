// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-jobs-run.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-management-helper.h"

#include <utility>

namespace ns3::odcn
{

TrainingJobsRun::TrainingJobsRun(const FabricDesignHelper& helper,
                                 const FabricDesign& design,
                                 FabricEngine engine,
                                 Ptr<TrainingCluster> cluster,
                                 uint32_t run)
    : m_helper(helper),
      m_design(design),
      m_engine(engine),
      m_cluster(std::move(cluster)),
      m_stream(1000000 + int64_t{run} * 100000),
      m_network(helper.BuildNetwork(design)),
      m_isDirect(design.IsScheduled() && design.GetForwarding().bulk.kind == TorForwarding::DIRECT),
      m_waits(design.GetSize())
{
    m_network->AssignStreams(m_stream);
    m_network->SetCircuits(DemandMatrix::Make("uniform", design.GetSize().racks),
                           m_stream + FabricDesignHelper::CIRCUITS_STREAM);
    m_schedule = m_network->GetSchedule();
    m_controller = DynamicCast<TrainingController>(m_network->GetController());
    m_waits = TrainingWaits(design.GetSize(), m_isDirect ? m_schedule : nullptr);
    m_cluster->SetExplain(
        [this](const Message& message, Time received, TrainingTimes& times)
        {
            Message carried = message;
            carried.sent = m_controller ? m_controller->Explain(message, times) : message.sent;
            return m_waits.Explain(carried, received, times);
        });
    if (m_controller)
    {
        m_controller->SetCluster(m_cluster);
    }
}

TrainingJobsRun::~TrainingJobsRun()
{
    End();
}

void
TrainingJobsRun::SetScheduler(Ptr<TrainingScheduler> scheduler)
{
    m_scheduler = std::move(scheduler);
}

void
TrainingJobsRun::Start(uint64_t shortFlows)
{
    if (m_engine == FabricEngine::PACKETS || m_controller)
    {
        m_network->StartCircuits();
    }
    m_plane = m_helper.MakePlane(m_network,
                                 m_engine,
                                 FabricDesignHelper::MakeHosts(m_design, shortFlows));
    m_traffic = CreateObject<PlaneTraffic>();
    if (m_scheduler)
    {
        const auto node = CreateObject<Node>();
        ManagementHelper().Install(m_scheduler->GetManagement(), node);
        node->AddApplication(m_scheduler);
        m_scheduler->Control(m_cluster, m_traffic);
    }
    TrafficSource* const cluster = PeekPointer(m_cluster);
    TrafficSource* const controller = PeekPointer(m_controller);
    m_design.Explain([&] { m_traffic->Start(m_plane, controller ? *controller : *cluster); });
}

void
TrainingJobsRun::RunExact(uint64_t shortFlows, Time limit)
{
    if (m_scheduler)
    {
        throw OdcnError("TrainingJobsRun: found a scheduler with the exact engine, expected flows "
                        "or packets, in ns-3's time");
    }
    const auto exact = m_helper.MakeExact(m_design,
                                          m_schedule,
                                          m_design.MakeSettings(shortFlows),
                                          m_stream + FabricDesignHelper::CIRCUITS_STREAM);
    exact->AssignStreams(m_stream);
    exact->Run(*PeekPointer(m_cluster), limit);
}

std::string
TrainingJobsRun::DescribeUnfinished() const
{
    std::string open = m_cluster->DescribeUnfinished();
    const std::string inFlight = m_plane ? m_plane->DescribeInFlight() : "";
    const std::string waiting = m_controller ? m_controller->DescribeWaiting() : "";
    for (const std::string& text : {inFlight, waiting})
    {
        open += open.empty() || text.empty() ? "" : "; " + text;
    }
    return open;
}

void
TrainingJobsRun::End()
{
    if (m_traffic)
    {
        m_traffic->Dispose();
    }
    if (m_cluster)
    {
        m_cluster->SetExplain({});
        m_cluster->SetScheduler({});
    }
}

bool
TrainingJobsRun::HidesCircuits() const
{
    return !m_design.IsElectrical() && !m_isDirect && !m_controller &&
           (!m_schedule || m_schedule->GetPlane(0).slots.size() > 1);
}

} // namespace ns3::odcn
