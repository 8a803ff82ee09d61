// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-engine.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-take-index.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// No index.
constexpr uint32_t NONE = UINT32_MAX;
/// Of an operation that has ended, in place of what it waits for.
constexpr uint32_t ENDED = UINT32_MAX;
/// Numbers in tags.
constexpr uint64_t TAG_MASK = UINT32_MAX;

using Operation = TrainingProgram::Operation;
using Kind = TrainingProgram::Kind;

/**
 * Reverse lists of indices.
 * @param after tells the list of each index
 * @param n number of lists
 * @param [out] first by index: first of its successors in next, and the end
 * @param [out] next indices in whose lists an index is
 */
template <typename F>
void
Reverse(const F& after, uint32_t n, std::vector<uint32_t>& first, std::vector<uint32_t>& next)
{
    first.assign(n + 1, 0);
    for (uint32_t i = 0; i < n; ++i)
    {
        for (const uint32_t before : after(i))
        {
            ++first[before + 1];
        }
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        first[i + 1] += first[i];
    }
    next.resize(first[n]);
    std::vector<uint32_t> at(first.begin(), first.end() - 1);
    for (uint32_t i = 0; i < n; ++i)
    {
        for (const uint32_t before : after(i))
        {
            next[at[before]++] = i;
        }
    }
}

/// @param whole number of bytes
/// @param part number of parts, of which there are n
/// @param n number of parts
/// @return whole x part / n, rounded down
uint64_t
Share(uint64_t whole, uint64_t part, uint64_t n)
{
    return whole / n * part + whole % n * part / n;
}

/// @param a an operation
/// @param b an operation
/// @return whether both are the same collective, on two ranks
bool
IsSame(const Operation& a, const Operation& b)
{
    return a.what == b.what && a.bytes == b.bytes && a.weights == b.weights && a.isBack == b.isBack;
}

} // namespace

TrainingEngine::TrainingEngine(const TrainingJob& job,
                               std::vector<uint32_t> places,
                               uint64_t tag,
                               Settings settings)
    : m_job(job),
      m_places(std::move(places)),
      m_tag(tag),
      m_settings(std::move(settings))
{
    if (m_settings.iterations == 0)
    {
        m_settings.iterations = job.GetIterations();
    }
    std::set<Collective::Operation> used;
    for (const TrainingProgram& program : job.GetPrograms())
    {
        m_prepared.push_back(Prepare(program));
        for (const Operation& operation : program.GetOperations())
        {
            if (operation.kind == Kind::COLLECTIVE && used.insert(operation.what).second)
            {
                Collective::Make(m_settings.algorithms[operation.what], 2, 1);
            }
            if (operation.kind == Kind::COLLECTIVE && operation.weights > 0)
            {
                const auto& groups = job.GetCommunicators()[operation.communicator].groups;
                const auto ranks = static_cast<uint32_t>(groups.at(0).size());
                job.MakeCollective(operation, m_settings.algorithms[operation.what], ranks, 1, 0);
            }
        }
    }
    for (uint32_t rank = 0; rank < job.GetNRanks(); ++rank)
    {
        if (job.GetProgramOf(rank) >= m_prepared.size())
        {
            throw OdcnError("TrainingRun: job " + job.GetName() + ": rank " + std::to_string(rank) +
                            " has no program, expected one for each rank");
        }
    }
    for (const TrainingJob::Communicator& communicator : job.GetCommunicators())
    {
        std::vector<uint32_t>& indices = m_indexInGroup.emplace_back(job.GetNRanks(), NONE);
        for (const std::vector<uint32_t>& group : communicator.groups)
        {
            for (uint32_t i = 0; i < group.size(); ++i)
            {
                indices[group[i]] = i;
            }
        }
    }
    m_isSymmetric = m_settings.symmetric && CanBeSymmetric();
    m_ranks.resize(m_isSymmetric ? 1 : job.GetNRanks());
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        m_operationsLeft += uint64_t{m_settings.iterations} * GetPrepared(rank).waits.size();
    }
}

bool
TrainingEngine::CanBeSymmetric() const
{
    if (m_settings.jitter || m_settings.straggling || m_settings.communications > 1 ||
        std::min(m_settings.splits, m_settings.activeSplits) > 1)
    {
        return false;
    }
    for (uint32_t rank = 1; rank < m_job.GetNRanks(); ++rank)
    {
        if (m_job.GetProgramOf(rank) != m_job.GetProgramOf(0))
        {
            return false;
        }
    }
    const std::vector<Operation>& operations = GetPrepared(0).program->GetOperations();
    return std::all_of(operations.begin(),
                       operations.end(),
                       [&](const Operation& operation)
                       {
                           return operation.kind == Kind::COMPUTE ||
                                  (operation.kind == Kind::COLLECTIVE && IsEqualForAll(operation));
                       });
}

