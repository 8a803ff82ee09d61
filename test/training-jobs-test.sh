#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# training-jobs as a user runs it: the causes add up to the picosecond, the exact engine tells the
# times of packets, the same seed gives the same file, and bad input gives one error line.
#
# Usage: training-jobs-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

show() { "$program" "$@" >out 2>err || { complain "$*"; cat err; }; }

show --output=all --jobs=12 --queue=backfill --placement=random --replications=2
awk -F, 'NR > 1 { sum = 0; for (i = 14; i <= 28; i++) sum += $i; if (sum != $13 || $13 != $10 - $8) bad = 1 }
    END { exit bad || NR != 1 + 4 * 12 * 2 }' all/summary.csv || complain "causes do not add up"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { time = $at["end_ps"] - $at["start_ps"]; if ($at["cut_ps"] > time || $at["flow_ps"] > time) bad = 1; most = $at["flow_ps"] > most ? $at["flow_ps"] : most }
    END { exit bad || most == 0 }' all/summary.csv || complain "a job is shorter than its bound"
grep -q '"kind":"circuits"' all/report.html || complain "no circuits in the report"
# Jobs within a rack are no shorter than by the alpha-beta model.
for data in 1 4; do
    show --output=least --jobs=1 --replications=1 --designs=expander,ideal --gbps=400 --layers=1 --data=$data --delay=5000
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["time_ps"] < $at["alpha_beta_ps"] { bad = 1 } END { exit bad || NR != 3 }' \
        least/summary.csv || complain "a job is shorter than by the alpha-beta model"
done
# Steps of critical paths follow each other, and their causes add up.
awk -F, 'NR > 1 { sum = 0; for (i = 12; i <= 26; i++) sum += $i; if (sum != $11 - $10) bad = 1
    job = $1 "," $3; if ($10 != (job == last ? end : 0)) bad = 1; last = job; end = $11 }
    END { exit bad || NR < 100 }' all/path.csv || complain "critical paths do not add up"
awk -F, 'FNR == 1 { next } NR == FNR { if ($3 == 0) end[$1, "job " $4] = $10 / 1e9; next }
    { last[$1, $2] = $4 } END { for (k in end) if (last[k] - end[k] > 1e-9 || end[k] - last[k] > 1e-9) bad = 1
    exit bad || length(end) != 48 }' all/summary.csv all/timeline.csv ||
    complain "the timeline does not end with the jobs"
# One rank that stands for all takes the times of all.
for every in 0 1; do
    show --output=every$every --designs=ideal --jobs=3 --replications=1 --data=16 --layers=2 --allRanks=$every
    cut -d, -f1-13 every$every/summary.csv >every$every.csv
done
cmp -s every0.csv every1.csv || complain "a rank that stands for all takes other times"
# Jobs of a rack send nothing to others.
show --output=rack --data=2 --tensor=2 --jobs=2 --layers=1 --replications=1 --designs=expander
awk '/makespan/ { getline; getline; exit !($6 <= $7 && $7 > 0) }' out || complain "bound of jobs in a rack"
show --output=again --jobs=12 --queue=backfill --placement=random --replications=2
cmp -s all/summary.csv again/summary.csv || complain "the same seed gave another file"
small=(--ns3::odcn::FlowApplication::Repair=None --jobs=2 --replications=1 --layers=1 --iterations=1 --designs=expander,rotornet-direct,helios)
for engine in exact packets; do
    show --output=$engine --engine=$engine "${small[@]}"
    cut -d, -f1,3- $engine/summary.csv >$engine.csv
done
cmp -s exact.csv packets.csv || complain "the exact engine differs from packets"

# Uneven traffic of experts moves times, and the same seed moves them again.
experts=(--models=mixtral-8x7b --layers=1 --expert=4 --jobs=1 --replications=1 --designs=expander)
for skew in 0 1 1; do
    show --output=skew "${experts[@]}" --expertSkew=$skew --expertDrift=0.5
    cut -d, -f13 skew/summary.csv | tail -1 >>skews
done
uniq skews | wc -l | grep -qx 2 || complain "skewed experts: $(cat skews)"

# Failures, preemption and migration: causes add up, and jobs are lost and moved.
show --output=fail --designs=ideal --jobs=12 --replications=2 --iterations=6 --layers=1 --placement=random --queue=shortest-remaining --arrival=0.5 \
    --checkpoint=1 --checkpointTime=0.01 --restartTime=0.1 --migration --failures=0.05 --repair=0.001
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { sum = 0; for (i = 14; i <= 28; i++) sum += $i; if (sum != $13 || $13 != $10 - $8) bad = 1
      failures += $at["failures"]; moves += $at["migrations"]; lost += $at["lost_ps"]; saved += $at["checkpoint_ps"]; again += $at["restart_ps"] }
    END { exit bad || !failures || !moves || !lost || !saved || !again }' fail/summary.csv || complain "failures and migrations"

