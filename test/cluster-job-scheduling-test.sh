#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# cluster-job-scheduling as a user runs it: repeatable output, traces that are read and written,
# and bad input, which gives one error line, a non-zero exit, and leaves earlier results unchanged.
#
# Usage: cluster-job-scheduling-test.sh PROGRAM

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$here/../data
# shellcheck source=test/odcn-training-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-training-kit.sh"
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

# run FOLDER OPTION ...
run()
{
    local options=(--replications=5 --output="$1")
    shift
    [[ " $*" != *' --train=1'* ]] || options=()
    start "${options[@]}" "$@" >out 2>err
}

rules=random,fcfs,hrrn,packer,tetris,sjf,easy
run first --policies=$rules || { complain "a plain run"; cat err; }
# Two protocols, seven policies, five sets; a bound for all-done.
[ "$(wc -l <first/summary.csv)" -eq 16 ] || complain "summary.csv has not 15 rows"
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
         $at["protocol"] == "all-done" && $at["form"] == "bound" {bound = $at["slowdown_all"]}
         $at["protocol"] == "all-done" && $at["form"] != "bound" && NR > 1 {
             if (!least || $at["slowdown_all"] < least) least = $at["slowdown_all"]}
         END {exit !(bound >= 1 && bound <= least)}' first/summary.csv ||
    complain "no bound at or below all policies"