bool
TrainingEngine::IsEqualForAll(const Operation& operation) const
{
    const auto& communicator = m_job.GetCommunicators()[operation.communicator];
    const std::size_t n = communicator.groups.empty() ? 0 : communicator.groups.front().size();
    const bool isInGroups = std::count(communicator.groupOf.begin(),
                                       communicator.groupOf.end(),
                                       TrainingJob::Communicator::NONE) == 0;
    const bool areEqual = std::all_of(communicator.groups.begin(),
                                      communicator.groups.end(),
                                      [&](const auto& group) { return group.size() == n; });
    if (!isInGroups || !areEqual || operation.weights != 0)
    {
        return false;
    }
    if (operation.bytes == 0 || n == 1)
    {
        return true;
    }
    using What = Collective::Operation;
    const std::string& name = m_settings.algorithms.at(operation.what);
    const bool isRing = name.ends_with(":ring") && operation.what != What::ALL_TO_ALL;
    const bool isDirect = name.ends_with(":direct") && operation.what != What::BROADCAST;
    const uint64_t splits = CountSplits(operation);
    return (isRing || isDirect) && operation.bytes % (splits * n) == 0;
}

TrainingEngine::Prepared
TrainingEngine::Prepare(const TrainingProgram& program)
{
    const std::vector<Operation>& operations = program.GetOperations();
    const auto n = static_cast<uint32_t>(operations.size());
    Prepared prepared;
    prepared.program = &program;
    Reverse([&](uint32_t i) { return program.GetAfter(operations[i]); },
            n,
            prepared.first,
            prepared.next);
    std::map<std::tuple<Kind, int64_t, uint32_t>, uint32_t> counts;
    const auto getLike = [&](const Operation& operation)
    {
        return operation.kind == Kind::COLLECTIVE
                   ? std::tuple(operation.kind, int64_t{operation.communicator}, 0U)
                   : std::tuple(operation.kind, int64_t{operation.peer}, operation.tag);
    };
    for (const Operation& operation : operations)
    {
        prepared.waits.push_back(operation.nAfter);
        prepared.ordinals.push_back(counts[getLike(operation)]++);
    }
    for (const Operation& operation : operations)
    {
        prepared.totals.push_back(counts[getLike(operation)]);
    }
    LinkComputations(prepared);
    return prepared;
}

void
TrainingEngine::LinkComputations(Prepared& prepared)
{
    const std::vector<Operation>& operations = prepared.program->GetOperations();
    const auto n = static_cast<uint32_t>(operations.size());
    prepared.continued.assign(n, NONE);
    for (const Unit unit : {ACCELERATOR, PROCESSOR})
    {
        uint32_t last = NONE; // operation of the unit with the highest index so far
        bool isChain = true;  // whether each of them waits for the one before it
        for (uint32_t index = 0; index < n; ++index)
        {
            if (GetUnit(operations[index]) != unit)
            {
                continue;
            }
            if (last != NONE)
            {
                const auto after = prepared.program->GetAfter(operations[index]);
                isChain = isChain && std::find(after.begin(), after.end(), last) != after.end();
                const uint32_t successors = prepared.first[last + 1] - prepared.first[last];
                if (isChain && after.size() == 1 && successors == 1)
                {
                    prepared.continued[last] = index;
                }
            }
            last = index;
        }
    }
}

