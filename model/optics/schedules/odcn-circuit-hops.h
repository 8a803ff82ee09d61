// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_HOPS_H
#define ODCN_CIRCUIT_HOPS_H

#include "odcn-circuit-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// By rack: those to which circuits lead.
using RackLinks = std::vector<std::vector<RackId>>;

/**
 * @ingroup odcn
 *
 * @param links of all racks
 * @return the same, reversed
 */
RackLinks ReverseLinks(const RackLinks& links);

/**
 * @ingroup odcn
 *
 * @param links of all racks
 * @param from a rack
 * @return by rack: number of circuits to it, by breadth-first search; UINT32_MAX if there is no
 * path
 */
std::vector<uint32_t> FindHops(const RackLinks& links, RackId from);

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_HOPS_H */
