# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 9 of the DeepRM_Plus paper: average cycling time of all policies.

columns = "cycling_time slowdown_all"
array headings[2] = ["cycling time", "turnaround time"]
array units[2] = ["time slots", "weighted, all jobs"]
logx = 1
strong = "sjf deeprm-paper deeprm-plus-paper deeprm-r2 deeprm-plus-r2"
load "cluster-bars.gp"
