#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# torus-first as a user runs it: known gains of twisted tori, packets close to the bound and never
# above, and one error line for bad input.
#
# Usage: torus-first-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

# measure GAIN LEAST OPTIONS...: both tori carry at least LEAST and at most 1 of the bound
measure() {
    local gain=$1 least=$2
    shift 2
    "$program" "$@" >out 2>err || { complain "$*"; cat err; }
    awk -v gain="$gain" -v least="$least" '
        $1 == "torus" || $1 == "twisted" { rows++; if ($5 < least || $5 > 1 || $2 != $3) exit 1 }
        /^Twisted/ { found = $4 }
        END { if (rows != 2 || found != gain) exit 1 }' out || { complain "$*"; cat out; }
}

measure 1.524 0.93 --shape=4x8 --packets=20
cp out earlier
measure 1.524 0.93 --shape=4x8 --packets=20
cmp -s out earlier || complain "the same command gave another output"
measure 1.524 0.5 --shape=4x8 --packets=5 --spreading=PerPacket
cmp -s out earlier && complain "spreading has no effect"
measure 1.745 0.9 --packets=2

refusals <<'END'
k.and.2k                         | --shape=4x4
shape.of.a.torus.*found.'0x8'    | --shape=0x8
RoundRobin.*PerPacket            | --spreading=Random
1.to.1000                        | --packets=0
messages.were.not.received.*by.Hold | --shape=2x4 --packets=1 --ns3::odcn::FlowApplication::Hold=true
END

conclude
