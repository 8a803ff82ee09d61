# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 8 of the NARA paper: granted requests, by the least number of servers that can serve them.

data = folder . "/sizes.csv"
shown = among("nulb nalb tetris-best nara-paper linear")
lower(c) = column("granted") / column("received")
upper(c) = lower(c)
of(p, c) = strcol("policy") eq p && strcol("topology") eq t ? factor * lower(c) : NaN
x = 'column("least_servers")'
H = 640
right = 122
height = 150
factor = 100
eval begin
do for [k = 1:3] {
    t = word("8/16 16/8 32/4", k)
    top = 28 + 194 * (k - 1)
    quantity = "granted"; heading = sprintf("(%s) requests granted at %s, %%", word("a b c", k), t)
    xtitle = k == 3 ? "least servers that could serve a request" : ""
    load "lines.gp"
}
unset multiplot
