// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_REQUEST_H
#define RDDC_REQUEST_H

#include "ns3/odcn-source.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A request R = [r_cpu, r_mem, r_t] for resources that may come from several servers (section 4.A
 * of the NARA paper).
 */
struct RddcRequest
{
    uint64_t id{0};     //!< request number in the stream, from 0
    double gap{0};      //!< time from the decision on the previous request to this arrival
    uint32_t cpu{0};    //!< r_cpu in units
    uint32_t memory{0}; //!< r_mem in units; cpu and memory are not both 0
    double holding{0};  //!< r_t, above 0

    /// @param o other  @return whether all members are equal
    bool operator==(const RddcRequest& o) const = default;
};

/// Source of requests.
using RddcRequestSource = Source<RddcRequest>;

} // namespace ns3::odcn

#endif /* RDDC_REQUEST_H */
