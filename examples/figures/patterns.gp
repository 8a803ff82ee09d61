# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c patterns.gp DATA BOUND FILE: called by patterns.sh, which describes DATA.

data = ARG1
bound = real(ARG2)
output = ARG3
load "style.gp"

unset datafile
set datafile separator " "

# The rule and the sum with worst fit, then with best fit: hollow and filled.
colours = "#5a5a5a #d7191c #5a5a5a #d7191c"
columns = "2 6 4 8"
shapes = "4 6 5 7"
names = system("awk '{ print $1 }' " . data)
level(row, s) = -row + 0.21 * (2.5 - s)

H = 450
top = 36
height = 345
left = 160
right = 22
eval begin
eval place
set grid noytics xtics lc rgb "#dddddd"
set title "jobs blocked" font bold offset 0, -0.7
set logscale x
set xrange [0.9:20]
set xtics (1, 2, 5, 10) offset 0, 0.3
set xlabel "%, logarithmic; load 66, 95 % intervals" offset 0, 0.6
set yrange [-5.95:0.6]
unset ytics
set border 1

do for [row = 0:5] {
    set label word(names, row + 1) at graph -0.02, first -row right font bold
}
do for [row = 0:4] { set arrow from graph -0.42, first -row - 0.5 to graph 1, first -row - 0.5 nohead back lw 1 lc rgb "#cccccc" }
set arrow from bound, -5.95 to bound, 0.6 nohead lc rgb "black" dt 2 lw 1.5
set label sprintf("best possible: %.2f", bound) at first bound, first -5.72 left offset 0.6, 0 font small
# Names of the marks, in the first row.
set label "rule, worst fit" at first 5.2, first level(0, 1) right font small tc rgb word(colours, 1)
set label "sum, worst fit" at first 2.2, first level(0, 2) left font small tc rgb word(colours, 2)
set label "rule, best fit" at first 2.2, first level(0, 3) left font small tc rgb word(colours, 3)
set label "sum, best fit" at first 2.2, first level(0, 4) left font small tc rgb word(colours, 4)

plot for [s = 1:4] c = int(word(columns, s)) data \
         using (column(c)):(level($0, s)):(column(c + 1)) with xerrorbars lc rgb word(colours, s) pt -1 lw 2, \
     for [s = 1:4] c = int(word(columns, s)) data \
         using (column(c)):(level($0, s)) with points lc rgb word(colours, s) pt int(word(shapes, s)) ps 0.8, \
     for [s = 1:4] data \
         using (column(int(word(columns, s))) + column(int(word(columns, s)) + 1)):(level($0, s)):(strcol(int(word(columns, s)))) with labels left offset 0.6, 0 tc rgb word(colours, s) font small
unset multiplot
