# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 6 of the DeepRM_Plus paper: training. Rules are from FIGURE.csv, curves from FIGURE-curves.csv.

curves = folder . "/" . name . "-curves.csv"
rules = "sjf hrrn random"
agents = ""
stats curves using (p = strcol("policy"), agents = strstrt(agents . " ", " " . p . " ") > 0 ? agents : agents . " " . p, 0) nooutput
of(p, c) = strcol("policy") eq p ? column(c) : NaN
set multiplot layout 1, 2 margins 0.08, 0.98, 0.20, 0.94 spacing 0.08, 0
set yrange [0:*]
set ylabel "weighted turnaround time, all jobs" offset 1
unset key
do for [k = 1:2] {
    by = word("updates decisions", k)
    scale = k == 1 ? 1 : 1e-6
    set xlabel k == 1 ? "iterations" : "million decisions" offset 0, 0.5
    set title k == 1 ? "(a) by iterations" : "(b) by decisions" offset 0, -0.5
    stats curves using (scale * column(by)) nooutput
    last = STATS_max
    set xrange [0:last]
    plot for [p in rules] data using (0):(of(p, "slowdown_all")):(last):(0) with vectors nohead lc rgb colour(p) dt 2 notitle, \
         for [p in agents] curves using (scale * column(by)):(of(p, "evaluation_slowdown")) with linespoints lc rgb colour(p) pt shape(p) ps 0.6 notitle
}
policies = rules . " " . agents
load "key.gp"
