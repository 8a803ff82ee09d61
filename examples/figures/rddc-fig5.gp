# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 5 of the NARA paper: how many requests get servers of one rack, over all topologies of an oversubscription.

data = "< awk -F, -f rddc-racks.awk '" . folder . "/spreads.csv'"
shown = among("nulb nalb tetris-best nara-paper linear")
lower(c) = column(c)
upper(c) = column(c)
x = '-log(column("ratio")) / log(2)'
H = 350
right = 122
height = 250
top = 28
eval begin
set xtics ("1:16" -4, "1:8" -3, "1:4" -2)
heading = "requests whose servers are in one rack, %"
xtitle = "oversubscription"
quantity = "rack"
load "lines.gp"
unset multiplot
