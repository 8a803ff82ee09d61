# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 5: four quantities over the load.

of(p, c) = strcol("policy") eq p ? column(c) : NaN
positive(v) = v > 0 ? v : NaN
# Without packets only the closed form is shown, for all jobs instead of the windows.
form_ns = measured > 0 ? "closed_form_ns" : "estimated_latency_ns"
form_loss = measured > 0 ? "closed_form_loss" : "estimated_loss"

set multiplot layout 2, 2 margins 0.085, 0.98, (words(policies) > 11 ? 0.20 : 0.17), 0.95 spacing 0.10, 0.15
set xlabel "mean job duration (load)"
set offsets graph 0.06, graph 0.06, 0, 0
loads = ""
stats data using (p = strcol("load"), loads = strstrt(loads . ",", "," . p . ",") ? loads : loads . "," . p, 0) nooutput
eval("set xtics (" . loads[2:] . ")")
unset key

set title "(a) blocked jobs"
set ylabel "%" offset 1
set logscale y
set format y "%g"
plot for [p in policies] data using "load":(positive(100 * of(p, "blocking"))):(100 * of(p, "blocking_lower")):(100 * of(p, "blocking_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 notitle, \
     data using "load":(100 * of("least possible", "blocking")) with lines lc rgb "black" dt 2 notitle

set title "(b) latency: packets, and closed form (dashed)"
set ylabel "ns" offset 1
unset logscale y
set yrange [0:*]
plot for [p in measured > 0 ? policies : ""] data using "load":(of(p, "packet_ns")):(of(p, "packet_ns_lower")):(of(p, "packet_ns_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 notitle, \
     for [p in policies] data using "load":(of(p, form_ns)) with lines lc rgb colour(p) dt 3 notitle

set title "(c) packets lost, and closed form (dashed)"
set ylabel "%" offset 1
set yrange [*:*]
set logscale y
plot for [p in measured > 0 ? policies : ""] data using "load":(positive(100 * of(p, "packet_loss"))):(100 * of(p, "packet_loss_lower")):(100 * of(p, "packet_loss_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 notitle, \
     for [p in policies] data using "load":(positive(100 * of(p, form_loss))) with lines lc rgb colour(p) dt 3 notitle

set title "(d) reconfigurations a job (triangle: none)"
set ylabel "" offset 1
plot for [p in policies] data using "load":(p eq "all2all-ccf" ? NaN : positive(of(p, "reconfigurations_per_job"))):(of(p, "reconfigurations_per_job_lower")):(of(p, "reconfigurations_per_job_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 notitle, \
     for [p in policies] data using "load":(of(p, "reconfigurations_per_job") == 0 && p ne "all2all-ccf" ? of(p, "reconfigurations_per_job_upper") : NaN) with points lc rgb colour(p) pt 11 ps 1 notitle

load "key.gp"
