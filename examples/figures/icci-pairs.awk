# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# awk -v agents=linear,linear-dwa -f icci-pairs.awk replications.csv: each agent beside every other policy on the same days:
# hotspot blocks, workers moved, and hotspot blocks less than "none" for each worker moved, the agent's less the
# other's, with intervals of 95 % over the days (those of the ratio by linearisation).

BEGIN {
    FS = ","
    n = split(agents, list, ",")
    for (i = 1; i <= n; ++i) isAgent[list[i]] = 1
}
FNR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
{
    if (!($1 in seen)) { seen[$1] = 1; order[++policies] = $1 }
    if ($1 == order[1]) run[++days] = $2
    hot[$1, $2] = $at["hot_blocks"]
    moved[$1, $2] = $at["moved_workers"]
    hotSum[$1] += $at["hot_blocks"]
    movedSum[$1] += $at["moved_workers"]
}
# Mean of x[1] to x[days] with its interval.
function estimate(scale,    i, mean, squares, t) {
    mean = 0
    for (i = 1; i <= days; ++i) mean += x[i] / days
    for (i = 1; i <= days; ++i) squares += (x[i] - mean) ^ 2
    # Quantile of Student's law, Cornish and Fisher.
    t = 1.959964 + 2.372271 / (days - 1) + 2.822497 / (days - 1) ^ 2
    return sprintf("%+.2f +- %.2f", mean * scale, t * sqrt(squares / (days - 1) / days) * scale)
}
function ratio(p) { return movedSum[p] > 0 ? (hotSum["none"] - hotSum[p]) / movedSum[p] : 0 }
# How far day i pulls the ratio of p from its value.
function pull(p, i) {
    return movedSum[p] > 0 ? (hot["none", run[i]] - hot[p, run[i]] - ratio(p) * moved[p, run[i]]) * days / movedSum[p] : 0
}
END {
    print "| agent | beside | hot blocks | workers moved | hot blocks less a worker |"
    print "|---|---|---|---|---|"
    for (a = 1; a <= n; ++a) {
        for (b = 1; b <= policies; ++b) {
            p = list[a]
            q = order[b]
            if ((q in isAgent) || q == "none") continue
            for (i = 1; i <= days; ++i) x[i] = hot[p, run[i]] - hot[q, run[i]]
            line = "| " p " | " q " | " estimate(1)
            for (i = 1; i <= days; ++i) x[i] = moved[p, run[i]] - moved[q, run[i]]
            line = line " | " estimate(1)
            for (i = 1; i <= days; ++i) x[i] = ratio(p) - ratio(q) + pull(p, i) - pull(q, i)
            print line " | " estimate(1) " |"
        }
    }
}
