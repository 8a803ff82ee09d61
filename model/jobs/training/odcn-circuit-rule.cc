// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-rule.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-matching.h"
#include "ns3/odcn-max-weight-matching.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(CircuitRule);
NS_OBJECT_ENSURE_REGISTERED(StaticRule);
NS_OBJECT_ENSURE_REGISTERED(PerJobRule);
NS_OBJECT_ENSURE_REGISTERED(PerIterationRule);
NS_OBJECT_ENSURE_REGISTERED(PerPhaseRule);
NS_OBJECT_ENSURE_REGISTERED(PerStepRule);

namespace
{

/// @param racks their number
/// @return number of circuits by pair of racks, none yet
DemandMatrix
CountNone(uint32_t racks)
{
    return DemandMatrix(racks);
}

/// @param matching circuits
/// @param [in,out] counts number of circuits by pair
void
Count(const Matching& matching, DemandMatrix& counts)
{
    for (RackId from = 0; from < matching.size(); ++from)
    {
        if (matching[from] != NO_RACK)
        {
            counts.Add(from, matching[from], 1);
        }
    }
}

/// @param bytes demand
/// @param counts number of circuits by pair
/// @return the matching of most bytes a circuit, with one more for each pair
Matching
FindNext(const DemandMatrix& bytes, const DemandMatrix& counts)
{
    DemandMatrix weights = bytes;
    for (RackId from = 0; from < bytes.GetNRacks(); ++from)
    {
        for (RackId to = 0; to < bytes.GetNRacks(); ++to)
        {
            weights.Set(from, to, bytes.Get(from, to) / (counts.Get(from, to) + 1));
        }
    }
    return MaxWeightMatching::Find(weights);
}

/// @param bytes demand
/// @param matching circuits
/// @return bytes of its largest pair
double
GetMost(const DemandMatrix& bytes, const Matching& matching)
{
    double most = 0;
    for (RackId from = 0; from < matching.size(); ++from)
    {
        most = matching[from] == NO_RACK ? most : std::max(most, bytes.Get(from, matching[from]));
    }
    return most;
}

/**
 * Lay matchings that cover all pairs once on planes.
 * @param bytes demand
 * @param matchings the matchings
 * @param planes number of planes
 * @return circuits: one turn with more circuits for the pairs with the most bytes if there are at
 * most as many matchings as planes; else several turns, the longest first, each on the plane that
 * ends first
 */
CircuitRule::Circuits
LayOut(const DemandMatrix& bytes, std::vector<Matching> matchings, uint32_t planes)
{
    CircuitRule::Circuits circuits(planes);
    if (matchings.size() <= planes)
    {
        DemandMatrix counts = CountNone(bytes.GetNRacks());
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            circuits[plane] = {plane < matchings.size() ? matchings[plane]
                                                        : FindNext(bytes, counts)};
            Count(circuits[plane].front(), counts);
        }
        return circuits;
    }
    std::stable_sort(matchings.begin(),
                     matchings.end(),
                     [&](const Matching& a, const Matching& b)
                     { return GetMost(bytes, a) > GetMost(bytes, b); });
    std::vector<double> ends(planes);
    for (const Matching& matching : matchings)
    {
        const auto first = std::min_element(ends.begin(), ends.end());
        *first += GetMost(bytes, matching);
        circuits[first - ends.begin()].push_back(matching);
    }
    return circuits;
}

/// @param racks their number
/// @param stride from a rack to the next
/// @return a ring
Matching
MakeRing(uint32_t racks, uint32_t stride)
{
    Matching ring;
    for (RackId rack = 0; rack < racks; ++rack)
    {
        ring.push_back((rack + stride) % racks);
    }
    return ring;
}

