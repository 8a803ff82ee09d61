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
 * Maps job time to simulated time and decides when packets are simulated, for all systems. Jobs
 * take seconds to hours, packets nanoseconds, so packets are sent in windows only, during which job
 * time stands still: a measurement window after some jobs or requests, or a migration of a worker.
 *
 * Simulated time = job time x JobTimeUnit + total length of all windows so far. With a JobTimeUnit
 * of 0 windows follow each other without gaps, so that traces and graphs show windows only.
 */
class PacketTimeline
{
  public:
    /// @param jobTime in units of job time
    /// @return simulated time
    Time GetSimulatedTime(double jobTime) const
    {
        const auto unit = static_cast<double>(m_jobTimeUnit.GetTimeStep());
        return TimeStep(static_cast<uint64_t>(jobTime * unit)) + m_standstill;
    }

    /// @param time a duration
    /// @return it in units of job time; in seconds with a JobTimeUnit of 0
    double GetJobTime(Time time) const
    {
        return time.GetSeconds() / (m_jobTimeUnit.IsZero() ? 1.0 : m_jobTimeUnit.GetSeconds());
    }

    /**
     * Decide whether a window opens; call this once for each event after which one may.
     * @param event number of the event, from 1
     * @return true when a window opens, which is then counted
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

    /// Open a window after the next event that allows one, in addition to the regular windows.
    void RequestWindow()
    {
        m_requested = true;
    }

    /// @param length duration of a window that has closed
    void AddStandstill(Time length)
    {
        m_standstill += length;
    }

    Time m_jobTimeUnit;       //!< simulated time of one unit of job time
    uint64_t m_windowAfter;   //!< events before the first window
    uint64_t m_windowSpacing; //!< events between two windows; 0 for requested windows only
    uint64_t m_maxWindows;    //!< largest number of windows; 0 for no limit

  private:
    Time m_standstill;        //!< total length of all windows so far
    uint64_t m_nextWindow{0}; //!< event at which the next window is due
    uint64_t m_nWindows{0};   //!< windows opened so far
    bool m_requested{false};  //!< whether a window was requested
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_TIMELINE_H */
