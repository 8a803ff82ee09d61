# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Three quantities over the topologies; the calling script sets their columns and headings.

shown = among("nulb nalb tetris-best nara-paper linear")
key = "policy"
topologies = ""
stats data using (t = strcol("topology"), topologies = strstrt(topologies . " ", " " . t . " ") > 0 ? topologies : topologies . " " . t, 0) nooutput
site(t) = sum [w = 1:words(topologies)] (word(topologies, w) eq t ? w : 0)
x = 'site(strcol("topology"))'
H = 660
right = 122
height = 150
factor = 100
eval begin
do for [k = 1:3] {
    top = 28 + 194 * (k - 1)
    quantity = word(columns, k); heading = headings[k]
    set xtics ("" 0)
    do for [w = 1:words(topologies)] { eval(sprintf('set xtics add ("%s" %d)', k < 3 ? "" : (w % 2 ? "" : "\n") . word(topologies, w), w)) }
    xtitle = k == 3 ? "\nchannels of a server / oversubscription" : ""
    load "lines.gp"
}
unset multiplot
