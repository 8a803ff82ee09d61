# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 5 of the NARA paper: spread of servers, over all topologies of an oversubscription.

spreads = folder . "/spreads.csv"
ratio(t) = t[strstrt(t, "/") + 1:]
of(p, r) = strcol("policy") eq p && ratio(strcol("topology")) eq r ? column("granted") : 0
bin(x) = 0.25 * floor(x / 0.25 + 0.5)
ratios = ""
do for [t in topologies] {
    if (!(sum [i = 1:words(ratios)] (word(ratios, i) eq ratio(t)))) { ratios = ratios . " " . ratio(t) }
}
array total[100]
set multiplot layout words(ratios), 1 margins 0.09, 0.98, 0.17, 0.96 spacing 0.08, 0.10
set xrange [-0.1:3.2]
set yrange [0:*]
set ylabel "% of grants" offset 1
set xtics ("one server" 0, "one rack" 1, "one cluster" 2, "above" 3)
unset key
do for [k = 1:words(ratios)] {
    r = word(ratios, k)
    do for [j = 1:words(policies)] {
        total[j] = 0
        stats spreads using (total[j] = total[j] + of(word(policies, j), r), 0) nooutput
    }
    set title "1:" . r offset 0, -0.7
    plot for [j = 1:words(policies)] spreads using (bin(column("spread"))):(100 * of(word(policies, j), r) / total[j]) smooth frequency with linespoints lc rgb colour(word(policies, j)) pt shape(word(policies, j)) ps 0.7 notitle
}
load "key.gp"
