// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-mix.h"

#include "odcn-training-bound.h"
#include "odcn-training-model.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <array>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TrainingMix);

TypeId
TrainingMix::GetTypeId()
{
    using T = TrainingMix;
    static TypeId tid =
        TypeIdOf<TrainingMix, Object>("ns3::odcn::TrainingMix")
            .Add(Attribute("Jobs", &T::m_jobs, 60, 1, 1000000), "Number of jobs")
            .Add(Attribute("Kinds", &T::m_kinds, 4, 1, 1000), "Number of kinds of jobs")
            .Add(Attribute("MaxRanks", &T::m_maxRanks, 12, 2, 65536),
                 "Most ranks of a job, and at most as many as there are end points")
            .Add(Attribute("MinIterations", &T::m_minIterations, 2, 1, 1000000),
                 "Fewest iterations of a job")
            .Add(Attribute("MaxIterations", &T::m_maxIterations, 12, 1, 1000000),
                 "Most iterations of a job; all from the fewest on are equally likely");
    return tid;
}

TrainingMix::TrainingMix()
    // Created here: threads that run episodes must not create objects, see ns-3's reference counts.
    : m_draws(CreateObject<UniformRandomVariable>()),
      m_gap(CreateObject<ExponentialRandomVariable>()),
      m_algorithms(TrainingBound::GetAlgorithms())
{
}

int64_t
TrainingMix::AssignStreams(int64_t stream)
{
    m_draws->SetStream(stream);
    m_gap->SetStream(stream + 1);
    return 2;
}

TrainingMix::Kind
TrainingMix::GetKind(const Sizes& sizes, const Collective::Link& link)
{
    if (link.alpha != m_link.alpha || link.rate != m_link.rate || link.payload != m_link.payload ||
        link.headers != m_link.headers)
    {
        m_known.clear();
        m_link = link;
    }
    Kind& kind = m_known[sizes];
    if (!kind.job)
    {
        const auto& [tensor, data, layers, sequences, flops, experts] = sizes;
        TrainingModel model{"mini-gpt", layers, 256, 1024, 4, 4, 2, experts, std::min(2U, experts)};
        model.name = experts > 1 ? "mini-moe" : model.name;
        TrainingParallelism how;
        how.tensor = tensor;
        how.data = data;
        how.expert = experts > 1 ? data : 1;
        how.sequences = sequences;
        how.length = 64;
        how.flops = flops;
        kind.job = std::make_shared<const TrainingJob>(model.MakeJob(how));
        kind.sketch = std::make_shared<const TrainingSketch>(*kind.job, link, m_algorithms);
    }
    return kind;
}

std::vector<TrainingMix::Job>
TrainingMix::Draw(uint32_t endPoints, double load, const Collective::Link& link)
{
    const uint32_t most = std::min(m_maxRanks, endPoints);
    if (most < 2 || !(load > 0) || m_minIterations > m_maxIterations)
    {
        throw OdcnError("TrainingMix: found " + std::to_string(endPoints) + " end points, load " +
                        std::to_string(load) + ", " + std::to_string(m_minIterations) + " to " +
                        std::to_string(m_maxIterations) +
                        " iterations; expected 2 or more end points, a load above 0, and "
                        "MinIterations up to MaxIterations");
    }
    const auto pick = [&](auto... values)
    {
        const auto all = std::to_array({values...});
        return all[m_draws->GetInteger(0, sizeof...(values) - 1)];
    };
    std::vector<Kind> kinds;
    double work = 0; // of a job: end points x time, on average
    while (kinds.size() < m_kinds)
    {
        const uint32_t tensor = pick(1U, 2U, 4U);
        const uint32_t data = pick(1U, 2U, 3U, 4U, 6U, 8U);
        const uint32_t layers = pick(2U, 4U);
        const uint32_t sequences = pick(1U, 2U, 4U);
        const double flops = pick(1e11, 2e11, 5e11, 1e12);
        const bool hasExperts = m_draws->GetInteger(0, 3) == 0 && 8 % data == 0 && data > 1;
        if (tensor * data < 2 || tensor * data > most)
        {
            continue;
        }
        kinds.push_back(
            GetKind({tensor, data, layers, sequences, flops, hasExperts ? 8 : 1}, link));
        const double iterations = (m_minIterations + m_maxIterations) / 2.0;
        work += tensor * data * kinds.back().sketch->GetAlone() * iterations / m_kinds;
    }
    std::vector<Job> jobs;
    double arrival = 0;
    for (uint32_t i = 0; i < m_jobs; ++i)
    {
        arrival += m_gap->GetValue(work / (load * endPoints), 0);
        const Kind& kind = kinds[m_draws->GetInteger(0, m_kinds - 1)];
        jobs.push_back({kind, m_draws->GetInteger(m_minIterations, m_maxIterations), arrival});
    }
    return jobs;
}

} // namespace ns3::odcn
