#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# matching-agent as a user runs it: rules are compared, an agent is trained and compared with them,
# and bad input gives one error line.
#
# Usage: matching-agent-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

policies=keep,greedy,max-weight-steady
if "$program" --train=4000 --agent=mine.pt >out 2>err; then
    policies+=,mine.pt
elif ! grep -q 'built without agents' err; then
    complain "the training"
    cat err
fi
succeeds "a comparison" --replications=3 --loads=0.6,0.8 --policies=$policies
awk -v policies=$policies '$1 == "0.6" { ++rows; backlog[$2] = $3 }
     END { n = split(policies, names, ","); if (rows != n) exit 1
           for (i in names) if (!(backlog[names[i]] > 0)) exit 1
           exit !(backlog["greedy"] < backlog["keep"]) }' out || { complain "the rows"; cat out; }

refusals <<'END'
max-weight-held    | --policies=max-weight-of-all
none.pt            | --policies=none.pt
0.to.1             | --darkShare=2
agent              | --train=100
agent.*with.--train | --agent=mine.pt
END

conclude
