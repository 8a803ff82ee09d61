# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 8 of the DeepRM_Plus paper: weighted turnaround time by load, of all policies and of the best.

of(p, c) = strcol("policy") eq p ? column(c) : NaN
drawn = ""
do for [p in policies] {
    if (!likeliest(p)) { drawn = drawn . " " . p }
}
percent = 'real(word(strcol("workload"), 2))'
set multiplot layout 1, 2 margins 0.07, 0.98, 0.26, 0.94 spacing 0.08, 0
set xrange [0:200]
set xlabel "load, %" offset 0, 0.5
set ylabel "weighted turnaround time, all jobs" offset 1.5
unset key
set title "(a) all" offset 0, -0.5
set yrange [0:*]
plot for [p in drawn] data using (@percent):(of(p, "slowdown_all")):(of(p, "slowdown_all_lower")):(of(p, "slowdown_all_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.6 notitle
set title "(b) the best rules and the agents" offset 0, -0.5
few = ""
do for [p in policies] {
    if (p eq "sjf" || p eq "tetris-ties" || strstrt(p, "deeprm") > 0 || strstrt(p, "a2c") > 0) { few = few . " " . p }
}
plot for [p in few] data using (@percent):(of(p, "slowdown_all")):(of(p, "slowdown_all_lower")):(of(p, "slowdown_all_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.6 notitle
load "key.gp"
