// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-evaluation.h"

#include "ns3/odcn-error.h"

#include <algorithm>

namespace ns3
{
namespace odcn
{

void
OdcnEvaluation::Run(Ptr<OdcnScheduling> problem,
                    OdcnDecisionPolicy& policy,
                    const Options& options,
                    const std::function<void(uint64_t)>& progress)
{
    m_consecutive = m_consecutive || options.batches > 1;
    Ptr<CsMgr> manager = problem->GetManager();
    Ptr<NMgr> network = manager->GetNetwork();
    policy.Reset();
    for (uint64_t i = 0; i < options.warmUpJobs && !problem->IsDone(); ++i)
    {
        problem->RunJob(policy);
        progress(problem->GetNJobs());
    }
    if (problem->IsDone())
    {
        throw OdcnError("the job source ended within the warm-up, after " +
                        std::to_string(problem->GetNJobs()) + " jobs");
    }
    const uint64_t perBatch = std::max<uint64_t>(1, options.jobs / std::max(1U, options.batches));
    for (uint32_t b = 0; b < options.batches && !problem->IsDone(); ++b)
    {
        manager->ClearCounters();
        double latency = 0;
        double loss = 0;
        uint64_t samples = 0;
        for (uint64_t i = 0; i < perBatch && !problem->IsDone(); ++i)
        {
            problem->RunJob(policy);
            if (i % options.sampleSpacing == 0)
            {
                latency += network->GetMeanLatencyNs();
                loss += network->GetMeanLoss();
                ++samples;
            }
            progress(problem->GetNJobs());
        }
        OdcnBatch batch;
        batch.counters = manager->GetCounters();
        for (std::size_t kind = 0; kind < OdcnResources::KINDS; ++kind)
        {
            batch.utilisation[kind] = manager->GetUtilisation(kind);
        }
        batch.latencyNs = latency / static_cast<double>(samples);
        batch.loss = loss / static_cast<double>(samples);
        m_batches.push_back(batch);
    }
}

void
OdcnEvaluation::Add(const OdcnBatch& batch)
{
    m_batches.push_back(batch);
}

OdcnCounters
OdcnEvaluation::GetTotals() const
{
    OdcnCounters sum;
    for (const auto& batch : m_batches)
    {
        for (std::size_t i = 0; i < ODCN_OUTCOMES; ++i)
        {
            sum.outcome[i] += batch.counters.outcome[i];
        }
        sum.changedCircuits += batch.counters.changedCircuits;
        sum.placedVms += batch.counters.placedVms;
    }
    return sum;
}

OdcnEstimate
OdcnEvaluation::Mean(const std::function<double(const OdcnBatch&)>& value) const
{
    std::vector<double> values;
    for (const auto& batch : m_batches)
    {
        values.push_back(value(batch));
    }
    return m_consecutive ? OdcnMeanOfBatches(values) : OdcnMeanOfReplications(values);
}

OdcnEstimate
OdcnEvaluation::Share(const std::function<uint64_t(const OdcnCounters&)>& events) const
{
    std::vector<uint64_t> jobs;
    std::vector<uint64_t> offered;
    for (const auto& batch : m_batches)
    {
        jobs.push_back(events(batch.counters));
        offered.push_back(batch.counters.Offered());
    }
    return m_consecutive ? OdcnProportionOfBatches(jobs, offered)
                         : OdcnProportionOfReplications(jobs, offered);
}

OdcnEstimate
OdcnEvaluation::GetBlocking() const
{
    return Share([](const OdcnCounters& counters) { return counters.Blocked(); });
}

OdcnEstimate
OdcnEvaluation::GetReconfigurations() const
{
    return Share([](const OdcnCounters& counters) { return counters.Reconfigurations(); });
}

OdcnEstimate
OdcnEvaluation::GetChangedCircuits() const
{
    std::vector<double> changed;
    std::vector<double> offered;
    for (const auto& batch : m_batches)
    {
        changed.push_back(static_cast<double>(batch.counters.changedCircuits));
        offered.push_back(static_cast<double>(batch.counters.Offered()));
    }
    return m_consecutive ? OdcnRatioOfBatches(changed, offered)
                         : OdcnRatioOfReplications(changed, offered);
}

OdcnEstimate
OdcnEvaluation::GetUtilisation(std::size_t kind) const
{
    return Mean([kind](const OdcnBatch& b) { return b.utilisation[kind]; });
}

OdcnEstimate
OdcnEvaluation::GetLatencyNs() const
{
    return Mean([](const OdcnBatch& b) { return b.latencyNs; });
}

OdcnEstimate
OdcnEvaluation::GetLoss() const
{
    return Mean([](const OdcnBatch& b) { return b.loss; });
}

OdcnEstimate
OdcnEvaluation::GetBlockingDifference(const OdcnEvaluation& other) const
{
    std::vector<double> mine;
    std::vector<double> theirs;
    for (std::size_t i = 0; i < std::min(m_batches.size(), other.m_batches.size()); ++i)
    {
        mine.push_back(m_batches[i].counters.BlockingRatio());
        theirs.push_back(other.m_batches[i].counters.BlockingRatio());
    }
    return OdcnPairedDifference(mine, theirs);
}

} // namespace odcn
} // namespace ns3
