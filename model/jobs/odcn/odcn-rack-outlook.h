// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RACK_OUTLOOK_H
#define ODCN_RACK_OUTLOOK_H

#include <cstdint>

namespace ns3::odcn
{

class OdcnScheduling;

/**
 * @ingroup odcn
 *
 * How much of the rest of a job each rack can take: what State=Ahead adds. The VMs that are still
 * to be placed, this one included, are tried on a copy of the servers' ledger.
 */
class OdcnRackOutlook
{
  public:
    /// The features, in order; all but the first two are the same for all racks.
    enum Feature : uint32_t
    {
        FITS,  //!< share of the VMs to be placed that the rack's servers take, one after the other
        REACH, //!< share of them that these servers and those of other racks take, if each VM in
               //!< another rack needs a mean demand of the job in both directions
        CORES, //!< cores of the VMs to be placed, share of those of the largest rack
        HARD,  //!< share of the VMs to be placed that are of the first kind of slot
        LARGE, //!< share of the VMs to be placed that are of the last kind of slot, or larger
        COUNT  //!< number of features
    };

    /// @param problem that waits for a decision
    /// @param [out] out COUNT blocks of one number per rack
    static void Describe(const OdcnScheduling& problem, float* out);
};

} // namespace ns3::odcn

#endif /* ODCN_RACK_OUTLOOK_H */
