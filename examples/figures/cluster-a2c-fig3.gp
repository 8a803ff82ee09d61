# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 3 of the A2cScheduler paper: training at rate 0.7 and its result. Rules are from FIGURE.csv,
# the curve from FIGURE-curves.csv.

curves = folder . "/" . name . "-curves.csv"
stats curves using (column("decisions")) nooutput
last = 1e-6 * STATS_max
set multiplot layout 2, 2 margins 0.08, 0.98, 0.19, 0.95 spacing 0.10, 0.26
set title "(a) slowdown while it learns; rules dashed" offset 0, -0.5
set xlabel "million decisions" offset 0, 0.5
set xrange [0:last]
set yrange [0:*]
unset key
plot for [p in "random tetris sjf"] data using (0):(strcol("policy") eq p ? column("slowdown_all") : NaN):(last):(0) with vectors nohead lc rgb colour(p) dt 2 notitle, \
     curves using (1e-6 * column("decisions")):(column("evaluation_slowdown")) with linespoints lc rgb colour("a2cscheduler") pt 7 ps 0.6 notitle
unset xlabel
inside = 1
columns = "slowdown_all cycling_time waiting_time"
axis(k) = word("(b) (c) (d)", k) . " " . (k == 1 ? "slowdown, all jobs" : k == 2 ? "completion time, time slots" : "waiting time, time slots")
load "cluster-bars.gp"
