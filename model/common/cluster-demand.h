// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_DEMAND_H
#define CLUSTER_DEMAND_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::odcn
{

/// How many kinds of resource a cluster can have at most.
constexpr std::size_t CLUSTER_RESOURCES = 4;
/// Units of a kind that a machine can have at most.
constexpr uint16_t CLUSTER_UNITS = 32767;

/// Units of each kind of resource, CLUSTER_UNITS at most; 0 of those that a cluster has not.
using ClusterDemand = std::array<uint16_t, CLUSTER_RESOURCES>;

} // namespace ns3::odcn

#endif /* CLUSTER_DEMAND_H */