std::vector<std::vector<uint32_t>>
TrainingEngine::MakeSteps(const Operation& operation,
                          uint32_t ranks,
                          uint64_t bytes,
                          uint32_t iteration,
                          Plan& plan) const
{
    const Collective::Operation what = operation.what;
    std::vector<std::vector<uint32_t>> after;
    const std::string& name = m_settings.algorithms.at(what);
    const bool isAllReduce = what == Collective::Operation::ALL_REDUCE;
    const uint32_t all = isAllReduce ? 2 * (ranks - 1) : ranks - 1;
    const uint32_t rounds = m_settings.ringRounds;
    if (rounds > 0 && rounds < all && name.ends_with(":ring") &&
        what != Collective::Operation::ALL_TO_ALL)
    {
        const uint32_t adding = what == Collective::Operation::ALL_GATHER ? 0 : ranks - 1;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            const uint32_t begin = static_cast<uint32_t>(Share(all, round, rounds));
            const uint32_t end = static_cast<uint32_t>(Share(all, round + 1, rounds));
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                after.emplace_back();
                if (round > 0)
                {
                    after.back().push_back((round - 1) * ranks + (rank + ranks - 1) % ranks);
                }
                plan.steps.push_back({rank,
                                      (rank + 1) % ranks,
                                      Share(bytes, end, ranks) - Share(bytes, begin, ranks),
                                      end - begin,
                                      std::min(adding, end) - std::min(adding, begin),
                                      bytes / ranks});
            }
        }
        return after;
    }
    const Collective collective = m_job.MakeCollective(operation, name, ranks, bytes, iteration);
    for (const Collective::Step& step : collective.GetSteps())
    {
        const auto before = collective.GetAfter(step);
        after.emplace_back(before.begin(), before.end());
        plan.steps.push_back({step.from, step.to, step.bytes, 1, step.reduce, step.bytes});
    }
    return after;
}

std::vector<std::vector<uint32_t>>
TrainingEngine::MakeOwnSteps(Collective::Operation what,
                             uint32_t ranks,
                             uint64_t bytes,
                             Plan& plan) const
{
    using What = Collective::Operation;
    std::vector<std::vector<uint32_t>> after;
    const uint64_t block = bytes / ranks;
    const uint32_t adding = what == What::ALL_GATHER || what == What::ALL_TO_ALL ? 0 : ranks - 1;
    const uint32_t all = what == What::ALL_REDUCE ? 2 * (ranks - 1) : ranks - 1;
    if (m_settings.algorithms.at(what).ends_with(":direct"))
    {
        for (uint32_t i = 0; i < all; ++i)
        {
            // What an all-reduce sends second waits for all that is received first.
            after.emplace_back(i < ranks - 1 ? 0 : ranks - 1);
            std::iota(after.back().begin(), after.back().end(), 0U);
            plan.steps.push_back({0, i % (ranks - 1) + 1, block, 1, i < adding ? 1U : 0U, block});
        }
        return after;
    }
    const uint32_t rounds = m_settings.ringRounds > 0 ? std::min(m_settings.ringRounds, all) : all;
    for (uint32_t round = 0; round < rounds; ++round)
    {
        const uint32_t begin = static_cast<uint32_t>(Share(all, round, rounds));
        const uint32_t end = static_cast<uint32_t>(Share(all, round + 1, rounds));
        after.emplace_back(round > 0 ? 1 : 0, round - 1);
        const uint32_t reductions = std::min(adding, end) - std::min(adding, begin);
        plan.steps.push_back({0, 1, block * (end - begin), end - begin, reductions, block});
    }
    return after;
}

std::shared_ptr<const TrainingEngine::Plan>
TrainingEngine::GetPlan(const Operation& operation,
                        uint32_t ranks,
                        uint64_t bytes,
                        uint32_t iteration)
{
    const uint64_t weights = m_job.FindWeights(operation, iteration);
    std::shared_ptr<const Plan>& known = m_plans[{operation.what, ranks, bytes, weights}];
    if (known)
    {
        return known;
    }
    auto plan = std::make_shared<Plan>();
    const std::vector<std::vector<uint32_t>> after =
        m_isSymmetric ? MakeOwnSteps(operation.what, ranks, bytes, *plan)
                      : MakeSteps(operation, ranks, bytes, iteration, *plan);
    const uint32_t members = m_isSymmetric ? 1 : ranks;
    const auto n = static_cast<uint32_t>(plan->steps.size());
    const auto getAfter = [&](uint32_t i) -> const std::vector<uint32_t>& { return after[i]; };
    Reverse(getAfter, n, plan->first, plan->next);
    plan->parts.resize(members);
    std::vector<std::vector<uint32_t>> sent(members);
    for (uint32_t i = 0; i < n; ++i)
    {
        const Plan::Step& step = plan->steps[i];
        plan->waits.push_back(static_cast<uint32_t>(after[i].size()) + 1);
        uint32_t round = 0;
        for (const uint32_t before : after[i])
        {
            round = std::max(round, plan->rounds[before] + 1);
        }
        plan->rounds.push_back(round);
        sent[step.from].push_back(i);
        ++plan->parts[step.from];
        if (!m_isSymmetric)
        {
            ++plan->parts[step.to];
        }
    }
    plan->firstOf.push_back(0);
    for (const std::vector<uint32_t>& steps : sent)
    {
        plan->sent.insert(plan->sent.end(), steps.begin(), steps.end());
        plan->firstOf.push_back(static_cast<uint32_t>(plan->sent.size()));
    }
    known = plan;
    return known;
}

