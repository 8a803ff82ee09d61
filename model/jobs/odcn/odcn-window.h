// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_WINDOW_H
#define ODCN_WINDOW_H

#include "odcn-scheduling.h"

#include "ns3/nstime.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// One accepted VM pair that sends packets in a window.
struct OdcnFlow
{
    JobId job{0};          //!< job of the VMs
    uint32_t fromVm{0};    //!< index of the sending VM in the job
    uint32_t toVm{0};      //!< index of the receiving VM in the job
    ServerId from{0};      //!< server of the sending VM
    ServerId to{0};        //!< server of the receiving VM, different from @c from
    bool interRack{false}; //!< whether its packets cross the optical fabric
    BitRate rate{0};       //!< accepted demand, bit/s
};

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

#endif /* ODCN_WINDOW_H */