# Messages of a job that has failed are in packets and the exact engine alike.
failing=(--ns3::odcn::FlowApplication::Repair=None --jobs=3 --replications=1 --layers=1 --iterations=2 --designs=expander
    --placement=random --checkpoint=1 --restartTime=0.1 --migration --failures=0.05 --repair=0.001)
for engine in exact packets; do
    show --output=$engine --engine=$engine "${failing[@]}"
    cut -d, -f1,3- $engine/summary.csv >$engine.csv
done
cmp -s exact.csv packets.csv || complain "the exact engine differs from packets after failures"
awk -F, '{ failures += $(NF - 3) } END { exit !failures }' exact.csv || complain "no job has failed"

# Preempted jobs have no servers while they wait, for the placement policy, too.
show --output=preempted --placement=policy --designs=expander --queue=priority --priorities=3 --checkpoint=1 --iterations=4 --jobs=10 \
    --arrival=0.3 --data=8 --layers=2 --replications=1
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n += $at["preemptions"] } END { exit !n }' preempted/summary.csv ||
    complain "no job was preempted"

# A scheduler: the job starts after request (60 bytes), decision and command (156 bytes) on a link of 10 Gb/s, and its time alone is as without.
control=(--designs=expander --jobs=1 --data=8 --layers=1 --iterations=1 --replications=1)
show --output=none "${control[@]}"
show --output=control "${control[@]}" --decisionTime=100us --controlDelay=10us
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } FNR == 2 { time[++n] = $at["end_ps"] - $at["start_ps"]; start = $at["start_ps"]; queue = $at["queue_ps"] }
    END { exit !(time[1] == time[2] && start == 120172800 && queue == start) }' none/summary.csv control/summary.csv || complain "a start by a scheduler"
grep -qE "^expander +1.0 +1.0 +1.0 +1.0 +3.0 +192.0$" out || complain "messages of a scheduler: $(grep -A4 Scheduler: out)"
phased=(--designs=opus-like --tensor=4 --pipeline=2 --data=2 --jobs=1 --layers=2 --iterations=1 --replications=1 --engine=packets)
for time in 0us 2ms; do
    show --output=$time "${phased[@]}" --decisionTime=$time
done
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } FNR == 2 { waits[++n] = $at["circuits_ps"] } END { exit !(waits[2] > waits[1] + 1000000000) }' \
    0us/summary.csv 2ms/summary.csv || complain "circuits by a scheduler"

# Racks with several circuits between them: one that other messages may take is not taken away, and all jobs end.
shared=(--engine=packets --designs=opus-like --jobs=3 --layers=1 --iterations=1 --replications=1 --placement=random --tensor=4 --limit=1)
for more in --dark=10 --dark=0 --decisionTime=20us "--decisionTime=1us --dark=0"; do
    # shellcheck disable=SC2086
    show --output=shared "${shared[@]}" $more
done

# A signal ends a run in which no job ends, and leaves nothing.
"$program" --output=stopped --engine=packets --designs=fat-tree --jobs=1 --models=llama-7b --replications=1 >out 2>err &
until [ -e stopped/.lock ]; do sleep 0.05; done
sleep 0.3
kill $!
wait $!
[ $? -eq 143 ] && grep -q "interrupted by SIGTERM" err && [ -z "$(ls -A stopped)" ] || complain "a signal: $(cat err; ls -A stopped)"

# A run that fails keeps the rows of those before it, the same as in a run that does not; the next run removes them.
two=(--designs=ideal,rotornet-direct --jobs=1 --replications=1 --layers=1)
"$program" --output=kept "${two[@]}" --limit=0.01 >out 2>err && complain "a job that does not end in time"
grep -q "rotornet-direct.*; the runs that had finished are in kept/interrupted; the same command goes on after them$" err || complain "what is kept: $(cat err)"
cp kept/interrupted/summary.csv finished.csv || complain "nothing was kept"
show --output=kept "${two[@]}"
head -2 kept/summary.csv | cmp -s - finished.csv && [ ! -e kept/interrupted ] || complain "rows of a run that had finished"

# Such rows are taken by the same command, unless they are damaged or a file that the command names is another.
printf 'part,gbps,watts,price\nnic,10,1,10\nport,10,2,20\ntransceiver,10,4,40\nocs,10,8,80\n' >"listed parts.csv"
again() { "$program" --output=again "${two[@]}" --limit=0.01 --parts="listed parts.csv" >out 2>err && complain "a job that does not end in time"; }
again
again
grep -q "^1 run of again/interrupted taken$" err || complain "no run was taken: $(cat err)"
sed -i '$ s/...$//' again/interrupted/runs.txt
again
grep -q taken err && complain "a damaged run was taken"
again
grep -q taken err || complain "no run was taken after that"
sed -i 's/port,10,2/port,10,3/' 'listed parts.csv'
again
grep -q taken err && complain "a run with other parts was taken"

