# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Figs. 6 and 7: four quantities at one load, a row for each policy.

measured = strstrt(system(sprintf("grep -m 1 -v '^#' '%s'", data)), "packet_ns") > 0
rows = names
strong = among("odcn-jcb odcn-score linear imitation")
height = 20 * words(rows)
H = 2 * height + 176
eval begin
array columns[4] = ["blocking", measured ? "packet_ns" : "estimated_latency_ns", measured ? "packet_loss" : "estimated_loss", "reconfigurations_per_job"]
form = measured ? "" : " (closed form)"
array headings[4] = ["blocked jobs", "latency" . form, "packets lost" . form, "reconfigurations"]
array units[4] = ["%; dashed: best possible", "ns", "%", "a job"]
do for [k = 1:4] {
    named = k % 2
    left = named ? 112 : 372
    right = named ? 236 : 18
    top = k > 2 ? height + 118 : 28
    quantity = columns[k]; heading = headings[k]; xtitle = units[k]
    factor = k == 1 || k == 3 ? 100 : 1
    logx = k == 1
    values = k == 1
    bound = k == 1 ? "best possible" : ""
    load "dots.gp"
}
unset multiplot
