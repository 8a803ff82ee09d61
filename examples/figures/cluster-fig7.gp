# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 7 of the DeepRM_Plus paper: weighted turnaround time by the length of jobs, before and after training: medians with
# quartiles.

shown = among("random sjf deeprm-plus-before deeprm-plus-paper")
lower(c) = column("p25")
upper(c) = column("p75")
spread(p) = 0.12 * ((sum [w = 1:words(shown)] (word(shown, w) eq p ? w : 0)) - 2.5)
x = '(column("duration") < 4 ? column("duration") : column("duration") - 6) + spread(strcol("policy"))'
H = 400
eval begin
set xtics ("1" 1, "2" 2, "3" 3, "10" 4, "11" 5, "12" 6, "13" 7, "14" 8, "15" 9)
right = 170
height = 300
top = 28
logy = 1
heading = "weighted turnaround time: median and quartiles"
xtitle = "length of jobs, time slots"
quantity = "p50"
load "lines.gp"
unset multiplot
