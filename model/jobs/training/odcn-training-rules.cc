// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-problem.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-rule.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Rules for TrainingProblem: always the same candidate, or that with the least estimated slowdown,
 * of the job or of all jobs together. None lets a job wait.
 */
class TrainingRulePolicy : public DecisionPolicy
{
  public:
    /// What to take.
    enum Choice : uint8_t
    {
        PACKING,     //!< TrainingProblem::PACKING
        LOCALITY,    //!< TrainingProblem::LOCALITY
        FIRST,       //!< TrainingProblem::FIRST
        MAX_WEIGHT,  //!< TrainingProblem::MAX_WEIGHT
        RANDOM,      //!< TrainingProblem::RANDOM
        LEAST_OWN,   //!< the least TrainingProblem::GetSlowdown()
        LEAST_TOTAL, //!< the least TrainingProblem::GetTotalSlowdown()
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    Choice m_choice; //!< what to take
};

NS_OBJECT_ENSURE_REGISTERED(TrainingRulePolicy);

TypeId
TrainingRulePolicy::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<TrainingRulePolicy, DecisionPolicy>("ns3::odcn::TrainingRulePolicy")
            .Add(Attribute("Choice",
                           &TrainingRulePolicy::m_choice,
                           LEAST_TOTAL,
                           {{PACKING, "Packing"},
                            {LOCALITY, "Locality"},
                            {FIRST, "First"},
                            {MAX_WEIGHT, "MaxWeight"},
                            {RANDOM, "Random"},
                            {LEAST_OWN, "LeastOwn"},
                            {LEAST_TOTAL, "LeastTotal"}}),
                 "The candidate of TrainingProblem to take");
    return tid;
}

uint32_t
TrainingRulePolicy::Decide(const DecisionProblem& problem)
{
    const auto& training = AsProblem<TrainingProblem>(problem);
    if (m_choice < LEAST_OWN)
    {
        return training.GetAction(static_cast<TrainingProblem::Rule>(m_choice));
    }
    const auto& mask = GetMask(problem);
    return FindBestAction(
        problem.GetNActions(),
        [&](uint32_t action)
        { return mask[action] && action != training.GetAction(TrainingProblem::WAIT); },
        [&](uint32_t action)
        {
            return -(m_choice == LEAST_OWN ? training.GetSlowdown(action)
                                           : training.GetTotalSlowdown(action));
        });
}

namespace
{

/// The policies with a short name.
const PolicyRegistration TRAINING_POLICIES{
    "ns3::odcn::TrainingProblem",
    {{"random", "any free servers", "ns3::odcn::TrainingRulePolicy[Choice=Random]", {}},
     {"packing",
      "racks with the fewest free servers",
      "ns3::odcn::TrainingRulePolicy[Choice=Packing]",
      {}},
     {"locality",
      "first rack that has enough, else the emptiest racks",
      "ns3::odcn::TrainingRulePolicy[Choice=Locality]",
      {}},
     {"first", "lowest free servers", "ns3::odcn::TrainingRulePolicy[Choice=First]", {}},
     {"max-weight",
      "ranks that exchange the most bytes in one rack",
      "ns3::odcn::TrainingRulePolicy[Choice=MaxWeight]",
      {}},
     {"least-own",
      "candidate with the least estimated slowdown of the job",
      "ns3::odcn::TrainingRulePolicy[Choice=LeastOwn]",
      {}},
     {"least-total",
      "candidate with the least estimated slowdown of all jobs",
      "ns3::odcn::TrainingRulePolicy",
      {}},
     {"untrained",
      "network with random parameters",
      "ns3::odcn::AgentPolicy[Untrained=Scorer]",
      {}},
     {"linear", "weighted sum of features of a candidate", "ns3::odcn::LinearPolicy", {}},
     {"agent", "trained network", "ns3::odcn::AgentPolicy", {}},
     {"bound",
      "times alone, in the order of arrival",
      "ns3::odcn::TrainingRulePolicy[Choice=First]",
      {{"Sharing", "false"}},
      true}}};

} // namespace

} // namespace ns3::odcn
