# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 4 of the NARA paper: spread of the servers that the linear policy chooses, by their number.
# The area of a circle is its share of the grants.

spreads = folder . "/spreads.csv"
of(t, v) = strcol("policy") eq "linear" && strcol("topology") eq t ? v : NaN
set multiplot layout 3, 3 margins 0.09, 0.98, 0.09, 0.95 spacing 0.08, 0.10
set xrange [0:15]
set yrange [-0.3:3.2]
unset key
set ytics ("server" 0, "rack" 1, "cluster" 2, "above" 3)
do for [i = 1:words(topologies)] {
    t = word(topologies, i)
    set title t offset 0, -0.7
    if (i > 6) { set xlabel "servers of a request" offset 0, 0.5 }
    total = 0
    stats spreads using (v = of(t, column("granted")), total = total + (v == v ? v : 0), 0) nooutput
    plot spreads using (of(t, column("servers"))):"spread":(6 * sqrt(column("granted") / total)) with points pt 7 ps variable lc rgb colour("linear")
}
