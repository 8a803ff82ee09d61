// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-least-time-rule.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-circuit-hops.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"

#include <algorithm>
#include <optional>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(LeastTimeRule);

namespace
{

/// Circuits between racks of a job from when they are asked for.
struct CircuitPlan
{
    std::vector<RackId> racks{};      //!< ascending
    CircuitRule::Circuits circuits{}; //!< by index in racks
    double up{-1};                    //!< when they are up, s; below 0: not asked for
};

/// @param circuits by plane
/// @return by rack: the next ones, once for each circuit
RackLinks
GetNext(const std::vector<Matching>& circuits)
{
    RackLinks next(circuits.front().size());
    for (const Matching& plane : circuits)
    {
        for (RackId from = 0; from < plane.size(); ++from)
        {
            if (plane[from] != NO_RACK)
            {
                next[from].push_back(plane[from]);
            }
        }
    }
    return next;
}

/// @param bytes between racks
/// @param circuits one turn a plane
/// @return bytes of a circuit by its racks, if all bytes take shortest paths, spread evenly
DemandMatrix
GetShortestLoads(const DemandMatrix& bytes, const std::vector<Matching>& circuits)
{
    const uint32_t racks = bytes.GetNRacks();
    const auto next = GetNext(circuits);
    const RackLinks before = ReverseLinks(next);
    DemandMatrix loads(racks); // of a circuit, by pair
    for (RackId to = 0; to < racks; ++to)
    {
        const std::vector<uint32_t> hops = FindHops(before, to);
        std::vector<double> passing(racks);
        std::vector<RackId> order;
        for (RackId from = 0; from < racks; ++from)
        {
            passing[from] = bytes.Get(from, to);
            if (from != to && hops[from] != UINT32_MAX)
            {
                order.push_back(from);
            }
        }
        std::stable_sort(order.begin(),
                         order.end(),
                         [&](RackId a, RackId b) { return hops[a] > hops[b]; });
        for (const RackId from : order)
        {
            const auto isCloser = [&](RackId rack) { return hops[rack] < hops[from]; };
            const auto n = std::count_if(next[from].begin(), next[from].end(), isCloser);
            std::vector<RackId> seen;
            for (const RackId rack : next[from])
            {
                if (!isCloser(rack))
                {
                    continue;
                }
                const double share = passing[from] / static_cast<double>(n);
                passing[rack] += share;
                if (std::find(seen.begin(), seen.end(), rack) == seen.end())
                {
                    loads.Add(from, rack, share); // each of equal circuits has the same
                    seen.push_back(rack);
                }
            }
        }
    }
    return loads;
}

/// @param phases of a job
/// @return by phase: indices of the others that overlap it in a network without contention
std::vector<std::vector<std::size_t>>
FindOverlaps(const std::vector<TrainingPhase>& phases)
{
    std::vector<std::vector<std::size_t>> overlaps(phases.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < phases.size(); ++i)
    {
        std::erase_if(open, [&](std::size_t j) { return phases[j].end <= phases[i].begin; });
        for (const std::size_t j : open)
        {
            overlaps[i].push_back(j);
            overlaps[j].push_back(i);
        }
        open.push_back(i);
    }
    return overlaps;
}

/// @param bytes between racks
/// @param circuits by plane and turn
/// @return bytes that the busiest plane carries in turn
double
GetDirectLoad(const DemandMatrix& bytes, const CircuitRule::Circuits& circuits)
{
    const uint32_t racks = bytes.GetNRacks();
    DemandMatrix counts(racks);
    const auto visit = [&](const auto& plane, auto&& act)
    {
        for (const Matching& turn : plane)
        {
            for (RackId from = 0; from < racks; ++from)
            {
                if (turn[from] != NO_RACK)
                {
                    act(from, turn[from]);
                }
            }
        }
    };
    for (const auto& plane : circuits)
    {
        visit(plane, [&](RackId from, RackId to) { counts.Add(from, to, 1); });
    }
    double most = 0;
    for (const auto& plane : circuits)
    {
        double sum = 0;
        for (const Matching& turn : plane)
        {
            double longest = 0;
            visit(std::vector<Matching>{turn},
                  [&](RackId from, RackId to)
                  { longest = std::max(longest, bytes.Get(from, to) / counts.Get(from, to)); });
            sum += longest;
        }
        most = std::max(most, sum);
    }
    return most;
}

/// @param racks ascending
/// @param rack one of them
/// @return its index
RackId
FindIndex(const std::vector<RackId>& racks, RackId rack)
{
    return static_cast<RackId>(std::lower_bound(racks.begin(), racks.end(), rack) - racks.begin());
}

/// @param phase a phase
/// @param racks of its job, ascending
/// @return bytes of the phase by index there
DemandMatrix
Spread(const TrainingPhase& phase, const std::vector<RackId>& racks)
{
    DemandMatrix bytes(static_cast<uint32_t>(racks.size()));
    for (RackId from = 0; from < phase.racks.size(); ++from)
    {
        for (RackId to = 0; to < phase.racks.size(); ++to)
        {
            bytes.Set(FindIndex(racks, phase.racks[from]),
                      FindIndex(racks, phase.racks[to]),
                      phase.bytes.Get(from, to));
        }
    }
    return bytes;
}

/// What a rack of a job has done so far.
struct RackProgress
{
    double end{0};  //!< of its last phase, s
    double free{0}; //!< the same in a network without contention, s
};

/// Sets circuits of a plan.
/// @param plan circuits of a phase
/// @param plane one of its planes
/// @param turn one of its turns
/// @param bytes that need circuits; null for all of them
/// @param [in,out] set circuits that are set
/// @return whether others were set before
bool
SetTurn(const CircuitPlan& plan,
        uint32_t plane,
        const Matching& turn,
        const DemandMatrix* bytes,
        std::vector<Matching>& set)
{
    bool isOther = false;
    for (RackId from = 0; from < turn.size(); ++from)
    {
        if (turn[from] != NO_RACK && (!bytes || bytes->Get(from, turn[from]) > 0))
        {
            RackId& to = set[plane][plan.racks[from]];
            isOther |= to != plan.racks[turn[from]];
            to = plan.racks[turn[from]];
        }
    }
    return isOther;
}

/// @param phases of a job
/// @param index of a phase
/// @param others indices of those that overlap it
/// @param planOf by phase: index of its circuits
/// @param plan circuits of the phase
/// @return bytes of the busiest circuit of the phase, with what overlapping phases send meanwhile
double
GetSharedLoad(const std::vector<TrainingPhase>& phases,
              std::size_t index,
              const std::vector<std::size_t>& others,
              const std::vector<std::size_t>& planOf,
              const CircuitPlan& plan)
{
    const TrainingPhase& phase = phases[index];
    std::vector<Matching> circuits;
    for (const auto& plane : plan.circuits)
    {
        circuits.push_back(plane.front());
    }
    const DemandMatrix own = GetShortestLoads(Spread(phase, plan.racks), circuits);
    DemandMatrix all = own;
    const uint32_t racks = own.GetNRacks();
    for (const std::size_t i : others)
    {
        if (planOf[i] != planOf[index])
        {
            continue;
        }
        const TrainingPhase& other = phases[i];
        const Time both = std::min(phase.end, other.end) - std::max(phase.begin, other.begin);
        const double share = both.GetSeconds() / (other.end - other.begin).GetSeconds();
        const DemandMatrix loads = GetShortestLoads(Spread(other, plan.racks), circuits);
        for (RackId from = 0; from < racks; ++from)
        {
            for (RackId to = 0; to < racks; ++to)
            {
                all.Add(from, to, share * loads.Get(from, to));
            }
        }
    }
    double most = 0;
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            most = own.Get(from, to) > 0 ? std::max(most, all.Get(from, to)) : most;
        }
    }
    return most;
}

