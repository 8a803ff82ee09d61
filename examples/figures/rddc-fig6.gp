# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 6 of the NARA paper: spread of the servers that the linear policy chooses, by requested resources.

shapes_file = folder . "/shapes.csv"
of(t, v) = strcol("policy") eq "linear" && strcol("topology") eq t ? v : NaN
H = 560
eval begin
set xrange [0:136]
set yrange [0:136]
set xtics 32 offset 0, 0.3
set ytics 32
set cbrange [0:3]
set palette defined (0 "#2166ac", 1 "#92c5de", 2 "#f4a582", 3 "#b2182b")
set cbtics ("server" 0, "rack" 1, "cluster" 2, "above" 3)
height = 190
set label 1 "memory units" at screen 0.022, 0.5 center rotate by 90
do for [i = 1:4] {
    t = word("8/16 16/4 32/16 32/4", i)
    left = i % 2 ? 66 : 290
    right = W - left - 176
    top = i > 2 ? 286 : 28
    eval place
    set format y (i % 2 ? "%g" : "")
    if (i > 1) { unset label }
    set title t font bold offset 0, -0.7
    if (i > 2) { set xlabel "CPU units" offset 0, 0.6 }
    if (i == 2) { set colorbox user origin 0.85, 0.17 size 0.02, 0.7 } else { unset colorbox }
    plot shapes_file using (of(t, column("cpu") + 4)):(column("memory") + 4):"spread" with points pt 5 ps 0.55 palette
}
unset multiplot
