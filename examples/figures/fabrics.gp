# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c fabrics.gp "DESIGN ...": in the folder of results, distributions of the completion
# times of short and of long flows.

designs = ARG1
# Missing values would break the curves, so awk selects the completed flows.
select(design, condition) = "< awk -F, 'NR > 1 && $6 > 0 && $4 " . condition . " 1000000' " . design . "-flows.csv"
colours = "#252525 #7f7f7f #bdbdbd #33a02c #6baed6 #1f78b4 #d7191c #984ea3 #e08214 #b8a000 #8c510a #f781bf"
colour(i) = word(colours, (i - 1) % words(colours) + 1)
dash(i) = 1 + (i - 1) / words(colours)
set datafile separator comma
set logscale x
set format x "10^{%L}"
set yrange [0:1]
set key outside right top
set grid xtics ytics lc rgb "#dddddd"
do for [suffix in "svg png"] {
    if (suffix eq "svg") {
        set terminal svg size 1100,440 font "sans,12" background "white"
    } else {
        set terminal pngcairo size 1100,440 font "sans,10"
    }
    set output "fabrics." . suffix
    set multiplot layout 1,2
    unset key
    set title "flows below 1 MB"
    set xlabel "completion time, us"
    set ylabel "share of flows"
    plot for [i = 1:words(designs)] select(word(designs, i), "<") \
        using ($6 / 1000):(1) smooth cnormal lw 1.8 lc rgb colour(i) dt dash(i) title word(designs, i)
    set key outside right top noenhanced
    set title "flows of 1 MB and more"
    unset ylabel
    plot for [i = 1:words(designs)] select(word(designs, i), ">=") \
        using ($6 / 1000):(1) smooth cnormal lw 1.8 lc rgb colour(i) dt dash(i) title word(designs, i)
    unset multiplot
}
