// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_A2C_LEARNER_H
#define ODCN_A2C_LEARNER_H

#include "odcn-actor-critic-learner.h"

#include <cstdint>
#include <span>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * Advantage actor-critic as in section 4.B and Algorithm 1 of the ODCN paper. The defaults are the
 * paper's numbers; with one environment they are its algorithm: when 2L-1 samples are complete, the
 * first L are learnt from by Eqs. 2 to 5 and removed. f_theta_v(s_n) is computed at the update.
 *
 * With Returns=Gae and GaeLambda=1 it is the advantage actor-critic of A2cScheduler (Liang et al.,
 * 2020): multi-step returns of at most UpdateSamples rewards and then the value of the state
 * reached, as in Mnih et al., 2016. GaeLambda=0 is its Algorithm 1: temporal differences of one
 * step.
 */
class OdcnA2cLearner : public OdcnActorCriticLearner
{
  public:
    /// From what advantages are made.
    enum ReturnKind
    {
        WINDOW, //!< Eqs. 2 and 3: the rewards of the next L samples
        GAE     //!< Generalised advantage estimation
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    double GetEpsilon() const override;

  protected:
    /// @param tid of a learner  @return with the Attributes of this class
    static TypeId AddRouletteAttributes(TypeId tid);

    uint32_t GetNeeded() const override;
    void Learn(Batch& batch) override;

  private:
    uint32_t GetSamples() const override;
    bool IsBootstrapping() const override;
    void Estimate(std::span<const float> rewards,
                  std::span<const uint8_t> ends,
                  std::span<const float> values,
                  std::span<float> targets,
                  std::span<float> advantages) const override;

    uint32_t m_window;        //!< L
    uint32_t m_updateSamples; //!< 0 for L
    ReturnKind m_returns;     //!< Where advantages come from
    double m_epsilon;         //!< At the start
    double m_epsilonStep;     //!< epsilon_0
    double m_epsilonMin;      //!< epsilon_min
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_A2C_LEARNER_H */
