# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 5 of the DeepRM_Plus paper: average weighted turnaround time of all policies, and their rewards.

columns = "slowdown_all reward"
array headings[2] = ["turnaround time", "minus the reward"]
array units[2] = ["weighted, all jobs", "R1 of a set of jobs"]
logx = 1
strong = "random-feasible sjf deeprm-paper deeprm-plus-paper a2cscheduler"
load "cluster-bars.gp"
