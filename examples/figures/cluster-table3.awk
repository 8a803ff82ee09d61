# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Table 3 of the A2cScheduler paper from learning curves: how far each network came, and when it was
# within a tenth of its best.

BEGIN { FS = "," }
NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
{
    n = $at["policy"]
    if (!(n in rows)) order[++nets] = n
    score[n, ++rows[n]] = $at["evaluation_slowdown"]
    decisions[n, rows[n]] = $at["decisions"]
    if (rows[n] == 1 || score[n, rows[n]] < best[n]) best[n] = score[n, rows[n]]
    last[n] = score[n, rows[n]]
}
END {
    print "| network | decisions | slowdown at first | best | at the end | thousand decisions until within 10 % of the best |"
    print "|---|---|---|---|---|---|"
    for (k = 1; k <= nets; ++k) {
        n = order[k]
        for (i = 1; score[n, i] > 1.1 * best[n]; ++i);
        printf "| %s | %d | %.2f | %.2f | %.2f | %.0f |\n", n, decisions[n, rows[n]], score[n, 1], best[n], last[n], decisions[n, i] / 1000
    }
}
