// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-agent-policy.h"

#include "odcn-agent-seed.h"
#include "odcn-checkpoint.h"
#include "odcn-returns.h"

#include "ns3/boolean.h"
#include "ns3/odcn-error.h"
#include "ns3/string.h"

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnAgentPolicy);

TypeId
OdcnAgentPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnAgentPolicy")
            .SetParent<OdcnDecisionPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnAgentPolicy>()
            .AddAttribute("Checkpoint",
                          "File of the trained network, read at the first decision.",
                          StringValue(""),
                          MakeStringAccessor(&OdcnAgentPolicy::m_checkpoint),
                          MakeStringChecker())
            .AddAttribute("UseMask",
                          "Exclude actions that the problem knows to fail.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&OdcnAgentPolicy::m_useMask),
                          MakeBooleanChecker())
            .AddAttribute("Greedy",
                          "Take the likeliest action; otherwise draw by the network's "
                          "probabilities.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&OdcnAgentPolicy::m_greedy),
                          MakeBooleanChecker());
    return tid;
}

OdcnAgentPolicy::OdcnAgentPolicy()
    : m_random(OdcnAgentSeed({0}))
{
}

void
OdcnAgentPolicy::DoDispose()
{
    m_network = nullptr;
    OdcnDecisionPolicy::DoDispose();
}

void
OdcnAgentPolicy::SetNetwork(Ptr<OdcnNetwork> network)
{
    m_network = network;
}

Ptr<OdcnNetwork>
OdcnAgentPolicy::GetNetwork() const
{
    return m_network;
}

void
OdcnAgentPolicy::Load(const OdcnDecisionProblem& problem)
{
    if (!m_network)
    {
        if (m_checkpoint.empty())
        {
            throw OdcnError("OdcnAgentPolicy: the Attribute Checkpoint names no file");
        }
        m_network = OdcnCheckpoint::Load(m_checkpoint)
                        .MakeNetwork(m_checkpoint,
                                     problem.GetObservationShape(),
                                     problem.GetNActions(),
                                     problem.GetGraph());
    }
    m_network->RequireFit(problem);
    m_chances.resize(m_network->GetNActions());
    m_mask.resize(m_network->GetNActions());
}

uint32_t
OdcnAgentPolicy::Decide(const OdcnDecisionProblem& problem)
{
    if (m_greedy && m_useMask && m_network && m_network->GetNActions() == problem.GetNActions())
    {
        const auto sum = m_network->GetWeightedSum();
        uint32_t action = 0;
        if (sum && problem.FindGreatest(*sum, action))
        {
            return action;
        }
    }
    m_one.assign(1, &problem);
    DecideBatch(m_one, m_actions);
    return m_actions.front();
}

void
OdcnAgentPolicy::DecideBatch(const std::vector<const OdcnDecisionProblem*>& problems,
                             std::vector<uint32_t>& actions)
{
    const std::size_t n = problems.size();
    actions.resize(n);
    if (n == 0)
    {
        return;
    }
    if (!m_network || m_chances.empty())
    {
        Load(*problems.front());
    }
    const uint32_t nActions = m_network->GetNActions();
    const std::size_t size = m_network->GetObservationSize();
    m_observed.resize(n * size);
    m_logits.resize(n * nActions);
    for (std::size_t i = 0; i < n; ++i)
    {
        if (problems[i]->GetNActions() != nActions)
        {
            Load(*problems[i]);
        }
        problems[i]->Observe(m_observed.data() + i * size);
    }
    m_network->Infer(m_observed.data(), static_cast<uint32_t>(n), m_logits.data(), m_scratch);
    for (std::size_t i = 0; i < n; ++i)
    {
        const std::span<const float> logits(m_logits.data() + i * nActions, nActions);
        std::span<const uint8_t> mask;
        if (m_useMask)
        {
            problems[i]->Mask(m_mask.data());
            mask = m_mask;
        }
        if (m_greedy)
        {
            actions[i] = OdcnArgMax(logits, mask);
        }
        else
        {
            OdcnSoftmax(logits, mask, m_chances);
            actions[i] = OdcnRoulette(m_chances, OdcnUniform(m_random));
        }
    }
}

int64_t
OdcnAgentPolicy::AssignStreams(int64_t stream)
{
    m_random.seed(OdcnAgentSeed({static_cast<uint64_t>(stream)}));
    return 1;
}

} // namespace odcn
} // namespace ns3
