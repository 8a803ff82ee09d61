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
 * How much of a job each rack can take, at its first VM: what State=Opening and State=Ahead add to
 * OdcnRackFeatures. The job's VMs are tried on a copy of the servers' ledger.
 */
class OdcnRackOutlook
{
  public:
    /// The features, in order.
    enum Feature : uint32_t
    {
        FITS,  //!< share of the job's VMs that the rack's servers take, one after the other
        REACH, //!< share of them that these and other racks' servers take, if each VM in another
               //!< rack needs a mean demand of the job, which is not 0, in both directions
        COUNT  //!< number of features
    };

    /// @param problem at the first VM of a job
    /// @param [out] out COUNT blocks of one number per action
    static void Describe(const OdcnScheduling& problem, float* out);
};

} // namespace ns3::odcn

#endif /* ODCN_RACK_OUTLOOK_H */
