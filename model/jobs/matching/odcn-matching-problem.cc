// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-matching-problem.h"

#include "ns3/object-factory.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-epoch-matching.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-max-weight-matching.h"
#include "ns3/odcn-object-text.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(MatchingProblem);

namespace
{

/// Epochs for which HELD and served-if-held assume that circuits are held.
constexpr double HELD_EPOCHS = 4;

/// @param racks number  @param value of a pair of different racks  @return the matrix
template <typename F>
DemandMatrix
Fill(uint32_t racks, F value)
{
    DemandMatrix matrix(racks);
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            if (from != to)
            {
                matrix.Set(from, to, value(from, to));
            }
        }
    }
    return matrix;
}

/// @param matrix a matrix  @return sum of its entries
double
Sum(const DemandMatrix& matrix)
{
    double sum = 0;
    for (RackId from = 0; from < matrix.GetNRacks(); ++from)
    {
        sum += matrix.GetSent(from);
    }
    return sum;
}

/// @param planes matchings  @return whether there is no circuit
bool
IsEmpty(const std::vector<Matching>& planes)
{
    return std::all_of(
        planes.begin(),
        planes.end(),
        [](const Matching& to)
        { return std::all_of(to.begin(), to.end(), [](RackId rack) { return rack == NO_RACK; }); });
}

} // namespace

TypeId
MatchingProblem::GetTypeId()
{
    using T = MatchingProblem;
    static TypeId tid =
        TypeIdOf<MatchingProblem, DecisionProblem>("ns3::odcn::MatchingProblem")
            .Add(Attribute("Racks", &T::m_racks, 8, 2, 4096), "Number of racks")
            .Add(Attribute("Planes", &T::m_planes, 2, 1, 64),
                 "Number of planes, that is of uplinks of each rack")
            .Add(Attribute("DarkShare", &T::m_darkShare, 0.1, 0, 1),
                 "Share of an epoch that a circuit loses when it changes")
            .Add(Attribute("Patterns", &T::m_patterns, "hot:8,skewed:0.5,permutation,uniform"),
                 "Patterns of DemandMatrix::Make() to draw from, separated by commas")
            .Add(Attribute("Load", &T::m_load, "ns3::UniformRandomVariable[Min=0.3|Max=0.8]"),
                 "Traffic that the busiest rack sends or receives, as a share of the rate "
                 "of its uplinks; drawn for each demand, 0 or more")
            .Add(Attribute("Hold", &T::m_hold, 25, 1),
                 "Mean number of epochs for which a demand holds")
            .Add(Attribute("Burstiness", &T::m_burstiness, 0.5, 0, 1),
                 "Coefficient of variation of a pair's arrivals in an epoch")
            .Add(Attribute("Epochs", &T::m_epochs, 200, 1), "Number of decisions of an episode")
            .Add(Attribute("Smoothing", &T::SetSmoothing, &T::GetSmoothing, 0.3, 0.001, 1),
                 "Weight of the last epoch in the moving average of arrivals");
    return tid;
}

MatchingProblem::MatchingProblem()
    // Created here: threads that run episodes must not create objects, see ns-3's reference counts.
    : m_meter(CreateObjectWithAttributes<DemandMeter>("Quantity", StringValue("Offered"))),
      m_birkhoff(MatchingAlgorithm::Create("BirkhoffMatching")),
      m_checks(CreateObject<UniformRandomVariable>()),
      m_draws(CreateObject<UniformRandomVariable>()),
      m_burst(CreateObject<ExponentialRandomVariable>())
{
    AwaitReset();
}

void
MatchingProblem::SetSmoothing(double smoothing)
{
    m_meter->SetAttribute("Smoothing", DoubleValue(smoothing));
}

double
MatchingProblem::GetSmoothing() const
{
    return GetAttributeOf<DoubleValue>(*m_meter, "Smoothing");
}

uint32_t
MatchingProblem::GetNActions() const
{
    return CANDIDATES;
}

std::vector<uint32_t>
MatchingProblem::GetObservationShape() const
{
    return {FEATURES, CANDIDATES};
}

std::vector<std::string>
MatchingProblem::GetFeatureNames() const
{
    return {"backlog-served",
            "expected-served",
            "served-if-held",
            "changed",
            "rate-covered",
            "waiting",
            "largest-left",
            "backlog"};
}

DecisionProblem::Bounds
MatchingProblem::GetObservationBounds() const
{
    return {GetObservationSize(), {-1.0F, 1.0F}};
}

