# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 9 of the DeepRM_Plus paper: average cycling time of all policies.

inside = 0
columns = "cycling_time slowdown_all"
axis(k) = k == 1 ? "cycling time, time slots" : "weighted turnaround time, all jobs"
load "cluster-bars.gp"
