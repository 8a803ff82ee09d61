# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Weighted turnaround time by the column `size`; `sizes` is its axis label. The reward is minus the same sums, and orders policies
# the same way.

shown = among("fcfs random-feasible sjf deeprm-paper deeprm-plus-paper")
x = 'column(size)'
H = 350
eval begin
set logscale x 2
logx = 1
set xtics (10, 20, 40)
right = 158
height = 250
top = 28
logy = 1
heading = "weighted turnaround time of all jobs"
xtitle = sizes
quantity = "slowdown_all"
load "lines.gp"
unset multiplot
