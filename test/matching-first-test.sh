#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# matching-first as a user runs it: controllers that know the demand complete flows sooner than a
# rotor schedule, nothing is lost, the shipped agent decides with packets where there are agents, a
# seed is repeatable, and bad input gives one error line.
#
# Usage: matching-first-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

succeeds "a plain run"
rows=5
"$program" --help 2>&1 | grep -q 'matching-agent\.pt' && rows=6
awk -v expected=$rows '/Schedule|Matching|max-weight|greedy|agent/ { ++rows; p50[$1] = $4
         if ($2 < 1000 || $3 != 0 || $7 != 0) exit 1 }
     END { if (rows != expected) exit 1
           for (d in p50) if (d != "RotorSchedule" && p50[d] >= p50["RotorSchedule"]) exit 1 }' out ||
    { complain "the rows"; cat out; }
succeeds "two designs" --designs=greedy,random
again --designs=greedy,random

refusals <<'END'
max-weight-held.*BirkhoffMatching | --designs=MaxMatching
RotorSchedule                     | --designs=RotSchedule
none.pt                           | --designs=none.pt
0.to.1                            | --hot=2
epoch                             | --epoch=fast
END

conclude
