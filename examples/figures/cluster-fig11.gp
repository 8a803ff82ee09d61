# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 11 of the DeepRM_Plus paper: reward and weighted turnaround time by the number of job slots.

size = "job_slots"
sizes = "job slots"
load "cluster-sizes.gp"
