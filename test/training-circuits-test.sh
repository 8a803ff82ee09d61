#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# training-circuits as a user runs it: rules and policies are compared, a policy is trained from one that decides as
# least-time, the same seed gives the same file, and bad input gives one error line.
#
# Usage: training-circuits-test.sh PROGRAM

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

policies=stay,per-job,least-time,start=$root/data/linear-circuits-start.json,shipped=$root/data/linear-circuits.json
small=(--jobs=4 --generations=1 --population=4)
if "$program" "${small[@]}" --train=8 --evaluationDecisions=4 --threads=1 --start="$root/data/linear-circuits-start.json" \
    --agent=mine.json >out 2>err; then
    policies+=,mine.json
elif ! grep -q 'built without agents' err; then
    complain "the training"
    cat err
fi
for output in first second; do
    succeeds "a comparison" --jobs=4 --replications=2 --loads=30,1000 --policies="$policies" --output=$output
done
cmp first/summary.csv second/summary.csv || complain "the same seed gave another file"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print }' first/summary.csv >rows
[ "$(grep -c ,mean_time, rows)" -ge 10 ] || { complain "the rows"; cat first/summary.csv; }
awk '$2 ~ /^(least-time|start)$/ && $1 == "1000" && !($2 in time) { time[$2] = $3 } END { exit !(time["start"] > 0 && time["start"] == time["least-time"]) }' out ||
    { complain "the policy to start from is not least-time"; cat out; }

refusals <<'END'
per-job            | --policies=per-jobs
none.json          | --policies=none.json
agent              | --train=100
agent.*with.--train | --agent=mine.json
END

conclude
