// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-problem.h"

#include "odcn-squash.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(CircuitProblem);

namespace
{

/// Rules by action, as LeastTimeRule::Estimate names them.
const std::array<std::string, CircuitProblem::CHOICES> CIRCUIT_RULES{"",
                                                                     "ns3::odcn::PerJobRule",
                                                                     "ns3::odcn::PerIterationRule",
                                                                     "ns3::odcn::PerPhaseRule",
                                                                     "ns3::odcn::PerStepRule"};

/// Most runs that are kept.
constexpr std::size_t MAX_RUNS = 4096;

} // namespace

/// The rule of a run of CircuitProblem: the decisions so far, then the last one about an equal job,
/// then those of LeastTimeRule.
class CircuitReplay : public LeastTimeRule
{
  public:
    /// @param actions the decisions so far
    /// @param [out] steps gets all decisions; outlives this object
    CircuitReplay(std::vector<uint32_t> actions, std::vector<CircuitProblem::Step>& steps)
        : m_actions(std::move(actions)),
          m_steps(&steps)
    {
    }

  protected:
    std::size_t Pick(const Beginning& beginning, const std::vector<Estimate>& estimates) override
    {
        const CircuitProblem::Question question =
            CircuitProblem::MakeQuestion(beginning, estimates);
        const std::size_t choice = FindAction(question, estimates);
        const auto rule =
            std::find(CIRCUIT_RULES.begin(), CIRCUIT_RULES.end(), estimates[choice].rule);
        m_steps->push_back(
            {question, beginning.job, static_cast<uint32_t>(rule - CIRCUIT_RULES.begin())});
        return choice;
    }

  private:
    /// @param question a decision
    /// @param estimates of its choices
    /// @return index of the choice in estimates
    std::size_t FindAction(const CircuitProblem::Question& question,
                           const std::vector<Estimate>& estimates) const
    {
        if (m_steps->size() < m_actions.size())
        {
            return CircuitProblem::FindChoice(estimates, m_actions[m_steps->size()]);
        }
        for (std::size_t i = m_actions.size(); i-- > 0;)
        {
            if ((*m_steps)[i].question.alone == question.alone &&
                std::isfinite(question.times[m_actions[i]]))
            {
                return CircuitProblem::FindChoice(estimates, m_actions[i]);
            }
        }
        return CircuitProblem::FindChoice(estimates, CircuitProblem::CHOICES);
    }

    std::vector<uint32_t> m_actions;              //!< the decisions so far
    std::vector<CircuitProblem::Step>* m_steps{}; //!< all decisions
};

TypeId
CircuitProblem::GetTypeId()
{
    static TypeId tid = TypeIdOf<CircuitProblem, DecisionProblem>("ns3::odcn::CircuitProblem");
    return tid;
}

CircuitProblem::CircuitProblem(Runner runner)
    : m_runner(std::move(runner)),
      m_any(CreateObject<UniformRandomVariable>())
{
    AwaitReset();
}

void
CircuitProblem::Follow(const Question& question)
{
    m_question = question;
    m_isFollowing = true;
    m_done = false;
    BeginEpisode();
}

const CircuitProblem::Question&
CircuitProblem::GetQuestion() const
{
    RequireDecision();
    return m_question;
}

CircuitProblem::Question
CircuitProblem::MakeQuestion(const CircuitRule::Beginning& beginning,
                             const std::vector<LeastTimeRule::Estimate>& estimates)
{
    Question question;
    question.times.fill(std::numeric_limits<double>::infinity());
    question.settled = question.times;
    for (const LeastTimeRule::Estimate& estimate : estimates)
    {
        const auto rule = std::find(CIRCUIT_RULES.begin(), CIRCUIT_RULES.end(), estimate.rule);
        const auto action = static_cast<std::size_t>(rule - CIRCUIT_RULES.begin());
        question.times.at(action) = estimate.time;
        question.settled.at(action) = estimate.settled;
    }
    Time alone;
    for (const TrainingPhase& phase : beginning.getPhases(CircuitRule::PHASE))
    {
        alone = std::max(alone, phase.end);
    }
    question.alone = alone.GetSeconds();
    question.dark = beginning.dark.GetSeconds();
    question.waiting = beginning.waiting;
    return question;
}

std::size_t
CircuitProblem::FindChoice(const std::vector<LeastTimeRule::Estimate>& estimates, uint32_t action)
{
    for (std::size_t i = 0; action < CHOICES && i < estimates.size(); ++i)
    {
        if (estimates[i].rule == CIRCUIT_RULES[action])
        {
            return i;
        }
    }
    return LeastTimeRule::FindLeast(estimates);
}

uint32_t
CircuitProblem::GetNActions() const
{
    return CHOICES;
}

std::vector<uint32_t>
CircuitProblem::GetObservationShape() const
{
    return {FEATURES, CHOICES};
}

std::vector<std::string>
CircuitProblem::GetFeatureNames() const
{
    return {"longer",
            "slowdown",
            "settled",
            "settled-waiting",
            "payback",
            "payback-waiting",
            "job",
            "iteration",
            "phase",
            "step",
            "dark",
            "dark-phases",
            "waiting",
            "leaves"};
}

DecisionProblem::Bounds
CircuitProblem::GetObservationBounds() const
{
    return {GetObservationSize(), {-1.0F, 1.0F}};
}

