# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# A panel of icci.gp: a row for each policy, a mark for each area. Variables as those of dots.gp; hot blocks are shares.

amount(a) = factor * column(quantity . "_" . word(areas, a)) / (quantity eq "hot" ? column("hot_blocks") : 1)
set xrange [*:*]
set yrange [*:*]
unset logscale
most = 0
do for [a = 1:3] { stats data using (v = amount(a), v == v ? (most = max(most, v)) : 0, 0) nooutput }
eval place
unset label
unset arrow
set title heading font bold offset 0, -0.7
set xlabel xtitle offset 0, 0.6
eval "set xtics offset 0, 0.3 " . ticks(0, most, 0, 2)
set format x "%g"
set xrange [0:1.08 * most]
set yrange [-n - 0.6:-0.4]
unset ytics
set grid noytics xtics lc rgb "#e2e2e2" lw 1
set border 1
do for [i = 1:n] {
    p = word(rows, i)
    if (named) { set label p at graph 0, first -i right offset -0.6, 0 noenhanced font small tc rgb "#222222" }
    set arrow from graph 0, first -i to graph 1, first -i nohead back lc rgb "#eeeeee" lw 1
}
# The key is above the names of the rows.
do for [a = 1:3] { set label word(areas, a) at screen 0.03, screen 1 - (-4.0 + 16 * a) / H left offset 1, 0 point pt symbol(a) ps 0.7 lc rgb word(shades, a) font small tc rgb word(shades, a) }
plot for [a = 1:3] data using (amount(a)):(level(strcol(key)) + 0.2 * (2 - a)) with points lc rgb word(shades, a) pt symbol(a) ps 0.6
