# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# awk -F, -f fabrics.awk summary.csv: median of flows below 100 kB and 99th percentile of those of 1 MB and more, in us, mean of the
# runs with its 95 % interval by Student's t, a row for each design.

# With incomplete flows a percentile may be inf, and then has no mean.
function add(kind, design, v) { if (v == "inf") infinite[kind, design] = 1; ++n[kind, design]; sum[kind, design] += v; square[kind, design] += v * v }
function estimate(kind, design,    k, m, half) {
    k = n[kind, design]
    if (!k || (kind, design) in infinite) return "NaN,NaN,NaN"
    m = sum[kind, design] / k
    half = k > 1 ? (k < 10 ? t[k] : 2.1) * sqrt(square[kind, design] > k * m * m ? (square[kind, design] - k * m * m) / (k - 1) / k : 0) : 0
    return m "," m - half "," m + half
}
BEGIN { split("0 12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262", t, " ") }
NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
!($at["design"] in seen) { seen[$at["design"]] = 1; order[++designs] = $at["design"] }
$at["from_bytes"] == 0 && $at["to_bytes"] == 100000 && $at["p50_us"] != "" { add("short", $at["design"], $at["p50_us"]) }
$at["from_bytes"] == 1000000 && $at["p99_us"] != "" { add("long", $at["design"], $at["p99_us"] == "inf" ? "inf" : $at["p99_us"] / 1000) }
END {
    print "design,short,short_lower,short_upper,long,long_lower,long_upper"
    for (i = 1; i <= designs; ++i) print order[i] "," estimate("short", order[i]) "," estimate("long", order[i])
}
