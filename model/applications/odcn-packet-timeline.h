// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_TIMELINE_H
#define ODCN_PACKET_TIMELINE_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Which part of job time is simulated in packets, for all systems. Jobs take seconds to hours,
 * packets nanoseconds, so packets are sent in windows only, during which job time stands still: a
 * measurement window after some jobs or requests, or a migration of a worker.
 *
 * Simulated time = job time x JobTimeUnit + the length of all windows so far. With a JobTimeUnit
 * of 0 windows lie end to end: traces and graphs then show nothing else.
 */
class PacketTimeline
{
  public:
    /// @param jobTime in units  @return simulated time
    Time GetSimulatedTime(double jobTime) const
    {
        const auto unit = static_cast<double>(m_jobTimeUnit.GetTimeStep());
        return TimeStep(static_cast<uint64_t>(jobTime * unit)) + m_standstill;
    }

    /// @param time simulated  @return units of job time; seconds with a JobTimeUnit of 0
    double GetJobTime(Time time) const
    {
        return time.GetSeconds() / (m_jobTimeUnit.IsZero() ? 1.0 : m_jobTimeUnit.GetSeconds());
    }

    /**
     * Ask once for each event after which a window may open.
     * @param event its number, from 1
     * @return whether a window opens; then it counts as opened
     */
    bool TakeWindow(uint64_t event)
    {
        if (!m_requested && (m_windowSpacing == 0 || event < m_nextWindow || event < m_windowAfter))
        {
            return false;
        }
        if (m_maxWindows > 0 && m_nWindows >= m_maxWindows)
        {
            return false;
        }
        m_requested = false;
        m_nextWindow = event + m_windowSpacing;
        ++m_nWindows;
        return true;
    }

    /// Open a window after the next event that allows one, besides those that are due.
    void RequestWindow()
    {
        m_requested = true;
    }

    /// @param length of a window that is over
    void AddStandstill(Time length)
    {
        m_standstill += length;
    }

    Time m_jobTimeUnit;       //!< simulated time of a unit of job time
    uint64_t m_windowAfter;   //!< events before the first window
    uint64_t m_windowSpacing; //!< events from one window to the next; 0 for none but requested ones
    uint64_t m_maxWindows;    //!< windows at most; 0 for any number

  private:
    Time m_standstill;        //!< length of all windows so far
    uint64_t m_nextWindow{0}; //!< event at which the next window is due
    uint64_t m_nWindows{0};   //!< opened so far
    bool m_requested{false};  //!< whether a window was asked for
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_TIMELINE_H */