/// @param circuits one turn a plane
/// @param racks their number
/// @return whether they lead from each rack to all others
bool
Joins(const CircuitRule::Circuits& circuits, uint32_t racks)
{
    for (const bool isForward : {true, false})
    {
        std::vector<bool> isSeen(racks);
        std::vector<RackId> queue{0};
        isSeen[0] = true;
        for (std::size_t i = 0; i < queue.size(); ++i)
        {
            for (const auto& plane : circuits)
            {
                for (RackId from = 0; from < racks; ++from)
                {
                    const RackId to = plane.front()[from];
                    const RackId next = isForward ? to : from;
                    if (to != NO_RACK && (isForward ? from : to) == queue[i] && !isSeen[next])
                    {
                        isSeen[next] = true;
                        queue.push_back(next);
                    }
                }
            }
        }
        if (queue.size() < racks)
        {
            return false;
        }
    }
    return true;
}

/// Give ports that are left to any other racks. @param [in,out] matching circuits
void
Complete(Matching& matching)
{
    std::vector<bool> isReached(matching.size());
    for (const RackId to : matching)
    {
        if (to != NO_RACK)
        {
            isReached[to] = true;
        }
    }
    for (RackId from = 0; from < matching.size(); ++from)
    {
        for (RackId step = 1; matching[from] == NO_RACK && step < matching.size(); ++step)
        {
            const auto to = static_cast<RackId>((from + step) % matching.size());
            if (!isReached[to])
            {
                matching[from] = to;
                isReached[to] = true;
            }
        }
    }
}

/// @param racks their number
/// @param rings their number
/// @return strides coprime to the number of racks, nearest to a geometric series from 1
std::vector<uint32_t>
FindStrides(uint32_t racks, uint32_t rings)
{
    std::vector<uint32_t> known;
    for (uint32_t stride = 1; stride < racks; ++stride)
    {
        if (std::gcd(stride, racks) == 1)
        {
            known.push_back(stride);
        }
    }
    std::vector<uint32_t> strides;
    std::vector<uint32_t> left = known;
    for (uint32_t i = 0; i < rings; ++i)
    {
        left = left.empty() ? known : left;
        const double aim = std::pow(racks, static_cast<double>(i) / rings);
        const auto nearest = std::min_element(left.begin(),
                                              left.end(),
                                              [&](uint32_t a, uint32_t b)
                                              { return std::abs(a - aim) < std::abs(b - aim); });
        strides.push_back(*nearest);
        left.erase(nearest);
    }
    return strides;
}

/// @param bytes demand
/// @return matchings of largest demand, each pair in one of them
std::vector<Matching>
Cover(DemandMatrix bytes)
{
    std::vector<Matching> matchings;
    while (bytes.GetMaxLoad() > 0)
    {
        matchings.push_back(MaxWeightMatching::Find(bytes));
        for (RackId from = 0; from < bytes.GetNRacks(); ++from)
        {
            if (matchings.back()[from] != NO_RACK)
            {
                bytes.Set(from, matchings.back()[from], 0);
            }
        }
    }
    return matchings;
}

/**
 * Give all pairs with bytes a way.
 * @param phase a phase
 * @param [in,out] circuits one turn a plane; more are added where messages take one circuit
 */
void
Join(const TrainingPhase& phase, CircuitRule::Circuits& circuits)
{
    const auto racks = static_cast<uint32_t>(phase.racks.size());
    if (!phase.isMultiHop)
    {
        DemandMatrix left = phase.bytes;
        for (const auto& plane : circuits)
        {
            for (RackId from = 0; from < racks; ++from)
            {
                if (plane.front()[from] != NO_RACK)
                {
                    left.Set(from, plane.front()[from], 0);
                }
            }
        }
        uint32_t plane = 0;
        for (const Matching& matching : Cover(left))
        {
            circuits[plane++ % circuits.size()].push_back(matching);
        }
        return;
    }
    if (!Joins(circuits, racks))
    {
        circuits.back().front() = MakeRing(racks, 1);
    }
    for (auto& plane : circuits)
    {
        Complete(plane.front());
    }
}

/// @param phase a phase
/// @param circuits for it, each pair in a turn
/// @param planes number of planes
/// @return them; if messages may take several circuits, one turn alone, which joins all racks
CircuitRule::Circuits
CutTurns(const TrainingPhase& phase, CircuitRule::Circuits circuits, uint32_t planes)
{
    if (phase.isMultiHop)
    {
        circuits.resize(planes);
        for (auto& plane : circuits)
        {
            plane.resize(1, Matching(phase.racks.size(), NO_RACK));
        }
        Join(phase, circuits);
    }
    return circuits;
}

} // namespace

