#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The program as a user runs it: repeatable output, and bad input, which gives one error line,
# a non-zero exit, and leaves earlier results unchanged.
#
# Usage: odcn-drl-scheduling-test.sh PROGRAM

recipes=$(cd "$(dirname "${BASH_SOURCE[0]}")/../data/recipes" && pwd)
# shellcheck source=test/odcn-training-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-training-kit.sh"
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

small=(--tors=4 --servers=4 --warmUp=100 --policies=odcn-ccf,odcn-jcb)
drawn=(--loads=6 --jobs=300 --replications=2)
trained=(--tors=4 --servers=4 --loads=6)
windows=(--windows=2 --windowWarmUp=1us --windowLength=2us)

# Runs the program on a small data centre. run FOLDER OPTION ...
run()
{
    local folder=$1 options=("${small[@]}")
    shift
    [[ " $*" == *' --jobFile='* ]] || options+=("${drawn[@]}")
    [[ " $*" == *' --packets=formula'* ]] || options+=("${windows[@]}")
    options+=(--output="$folder")
    [[ " $*" != *' --train=1'* ]] || options=("${trained[@]:0:2}")
    start "${options[@]}" "$@" >"$work/out" 2>"$work/err"
}

# refuses WORDS OPTION ...: exit status not 0, one line on standard error that holds all WORDS, and
# the results of the first run untouched.
refuses()
{
    local words=$1
    shift
    run first "$@"
    local status=$?
    [ $status -ne 0 ] || complain "accepted: $*"
    [ $status -lt 126 ] || complain "crashed with $status: $*"
    local lines
    lines=$(grep -vc '^experiment: \|^packets: ' err)
    [ "$lines" -eq 1 ] || { complain "not one line but $lines: $*"; head -5 err; }
    local word
    for word in $words; do
        grep -q -- "$word" err || { complain "no '$word' in the message of $*"; cat err; }
    done
    sha256sum first/* >after
    cmp -s before after || complain "earlier results changed: $*"
}

run first --saveJobs="$work/jobs.csv" || { complain "a plain run"; cat err; }
grep -qF 'load 6 (236 % of the cores)' out || complain "no share of the cores" # 6 x 15.5 x 13 of 4 x 4 x 32
for file in jobs.csv windows.csv packets.csv job-packets.csv latencies.csv summary.csv replications.csv \
    flow-monitor.xml tor-0-uplink-0.pcap; do
    [ -s "first/$file" ] || complain "first/$file is missing or empty"
done
# The report has its setting and the bound.
grep -q '\["setting","[0-9]* policies; load 6\."\]' first/report.html || complain "no setting in the report"
grep -q '"best possible"' first/report.html || complain "no bound in the report"
# It is of the default's sizes of jobs: not of others.
run small --packets=formula --policies=first-fit '--ns3::odcn::OdcnJobGenerator::VmCount=ns3::ConstantRandomVariable[Constant=4]' ||
    complain "jobs of four VMs"
grep -q 'best possible' small/summary.csv && complain "the bound of other jobs"
# packets.csv: policy, windows, packets measured. The same packets by job, and by latency.
cut -d, -f1,3 first/packets.csv | tail -n +2 | LC_ALL=C sort >all
awk -F, 'NR > 1 { n[$1] += $5 } END { for (p in n) print p "," n[p] }' first/job-packets.csv |
    LC_ALL=C sort | cmp - all || complain "job-packets.csv has other packets"
awk -F, 'NR > 1 && $2 == "inter-rack" { n[$1] += $5 } END { for (p in n) print p "," n[p] }' \
    first/latencies.csv | LC_ALL=C sort | cmp - all || complain "latencies.csv has other packets"
awk -F, 'NR > 1 && $4 != $5 + $6 { bad = 1 } END { exit bad }' first/job-packets.csv ||
    complain "a job's packets are not all received or lost"
[ -z "$(find first -name '.*' ! -name .odcn-manifest -type f)" ] || complain "temporary files are left behind"
sha256sum first/* >before

run second --saveJobs="$work/jobs.csv" || complain "the same run again"
same first second
grep -q '^odcn-jcb: [1-9][0-9]* packets by ns-3 and without events: equal\.$' out || complain "no comparison of the engines"
for processes in 1 3; do
    run processes --saveJobs="$work/jobs.csv" --processes=$processes || { complain "$processes processes"; cat err; }
    for file in first/*.csv first/*.xml first/*.pcap; do
        cmp "$file" "processes/${file#*/}" || complain "$processes processes wrote another $file"
    done
