// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-job-flows.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-workload.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(JobFlowWorkload);

TypeId
JobFlowWorkload::GetTypeId()
{
    using T = JobFlowWorkload;
    static TypeId tid =
        TypeIdOf<JobFlowWorkload, Object>("ns3::odcn::JobFlowWorkload")
            .Add(Attribute("Sizes", &T::m_sizes, "100000"),
                 "Flow sizes: a CDF file (see FlowSizes), or a number of bytes.")
            .Add(Attribute("Interpolate", &T::m_interpolate, true),
                 "Whether the CDF of sizes is linear between its points; otherwise only "
                 "the points are drawn.")
            .Add(Attribute("Use", &T::m_use, 0.5, 0),
                 "Application data of a demand's flows, on average, as a share of the "
                 "bandwidth that it demands.")
            .Add(Attribute("TimeUnit", &T::m_unit, MilliSeconds(1), TimeStep(1)),
                 "Length of a unit of job time.");
    return tid;
}

JobFlowWorkload::JobFlowWorkload()
    : m_gaps(CreateObject<ExponentialRandomVariable>())
{
}

std::vector<JobFlow>
JobFlowWorkload::Generate(const std::vector<OdcnJob>& jobs, double from, double until)
{
    if (!(from < until))
    {
        throw OdcnError("JobFlowWorkload: the stretch of time is empty");
    }
    FlowSizes sizes(m_sizes, m_interpolate);
    if (m_sizeStream >= 0)
    {
        sizes.SetStream(m_sizeStream);
    }
    const double unitNs = m_unit.GetSeconds() * 1e9;
    std::vector<JobFlow> flows;
    for (const OdcnJob& job : jobs)
    {
        const double begin = std::max(job.arrival, from);
        const double end = std::min(job.arrival + job.duration, until);
        for (uint32_t demand = 0; demand < job.demands.size() && m_use > 0; ++demand)
        {
            const double bytesPerNs = m_use * double(job.demands[demand].rate) / 8e9;
            const double gap = sizes.GetMean() / bytesPerNs / unitNs;
            // A Poisson process has no memory: it may begin anew with the stretch.
            for (double now = begin + gap * m_gaps->GetValue(1, 0); now < end;
                 now += gap * m_gaps->GetValue(1, 0))
            {
                flows.push_back({job.id,
                                 demand,
                                 sizes.Draw(),
                                 NanoSeconds(static_cast<uint64_t>((now - from) * unitNs))});
            }
        }
    }
    std::stable_sort(flows.begin(),
                     flows.end(),
                     [](const JobFlow& a, const JobFlow& b) { return a.start < b.start; });
    return flows;
}

int64_t
JobFlowWorkload::AssignStreams(int64_t stream)
{
    m_gaps->SetStream(stream);
    m_sizeStream = stream + 1;
    return 2;
}

} // namespace ns3::odcn
