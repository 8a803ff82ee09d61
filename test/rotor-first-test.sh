#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# rotor-first as a user runs it: demand that one hop cannot carry is carried by two, the carried
# share stays below the exact bound, nothing is lost, and bad input gives one error line.
#
# Usage: rotor-first-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

# measure OPTIONS...: carried share, bound with one hop, best bound, incomplete flows, lost packets
measure() {
    "$program" "$@" >out 2>err || { complain "$*"; cat err; }
    awk '/^Carried/ { c = $2 } /^Exact/ { one = $3; any = $7 } /not complete/ { left = $5 }
         /^Packets/ { if ($2 != $5 + $8 + $14) exit 1; lost = $14 }
         END { print c, one, any, left, lost }' out || complain "$*: packets do not add up"
}

said=$(measure --demand=permutation --duration=8)
grep -qx 'Completion    p50 not reached, p99 not reached' out || complain "percentiles of flows that do not complete"
[[ $said =~ ^0\.05[0-9]\ 0\.056\ 0\.[45][0-9]*\ [1-9][0-9]*\ 0$ ]] || complain "one hop: $said"
said=$(measure --demand=permutation --duration=8 --routing=ValiantRouting)
[[ $said =~ ^0\.(3[89]|4[0-4])[0-9]*\ 0\.056\ 0\.[45][0-9]*\ 0\ 0$ ]] || complain "two hops: $said"
said=$(measure --schedule=OperaSchedule --routing=ClassRouting --load=0.1 --duration=4)
[[ $said =~ ^0\.[01][0-9]*\ .*\ 0\ 0$ ]] || complain "Opera: $said"
cp out earlier
measure --schedule=OperaSchedule --routing=ClassRouting --load=0.1 --duration=4 >/dev/null
cmp -s out earlier || complain "the same seed gave another output"

measure --duration=1 --load=0.05 --animation=all.svg >/dev/null
grep -q "^Animation   all.svg: .* [1-9][0-9]* packets on links\$" out && grep -q '^</svg>' all.svg || complain "animation"

# A signal leaves no part of an animation.
mkdir stopped
(cd stopped && exec "$program" --duration=10000 --animation=all.svg) >out 2>err &
while kill -0 $! 2>/dev/null && [ -z "$(ls -A stopped)" ]; do sleep 0.05; done
kill -TERM $!
wait $!
status=$?
[ $status -eq 143 ] && [ -z "$(ls -A stopped)" ] || { complain "status $status after SIGTERM"; ls -A stopped; }

refusals <<'END'
expected..*DirectRouting.*ValiantRouting | --routing=Valiant
expected..*OperaSchedule.*RotorSchedule  | --schedule=Rotor
a.packet.of.1500.bytes,.1200.ns          | --schedule=SiriusSchedule
expected.uniform                         | --demand=chess
0.001.to.1                               | --load=0
0.1.to.10000                             | --duration=-1
no/such.svg                              | --animation=no/such.svg
expected..*ends.in..svg                  | --animation=all.xml
END

conclude
