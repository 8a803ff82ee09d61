// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_OUTAGES_H
#define ODCN_OUTAGES_H

#include "odcn-fault-plan.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The faults of a manager with a clock of its own: those to come, and those of each link.
 */
class Outages
{
  public:
    /// @param faults from time 0 on; null for none
    void SetFaults(std::shared_ptr<const FaultTimeline> faults)
    {
        m_faults = std::move(faults);
    }

    /// @return the faults; null for none
    const std::shared_ptr<const FaultTimeline>& GetFaults() const
    {
        return m_faults;
    }

    /// Return to time 0. @param links number of links
    void Restart(std::size_t links = 0)
    {
        m_next = 0;
        m_links.assign(links, 0);
    }

    /// @return time of the next change, infinite without one, s
    double GetNext() const
    {
        return m_faults ? m_faults->GetTime(m_next) : std::numeric_limits<double>::infinity();
    }

    /// @return the next change, which there must be; the one after it is then the next
    const FaultTimeline::Change& Take()
    {
        return m_faults->GetChanges()[m_next++];
    }

    /**
     * @param change of a link, or of a node and so of its links
     * @param node number of the node
     * @param getEnds gives the two nodes of a link
     * @return links that fail, or that work again
     */
    template <typename F>
    std::vector<uint32_t> ChangeLinks(const FaultTimeline::Change& change, uint32_t node, F getEnds)
    {
        std::vector<uint32_t> changed;
        for (uint32_t link = 0; link < m_links.size(); ++link)
        {
            const auto [a, b] = getEnds(link);
            if (change.part == FaultPart::LINK ? link == change.first : a == node || b == node)
            {
                m_links[link] += change.failed ? 1 : -1;
                if (m_links[link] == (change.failed ? 1U : 0U))
                {
                    changed.push_back(link);
                }
            }
        }
        return changed;
    }

  private:
    std::shared_ptr<const FaultTimeline> m_faults; //!< see SetFaults()
    std::size_t m_next{0};                         //!< index of the next change
    std::vector<uint32_t> m_links;                 //!< [link]: faults of it and its nodes
};

/// What a failure does to a job.
struct InterruptedWork
{
    double lost{0};  //!< time in service that is lost
    double again{0}; //!< time for which the job is offered again; 0 if it ends

    /**
     * @param after what becomes of interrupted jobs
     * @param done time in service
     * @param left time that was left
     * @param checkpoints time between checkpoints; 0 for none
     * @return what is lost, and what is offered again
     */
    static InterruptedWork Of(FaultPlan::AfterFailure after,
                              double done,
                              double left,
                              double checkpoints = 0);
};

} // namespace ns3::odcn

#endif /* ODCN_OUTAGES_H */
