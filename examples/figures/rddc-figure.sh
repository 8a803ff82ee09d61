#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a figure or table of the NARA paper, store its results, draw the figure or print the table.
#
#   examples/figures/rddc-fig2.sh                 into doc/results/rddc/figures
#   examples/figures/rddc-fig2.sh --quick         one run, into ./rddc-figures-quick
#   examples/figures/rddc-fig2.sh --output=mine   into ./mine
#
# Figures and Table 2 have fifty runs per point, Table 3 has five. More options:
# ./ns3 run "rddc-nara-allocation --help".

set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$folder/../.." && pwd)
name=$1
shift

case $name in
    rddc-table2) output=$root/doc/results/rddc/table2 run=(--replications=50 --policies=random,untrained,nulb,nalb,tetris,tetris-aligned,tetris@LeastUsed,tetris-tuned,tetris-best,nara-paper,linear) ;;
    rddc-table3) output=$root/doc/results/rddc/table3 run=(--replications=5 --policies=nalb,tetris-tuned,tetris-best,linear) ;;
    *) output=$root/doc/results/rddc/figures run=(--replications=50 --policies=random,nulb,nalb,tetris,tetris@LeastUsed,tetris-best,nara-paper,linear,raw-bound) ;;
esac
options=()
for option in "$@"; do
    case $option in
        --quick | --quick=1) output=$PWD/rddc-figures-quick run+=(--replications=1) ;;
        --output=*) output=$(realpath -m "${option#--output=}") ;;
        *) options+=("$option") ;;
    esac
done
mkdir -p "$output"

allocate()
{
    (cd "$root" && ./ns3 run rddc-nara-allocation -- "${run[@]}" "${options[@]}" "$@")
}

allocate --output="$output"
case $name in
    rddc-table2) awk -f "$folder/rddc-table2.awk" "$output/summary.csv" ;;
    rddc-table3)
        allocate --clusters=8 --racks=8 --requests=2048 --output="$output/1024"
        awk -f "$folder/rddc-table3.awk" "$output/summary.csv" "$output/1024/summary.csv"
        ;;
    *)
        "$folder/draw.sh" "$name" "$output"
        ;;
esac
