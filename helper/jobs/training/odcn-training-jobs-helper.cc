// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-jobs-helper.h"

#include "ns3/boolean.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-placement.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Latest arrival of a job, ms: that of the longest run of programs.
constexpr double LATEST_ARRIVAL = 1e9;

} // namespace

TrainingJobsHelper::TrainingJobsHelper(TrainingJobsSetting setting, const FabricSize& size)
    : m_setting(std::move(setting))
{
    for (const std::string& path : m_setting.files)
    {
        TrainingReadReport report;
        TrainingJob job = TrainingJob::Read(path, m_setting.read, &report);
        job.SetIterations(m_setting.iterations);
        m_read += "\n" + path + ": " + report.ToString();
        AddKind(std::move(job), size);
    }
    if (!m_setting.files.empty())
    {
        return;
    }
    std::vector<TrainingModel> models;
    bool hasExperts = false;
    for (const std::string& name : m_setting.models)
    {
        TrainingModel& model = models.emplace_back(TrainingModel::Find(name));
        model.layers = m_setting.layers > 0 ? m_setting.layers : model.layers;
        hasExperts = hasExperts || model.experts > 1;
    }
    for (const TrainingModel& model : models)
    {
        TrainingParallelism how = m_setting.how;
        how.expert = hasExperts && model.experts == 1 ? 1 : how.expert;
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2000000000 + static_cast<int64_t>(m_kinds.size()));
        AddKind(model.MakeJob(how, m_setting.iterations, random), size);
    }
}

void
TrainingJobsHelper::AddKind(TrainingJob job, const FabricSize& size)
{
    const uint32_t servers = size.racks * size.servers;
    if (job.GetNRanks() > servers)
    {
        throw OdcnError("job " + job.GetName() + ": found " + FormatCount(job.GetNRanks(), "rank") +
                        ", expected at most " + std::to_string(servers) +
                        ", one a server (racks x servers)");
    }
    // Messages may take several uplinks at a time, and no propagation between servers of a rack.
    const double alpha = size.delay * 1e-9; // s
    const auto bound =
        PacketMessages::GetLink(size.servers == 1 ? alpha : 0, size.GetServerGbps() * 1e9);
    const auto link =
        PacketMessages::GetLink(alpha, std::min(size.gbps, size.GetServerGbps()) * 1e9);
    const auto shared = std::make_shared<const TrainingJob>(std::move(job));
    m_kinds.push_back({shared,
                       TrainingBound::GetComputeTime(*shared),
                       TrainingBound::GetLeastTime(*shared, bound),
                       TrainingBound::GetLeastTime(*shared, link)});
}

Ptr<TrainingCluster>
TrainingJobsHelper::MakeCluster(const FabricDesign& design, FabricEngine engine) const
{
    const FabricSize& size = design.GetSize();
    const auto cluster = CreateObject<TrainingCluster>();
    const auto placement = TrainingPlacement::Create(m_setting.placement);
    placement->SetDesign(design);
    cluster->SetPlacement(placement);
    cluster->SetRunAttribute("RoundTime", TimeValue(Seconds(size.delay * 1e-9)));
    // Messages of an ideal switch share nothing but the servers' links.
    const bool isAlike =
        engine == FabricEngine::FLOWS && design.IsElectrical() && design.GetRouting() == "ideal";
    cluster->SetRunAttribute("Symmetric", BooleanValue(isAlike));
    cluster->SetEndPoints(size.racks * size.servers, size.servers);
    return cluster;
}

void
TrainingJobsHelper::AddJobs(const Ptr<TrainingCluster>& cluster, uint32_t run) const
{
    const auto gap = CreateObject<ExponentialRandomVariable>();
    gap->SetStream(10 * int64_t{run});
    double arrival = 0; // ms
    for (uint32_t i = 0; i < m_setting.jobs; ++i)
    {
        const Kind& kind = GetKind(i);
        if (arrival > LATEST_ARRIVAL)
        {
            throw OdcnError("job " + std::to_string(i) + ": found an arrival after " +
                            FormatNumber(arrival * 1e-3) + " s, expected at most " +
                            FormatNumber(LATEST_ARRIVAL * 1e-3) +
                            " s: fewer jobs, or a shorter mean time between them");
        }
        cluster->Add(kind.job,
                     Seconds(arrival * 1e-3),
                     kind.estimate,
                     static_cast<int32_t>(i % m_setting.priorities));
        arrival += m_setting.arrival > 0 ? gap->GetValue(m_setting.arrival, 0) : 0;
    }
    cluster->AssignStreams(3000000000 + 1000000 * int64_t{run});
}

std::vector<TrainingBound::Transfer>
TrainingJobsHelper::GetTransfers(const TrainingCluster::Outcome& job, const FabricSize& size)
{
    if (job.failures + job.preemptions + job.migrations > 0)
    {
        return {};
    }
    std::vector<RackId> racks;
    for (const uint32_t place : job.places)
    {
        racks.push_back(place / size.servers);
    }
    return TrainingBound::GetTransfers(*job.job, racks, size.racks);
}

} // namespace ns3::odcn
