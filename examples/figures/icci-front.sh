#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Hotspot blocks against moved workers: the greedy rules over the weight of a moved worker, and the linear
# policies trained with other weights.
#
#   examples/figures/icci-front.sh                      into doc/results/icci/
#   examples/figures/icci-front.sh --output=mine --days=10 --linear=FOLDER
#
# FOLDER (default data/) has linear-icci.json and linear-icci-dwa.json, trained with --eta=12, and those for
# another eta, linear-icci-etaE.json and linear-icci-dwa-etaE.json.

set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$folder/../.." && pwd)

output=$root/doc/results/icci
linear=$root/data
days=100
for option in "$@"; do
    case $option in
        --output=*) output=${option#--output=} ;;
        --linear=*) linear=${option#--linear=} ;;
        --days=*) days=${option#--days=} ;;
        *) echo "error: $option: --output, --linear or --days" >&2 && exit 1 ;;
    esac
done
mkdir -p "$output"
output=$(cd "$output" && pwd)
linear=$(cd "$linear" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

policies=none
for rule in greedy greedy-dwa; do
    for weight in 1 3 6 12 18 24 36; do
        policies+=",${rule}[Moved=$weight]"
    done
done
for policy in linear linear-dwa; do
    file=$linear/linear-icci${policy#linear}
    for file in "$file".json "$file"-eta*.json; do
        [ -e "$file" ] && policies+=",${policy}[File=$file]"
    done
done
(cd "$root" && ./ns3 run icci-hotspot-migration -- --replications="$days" --RngRun=1001 --output="$work" \
    --policies="$policies")
awk -F, '
    NR == 1 {
        for (i = 1; i <= NF; ++i) at[$i] = i
        n = split("hot_blocks moved_workers hot_blocks_change hot_blocks_fewer_per_moved_workers hops", figures, " ")
        line = "family,weight"
        for (i = 1; i <= n; ++i) line = line "," figures[i] "," figures[i] "_lower," figures[i] "_upper"
        print line
        next
    }
    $1 != "none" {
        weight = match($1, /(Moved=|-eta)[0-9.]*[0-9]/) ? substr($1, RSTART, RLENGTH) : "12"
        sub(/^[^0-9]*/, "", weight)
        line = substr($1, 1, index($1, "[") - 1) "," weight
        for (i = 1; i <= n; ++i) for (j = 0; j < 3; ++j) line = line "," $(at[figures[i]] + j)
        print line
    }' "$work/summary.csv" >"$output/front.csv"
if ! command -v gnuplot >/dev/null; then
    echo "error: no gnuplot to draw with (Debian: apt install gnuplot-nox)" >&2
    exit 1
fi
(cd "$folder" && gnuplot -c icci-front.gp "$output")
ls "$output/front.svg"
