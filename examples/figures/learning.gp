# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# A panel of learning curves beside rules (dashed), from FIGURE-curves.csv and FIGURE.csv. The caller sets agents, rules, by (a
# column), scale, and what lines.gp wants.

table = data
data = sprintf("< awk -F, -v by=%s -v scale=%g -v rules='%s' -f learning.awk '%s/%s-curves.csv' '%s'", by, scale, rules, folder, name, table)
lower(c) = column(c)
upper(c) = column(c)
dash(p) = strstrt(" " . rules . " ", " " . p . " ") > 0 ? 2 : 1
x = 'column("x")'
quantity = "value"
shown = rules . " " . agents
load "lines.gp"
data = table
lower(c) = column(c . "_lower")
upper(c) = column(c . "_upper")
dash(p) = 1
