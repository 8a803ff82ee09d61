# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c patterns.gp DATA BOUND FILE: called by patterns.sh, which describes DATA.

data = ARG1
bound = real(ARG2)

set terminal svg size 860, 410 font "DejaVu Sans,13" background "white"
set output ARG3
load "style.gp"
set grid noytics xtics lc rgb "#dddddd"
set style fill solid 1 noborder

titles = "linear_(evolved_for_the_ring) best_rule_of_the_pattern imitation_(one_network_for_all)"
colours = "#1f78b4 #5a5a5a #d7191c"
columns = "5 3 7"
shapes = "13 5 7"
names = system("awk '{ print $1 }' " . data)
rules = system("awk '{ print $2 }' " . data)
title_of(s) = system("echo '" . word(titles, s) . "' | tr _ ' '")
level(row, s) = -row + 0.27 * (2 - s)

set logscale x
set xrange [0.9:150]
set xtics ("1 %%" 1, "2 %%" 2, "5 %%" 5, "10 %%" 10, "20 %%" 20, "50 %%" 50, "100 %%" 100)
set xlabel "jobs blocked, logarithmic; load 66, 95 % intervals of 5 x 10,000 jobs"
set yrange [-5.6:0.6]
unset ytics
set border 1
set lmargin 21
set rmargin 2
set key outside top center horizontal Left reverse samplen 1.5 width 1 maxrows 2

do for [row = 0:5] {
    set label word(names, row + 1) at graph -0.015, first -row + 0.17 right font "DejaVu Sans Bold,13"
    set label "best rule: " . word(rules, row + 1) at graph -0.015, first -row - 0.17 right font ",11" tc rgb "#5a5a5a"
}
do for [row = 0:4] { set arrow from graph 0, first -row - 0.5 to graph 1, first -row - 0.5 nohead back lw 1 lc rgb "#cccccc" }
set arrow from bound, -5.6 to bound, 0.6 nohead lc rgb "black" dt 2 lw 1.5

plot for [s = 1:3] c = int(word(columns, s)) data \
         using (column(c)):(level($0, s)):(column(c + 1)) with xerrorbars lc rgb word(colours, s) pt int(word(shapes, s)) ps 1 lw 1.5 title title_of(s), \
     for [s = 1:3] data \
         using (column(int(word(columns, s))) + column(int(word(columns, s)) + 1)):(level($0, s)):(strcol(int(word(columns, s)))) with labels left offset 0.8, 0 tc rgb word(colours, s) font ",11" notitle, \
     NaN with lines lc rgb "black" dt 2 lw 1.5 title sprintf("least possible, %.2f %%", bound)
