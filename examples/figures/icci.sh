#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Figs. 6 to 15 of the DeepHM paper: run the policies on the same days, store and draw the results.
#
#   examples/figures/icci.sh                        both presets into doc/results/icci/
#   examples/figures/icci.sh --output=mine          into ./mine
#   examples/figures/icci.sh --days=3 --preset=light --policies=none,greedy --output=mine
#
# More options: ./ns3 run "icci-hotspot-migration --help".

set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$folder/../.." && pwd)

output=$root/doc/results/icci
presets="stated light"
days=100
options=()
for option in "$@"; do
    case $option in
        --output=*) output=${option#--output=} ;;
        --preset=*) presets=${option#--preset=} ;;
        --days=*) days=${option#--days=} ;;
        *) options+=("$option") ;;
    esac
done
mkdir -p "$output"
output=$(cd "$output" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for preset in $presets; do
    # Use other runs than those on which weights and agents were selected.
    (cd "$root" && ./ns3 run icci-hotspot-migration -- --preset="$preset" --replications="$days" \
        --RngRun=1001 --output="$work" ${options[@]+"${options[@]}"})
    cp "$work/summary.csv" "$output/$preset.csv"
    # The heat map and the figures of single tasks show the first day.
    for file in hotspots tasks; do
        awk -F, 'NR == 1 || $2 == 1001' "$work/$file.csv" >"$output/$preset-$file.csv"
    done
    if ! command -v gnuplot >/dev/null; then
        echo "error: no gnuplot to draw with (Debian: apt install gnuplot-nox)" >&2
        exit 1
    fi
    (cd "$folder" && gnuplot -c icci.gp "$output" "$preset")
    ls "$output/$preset"-fig*.svg
done
