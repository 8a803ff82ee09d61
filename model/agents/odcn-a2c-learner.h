// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_A2C_LEARNER_H
#define ODCN_A2C_LEARNER_H

#include "odcn-gradient-learner.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Advantage actor-critic of section 4.B and Algorithm 1 of the ODCN paper. The defaults are the
 * paper's values; with one problem this is its algorithm: when 2L-1 samples are complete, the first
 * L are learnt from by Eqs. 2 to 5 and removed. f_theta_v(s_n) is computed at the update.
 *
 * With Returns=Gae and GaeLambda=1 it is the advantage actor-critic of A2cScheduler (Liang et al.,
 * 2020): multi-step returns of at most UpdateSamples rewards and then the value of the state
 * reached, as in Mnih et al., 2016. GaeLambda=0 is its Algorithm 1: one-step temporal differences.
 */
class A2cLearner : public GradientLearner
{
  public:
    /// How advantages are estimated.
    enum ReturnKind
    {
        WINDOW, //!< Eqs. 2 and 3: the rewards of the next L samples
        GAE     //!< Generalised advantage estimation
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    double GetEpsilon() const override;
    std::map<std::string, double> GetFigures() const override;

  protected:
    /// @param tid TypeId of a learner  @return it with the Attributes of this class
    static TypeId AddA2cAttributes(TypeId tid);

    uint32_t GetSamples() const override;
    uint32_t GetNeeded() const override;

  private:
    bool IsBootstrapping() const override
    {
        return m_returns == GAE;
    }

    void Estimate(std::span<const float> rewards,
                  std::span<const uint8_t> ends,
                  std::span<const float> values,
                  std::span<float> targets,
                  std::span<float> advantages) const override;

    uint32_t m_window{0};        //!< L
    uint32_t m_updateSamples{0}; //!< Samples of an update; 0 for L
    ReturnKind m_returns;        //!< How advantages are estimated
    double m_epsilon{0};         //!< epsilon at the start
    double m_epsilonStep{0};     //!< epsilon_0
    double m_epsilonMin{0};      //!< epsilon_min
};

} // namespace ns3::odcn

#endif /* ODCN_A2C_LEARNER_H */
