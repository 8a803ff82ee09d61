#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# training-agent as a user runs it: rules are compared, an agent is trained and compared with them, the same
# policies decide on the flow level, and bad input gives one error line.
#
# Usage: training-agent-test.sh PROGRAM

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

policies=random,max-weight,least-total,bound,shipped=$root/data/linear-training.json
if "$program" --train=600 --environments=2 --generations=1 --evaluationDecisions=60 --threads=1 --agent=mine.json \
    >out 2>err; then
    policies+=,mine.json,network=$root/data/training-agent.pt
elif ! grep -q 'built without agents' err; then
    complain "the training"
    cat err
fi
succeeds "a comparison" --replications=3 --loads=0.6,0.8 --policies="$policies"
awk -v policies="$policies" '$1 == "0.6" && $2 in time == 0 { ++rows; time[$2] = $3 }
     END { n = split(policies, names, ","); if (rows != n) exit 1
           for (i in names) sub(/=.*/, "", names[i])
           for (i in names) if (!(time[names[i]] >= time["bound"] && time["bound"] > 0)) exit 1
           exit !(time["least-total"] < time["random"] && time[names[5]] < time["random"]) }' out || { complain "the rows"; cat out; }

# The flow level carries the same jobs: rules are in the same order, and so a second time.
few=(--ns3::odcn::TrainingMix::Jobs=12 --loads=0.8 --replications=1 --policies=random,heaviest=max-weight)
for output in flows again; do
    succeeds "the flow level" "${few[@]}" --engine=flows --output=$output
done
awk '$1 == "0.8" { time[$2] = $3 } END { exit !(time["heaviest"] > 0 && time["heaviest"] < time["random"]) }' out ||
    { complain "the rows of the flow level"; cat out; }
cmp flows/runs.csv again/runs.csv || complain "the same command gives other results"

refusals <<'END'
max-weight         | --policies=max-weight-of-all
none.pt            | --policies=none.pt
opera              | --ns3::odcn::TrainingProblem::Design=opera
agent              | --train=100
agent.*with.--train | --agent=mine.pt
packets            | --engine=exact
bound              | --engine=flows --policies=bound
END

conclude
