# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c faults.gp FOLDER: plot FOLDER/faults.csv to FOLDER/faults.svg: what arrives, and how late, while parts fail.

folder = ARG1
output = folder . "/faults.svg"
load "style.gp"
logx = 0; logy = 0; y0 = 0; bound = ""; xtitle = ""
key = "design"
lower(c) = column(c eq "p50_us" ? "p50_us" : "delivered_percent") - column(c eq "p50_us" ? "p50_interval" : "delivered_interval")
upper(c) = column(c eq "p50_us" ? "p50_us" : "delivered_percent") + column(c eq "p50_us" ? "p50_interval" : "delivered_interval")
shown = "expander rotornet opera"
x = '100 * column("share")'
H = 520
height = 190
eval begin
do for [k = 1:4] {
    part = k % 2 ? "ocs-port" : "uplink"
    # Without faults, both kinds of part are the same.
    data = "< awk -F, 'NR == 1 || $1 == \"none\" || $1 == \"" . part . "\"' '" . folder . "/faults.csv'"
    left = k % 2 ? 60 : 334
    right = W - left - 136
    top = k > 2 ? 260 : 28
    logy = k > 2
    y0 = k < 3 ? 80 : 0
    quantity = k > 2 ? "p50_us" : "delivered_percent"
    heading = k == 1 ? "delivered, %: ports fail" : k == 2 ? "delivered, %: uplinks fail" : k == 3 ? "median, us: ports fail" : "median, us: uplinks fail"
    xtitle = k > 2 ? "share of time failed, %" : ""
    load "lines.gp"
}
unset multiplot
