// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_TETRIS_POLICY_H
#define RDDC_TETRIS_POLICY_H

#include "ns3/odcn-decision-policy.h"
#include "ns3/rddc-allocation.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Tetris (Grandl et al., as the NARA paper uses it): the server whose free [CPU, memory, channels]
 * match best what is needed. Servers outside the rack of the server chosen before count less.
 *
 * Free units and channels are shares of what a server has, those needed too: CPU and memory as
 * still needed, channels one for each other server that the request will have at least.
 */
class RddcTetrisPolicy : public DecisionPolicy
{
  public:
    /// How the match of free and needed is measured.
    enum Score
    {
        DOT,    //!< inner product
        COSINE, //!< of the angle between them
    };

    /// Which score is the best.
    enum Prefer
    {
        LARGEST,  //!< the best match
        SMALLEST, //!< the least that will do, as best fit
    };

    /// The rack of which server is near.
    enum Anchor
    {
        PREVIOUS, //!< the one chosen before
        FIRST,    //!< the one chosen first
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    RddcTetrisPolicy();
    uint32_t Decide(const DecisionProblem& problem) override;

  protected:
    /**
     * @param problem stands at a decision
     * @param mask a byte for each server, 1 where it may be chosen
     * @return the allowed server of the best score, the lowest index among equals; server 0 if none
     * is allowed
     */
    ServerId Pick(const RddcAllocation& problem, const std::vector<uint8_t>& mask) const;

    std::vector<uint8_t> m_mask; //!< scratch of Decide()

  private:
    Score m_score;          //!< measure
    Prefer m_prefer;        //!< which is best
    Anchor m_anchor;        //!< what is near
    double m_channelWeight; //!< of channels against units
    double m_rackFactor;    //!< for another rack of the cluster
    double m_clusterFactor; //!< for another cluster
};

} // namespace ns3::odcn

#endif /* RDDC_TETRIS_POLICY_H */
