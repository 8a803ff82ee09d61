# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Table 2 of the NARA paper from summary.csv: the linear policy beside the rule that accepts most.

BEGIN { FS = "," }
/^#/ { next }
!n { for (i = 1; i <= NF; ++i) at[$i] = i; n = 1; next }
{
    t = $at["topology"]
    if (!(t in best)) { order[++topologies] = t; best[t] = "" }
    if ($at["policy"] == "linear") linear[t] = $0
    else if ($at["policy"] !~ /^(raw-bound|nara-paper|untrained)$/ && (best[t] == "" || $at["acceptance"] > most[t])) {
        best[t] = $0
        most[t] = $at["acceptance"]
    }
}
function pair(cells, name) {
    return sprintf("%.1f \302\261 %.1f", 100 * cells[at[name]], 50 * (cells[at[name "_upper"]] - cells[at[name "_lower"]]))
}
function gain(name) {
    return sprintf("%+.1f", 100 * a[at[name "_difference"]] / b[at[name]])
}
END {
    print "| topology | best rule | its acceptance | linear | difference, points | acceptance, % | CPU, % | memory, % |"
    print "|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= topologies; ++i) {
        split(linear[order[i]], a, ",")
        split(best[order[i]], b, ",")
        print "| " order[i] " | " b[at["policy"]] " | " pair(b, "acceptance") " | " pair(a, "acceptance") \
            " | " pair(a, "acceptance_difference") " | " gain("acceptance") " | " gain("cpu_use") " | " \
            gain("memory_use") " |"
    }
}