/**
 * @param beginning of the job
 * @param phases in order
 * @param [in,out] plans circuits by phase
 * @param planOf by phase: index of its circuits
 * @return estimated end of the last phase, s
 */
double
EstimateTime(const CircuitRule::Beginning& beginning,
             const std::vector<TrainingPhase>& phases,
             std::vector<CircuitPlan>& plans,
             const std::vector<std::size_t>& planOf)
{
    const double dark = beginning.dark.GetSeconds();
    const auto overlaps = FindOverlaps(phases);
    std::vector<Matching> set = beginning.circuits;
    std::map<RackId, RackProgress> progress;
    double last = 0;
    for (std::size_t i = 0; i < phases.size(); ++i)
    {
        const TrainingPhase& phase = phases[i];
        CircuitPlan& plan = plans[planOf[i]];
        const double free = phase.begin.GetSeconds();
        double ready = 0; // its racks have ended what was before
        double begin = 0;
        for (const RackId rack : phase.racks)
        {
            const RackProgress& before = progress[rack];
            ready = std::max(ready, before.end);
            begin = std::max(begin, before.end + std::max(0.0, free - before.free));
        }
        double load = 0;
        double waits = 0; // for further turns
        if (beginning.isMultiHop)
        {
            if (plan.up < 0)
            {
                double asked = 0;
                for (const RackId rack : plan.racks)
                {
                    asked = std::max(asked, progress[rack].end);
                }
                bool isOther = false;
                for (uint32_t plane = 0; plane < plan.circuits.size(); ++plane)
                {
                    const Matching& turn = plan.circuits[plane].front();
                    isOther |= SetTurn(plan, plane, turn, nullptr, set);
                }
                plan.up = asked + (isOther ? dark : 0);
            }
            begin = std::max(begin, plan.up);
            load = GetSharedLoad(phases, i, overlaps[i], planOf, plan);
        }
        else
        {
            const DemandMatrix bytes = Spread(phase, plan.racks);
            uint32_t most = 0; // changes of a plane
            for (uint32_t plane = 0; plane < plan.circuits.size(); ++plane)
            {
                uint32_t changes = 0;
                for (const Matching& turn : plan.circuits[plane])
                {
                    changes += SetTurn(plan, plane, turn, &bytes, set) ? 1 : 0;
                }
                most = std::max(most, changes);
            }
            begin = std::max(begin, ready + (most > 0 ? dark : 0));
            waits = most > 1 ? (most - 1) * dark : 0;
            load = GetDirectLoad(bytes, plan.circuits);
        }
        const double longer = (load - static_cast<double>(phase.busiest)) * 8 / beginning.rate;
        const double end =
            begin + (phase.end - phase.begin).GetSeconds() + std::max(0.0, longer) + waits;
        for (const RackId rack : phase.racks)
        {
            progress[rack] = {end, phase.end.GetSeconds()};
        }
        last = std::max(last, end);
    }
    return last;
}

