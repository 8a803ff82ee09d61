// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-manager.h"

#include "ns3/odcn-attributes.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciManager);

TypeId
IcciManager::GetTypeId()
{
    using T = IcciManager;
    static TypeId tid =
        TypeIdOf<IcciManager, Object>("ns3::odcn::IcciManager")
            .Add(Attribute("FlopPerGb", &T::m_flopPerGb, 1e12, 1),
                 "lambda, floating-point operations per GB of training data.")
            .Add(Attribute("FlopsPerCu", &T::m_flopsPerCu, 20e12, 1),
                 "rho, floating-point operations per second of a CU.")
            .Add(Attribute("BitsPerWavelength", &T::m_bitsPerWavelength, 1e11, 1),
                 "chi, bit rate of a wavelength in bit/s.")
            .Add(Attribute("ComputeShare", &T::m_computeShare, 0.7, 0.01, 0.99),
                 "T_com as a share of T_com + T_trans when a task is deployed.")
            .Add(Attribute("CusPerCentre", &T::m_cusPerCentre, 100, 1, 100000),
                 "N_v, CUs (GPUs) of a centre.")
            .Add(Attribute("Threshold", &T::m_threshold, 0.8, 0.01, 1),
                 "epsilon, share of its CUs in use from which a centre is a hotspot.")
            .Add(Attribute("Search",
                           &T::m_kind,
                           Search::SWAP,
                           {{Search::SWAP, "Swap"},
                            {Search::NEAREST, "Nearest"},
                            {Search::ALL, "All"},
                            {Search::ANY, "Any"}}),
                 "Which rings are candidates: Swap (one or two workers leave hotspots), "
                 "Nearest (one moves to the nearest centre with room), All (all move to "
                 "the idlest centres) or Any (those in hotspots move anywhere).")
            .Add(Attribute("Rings", &T::m_maxRings, 5, 1, 100),
                 "K, largest number of candidate rings of a question.")
            .Add(Attribute("Slots", &T::m_nSlots, 2, 1, 100),
                 "M, times at which a migration may begin.")
            .Add(Attribute("Links", &T::m_nLinks, 3, 1, 100),
                 "L, routing alternatives of a ring: the number of shortest paths per hop "
                 "that are considered at most.")
            .Add(Attribute("SlotGap", &T::m_slotGap, 600, 0, 86400), "Seconds between slots.")
            .Add(Attribute("MaxMoves", &T::m_maxMoves, 1, 0, 1000000),
                 "Largest number of migrations of a task.")
            .Add(Attribute("AskAgain", &T::m_askAgain, 3600, 1),
                 "Seconds after an answer before the same task is asked about again.")
            .Add(Attribute("Outlook", &T::m_outlook, 24, 0, 24),
                 "Hours over which the mean tide is considered when rings are compared; 0 "
                 "considers only the present.")
            .Add(Attribute("HopWeight", &T::m_hopWeight, 2, 0),
                 "Weight of a hop relative to a percent of load, to rank candidates.")
            .Add(Attribute("DistanceWeight", &T::m_distanceWeight, 30, 0),
                 "Weight of a hop in CUs when the first ring of a task is built.")
            .Add(Attribute("Noise", &T::m_noise, 10, 0),
                 "Half width in CUs of the uniform noise when a first ring is built.")
            .Add(Attribute("DataShare", &T::m_dataShare, 0, 0, 1),
                 "Fraction of a worker's training data, D / N^worker, that a migration "
                 "sends besides the parameters (Eq. 16); 0: the data is in place.")
            .Add(Attribute("OeoTime", &T::m_oeoTime, 1e-4, 0),
                 "t_OEO, seconds of an optical-electrical-optical conversion.")
            .Add(Attribute("GpuTime", &T::m_gpuTime, 0.05, 0), "t_GPU, seconds to switch GPUs.")
            .Add(Attribute("KmPerSecond", &T::m_kmPerSecond, 2e5, 1),
                 "v_fiber, propagation speed in fibre in km/s.")
            .Add(Attribute("ExtraWavelengths",
                           &T::m_extraWavelengths,
                           1,
                           0,
                           OtnMesh::MAX_WAVELENGTHS),
                 "Additional wavelengths per hop, beyond N^bu, if the choice is for more.")
            .Add(Attribute("BothWays", &T::m_bothWays, true),
                 "Whether a lightpath uses both fibres of a link; a ring needs only one.")
            .Add(Attribute("AfterFailure",
                           &T::m_afterFailure,
                           FaultPlan::END,
                           {{FaultPlan::END, "End"}, {FaultPlan::REPLACE, "Replace"}}),
                 "What becomes of a task whose ring cannot be lit around a failed link: "
                 "it ends (End), or goes on on another ring if one can be had (Replace).")
            .Add(Trace("Started", &T::m_startedTrace, "StartedTracedCallback"),
                 "A migration begins; all its resources are reserved.");
    return tid;
}

