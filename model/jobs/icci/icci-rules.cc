// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-migration.h"

#include "ns3/double.h"
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
    static TypeId tid = TypeId("ns3::odcn::IcciStayPolicy")
                            .SetParent<DecisionPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<IcciStayPolicy>();
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

  private:
    std::vector<uint8_t> m_mask; //!< scratch of Decide()
};

NS_OBJECT_ENSURE_REGISTERED(IcciFirstPolicy);

TypeId
IcciFirstPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::IcciFirstPolicy")
                            .SetParent<DecisionPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<IcciFirstPolicy>();
    return tid;
}

uint32_t
IcciFirstPolicy::Decide(const DecisionProblem& problem)
{
    const auto& migration = AsProblem<IcciMigration>(problem);
    m_mask.resize(problem.GetNActions());
    problem.Mask(m_mask.data());
    for (uint32_t action = 1; action < m_mask.size(); ++action)
    {
        if (m_mask[action] && migration.GetChoice(action).slot == 0)
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
    IcciGreedyPolicy();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    double m_hot;                //!< weight of a hotspot block
    double m_use;                //!< weight of load
    double m_moved;              //!< weight of a worker
    double m_hops;               //!< weight of a hop
    double m_wavelengths;        //!< weight of a wavelength
    std::vector<uint8_t> m_mask; //!< scratch of Decide()
};

NS_OBJECT_ENSURE_REGISTERED(IcciGreedyPolicy);

TypeId
IcciGreedyPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::IcciGreedyPolicy")
            .SetParent<DecisionPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<IcciGreedyPolicy>()
            .AddAttribute("Hot",
                          "Weight of a hotspot block avoided; alpha.",
                          DoubleValue(6),
                          MakeDoubleAccessor(&IcciGreedyPolicy::m_hot),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Use",
                          "Weight of the reduction of the largest load; beta.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&IcciGreedyPolicy::m_use),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Moved",
                          "Weight of a worker moved; eta.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&IcciGreedyPolicy::m_moved),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Hops",
                          "Weight of a hop saved, where wavelengths are decided too; gamma.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&IcciGreedyPolicy::m_hops),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Wavelengths",
                          "Weight of a wavelength gained, where wavelengths are decided too; phi.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&IcciGreedyPolicy::m_wavelengths),
                          MakeDoubleChecker<double>(0));
    return tid;
}

IcciGreedyPolicy::IcciGreedyPolicy() = default;

uint32_t
IcciGreedyPolicy::Decide(const DecisionProblem& problem)
{
    const auto& migration = AsProblem<IcciMigration>(problem);
    const IcciManager& manager = *PeekPointer(migration.GetManager());
    m_mask.resize(problem.GetNActions());
    problem.Mask(m_mask.data());
    uint32_t best = 0;
    double most = 0;
    for (uint32_t action = 1; action < m_mask.size(); ++action)
    {
        if (!m_mask[action])
        {
            continue;
        }
        const IcciChoice choice = migration.GetChoice(action);
        const IcciGain gain = manager.GetGain(choice);
        double score = m_hot * gain.hot + m_use * gain.use - m_moved * gain.moved;
        if (choice.wider)
        {
            score += m_hops * gain.hops - m_wavelengths * gain.wavelengths;
        }
        if (score > most)
        {
            best = action;
            most = score;
        }
    }
    return best;
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
