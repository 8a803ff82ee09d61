// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-migration.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-rule.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * No migration, ever: the initial state of the DeepHM paper.
 */
class IcciStayPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;
};

NS_OBJECT_ENSURE_REGISTERED(IcciStayPolicy);

TypeId
IcciStayPolicy::GetTypeId()
{
    static TypeId tid = TypeIdOf<IcciStayPolicy, DecisionPolicy>("ns3::odcn::IcciStayPolicy");
    return tid;
}

uint32_t
IcciStayPolicy::Decide(const DecisionProblem& problem)
{
    AsProblem<IcciMigration>(problem);
    return 0;
}

/**
 * @ingroup odcn
 *
 * Always migrates, to the first ring that is offered and as early as possible. Depending on
 * IcciManager::Search this is node-proximity-aware migration (Nearest), full node migration (All)
 * or random migration (Any) of the DeepHM paper.
 */
class IcciFirstPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;
};

NS_OBJECT_ENSURE_REGISTERED(IcciFirstPolicy);

TypeId
IcciFirstPolicy::GetTypeId()
{
    static TypeId tid = TypeIdOf<IcciFirstPolicy, DecisionPolicy>("ns3::odcn::IcciFirstPolicy");
    return tid;
}

uint32_t
IcciFirstPolicy::Decide(const DecisionProblem& problem)
{
    const auto& migration = AsProblem<IcciMigration>(problem);
    const auto& mask = GetMask(problem);
    for (uint32_t action = 1; action < mask.size(); ++action)
    {
        if (mask[action] && migration.GetChoice(action).slot == 0)
        {
            return action;
        }
    }
    return 0;
}

/**
 * @ingroup odcn
 *
 * Takes the action with the largest weighted sum of the terms of Eq. 12, with wavelengths Eq. 14,
 * and stays if no sum is above 0. The terms are estimated one step ahead, with the mean tide over
 * IcciManager::Outlook.
 */
class IcciGreedyPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    double m_hot;         //!< weight of a hotspot block
    double m_use;         //!< weight of load
    double m_moved;       //!< weight of a worker
    double m_hops;        //!< weight of a hop
    double m_wavelengths; //!< weight of a wavelength
};

NS_OBJECT_ENSURE_REGISTERED(IcciGreedyPolicy);

TypeId
IcciGreedyPolicy::GetTypeId()
{
    using T = IcciGreedyPolicy;
    static TypeId tid =
        TypeIdOf<IcciGreedyPolicy, DecisionPolicy>("ns3::odcn::IcciGreedyPolicy")
            .Add(Attribute("Hot", &T::m_hot, 6, 0), "Weight of a hotspot block avoided; alpha.")
            .Add(Attribute("Use", &T::m_use, 2, 0),
                 "Weight of the reduction of the largest load; beta.")
            .Add(Attribute("Moved", &T::m_moved, 1, 0), "Weight of a worker moved; eta.")
            .Add(Attribute("Hops", &T::m_hops, 2, 0),
                 "Weight of a hop saved, where wavelengths are decided too; gamma.")
            .Add(Attribute("Wavelengths", &T::m_wavelengths, 2, 0),
                 "Weight of a wavelength gained, where wavelengths are decided too; phi.");
    return tid;
}

uint32_t
IcciGreedyPolicy::Decide(const DecisionProblem& problem)
{
    const auto& migration = AsProblem<IcciMigration>(problem);
    const IcciManager& manager = *PeekPointer(migration.GetManager());
    const auto& mask = GetMask(problem);
    const auto score = [&](uint32_t action)
    {
        const IcciChoice choice = migration.GetChoice(action);
        if (choice.candidate == IcciChoice::STAY)
        {
            return 0.0;
        }
        const IcciGain gain = manager.GetGain(choice);
        const double narrow = m_hot * gain.hot + m_use * gain.use - m_moved * gain.moved;
        return choice.wider ? narrow + (m_hops * gain.hops - m_wavelengths * gain.wavelengths)
                            : narrow;
    };
    return FindBestAction(
        problem.GetNActions(),
        [&](uint32_t action) { return mask[action] != 0; },
        score);
}

namespace
{

/// The policies with a short name.
const PolicyRegistration ICCI_POLICIES{
    "ns3::odcn::IcciMigration",
    {{"none", "no migration", "ns3::odcn::IcciStayPolicy", {}},
     {"proximity", "nearest centres", "ns3::odcn::IcciFirstPolicy", {{"Search", "Nearest"}}},
     {"random", "any centres", "ns3::odcn::IcciFirstPolicy", {{"Search", "Any"}}},
     {"random-candidate",
      "any candidate that agents may choose",
      "ns3::odcn::RandomPolicy",
      {{"Outlook", "0"}}},
     {"random-candidate-dwa",
      "any candidate, with any wavelengths",
      "ns3::odcn::RandomPolicy",
      {{"Outlook", "0"}, {"Wavelengths", "true"}}},
     {"untrained",
      "network with random parameters",
      "ns3::odcn::AgentPolicy[Untrained=Mlp]",
      {{"Outlook", "0"}}},
     {"full-node", "all workers move", "ns3::odcn::IcciFirstPolicy", {{"Search", "All"}}},
     {"greedy-now",
      "greedy by the present load",
      "ns3::odcn::IcciGreedyPolicy",
      {{"Outlook", "0"}}},
     {"greedy-eq12", "greedy by Eq. 12", "ns3::odcn::IcciGreedyPolicy", {}},
     // A worker weighs as much as two hotspot blocks: doc/results/icci.md.
     {"greedy",
      "greedy by Eq. 12, workers moved weigh more",
      "ns3::odcn::IcciGreedyPolicy[Moved=12]",
      {}},
     {"greedy-dwa",
      "greedy, with wavelengths",
      "ns3::odcn::IcciGreedyPolicy[Moved=12]",
      {{"Wavelengths", "true"}}},
     // As for greedy, a worker weighs two blocks. A blocked task of about twenty weighs fifteen, or
     // the search would keep centres full so that tasks are refused.
     {"hindsight",
      "best actions found for a day that is known",
      "ns3::odcn::HindsightSearch[Objective=hot_blocks+2*moved_workers+300*blocked|Start=greedy]",
      {}},
     {"hindsight-dwa",
      "the same, with wavelengths",
      "ns3::odcn::HindsightSearch[Objective=hot_blocks+2*moved_workers+300*blocked|Start=greedy-"
      "dwa]",
      {{"Wavelengths", "true"}}},
     {"linear",
      "weighted sum of features of a move",
      "ns3::odcn::LinearPolicy",
      {{"State", "Moves"}}},
     {"linear-dwa",
      "weighted sum, with wavelengths",
      "ns3::odcn::LinearPolicy",
      {{"State", "Moves"}, {"Wavelengths", "true"}}},
     {"agent", "trained network", "ns3::odcn::AgentPolicy", {}},
     {"agent-dwa",
      "trained network, with wavelengths",
      "ns3::odcn::AgentPolicy",
      {{"Wavelengths", "true"}}},
     // "No prior knowledge of the tidal characteristics": rings by the present load. The paper has
     // no mask, neither while learning nor later.
     {"deephm-paper", "DeepHM", "ns3::odcn::AgentPolicy[UseMask=false]", {{"Outlook", "0"}}},
     {"deephm-dwa-paper",
      "DeepHM-DWA",
      "ns3::odcn::AgentPolicy[UseMask=false]",
      {{"Outlook", "0"}, {"Wavelengths", "true"}}}}};

} // namespace

} // namespace ns3::odcn