done
run third --RngRun=2 || complain "another run"
for file in jobs.csv windows.csv summary.csv; do
    cmp -s first/$file third/$file && complain "another run wrote the same $file"
done
# The same packets without events: identical windows.
for option in '' --RngRun=3 --ns3::odcn::TorSwitch::Spreading=RoundRobin \
    --ns3::odcn::TorSwitch::Spreading=PerFlow --ns3::odcn::OcsFiber::Delay=25ns \
    '--serversPerRack=6,2*4,2 --uplinksPerRack=2*3,2,1' \
    '--ns3::odcn::JobFlowApplication::SizeVariable=ns3::UniformRandomVariable[Min=96|Max=496]' \
    '--ns3::odcn::JobFlowApplication::BurstVariable=ns3::UniformRandomVariable[Min=1|Max=9]'; do
    # shellcheck disable=SC2086
    run plain --policies=odcn-ccf,odcn-jcb,odcn-packing $option --packets=ns3 --pcap=0 --flowMonitor=0 ||
        { complain "packets with $option"; cat err; }
    # shellcheck disable=SC2086
    run exact --policies=odcn-ccf,odcn-jcb,odcn-packing $option --packets=exact ||
        { complain "exact packets with $option"; cat err; }
    for file in windows.csv packets.csv job-packets.csv latencies.csv summary.csv; do
        cmp plain/$file exact/$file || complain "exact packets wrote another $file with $option"
    done
done
grep -q 'packets=both' out || complain "exact packets keep silent about pcap and FlowMonitor"
run formula --packets=formula || { complain "no packets"; cat err; }
[ ! -e formula/windows.csv ] || complain "windows without packets"

# A signal to the program ends all of its processes.
"$program" "${small[@]}" --loads=6 --jobs=100000000 --replications=9 --processes=3 --packets=formula --output=stopped >out 2>err &
main=$!
children=
for _ in {1..300}; do
    children=$(cat /proc/$main/task/$main/children 2>/dev/null)
    [[ $children = *' '*[0-9]* ]] && break
    sleep 0.1
done
[[ $children = *' '*[0-9]* ]] || complain "no processes of its own: '$children'"
kill $main
wait $main
[ $? -eq 143 ] || { complain "status after SIGTERM"; cat err; }
for child in $children; do
    [ ! -e "/proc/$child" ] || complain "process $child goes on"
done

# Racks that differ, and lists of racks that do not.
run lists --serversPerRack=4*4 --uplinksPerRack=4*3 || { complain "lists of equal racks"; cat err; }
for file in summary.csv jobs.csv windows.csv; do
    cmp first/$file lists/$file || complain "lists of equal racks wrote another $file"
done
run rates --packets=formula --uplinkRatePerRack=2*100Gbps,2*40Gbps || { complain "rates"; cat err; }
cmp -s formula/summary.csv rates/summary.csv && complain "rates changed nothing"
refuses 'ServersByRack 3 4 racks' '--serversPerRack=3*4'
refuses 'ServersByRack 4*0' '--serversPerRack=4*0'
refuses 'PortsByTor 1,2,x,4' --uplinksPerRack=1,2,x,4
refuses 'uplinkRatePerRack formula' '--uplinkRatePerRack=4*40Gbps'
refuses 'PortRateByTor fast' --packets=formula '--uplinkRatePerRack=4*fast'

run replay --jobFile="$work/jobs.csv" || { complain "replaying the saved jobs"; cat err; }
[ -s replay/summary.csv ] || complain "the replay wrote no summary"

# A log of another kind, converted by a map of its columns.
awk 'BEGIN { print "user;submit;end;n;c"; for (i = 0; i < 40; ++i) print "u;" 60 * i ";" 60 * i + 600 ";" 2 + i % 3 ";4" }' |
    tr ';' ',' >log.csv
"$convert" --to=odcn --columns='arrival=submit/60,duration=end/60-submit/60,vms=n,cores=c' log.csv log-jobs.csv >/dev/null ||
    complain "a log by its columns"
