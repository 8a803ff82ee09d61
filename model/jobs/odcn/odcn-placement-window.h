// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PLACEMENT_WINDOW_H
#define ODCN_PLACEMENT_WINDOW_H

#include "odcn-continuous-traffic.h"
#include "odcn-cs-mgr.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A measurement window: an interval of simulated time during which job time stands still.
 */
struct OdcnWindow
{
    /**
     * Set the flows of the window from the accepted VM pairs of all active jobs.
     *
     * @param manager holds the jobs
     * @param placed the job after whose commitment the window opens
     * @param intraRack whether VM pairs within a rack send, too
     */
    void Fill(const CsMgr& manager, const OdcnPlacedJob& placed, bool intraRack);

    /**
     * Set the times of the window: sources start.
     *
     * @param now opening time
     * @param warmUp duration without measurement
     * @param length duration with measurement after it
     */
    void Open(Time now, Time warmUp, Time length);

    uint32_t index{0};           //!< number of the window, from 0
    JobId job{0};                //!< the job after whose commitment the window opened
    double jobTime{0};           //!< job time of the window
    Time opened;                 //!< sources start on an empty network
    Time measureFrom;            //!< end of the warm-up
    Time measureUntil;           //!< sources stop; no packet is sent at this time or later
    Time closed;                 //!< the network has drained
    double formulaLatencyNs{0};  //!< M/D/1/K mean latency over the inter-rack circuits
    double formulaLoss{0};       //!< M/D/1/K share of packets lost
    std::vector<OdcnFlow> flows; //!< sources; the index is the flow number in the packets
};

} // namespace ns3::odcn

#endif /* ODCN_PLACEMENT_WINDOW_H */
