// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-clone-learner.h"

#include "odcn-policy-network.h"

#include "ns3/uinteger.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(CloneLearner);

TypeId
CloneLearner::GetTypeId()
{
    static TypeId tid = AddAttributes(TypeId("ns3::odcn::CloneLearner")
                                          .SetParent<GradientLearner>()
                                          .SetGroupName("Odcn")
                                          .AddConstructor<CloneLearner>(),
                                      {.gamma = 0.99, .useMask = true, .clipGradient = 0.5})
                            .AddAttribute("UpdateSamples",
                                          "Number of samples of each problem in an update.",
                                          UintegerValue(32),
                                          MakeUintegerAccessor(&CloneLearner::m_updateSamples),
                                          MakeUintegerChecker<uint32_t>(1, 1000000));
    return tid;
}

uint32_t
CloneLearner::GetSamples() const
{
    return m_updateSamples;
}

void
CloneLearner::BeginEpoch()
{
    RestartTeacher("cloning", GetEpochStream());
}

bool
CloneLearner::Advance()
{
    auto batch = CollectFromTeacher();
    Count(static_cast<uint64_t>(batch.GetN()));
    Imitate(batch, true, GetLearningRate());
    Drop();
    return true;
}

} // namespace ns3::odcn
