# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# awk -F, -f rddc-spread.awk spreads.csv: mean spread of the requests that the linear policy granted, by topology and number of
# servers.

NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
$at["policy"] == "linear" {
    k = $at["topology"] "," $at["servers"]
    if (!(k in granted)) order[++n] = k
    granted[k] += $at["granted"]
    sum[k] += $at["granted"] * $at["spread"]
}
END {
    print "topology,servers,spread"
    for (i = 1; i <= n; ++i) if (granted[order[i]] >= 20) print order[i] "," sum[order[i]] / granted[order[i]]
}