/**
 * @param beginning of a job
 * @param whole the job as one phase
 * @return circuits between its racks that are set; none if it cannot stay
 */
std::optional<CircuitRule::Circuits>
FindPresent(const CircuitRule::Beginning& beginning, const TrainingPhase& whole)
{
    const auto racks = static_cast<uint32_t>(whole.racks.size());
    const auto all = static_cast<uint32_t>(beginning.circuits.front().size());
    std::vector<RackId> indices(all, NO_RACK);
    for (RackId i = 0; i < racks; ++i)
    {
        indices[whole.racks[i]] = i;
    }
    std::vector<Matching> present(beginning.planes, Matching(racks, NO_RACK));
    bool leaves = false;
    for (uint32_t plane = 0; plane < beginning.planes; ++plane)
    {
        for (RackId i = 0; i < racks; ++i)
        {
            const RackId to = beginning.circuits[plane][whole.racks[i]];
            present[plane][i] = to == NO_RACK ? NO_RACK : indices[to];
            leaves |= to != NO_RACK && indices[to] == NO_RACK;
        }
    }
    const auto next = GetNext(present);
    const auto nextOfAll = GetNext(beginning.circuits);
    std::vector<std::vector<uint32_t>> hopsOfAll;
    for (RackId from = 0; leaves && beginning.isMultiHop && from < all; ++from)
    {
        hopsOfAll.push_back(FindHops(nextOfAll, from));
    }
    for (RackId from = 0; from < racks; ++from)
    {
        const std::vector<uint32_t> hops = FindHops(next, from);
        for (RackId to = 0; to < racks; ++to)
        {
            if (whole.bytes.Get(from, to) == 0)
            {
                continue;
            }
            if (hops[to] > (beginning.isMultiHop ? UINT32_MAX - 1 : 1))
            {
                return std::nullopt;
            }
            for (RackId over = 0; over < hopsOfAll.size(); ++over)
            {
                const uint64_t there = hopsOfAll[whole.racks[from]][over];
                const uint64_t back = hopsOfAll[over][whole.racks[to]];
                if (indices[over] == NO_RACK && there + back <= hops[to])
                {
                    return std::nullopt;
                }
            }
        }
    }
    CircuitRule::Circuits circuits;
    for (Matching& plane : present)
    {
        circuits.push_back({std::move(plane)});
    }
    return circuits;
}

} // namespace

TypeId
LeastTimeRule::GetTypeId()
{
    static TypeId tid = TypeIdOf<LeastTimeRule, CircuitRule>("ns3::odcn::LeastTimeRule");
    return tid;
}

LeastTimeRule::LeastTimeRule()
{
    for (const char* rule :
         {"PerJobRule", "PerIterationRule[Demand=all]", "PerPhaseRule", "PerStepRule"})
    {
        m_rules.push_back(CreateFromText<CircuitRule>("rule of circuits", rule));
    }
}

void
LeastTimeRule::DoDispose()
{
    m_rules.clear();
    m_jobs.clear();
    CircuitRule::DoDispose();
}

