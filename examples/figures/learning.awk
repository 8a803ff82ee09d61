# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# awk -F, -v by=decisions -v scale=1e-6 -v rules="sjf random" -f learning.awk CURVES TABLE: rows policy,x,value of the curves of
# agents, and of the rules of TABLE as lines from 0 to the end of the curves.

FNR == 1 {
    delete at
    for (i = 1; i <= NF; ++i) at[$i] = i
    if (++file == 1) print "policy,x,value"
    next
}
file == 1 {
    x = scale * $at[by]
    if (x > last) last = x
    print $at["policy"] "," x "," $at["evaluation_slowdown"]
}
file == 2 && index(" " rules " ", " " $at["policy"] " ") {
    print $at["policy"] ",0," $at["slowdown_all"]
    print $at["policy"] "," last "," $at["slowdown_all"]
}
