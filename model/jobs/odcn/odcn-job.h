// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_H
#define ODCN_JOB_H

#include "ns3/odcn-source.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * One non-zero entry of the demand matrix D_j: VM @c from sends to VM @c to at @c rate.
 */
struct OdcnDemand
{
    uint32_t from{0}; //!< index of the sending VM, 0 to K_j - 1
    uint32_t to{0};   //!< index of the receiving VM, another one
    BitRate rate{0};  //!< bandwidth in bit/s, above 0

    /// @param o other  @return whether all members are equal
    bool operator==(const OdcnDemand& o) const = default;
};

/**
 * @ingroup odcn
 *
 * A job request r_j(t_j, {Q_{j,k}}, D_j, T_j), section 3.B of the ODCN paper.
 */
struct OdcnJob
{
    JobId id{0};                     //!< job number in the stream, from 0
    double arrival{0};               //!< t_j, in job time units
    double duration{0};              //!< T_j, in job time units, above 0
    std::vector<OdcnResources> vms;  //!< Q_{j,k}; the scheduler places them in this order
    std::vector<OdcnDemand> demands; //!< D_j, non-zero entries, each ordered pair at most once

    /// @param o other  @return whether all members are equal
    bool operator==(const OdcnJob& o) const = default;
};

/// Source of jobs.
using OdcnJobSource = Source<OdcnJob>;

} // namespace ns3::odcn

#endif /* ODCN_JOB_H */