[ "$(wc -l <first/replications.csv)" -eq 71 ] || complain "replications.csv has not 70 rows"
# A picture shows every job of its set, in boxes for two resources.
for policy in ${rules//,/ }; do
    boxes=$(awk -F, -f "$here/../examples/figures/cluster-gantt.awk" -v slots=200 -v policy="$policy" first/jobs.csv | grep -c 'fill="hsl')
    [ "$boxes" -ge "$((2 * $(grep -c ",all-done,$policy,0,.*,scheduled," first/jobs.csv)))" ] || complain "a picture of $policy lacks jobs"
done
# A row for each job length; the rows cover every scheduled job.
for policy in sjf random; do
    [ "$(awk -F, '$2 == "all-done" && $3 == "'$policy'" {n += $5} END {print n}' first/lengths.csv)" -eq \
        "$(grep -c ",all-done,$policy,.*,scheduled," first/jobs.csv)" ] || complain "lengths of $policy"
done
median()
{
    awk -F, '$2 == "all-done" && $3 == "sjf" && $7 == 1 && $10 == "scheduled" {print $14}' first/jobs.csv |
        sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}
[ "$(awk -F, '$2 == "all-done" && $3 == "sjf" && $4 == 1 {print $9}' first/lengths.csv)" = "$(median)" ] ||
    complain "the median slowdown of jobs of one slot"
# A short name takes Attributes and a title.
run titled --protocols=all-done '--policies=sjf,mix=tetris[Knob=0]' || { complain "a title"; cat err; }
[ "$(grep -c ',mix,' titled/replications.csv)" -eq 5 ] || complain "no policy of that title"
[ "$(grep ',sjf,' titled/replications.csv | cut -d, -f4-)" = "$(grep ',mix,' titled/replications.csv | cut -d, -f4-)" ] ||
    complain "Tetris with knob 0 is not SJF"
# Every job of a set is listed for every policy; all-done leaves none waiting.
for fate in scheduled waiting; do
    grep -c ",no-new-job,sjf,.*,$fate," first/jobs.csv >/dev/null || complain "no job is $fate"
done
grep -q ',all-done,sjf,.*,waiting,' first/jobs.csv && complain "all-done left jobs waiting"
[ "$(cut -d, -f3-5 first/jobs.csv | grep -c '^sjf,0,')" -eq \
    "$(cut -d, -f3-5 first/jobs.csv | grep -c '^random,0,')" ] || complain "policies had other jobs"
sha256sum first/* >before

run second --policies=$rules || complain "the same run again"
same first second
run third --RngRun=2 --policies=$rules || complain "another run"
cmp -s first/replications.csv third/replications.csv && complain "another run wrote the same"
run alone --policies=sjf || complain "one policy"
grep ',sjf,' first/replications.csv >together
tail -n +2 alone/replications.csv | cmp -s - together || complain "a policy alone did otherwise"

# The jobs of the first set, read back, give the same schedule.
run back --jobFile=first/first-set.csv --replications=1 --policies=sjf --protocols=all-done ||
    { complain "its own jobs"; cat err; }
schedule()
{
    grep ',all-done,sjf,' "$1" | awk -F, '$4 == 0 {print $7, $8, $9, $11 - $6}'
}
[ "$(schedule first/jobs.csv)" = "$(schedule back/jobs.csv)" ] || complain "its own jobs, otherwise"
gzip -k first/first-set.csv
if run zipped --jobFile=first/first-set.csv.gz --replications=1 --policies=sjf --protocols=all-done; then
    [ "$(schedule zipped/jobs.csv)" = "$(schedule back/jobs.csv)" ] || complain "compressed jobs"
else
    grep -q 'without zlib' err || { complain "compressed jobs"; cat err; }
fi
rm first/first-set.csv.gz

cat >log.swf <<'END'
; MaxProcs: 8
1 0 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1
2 30 5 -1 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1
3 60 5 999999 20 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1
END
"$convert" --to=cluster --format=swf log.swf log.csv >report || complain "converting a trace"
for words in '3 read = 2 used + 1 skipped' '1 skipped: no run time' 'jobs cut to maxDuration: 1' 'jobs cut to maxUnits: 1' \
    'MaxProcs: 8'; do
    grep -q -- "$words" report || complain "no '$words' about the trace"
done
run trace --jobFile=log.csv || { complain "a trace"; cat err; }
grep -q 'jobs: 2' out || complain "no word of the jobs of the trace"
run loads --loads=50,150 --arrivals=Poisson --sweep=1 --policies=sjf --protocols=all-done ||
    { complain "loads"; cat err; }
[ "$(cut -d, -f1 loads/summary.csv | sort -u | paste -sd' ')" = 'load 150 % load 50 % workload' ] ||
    complain "other loads than asked for"
[ "$(wc -l <loads/sweep.csv)" -eq 23 ] || complain "sweep.csv has not 22 rows"

# Faults: jobs add up, and the same faults each time, others in each set.
faults=(--machines=3 --loads=80 --arrivals=Poisson --protocols=all-done --policies=random,sjf,easy --mtbf=server=40s --mttr=server=10s
    --ns3::odcn::ClusterScheduling::AfterFailure=Restart)
run faulty "${faults[@]}" || { complain "faults"; cat err; }
run faulty2 "${faults[@]}" || complain "the same faults again"
same faulty faulty2
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
    { lost += $c["interrupted"]
      different += !seen[$c["availability"]]++
      if ($c["offered"] != $c["accepted"] + $c["blocked_impossible"] + $c["blocked_dropped"] ||
          $c["interrupted"] > $c["accepted"] || $c["availability"] >= 1) bad = 1 }
    END { exit bad || lost < 30 || different < 5 }' faulty/replications.csv || complain "jobs under faults do not add up"
# One meaning of a word in all columns: jobs that ran are interrupted, those that were to run displaced.
[ "$(grep -c ',interrupted,' faulty/jobs.csv) $(grep -c ',interrupted,' faulty/jobs.csv) $(grep -c ',displaced,' faulty/jobs.csv)" = \
    "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
        { n += $c["interrupted"]
          share += $c["interrupted_share"] * $c["interrupted_share_count"]
          displaced += $c["displaced_share"] * $c["displaced_share_count"] }
        END { printf "%d %.0f %.0f", n, share, displaced }' faulty/replications.csv)" ] ||
    complain "other interrupted or displaced jobs in jobs.csv"
printf 'part,index,start_us,end_us,cause\nserver,0:0,0,,fire\nserver,0:2,20e6,30e6,power\n' >faults.csv
run burnt "${faults[@]:0:5}" --faults=faults.csv || { complain "a file of faults"; cat err; }
[ "$(awk -F, '$10 == "scheduled" { ++n[$13] } END { print (n[1] > 0) (n[2] > 0) n[0] }' burnt/jobs.csv)" = 11 ] ||
    complain "jobs on a machine that has failed"
refuses 'server 0:2 below' --machines=2 --faults=faults.csv
refuses 'uplink server' --mtbf=uplink=2s --mttr=uplink=1s
refuses 'faults without --train' --faults=faults.csv --machines=3 --train=1 --checkpoint=c

# Two equal trainings give equal agents, which can be used. Without LibTorch there is an error line.
small="--train=1 --agent=deeprm --trainDecisions=200 --trainEnvironments=2 --cloneDecisions=200"
if train once $small --checkpoint=a.pt; then
    train twice $small --checkpoint=a.pt || complain "a training again"
    cmp -s once/a.pt twice/a.pt || complain "the same training made another agent"
    # A training that starts from another agent's checkpoint has its performance at the start.
    learn="--train=1 --agent=deeprm --trainEnvironments=2 --trainDecisions=1"
    run none $learn --checkpoint=new.pt || complain "a short training"
    run none $learn --checkpoint=more.pt --start="$data/cluster-deeprm.pt" ||
        { complain "a training from a checkpoint"; cat err; }
    awk -F, 'FNR == 1 {for (i = 1; i <= NF; i++) if ($i == "evaluation") c = i}
        FNR == 2 {score[FILENAME] = $c} END {exit !(score["more.pt.csv"] < 0.7 * score["new.pt.csv"])}' \
        more.pt.csv new.pt.csv || complain "it began anew"
    run agent --policies=sjf,agent --checkpoint=once/a.pt || { complain "an agent"; cat err; }
    # Learners and networks are chosen independently.
    run none ${learn% *} '--learner=EvolutionLearner[Population=4|EvaluationDecisions=50]' --generations=1 \
        '--network=Mlp[layers=1|units=8]' --checkpoint=b.pt || { complain "a network by evolution"; cat err; }
    run agent --policies=sjf,agent --checkpoint=b.pt || { complain "an evolved agent"; cat err; }
    resumes c.pt --train=1 --agent=deeprm --trainEnvironments=2 --trainDecisions=4000 --checkpoint=c.pt \
        '--learner=ReinforceLearner[UseMask=true|Sequences=2|EvaluationDecisions=50]'
    refuses 'linear 4480' $learn --learner=EvolutionLearner --network=Linear --checkpoint=c.pt
    refuses 'start.pt' --train=1 --checkpoint=c --start=start.pt
    refuses 'layers Conv5-8' --train=1 --checkpoint=c '--network=Cnn[layers=Conv]'
    refuses 'learner ns3::odcn::Teacher' --train=1 --checkpoint=c --learner=ns3::odcn::Teacher
    # A shipped agent has a higher reward than the best rule.
    # Without a mask it may wait for ever; the trace ends all the same.
    run waits --jobFile=log.csv --protocols=all-done --policies=deeprm-paper ||
        { complain "an agent without a mask on a trace"; cat err; }
    run shipped --protocols=all-done --replications=30 || { complain "the shipped agents"; cat err; }
    awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "reward") c = i}
        $3 == "sjf" || $3 == "deeprm" {sum[$3 == "sjf"] += $c} END {exit !(sum[0] > 0.85 * sum[1])}' shipped/replications.csv ||
        complain "the shipped agent is no better than SJF"
    run drawn '--policies=deeprm,drawn=deeprm[Greedy=0]' || { complain "drawn actions"; cat err; }
    [ "$(grep -c ',deeprm,' drawn/replications.csv),$(grep -c ',drawn,' drawn/replications.csv)" = 10,10 ] ||
        complain "not ten sets of each way to use an agent"
elif [ "$(grep -c 'built without agents' err)" -ne 1 ]; then
    complain "a training"
    cat err
fi

# No job starts within a slot, so no form of Tetris is the best one.
run never --sweep=1 --maxSlots=1 --setSlots=5 --replications=1 && complain "the best of none"
grep -q '^error: sweep of tetris-best, .*all-done: no replication' err || { complain "no word of the sweep"; cat err; }
[ ! -e never ] || complain "a folder without a file"
refusals <<'END'
checkpoint file           | --train=1
agent absent              | --policies=agent --checkpoint=absent
policy magic hrrn         | --policies=magic
Order=Up                  | '--policies=ns3::odcn::ClusterListPolicy[Order=Up]'
policies title            | '--policies=sjf,sjf=fcfs'
protocols never           | --protocols=never
rates 0                   | --rates=0
Rate 1.5 Poisson          | --rates=1.5
loads many                | --loads=many
machines 0                | --machines=0
capacity 32768            | --capacity=32768
horizon 1                 | --horizon=1
jobSlots 0                | --jobSlots=0
reward R3                 | --reward=R3
arrivals Uniform          | --arrivals=Uniform
agent deep deeprm-plus    | --train=1 --checkpoint=c --agent=deep
network without --start   | --train=1 --checkpoint=c --start=a.pt --network=Cnn
absent.csv cannot be read | --jobFile=absent.csv
END
for option in format=swf columns=cpu=n timeUnit=60 cpuUnit=2 memoryUnit=2 skipMalformed=1; do
    refuses "${option%%=*} odcn-convert-trace" --jobFile=log.csv --$option
done
refuses 'teacher with --train' --teacher=fcfs
refuses 'log.swf:1 header odcn-convert-trace' --jobFile=log.swf
echo 'x,0,5' >>log.csv
refuses 'log.csv:4 4 columns' --jobFile=log.csv
refuses '/proc/cluster' --output=/proc/cluster

conclude
