#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a figure or table of the paper, store its results, fill the page of results, draw the figure.
#
#   examples/figures/fig5.sh                 into doc/results/
#   examples/figures/fig5.sh --quick         into ./odcn-figures-quick, without filling the page
#   examples/figures/fig5.sh --output=mine   into ./mine, without filling the page
#
# Stored results are reused: it can be interrupted and resumed at any time. More options:
# ./ns3 run "odcn-figures --help".

set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$folder/../.." && pwd)

output=$root/doc/results/odcn
page=(--page="$root/doc/results/odcn.md" --report=false)
options=()
name=
for option in "$@"; do
    case $option in
        --figure=* | --table=* | --front) name=${option#--} ;;
        --quick | --quick=1) output=$PWD/odcn-figures-quick page=() ;;
    esac
done
for option in "$@"; do
    case $option in
        --output=*)
            mkdir -p "${option#--output=}"
            output=$(cd "${option#--output=}" && pwd)
            page=()
            ;;
        *) options+=("$option") ;;
    esac
done

(cd "$root" && ./ns3 run odcn-figures -- "${options[@]}" --output="$output" "${page[@]}")

case $name in
    table=*) exit 0 ;;
    figure=*) name=fig${name#figure=} ;;
esac
"$folder/draw.sh" "$name" "$output"
