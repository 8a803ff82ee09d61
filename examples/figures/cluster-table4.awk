# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Table 4 of the A2cScheduler paper, of another trace, from the program's summary: theirs beside ours.

BEGIN {
    FS = ","
    paper["random"] = "3.52 10.2 6.32"
    paper["tetris"] = "1.82 5.55 1.25"
    paper["sjf"] = "1.61 5.51 1.21"
    paper["a2cscheduler"] = "1.01 2.58 0.01"
    print "| policy | slowdown, paper | ours | completion time, paper | ours | waiting time, paper | ours |"
    print "|---|---|---|---|---|---|---|"
}
NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
{
    split(paper[$at["policy"]], theirs, " ")
    line = "| " $at["policy"]
    measures = split("slowdown cycling_time waiting_time", measure, " ")
    for (m = 1; m <= measures; ++m) {
        half = ($at[measure[m] "_upper"] - $at[measure[m] "_lower"]) / 2
        line = line " | " theirs[m] " | " sprintf("%.2f +- %.2f", $at[measure[m]], half)
        theirs[m] = ""
    }
    print line " |"
}