void
TrainingEngine::Begin(Time now, Time queued, std::vector<Message>& send)
{
    if (m_isStarted)
    {
        throw OdcnError("TrainingRun: job " + m_job.GetName() + " was started twice");
    }
    m_isStarted = true;
    m_send = &send;
    m_now = m_start = m_end = now;
    m_cause.times.Add(TrainingTimes::QUEUE, queued);
    m_times = m_cause.times;
    m_iterationEnds.assign(m_settings.iterations, Time(0));
    m_lastLinks.resize(std::min(m_settings.pathIterations, m_settings.iterations));
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        m_ranks[rank].factor = m_settings.straggling ? m_settings.straggling->GetValue() : 1;
        if (!GetPrepared(rank).waits.empty())
        {
            ++m_ranksLeft;
            BeginIteration(rank);
        }
    }
    Settle();
}

void
TrainingEngine::Receive(const Message& message, Time now, std::vector<Message>& send)
{
    const auto number = static_cast<uint32_t>(message.tag & TAG_MASK);
    Pending pending = std::move(m_pending[number]);
    m_freePending.push_back(number);
    m_send = &send;
    m_now = now;
    m_cause = std::move(pending.cause);
    const Time took = now - pending.since;
    TrainingTimes spent;
    switch (pending.what)
    {
    case What::COMPUTED:
        EndComputation(pending.a, pending.b, pending.since);
        break;
    case What::JOIN:
    {
        const Active& active = m_active[pending.a];
        spent.Add(TrainingTimes::OVERHEAD, took);
        Spend(spent,
              pending.since,
              {active.rank, active.operation},
              active.rank,
              false,
              &GetOperation(active.rank, active.operation));
        Join(pending.a, pending.b);
        break;
    }
    case What::STEP:
    {
        const Time own = m_settings.explain ? m_settings.explain(message, now, spent) : took;
        spent.Add(TrainingTimes::GetPart(m_list[pending.a].operation->what), own);
        SpendStep(spent, pending);
        const Plan::Step& step = m_list[pending.a].plan->steps[pending.b];
        Time after = m_settings.messageOverhead * static_cast<int64_t>(step.rounds) +
                     m_settings.roundTime * static_cast<int64_t>(step.rounds - 1);
        if (m_settings.reductionRate > 0)
        {
            const double access = static_cast<double>(step.block) / m_settings.reductionRate;
            after += NanoSeconds(3 * static_cast<int64_t>(step.reductions) *
                                 static_cast<int64_t>(std::floor(access)));
        }
        if (after.IsStrictlyPositive())
        {
            Wake({What::COUNT, pending.a, pending.b, 0, m_cause},
                 FindRank(pending.a, step.to),
                 after);
        }
        else
        {
            m_counted.emplace_back(pending.a, pending.b);
        }
        break;
    }
    case What::COUNT:
        spent.Add(TrainingTimes::OVERHEAD, took);
        SpendStep(spent, pending);
        m_counted.emplace_back(pending.a, pending.b);
        break;
    case What::SENT:
        spent.Add(TrainingTimes::SEND,
                  m_settings.explain ? m_settings.explain(message, now, spent) : took);
        Spend(spent,
              pending.since,
              {pending.a, pending.b},
              pending.a + GetOperation(pending.a, pending.b).peer,
              true);
        Arrive(pending.a, pending.b, pending.number);
        m_ended.emplace_back(pending.a, pending.b);
        break;
    }
    Settle();
}

void
TrainingEngine::SpendStep(const TrainingTimes& spent, const Pending& pending)
{
    const Instance& instance = m_list[pending.a];
    const Plan::Step& step = instance.plan->steps[pending.b];
    const Active& sender = m_active[instance.members[step.from].active];
    Spend(spent,
          pending.since,
          {sender.rank, sender.operation},
          FindRank(pending.a, step.to),
          pending.what == What::STEP,
          instance.operation);
}