int64_t
MatchingProblem::AssignStreams(int64_t stream)
{
    m_draws->SetStream(stream);
    m_burst->SetStream(stream + 1);
    m_load->SetStream(stream + 2);
    return 3;
}

void
MatchingProblem::Reset()
{
    std::vector<std::string> names;
    std::istringstream patterns(m_patterns);
    for (std::string name; std::getline(patterns, name, ',');)
    {
        // With random numbers of its own, so that those of the episode do not depend on the check.
        DemandMatrix::Make(name, m_racks, m_checks);
        names.push_back(name);
    }
    if (names.empty())
    {
        throw OdcnError::InOption("Patterns", m_patterns, "one or more patterns of demand");
    }
    AwaitReset();
    m_names = std::move(names);
    m_meter->Reset();
    m_backlog = m_arrived = m_served = m_waiting = DemandMatrix(m_racks);
    m_meter->Report(m_backlog, m_backlog);
    m_circuits = ExplicitSchedule::MakeShifts(m_racks, m_planes);
    m_shift = m_planes % (m_racks - 1);
    m_epoch = 0;
    m_following = false;
    m_owed = false;
    m_rewards.clear();
    ClearFigures();
    DrawDemand();
    Propose();
    BeginEpisode();
}

void
MatchingProblem::DrawDemand()
{
    const std::string& name = m_names[m_draws->GetInteger(0, m_names.size() - 1)];
    const DemandMatrix pattern = DemandMatrix::Make(name, m_racks, m_draws);
    std::vector<RackId> names(m_racks);
    std::iota(names.begin(), names.end(), 0);
    for (uint32_t i = m_racks - 1; i > 0; --i)
    {
        std::swap(names[i], names[m_draws->GetInteger(0, i)]);
    }
    const double load = m_load->GetValue();
    if (!(load >= 0))
    {
        throw OdcnError::InOption("Load", std::to_string(load), "0 or more");
    }
    m_mean = Fill(m_racks,
                  [&](RackId from, RackId to)
                  { return load * m_planes * pattern.Get(names[from], names[to]); });
}

std::vector<Matching>
MatchingProblem::FindMaxWeight(DemandMatrix backlog, double epochs, bool steady) const
{
    std::vector<Matching> planes;
    for (uint32_t plane = 0; plane < m_planes; ++plane)
    {
        const DemandMatrix weights =
            Fill(m_racks,
                 [&](RackId from, RackId to)
                 {
                     const bool stays = !steady || m_circuits[plane][from] == to;
                     if (m_usable && !m_usable(plane, from, to))
                     {
                         return 0.0;
                     }
                     return std::min(backlog.Get(from, to), epochs - (stays ? 0 : m_darkShare));
                 });
        planes.push_back(MaxWeightMatching::Find(weights));
        for (RackId from = 0; from < m_racks; ++from)
        {
            if (const RackId to = planes.back()[from]; to != NO_RACK)
            {
                backlog.Add(from, to, -weights.Get(from, to));
            }
        }
    }
    return planes;
}

void
MatchingProblem::Propose()
{
    const DemandMatrix& rate = m_meter->GetDemand();
    const auto expected = [&](double epochs)
    {
        return Fill(m_racks,
                    [&](RackId from, RackId to)
                    { return m_backlog.Get(from, to) + epochs * rate.Get(from, to); });
    };
    m_candidates.assign(CANDIDATES,
                        {m_usable ? AssignToPlanes({}, m_circuits, m_usable) : m_circuits, true});
    const auto propose = [&](Candidate candidate, std::vector<Matching> wanted)
    {
        m_candidates[candidate].feasible = !IsEmpty(wanted);
        m_candidates[candidate].circuits = AssignToPlanes(std::move(wanted), m_circuits, m_usable);
    };
    propose(BACKLOG, FindMaxWeight(m_backlog, 1, false));
    propose(STEADY, FindMaxWeight(m_backlog, 1, true));
    propose(EXPECTED, FindMaxWeight(expected(1), 1, true));
    propose(HELD, FindMaxWeight(expected(HELD_EPOCHS), HELD_EPOCHS, true));
    propose(RATE, FindMaxWeight(rate, 1, false));
    propose(OLDEST, FindMaxWeight(m_waiting, m_epoch + 1.0, false));
    std::vector<Matching> shifts(m_planes, Matching(m_racks));
    for (uint32_t plane = 0; plane < m_planes; ++plane)
    {
        for (RackId rack = 0; rack < m_racks; ++rack)
        {
            shifts[plane][rack] = (rack + 1 + (m_shift + plane) % (m_racks - 1)) % m_racks;
        }
    }
    propose(ROUND_ROBIN, std::move(shifts));
    DemandMatrix servable = expected(1);
    for (RackId from = 0; m_usable && from < m_racks; ++from)
    {
        for (RackId to = 0; to < m_racks; ++to)
        {
            bool any = false;
            for (uint32_t plane = 0; plane < m_planes; ++plane)
            {
                any = any || m_usable(plane, from, to);
            }
            servable.Set(from, to, any ? servable.Get(from, to) : 0);
        }
    }
    auto terms = m_birkhoff->Compute(servable, {m_planes});
    std::stable_sort(terms.begin(),
                     terms.end(),
                     [](const WeightedMatching& a, const WeightedMatching& b)
                     { return a.weight > b.weight; });
    std::vector<Matching> heaviest;
    for (const WeightedMatching& term : terms)
    {
        if (heaviest.size() < m_planes)
        {
            heaviest.push_back(term.to);
        }
    }
    propose(BIRKHOFF, std::move(heaviest));
}

