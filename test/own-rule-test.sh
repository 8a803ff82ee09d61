#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# own-rule: four policies at three loads with intervals, in one short program.
#
# Usage: own-rule-test.sh PROGRAM

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../examples/jobs" && pwd)/own-rule.cc

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

small=(--jobs=500 --warmUp=200 --replications=3)
"$program" "${small[@]}" --output=out >said 2>err || { complain "a plain run"; cat err; }
# The first table: load, policy, blocking with its interval.
[ "$(sed -n '1,/^$/p' said | grep -c '^  *\(54\|66\|78\)  [a-z-]* *\(< \)\?[0-9.]*\( +- [0-9.]*\)\?')" -eq 12 ] ||
    { complain "not four policies at three loads"; cat said; }
[ "$(awk 'length > 100' said | wc -l)" -eq 0 ] || complain "a line of more than 100 columns"
[ "$(wc -l <out/summary.csv)" -eq 13 ] || complain "summary.csv has not 12 rows"
[ "$(wc -l <out/replications.csv)" -eq 37 ] || complain "replications.csv has not 36 rows"
# Policies have the same jobs: at every load and run the same number is offered.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n[$at["offered"]]++ }
    END { exit !(n[500] == 36) }' out/replications.csv || complain "not 500 jobs in every replication"
grep -q "command: ./ns3 run own-rule -- ${small[*]} --output=out" out/provenance.txt ||
    { complain "the command is not as typed"; cat out/provenance.txt; }
grep -q 'run own-rule -- ' out/report.html || complain "no command in the report"
grep -qE ' (src|href)="?(https?:|//)' out/report.html && complain "the report refers to other places"
cmp -s out/plot.py "${source%/*}/../../data/report/plot.py" || complain "no plot.py beside summary.csv"
"$program" --plot 2>err && complain "accepted: --plot"
grep -q '^error: --plot.*plot.py' err || { complain "no word of plot.py"; cat err; }
"$program" "${small[@]}" --output=again --report=false >/dev/null 2>&1
[ ! -e again/report.html ] && [ ! -e again/plot.py ] || complain "a report in spite of --report=false"
cmp -s out/summary.csv again/summary.csv || complain "the same seed gave another summary"
"$program" "${small[@]}" --reference=nobody >/dev/null 2>err && complain "a reference of nobody"
grep -q 'reference.*nobody' err || complain "no error for the reference"

# While a run writes to a folder, another is refused. A signal ends it without temporary files.
for signal in INT TERM HUP USR1 XCPU; do
    "$program" --jobs=200 --warmUp=100 --replications=1000000 --output=busy >/dev/null 2>err &
    pid=$!
    while kill -0 $pid 2>/dev/null && ! [ -e busy/.lock ]; do sleep 0.02; done
    "$program" "${small[@]}" --output=busy >/dev/null 2>refused && complain "two runs in one folder"
    grep -q 'output=busy: another process' refused || { complain "no word of the other run"; cat refused; }
    kill -s $signal $pid
    wait $pid
    status=$?
    [ $status -eq $((128 + $(kill -l $signal))) ] || complain "status $status after SIG$signal"
    grep -q "interrupted by SIG$signal; no policy had finished" err || { complain "no word of SIG$signal"; cat err; }
    [ ! -e busy ] || { complain "files stayed after SIG$signal:"; ls -A busy; }
done
(ulimit -S -t 2 && "$program" --jobs=200 --warmUp=100 --replications=1000000 --processes=1 --output=busy >/dev/null 2>err)
[ $? -eq $((128 + $(kill -l XCPU))) ] && grep -q 'interrupted by SIGXCPU' err || { complain "another end at the limit of time"; cat err; }

# A second run removes what the first has written, unless it was changed, and nothing else.
echo mine >out/notes.txt
"$program" "${small[@]}" --output=out --report=false >said 2>err || { complain "a second run"; cat err; }
grep -q '^Removed from out, of an earlier run: plot.py report.html$' said || { complain "no word of the report"; cat said; }
[ "$(cd out && echo *)" = "notes.txt provenance.txt replications.csv summary.csv" ] || complain "other files: $(ls out)"

# Variables of the environment are a part of the command.
NS_GLOBAL_VALUE=RngRun=7 "$program" "${small[@]}" --output=seven >/dev/null 2>&1
"$program" "${small[@]}" --output=seven2 --RngRun=7 >/dev/null 2>&1
cmp -s seven/summary.csv seven2/summary.csv || complain "another run number by NS_GLOBAL_VALUE"
grep -q "^command: NS_GLOBAL_VALUE=RngRun=7 ./ns3 run own-rule -- ${small[*]} --output=seven$" seven/provenance.txt ||
    { complain "no variables in the command"; cat seven/provenance.txt; }

conclude
