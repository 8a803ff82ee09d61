#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# icci-packet-migrations as a user runs it: repeatable, within 1 % of Eq. 16, all packets
# accounted for, and one error line for bad input.
#
# Usage: icci-packet-migrations-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

small="--migrations=3 --gpus=16"
"$program" $small >out 2>err || { complain "a plain run"; cat err; }
grep -q ' 0 missing' out || complain "packets are missing"
awk '/at most. Scale/ { for (i = 1; i <= NF; ++i) if ($i == "at" && $(i - 2) < 1) good = 1 }
     END { exit !good }' out || { complain "not within 1 % of Eq. 16"; cat out; }
"$program" $small >again 2>err || complain "the same run again"
cmp -s out again || complain "the same run told otherwise"

# refuses WORDS OPTION ...
refuses()
{
    local words=$1 word
    shift
    "$program" "$@" >out 2>err && complain "accepted: $*"
    [ "$(wc -l <err)" -eq 1 ] || { complain "not one line: $*"; cat err; }
    for word in $words; do
        grep -q -- "$word" err || { complain "no '$word' in the message of $*"; cat err; }
    done
}
refuses 'migrations 0' --migrations=0
refuses 'GPUs 3000' --gpus=3000
refuses 'scale 400' --scale=1
refuses 'wavelengths 41' --wavelengths=41
refuses 'mesh.json' --mesh=mesh.json
printf '{"nodes":[{"id":1},{"id":2}],\n"links":[\n{"source":1,"target":2,"dist":0}]}' >zero.json
refuses 'zero.json:3 length' --mesh=zero.json

conclude
