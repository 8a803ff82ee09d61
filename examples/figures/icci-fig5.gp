# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c icci-fig5.gp FOLDER: plot the learning curves in FOLDER to FOLDER/fig5.svg.

folder = ARG1
output = folder . "/fig5.svg"
load "style.gp"
# The files have the former names of the linear policies.
agents = "deephm deephm-dwa"
names = "linear linear-dwa"
curve(a, seed) = folder . "/" . word(agents, a) . (seed > 1 ? "-seed" . seed : "") . "-training.csv"
# A3C with 16 actors.
files = "deephm-paper-scratch deephm-dwa-paper-scratch deephm-a3c"
titles = "agent agent-dwa scorer"
others = "#7b3fa0 #e08214 #2a8f3a"
tints = "#d7191c #1f78b4 #2a8f3a"
file(i) = folder . "/" . word(files, i) . "-training.csv"

array across[3]
array up[3]
do for [i = 1:3] { stats file(i) using (across[i] = column("decisions") / 1000, up[i] = 100 * column("evaluation_cost"), 0) nooutput }

H = 560
height = 180
right = 110
eval begin
set xtics offset 0, 0.3
top = 28
eval place
set title "(a) evolution: cost in % of the blocks, five seeds" font bold offset 0, -0.7
set xlabel "generation" offset 0, 0.6
do for [a = 1:2] {
    stats curve(a, 1) using (v = column("evaluation_cost"), v > 0 ? (y1 = 100 * v) : 0, 0) nooutput
    set label word(names, a) at graph 1.03, first y1 font small tc rgb word(tints, a)
}
plot for [a = 1:2] for [seed = 1:5] curve(a, seed) using "generation":(column("evaluation_cost") > 0 ? 100 * column("evaluation_cost") : NaN) with linespoints lc rgb word(tints, a) pt 7 ps 0.6 lw 1.5
unset label
top = 314
eval place
set title "(b) A3C: cost in % of the blocks" font bold offset 0, -0.7
set xlabel "thousand decisions" offset 0, 0.6
set yrange [21:*]
do for [i = 1:3] { set label word(titles, i) at across[i], up[i] left offset 0.8, (i == 1 ? -0.5 : 0.5) font small tc rgb word(others, i) }
plot for [i = 1:3] file(i) using (column("decisions") / 1000):(100 * column("evaluation_cost")) with linespoints lc rgb word(others, i) pt 7 ps 0.5 lw 1.5
unset multiplot