void
TrainingEngine::Spend(const TrainingTimes& spent,
                      Time since,
                      std::pair<uint32_t, uint32_t> operation,
                      uint32_t to,
                      bool isMessage,
                      const Operation* collective)
{
    m_cause.times.Add(spent);
    const uint32_t iteration = m_ranks[operation.first].iteration;
    if (iteration >= m_lastLinks.size())
    {
        m_cause.link = nullptr;
        return;
    }
    const std::shared_ptr<Link> before = std::move(m_cause.link);
    m_cause.link = std::make_shared<Link>();
    Link& link = *m_cause.link;
    link.collective = collective;
    link.iteration = iteration;
    link.before = before && before->iteration == iteration ? before : nullptr;
    // Ranks that have programs of their own have operations of their own for a collective.
    const bool isSame = link.before && collective &&
                        (before->collective == collective ||
                         std::pair(before->step.rank, before->step.operation) == operation);
    if (isSame)
    {
        link.before = before->before;
        link.step = before->step;
    }
    else
    {
        link.step = {operation.first, to, operation.second, 0, since, since, {}};
    }
    link.step.last = to;
    link.step.end = m_now;
    link.step.times.Add(spent);
    link.step.messages += isMessage ? 1 : 0;
}

std::vector<TrainingPath>
TrainingEngine::GetPaths() const
{
    std::vector<TrainingPath> paths;
    for (uint32_t i = 0; i < m_lastLinks.size(); ++i)
    {
        std::vector<TrainingStep> steps;
        for (const Link* link = m_lastLinks[i].get(); link; link = link->before.get())
        {
            TrainingStep step = link->step;
            step.begin -= m_start;
            step.end -= m_start;
            steps.push_back(step);
        }
        std::reverse(steps.begin(), steps.end());
        paths.emplace_back(std::move(steps), i > 0 ? m_iterationEnds[i - 1] : Time(0));
    }
    return paths;
}

uint32_t
TrainingEngine::FindRank(uint32_t instance, uint32_t index) const
{
    const Instance& found = m_list[instance];
    const uint32_t communicator = found.operation->communicator;
    const auto& ranks = m_job.GetCommunicators()[communicator].groups[found.group];
    const uint32_t first = m_isSymmetric ? m_indexInGroup[communicator][0] : 0;
    return ranks[(first + index) % ranks.size()];
}

void
TrainingEngine::BeginIteration(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    const Prepared& prepared = GetPrepared(rank);
    state.waits = prepared.waits;
    state.left = static_cast<uint32_t>(state.waits.size());
    for (uint32_t index = 0; index < prepared.waits.size(); ++index)
    {
        if (prepared.waits[index] == 0)
        {
            SetReady(rank, index);
        }
    }
}

void
TrainingEngine::Settle()
{
    while (!m_counted.empty() || !m_ended.empty() || !m_touched.empty())
    {
        if (!m_counted.empty())
        {
            const auto [instance, step] = m_counted.front();
            m_counted.pop_front();
            Count(instance, step);
        }
        else if (!m_ended.empty())
        {
            const auto [rank, index] = m_ended.front();
            m_ended.pop_front();
            EndOperation(rank, index);
        }
        else
        {
            const uint32_t rank = m_touched.back();
            m_touched.pop_back();
            m_ranks[rank].isTouched = false;
            UseUnits(rank);
        }
    }
    m_send = nullptr;
}

void
TrainingEngine::Touch(uint32_t rank)
{
    if (!std::exchange(m_ranks[rank].isTouched, true))
    {
        m_touched.push_back(rank);
    }
}

TrainingEngine::Unit
TrainingEngine::GetUnit(const Operation& operation)
{
    switch (operation.kind)
    {
    case Kind::COMPUTE:
        return operation.duration.IsZero()                            ? N_UNITS
               : operation.unit == TrainingProgram::Unit::ACCELERATOR ? ACCELERATOR
                                                                      : PROCESSOR;
    case Kind::COLLECTIVE:
    case Kind::SEND:
        return operation.bytes == 0 ? N_UNITS : COMMUNICATION;
    default:
        return N_UNITS;
    }
}

const std::vector<uint32_t>*
TrainingEngine::FindGroup(const Operation& operation, uint32_t rank) const
{
    const auto& communicator = m_job.GetCommunicators()[operation.communicator];
    const uint32_t group = communicator.groupOf[rank];
    if (group == TrainingJob::Communicator::NONE)
    {
        throw OdcnError("TrainingRun: job " + m_job.GetName() + ": rank " + std::to_string(rank) +
                        " runs a collective of " + communicator.name +
                        ", which leaves it out, expected one of its own groups");
    }
    const auto& ranks = communicator.groups[group];
    return operation.bytes == 0 || ranks.size() == 1 ? nullptr : &ranks;
}

