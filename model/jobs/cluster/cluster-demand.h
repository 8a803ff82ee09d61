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

/// Maximum number of resource types of a cluster.
constexpr std::size_t CLUSTER_RESOURCES = 4;
/// Maximum units of a resource per machine.
constexpr uint16_t CLUSTER_UNITS = 32767;

/// Units of each resource, at most CLUSTER_UNITS; 0 for resources that the cluster lacks.
using ClusterDemand = std::array<uint16_t, CLUSTER_RESOURCES>;

} // namespace ns3::odcn

#endif /* CLUSTER_DEMAND_H */
