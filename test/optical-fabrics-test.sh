#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# optical-fabrics as a user runs it: every design carries a small workload completely and loses
# nothing, short flows do not wait in Opera, the same seed gives the same files, a design of one's
# own and a file of flows are taken, and bad input gives one error line and leaves results alone.
#
# Usage: optical-fabrics-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

# run FOLDER OPTIONS...
run()
{
    local folder=$1
    shift
    "$program" --racks=8 --servers=4 --uplinks=4 --slot=20 --dark=2 --sizes=20000 --load=0.05 \
        --duration=1 --drain=20 --replications=2 --output="$folder" "$@" >out 2>err
}

run first --own='RotorSchedule[Slot=50us];ValiantRouting;2' ||
    { complain "a plain run"; cat err; }
sha256sum first/* >before
# Columns: design, run, from_bytes, to_bytes, flows, incomplete, p50_us, ..., packets, dropped.
awk -F, 'NR > 1 && $3 == 0 && $4 > 1e15 { n[$1]++; if ($5 < 20 || $6 > 0 || $16 > 0) print $0 }
    END { for (d in n) { designs++; runs += n[d] } if (designs != 13 || runs != 26) print designs, runs }' \
    first/summary.csv >odd
[ -s odd ] && { complain "flows incomplete, packets lost, or not 13 designs with 2 runs"; cat odd; }
[ "$(ls first/*-flows.csv | wc -l)" -eq 13 ] || complain "not 13 files of flows"
p50() { awk -F, -v d="$1" '$1 == d && $2 == 0 && $3 == 0 && $4 > 1e15 { print int($7) }' first/summary.csv; }
# 20 kB take 17 us at 10 Gb/s; a circuit of a rotor comes every 40 us.
[ "$(p50 ideal)" -le "$(p50 opera)" ] || complain "Opera is faster than an ideal switch"
[ "$(p50 opera)" -lt "$(p50 rotornet-direct)" ] || complain "short flows wait in Opera"

run second --own='RotorSchedule[Slot=50us];ValiantRouting;2'
for file in first/*; do
    cmp -s "$file" "second/${file#first/}" || complain "the same seed gave another $file"
done

printf '0 15 5000 0\n3 9 100000 1000\n' >flows.txt
run mine --flows=flows.txt --designs=opera,clos-3:1 || { complain "a file of flows"; cat err; }
[ "$(wc -l <mine/opera-flows.csv)" -eq 3 ] || complain "not both flows"
grep -q '^opera  *[0-9.]*  *100.0' out || { complain "not all flows complete"; cat out; }

refuses '--designs opera' --designs=nothing
refuses '--own SCHEDULE;ROUTING;HOPS' --own=mine
refuses 'routing DirectRouting' --designs=none '--own=RotorSchedule;Nobody;1'
refuses 'schedule RotorSchedule' --designs=none '--own=Nobody;DirectRouting;1'
refuses 'multiple planes' --racks=7
refuses '--dark less' --dark=20
refuses 'flows.txt:1' --flows=flows.txt --racks=2
refuses '--load' --load=nan

conclude
