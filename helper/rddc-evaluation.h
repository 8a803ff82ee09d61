// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_EVALUATION_H
#define RDDC_EVALUATION_H

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-statistics.h"
#include "ns3/rddc-allocation.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * What a policy came to on episodes of requests, one independent run each. As in the NARA paper's
 * figures, the acceptance ratio so far and the shares in use are read when the next request has
 * been fetched, and averaged over the last requests of the episode.
 */
class RddcEvaluation
{
  public:
    /// What is measured in an episode.
    enum Figure
    {
        ACCEPTANCE,         //!< granted / received so far, over the last requests
        OVERALL_ACCEPTANCE, //!< granted / received, whole episode
        CPU_USE,            //!< share in use, over the last requests
        MEMORY_USE,         //!< likewise
        TIER_1_USE,         //!< share of channels in use, likewise
        TIER_2_USE,         //!< likewise
        TIER_3_USE,         //!< likewise
        SERVERS,            //!< servers of a granted request, whole episode
        RACKS,              //!< racks of a granted request, whole episode
        FIGURES,            //!< how many there are
    };

    /// @param figure which  @return its name in files, e.g. "acceptance"
    static const char* GetName(Figure figure);

    /// What an episode came to.
    using Episode = std::array<double, FIGURES>;

    /// @param last how many of an episode's last requests count
    explicit RddcEvaluation(uint64_t last = 25);

    /**
     * Run one episode from an empty data centre and add it.
     * @param problem ready; MaxRequests is set
     * @param policy who decides
     */
    void Run(RddcAllocation& problem, OdcnDecisionPolicy& policy);

    /// @return all episodes
    const std::vector<Episode>& GetEpisodes() const
    {
        return m_episodes;
    }

    /// @param figure which  @return its mean over the episodes
    OdcnEstimate GetMean(Figure figure) const;

    /**
     * @param figure which
     * @param other another policy on the same requests
     * @return mean of this less the other, episode by episode
     */
    OdcnEstimate GetDifference(Figure figure, const RddcEvaluation& other) const;

  private:
    /// @param figure which  @return it, episode by episode
    std::vector<double> GetValues(Figure figure) const;

    uint64_t m_last;                 //!< requests that count
    std::vector<Episode> m_episodes; //!< what was run
};

} // namespace odcn
} // namespace ns3

#endif /* RDDC_EVALUATION_H */