run log --jobFile=log-jobs.csv --packets=formula || { complain "a converted log"; cat err; }
run star --jobFile=log-jobs.csv --packets=formula --pattern=star || { complain "a pattern for jobs without demands"; cat err; }
# Nothing is blocked: 40 jobs of 2, 3 or 4 VMs on 4 racks.
awk -F, 'NR > 1 && $5 != 10 { bad = 1 } END { exit bad }' log/jobs.csv && [ "$(grep -c accepted log/jobs.csv)" -gt 0 ] ||
    complain "the log's jobs are other ones"
refuses 'log.csv:1 header column job odcn-convert-trace' --jobFile=log.csv --packets=formula

header='job,arrival,duration,vms,demands'
printf '%s\n0,1,5,4:15:80|4:15:80,0>1:nan\n' "$header" >nan.csv
printf '%s\n0,1,5,4:15:80|4:15:80,0>1:-6\n' "$header" >negative.csv
printf '%s\n0,1,5,4:15:80|4:15:80\n' "$header" >columns.csv
printf 'hello\n' >header.csv
: >empty.csv
refuses 'nan.csv:2 nan' --jobFile=nan.csv
refuses 'negative.csv:2 -6' --jobFile=negative.csv
refuses 'columns.csv:2' --jobFile=columns.csv
refuses 'header.csv:1 hello' --jobFile=header.csv
refuses 'empty.csv' --jobFile=empty.csv
refuses 'absent.csv' --jobFile=absent.csv
refuses 'loads without --jobFile' --jobFile="$work/jobs.csv" --loads=9
refuses 'pattern without --jobFile pairs' --jobFile="$work/jobs.csv" --pattern=star
refuses 'columns odcn-convert-trace' --columns=arrival=a
refuses 'format alibaba-2018 odcn-convert-trace' --jobFile=log.csv --format=alibaba-2018
refuses 'windows with --packets=both' --packets=formula --windows=3
refuses 'faults with --packets=both' --packets=exact --faults=absent.csv
refuses 'learner with --train' --learner=PpoLearner
refuses 'explain -1 number' --explain=-1
refuses 'explain without scores' --explain=3
refuses 'explain without --train' --train=1 --explain=3 --checkpoint=b.pt
refuses 'jobFile without --train' --train=1 --jobFile="$work/jobs.csv" --checkpoint=b.pt
refuses 'policy magic odcn-jcb' --policies=magic
refuses "'drl' evolved" --policies=drl
refuses 'Placement worst' --policies=odcn-jcb@worst

# A policy with a placement of its own decides as one in a data centre with that placement.
for pattern in star mixed; do
    run named --packets=formula --pattern=$pattern '--policies=odcn-jcb,odcn-jcb@BestFit' || { complain "a placement after @"; cat err; }
    run given --packets=formula --pattern=$pattern --policies=odcn-jcb --placement=BestFit || complain "best fit"
    [ "$(grep ',odcn-jcb@BestFit,' named/replications.csv)" = "$(sed -n 's/,odcn-jcb,/,odcn-jcb@BestFit,/p' given/replications.csv)" ] ||
        complain "odcn-jcb@BestFit differs from odcn-jcb with best fit"
    grep -q ',odcn-jcb,' named/replications.csv && ! cmp -s named/replications.csv given/replications.csv || complain "no row as published"
done
grep -q 'placement Balanced, or as named after @' out && complain "a placement that nobody gave"
refuses 'Pattern zigzag' --pattern=zigzag
refuses 'loads -1' --loads=-1
refuses 'loads 0' --loads=0
refuses 'tors 0' --tors=0
refuses 'jobs 0' --jobs=0
refuses 'windowLength soon' --windowLength=soon
refuses 'placement Upside' --placement=Upside
refuses '/proc/odcn' --output=/proc/odcn
: >plain-file
refuses 'plain-file' --output=plain-file
refuses '/dev/full' --saveJobs=/dev/full

refuses 'loads nan' --loads=nan
refuses 'jobs many' --jobs=many
refuses 'windows -1' --windows=-1
refuses 'tors 4294967312' --tors=4294967312
refuses 'packets perhaps ns3 exact formula' --packets=perhaps
refuses 'packets 0 formula' --packets=0
refuses 'packets true exact' --packets=true
refuses 'PacketSize 296 Mtu' --packets=exact --ns3::odcn::OcsNetDevice::Mtu=100

