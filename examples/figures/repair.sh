#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# repair.sh FOLDER: the same flows over an ideal switch, Opera, RotorLB and Sirius by UDP, by UDP with
# repair, the same with credits, and by CUBIC and DCTCP, these also with a reordering window of 1,000
# packets. Writes FOLDER/repair.csv, a row for each design and transport, and prints it: flows that
# are incomplete, packets that were sent again and had not been lost (TCP: fast retransmissions, since
# nothing is lost but what RED drops), timeouts, and times of flows relative to UDP, run by run, mean
# of the runs. Ten minutes.

set -euo pipefail
folder=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

# run NAME OPTION...
run() {
    local name=$1
    shift
    (cd "$here" && ./ns3 run "optical-fabrics --designs=ideal,opera,rotornet,sirius --engine=packets --replications=3 --duration=20 --drain=80 --report=false --output=$temporary/$name $*" >"$temporary/said")
}

window=--ns3::TcpSocketBase::ReTxThreshold=1000
run udp --transport=udp
run nack --transport=nack
run credits --transport=credits
run dctcp --transport=dctcp
run dctcp-window --transport=dctcp $window
run cubic --transport=tcp
run cubic-window --transport=tcp $window

for name in udp nack credits dctcp dctcp-window cubic cubic-window; do
    awk -F, -v OFS=, -v name=$name '
        FNR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
        { key = $c["design"] "," $c["run"] "," $c["from_bytes"] "," $c["to_bytes"] }
        NR == FNR { p50[key] = $c["p50_us"]; p99[key] = $c["p99_us"]; next }
        {
            d = $c["design"]
            if (!(d in flows)) { order[++designs] = d; flows[d] = 0 }
            if ($c["to_bytes"] == 100000) { short50[d] += $c["p50_us"] / p50[key]; short99[d] += $c["p99_us"] / p99[key] }
            if ($c["from_bytes"] == 1000000) { long50[d] += $c["p50_us"] / p50[key]; long99[d] += $c["p99_us"] / p99[key] }
            if ($c["from_bytes"] == 0 && $c["to_bytes"] != 100000) {
                ++runs[d]; flows[d] += $c["flows"]; incomplete[d] += $c["incomplete"]; timeouts[d] += $c["timeouts"]
                again[d] += name ~ /nack|credits/ ? $c["duplicates"] : $c["recoveries"]
            }
        }
        END {
            for (i = 1; i <= designs; ++i) {
                d = order[i]
                n = runs[d]
                print d, name, flows[d], incomplete[d], again[d], timeouts[d], short50[d] / n, short99[d] / n, long50[d] / n, long99[d] / n
            }
        }' "$temporary/udp/summary.csv" "$temporary/$name/summary.csv"
done | LC_ALL=C sort -t, -k1,1 -s >"$temporary/rows"
{
    echo "design,transport,flows,incomplete,false_retransmissions,timeouts,p50_below_100kB_over_udp,p99_below_100kB_over_udp,p50_from_1MB_over_udp,p99_from_1MB_over_udp"
    cat "$temporary/rows"
} >"$folder/repair.csv"
awk -F, -v form="%-9s %-13s %6s %11s %8s %9s %14s %14s %12s %12s\n" '
    NR == 1 { printf form, $1, $2, $3, $4, "in vain", $6, "p50, < 100 kB", "p99, < 100 kB", "p50, >= 1 MB", "p99, >= 1 MB"; next }
    { printf form, $1, $2, $3, $4, $5, $6, sprintf("%.2f", $7), sprintf("%.2f", $8), sprintf("%.2f", $9),
        sprintf("%.2f", $10) }' "$folder/repair.csv"