void
TrainingEngine::SetReady(uint32_t rank, uint32_t index)
{
    const Operation& operation = GetOperation(rank, index);
    const Unit unit = GetUnit(operation);
    if (operation.kind == Kind::RECEIVE)
    {
        const uint32_t from = rank + operation.peer;
        const Key key{from, rank, operation.tag, GetNumber(rank, index)};
        if (m_arrived.erase(key) > 0)
        {
            m_ended.emplace_back(rank, index);
        }
        else
        {
            m_posted[key] = index;
        }
        return;
    }
    if (unit == N_UNITS || (operation.kind == Kind::COLLECTIVE && !FindGroup(operation, rank)))
    {
        if (operation.kind == Kind::SEND)
        {
            Arrive(rank, index, GetNumber(rank, index));
        }
        m_ended.emplace_back(rank, index);
        return;
    }
    m_ranks[rank].ready[unit].push(index);
    Touch(rank);
}

void
TrainingEngine::UseUnits(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    for (uint32_t unit = 0; unit < N_UNITS; ++unit)
    {
        const uint32_t most = unit == COMMUNICATION ? m_settings.communications : 1;
        while (state.busy[unit] < most && !state.ready[unit].empty())
        {
            const uint32_t index = state.ready[unit].top();
            state.ready[unit].pop();
            ++state.busy[unit];
            BeginOperation(rank, index);
        }
    }
}

void
TrainingEngine::BeginOperation(uint32_t rank, uint32_t index)
{
    switch (GetOperation(rank, index).kind)
    {
    case Kind::COMPUTE:
        BeginComputation(rank, index);
        break;
    case Kind::SEND:
        BeginSend(rank, index);
        break;
    default:
    {
        const uint32_t active = TakeIndex(m_active, m_freeActive);
        const uint32_t splits = CountSplits(GetOperation(rank, index));
        m_active[active] = {rank, index, GetNumber(rank, index) * m_settings.splits, 0, splits};
        for (uint32_t i = 0; i < std::min(splits, m_settings.activeSplits); ++i)
        {
            BeginSplit(active);
        }
    }
    }
}

uint32_t
TrainingEngine::FindContinued(uint32_t rank, uint32_t index) const
{
    // Factors are drawn when a computation begins.
    return m_settings.jitter ? NONE : GetPrepared(rank).continued[index];
}

Time
TrainingEngine::FindDuration(uint32_t rank, uint32_t index)
{
    const Time duration = GetOperation(rank, index).duration;
    const double factor =
        m_ranks[rank].factor * (m_settings.jitter ? m_settings.jitter->GetValue() : 1);
    if (factor == 1)
    {
        return duration;
    }
    const double steps = static_cast<double>(duration.GetTimeStep()) * std::max(0.0, factor);
    return Time(static_cast<int64_t>(std::llround(steps)));
}

void
TrainingEngine::BeginComputation(uint32_t rank, uint32_t index)
{
    Time duration;
    for (uint32_t i = index; i != NONE; i = FindContinued(rank, i))
    {
        duration += FindDuration(rank, i);
    }
    Wake({What::COMPUTED, rank, index, 0, m_cause}, rank, duration);
}

void
TrainingEngine::EndComputation(uint32_t rank, uint32_t index, Time since)
{
    const auto spend = [&](uint32_t computation)
    {
        TrainingTimes spent;
        spent.Add(TrainingTimes::COMPUTATION, m_now - since);
        Spend(spent, since, {rank, computation}, rank, false);
        since = m_now;
    };
    const Time end = m_now;
    Rank& state = m_ranks[rank];
    for (uint32_t next = FindContinued(rank, index); next != NONE;)
    {
        m_now = since + FindDuration(rank, index);
        spend(index);
        state.waits[index] = ENDED;
        state.waits[next] = 0;
        --state.left;
        --m_operationsLeft;
        index = std::exchange(next, FindContinued(rank, next));
    }
    m_now = end;
    spend(index);
    m_ended.emplace_back(rank, index);
}

void
TrainingEngine::BeginSend(uint32_t rank, uint32_t index)
{
    const Operation& operation = GetOperation(rank, index);
    Send({What::SENT, rank, index, GetNumber(rank, index), m_cause},
         rank,
         rank + operation.peer,
         operation.bytes);
}

