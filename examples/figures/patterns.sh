#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# README's picture: blocking by traffic pattern of the best rule, imitation and evolved, drawn from what is recorded; nothing
# is run. The rows are those of the table "One network for six patterns" in doc/results/odcn.md, the bound is that of
# doc/results/odcn/fig5.csv at the same load.
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

# A row a pattern: its name, the name of the best rule, then value and half interval of that rule, evolved and imitation.
awk -F ' *\\| *' '
    /^\| pattern \| random \|/ { for (i = 2; i < NF; ++i) name[i] = $i; inside = 1; next }
    !inside || /^\|---/ { next }
    !/^\|/ { exit }
    {
        best = 0
        for (i = 3; i < NF; ++i) {
            split($i, cell, / \+- /)
            value[name[i]] = cell[1]
            half[name[i]] = cell[2]
            rule = name[i] !~ /^(untrained|linear|imitation|evolved|lookahead|drl-paper|odcn-ppo)$/
            if (rule && (!best || cell[1] + 0 < value[best] + 0)) best = name[i]
        }
        print $2, best, value[best], half[best], value["evolved"], half["evolved"], value["imitation"], half["imitation"]
    }' "$results/odcn.md" >"$work/patterns"
[ "$(wc -l <"$work/patterns")" = 6 ] || { echo "error: no table of six patterns in $results/odcn.md" >&2 && exit 1; }

# In per cent, at load 66.
bound=$(awk -F, '
    /^#/ { next }
    !n { for (n = 1; n <= NF; ++n) at[$n] = n; next }
    $at["load"] == 66 && $at["policy"] == "best possible" { print 100 * $at["blocking"]; exit }' "$results/odcn/fig5.csv")

cd "$folder"
gnuplot -c patterns.gp "$work/patterns" "$bound" "$output/patterns.svg"
echo "$output/patterns.svg"