void
IcciManager::Reset(const std::vector<IcciTask>& tasks,
                   std::shared_ptr<const IcciBackground> background,
                   uint64_t seed)
{
    Deploy(tasks, std::move(background), seed);
    Watch();
    m_held = false;
    m_outages.Restart(m_mesh->GetNLinks());
    for (std::size_t i = 0; GetFaults() && i < GetFaults()->GetChanges().size(); ++i)
    {
        Schedule(GetFaults()->GetTime(i), Event::FAULT);
    }
}

FaultParts
IcciManager::GetFaultParts(const OtnMesh& mesh)
{
    return {{FaultPart::LINK, FaultSizes(mesh.GetNLinks(), 1)},
            {FaultPart::NODE, FaultSizes(mesh.GetNSites(), 1)}};
}

void
IcciManager::ChangePart(const FaultTimeline::Change& change)
{
    const auto getEnds = [this](uint32_t link)
    { return std::pair(m_mesh->GetLink(link).a, m_mesh->GetLink(link).b); };
    for (const uint32_t link : m_outages.ChangeLinks(change, change.first, getEnds))
    {
        m_lightpaths.ShareWavelengths().SetCut(link, change.failed);
    }
    for (uint32_t task = 0; change.failed && task < m_tasks.size(); ++task)
    {
        AbortIfHit(task);
        const IcciTaskState& state = m_tasks[task];
        if (state.phase == IcciTaskState::RUNNING && m_lightpaths.IsHit(state.lightpaths) &&
            !LightAround(task))
        {
            Overtake(state.migration);
            Replace(task);
        }
    }
}

bool
IcciManager::Advance()
{
    while (!m_held)
    {
        if (Ask())
        {
            return true;
        }
        if (!(m_events.GetNext() < m_loads.rules.duration))
        {
            EndDay();
            return false;
        }
        const auto event = m_events.Pop();
        AdvanceTo(event.time);
        Handle(event.what);
    }
    return false;
}

void
IcciManager::Handle(const Event& event)
{
    switch (event.kind)
    {
    case Event::END:
        if (m_tasks[event.index].version == event.version)
        {
            End(event.index);
        }
        break;
    case Event::ARRIVAL:
        Arrive(event.index);
        break;
    case Event::DONE:
        Finish(event.index, event.version);
        break;
    case Event::START:
        Start(event.index);
        break;
    case Event::FAULT:
        ChangePart(m_outages.Take());
        break;
    case Event::CHECK:
        Check();
        break;
    }
}

void
IcciManager::EndDay()
{
    AdvanceTo(std::max(m_time, m_loads.rules.duration));
    // Migrations under way last seconds and are completed; planned ones no longer begin.
    while (m_events.GetSize() > 0)
    {
        const auto [time, seq, event] = m_events.Pop();
        if (event.kind == Event::DONE)
        {
            AdvanceTo(time);
            Handle(event);
        }
        else if (event.kind == Event::START)
        {
            Overtake(event.index);
        }
    }
}

} // namespace ns3::odcn
