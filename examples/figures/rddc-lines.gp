# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Three quantities over the topologies; the calling script sets their columns and titles.

of(p, c) = strcol("policy") eq p ? 100 * column(c) : NaN
place(t) = (i = 0, sum [j = 1:words(topologies)] (word(topologies, j) eq t ? (i = j, 0) : 0), i)
set multiplot layout 3, 1 margins 0.09, 0.98, 0.19, 0.96 spacing 0.08, 0.11
set xrange [0.7:words(topologies) + 0.3]
set yrange [0:100]
set ylabel "%" offset 1
unset key
unset xtics
set xtics out nomirror
set xtics ("" 0)
do for [i = 1:words(topologies)] {
    eval(sprintf('set xtics add ("%s" %d)', word(topologies, i), i))
}
do for [i = 1:3] {
    set title part3(i) offset 0, -0.7
    c = word(columns, i)
    if (i == 3) { set xlabel "channels of a server / oversubscription from bottom to top" offset 0, 0.5 }
    plot for [p in policies] data using (place(strcol("topology"))):(of(p, c)):(of(p, c . "_lower")):(of(p, c . "_upper")) with yerrorlines lc rgb colour(p) pt shape(p) ps 0.7 notitle
}
load "key.gp"
