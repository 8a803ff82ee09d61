# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Tables 1 and 2 of the A2cScheduler paper from the program's summary: theirs beside ours.

BEGIN {
    FS = ","
    measures = split("slowdown cycling_time waiting_time", measure, " ")
    split("slowdown|completion time|waiting time", title, "|")
    policies = split("random tetris sjf a2cscheduler a2cscheduler-likeliest", policy, " ")
    # Rate, measure, then the policies as above.
    paper["0.9", 1] = "5.50 2.90 1.81 2.03"
    paper["0.9", 2] = "12.51 8.61 7.42 7.20"
    paper["0.9", 3] = "8.22 3.32 2.21 2.20"
    paper["0.8", 1] = "6.20 3.25 2.52 2.30"
    paper["0.8", 2] = "14.21 8.50 6.50 6.20"
    paper["0.8", 3] = "9.15 2.10 1.93 2.12"
    paper["0.7", 1] = "5.05 3.32 2.14 1.91"
    paper["0.7", 2] = "13.15 10.02 7.66 6.10"
    paper["0.7", 3] = "8.32 4.51 2.53 1.82"
    paper["0.6", 1] = "3.22 1.82 1.56 1.36"
    paper["0.6", 2] = "10.00 5.50 5.50 5.50"
    paper["0.6", 3] = "8.32 1.48 1.48 1.50"
    print "| machines, rate | measure | Random, paper | ours | Tetris, paper | ours | SJF, paper | ours | A2cScheduler, paper | ours | ours, likeliest |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
}
NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
{
    split($at["workload"], words, " ")
    key = $at["machines"] ", " words[2]
    if (!(key in rate)) { order[++keys] = key; rate[key] = words[2] }
    for (m = 1; m <= measures; ++m) {
        half = ($at[measure[m] "_upper"] - $at[measure[m] "_lower"]) / 2
        value[key, m, $at["policy"]] = sprintf("%.2f +- %.2f", $at[measure[m]], half)
    }
}
END {
    for (k = 1; k <= keys; ++k) {
        for (m = 1; m <= measures; ++m) {
            split(paper[rate[order[k]], m], theirs, " ")
            line = "| " order[k] " | " title[m]
            for (p = 1; p <= policies; ++p) line = line (p < policies ? " | " theirs[p] : "") " | " value[order[k], m, policy[p]]
            print line " |"
        }
    }
}
