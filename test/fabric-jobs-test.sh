#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# fabric-jobs as a user runs it: fabrics, rules and an agent carry the same small jobs and lose
# nothing, a placement gives the same flows in every network, the same seed gives the same files,
# and bad input gives one error line and leaves results alone.
#
# Usage: fabric-jobs-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

options=(--racks=8 --servers=4 --uplinks=4 --slot=20 --dark=2 --load=3 --jobTime=1 --sizes=20000 --use=0.3
    --duration=1 --drain=20 --warmUp=100 --replications=2 --placements=random,odcn-jcb)

run first || { complain "a plain run"; cat err; }
sha256sum first/* >before
# Columns: design, placement, run, from_bytes, to_bytes, flows, incomplete, p50_us, p99_us, slowdown_p50,
# slowdown_p99, unloaded_slowdown_p50, unloaded_slowdown_p99, jobs, blocked, blocking, offered_bytes, delivered_bytes, hops, reconfigurations_per_s,
# held_bytes, packets, dropped.
all() { awk -F, 'NR > 1 && $4 == 0 && $5 > 1e15' first/summary.csv; }
# 8 fabrics with 2 placements, 5 policies, 2 runs; all2all-ccf may block all jobs.
[ "$(all | wc -l)" -eq 42 ] || complain "not 21 designs and placements with 2 runs"
all | awk -F, '($1 != "all2all-ccf" && $6 < 20) || $23 > 0 || $18 > $17 || $16 < 0 || $16 > 1 { print }' >odd
[ -s odd ] && { complain "few flows, or packets lost, or more delivered than offered"; cat odd; }
# Flows wait for ever only for a circuit that was taken from their job.
all | awk -F, '$7 > 0 && $20 == 0 { print }' >odd
[ -s odd ] && { complain "flows incomplete"; cat odd; }
# Where jobs are placed alike, the same flows are offered.
[ "$(all | awk -F, '$2 == "odcn-jcb" { print $3, $6, $14, $15, $17 }' | sort -u | wc -l)" -eq 2 ] ||
    complain "the flows of a placement differ between networks"
cut -d, -f1-5 first/opera-odcn-jcb-flows.csv >a
cut -d, -f1-5 first/odcn-jcb-odcn-jcb-flows.csv >b
cmp -s a b || complain "the same placement gave other flows"
p50() { all | awk -F, -v d="$1" '$1 == d && $2 == "random" && $3 == 0 { print int($8) }'; }
[ "$(p50 ideal)" -le "$(p50 opera)" ] || complain "Opera is faster than an ideal switch"
[ "$(p50 opera)" -lt "$(p50 rotornet)" ] || complain "short flows wait in Opera"
grep -q 'warning: imitation was trained on other data centres: racks 16, not 8' out ||
    { complain "no warning about the agent"; cat out; }

run second
same first second

refusals <<'END'
nothing         | --designs=nothing
nothing         | --placements=nothing
routing Nobody  | --granted=Nobody
multiple planes | --uplinks=3
--dark less     | --dark=20
--load          | --load=nan
nowhere         | --sizes=nowhere
Pattern         | --pattern=nothing
END

conclude
