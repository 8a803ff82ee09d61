#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# collective-first as a user runs it: a ring with one hop takes what its bound says, an all-to-all
# uses all circuits, two hops help a ring, and bad input gives one error line.
#
# Usage: collective-first-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

# measure OPTIONS...: time in packets, on the flow level, on an idle network, bounds of one and any hops
measure() {
    "$program" "$@" >out 2>err || { complain "$*"; cat err; }
    awk '/^Packets/ { p = $2 } /^Flow/ { f = $3 } /^Idle/ { i = $3 } /^Circuits/ { print p, f, i, $2, $9 }' out
}

# within A B LOW HIGH: whether A / B is from LOW to HIGH
within() { awk "BEGIN { exit !($1 / $2 >= $3 && $1 / $2 <= $4) }"; }

read -r packets flow idle one any < <(measure --bytes=4000000)
within "$packets" "$flow" 0.99 1.02 || complain "ring: packets $packets, fluid $flow"
within "$packets" "$one" 1 1.2 || complain "ring: $packets, bound $one"
within "$idle" "$any" 0.2 1 || complain "ring: idle $idle, circuits $any"
read -r packets _ _ one any < <(measure --bytes=4000000 --routing=ValiantRouting)
within "$packets" "$one" 0 0.4 && within "$packets" "$any" 1 4 || complain "two hops: $packets, bounds $one, $any"
read -r packets flow _ one any < <(measure --collective=all-to-all:direct --bytes=32000000)
within "$packets" "$one" 1 1.08 && within "$one" "$any" 0.999 1.001 || complain "all-to-all: $packets, bound $one, $any"
within "$packets" "$flow" 0.99 1.01 || complain "all-to-all: packets $packets, fluid $flow"
cp out earlier
measure --collective=all-to-all:direct --bytes=32000000 >/dev/null
cmp -s out earlier || complain "the same seed gave another output"

refusals <<'END'
one.of.*all-reduce:ring                  | --collective=ring
one.of.*all-reduce:ring                  | --collective=all-to-all:rings
expected..*DirectRouting.*ValiantRouting | --routing=Valiant
16.to.1000000000                         | --bytes=5
100.times.the.flow.level                 | --bytes=100000 --routing=ExpanderRouting[MaxHops=1]
circuits.that.last.for.a.packet.of.1500  | --bytes=16000 --ns3::odcn::RotorSchedule::Slot=20us --ns3::odcn::RotorSchedule::ReconfigurationTime=19us
END

conclude
