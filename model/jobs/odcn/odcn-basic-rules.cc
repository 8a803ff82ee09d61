// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A uniformly random action: with Feasible=true among those that the mask allows (action 0 where it
 * allows none), otherwise among all. Serves every decision problem. What any rule or agent must
 * beat.
 */
class RandomPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RandomPolicy();
    uint32_t Decide(const DecisionProblem& problem) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    bool m_feasible;                     //!< see Attribute Feasible
    Ptr<UniformRandomVariable> m_random; //!< index of the action
    std::vector<uint32_t> m_allowed;     //!< scratch of Decide(): actions to choose from
};

NS_OBJECT_ENSURE_REGISTERED(RandomPolicy);

TypeId
RandomPolicy::GetTypeId()
{
    using T = RandomPolicy;
    static TypeId tid = TypeIdOf<RandomPolicy, DecisionPolicy>("ns3::odcn::RandomPolicy")
                            .Add(Attribute("Feasible", &T::m_feasible, true),
                                 "Whether only actions that the problem's mask allows are taken.");
    return tid;
}

RandomPolicy::RandomPolicy()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
RandomPolicy::Decide(const DecisionProblem& problem)
{
    const uint32_t n = problem.GetNActions();
    if (!m_feasible)
    {
        return m_random->GetInteger(0, n - 1);
    }
    const auto& mask = GetMask(problem);
    m_allowed.clear();
    for (uint32_t action = 0; action < n; ++action)
    {
        if (mask[action])
        {
            m_allowed.push_back(action);
        }
    }
    if (m_allowed.empty())
    {
        return 0;
    }
    return m_allowed[m_random->GetInteger(0, static_cast<uint32_t>(m_allowed.size() - 1))];
}

int64_t
RandomPolicy::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

/**
 * @ingroup odcn
 *
 * First fit: the action of the lowest index that the mask allows, 0 where it allows none. Serves
 * every decision problem.
 */
class FirstFitPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;
};

NS_OBJECT_ENSURE_REGISTERED(FirstFitPolicy);

TypeId
FirstFitPolicy::GetTypeId()
{
    static TypeId tid = TypeIdOf<FirstFitPolicy, DecisionPolicy>("ns3::odcn::FirstFitPolicy");
    return tid;
}

uint32_t
FirstFitPolicy::Decide(const DecisionProblem& problem)
{
    const auto& mask = GetMask(problem);
    const auto first = std::find(mask.begin(), mask.end(), 1);
    return first == mask.end() ? 0 : static_cast<uint32_t>(first - mask.begin());
}

} // namespace ns3::odcn
