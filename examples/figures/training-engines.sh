#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# training-engines.sh FOLDER [MIXES [DESIGNS [OPTION...]]]: random mixes (20) of training jobs on
# designs, on the flow level, by the exact engine and in packets. Writes FOLDER/engines.csv, a line
# for each mix, design and engine, and prints FOLDER/engines.txt: mean job times relative to packets,
# and how many pairs of designs have the order that they have in packets; pairs whose times in
# packets differ by less than 2 % do not count.
#
# A mix is six jobs of three kinds, each of 4 to 16 ranks, 2 to 4 layers and 2 iterations, with
# computations of 20 to 200 us, collectives of 50 kB to 1 MB of groups of a layer, and of 0.2 to 2 MB
# of all; 16 racks of 4 servers with 4 uplinks of 100 Gb/s.

set -euo pipefail
folder=$1
mixes=${2:-20}
designs=${3:-ideal,fat-tree,clos-3:1,expander,rotornet-direct}
shift $(($# < 3 ? $# : 3))
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# How the program is run: PROGRAM=build/bin/training-jobs runs one that is built.
run() {
    if [ -n "${PROGRAM:-}" ]; then "$PROGRAM" "$@"; else (cd "$here" && ./ns3 run "training-jobs $*"); fi
}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

# kind MIX KIND: a job as CSV.
kind() {
    awk -v seed=$((100 * $1 + $2)) 'BEGIN {
        srand(seed)
        ranks = 2 ^ (2 + int(3 * rand()))
        layers = 2 + int(3 * rand())
        group = 2 ^ (1 + int(2 * rand()))
        split("all-reduce all-to-all all-gather", what, " ")
        collective = what[1 + int(3 * rand())]
        bytes = int(50000 * 20 ^ rand())
        compute = int(20 * 10 ^ rand())
        print "ranks,operation,duration,bytes,group,name"
        printf "0-%d,compute,1us,,,\n", ranks - 1
        for (i = 0; i < layers; ++i) {
            printf "all,compute,%dus,,,layer\n", compute
            printf "all,%s,,%d,blocks:%d,layer\n", collective, bytes, group
        }
        printf "all,all-reduce,,%d,all,gradients\n", int(200000 * 10 ^ rand())
    }'
}

echo "mix,design,engine,mean_ms" >"$folder/engines.csv"
for ((mix = 1; mix <= mixes; ++mix)); do
    files=
    for k in 1 2 3; do
        kind "$mix" $k >"$temporary/mix$mix-$k.csv"
        files+=${files:+,}$temporary/mix$mix-$k.csv
    done
    arrival=$(awk -v seed="$mix" 'BEGIN { srand(seed); printf "%.3f", 0.1 * 20 ^ rand() }')
    for engine in flows exact packets; do
        run --files="$files" --designs="$designs" --engine=$engine --jobs=6 --iterations=2 \
            --arrival="$arrival" --placement=random --replications=1 --pathIterations=0 \
            --report=false --RngRun="$mix" --output="$temporary/out" "$@" >"$temporary/said" 2>&1 ||
            { cat "$temporary/said" >&2; exit 1; }
        awk -F, -v OFS=, -v mix="$mix" -v jobs=6 '
            NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
            { sum[$c["design"]] += $c["time_ps"]; engine = $c["engine"] }
            END { for (d in sum) print mix, d, engine, sum[d] / jobs / 1e9 }
        ' "$temporary/out/summary.csv" | sort >>"$folder/engines.csv"
    done
done

awk -F, '
    NR > 1 { mean[$1, $2, $3] = $4; mixes[$1]; if (!($2 in known)) { known[$2]; design[++n] = $2 } }
    END {
        printf "%-16s %-6s %10s %12s %8s %8s\n", "Design", "Engine", "Mean, ms", "/ packets, %", "least", "most"
        for (d = 1; d <= n; ++d) {
            for (e = 1; e <= 3; ++e) {
                engine = e == 1 ? "flows" : e == 2 ? "exact" : "packets"
                sum = ratios = count = 0
                least = 1e9
                most = 0
                for (m in mixes) {
                    ratio = mean[m, design[d], engine] / mean[m, design[d], "packets"]
                    sum += mean[m, design[d], engine]
                    ratios += ratio
                    ++count
                    if (ratio < least) least = ratio
                    if (ratio > most) most = ratio
                }
                printf "%-16s %-6s %10.3f %12.2f %8.2f %8.2f\n", design[d], engine, sum / count,
                    100 * ratios / count, 100 * least, 100 * most
            }
        }
        for (e = 1; e <= 2; ++e) {
            engine = e == 1 ? "flows" : "exact"
            pairs = same = 0
            for (m in mixes) for (a = 1; a <= n; ++a) for (b = a + 1; b <= n; ++b) {
                x = mean[m, design[a], "packets"]
                y = mean[m, design[b], "packets"]
                if (x / y > 0.98 && x / y < 1.02) continue
                ++pairs
                if ((x < y) == (mean[m, design[a], engine] < mean[m, design[b], engine])) ++same
            }
            printf "%s: %d of %d pairs of designs in the order of packets\n", engine, same, pairs
        }
    }
' "$folder/engines.csv" | tee "$folder/engines.txt"