# The agent: trained briefly, then damaged in every way.
brief=(--trainLoads=6 --trainPatterns=ring,star --trainJobs=2000 --environments=4 --evaluationDecisions=500)
clone=--cloneDecisions=2000
if ! start "${trained[@]}" --train=1 "${brief[@]}" $clone --checkpoint=agent.pt >out 2>err; then
    grep -q '^error: --train: .* for want of LibTorch$' err || { complain "training"; cat err; }
    # The default policies are the last of small.
    start "${small[@]::${#small[@]}-1}" "${drawn[@]}" "${windows[@]}" --output=rules >out 2>err || { complain "rules"; cat err; }
    grep -q '^odcn-score ' out && grep -q '^No agents' out || { complain "the table of rules"; cat out; }
    conclude
fi
other='ns3::odcn::AgentPolicy[Checkpoint=agent.pt]'
run agent "--policies=odcn-jcb,evolved,$other" --checkpoint=agent.pt ||
    { complain "the agent"; cat err; }
[ "$(grep ',evolved,' agent/replications.csv)" = "$(grep ',ns3' agent/replications.csv | sed 's/,ns3[^,]*/,evolved/')" ] ||
    complain "the agent by its TypeId differs"
grep -q '^Decisions of networks .* LibTorch: .*evolved [1-9]' out || complain "no count of network evaluations"
grep -q warning out && complain "a warning where the agent was trained"
run tree --policies=evolved --checkpoint=agent.pt --pattern=tree --loads=5 || complain "another pattern"
grep -q '^warning: evolved was .*pattern ring,star, not tree; load 6, not 5' out || { complain "no warning"; cat out; }
run unequal --policies=evolved --checkpoint=agent.pt --serversPerRack=6,2*4,2 || complain "unequal racks"
grep -q '^warning: evolved was .*: servers of the racks equal, not 6,2\*4,2' out || { complain "no warning"; cat out; }
head -c 1000 agent.pt >cut.pt
head -c 5000 /dev/urandom >noise.pt
refuses 'absent.pt' --policies=evolved --checkpoint=absent.pt
refuses 'cut.pt' --policies=evolved --checkpoint=cut.pt
refuses 'noise.pt' --policies=evolved --checkpoint=noise.pt
refuses 'checkpoint file' --train=1
refuses 'absent' --train=1 --checkpoint=absent/agent.pt
refuses 'agent magic steady' --train=1 --agent=magic --checkpoint=b.pt
refuses 'learner OdcnPolicy' --train=1 --learner=OdcnPolicy --checkpoint=b.pt
refuses 'Nothing Scorer' --train=1 --network=Nothing --checkpoint=b.pt

# The scorer works with any number of racks, 5 x 128 does not.
run larger --tors=6 --policies=evolved --checkpoint=agent.pt || { complain "more racks"; cat err; }
start "${trained[@]}" --train=1 --agent=steady --trainJobs=100 --environments=4 \
    --evaluationDecisions=500 --checkpoint=mlp.pt >out 2>err || { complain "5 x 128"; cat err; }
refuses 'mlp.pt' --policies=evolved --checkpoint=mlp.pt --tors=6

# Any learner and any network can replace those of the recipe.
for words in 'CloneLearner Attention[units=16|heads=2|layers=1] --cloneDecisions=300' "A2cLearner Mlp[layers=1|units=16] $clone" \
    'EvolutionLearner[Population=4|Streams=1] Scorer[inputs=own|hidden=4] --generations=2'; do
    read -r learner network option <<<"$words"
    start "${trained[@]}" --train=1 --learner="$learner" --network="$network" "${brief[@]}" \
        "$option" --trainJobs=300 --checkpoint=b.pt >out 2>err ||
        { complain "training $words"; cat err; }
done
start "${trained[@]}" --train=1 --agent=evolution --generations=2 \
    '--learner=EvolutionLearner[Population=4|Streams=1]' --checkpoint=c.json >out 2>err ||
    { complain "evolution"; cat err; }
run linear --policies=linear --linear=c.json || { complain "linear"; cat err; }
# Why it decides so: the effects on a rack add up to the lead of its score, one row a feature and VM.
run why --policies=odcn-jcb,linear --linear=c.json --explain=0 || { complain "explain"; cat err; }
grep -q '^VM 1 of [0-9]*, [0-9]* cores: rack [0-9]* of [0-9]* that fit, score' out || complain "no decision is explained"
grep -q '^Without scores: odcn-jcb\.$' out || complain "no word of the rule"
awk -F, 'NR > 1 && $5 != "" { lead[$2] += $9 - $11; is[$2] = $4 - $6 }
    END { for (vm in is) { d = lead[vm] - is[vm]; if (d > 1e-3 || d < -1e-3) exit 1; ++n } exit !n }' why/explain.csv ||
    complain "effects do not add up"