void
CircuitProblem::Observe(float* out) const
{
    RequireDecision();
    const Question& q = m_question;
    const double least = *std::min_element(q.times.begin(), q.times.end());
    const double lasting = std::min(q.settled[STAY], q.settled[JOB]);
    const bool canStay = std::isfinite(q.times[STAY]);
    const float dark = Squash(q.dark / q.alone);
    const float waiting = Squash(q.waiting / 4.0);
    for (uint32_t action = 0; action < CHOICES; ++action)
    {
        const double time = q.times[action];
        const bool stays = action == STAY;
        const bool isFine = action == PHASE || action == STEP;
        const double gain = q.settled[STAY] - q.settled[action];
        float settled = 0;
        float payback = 0;
        if (stays || action == JOB)
        {
            settled = static_cast<float>(1 - lasting / q.settled[action]);
        }
        if (action == JOB && canStay && gain > 0)
        {
            const double cost = std::max(0.0, time - q.times[STAY]);
            payback = static_cast<float>(gain / (gain + cost));
        }
        const std::array<float, FEATURES> features{
            static_cast<float>(1 - least / time),
            static_cast<float>(std::max(0.0, 1 - q.alone / time)),
            settled,
            settled * waiting,
            payback,
            payback * waiting,
            action == JOB ? 1.0F : 0.0F,
            action == ITERATION ? 1.0F : 0.0F,
            action == PHASE ? 1.0F : 0.0F,
            action == STEP ? 1.0F : 0.0F,
            stays ? 0.0F : dark,
            isFine ? dark : 0.0F,
            stays ? 0.0F : waiting,
            !stays && canStay ? 1.0F : 0.0F};
        for (uint32_t feature = 0; feature < FEATURES; ++feature)
        {
            out[feature * CHOICES + action] = std::isfinite(time) ? features[feature] : -1.0F;
        }
    }
}

void
CircuitProblem::Mask(uint8_t* out) const
{
    RequireDecision();
    for (const double time : m_question.times)
    {
        *out++ = std::isfinite(time) ? 1 : 0;
    }
}

void
CircuitProblem::FindRun()
{
    const std::pair<uint32_t, std::vector<uint32_t>> key{m_episode, m_actions};
    if (const auto known = m_known.find(key); known != m_known.end())
    {
        m_run = known->second;
        return;
    }
    Run run;
    run.result =
        m_runner(Ptr<CircuitRule>(new CircuitReplay(m_actions, run.steps), false), m_episode);
    if (m_known.size() == MAX_RUNS)
    {
        m_known.clear();
    }
    m_run = m_known[key] = std::move(run);
}

void
CircuitProblem::GoOn()
{
    if (m_actions.size() < m_run.steps.size())
    {
        m_question = m_run.steps[m_actions.size()].question;
        return;
    }
    m_done = true;
    const Result& result = m_run.result;
    const double time = std::accumulate(result.times.begin(), result.times.end(), 0.0);
    const double alone = std::accumulate(result.alone.begin(), result.alone.end(), 0.0);
    const auto jobs = static_cast<double>(result.times.size());
    double slowdown = 0;
    for (std::size_t i = 0; i < result.times.size(); ++i)
    {
        slowdown += result.times[i] / result.alone[i];
    }
    m_score.total += time / alone;
    ++m_score.count;
    m_figures = {{time, jobs},
                 {slowdown, jobs},
                 {result.least, 1},
                 {static_cast<double>(result.unended), jobs}};
    for (const Step& step : m_run.steps)
    {
        m_rewards.push_back(static_cast<float>(-result.times.at(step.job) * jobs / alone));
    }
    if (!m_run.steps.empty())
    {
        SettleRewards({.decisions = m_run.steps.size()});
    }
}

void
CircuitProblem::Act(uint32_t action)
{
    RequireAction(action);
    if (m_isFollowing)
    {
        throw OdcnError("CircuitProblem: Act() after Follow(), expected Reset()");
    }
    const bool isFeasible = std::isfinite(m_question.times[action]);
    const uint32_t done = m_run.steps[m_actions.size()].action;
    const auto least = std::min_element(m_question.times.begin(), m_question.times.end());
    const auto meant =
        isFeasible ? action : static_cast<uint32_t>(least - m_question.times.begin());
    m_actions.push_back(meant);
    if (meant != done)
    {
        FindRun();
    }
    GoOn();
}

void
CircuitProblem::Reset()
{
    if (!m_runner)
    {
        throw OdcnError("CircuitProblem: Reset() without a runner, expected one");
    }
    AwaitReset();
    m_episode = m_any->GetInteger(0, UINT32_MAX - 1);
    m_actions.clear();
    m_rewards.clear();
    m_figures.assign(GetFigures().size(), {0, 0});
    m_isFollowing = false;
    m_done = false;
    FindRun();
    BeginEpisode();
    GoOn();
}

int64_t
CircuitProblem::AssignStreams(int64_t stream)
{
    m_any->SetStream(stream);
    return 1;
}

std::string
CircuitProblem::GetScoreName() const
{
    return "time";
}

std::vector<FigureOfMerit>
CircuitProblem::GetFigures() const
{
    using Kind = FigureOfMerit::Kind;
    return {{.name = "mean_time",
             .title = "time",
             .unit = "ms",
             .scale = 1e3,
             .kind = Kind::RATIO,
             .compare = FigureOfMerit::Compare::CHANGE},
            {.name = "slowdown", .title = "slowdown", .kind = Kind::RATIO},
            {.name = "bound", .title = "bound", .unit = "ms", .scale = 1e3, .kind = Kind::RATIO},
            FigureOfMerit::Share("unended", "jobs that did not end", Kind::RATIO)};
}

std::vector<FigureValue>
CircuitProblem::MeasureFigures() const
{
    return m_figures;
}

DecisionTally
CircuitProblem::GetTally() const
{
    return {.offered = m_actions.size(), .accepted = m_actions.size()};
}

} // namespace ns3::odcn