DemandMatrix
MatchingProblem::GetCapacity(const std::vector<Matching>& circuits) const
{
    DemandMatrix capacity(m_racks);
    for (uint32_t plane = 0; plane < m_planes; ++plane)
    {
        for (RackId from = 0; from < m_racks; ++from)
        {
            if (const RackId to = circuits[plane][from]; to != NO_RACK)
            {
                capacity.Add(from, to, m_circuits[plane][from] == to ? 1 : 1 - m_darkShare);
            }
        }
    }
    return capacity;
}

uint32_t
MatchingProblem::CountChanged(const std::vector<Matching>& circuits) const
{
    uint32_t changed = 0;
    for (uint32_t plane = 0; plane < m_planes; ++plane)
    {
        for (RackId from = 0; from < m_racks; ++from)
        {
            changed += circuits[plane][from] != m_circuits[plane][from];
        }
    }
    return changed;
}

double
MatchingProblem::GetExpectedService(uint32_t action) const
{
    RequireBegun();
    const DemandMatrix capacity = GetCapacity(GetCandidate(action));
    const DemandMatrix& rate = m_meter->GetDemand();
    // clang-format off
    return Sum(Fill(m_racks,
                    [&](RackId from, RackId to) {
                        return std::min(m_backlog.Get(from, to) + rate.Get(from, to),
                                        capacity.Get(from, to));
                    }));
    // clang-format on
}

void
MatchingProblem::Observe(float* out) const
{
    RequireDecision();
    const DemandMatrix& rate = m_meter->GetDemand();
    const double all = GetNCircuits();
    const double rates = Sum(rate);
    const double backlog = Sum(m_backlog) / all;
    for (uint32_t action = 0; action < CANDIDATES; ++action)
    {
        const Option& option = m_candidates[action];
        const DemandMatrix capacity = GetCapacity(option.circuits);
        const double changed = CountChanged(option.circuits);
        double now = 0;
        double next = 0;
        double held = 0;
        double covered = 0;
        double waiting = 0;
        double pairs = 0;
        double left = 0;
        for (RackId from = 0; from < m_racks; ++from)
        {
            for (RackId to = 0; to < m_racks; ++to)
            {
                const double b = m_backlog.Get(from, to);
                const double c = capacity.Get(from, to);
                const double e = rate.Get(from, to);
                if (c == 0)
                {
                    left = std::max(left, b);
                    continue;
                }
                // As many circuits as planes that have the pair; each loses less than one epoch.
                double circuits = 0;
                for (const Matching& matching : option.circuits)
                {
                    circuits += matching[from] == to;
                }
                now += std::min(b, c);
                next += std::min(b + e, c);
                held += std::min(b + HELD_EPOCHS * e, c + (HELD_EPOCHS - 1) * circuits);
                covered += std::min(e, c);
                waiting += m_waiting.Get(from, to);
                ++pairs;
            }
        }
        waiting = pairs > 0 ? waiting / pairs : 0;
        const double features[FEATURES] = {now / all,
                                           next / all,
                                           held / HELD_EPOCHS / all,
                                           changed / all,
                                           rates > 0 ? covered / rates : 0,
                                           waiting / (waiting + 8),
                                           left / (left + 4),
                                           backlog / (backlog + 1)};
        for (uint32_t f = 0; f < FEATURES; ++f)
        {
            out[f * CANDIDATES + action] =
                option.feasible ? static_cast<float>(features[f]) : -1.0F;
        }
    }
}

void
MatchingProblem::Mask(uint8_t* out) const
{
    RequireDecision();
    for (const Option& option : m_candidates)
    {
        *out++ = option.feasible ? 1 : 0;
    }
}

