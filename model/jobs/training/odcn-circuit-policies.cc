// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-problem.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-rule.h"

#include <cmath>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Rules for CircuitProblem: the same choice for all jobs, or that of the least estimated time.
 */
class CircuitChoicePolicy : public DecisionPolicy
{
  public:
    /// What to take.
    enum Kind : uint8_t
    {
        STAY,      //!< CircuitProblem::STAY if it is feasible, else JOB
        JOB,       //!< CircuitProblem::JOB
        ITERATION, //!< CircuitProblem::ITERATION
        PHASE,     //!< CircuitProblem::PHASE
        STEP,      //!< CircuitProblem::STEP
        LEAST,     //!< the least estimated time
        ANY        //!< any that is feasible, with equal probabilities
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    CircuitChoicePolicy();
    uint32_t Decide(const DecisionProblem& problem) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Kind m_kind;                      //!< Choice
    Ptr<UniformRandomVariable> m_any; //!< for ANY
};

NS_OBJECT_ENSURE_REGISTERED(CircuitChoicePolicy);

TypeId
CircuitChoicePolicy::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<CircuitChoicePolicy, DecisionPolicy>("ns3::odcn::CircuitChoicePolicy")
            .Add(Attribute("Choice",
                           &CircuitChoicePolicy::m_kind,
                           LEAST,
                           {{STAY, "Stay"},
                            {JOB, "Job"},
                            {ITERATION, "Iteration"},
                            {PHASE, "Phase"},
                            {STEP, "Step"},
                            {LEAST, "Least"},
                            {ANY, "Any"}}),
                 "The choice of CircuitProblem to take");
    return tid;
}

CircuitChoicePolicy::CircuitChoicePolicy()
    : m_any(CreateObject<UniformRandomVariable>())
{
}

int64_t
CircuitChoicePolicy::AssignStreams(int64_t stream)
{
    m_any->SetStream(stream);
    return 1;
}

uint32_t
CircuitChoicePolicy::Decide(const DecisionProblem& problem)
{
    const auto& times = AsProblem<CircuitProblem>(problem).GetQuestion().times;
    const auto isFeasible = [&](uint32_t action) { return std::isfinite(times[action]); };
    switch (m_kind)
    {
    case LEAST:
        return OrAny(FindBestAction(CircuitProblem::CHOICES,
                                    isFeasible,
                                    [&](uint32_t action) { return -times[action]; }));
    case ANY:
        return OrAny(FindBestAction(CircuitProblem::CHOICES,
                                    isFeasible,
                                    [&](uint32_t) { return m_any->GetValue(0, 1); }));
    case STAY:
        return isFeasible(CircuitProblem::STAY) ? CircuitProblem::STAY : CircuitProblem::JOB;
    default:
        return m_kind;
    }
}

namespace
{

/// The policies with a short name.
const PolicyRegistration CIRCUIT_POLICIES{
    "ns3::odcn::CircuitProblem",
    {{"random", "any choice", "ns3::odcn::CircuitChoicePolicy[Choice=Any]", {}},
     {"stay",
      "circuits that are set, or else for the job",
      "ns3::odcn::CircuitChoicePolicy[Choice=Stay]",
      {}},
     {"per-job", "circuits for the job", "ns3::odcn::CircuitChoicePolicy[Choice=Job]", {}},
     {"per-iteration",
      "circuits for each iteration",
      "ns3::odcn::CircuitChoicePolicy[Choice=Iteration]",
      {}},
     {"per-phase", "circuits for each phase", "ns3::odcn::CircuitChoicePolicy[Choice=Phase]", {}},
     {"per-step", "circuits for each step", "ns3::odcn::CircuitChoicePolicy[Choice=Step]", {}},
     {"least-time", "the least estimated time", "ns3::odcn::CircuitChoicePolicy", {}},
     {"untrained",
      "network with random parameters",
      "ns3::odcn::AgentPolicy[Untrained=Scorer]",
      {}},
     {"linear", "weighted sum of features of a choice", "ns3::odcn::LinearPolicy", {}},
     {"agent", "trained network", "ns3::odcn::AgentPolicy", {}}}};

} // namespace

} // namespace ns3::odcn
