// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-deployment.h"

#include "icci-ring-search.h"

#include "ns3/assert.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3::odcn
{

IcciDeployment::IcciDeployment()
    : m_search(std::make_unique<IcciRingSearch>())
{
}

IcciDeployment::~IcciDeployment() = default;

void
IcciDeployment::SetMesh(std::shared_ptr<const OtnMesh> mesh)
{
    m_mesh = std::move(mesh);
    m_search->SetMesh(*m_mesh);
    m_forecast.SetAreas(GetAreas());
}

std::vector<OtnArea>
IcciDeployment::GetAreas() const
{
    std::vector<OtnArea> areas;
    for (uint32_t site = 0; site < m_mesh->GetNSites(); ++site)
    {
        areas.push_back(m_mesh->GetSite(site).area);
    }
    return areas;
}

void
IcciDeployment::SetTide(Ptr<const IcciTide> tide)
{
    m_tide = tide;
}

void
IcciDeployment::Deploy(const std::vector<IcciTask>& tasks,
                       std::shared_ptr<const IcciBackground> background,
                       uint64_t seed)
{
    NS_ASSERT_MSG(m_mesh && m_tide, "SetMesh() and SetTide() first");
    const uint32_t n = m_mesh->GetNSites();
    if (background->milli.size() != n * background->samples)
    {
        throw OdcnError::InOption("background",
                                  std::to_string(background->milli.size()) + " samples",
                                  "those of " + std::to_string(n) + " centres");
    }
    const double steps = m_loads.rules.window / background->step;
    if (!(std::abs(steps - std::round(steps)) < 1e-6) || steps < 0.5)
    {
        throw OdcnError::InOption("Step",
                                  std::to_string(background->step),
                                  "a divisor of the window of hotspots, " +
                                      std::to_string(m_loads.rules.window) + " s");
    }
    for (const auto& task : tasks)
    {
        if (task.source >= n)
        {
            throw OdcnError::InOption("task",
                                      "centre " + std::to_string(task.source),
                                      "one of " + std::to_string(n) + " centres");
        }
    }
    m_background = std::move(background);
    m_loads.rules.threshold = m_threshold;
    m_forecast.Tabulate(*m_tide, m_cusPerCentre);
    m_loads.cus = m_cusPerCentre;
    m_loads.pool = IcciPool(std::vector<uint32_t>(n, m_cusPerCentre),
                            m_loads.rules,
                            m_background->milli.data(),
                            m_background->samples,
                            m_background->step);
    m_loads.recent.resize(n);
    m_loads.Update();
    m_loads.leaving.assign(n, 0);
    m_lightpaths.Reset(m_mesh, m_bothWays, m_loads.rules.duration);
    m_search->Reset(m_loads,
                    m_forecast,
                    {m_distanceWeight, m_noise, m_hopWeight, m_maxRings},
                    seed);
    m_time = 0;
    m_events.Clear();
    m_tasks.clear();
    m_counters = {};
    for (const auto& task : tasks)
    {
        IcciTaskState state;
        state.task = task;
        state.demand =
            IcciGetDemand(task, {m_flopPerGb, m_flopsPerCu, m_bitsPerWavelength, m_computeShare});
        Schedule(task.arrival, Event::ARRIVAL, static_cast<uint32_t>(m_tasks.size()));
        m_tasks.push_back(std::move(state));
    }
}

void
IcciDeployment::AdvanceTo(double time)
{
    m_loads.pool.AdvanceTo(time);
    m_lightpaths.AdvanceTo(time);
    m_time = time;
}

void
IcciDeployment::Arrive(uint32_t task)
{
    IcciTaskState& state = m_tasks[task];
    ++m_counters.arrived;
    const IcciCause cause = Place(task);
    if (cause != IcciCause::NONE)
    {
        state.phase = IcciTaskState::BLOCKED;
        ++(cause == IcciCause::CUS ? m_counters.blockedCus : m_counters.blockedWavelengths);
        return;
    }
    state.firstHops = state.lastHops;
    Run(task, m_time);
}

IcciCause
IcciDeployment::Place(uint32_t task)
{
    IcciTaskState& state = m_tasks[task];
    state.ring = m_search->Grow(state.task, state.demand.cus);
    if (state.ring.empty())
    {
        return IcciCause::CUS;
    }
    IcciLightpaths lit;
    for (uint32_t links = 0; links < m_nLinks && lit.hops.empty(); ++links)
    {
        m_lightpaths.Light(state.ring, links, state.demand.bus, {}, lit);
    }
    if (lit.hops.empty())
    {
        state.ring.clear();
        return IcciCause::WAVELENGTH;
    }
    for (const uint32_t centre : state.ring)
    {
        m_loads.pool.Take(centre, state.demand.cus);
    }
    state.SetLightpaths(std::move(lit.hops), state.demand.bus);
    return IcciCause::NONE;
}

void
IcciDeployment::Vacate(IcciTaskState& state)
{
    m_lightpaths.Extinguish(state.lightpaths);
    for (const uint32_t centre : state.ring)
    {
        m_loads.pool.Give(centre, state.demand.cus);
    }
}

void
IcciDeployment::Run(uint32_t task, double from)
{
    IcciTaskState& state = m_tasks[task];
    state.phase = IcciTaskState::RUNNING;
    state.since = from;
    state.end = from + (state.task.iterations - state.done) * state.GetIteration();
    Schedule(state.end, Event::END, task, ++state.version);
}

void
IcciDeployment::End(uint32_t task)
{
    IcciTaskState& state = m_tasks[task];
    state.phase = IcciTaskState::ENDED;
    state.done = state.task.iterations;
    ++state.version;
    ++m_counters.ended;
    Vacate(state);
}

bool
IcciDeployment::LightAround(uint32_t task)
{
    IcciTaskState& state = m_tasks[task];
    // Whole iterations count; after a migration that was aborted, `since` may be to come.
    state.done += std::floor(std::max(0.0, m_time - state.since) / state.GetIteration() + 1e-9);
    state.since = std::max(m_time, state.since);
    const auto hit = std::stable_partition(state.lightpaths.begin(),
                                           state.lightpaths.end(),
                                           [this](const OtnGrant& grant) {
                                               return !m_lightpaths.IsHit({&grant, 1});
                                           });
    std::vector<OtnGrant> failed(hit, state.lightpaths.end());
    state.lightpaths.erase(hit, state.lightpaths.end());
    m_lightpaths.Extinguish(failed);
    for (uint32_t count = state.wavelengths; count >= state.demand.bus; --count)
    {
        for (uint32_t links = 0; links < m_nLinks; ++links)
        {
            IcciLightpaths lit;
            if (m_lightpaths.Light(state.ring, links, count, state.lightpaths, lit))
            {
                m_lightpaths.Extinguish(lit.left);
                state.SetLightpaths(std::move(lit.hops), count);
                ++m_counters.rerouted;
                Run(task, state.since);
                return true;
            }
        }
    }
    Vacate(state);
    return false;
}

void
IcciDeployment::Replace(uint32_t task)
{
    IcciTaskState& state = m_tasks[task];
    if (m_afterFailure == FaultPlan::REPLACE && Place(task) == IcciCause::NONE)
    {
        ++m_counters.replaced;
        Run(task, state.since);
        return;
    }
    state.phase = IcciTaskState::LOST;
    state.end = m_time;
    ++state.version;
    ++m_counters.interrupted;
}

} // namespace ns3::odcn
