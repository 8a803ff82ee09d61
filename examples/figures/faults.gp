# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot faults.gp, in the folder of faults.csv: what arrives, and how late, while parts fail.

designs = "expander rotornet opera"
colours = "#33a02c #1f78b4 #d7191c"
shapes = "7 5 9"
# Without faults, both kinds of part are the same.
select(part, design) = "< awk -F, '($1 == \"none\" || $1 == \"" . part . "\") && $3 == \"" . design . "\"' faults.csv"
set datafile separator comma
set grid xtics ytics lc rgb "#dddddd"
set errorbars 0.6
set xrange [-0.5:20.5]
do for [suffix in "svg png"] {
    if (suffix eq "svg") {
        set terminal svg size 1000,760 font "sans,12" background "white"
    } else {
        set terminal pngcairo size 1000,760 font "sans,10"
    }
    set output "faults." . suffix
    set multiplot layout 2,2
    do for [part in "ocs-port uplink"] {
        set title "failing " . (part eq "uplink" ? "uplinks of ToR switches" : "ports of optical switches")
        unset logscale y
        set yrange [*:100.5]
        set key bottom left
        unset xlabel
        set ylabel "delivered data, %"
        plot for [i = 1:words(designs)] select(part, word(designs, i)) \
            using (100 * $2):5:6 with yerrorlines lw 1.5 lc rgb word(colours, i) pt int(word(shapes, i)) title word(designs, i)
    }
    do for [part in "ocs-port uplink"] {
        unset title
        unset key
        set logscale y
        set yrange [*:*]
        set xlabel "time for which a part has failed, %"
        set ylabel "p99 of completion times, us"
        plot for [i = 1:words(designs)] select(part, word(designs, i)) \
            using (100 * $2):7:8 with yerrorlines lw 1.5 lc rgb word(colours, i) pt int(word(shapes, i))
    }
    unset multiplot
}
