# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 3 of the A2cScheduler paper: training at rate 0.7 and its result.

rules = among("random tetris sjf")
rows = names
strong = "sjf a2cscheduler"
H = 320 + 20 * words(rows) + 90
eval begin
height = 190
top = 28
heading = "(a) slowdown of all jobs in training"
agents = "a2cscheduler"
by = "decisions"; scale = 1e-6; xtitle = "million decisions"
load "learning.gp"
columns = "slowdown_all cycling_time waiting_time"
array headings[3] = ["(b) slowdown", "(c) completion", "(d) waiting"]
array units[3] = ["all jobs", "time slots", "time slots"]
height = 20 * words(rows)
values = 1
do for [k = 1:3] {
    named = k == 1
    left = 178 + (k - 1) * 128
    right = W - left - 110
    top = 320
    quantity = word(columns, k); heading = headings[k]; xtitle = units[k]
    load "dots.gp"
}
unset multiplot