void
MatchingProblem::Act(uint32_t action)
{
    RequireAction(action);
    if (m_owed)
    {
        throw OdcnError("MatchingProblem: Follow() comes before the next action");
    }
    const DemandMatrix capacity = GetCapacity(m_candidates[action].circuits);
    m_figures[2].total += CountChanged(m_candidates[action].circuits);
    m_circuits = m_candidates[action].circuits;
    if (action == ROUND_ROBIN)
    {
        m_shift = (m_shift + m_planes) % (m_racks - 1);
    }
    if (m_following)
    {
        m_owed = true;
        return;
    }
    const DemandMatrix arrived = Fill(m_racks,
                                      [&](RackId from, RackId to)
                                      {
                                          const double mean = m_mean.Get(from, to);
                                          const double burst = m_burst->GetValue(1, 0);
                                          return mean * (1 - m_burstiness + m_burstiness * burst);
                                      });
    DemandMatrix served(m_racks);
    for (RackId from = 0; from < m_racks; ++from)
    {
        for (RackId to = 0; to < m_racks; ++to)
        {
            const double all = m_backlog.Get(from, to) + arrived.Get(from, to);
            served.Set(from, to, std::min(all, capacity.Get(from, to)));
            m_backlog.Set(from, to, all - served.Get(from, to));
        }
    }
    EndEpoch(arrived, served);
    m_rewards.push_back(static_cast<float>(-Sum(m_backlog) / GetNCircuits()));
    SettleRewards({});
    if (m_draws->GetValue() * m_hold < 1)
    {
        DrawDemand();
    }
    Propose();
}

void
MatchingProblem::EndEpoch(const DemandMatrix& arrived, const DemandMatrix& served)
{
    ++m_epoch;
    m_meter->Report(arrived, m_backlog);
    const DemandMatrix capacity = GetCapacity(m_circuits);
    for (RackId from = 0; from < m_racks; ++from)
    {
        for (RackId to = 0; to < m_racks; ++to)
        {
            m_arrived.Add(from, to, arrived.Get(from, to));
            m_served.Add(from, to, served.Get(from, to));
            const bool waits = m_backlog.Get(from, to) > 0 && capacity.Get(from, to) == 0;
            m_waiting.Set(from, to, waits ? m_waiting.Get(from, to) + 1 : 0);
        }
    }
    const double left = Sum(m_backlog) / GetNCircuits();
    m_score.total += left;
    ++m_score.count;
    m_figures[0].total += left;
    ++m_figures[0].count;
    m_figures[1].total += Sum(served);
    m_figures[1].count += Sum(arrived);
    m_figures[2].count += GetNCircuits();
}

void
MatchingProblem::Follow(const DemandMatrix& arrived, const DemandMatrix& backlog)
{
    RequireBegun();
    for (const DemandMatrix* matrix : {&arrived, &backlog})
    {
        matrix->Check("measured traffic");
        if (matrix->GetNRacks() != m_racks)
        {
            throw OdcnError::InOption("measured traffic",
                                      std::to_string(matrix->GetNRacks()) + " racks",
                                      std::to_string(m_racks) + " racks");
        }
    }
    const DemandMatrix served =
        Fill(m_racks,
             [&](RackId from, RackId to)
             { return m_backlog.Get(from, to) + arrived.Get(from, to) - backlog.Get(from, to); });
    m_following = true;
    m_backlog = backlog;
    EndEpoch(arrived, served);
    if (m_owed)
    {
        m_rewards.push_back(static_cast<float>(-Sum(m_backlog) / GetNCircuits()));
        SettleRewards({});
        m_owed = false;
    }
    Propose();
}

bool
MatchingProblem::IsDone() const
{
    return !m_following && m_epoch >= m_epochs;
}

std::string
MatchingProblem::GetScoreName() const
{
    return "mean backlog";
}

void
MatchingProblem::ClearScore()
{
    DecisionProblem::ClearScore();
    ClearFigures();
}

void
MatchingProblem::ClearFigures()
{
    m_figures.assign(3, {0, 0});
}

std::vector<FigureOfMerit>
MatchingProblem::GetFigures() const
{
    return {{.name = "mean_backlog", .title = "backlog", .compare = FigureOfMerit::Compare::CHANGE},
            FigureOfMerit::Share("served", "served", FigureOfMerit::Kind::RATIO).Rising(),
            FigureOfMerit::Share("changed", "circuits changed", FigureOfMerit::Kind::RATIO)};
}

std::vector<FigureValue>
MatchingProblem::MeasureFigures() const
{
    return m_figures;
}

} // namespace ns3::odcn
