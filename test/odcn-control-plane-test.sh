#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# odcn-control-plane as a user runs it: repeatable, delays as long as the link's, more packets lost
# the longer circuits are dark, and one error line for bad input.
#
# Usage: odcn-control-plane-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

options=(--jobs=800 --windows=1)
succeeds "a plain run" --delays=0us,10ms --reconfigurations=10us,1ms
again --delays=0us,10ms --reconfigurations=10us,1ms
[ "$(grep -cE '^ *(0us|10ms) ' out)" -eq 4 ] || { complain "not four rows"; cat out; }
# Delay, dark time, decided after, command after: nothing without a link, its delay and a little with it.
awk '$1 == "0us" && ($3 != 0 || $4 != 0) || $1 == "10ms" && !($3 >= 10000 && $3 < 10001 && $4 >= 10000 && $4 < 10001) { bad = 1 }
    END { exit bad }' out || { complain "delays are not those of the link"; cat out; }
# The same delay means the same decisions, whatever the dark time.
awk '$1 == "0us" || $1 == "10ms" { if (seen[$1] && seen[$1] != $5 " " $6) bad = 1; seen[$1] = $5 " " $6 }
    END { exit bad }' out || complain "the dark time changed decisions"

# A row does not depend on those before it, also where the policy draws.
succeeds "a policy that draws" --policy=random --jobs=150 --delays=0us,100us --reconfigurations=1ms
tail -n 1 out >after-another
succeeds "the same row alone" --policy=random --jobs=150 --delays=100us --reconfigurations=1ms
tail -n 1 out | cmp -s - after-another || { complain "a row depends on those before it"; cat after-another out; }

refusals <<'END'
jobs 0               | --jobs=0
windows 0            | --windows=0
delays abc           | --delays=abc
reconfigurations -1ms | --reconfigurations=-1ms
dataRate fast        | --dataRate=fast
noCircuit Fly Detour | --noCircuit=Fly
policy magic odcn-jcb | --policy=magic
jobUnit 0s           | --jobUnit=0s
END

conclude
