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
small=("--learner=EvolutionLearner[Objective=Score|Episodes=1|Streams=1|Population=4|Generations=1]")
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
awk -F, 'NR > 1 { ++rows; time[$1, $2] = $10; if (!($10 >= $19 && $19 > 0)) bad = 1 }
    END { exit bad || rows < 10 || time[30, "start"] != time[30, "least-time"] || time[1000, "start"] != time[1000, "least-time"] ||
        time[30, "shipped"] == time[30, "least-time"] }' first/summary.csv || { complain "the rows"; cat first/summary.csv; }

# Packets carry the same jobs: about as fast, and circuits for a job are faster than those for its steps, as on the flow level.
for output in flows packets; do
    succeeds "jobs in $output" --engine=$output --jobs=2 --replications=1 --loads=300 --policies=per-job,per-step --output=$output
    grep -q ", $output\$" out || complain "the engine is not named"
done
cmp -s flows/summary.csv packets/summary.csv && complain "packets and flows to the last digit"
awk -F, 'FNR > 1 { time[FILENAME, $2] = $10 }
    END { for (p in time) if (!(time[p] > 0)) exit 1
          quotient = time["packets/summary.csv", "per-job"] / time["flows/summary.csv", "per-job"]
          exit !(quotient > 0.9 && quotient < 1.2 && time["packets/summary.csv", "per-job"] < time["packets/summary.csv", "per-step"]) }' \
    flows/summary.csv packets/summary.csv || { complain "jobs in packets"; cat packets/summary.csv flows/summary.csv; }

refusals <<'END'
flows.*packets     | --engine=exact
per-job            | --policies=per-jobs
none.json          | --policies=none.json
agent              | --train=100
agent.*with.--train | --agent=mine.json
END

conclude
