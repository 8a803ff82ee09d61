# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Blocking against latency: lines connect the weights of a rule, and the agents over alpha.

across = measured > 0 ? "packet_ns" : "estimated_latency_ns"
# "odcn-score:5" is of the family odcn-score, linear-swift of the family linear.
plain(p) = strstrt(p, ":") ? p[1:strstrt(p, ":") - 1] : p
family(p) = p eq "linear-accept" || p eq "linear-swift" ? "linear" : plain(p)
families = ""
do for [p in policies] {
    families = strstrt(families . " ", " " . family(p) . " ") ? families : families . " " . family(p)
}
of(f, c) = family(strcol("policy")) eq f ? column(c) : NaN
# Label of a point: the weight, or the name of the agent.
setting(p) = strstrt(p, ":") ? p[strstrt(p, ":") + 1:] : p eq "linear-accept" || p eq "linear-swift" ? p[8:] : ""

stats data using (strcol("policy") eq "least possible" ? (bound = 100 * column("blocking"), 0) : 0) nooutput

set multiplot
set margins screen 0.09, screen 0.98, screen 0.20, screen 0.95
set offsets graph 0.05, graph 0.05, 0, 0
set title "blocking against latency"
set xlabel (measured > 0 ? "latency of packets between racks, ns" : "latency (closed form), ns")
set ylabel "blocked jobs, %" offset 1
set logscale y
set yrange [0.9:10]
set format y "%g"
unset key
plot for [f in families] data using (of(f, across)):(100 * of(f, "blocking")) smooth unique with lines lc rgb colour(f), \
     for [f in families] data using (of(f, across)):(100 * of(f, "blocking")):(of(f, across . "_lower")):(of(f, across . "_upper")):(100 * of(f, "blocking_lower")):(100 * of(f, "blocking_upper")) with xyerrorbars lc rgb colour(f) pt shape(f) ps 0.8, \
     data using across:(100 * column("blocking")):(setting(strcol("policy"))) with labels font ",9" offset 0.8, 0.7 left, \
     bound with lines lc rgb "black" dt 2

before = policies
policies = families
load "key.gp"
policies = before
