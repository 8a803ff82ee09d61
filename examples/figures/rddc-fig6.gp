# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 6 of the NARA paper: spread of the servers that the linear policy chooses, by requested resources.

shapes_file = folder . "/shapes.csv"
of(t, v) = strcol("policy") eq "linear" && strcol("topology") eq t ? v : NaN
set multiplot layout 3, 3 margins 0.09, 0.87, 0.09, 0.95 spacing 0.06, 0.10
set xrange [0:136]
set yrange [0:136]
set xtics 32
set ytics 32
set cbrange [0:3]
set palette defined (0 "#2166ac", 1 "#92c5de", 2 "#f4a582", 3 "#b2182b")
set cbtics ("server" 0, "rack" 1, "cluster" 2, "above" 3)
unset key
do for [i = 1:words(topologies)] {
    t = word(topologies, i)
    set title t offset 0, -0.7
    if (i > 6) { set xlabel "CPU units" offset 0, 0.5 }
    if (i % 3 == 1) { set ylabel "memory units" offset 1 } else { unset ylabel }
    if (i == 3) { set colorbox user origin 0.90, 0.09 size 0.02, 0.86 } else { unset colorbox }
    plot shapes_file using (of(t, column("cpu") + 4)):(column("memory") + 4):"spread" with points pt 5 ps 0.8 palette
}
