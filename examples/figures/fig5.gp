# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 5: four quantities over the load.

of(p, c) = strcol("policy") eq p ? column(c) : NaN
positive(v) = v > 0 ? v : NaN
first = word(policies, 1)

set multiplot layout 2, 2 margins 0.085, 0.98, 0.20, 0.95 spacing 0.10, 0.13
set xlabel "mean job duration (load)"
set offsets graph 0.06, graph 0.06, 0, 0
loads = ""
stats data using (p = strcol("load"), loads = strstrt(loads . ",", "," . p . ",") ? loads : loads . "," . p, 0) nooutput
eval("set xtics (" . loads[2:] . ")")
unset key

set title "(a) blocked jobs"
set ylabel "%" offset 1.5
set logscale y
set format y "%g"
plot for [p in policies] data using "load":(positive(100 * of(p, "blocking"))):(100 * of(p, "blocking_lower")):(100 * of(p, "blocking_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 title label(p), \
     data using "load":(100 * of(first, "bound_blocking")) with lines lc rgb "black" dt 2 title "least possible"

set title "(b) latency: packets, and closed form (dashed)"
set ylabel "ns" offset 1.5
unset logscale y
set yrange [0:*]
plot for [p in policies] data using "load":(of(p, "packet_ns")):(of(p, "packet_ns_lower")):(of(p, "packet_ns_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 notitle, \
     for [p in policies] data using "load":(of(p, "window_formula_ns")) with lines lc rgb colour(p) dt 3 notitle

set title "(c) packets lost, and closed form (dashed)"
set ylabel "%" offset 1.5
set yrange [*:*]
set logscale y
plot for [p in policies] data using "load":(positive(100 * of(p, "packet_loss"))):(100 * of(p, "packet_loss_lower")):(100 * of(p, "packet_loss_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 notitle, \
     for [p in policies] data using "load":(positive(100 * of(p, "window_formula_loss"))) with lines lc rgb colour(p) dt 3 notitle

set title "(d) reconfigurations a job (open: none; upper end)"
set ylabel "" offset 1.5
set key at screen 0.5, 0.005 center bottom horizontal maxrows 2 samplen 2 width 1
plot for [p in policies] data using "load":(p eq "all2all-ccf" ? NaN : positive(of(p, "reconfigurations"))):(of(p, "reconfigurations_lower")):(of(p, "reconfigurations_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 title label(p), \
     for [p in policies] data using "load":(of(p, "reconfigurations") == 0 && p ne "all2all-ccf" ? of(p, "reconfigurations_upper") : NaN) with points lc rgb colour(p) pt 10 ps 1 notitle, \
     NaN with lines lc rgb "black" dt 2 title "least possible"
