# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Table 3 of the NARA paper from two files summary.csv: the linear policy on 64 servers and on 1,024.

BEGIN { FS = "," }
/^#/ { next }
FNR == 1 { ++file; for (i = 1; i <= NF; ++i) at[$i] = i; next }
{
    t = $at["topology"]
    if (!(t in seen)) { order[++topologies] = t; seen[t] = 1 }
    for (name in at) value[file, t, $at["policy"], name] = $at[name]
    if (file == 2 && $at["policy"] != "linear" && $at["acceptance"] > most[t]) {
        most[t] = $at["acceptance"]
        best[t] = $at["policy"]
    }
}
function pair(f, t, p, name) {
    return sprintf("%.1f \302\261 %.1f", 100 * value[f, t, p, name], 50 * (value[f, t, p, name "_upper"] - value[f, t, p, name "_lower"]))
}
function delta(t, name) {
    return sprintf("%+.1f", 100 * (value[2, t, "linear", name] / value[1, t, "linear", name] - 1))
}
END {
    print "| topology | linear, 64 | linear, 1,024 | acceptance, % | CPU, % | memory, % | its CPU in use | best rule, 1,024 | its CPU in use | which |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= topologies; ++i) {
        t = order[i]
        print "| " t " | " pair(1, t, "linear", "acceptance") " | " pair(2, t, "linear", "acceptance") " | " \
            delta(t, "acceptance") " | " delta(t, "cpu_use") " | " delta(t, "memory_use") " | " \
            pair(2, t, "linear", "cpu_use") " | " pair(2, t, best[t], "acceptance") " | " \
            pair(2, t, best[t], "cpu_use") " | " best[t] " |"
    }
}
