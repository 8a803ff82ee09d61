# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 5 of the DeepRM_Plus paper: average weighted turnaround time of all policies.

inside = 0
columns = "slowdown_all reward"
axis(k) = k == 1 ? "weighted turnaround time, all jobs" : "minus the rewards R1 of a set of jobs"
load "cluster-bars.gp"
