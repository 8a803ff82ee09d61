// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_WINDOW_H
#define ODCN_WINDOW_H

#include "ns3/nstime.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// One accepted VM pair that sends packets in a window.
struct OdcnFlow
{
    JobId job{0};          //!< the job
    uint32_t fromVm{0};    //!< sending VM
    uint32_t toVm{0};      //!< receiving VM
    ServerId from{0};      //!< server of the sending VM
    ServerId to{0};        //!< server of the receiving VM, another one
    bool interRack{false}; //!< whether its packets cross the optical fabric
    BitRate rate{0};       //!< bit/s
};

/**
 * @ingroup odcn
 *
 * A measurement window: a stretch of packet time during which job time stands still. The same in
 * ns-3 (PlacementScheduler) and without it (OdcnWindowEngine).
 */
struct OdcnWindow
{
    /**
     * A window is due: who sends in it.
     *
     * @param manager of the jobs
     * @param placed the job after whose commitment it opens
     * @param intraRack whether VM pairs within a rack send, too
     */
    void Fill(const CsMgr& manager, const OdcnPlacedJob& placed, bool intraRack);

    /**
     * Sources start.
     *
     * @param now when
     * @param warmUp how long packets are not measured
     * @param length how long they are, after that
     */
    void Open(Time now, Time warmUp, Time length);

    uint32_t index{0};           //!< number of the window, from 0
    JobId job{0};                //!< the job after whose commitment it opened
    double jobTime{0};           //!< job time then
    Time opened;                 //!< sources start, on an empty network
    Time measureFrom;            //!< end of the warm-up
    Time measureUntil;           //!< sources stop; no packet is sent at this time or later
    Time closed;                 //!< the network is empty again
    double formulaLatencyNs{0};  //!< M/D/1/K estimate over the inter-rack circuits
    double formulaLoss{0};       //!< its share of packets lost
    std::vector<OdcnFlow> flows; //!< who sends; the index is the flow number in the packets
};

/// How often a closing window looks whether its network is empty, in microseconds.
constexpr int64_t ODCN_DRAIN_STEP_US = 1;

} // namespace ns3::odcn

#endif /* ODCN_WINDOW_H */
