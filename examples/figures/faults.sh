#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# faults.sh FOLDER [OPTION...]: run optical-fabrics while a growing share of the ports of optical
# switches, or of the uplinks of ToR switches, has failed, and draw FOLDER/faults.svg.
# Options are those of optical-fabrics.

set -euo pipefail
if ! command -v gnuplot >/dev/null; then
    echo "error: no gnuplot to draw with (Debian: apt install gnuplot-nox)" >&2
    exit 1
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

# The mean time to repair is 1 ms; a part works with probability MTBF / (MTBF + MTTR).
for part in none ocs-port uplink; do
    for share in $([ $part = none ] && echo 0 || echo 0.01 0.03 0.1 0.2); do
        faults=$(awk -v s="$share" -v p="$part" \
            'BEGIN { if (s > 0) printf "--mtbf=%s=%.3fus --mttr=%s=1ms", p, 1000 * (1 - s) / s, p }')
        (cd "$here/../.." && ./ns3 run "optical-fabrics --racks=12 --servers=4 --uplinks=4 --sizes=50000 --duration=5 --drain=10
            --designs=expander,rotornet,opera --replications=5 $faults --output=$temporary/out $*") >"$temporary/said"
        awk -F, -v OFS=, -v p="$part" -v s="$share" '
            NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i }
            NR > 1 && $c["from_bytes"] == 0 && $c["to_bytes"] < 1e15 { p50[$1, $2] = $c["p50_us"] }
            NR > 1 && $c["from_bytes"] == 0 && $c["to_bytes"] > 1e15 {
                print p, s, $1, $2, $c["faults"], $c["availability"], 100 * $c["delivered"], p50[$1, $2], $c["packets"], $c["dropped"]
            }' "$temporary/out/summary.csv" >>"$temporary/runs"
    done
done
{
    echo "part,share,design,run,faults,availability,delivered_percent,p50_us,packets,dropped"
    cat "$temporary/runs"
} >"$folder/faults-runs.csv"

# Means and 95 % intervals over the runs, by Student's t.
awk -F, -v OFS=, '
    function interval(sum, square, n) { return n > 1 ? t[n] * sqrt((square - sum * sum / n) / (n - 1) / n) : 0 }
    BEGIN {
        split("0 12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262", t, " ")
        print "part", "share", "design", "runs", "delivered_percent", "delivered_interval", "p50_us", "p50_interval", "lost_percent", "unavailable_percent"
    }
    NR > 1 {
        k = $1 OFS $2 OFS $3
        if (!(k in n)) order[++keys] = k
        ++n[k]; d[k] += $7; dd[k] += $7 * $7; q[k] += $8; qq[k] += $8 * $8; lost[k] += 100 * $10 / $9; down[k] += 100 * (1 - $6)
    }
    END {
        for (i = 1; i <= keys; ++i) {
            k = order[i]
            print k, n[k], d[k] / n[k], interval(d[k], dd[k], n[k]), q[k] / n[k], interval(q[k], qq[k], n[k]), lost[k] / n[k], down[k] / n[k]
        }
    }' "$folder/faults-runs.csv" >"$folder/faults.csv"
(cd "$here" && gnuplot -c faults.gp "$folder")
echo "$folder/faults.svg"
