# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 3: every training is a point, the line joins their means.

set multiplot layout 1, 2 margins 0.09, 0.98, 0.12, 0.93 spacing 0.11
set xlabel "cost of a reconfiguration, Phi_{reconf}"
unset key
set offsets graph 0.04, graph 0.04, 0, 0
set yrange [0:*]
set title "blocked jobs"
set ylabel "%" offset 1
plot data using "phi":(100 * column("blocking")) smooth unique with lines lc rgb "#d7191c" lw 2, \
     data using "phi":(100 * column("blocking")):(100 * column("blocking_lower")):(100 * column("blocking_upper")) with yerrorbars lc rgb "#d7191c" pt 6
set title "reconfigurations a job"
set ylabel "" offset 1
plot data using "phi":"reconfigurations" smooth unique with lines lc rgb "#1f78b4" lw 2, \
     data using "phi":"reconfigurations":"reconfigurations_lower":"reconfigurations_upper" with yerrorbars lc rgb "#1f78b4" pt 6
