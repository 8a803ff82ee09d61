# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c icci-fig5.gp FOLDER: plot the learning curves in FOLDER to FOLDER/fig5.png.

folder = ARG1
set datafile separator comma
set datafile columnheaders
set datafile missing NaN
set border 3
set tics nomirror out
set grid ytics lc rgb "#dddddd"
set key top right samplen 1
colours = "#d7191c #984ea3"
# The files have the former names of the linear policies.
agents = "deephm deephm-dwa"
names = "linear linear-dwa"

set terminal pngcairo size 1250, 800 font "DejaVu Sans,10" background "white"
set output folder . "/fig5.png"
set multiplot layout 2, 2
set xlabel "generation"
set ylabel "cost, % of the blocks" offset 1
do for [a = 1:2] {
    agent = word(agents, a)
    set title word(names, a) . ": evolution from nothing, five seeds"
    curve(seed) = folder . "/" . agent . (seed > 1 ? "-seed" . seed : "") . "-training.csv"
    plot for [seed = 1:5] curve(seed) using "generation":(100 * column("mean_cost")) with lines lc rgb "#dddddd" notitle, \
         for [seed = 1:5] curve(seed) using "generation":(column("evaluation_cost") > 0 ? 100 * column("evaluation_cost") : NaN) with linespoints lc rgb word(colours, a) pt 7 ps 0.6 dt seed title sprintf("seed %d, on its 64 days", seed)
}
set xlabel "decisions, thousands"
# A3C with 16 actors: files, colours and titles.
files = "deephm-paper-scratch deephm-dwa-paper-scratch deephm-a3c"
shades = "#d7191c #984ea3 #1f78b4"
array what[3] = ["deephm", "deephm-dwa", "a scorer shared by all actions, eta 12"]
file(i) = folder . "/" . word(files, i) . "-training.csv"
set title "A3C from nothing"
set yrange [21:25.5]
plot for [i = 1:3] file(i) using (column("decisions") / 1000):(100 * column("evaluation_cost")) with linespoints lc rgb word(shades, i) pt 7 ps 0.6 title what[i]
set title "its losses"
set yrange [*:*]
set ylabel "value loss; policy loss (dashed)" offset 1
plot for [i = 1:3] file(i) using (column("decisions") / 1000):(column("value_loss")) with lines lc rgb word(shades, i) title what[i], \
     for [i = 1:3] file(i) using (column("decisions") / 1000):(column("policy_loss")) with lines dt 2 lc rgb word(shades, i) notitle
unset multiplot
