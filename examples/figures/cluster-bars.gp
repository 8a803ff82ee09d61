# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# A row for each policy in each panel; the caller sets `columns`, `headings` and `strong`. Rewards are shown as costs.

rows = names
height = 19 * words(rows)
H = height + 96
right = 20
left = 178
eval begin
m = words(columns)
each = (W - left - right) / m
do for [k = 1:m] {
    named = k == 1
    left = 178 + (k - 1) * each
    right = W - left - each + (k < m ? 26 : 0)
    top = 28
    quantity = word(columns, k); heading = headings[k]; xtitle = units[k]
    factor = quantity eq "reward" ? -1 : 1
    values = 1
    load "dots.gp"
}
unset multiplot