TypeId
CircuitRule::GetTypeId()
{
    static TypeId tid = TypeIdOf<CircuitRule, Object>("ns3::odcn::CircuitRule");
    return tid;
}

CircuitRule::Unit
CircuitRule::ChooseUnit(const Beginning& /* beginning */)
{
    return GetUnit();
}

CircuitRule::Circuits
CircuitRule::ChooseFirst(const TrainingPhase& all, uint32_t planes)
{
    return GetUnit() == RUN ? Choose(all, planes) : Circuits();
}

int64_t
CircuitRule::AssignStreams(int64_t /* stream */)
{
    return 0;
}

TypeId
StaticRule::GetTypeId()
{
    using T = StaticRule;
    static TypeId tid = TypeIdOf<StaticRule, CircuitRule>("ns3::odcn::StaticRule")
                            .Add(Attribute("Circuits",
                                           &T::m_kind,
                                           EXPANDER,
                                           {{RING, "ring"}, {EXPANDER, "expander"}}),
                                 "Which circuits.");
    return tid;
}

int64_t
StaticRule::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return 1;
}

CircuitRule::Circuits
StaticRule::Choose(const TrainingPhase& phase, uint32_t planes)
{
    const auto racks = static_cast<uint32_t>(phase.racks.size());
    Circuits circuits;
    if (m_kind == RING)
    {
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            circuits.push_back({MakeRing(racks, plane % 2 == 0 ? 1 : racks - 1)});
        }
        return circuits;
    }
    const auto expander = CreateObject<ExpanderSchedule>();
    if (m_stream >= 0)
    {
        expander->AssignStreams(m_stream);
    }
    expander->Build(racks, planes);
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        circuits.push_back({expander->GetPlane(plane).slots.front().to});
    }
    return circuits;
}

TypeId
PerJobRule::GetTypeId()
{
    using T = PerJobRule;
    static TypeId tid = TypeIdOf<PerJobRule, CircuitRule>("ns3::odcn::PerJobRule")
                            .Add(Attribute("Rings",
                                           &T::m_rings,
                                           PARALLEL,
                                           {{PARALLEL, "parallel"}, {TOTIENT, "totient"}}),
                                 "Which rings.");
    return tid;
}

CircuitRule::Circuits
PerJobRule::Choose(const TrainingPhase& phase, uint32_t planes)
{
    const auto racks = static_cast<uint32_t>(phase.racks.size());
    DemandMatrix rest = phase.bytes;
    double reduced = 0;
    double all = 0;
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            const double bytes = phase.reductions.Get(from, to);
            rest.Add(from, to, -bytes);
            reduced += bytes;
            all += phase.bytes.Get(from, to);
        }
    }
    const auto share = static_cast<uint32_t>(std::ceil(planes * reduced / all));
    const uint32_t rings = std::clamp(share, std::min(planes, 1U), planes);
    const std::vector<uint32_t> strides = FindStrides(racks, rings);
    const DemandMatrix& ringed = reduced > 0 ? phase.reductions : phase.bytes;
    DemandMatrix counts = CountNone(racks);
    Circuits circuits;
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        if (plane < rings)
        {
            circuits.push_back(
                {m_rings == TOTIENT ? MakeRing(racks, strides[plane]) : FindNext(ringed, counts)});
        }
        else
        {
            const Matching matching = MaxWeightMatching::Find(rest);
            for (RackId from = 0; from < racks; ++from)
            {
                if (matching[from] != NO_RACK)
                {
                    rest.Set(from, matching[from], rest.Get(from, matching[from]) / 2);
                }
            }
            circuits.push_back({matching});
        }
        Count(circuits.back().front(), counts);
    }
    Join(phase, circuits);
    return circuits;
}

TypeId
PerIterationRule::GetTypeId()
{
    using T = PerIterationRule;
    static TypeId tid = TypeIdOf<PerIterationRule, CircuitRule>("ns3::odcn::PerIterationRule")
                            .Add(Attribute("Demand",
                                           &T::m_demand,
                                           EXCHANGES,
                                           {{EXCHANGES, "exchanges"}, {ALL, "all"}}),
                                 "Which bytes count.");
    return tid;
}