# Sums that go on from others, with features for the first VM of a job; then one network of them, which decides as they do.
opening=("${trained[@]}" --train=1 --agent=evolution --state=Opening --generations=2 '--learner=EvolutionLearner[Population=4|Streams=1|Decisions=2000]')
start "${opening[@]}" --start=c.json --checkpoint=first.json >out 2>err || { complain "a sum that goes on"; cat err; }
start "${opening[@]}" --trainPatterns=star --checkpoint=star.json >out 2>err || { complain "a sum of State=Opening"; cat err; }
grep -q '"first smaller room"' first.json && grep -q '"reach"' first.json || complain "the sum has no features of first VMs"
refuses "first.json' first features" "${opening[@]}" --state=Placement --start=first.json --checkpoint=b.json
mixture=("${trained[@]}" --train=1 --agent=mixture --trainLoads=6 --trainPatterns=ring,star --trainJobs=2000 --environments=4 --evaluationDecisions=500)
start "${mixture[@]}" --teacher=ring:first.json,star:star.json --network='Mixture[experts=2|gate=117]' --checkpoint=mixture.pt >out 2>err ||
    { complain "a network of sums"; cat err; }
run ring --policies=linear,evolved --linear=first.json --checkpoint=mixture.pt || { complain "a network of sums for rings"; cat err; }
run stars --pattern=star --policies=linear,evolved --linear=star.json --checkpoint=mixture.pt || complain "a network of sums for stars"
for folder in ring stars; do
    [ "$(grep ',evolved,' $folder/replications.csv)" = "$(grep ',linear,' $folder/replications.csv | sed 's/,linear,/,evolved,/')" ] ||
        complain "$folder: the network decides otherwise than its sum"
done
refuses 'experts 3 expected 2' "${mixture[@]}" --teacher=ring:first.json,star:star.json --network='Mixture[experts=3|gate=117]' --checkpoint=b.pt
refuses 'teacher first.json first features' "${mixture[@]}" --state=Traffic --teacher=ring:first.json,star:star.json --network='Mixture[gate=57]' --checkpoint=b.pt
sed '/"weights"/{n;d}' first.json >short.json
refuses 'teacher short.json 109 110' "${mixture[@]}" --teacher=ring:short.json,star:star.json --network='Mixture[gate=117]' --checkpoint=b.pt

# What the network would lose is tried in other racks first.
run ahead --pattern=star --policies='evolved,lookahead,score=lookahead[Policy=odcn-score]' --checkpoint=mixture.pt || { complain "looking ahead"; cat err; }
grep -q '^Decisions of networks .* LibTorch: evolved [0-9]*, lookahead [1-9]' out || complain "no count of decisions that look ahead"
refuses 'policy odcn-scores' --policies='lookahead[Policy=odcn-scores]'

# A recipe of the user's own. The curve is that of the same values by options; the file is in the checkpoint.
sed 's/"decisions": .*/"decisions": 4650,/; s/"Generations": 25/"Generations": 2/; s/"EvaluationDecisions": 60000/"EvaluationDecisions": 500/' \
    "$recipes/odcn-evolution.json" >mine.json
start "${trained[@]}" --train=1 --agent=mine.json --checkpoint=d.json >out 2>err || { complain "a recipe of one's own"; cat err; }
start "${trained[@]}" --train=1 --agent=evolution --trainJobs=300 --generations=2 --evaluationDecisions=500 --checkpoint=e.json >out 2>err ||
    { complain "the same by options"; cat err; }
