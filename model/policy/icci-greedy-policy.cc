// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-greedy-policy.h"

#include "odcn-rule.h"

#include "ns3/double.h"

namespace ns3::odcn
{

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
    const IcciMigration& migration = AsMigration(problem);
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

} // namespace ns3::odcn
