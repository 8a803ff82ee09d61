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

small="--jobs=800 --windows=1"
"$program" $small --delays=0us,10ms --reconfigurations=10us,1ms >out 2>err || { complain "a plain run"; cat err; }
"$program" $small --delays=0us,10ms --reconfigurations=10us,1ms >again 2>err || complain "the same run again"
cmp -s out again || complain "the same run printed something else"
[ "$(grep -cE '^ *(0us|10ms) ' out)" -eq 4 ] || { complain "not four rows"; cat out; }
# Delay, dark time, decided after, command after: nothing without a link, its delay and a little with it.
awk '$1 == "0us" && ($3 != 0 || $4 != 0) || $1 == "10ms" && !($3 >= 10000 && $3 < 10001 && $4 >= 10000 && $4 < 10001) { bad = 1 }
    END { exit bad }' out || { complain "delays are not those of the link"; cat out; }
# The same delay means the same decisions, whatever the dark time.
awk '$1 == "0us" || $1 == "10ms" { if (seen[$1] && seen[$1] != $5 " " $6) bad = 1; seen[$1] = $5 " " $6 }
    END { exit bad }' out || complain "the dark time changed decisions"

refuses()
{
    local words=$1 word
    shift
    "$program" $small "$@" >out 2>err && complain "accepted: $*"
    [ "$(wc -l <err)" -eq 1 ] || { complain "not one line: $*"; cat err; }
    for word in $words; do
        grep -q -- "$word" err || { complain "no '$word' in the message of $*"; cat err; }
    done
}
refuses 'jobs 0' --jobs=0
refuses 'windows 0' --windows=0
refuses 'delays abc' --delays=abc
refuses 'reconfigurations -1ms' --reconfigurations=-1ms
refuses 'dataRate fast' --dataRate=fast
refuses 'noCircuit Fly Detour' --noCircuit=Fly
refuses 'policy magic odcn-jcb' --policy=magic
refuses 'jobUnit 0s' --jobUnit=0s

conclude
