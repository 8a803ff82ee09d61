// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-gradient-learner.h"
#include "odcn-policy-network.h"

#include "ns3/odcn-attributes.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Behaviour cloning: learns the teacher's decisions by cross entropy and fits the value to the
 * teacher's rewards. Every sample is used once. With CloneOwnStates above 0 the network acts, and
 * the teacher's choices in the states that it reaches are learnt (DAgger). For passes through a set
 * of samples, or cloning before another learner begins, see the Attributes ClonePasses and
 * CloneDecisions of every learner that follows gradients.
 */
class CloneLearner : public GradientLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    uint32_t GetSamples() const override;
    void BeginEpoch() override;
    bool Advance() override;

    bool LearnsFromOwnActions() const override
    {
        return false;
    }

    uint32_t m_updateSamples{0}; //!< Samples of each problem in an update
};

NS_OBJECT_ENSURE_REGISTERED(CloneLearner);

TypeId
CloneLearner::GetTypeId()
{
    static TypeId tid =
        TypeIdBuilder(
            AddAttributes(TypeIdOf<CloneLearner, GradientLearner>("ns3::odcn::CloneLearner"),
                          {.gamma = 0.99, .useMask = true, .clipGradient = 0.5}))
            .Add(Attribute("UpdateSamples", &CloneLearner::m_updateSamples, 32, 1, 1000000),
                 "Number of samples of each problem in an update.");
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