cmp -s d.json.csv e.json.csv || complain "a recipe of one's own trained otherwise"
grep -q '"recipe": ' d.json || complain "the recipe is not in the file that it trained"
sed 's/"State": "Placement"/"State": "Carnival"/' "$recipes/odcn-evolution.json" >state.json
sed 's/"Streams"/"Brooks"/' "$recipes/odcn-evolution.json" >learner.json
sed 's/"evaluationProblems"/"steps"/' "$recipes/odcn-evolution.json" >key.json
sed 's/"epochs"/"cases": {"colours": ["red"]}, "epochs"/' "$recipes/odcn-evolution.json" >case.json
refuses 'state.json problemAttributes State Carnival Placement' --train=1 --agent=state.json --checkpoint=b.json
refuses 'learner.json Brooks learnerDefaults' --train=1 --agent=learner.json --checkpoint=b.json
refuses 'key.json steps evaluationProblems' --train=1 --agent=key.json --checkpoint=b.json
refuses 'case.json cases colours patterns' --train=1 --agent=case.json --checkpoint=b.json
refuses 'none.json' --train=1 --agent=none.json --checkpoint=b.json
refuses 'problem RddcAllocation OdcnScheduling' --train=1 --agent="$recipes/rddc-paper.json" --checkpoint=b.json

# A teacher for each pattern, imitated in the network's own states.
start "${trained[@]}" --train=1 --agent=experts --trainLoads=6 --trainJobs=300 --environments=6 \
    --learner='CloneLearner[CloneOwnStates=1|UpdateSamples=8|EvaluationDecisions=50|EvaluationWarmUp=50]' \
    --checkpoint=experts.pt >out 2>err || { complain "experts"; cat err; }
run experts --policies=evolved --checkpoint=experts.pt --pattern=star || { complain "an agent of State=Traffic"; cat err; }
# A teacher that remembers the job it decides, one for each data centre.
for teacher in 'lookahead[Policy=odcn-packing]' 'ring:lookahead[Policy=odcn-packing]'; do
    start "${trained[@]}" --train=1 --agent=experts --trainPatterns=ring --trainLoads=6 --trainJobs=100 --environments=2 --teacher="$teacher" \
        --learner='CloneLearner[UpdateSamples=8|EvaluationDecisions=50|EvaluationWarmUp=50]' --checkpoint=ahead.pt >out 2>err ||
        { complain "lookahead teaches"; cat err; }
    mv ahead.pt.csv "ahead-${#teacher}.csv"
    rm -f ahead.pt
done
cmp ahead-*.csv || complain "one teacher and that of each pattern differ"
refuses 'teacher star' --train=1 --teacher=ring:odcn-score --trainPatterns=ring,star --checkpoint=b.pt
refuses 'policy odcn-scores' --train=1 --teacher=ring:odcn-scores --trainPatterns=ring --checkpoint=b.pt

# A training that begins with a checkpoint, its critic first.
from=("${trained[@]}" --train=1 --agent=improve "${brief[@]}" --trainJobs=1000 --epochs=4 --start="$work/experts.pt"
    '--learner=PpoLearner[CriticDecisions=500|UpdateSamples=32|EvaluationWarmUp=50]')
resumes better.pt "${from[@]}" --checkpoint=better.pt
grep -aq '"start": "[^"]*/experts.pt"' whole/better.pt && grep -aq '"startCommand": .*--agent=experts' whole/better.pt ||
    complain "the start is not in the checkpoint"
run better --policies=evolved --checkpoint=whole/better.pt --pattern=star || { complain "an agent that began with another"; cat err; }
refuses 'mlp.pt trained for observations' "${from[@]}" --start=mlp.pt --tors=6 --checkpoint=b.pt
refuses 'd.json checkpoint' "${from[@]}" --start=d.json --checkpoint=b.pt
refuses 'absent.pt' "${from[@]}" --start=absent.pt --checkpoint=b.pt
refuses "experts.pt' first features" "${from[@]}" --state=Placement --checkpoint=b.pt

resumes agent.pt "${trained[@]}" --train=1 "${brief[@]}" $clone --checkpoint=agent.pt

# A training goes on with the files that it began with only: its recipe, and what that names.
cp "$recipes/odcn-ppo.json" mine.json
mine=("${trained[@]}" --train=1 --agent="$work/mine.json" "${brief[@]}" $clone --checkpoint=mine.pt)
interrupt INT changed mine.pt "${mine[@]}"
cp mine.json kept.json
sed 's/"about": "/"about": "changed, /' kept.json >mine.json
train changed "${mine[@]}" --resume=1 && complain "it was resumed with another recipe"
grep -q 'mine.json: found it changed since the training of mine.pt began' err || { complain "no word of the file"; cat err; }
cp kept.json mine.json
train changed "${mine[@]}" --resume=1 || { complain "resuming with the same recipe"; cat err; }

conclude
