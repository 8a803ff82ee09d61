# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 13 of the DeepRM_Plus paper: weighted turnaround time on real traces.

traces = ""
stats data using (t = strcol("trace"), traces = strstrt(traces, t) > 0 ? traces : traces . " " . t, 0) nooutput
n = words(policies)
of(t, p, c) = strcol("trace") eq t && strcol("policy") eq p ? column(c) : NaN
x(j) = (real(word(strcol("workload"), 2)) - 70) / 30.0 + 1 + 0.86 * (j - 0.5 - 0.5 * n) / n
set multiplot layout words(traces), 1 margins 0.07, 0.98, 0.20, 0.96 spacing 0, 0.10
set boxwidth 0.8 / n
set xrange [0.5:3.5]
set xtics ("load 70 %%" 1, "load 100 %%" 2, "load 130 %%" 3) scale 0
set ylabel "weighted turnaround time" offset 1
set yrange [0:*]
unset key
do for [t in traces] {
    set title (t eq "alibaba" ? "Alibaba 2018" : "CERIT-SC") offset 0, -0.7
    plot for [j = 1:n] data using (x(j)):(of(t, word(policies, j), "slowdown")) with boxes lc rgb colour(word(policies, j)) notitle, \
         for [j = 1:n] data using (x(j)):(of(t, word(policies, j), "slowdown_lower")):(0):(of(t, word(policies, j), "slowdown_upper") - of(t, word(policies, j), "slowdown_lower")) with vectors heads size screen 0.003, 90 lc rgb "black" notitle
}
load "key.gp"
