# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# awk -F, -f rddc-racks.awk spreads.csv: share of the grants whose servers are in one rack (a spread of 1), by policy and
# oversubscription.

NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
{
    split($at["topology"], part, "/")
    k = $at["policy"] "," part[2]
    if (!(k in all)) order[++n] = k
    all[k] += $at["granted"]
    if ($at["spread"] > 0.875 && $at["spread"] < 1.125) rack[k] += $at["granted"]
}
END {
    print "policy,ratio,rack"
    for (i = 1; i <= n; ++i) print order[i] "," 100 * rack[order[i]] / all[order[i]]
}