CircuitRule::Circuits
LeastTimeRule::ChooseFirst(const TrainingPhase& all, uint32_t planes)
{
    const Ptr<CircuitRule> ring =
        CreateFromText<CircuitRule>("rule of circuits", "StaticRule[Circuits=ring]");
    return all.isMultiHop ? ring->Choose(all, planes) : Circuits();
}

CircuitRule::Unit
LeastTimeRule::ChooseUnit(const Beginning& beginning)
{
    Job& job = m_jobs[beginning.job];
    job = {};
    const std::vector<TrainingPhase>& whole = beginning.getPhases(JOB);
    if (whole.empty())
    {
        job.rule = m_rules.front();
        return JOB; // it sends nothing between racks
    }
    const std::vector<TrainingPhase>& fine = beginning.getPhases(PHASE);
    const auto plan = [&](const TrainingPhase& phase, const Ptr<CircuitRule>& rule)
    {
        TrainingPhase known = phase;
        known.isMultiHop = beginning.isMultiHop;
        return CircuitPlan{phase.racks, rule->Choose(known, beginning.planes)};
    };
    Beginning settled = beginning;
    settled.dark = Time(0);
    const auto estimate = [&](const std::string& rule,
                              const std::vector<TrainingPhase>& phases,
                              const std::vector<CircuitPlan>& plans,
                              const std::vector<std::size_t>& planOf)
    {
        std::vector<CircuitPlan> own = plans;
        std::vector<CircuitPlan> again = plans;
        job.estimates.push_back({rule,
                                 EstimateTime(beginning, phases, own, planOf),
                                 EstimateTime(settled, phases, again, planOf)});
    };
    std::vector<Ptr<CircuitRule>> rules;
    if (const auto present = FindPresent(beginning, whole.front()))
    {
        job.circuits = *present;
        estimate("",
                 fine,
                 {{whole.front().racks, *present}},
                 std::vector<std::size_t>(fine.size(), 0));
        rules.push_back(nullptr);
    }
    for (const Ptr<CircuitRule>& rule : m_rules)
    {
        const Unit unit = rule->GetUnit();
        const std::vector<TrainingPhase>& units = beginning.getPhases(unit);
        std::vector<CircuitPlan> plans;
        for (const TrainingPhase& phase : units)
        {
            plans.push_back(plan(phase, rule));
        }
        // Circuits of a job or an iteration serve the phases that begin in it.
        const bool isOwn = unit == PHASE || unit == STEP;
        const std::vector<TrainingPhase>& phases = isOwn ? units : fine;
        std::vector<std::size_t> planOf;
        std::size_t at = 0;
        for (std::size_t i = 0; i < phases.size(); ++i)
        {
            while (!isOwn && at + 1 < units.size() && units[at + 1].begin <= phases[i].begin)
            {
                ++at;
            }
            planOf.push_back(isOwn ? i : at);
        }
        estimate(rule->GetInstanceTypeId().GetName(), phases, plans, planOf);
        rules.push_back(rule);
    }
    job.choice = Pick(beginning, job.estimates);
    job.rule = rules.at(job.choice);
    return job.rule ? job.rule->GetUnit() : JOB;
}

std::size_t
LeastTimeRule::Pick(const Beginning& /* beginning */, const std::vector<Estimate>& estimates)
{
    return FindLeast(estimates);
}

std::size_t
LeastTimeRule::FindLeast(const std::vector<Estimate>& estimates)
{
    const auto least =
        std::min_element(estimates.begin(),
                         estimates.end(),
                         [](const Estimate& a, const Estimate& b) { return a.time < b.time; });
    return static_cast<std::size_t>(least - estimates.begin());
}

CircuitRule::Circuits
LeastTimeRule::Choose(const TrainingPhase& phase, uint32_t planes)
{
    const auto job = m_jobs.find(phase.job);
    if (job == m_jobs.end())
    {
        throw OdcnError("LeastTimeRule: found a phase of job " + std::to_string(phase.job) +
                        ", expected ChooseUnit() before");
    }
    return job->second.rule ? job->second.rule->Choose(phase, planes) : job->second.circuits;
}

const std::vector<LeastTimeRule::Estimate>&
LeastTimeRule::GetEstimates(uint32_t job) const
{
    static const std::vector<Estimate> none;
    const auto found = m_jobs.find(job);
    return found == m_jobs.end() ? none : found->second.estimates;
}

std::size_t
LeastTimeRule::GetChoice(uint32_t job) const
{
    return m_jobs.at(job).choice;
}

} // namespace ns3::odcn
