// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FAULT_TIMELINE_H
#define ODCN_FAULT_TIMELINE_H

#include "odcn-fault-plan.h"

#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The faults of a plan in order of time, for managers with a clock of their own, in s. Faults of
 * one part that overlap are one. Immutable, so that managers may share it.
 */
class FaultTimeline
{
  public:
    /// A part fails or is repaired, as far as control knows.
    struct Change
    {
        double time;     //!< when, in s
        FaultPart part;  //!< kind of part
        uint32_t first;  //!< first number of its index
        uint32_t second; //!< second number
        bool failed;     //!< whether it fails
    };

    /**
     * @param plan the faults
     * @param parts the parts that there are
     * @param detection from a failure or repair until control learns of it, except for failures at
     * time 0
     * @throws OdcnError when there is no such part
     */
    FaultTimeline(const FaultPlan& plan, const FaultParts& parts, Time detection);

    /// @return the changes, earliest first
    const std::vector<Change>& GetChanges() const
    {
        return m_changes;
    }

    /// @param index of a change, or their number  @return its time, infinite after the last one, s
    double GetTime(std::size_t index) const
    {
        return index < m_changes.size() ? m_changes[index].time
                                        : std::numeric_limits<double>::infinity();
    }

    /// @param until end of the time from 0 on, s  @return share of it in which parts of a kind have
    /// worked, averaged over the parts, of the kind that worked least
    double GetAvailability(double until) const;

    /// @param time in s  @return kind, first and second number of the parts that do not work then,
    /// whether control knows or not
    std::set<std::tuple<FaultPart, uint32_t, uint32_t>> GetFailed(double time) const;

  private:
    /// A part does not work.
    struct Outage
    {
        FaultPart part;  //!< kind of part
        uint32_t first;  //!< first number of its index
        uint32_t second; //!< second number
        double from;     //!< beginning, in s
        double to;       //!< end, in s; infinite for none
    };

    FaultParts m_parts;            //!< the parts that there are
    std::vector<Change> m_changes; //!< by time
    std::vector<Outage> m_outages; //!< by time
};

} // namespace ns3::odcn

#endif /* ODCN_FAULT_TIMELINE_H */
