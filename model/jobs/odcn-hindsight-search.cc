// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-hindsight-search.h"

#include "odcn-policy-registry.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(HindsightSearch);

namespace
{

/// Share of the temperature that is left at the end of the search.
constexpr double FINAL_TEMPERATURE = 0.01;

/// Share of the steps after which Start decides afresh all that follows the changed decisions.
constexpr double AFRESH = 0.25;

} // namespace

TypeId
HindsightSearch::GetTypeId()
{
    using T = HindsightSearch;
    static TypeId tid =
        TypeIdOf<HindsightSearch, DecisionPolicy>("ns3::odcn::HindsightSearch")
            .Add(Attribute("Start", &T::m_startWords, "ns3::odcn::RandomPolicy"),
                 "Policy whose episode is improved, as for PolicyRegistry::Find().")
            .Add(Attribute("Objective", &T::m_objective, "score"),
                 "What is minimised: a sum of terms NAME or NUMBER*NAME, where NAME is "
                 "score, reward (the sum of the rewards) or a figure of merit; e.g. "
                 "hot_blocks+2*moved_workers.")
            .Add(Attribute("Evaluations", &T::m_evaluations, 2000, 1),
                 "Number of episodes that are run to find the best.")
            .Add(Attribute("Temperature", &T::m_temperature, 0.01, 0),
                 "Initial temperature as a share of the objective of Start; 0 accepts no "
                 "worse episode.");
    return tid;
}

HindsightSearch::HindsightSearch()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

bool
HindsightSearch::IsNamedBy(const std::string& words)
{
    return words.substr(0, words.find('[')) == GetTypeId().GetName();
}

void
HindsightSearch::SetTwin(Ptr<DecisionProblem> twin, int64_t stream, uint64_t warmUp, uint64_t jobs)
{
    m_twin = twin;
    m_twinStream = stream;
    m_warmUp = warmUp;
    m_jobs = jobs;
    m_found = false;
}

std::vector<HindsightSearch::Term>
HindsightSearch::ReadObjective(const DecisionProblem& problem) const
{
    const auto figures = problem.GetFigures();
    std::string names = "score, reward";
    for (const auto& figure : figures)
    {
        names += ", " + figure.name;
    }
    std::vector<Term> terms;
    std::vector<std::string_view> fields;
    SplitText(m_objective, '+', fields);
    for (const auto field : fields)
    {
        Term term;
        const auto star = field.find('*');
        term.name = field.substr(star == std::string_view::npos ? 0 : star + 1);
        const auto weight = star == std::string_view::npos ? std::optional(1.0)
                                                           : ParseFinite(field.substr(0, star));
        const auto figure = std::find_if(figures.begin(),
                                         figures.end(),
                                         [&](const auto& f) { return f.name == term.name; });
        term.at = static_cast<std::size_t>(figure - figures.begin());
        if (!weight || (figure == figures.end() && term.name != "score" && term.name != "reward"))
        {
            throw OdcnError::InOption("Objective",
                                      m_objective,
                                      "NAME or NUMBER*NAME, added by +; names are " + names);
        }
        term.weight = *weight;
        terms.push_back(term);
    }
    return terms;
}

void
HindsightSearch::Configure(DecisionProblem& problem)
{
    auto terms = ReadObjective(problem);
    const auto choice = PolicyRegistry::Find(problem, m_startWords);
    if (IsNamedBy(choice.words))
    {
        throw OdcnError::InOption("Start", m_startWords, "another policy than HindsightSearch");
    }
    auto start = choice.Create();
    choice.Configure(problem, *start);
    m_start = start;
    m_terms = std::move(terms);
}

int64_t
HindsightSearch::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    m_startStream = stream + 1;
    return 1 + (m_start ? m_start->AssignStreams(m_startStream) : 0);
}

void
HindsightSearch::Reset()
{
    m_found = false;
}

void
HindsightSearch::Restart()
{
    m_start->AssignStreams(m_startStream);
    m_start->Reset();
}

uint64_t
HindsightSearch::GetKey(const DecisionProblem& problem, uint64_t n)
{
    const auto* named = dynamic_cast<const DecisionKey*>(&problem);
    return named ? named->GetDecisionKey() : n;
}

/// Takes the actions of a plan, those of Start where it has none, and records the episode.
class HindsightSearch::Recorder : public DecisionPolicy
{
  public:
    /// @param start decides what the plan has not  @param plan the plan
    Recorder(DecisionPolicy& start, const Plan& plan)
        : m_start(start),
          m_plan(plan)
    {
    }

    uint32_t Decide(const DecisionProblem& problem) override
    {
        const uint64_t key = GetKey(problem, episode.keys.size());
        const auto known = m_plan.find(key);
        const uint32_t action = known != m_plan.end() ? known->second : m_start.Decide(problem);
        episode.keys.push_back(key);
        episode.plan[key] = action;
        if (planned)
        {
            AddOption(problem, action);
        }
        return action;
    }