# After a signal the same command goes on after the runs that had finished, and writes the same files. Another one does not take them.
long=(--engine=packets --designs=expander,per-job --jobs=2 --layers=1 --iterations=1 --replications=4 --tensor=4)
show --output=long "${long[@]}"
mv long whole
mv out whole.txt
for wait in 0.05 0.1 0.2 0.4 0.8 1.6 3.2 6.4 12.8 25.6 51.2; do
    "$program" --output=long "${long[@]}" >out 2>err &
    sleep $wait
    kill $! 2>/dev/null
    wait $! && break
    [ -e long/interrupted ] && [ ! -e other ] && cp -r long other
    cat err >>errors
done
cat err >>errors
grep -qE "^[0-9]+ runs? of long/interrupted taken$" errors || complain "no run was taken: $(cat errors)"
diff -r whole long >differences || complain "files of a run that was interrupted: $(head -3 differences)"
diff whole.txt out | grep '^[<>]' | grep -qv "Removed from long/interrupted, of an earlier run:" && complain "output of a run that was interrupted"
show --output=other "${long[@]}"
grep -q taken err && complain "runs of another command were taken"

# Waits for circuits that a design does not tell are said to be a part of sharing.
grep -q "count as sharing" out && complain "rotornet-direct tells its waits"
show --output=hidden --designs=opera --engine=packets --jobs=1 --replications=1 --layers=1 --iterations=1 --tensor=1 --data=5
grep -q "^opera: waits for circuits and dark time count as sharing" out || complain "opera does not tell its waits"

# Energy is power x share x time, by the table of parts.
printf 'part,gbps,watts,price\nnic,10,1,10\nport,10,2,20\ntransceiver,10,4,40\nocs,10,8,80\n' >parts.csv
show --output=parts --parts=parts.csv --designs=ideal --jobs=1 --replications=1
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { joules = 64 * 3 * $6 / 64 * ($10 - $9) * 1e-12; if ($at["energy_j"] < 0.999 * joules || $at["energy_j"] > 1.001 * joules) exit 1 }' parts/summary.csv ||
    complain "energy of a job"
grep -qE "^ideal +0.192 +1.9 " out || complain "power and price"

# A file in place of models.
traces=$(cd "$(dirname "$convert")/../test/data/training" && pwd)
goal=$traces/ring4.goal
show --output=file --files="$goal" --designs=ideal --jobs=1 --iterations=1 --replications=1
grep -qF "$goal: 12 sends, 12 receives, " out || complain "what was read of a file"
awk -F, 'NR == 2 { exit $6 != 4 || $7 < 3 }' file/summary.csv || complain "a job of a file"

# Proposals over dark times: circuits for phases cost a switch each, those that never change run once.
show --output=darks --designs=static-expander,per-job,opus-like --darks=1us,10ms --engine=any --tensor=4 --pipeline=2 --data=2 \
    --gbps=100 --jobs=2 --layers=2 --replications=2
awk -F, '$1 != "design" { mean[$1 "/" $2] = $4; n++ } END { exit !(n == 7 && mean["opus-like/10000"] > mean["opus-like/1"] + 10 &&
    mean["per-job/10000"] > mean["per-job/1"] && mean["static-expander/"] > mean["alpha-beta/"]) }' darks/designs.csv ||
    complain "designs by dark time"
awk -F, 'NR > 1 { sum = 0; for (i = 14; i <= 25; i++) sum += $i; if (sum != $13) bad = 1 }
    END { exit bad || NR != 1 + 5 * 2 * 2 }' darks/summary.csv || complain "causes with circuits for phases"
phased=(--designs=opus-like --dark=50 --tensor=4 --pipeline=2 --data=2 --gbps=100 --jobs=1 --layers=2 --iterations=1 --replications=1)
for engine in flows packets; do
    show --output=$engine --engine=$engine "${phased[@]}"
done
awk -F, 'FNR == 2 { time[++n] = $13 } END { exit !(time[1] / time[2] > 0.97 && time[1] / time[2] < 1.03) }' \
    flows/summary.csv packets/summary.csv || complain "circuits for phases in packets"

printf 'ranks,operation,duration\nall,comput,1us\n' >word.csv
refusals <<'END'
'comput'.*compute, | --files=word.csv --ranks=2
models.*--files      | --models=mini-gpt --files=x.goal
no/such.goal         | --files=no/such.goal
one.of.*gpt3-13b    | --models=gpt
at.most.64,         | --data=64
no/such.csv         | --parts=no/such.csv
--checkpoint        | --checkpointTime=1
one.that.carries    | --designs=opera --engine=flows
--darks             | --darks=soon
--dark.*darks       | --darks=1ms --dark=5
a.controller.sets   | --designs=opus-like --engine=exact
decisionTime.*engine | --engine=exact --decisionTime=1ms
controlDelay.*fail  | --failures=1 --controlDelay=1ms
controlDelay.*check | --checkpoint=1 --controlDelay=1ms
jobs.have.not.ended | --limit=0.001 --designs=ideal
END

conclude
