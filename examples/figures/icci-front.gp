# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c icci-front.gp FOLDER: plot hotspot blocks against moved workers of FOLDER/front.csv to FOLDER/front.svg.

folder = ARG1
data = folder . "/front.csv"
output = folder . "/front.svg"
load "style.gp"
key = "family"
families = "greedy greedy-dwa linear linear-dwa"
hue(f) = f eq "greedy" ? "#2a8f3a" : f eq "greedy-dwa" ? "#1f78b4" : f eq "linear" ? "#e08214" : "#d7191c"

# The name of a family stands at its point of fewest moves; dwa families are on the left.
array across[4]
array up[4]
do for [i = 1:4] {
    least = 1e300
    stats data using (v = column("moved_workers"), strcol(key) eq word(families, i) && v < least ? (least = v, across[i] = v, up[i] = column("hot_blocks")) : 0, 0) nooutput
}

H = 430
top = 28
height = 330
left = 66
right = 24
eval begin
eval place
set title "hotspot blocks of a day" font bold offset 0, -0.7
set xlabel "workers moved in a day; numbers: weight of a moved worker" offset 0, 0.6
set xtics offset 0, 0.3
set xrange [0:19]
set offsets 0, 0, graph 0.08, 0
set yrange [*:*]
do for [i = 1:4] {
    set label word(families, i) at across[i], up[i] left offset (i == 1 ? 3.4 : i == 3 ? 0.9 : i == 2 ? -3.8 : -6.5), (i == 1 ? 0.7 : i == 3 ? -0.6 : i == 2 ? -3.2 : -0.9) font small tc rgb hue(word(families, i))
}
plot for [f in families] data using (strcol(key) eq f ? column("moved_workers") : NaN):(column("hot_blocks")) with linespoints lc rgb hue(f) pt 7 ps 0.8 lw 2, \
     for [f in families] data using (strcol(key) eq f ? column("moved_workers") : NaN):(column("hot_blocks")):(strcol("weight")) with labels font small offset 0.9, 0.7 left tc rgb hue(f)
unset multiplot
