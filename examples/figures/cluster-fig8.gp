# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 8 of the DeepRM_Plus paper: weighted turnaround time by load.

shown = among("fcfs sjf random-feasible deeprm-paper deeprm-plus-paper")
x = 'real(word(strcol("workload"), 2))'
H = 440
eval begin
right = 158
height = 340
top = 28
logy = 1
heading = "weighted turnaround time of all jobs"
xtitle = "load, %"
quantity = "slowdown_all"
load "lines.gp"
unset multiplot
