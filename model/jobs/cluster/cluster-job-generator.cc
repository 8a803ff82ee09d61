// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-job-generator.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <cmath>
#include <string>
#include <tuple>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(ClusterJobGenerator);

TypeId
ClusterJobGenerator::GetTypeId()
{
    using G = ClusterJobGenerator;
    static TypeId tid =
        TypeIdOf<ClusterJobGenerator, ClusterJobSource>("ns3::odcn::ClusterJobGenerator")
            .Add(Attribute(
                     "Arrivals",
                     &G::m_arrivals,
                     ArrivalKind::BERNOULLI,
                     {{ArrivalKind::BERNOULLI, "Bernoulli"}, {ArrivalKind::POISSON, "Poisson"}}),
                 "Arrival process: at most one job per time slot, or any number.")
            .Add(Attribute("Rate", &G::m_rate, 0.7, 0, 1000),
                 "Arrival rate lambda, in jobs per time slot.")
            .Add(Attribute("Slots", &G::m_slots, 50, 1), "Time slots per set of jobs.")
            .Add(Attribute("FirstSlot", &G::m_firstSlot, 1),
                 "First time slot with arrivals; DeepRM's code never admits the job of "
                 "slot 0.")
            .Add(Attribute("Sets", &G::m_different, 0),
                 "Number of different sets, repeated in the same order; 0 for "
                 "no repetition.")
            .Add(Attribute("Resources", &G::m_resources, 2, 1, CLUSTER_RESOURCES),
                 "Number of resource types, d.")
            .Add(Attribute("ShortShare", &G::m_shortShare, 0.8, 0, 1),
                 "Probability that a job is short.")
            .Add(Attribute("ShortMin", &G::m_shortMin, 1, 1, 1000000),
                 "Minimum time slots of a short job.")
            .Add(Attribute("ShortMax", &G::m_shortMax, 3, 1, 1000000),
                 "Maximum time slots of a short job.")
            .Add(Attribute("LongMin", &G::m_longMin, 10, 1, 1000000),
                 "Minimum time slots of a long job.")
            .Add(Attribute("LongMax", &G::m_longMax, 15, 1, 1000000),
                 "Maximum time slots of a long job.")
            .Add(Attribute("DominantMin", &G::m_dominantMin, 5, 0, CLUSTER_UNITS),
                 "Minimum units of the dominant resource.")
            .Add(Attribute("DominantMax", &G::m_dominantMax, 10, 0, CLUSTER_UNITS),
                 "Maximum units of the dominant resource.")
            .Add(Attribute("OtherMin", &G::m_otherMin, 1, 0, CLUSTER_UNITS),
                 "Minimum units of each other resource.")
            .Add(Attribute("OtherMax", &G::m_otherMax, 2, 0, CLUSTER_UNITS),
                 "Maximum units of each other resource.");
    return tid;
}

ClusterJobGenerator::ClusterJobGenerator()
    : m_arrivalStream(CreateObject<UniformRandomVariable>()),
      m_jobStream(CreateObject<UniformRandomVariable>())
{
}

void
ClusterJobGenerator::Check() const
{
    for (const auto& [name, least, most] : {std::tuple{"Short", m_shortMin, m_shortMax},
                                            std::tuple{"Long", m_longMin, m_longMax},
                                            std::tuple{"Dominant", m_dominantMin, m_dominantMax},
                                            std::tuple{"Other", m_otherMin, m_otherMax}})
    {
        if (least > most)
        {
            throw OdcnError::InOption(std::string(name) + "Max",
                                      std::to_string(most),
                                      name + ("Min or more, " + std::to_string(least)));
        }
    }
    if (m_dominantMin == 0)
    {
        throw OdcnError::InOption("DominantMin", "0", "1 or more");
    }
    if (m_arrivals == ArrivalKind::BERNOULLI && m_rate > 1)
    {
        throw OdcnError::InOption("Rate", std::to_string(m_rate), "1 at most, or Arrivals Poisson");
    }
}

double
ClusterJobGenerator::GetMeanWork() const
{
    const double slots =
        (m_shortShare * (m_shortMin + m_shortMax) + (1 - m_shortShare) * (m_longMin + m_longMax)) /
        2;
    const double units =
        (m_dominantMin + m_dominantMax + (m_resources - 1.0) * (m_otherMin + m_otherMax)) /
        (2.0 * m_resources);
    return slots * units;
}

void
ClusterJobGenerator::DrawJob(std::vector<ClusterJob>& jobs, uint64_t slot)
{
    ClusterJob job;
    job.id = jobs.size();
    job.arrival = slot;
    const bool isShort = m_jobStream->GetValue(0, 1) < m_shortShare;
    job.duration = isShort ? m_jobStream->GetInteger(m_shortMin, m_shortMax)
                           : m_jobStream->GetInteger(m_longMin, m_longMax);
    const uint32_t dominant = m_jobStream->GetInteger(0, m_resources - 1);
    for (uint32_t i = 0; i < m_resources; ++i)
    {
        job.demand[i] = static_cast<uint16_t>(
            i == dominant ? m_jobStream->GetInteger(m_dominantMin, m_dominantMax)
                          : m_jobStream->GetInteger(m_otherMin, m_otherMax));
    }
    jobs.push_back(job);
}

void
ClusterJobGenerator::Draw(std::vector<ClusterJob>& jobs)
{
    jobs.clear();
    if (m_arrivals == ArrivalKind::BERNOULLI)
    {
        for (uint64_t slot = m_firstSlot; slot < m_slots; ++slot)
        {
            if (m_arrivalStream->GetValue(0, 1) < m_rate)
            {
                DrawJob(jobs, slot);
            }
        }
        return;
    }
    auto time = static_cast<double>(m_firstSlot);
    for (;;)
    {
        time += m_rate > 0 ? -std::log1p(-m_arrivalStream->GetValue(0, 1)) / m_rate : HUGE_VAL;
        if (time >= static_cast<double>(m_slots))
        {
            return;
        }
        DrawJob(jobs, static_cast<uint64_t>(time));
    }
}

void
ClusterJobGenerator::NextSet()
{
    Check();
    const uint64_t number = m_nSets++;
    m_next = 0;
    if (m_different == 0)
    {
        Draw(m_fresh);
        m_set = &m_fresh;
        return;
    }
    const std::size_t at = number % m_different;
    if (at == m_sets.size())
    {
        m_sets.emplace_back();
        Draw(m_sets.back());
    }
    m_set = &m_sets[at];
}

bool
ClusterJobGenerator::Next(ClusterJob& job)
{
    if (m_next == m_set->size())
    {
        return false;
    }
    job = (*m_set)[m_next++];
    return true;
}

uint64_t
ClusterJobGenerator::GetSlots() const
{
    return m_slots;
}

int64_t
ClusterJobGenerator::AssignStreams(int64_t stream)
{
    m_arrivalStream->SetStream(stream);
    m_jobStream->SetStream(stream + 1);
    m_sets.clear();
    m_nSets = 0;
    return 2;
}

} // namespace ns3::odcn