void
TrainingEngine::EndOperation(uint32_t rank, uint32_t index)
{
    Rank& state = m_ranks[rank];
    const Prepared& prepared = GetPrepared(rank);
    const Operation& operation = GetOperation(rank, index);
    const Unit unit = GetUnit(operation);
    if (unit != N_UNITS && (operation.kind != Kind::COLLECTIVE || FindGroup(operation, rank)))
    {
        --state.busy[unit];
        Touch(rank);
    }
    m_end = m_now;
    m_times = m_cause.times;
    --m_operationsLeft;
    state.waits[index] = ENDED;
    for (uint32_t i = prepared.first[index]; i < prepared.first[index + 1]; ++i)
    {
        if (--state.waits[prepared.next[i]] == 0)
        {
            SetReady(rank, prepared.next[i]);
        }
    }
    if (--state.left > 0)
    {
        return;
    }
    m_iterationEnds[state.iteration] = m_now - m_start;
    if (state.iteration < m_lastLinks.size())
    {
        m_lastLinks[state.iteration] =
            m_cause.link && m_cause.link->iteration == state.iteration ? m_cause.link : nullptr;
    }
    if (++state.iteration < m_settings.iterations)
    {
        BeginIteration(rank);
    }
    else
    {
        --m_ranksLeft;
    }
}

uint64_t
TrainingEngine::GetNumber(uint32_t rank, uint32_t index) const
{
    const Prepared& prepared = GetPrepared(rank);
    return uint64_t{m_ranks[rank].iteration} * prepared.totals[index] + prepared.ordinals[index];
}

uint32_t
TrainingEngine::CountSplits(const Operation& operation) const
{
    return static_cast<uint32_t>(std::min<uint64_t>(m_settings.splits, operation.bytes));
}

void
TrainingEngine::BeginSplit(uint32_t index)
{
    const uint32_t split = m_active[index].next++;
    if (m_settings.messageOverhead.IsStrictlyPositive())
    {
        Wake({What::JOIN, index, split, 0, m_cause},
             m_active[index].rank,
             m_settings.messageOverhead);
    }
    else
    {
        Join(index, split);
    }
}

uint32_t
TrainingEngine::MakeInstance(const Active& active, uint32_t split, uint64_t key)
{
    const Operation& operation = GetOperation(active.rank, active.operation);
    const auto& ranks = *FindGroup(operation, active.rank);
    const uint32_t splits = CountSplits(operation);
    const uint64_t bytes =
        Share(operation.bytes, split + 1, splits) - Share(operation.bytes, split, splits);
    Instance made;
    made.plan = GetPlan(operation,
                        static_cast<uint32_t>(ranks.size()),
                        bytes,
                        m_settings.first + m_ranks[active.rank].iteration);
    made.operation = &operation;
    made.group = m_job.GetCommunicators()[operation.communicator].groupOf[active.rank];
    made.waits = made.plan->waits;
    for (const uint32_t parts : made.plan->parts)
    {
        made.members.push_back({NONE, parts});
    }
    made.left = static_cast<uint32_t>(made.members.size());
    made.key = key;
    const uint32_t index = TakeIndex(m_list, m_freeInstances);
    m_list[index] = std::move(made);
    m_instances[key] = index;
    return index;
}

void
TrainingEngine::Join(uint32_t index, uint32_t split)
{
    const Active active = m_active[index];
    const Operation& operation = GetOperation(active.rank, active.operation);
    const auto& communicators = m_job.GetCommunicators();
    uint64_t key = active.number + split;
    key = key * m_job.GetNRanks() + communicators[operation.communicator].groupOf[active.rank];
    key = key * communicators.size() + operation.communicator;
    const auto found = m_instances.find(key);
    const uint32_t i =
        found == m_instances.end() ? MakeInstance(active, split, key) : found->second;
    if (!IsSame(*m_list[i].operation, operation))
    {
        throw OdcnError("TrainingRun: job " + m_job.GetName() + ": rank " +
                        std::to_string(active.rank) + " runs another collective than others of " +
                        communicators[operation.communicator].name + ", operation " +
                        std::to_string(operation.id) + ": expected the same one on all ranks");
    }
    const uint32_t member = m_isSymmetric ? 0 : m_indexInGroup[operation.communicator][active.rank];
    m_list[i].members[member].active = index;
    const std::shared_ptr<const Plan> plan = m_list[i].plan;
    for (uint32_t s = plan->firstOf[member]; s < plan->firstOf[member + 1]; ++s)
    {
        Release(i, plan->sent[s]);
    }
    CheckMember(i, member);
}

void
TrainingEngine::Release(uint32_t instance, uint32_t step)
{
    Instance& state = m_list[instance];
    if (--state.waits[step] > 0)
    {
        return;
    }
    const Plan::Step& sent = state.plan->steps[step];
    if (sent.bytes == 0)
    {
        m_counted.emplace_back(instance, step);
        return;
    }
    Send({What::STEP, instance, step, 0, m_cause},
         FindRank(instance, sent.from),
         FindRank(instance, sent.to),
         sent.bytes);
}

