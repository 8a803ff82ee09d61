# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 4 of the NARA paper: mean spread of the servers that the linear policy chooses, by their number.

data = "< awk -F, -f rddc-spread.awk '" . folder . "/spreads.csv'"
key = "topology"
eval list
shown = among("8/16 16/16 16/4 32/16 32/4")
if (words(shown) < 2) { shown = names }
lower(c) = column(c)
upper(c) = column(c)
hue(p) = (number = sum [w = 1:words(shown)] (word(shown, w) eq p ? w : 0), word("#5a5a5a #2a8f3a #e08214 #1f78b4 #d7191c", number > 0 ? number : 1))
x = 'column("servers")'
H = 400
right = 80
height = 300
top = 28
eval begin
heading = "mean distance of servers: 1 rack, 2 cluster"
xtitle = "servers of a request (the linear policy)"
quantity = "spread"
left = 84
load "lines.gp"
unset multiplot
