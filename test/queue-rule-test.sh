#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# queue-rule: four policies on the same jobs, with packets in the time of the jobs.
#
# Usage: queue-rule-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

small=(--loads=66 --jobs=150 --warmUp=150 --replications=2)
"$program" "${small[@]}" --output=out >said 2>err || { complain "a plain run"; cat err; }
[ "$(awk 'length > 100' said | wc -l)" -eq 0 ] || complain "a line of more than 100 columns"
[ "$(wc -l <out/replications.csv)" -eq 9 ] || complain "replications.csv has not 8 rows"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { many += $at["packets"] > 1000; jobs += $at["offered"] == 150; late += $at["packet_ns"] > 71 }
    END { exit !(many == 8 && jobs == 8 && late == 8) }' out/replications.csv ||
    { complain "no packets, other jobs, or faster than light"; cat out/replications.csv; }
# Rules that look at packets and the control decide otherwise, and differently.
[ "$(sed 1d out/summary.csv | cut -d, -f3- | sort -u | wc -l)" -eq 4 ] || { complain "rules do not differ"; cat out/summary.csv; }
"$program" "${small[@]}" --output=again >/dev/null 2>&1
cmp -s out/summary.csv again/summary.csv || complain "the same seed gave another summary"
"$program" "${small[@]}" --arrivals=OnOff --output=bursts >/dev/null 2>&1
cmp -s out/summary.csv bursts/summary.csv && complain "bursts change nothing"
"$program" "${small[@]}" --jobTime=0s >/dev/null 2>err && complain "accepted: a job time of 0"
grep -q '^error: .*JobTimeUnit' err || { complain "no word of the job time"; cat err; }

conclude
