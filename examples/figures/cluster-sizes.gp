# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Reward and weighted turnaround time by the column `size`; `sizes` is its axis label.

of(p, c) = strcol("policy") eq p ? column(c) : NaN
set multiplot layout 1, 2 margins 0.09, 0.98, 0.26, 0.94 spacing 0.10, 0
set xrange [8:50]
set logscale x 2
set xtics (10, 20, 40)
set xlabel sizes offset 0, 0.5
unset key
set title "(a) sum of a set's rewards R1" offset 0, -0.5
plot for [p in policies] data using (column(size)):(of(p, "reward")):(of(p, "reward_lower")):(of(p, "reward_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 notitle
set title "(b) weighted turnaround time, all jobs" offset 0, -0.5
set logscale y 2
set yrange [1:*]
plot for [p in policies] data using (column(size)):(of(p, "slowdown_all")):(of(p, "slowdown_all_lower")):(of(p, "slowdown_all_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 notitle
load "key.gp"
