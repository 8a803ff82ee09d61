# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c icci-front.gp FOLDER: plot hotspot blocks against moved workers of FOLDER/front.csv to FOLDER/front.png.

folder = ARG1
data = folder . "/front.csv"
set datafile separator comma
set datafile columnheaders
set border 3
set tics nomirror out
set grid lc rgb "#dddddd"
set key top right samplen 1
families = "greedy greedy-dwa linear linear-dwa"
colours = "#1f78b4 #33a02c #d7191c #984ea3"
of(f, c) = strcol("family") eq f ? column(c) : NaN

set terminal pngcairo size 900, 560 font "DejaVu Sans,10" background "white"
set output folder . "/front.png"
set xlabel "workers moved in a day"
set ylabel "hotspot blocks of a day" offset 1
set xrange [0:*]
plot for [i = 1:4] data using (of(word(families, i), "moved_workers")):(column("hot_blocks")) with lines lc rgb word(colours, i) notitle, \
     for [i = 1:4] data using (of(word(families, i), "moved_workers")):(column("hot_blocks")) with points lc rgb word(colours, i) pt 7 ps 1.1 title word(families, i), \
     data using (column("moved_workers")):(column("hot_blocks")):(strcol("weight")) with labels font ",9" offset 0.8, 0.7 left notitle
