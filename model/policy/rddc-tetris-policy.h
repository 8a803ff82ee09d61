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
 * Tetris (Grandl et al., as used in the NARA paper): the server whose free [CPU, memory, channels]
 * match the needed ones best. Servers outside the rack of the server chosen before count less.
 *
 * Free and needed amounts are shares of a server's capacity. Needed are the CPU and memory still
 * needed, and one channel for each other server that the request will have at least.
 */
class RddcTetrisPolicy : public DecisionPolicy
{
  public:
    /// How the match of free and needed resources is measured.
    enum Score
    {
        DOT,    //!< inner product
        COSINE, //!< cosine of the angle between them
    };

    /// Which score is the best.
    enum Prefer
    {
        LARGEST,  //!< the best match
        SMALLEST, //!< the least sufficient match, as best fit
    };

    /// Whose rack is near.
    enum Anchor
    {
        PREVIOUS, //!< the server chosen last
        FIRST,    //!< the server chosen first
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    RddcTetrisPolicy();
    uint32_t Decide(const DecisionProblem& problem) override;

  protected:
    /**
     * @param problem that waits for a decision
     * @param mask one byte per server, 1 if it may be chosen
     * @return the allowed server with the best score, the lowest index among equals; 0 if none
     * is allowed
     */
    ServerId Pick(const RddcAllocation& problem, const std::vector<uint8_t>& mask) const;

    std::vector<uint8_t> m_mask; //!< scratch of Decide()

  private:
    Score m_score;          //!< measure of the match
    Prefer m_prefer;        //!< which score is best
    Anchor m_anchor;        //!< whose rack is near
    double m_channelWeight; //!< weight of channels relative to units
    double m_rackFactor;    //!< factor for another rack of the cluster
    double m_clusterFactor; //!< factor for another cluster
};

} // namespace ns3::odcn

#endif /* RDDC_TETRIS_POLICY_H */