void
TrainingEngine::Count(uint32_t instance, uint32_t step)
{
    const std::shared_ptr<const Plan> plan = m_list[instance].plan;
    for (uint32_t i = plan->first[step]; i < plan->first[step + 1]; ++i)
    {
        Release(instance, plan->next[i]);
    }
    const Plan::Step& received = plan->steps[step];
    for (const uint32_t member : {received.from, received.to})
    {
        if (member < plan->parts.size()) // rather than another rank like this one
        {
            --m_list[instance].members[member].left;
            CheckMember(instance, member);
        }
    }
}

void
TrainingEngine::CheckMember(uint32_t instance, uint32_t member)
{
    const Member& part = m_list[instance].members[member];
    if (part.active == NONE || part.left > 0)
    {
        return;
    }
    const uint32_t index = part.active;
    if (--m_list[instance].left == 0)
    {
        m_instances.erase(m_list[instance].key);
        m_list[instance] = {};
        m_freeInstances.push_back(instance);
    }
    Active& active = m_active[index];
    if (--active.left == 0)
    {
        m_ended.emplace_back(active.rank, active.operation);
        m_freeActive.push_back(index);
    }
    else if (active.next < CountSplits(GetOperation(active.rank, active.operation)))
    {
        BeginSplit(index);
    }
}

void
TrainingEngine::Arrive(uint32_t from, uint32_t index, uint64_t number)
{
    const Operation& operation = GetOperation(from, index);
    const uint32_t to = from + operation.peer;
    const Key key{from, to, operation.tag, number};
    const auto posted = m_posted.find(key);
    if (posted == m_posted.end())
    {
        m_arrived[key] = true;
        return;
    }
    m_ended.emplace_back(to, posted->second);
    m_posted.erase(posted);
}

void
TrainingEngine::Send(Pending pending, uint32_t from, uint32_t to, uint64_t bytes)
{
    const uint32_t number = TakeIndex(m_pending, m_freePending);
    m_pending[number] = std::move(pending);
    m_pending[number].since = m_now;
    m_nMessages += m_isSymmetric ? m_job.GetNRanks() : 1;
    m_send->push_back({0, m_places[from], m_places[to], bytes, m_tag + number, m_now});
}

void
TrainingEngine::Wake(Pending pending, uint32_t rank, Time after)
{
    const uint32_t number = TakeIndex(m_pending, m_freePending);
    m_pending[number] = std::move(pending);
    m_pending[number].since = m_now;
    const uint32_t place = m_places[rank];
    m_send->push_back({0, place, place, 0, m_tag + number, m_now + after});
}

TrainingRun::Purpose
TrainingEngine::GetPurpose(const Message& message) const
{
    const Pending& pending = m_pending[static_cast<uint32_t>(message.tag & TAG_MASK)];
    if (pending.what == What::SENT)
    {
        const uint64_t number = uint64_t{pending.a} << 32 | pending.b;
        return {.number = number, .iteration = m_ranks[pending.a].iteration};
    }
    const Instance& instance = m_list[pending.a];
    const uint32_t communicator = instance.operation->communicator;
    const uint32_t from = FindRank(pending.a, instance.plan->steps[pending.b].from);
    return {communicator,
            instance.operation->what,
            instance.key,
            instance.plan->rounds[pending.b],
            m_ranks[m_isSymmetric ? 0 : from].iteration};
}

std::string
TrainingEngine::DescribeUnfinished() const
{
    if (m_isStarted && m_ranksLeft == 0)
    {
        return "";
    }
    const std::string text = "job " + m_job.GetName() + ": " + std::to_string(m_operationsLeft) +
                             " operations have not ended";
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        const Rank& state = m_ranks[rank];
        const auto first = std::find(state.waits.begin(), state.waits.end(), 0U);
        if (first != state.waits.end())
        {
            const Operation& operation =
                GetOperation(rank, static_cast<uint32_t>(first - state.waits.begin()));
            const std::string& name = GetPrepared(rank).program->GetName(operation);
            return text + "; the first is " + std::to_string(operation.id) + " " + name +
                   (name.empty() ? "" : " ") + "of rank " + std::to_string(rank) +
                   " in iteration " + std::to_string(state.iteration);
        }
    }
    return text;
}

} // namespace ns3::odcn
