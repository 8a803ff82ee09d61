# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 8 of the NARA paper: granted requests, by the least number of servers that can serve them.

sizes = folder . "/sizes.csv"
of(p, t) = strcol("policy") eq p && strcol("topology") eq t ? 100.0 * column("granted") / column("received") : NaN
n = words(policies)
set multiplot layout 3, 3 margins 0.08, 0.98, 0.18, 0.96 spacing 0.06, 0.09
set xrange [0.4:8.6]
set yrange [0:100]
set xtics 1 scale 0
set boxwidth 0.8 / n
unset key
do for [i = 1:words(topologies)] {
    t = word(topologies, i)
    set title t offset 0, -0.7
    if (i > 6) { set xlabel "least servers" offset 0, 0.7 }
    if (i % 3 == 1) { set ylabel "% granted" offset 2 } else { unset ylabel }
    plot for [j = 1:n] sizes using (column("least_servers") + 0.8 * (j - 0.5 - 0.5 * n) / n):(of(word(policies, j), t)) with boxes lc rgb colour(word(policies, j)) notitle
}
load "key.gp"
