# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 4: one line per training; rules are horizontal lines.

curves = folder . "/fig4-curves.csv"
recipes = ""
runs = 0
last = 0
stats curves using (p = strcol("recipe"), seen = sum [i = 1:words(recipes)] (word(recipes, i) eq p ? 1 : 0), recipes = seen ? recipes : recipes . " " . p, runs = column("training") > runs ? column("training") : runs, last = column("decisions") > last ? column("decisions") : last, 0) nooutput
tint = "#d7191c #1f78b4 #33a02c #984ea3"

set multiplot
set margins screen 0.09, screen 0.98, screen 0.25, screen 0.97
set xlabel "jobs of the training"
set ylabel "blocked or reconfigured jobs, %" offset 1
set format x "%.0s%c"
set logscale xy
set yrange [0.8:100]
# A decision is one VM; a job has 15.5 on average. The initial point, before any job, is on the left edge.
last = last / 15.5
edge = last / 2000
set xrange [edge:1.1 * last]
set key at screen 0.5, 0.005 center bottom horizontal maxrows 3 samplen 2 width 1
lost(r, n) = strcol("recipe") eq r && column("training") == n ? 100 * column("lost") : NaN
jobs(d) = d / 15.5 > edge ? d / 15.5 : edge
plot for [p in policies] data using (edge):(strcol("policy") eq p ? 100 * column("blocking") : NaN):(1.1 * last):(0) with vectors nohead lc rgb colour(p) dt 2 lw 1.5 title label(p) . " (blocked)", \
     data using (edge):(strcol("policy") eq "least possible" ? 100 * column("blocking") : NaN):(1.1 * last):(0) with vectors nohead lc rgb "black" dt 3 title "least possible", \
     for [k = 1:words(recipes)] for [n = 1:runs] curves using (jobs(column("decisions"))):(lost(word(recipes, k), n)) with linespoints lc rgb word(tint, k) pt 7 ps 0.3 title (n == 1 ? "recipe " . word(recipes, k) : "")
