// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_PATTERN_H
#define ODCN_JOB_PATTERN_H

#include "odcn-job.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Source of jobs whose VMs communicate in a pattern, along an order of the VMs. No pair appears
 * twice.
 */
class OdcnPatternSource : public OdcnJobSource
{
  public:
    /// Largest accepted bandwidth of a VM pair, in Gb/s.
    static constexpr double MAX_DEMAND_GBPS = 1e6;

    OdcnPatternSource();

    /**
     * @param name ring (each VM sends to the next one, the last to the first), bidirectional-ring
     * (each exchanges with the next one, the last with the first), tree (binary, rooted at the
     * first VM; parents and children exchange), star (the first VM exchanges with every other one),
     * random-p (each ordered pair independently with probability p), full-mesh, shuffle (each of
     * the first half, rounded up, sends to each of the others) or mixed (each job has one of those
     * but shuffle, all equally likely)
     * @throw OdcnError for any other name
     */
    void SetPattern(const std::string& name);

    /// @return name of the pattern
    std::string GetPattern() const;

  protected:
    /// @param tid TypeId of a source
    /// @return it, with Attributes of pattern and rates
    static TypeId AddPatternAttributes(TypeId tid);

    /**
     * @param stream first of four: for rates, the order of the pattern, the pairs of random-p, the
     * patterns of mixed
     * @return number of streams used, 3; with the pattern mixed 4
     */
    int64_t AssignPatternStreams(int64_t stream);

    /// Draw who sends to whom.
    /// @param [in,out] job a job with its VMs
    /// @param sorted whether the pattern follows the VMs as they are; else it follows a random
    /// permutation
    void DrawPattern(OdcnJob& job, bool sorted = false);

    /// Draw the rates. @param [in,out] job a job with its demands
    /// @throw OdcnError when the variable yields an invalid rate
    void DrawRates(OdcnJob& job);

  private:
    /// The patterns, see SetPattern().
    enum Pattern
    {
        RING,
        BIDIRECTIONAL_RING,
        TREE,
        STAR,
        RANDOM_P,
        FULL_MESH,
        SHUFFLE,
        MIXED,
    };

    /// Number of patterns that mixed draws from, the first ones.
    static constexpr uint32_t IN_MIXED = SHUFFLE;

    /// @return pattern of the next job
    Pattern PickPattern();

    /// Shuffle m_order. @param count number of VMs
    void DrawOrder(std::size_t count);

    Pattern m_pattern{RING};              //!< communication pattern
    double m_probability;                 //!< probability of a pair in random-p
    Ptr<RandomVariableStream> m_demand;   //!< bandwidth of a VM pair, Gb/s
    Ptr<UniformRandomVariable> m_shuffle; //!< order of the pattern
    Ptr<UniformRandomVariable> m_coin;    //!< selects the pairs of random-p
    Ptr<UniformRandomVariable> m_pick;    //!< selects the patterns of mixed
    std::vector<uint32_t> m_order;        //!< order of the pattern; reused
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_PATTERN_H */