CircuitRule::Circuits
PerIterationRule::Choose(const TrainingPhase& phase, uint32_t planes)
{
    const auto racks = static_cast<uint32_t>(phase.racks.size());
    DemandMatrix demand = phase.bytes;
    for (RackId from = 0; m_demand == EXCHANGES && from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            demand.Add(from, to, -phase.reductions.Get(from, to));
        }
    }
    demand = demand.GetMaxLoad() > 0 ? demand : phase.bytes;
    Circuits circuits(planes, {Matching(racks, NO_RACK)});
    std::vector<std::vector<bool>> isReached(planes, std::vector<bool>(racks));
    DemandMatrix counts = CountNone(racks);
    const uint32_t first = phase.isMultiHop ? 1 : 0;
    if (first > 0)
    {
        circuits[0] = {MakeRing(racks, 1)};
        Count(circuits[0].front(), counts);
    }
    const auto findPlane = [&](RackId from, RackId to) -> std::optional<uint32_t>
    {
        for (uint32_t plane = first; plane < planes; ++plane)
        {
            if (circuits[plane].front()[from] == NO_RACK && !isReached[plane][to])
            {
                return plane;
            }
        }
        return std::nullopt;
    };
    for (;;)
    {
        double most = 0;
        RackId bestFrom = 0;
        RackId bestTo = 0;
        for (RackId from = 0; from < racks; ++from)
        {
            for (RackId to = 0; to < racks; ++to)
            {
                // A pair without a circuit waits for ever, or takes those of others.
                const double a = demand.Get(from, to) / std::max(0.5, counts.Get(from, to));
                if (a > most && findPlane(from, to))
                {
                    most = a;
                    bestFrom = from;
                    bestTo = to;
                }
            }
        }
        if (most == 0)
        {
            break;
        }
        const uint32_t plane = *findPlane(bestFrom, bestTo);
        circuits[plane].front()[bestFrom] = bestTo;
        isReached[plane][bestTo] = true;
        counts.Add(bestFrom, bestTo, 1);
    }
    Join(phase, circuits);
    return circuits;
}

TypeId
PerPhaseRule::GetTypeId()
{
    static TypeId tid = TypeIdOf<PerPhaseRule, CircuitRule>("ns3::odcn::PerPhaseRule");
    return tid;
}

CircuitRule::Circuits
PerPhaseRule::Choose(const TrainingPhase& phase, uint32_t planes)
{
    return CutTurns(phase, LayOut(phase.bytes, Cover(phase.bytes), planes), planes);
}

TypeId
PerStepRule::GetTypeId()
{
    static TypeId tid = TypeIdOf<PerStepRule, CircuitRule>("ns3::odcn::PerStepRule");
    return tid;
}

CircuitRule::Circuits
PerStepRule::Choose(const TrainingPhase& phase, uint32_t planes)
{
    const auto racks = static_cast<uint32_t>(phase.racks.size());
    const uint32_t most = racks * racks; // of terms; the decomposition ends before
    const auto algorithm =
        MatchingAlgorithm::Create("BirkhoffMatching[Terms=" + std::to_string(most) + "]");
    DemandMatrix left = phase.bytes;
    std::vector<Matching> matchings;
    for (const WeightedMatching& term : algorithm->Compute(phase.bytes, {planes}))
    {
        Matching matching(racks, NO_RACK);
        bool isUsed = false;
        for (RackId from = 0; from < racks; ++from)
        {
            const RackId to = term.to[from];
            if (to != NO_RACK && left.Get(from, to) > 0)
            {
                matching[from] = to;
                left.Set(from, to, 0);
                isUsed = true;
            }
        }
        if (isUsed)
        {
            matchings.push_back(matching);
        }
    }
    for (Matching& matching : Cover(left)) // what rounding has left out
    {
        matchings.push_back(std::move(matching));
    }
    return CutTurns(phase, LayOut(phase.bytes, matchings, planes), planes);
}

} // namespace ns3::odcn