    Episode episode;    //!< what was decided
    bool planned{true}; //!< whether decisions are options: those of the warm-up are none

  private:
    /// Record a decision if it has a choice. @param problem to be decided  @param action taken
    void AddOption(const DecisionProblem& problem, uint32_t action)
    {
        m_mask.resize(problem.GetNActions());
        problem.Mask(m_mask.data());
        std::vector<uint32_t> actions;
        for (uint32_t i = 0; i < m_mask.size(); ++i)
        {
            if (m_mask[i])
            {
                actions.push_back(i);
            }
        }
        if (actions.size() > 1)
        {
            episode.options.push_back({episode.keys.size() - 1, action, std::move(actions)});
        }
    }

    DecisionPolicy& m_start;     //!< see constructor
    const Plan& m_plan;          //!< see constructor
    std::vector<uint8_t> m_mask; //!< working memory
};

HindsightSearch::Episode
HindsightSearch::RunTwin(const Plan& plan)
{
    Restart();
    m_twin->AssignStreams(m_twinStream);
    m_twin->Reset();
    Recorder recorder(*m_start, plan);
    if (m_warmUp > 0)
    {
        recorder.planned = false;
        m_twin->RunEpisode(recorder, m_warmUp);
        recorder.planned = true;
    }
    m_twin->ClearScore();
    const double reward = m_twin->IsDone() ? 0 : m_twin->RunEpisode(recorder, m_jobs).reward;
    Episode episode = std::move(recorder.episode);
    const auto values = m_twin->MeasureFigures();
    for (const auto& term : m_terms)
    {
        const double value = term.name == "score"    ? m_twin->GetScore()
                             : term.name == "reward" ? reward
                                                     : values[term.at].Get();
        // A figure that is not defined in this episode does not count.
        episode.objective += std::isnan(value) ? 0 : term.weight * value;
    }
    return episode;
}

HindsightSearch::Plan
HindsightSearch::Change(const Episode& episode)
{
    Plan plan = episode.plan;
    const auto pick = [&]() -> const Option&
    {
        const auto last = static_cast<uint32_t>(episode.options.size() - 1);
        return episode.options[m_random->GetInteger(0, last)];
    };
    const uint32_t changes = m_random->GetInteger(1, 2);
    std::size_t last = 0;
    for (uint32_t i = 0; i < changes; ++i)
    {
        const Option& option = pick();
        // Where one action is common, such as doing nothing, it is tried as often as all others.
        const uint32_t other = pick().action;
        const bool copy = m_random->GetInteger(0, 1) == 1 && other != option.action &&
                          std::binary_search(option.actions.begin(), option.actions.end(), other);
        const auto most = static_cast<uint32_t>(option.actions.size() - 1);
        plan[episode.keys[option.at]] =
            copy ? other : option.actions[m_random->GetInteger(0, most)];
        last = std::max(last, option.at);
    }
    // Later decisions may depend on what was changed.
    if (m_random->GetValue(0, 1) < AFRESH)
    {
        for (std::size_t i = last + 1; i < episode.keys.size(); ++i)
        {
            plan.erase(episode.keys[i]);
        }
    }
    return plan;
}

void
HindsightSearch::Search()
{
    Episode current = RunTwin({});
    m_startObjective = current.objective;
    m_bestObjective = current.objective;
    m_plan = current.plan;
    const double first = m_temperature * std::abs(current.objective);
    for (uint32_t n = 1; n < m_evaluations && !current.options.empty(); ++n)
    {
        auto next = RunTwin(Change(current));
        const double temperature =
            first * std::pow(FINAL_TEMPERATURE, static_cast<double>(n) / m_evaluations);
        const double worse = next.objective - current.objective;
        const double u = m_random->GetValue(0, 1);
        if (worse <= 0 || (temperature > 0 && u < std::exp(-worse / temperature)))
        {
            current = std::move(next);
        }
        if (current.objective < m_bestObjective)
        {
            m_bestObjective = current.objective;
            m_plan = current.plan;
        }
    }
}

uint32_t
HindsightSearch::Decide(const DecisionProblem& problem)
{
    if (!m_found)
    {
        if (!m_start || !m_twin)
        {
            throw OdcnError("HindsightSearch: expected a comparison of policies, which gives it "
                            "whole episodes to search; it "
                            "decides nowhere else");
        }
        Search();
        Restart();
        m_decided = 0;
        m_found = true;
    }
    const auto known = m_plan.find(GetKey(problem, m_decided++));
    return known != m_plan.end() ? known->second : m_start->Decide(problem);
}

} // namespace ns3::odcn
