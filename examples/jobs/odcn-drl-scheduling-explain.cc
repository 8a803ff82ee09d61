// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-drl-scheduling-explain.h"

#include "ns3/odcn-action-scorer.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-decision-explanation.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Most features of a table; the others are one row.
constexpr std::size_t MOST_FEATURES = 8;

/// @param why a decision
/// @return its features by their share in the choice, the largest first; none without any
std::vector<DecisionExplanation::Feature>
SortFeatures(const DecisionExplanation& why)
{
    std::vector<DecisionExplanation::Feature> sorted = why.features;
    const auto share = [](const auto& feature)
    { return std::abs(feature.effect - feature.nextEffect); };
    std::erase_if(sorted, [&](const auto& feature) { return share(feature) == 0; });
    std::stable_sort(sorted.begin(),
                     sorted.end(),
                     [&](const auto& a, const auto& b) { return share(a) > share(b); });
    return sorted;
}

/// @param why a decision with a next best action
void
PrintFeatures(const DecisionExplanation& why)
{
    const std::string next = "rack " + std::to_string(*why.next);
    Table table(
        {"Feature", "rack " + std::to_string(why.action), "effect", next, "effect ", "in favour"});
    DecisionExplanation::Feature rest;
    const auto sorted = SortFeatures(why);
    for (std::size_t i = 0; i < sorted.size(); ++i)
    {
        const auto& feature = sorted[i];
        if (i >= MOST_FEATURES)
        {
            rest.effect += feature.effect;
            rest.nextEffect += feature.nextEffect;
            continue;
        }
        table.AddRow({feature.name,
                      FormatFixed(feature.value, 4),
                      FormatFixed(feature.effect, 4),
                      FormatFixed(feature.nextValue, 4),
                      FormatFixed(feature.nextEffect, 4),
                      FormatFixed(feature.effect - feature.nextEffect, 4)});
    }
    if (sorted.size() > MOST_FEATURES)
    {
        table.AddRow({std::to_string(sorted.size() - MOST_FEATURES) + " others",
                      "",
                      FormatFixed(rest.effect, 4),
                      "",
                      FormatFixed(rest.nextEffect, 4),
                      FormatFixed(rest.effect - rest.nextEffect, 4)});
    }
    table.Print(std::cout);
}

/// @param problem that waits for a decision
/// @param why the decision
void
PrintDecision(const OdcnScheduling& problem, const DecisionExplanation& why)
{
    const auto fit = std::count(why.feasible.begin(), why.feasible.end(), 1);
    std::cout << "\nVM " << problem.GetVmIndex() + 1 << " of " << problem.GetJob().vms.size()
              << ", " << problem.GetVm().Cores() << " cores: rack " << why.action << " of " << fit
              << " that fit, score " << FormatFixed(why.scores[why.action], 4);
    if (!why.next)
    {
        std::cout << "\n";
        return;
    }
    std::cout << "; next best rack " << *why.next << ", " << FormatFixed(why.scores[*why.next], 4)
              << "; mean " << FormatFixed(why.GetMeanScore(), 4) << "\n";
    PrintFeatures(why);
}

/// @param csv gets a row for each feature
/// @param policy that decides
/// @param problem that waits for the decision
/// @param why the decision
void
WriteDecision(CsvWriter& csv,
              const std::string& policy,
              const OdcnScheduling& problem,
              const DecisionExplanation& why)
{
    for (const auto& feature : why.features)
    {
        csv.Row(policy,
                problem.GetVmIndex() + 1,
                why.action,
                why.scores[why.action],
                why.next ? std::to_string(*why.next) : "",
                why.next ? why.scores[*why.next] : NAN,
                feature.name,
                feature.value,
                feature.effect,
                feature.nextValue,
                feature.nextEffect);
    }
}

} // namespace

void
ExplainJob(const Experiment& experiment, OutputFiles& files, uint64_t number)
{
    CsvWriter csv(files.Path("explain.csv"),
                  {"policy",
                   "vm",
                   "rack",
                   "score",
                   "next_rack",
                   "next_score",
                   "feature",
                   "value",
                   "effect",
                   "next_value",
                   "next_effect"});
    std::vector<std::string> silent;
    for (const Experiment::Row& row : experiment.GetRows())
    {
        const auto [made, policy] = experiment.Begin(0, row);
        if (!dynamic_cast<ActionScorer*>(PeekPointer(policy)))
        {
            silent.push_back(row.choice.name);
            continue;
        }
        auto& problem = dynamic_cast<OdcnScheduling&>(*made);
        while (problem.GetNDecided() < number && !problem.IsDone())
        {
            problem.Act(policy->Decide(problem));
        }
        if (problem.IsDone())
        {
            throw OdcnError::InOption("--explain",
                                      std::to_string(number),
                                      "a job that arrives: there are " +
                                          std::to_string(problem.GetNDecided()));
        }
        bool isPlaced = false;
        problem.SetObserver([&isPlaced](const DecisionOutcome& outcome, std::span<const float>)
                            { isPlaced = outcome.placed; });
        std::cout << "\n"
                  << row.choice.name << ", job " << number << ": " << problem.GetJob().vms.size()
                  << " VMs, " << problem.GetJob().demands.size() << " demands between them\n";
        while (problem.GetNDecided() == number && !problem.IsDone())
        {
            const DecisionExplanation why = DecisionExplanation::Of(*policy, problem);
            PrintDecision(problem, why);
            WriteDecision(csv, row.choice.name, problem, why);
            problem.Act(why.action);
        }
        std::cout << "\nThe job was " << (isPlaced ? "placed" : "blocked") << ".\n";
    }
    if (silent.size() == experiment.GetRows().size())
    {
        throw OdcnError("--explain: found policies without scores (" + JoinWords(silent) +
                        "), expected weighted sums or networks, such as linear");
    }
    std::cout << "\nEffect of a feature: by how much the score falls if the feature has its mean "
                 "over the racks that fit.\nIn favour: effect on the rack that is taken less that "
                 "on the next best one; of a weighted sum these add up\nto the difference of the "
                 "two scores.\n";
    if (!silent.empty())
    {
        std::cout << "Without scores: " << JoinWords(silent) << ".\n";
    }
    files.Commit(csv, "features of the decisions, with their effects");
    files.Finish(std::cout);
}
