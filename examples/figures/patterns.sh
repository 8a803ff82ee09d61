#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# README's picture: blocking by traffic pattern of the best published rule and of the sums of evolved, each with worst fit and
# with best fit, drawn from doc/results/odcn/placements.csv; nothing is run. The bound is that of doc/results/odcn/fig5.csv at
# the same load.
#
#   examples/figures/patterns.sh                   into doc/results/odcn/patterns.svg
#   examples/figures/patterns.sh --output=FOLDER   into FOLDER/patterns.svg

set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
results=$(cd "$folder/../../doc/results" && pwd)

output=$results/odcn
case ${1-} in
    "") ;;
    --output=*) output=${1#--output=} ;;
    *) echo "error: option: found '$1', expected --output=FOLDER" >&2 && exit 1 ;;
esac
command -v gnuplot >/dev/null || { echo "error: drawing needs gnuplot (Debian: gnuplot-nox)" >&2 && exit 1; }
mkdir -p "$output"
output=$(cd "$output" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A row a pattern: its name, then the mean in per cent and half its interval of 95 % over 20 runs (t of 19 degrees), of the
# published rule that blocks least and of the sum, with worst fit and with best fit.
awk -F, '
    /^#/ || $1 == "pattern" || $1 == "mixed" || $1 == "shuffle" { next }
    {
        n = split($4, blocked, " ")
        if (n != 20) next
        sum = square = 0
        for (i = 1; i <= n; ++i) { sum += blocked[i] / 100; square += (blocked[i] / 100) ^ 2 }
        mean = sum / n
        row = sprintf("%.2f %.2f", mean, 2.093 * sqrt((square - n * mean * mean) / (n - 1) / n))
        if (!($1 in seen)) { seen[$1] = 1; order[++patterns] = $1 }
        who = $3 == "sum" ? "sum" : $3 ~ /^(all2all-ccf|odcn-ccf|odcn-jcb)$/ ? "rule" : ""
        at = $1 " " $2 " " who
        if (who != "" && (!(at in least) || mean < least[at])) { least[at] = mean; text[at] = row }
    }
    END {
        for (i = 1; i <= patterns; ++i) {
            p = order[i]
            print p, text[p " Balanced rule"], text[p " BestFit rule"], text[p " Balanced sum"], text[p " BestFit sum"]
        }
    }' "$results/odcn/placements.csv" >"$work/patterns"
[ "$(awk 'NF == 9' "$work/patterns" | wc -l)" = 6 ] || { echo "error: no six patterns in $results/odcn/placements.csv" >&2 && exit 1; }

# In per cent, at load 66.
bound=$(awk -F, '
    /^#/ { next }
    !n { for (n = 1; n <= NF; ++n) at[$n] = n; next }
    $at["load"] == 66 && $at["policy"] == "best possible" { print 100 * $at["blocking"]; exit }' "$results/odcn/fig5.csv")

cd "$folder"
gnuplot -c patterns.gp "$work/patterns" "$bound" "$output/patterns.svg"
echo "$output/patterns.svg"
