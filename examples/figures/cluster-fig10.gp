# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 10 of the DeepRM_Plus paper: reward and weighted turnaround time by the number of resources.

size = "capacity"
sizes = "units of each resource"
load "cluster-sizes.gp"
