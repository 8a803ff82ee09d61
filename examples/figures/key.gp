# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The key of all panels: an empty plot along the lower edge.

unset title
unset xlabel
unset ylabel
unset tics
unset border
unset grid
unset logscale
unset offsets
set margins screen 0.02, screen 0.98, screen 0.0, screen 0.10
set xrange [0:1]
set yrange [0:1]
n = words(policies)
rows = n > 11 ? 5 : n > 8 ? 4 : 2
size = n > 11 ? ",9" : n > 8 ? ",10" : ",12"
set key at screen 0.5, screen 0.005 center bottom horizontal maxrows rows samplen (n > 8 ? 1.5 : 2.5) width (n > 8 ? 0 : 2) font size
plot for [p in policies] NaN with linespoints lc rgb colour(p) pt shape(p) lw 2 title label(p), \
     for [i = (rddc || cluster):0] NaN with lines lc rgb "black" dt 2 title "least possible"
