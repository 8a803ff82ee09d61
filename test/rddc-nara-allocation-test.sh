#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# rddc-nara-allocation as a user runs it: repeatable output, and bad input, which gives one
# error line, a non-zero exit, and leaves earlier results unchanged.
#
# Usage: rddc-nara-allocation-test.sh PROGRAM

# shellcheck source=test/odcn-training-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-training-kit.sh"
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

# run FOLDER OPTION ...
run()
{
    local options=(--requests=40 --output="$1")
    shift
    [[ " $*" != *' --train=1'* ]] || options=(--requests=40)
    start "${options[@]}" "$@" >out 2>err
}

brief=(--requests=20 --replications=2)
run first "${brief[@]}" || { complain "a plain run"; cat err; }
# Nine topologies, twelve rows of policies and forms each, two runs.
[ "$(grep -c ',linear,ns3::odcn::LinearPolicy,Routing=LeastUsed,' first/summary.csv)" -eq 9 ] || complain "not nine linear policies"
[ "$(wc -l <first/summary.csv)" -eq 109 ] || complain "summary.csv has not 108 rows"
[ "$(wc -l <first/replications.csv)" -eq 217 ] || complain "replications.csv has not 216 rows"
# Every request is counted: 20 in each of 2 runs, granted ones also by servers and by units.
sums()
{
    awk -F, -v column="$2" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == column) c = i; next }
        { sum[$1 "," $2 "," $3] += $c } END { for (key in sum) print key "," sum[key] }' "first/$1.csv" | sort
}
sums sizes received | grep -v ',40$' && complain "not all requests are counted"
sums sizes granted >granted
sums spreads granted | cmp -s - granted || complain "spreads.csv has not all grants"
sums shapes granted | cmp -s - granted || complain "shapes.csv has not all grants"
grep -q '^ *32/4 *tetris' out || complain "no row of Tetris on the last topology"
sha256sum first/* >before

run second "${brief[@]}" || complain "the same run again"
same first second
run third "${brief[@]}" --RngRun=2 || complain "another run"
cmp -s first/replications.csv third/replications.csv && complain "another run wrote the same"
# Requests do not depend on policies: alone, each has the same results as with others.
run alone "${brief[@]}" --policies=nalb || complain "one policy"
grep ',nalb,' first/replications.csv >together
tail -n +2 alone/replications.csv | cmp -s - together || complain "a policy alone did otherwise"
run large --clusters=8 --racks=8 --channels=8 --oversubscription=16,2:4 --replications=1 --policies=tetris ||
    { complain "1,024 servers"; cat err; }
cut -d, -f1 large/summary.csv | paste -sd' ' | grep -qx 'topology 8/16 8/8' ||
    complain "other topologies than asked for"
run swept --channels=8 --oversubscription=16 --replications=2 --requests=10 --sweepRuns=1 --sweep=1 ||
    { complain "a sweep"; cat err; }
[ "$(grep -c '^[^,]*,[^,]*,[a-z]*-best,' swept/summary.csv)" -eq 3 ] || complain "not three best forms"

# Faults: offered = accepted + blocked by cause, and the same faults each time, for all policies.
faults=(--mtbf=server=100s,link=900s --mttr=server=10s,link=9s --ns3::odcn::RddcManager::AfterFailure=Replace)
run faulty --channels=8 "${faults[@]}" || { complain "faults"; cat err; }
run faulty2 --channels=8 "${faults[@]}" || complain "the same faults again"
same faulty faulty2
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
    { lost += $c["interrupted"]
      if ($c["offered"] != $c["accepted"] + $c["blocked_refused"] + $c["blocked_failed"] ||
          $c["interrupted"] > $c["accepted"] || $c["availability"] >= 1) bad = 1 }
    END { exit bad || lost < 100 }' faulty/replications.csv || complain "requests under faults do not add up"
printf 'part,index,start_us,end_us,cause\nserver,3:1,10000000,,fire\nnode,0,20e6,30e6,power\n' >faults.csv
run burnt --channels=8 --replications=1 --faults=faults.csv || { complain "a file of faults"; cat err; }
sed 's/3:1/4:1/' faults.csv >far.csv
refuses 'server 4:1 below' --faults=far.csv
sed 's/fire/fire,2/' faults.csv >wide.csv
refuses 'wide.csv:2' --faults=wide.csv
refuses 'uplink' --mtbf=uplink=2s --mttr=uplink=1s

# Real requests: run k is the k-th piece of the file.
{
    echo cpu_request,memory_request,creation_time,scheduled_time,deletion_time
    for i in $(seq 1 100); do echo "$((i % 60 + 1)),$((i * 7 % 300)),$((i * 10)),$((i * 10)),$((i * 10 + 200))"; done
    echo 8,8,,,5
} >instances.csv
"$convert" --to=rddc --format=alibaba-2025 instances.csv requests.csv >report || complain "converting requests"
grep -q 'rows: 101 read = 100 used + 1 skipped' report || complain "no word of the rows"
scaled="--requestsFile=requests.csv --loads=0.95"
run real $scaled --replications=2 --channels=8 || { complain "real requests"; cat err; }
run later $scaled --replications=1 --RngRun=2 --channels=8 || complain "the second piece"
grep ',tetris,2,' real/replications.csv >second.csv
grep ',tetris,2,' later/replications.csv | cmp -s - second.csv || complain "the second piece differs alone"
# Run k has the k-th piece of the file, from its first request to its last.
run pieces $scaled --requests=50 --replications=2 --channels=8 --policies=tetris || complain "two halves of a file"
awk -F, 'NR > 1 { n += $7 == 50 } END { exit n != 6 }' pieces/replications.csv || complain "a half has other than 50 requests"
refuses 'requests 40 100' --requestsFile=requests.csv --replications=3
refuses 'requestsFile without --train' --requestsFile=requests.csv --train=1 --checkpoint=c-%.pt
refuses 'absent.csv' --requestsFile=absent.csv
sed '3s/,[0-9]*/,many/' requests.csv >broken.csv
refuses 'broken.csv:3 many cpu' --requestsFile=broken.csv
refuses 'instances.csv:1 header odcn-convert-trace' --requestsFile=instances.csv
# The same by a map of columns: pieces follow each other, and the last one is refused if it is short.
seq 0 79 | awk 'BEGIN { print "at,until,cores,gb" } { print $1 * 10 "," $1 * 10 + 50 "," $1 % 16 + 1 "," 4 * ($1 % 5) }' >plain.csv
"$convert" --to=rddc --columns=arrival=at,holding=until-at,cpu=cores,memory=gb/4 plain.csv mapped.csv >/dev/null ||
    complain "converting columns"
columns="--requestsFile=mapped.csv"
run mapped $columns --replications=2 --channels=8 --oversubscription=8 || { complain "a file by its columns"; cat err; }
run late $columns --replications=1 --RngRun=2 --channels=8 --oversubscription=8 || { complain "its second piece"; cat err; }
grep ',tetris,2,' mapped/replications.csv >second.csv
grep ',tetris,2,' late/replications.csv | cmp -s - second.csv || complain "the second piece of the columns differs alone"
grep ',tetris,1,' mapped/replications.csv | cut -d, -f5- >one.csv
cut -d, -f5- second.csv | cmp -s - one.csv && complain "both pieces are the same"
refuses 'requests 40 80' $columns --replications=3

# Packets: circuits lose none, and the same seed gives identical files.
packets="--packets=2 --packetTime=3us --channels=8 --oversubscription=16 --policies=tetris --traces=1"
run packets $packets || { complain "packets"; cat err; }
[ "$(wc -l <packets/packets.csv)" -eq 10 ] || complain "not three tiers by three carriers"
awk -F, '/,circuits,/ { sent += $6; lost += $7 } END { exit !(sent > 1000 && lost == 0) }' packets/packets.csv ||
    complain "circuits lose packets, or there are none"
run packets-again $packets || complain "packets again"
for file in packets.csv packet-requests.csv flow-monitor.xml server-0.pcap server-0.tr; do
    [ -s "packets/$file" ] || complain "no $file"
    cmp -s "packets/$file" "packets-again/$file" || complain "the same seed wrote another $file"
done
# Packets beyond the rate of a network card are lost there.
run much $packets --packets=1 --packetLoad=80 --packetTime=4us || complain "too many packets"
awk -F, '/,circuits,/ { lost += $7 } END { exit !(lost > 1000) }' much/packets.csv ||
    complain "eighty times what a lightpath carries, and nothing is lost"
run real-packets $scaled $packets || { complain "real requests in packets"; cat err; }
# Under faults: sent = received + lost by cause. What is known to have failed is not used.
for detection in 0s 5s; do
    run packets-$detection $packets --packets=20 --policies=tetris-tuned --traces=0 --detection=$detection --mtbf=server=200s,link=400s \
        --mttr=server=20s,link=20s || { complain "packets under faults"; cat err; }
    awk -F, -v known=$detection 'NR > 1 { lost = 0; for (i = 7; i <= NF; ++i) lost += $i
        if ($4 < 5 || $6 < 1000 || $5 != $6 + lost || (known == "0s") != (lost == 0)) bad = 1 }
        END { exit bad || NR != 2 }' packets-$detection/packet-losses.csv || { complain "packets under faults do not add up"; cat out; }
done
refuses 'packets 41' --packets=41
refuses 'packetLoad 0' --packets=1 --packetLoad=0
refuses 'packetSize 43 1500' --packets=1 --packetSize=43
refuses 'packetTime 0us above' --packets=1 --packetTime=0us
refuses 'packetTime soon 10us' --packets=1 --packetTime=soon
refuses 'channelRate fast 10Gbps' --packets=1 --channelRate=fast
refuses 'channelRate 0bps' --packets=1 --channelRate=0bps
refuses 'switchDelay -1ns' --packets=1 --switchDelay=-1ns
refuses 'traces with --packets' --traces=1
refuses 'columns odcn-convert-trace' --columns=arrival=at
refuses 'format odcn-convert-trace' --requestsFile=mapped.csv --format=columns
refuses 'network with --train' --network=Scorer

# Two equal trainings give equal policies, which also work at another size. LibTorch is needed.
small="--train=1 --servers=4 --channels=8 --oversubscription=1 --trainRequests=20"
if train once $small --generations=1 --checkpoint=a-%.json; then
    train twice $small --generations=1 --checkpoint=a-%.json || complain "a training again"
    cmp -s once/a-8-1.json twice/a-8-1.json || complain "the same training made another policy"
    train twice $small --generations=1 --checkpoint=a-%.json --resume=1 || complain "a finished training"
    grep -q 'a-8-1.json is done' out || complain "a finished training began anew"
    for state in Paper Placement; do
        run none $small --agent=ppo --trainDecisions=1 --state=$state --learner=PpoLearner[EvaluationDecisions=100] \
            --checkpoint=c-$state-%.pt ||
            { complain "a training by gradients in state $state"; cat err; }
    done
    # Learners and networks are chosen independently.
    run none $small --generations=1 --learner=EvolutionLearner[EvaluationDecisions=100] --network=Scorer --checkpoint=d-%.pt ||
        { complain "a network by evolution"; cat err; }
    run none $small --trainDecisions=1 --learner=CloneLearner[EvaluationDecisions=100] --network=Scorer[inputs=own] --checkpoint=e-%.pt ||
        { complain "a network that imitates"; cat err; }
    for agent in c-Paper c-Placement d e; do
        run agent --channels=8 --oversubscription=1 --replications=1 --policies=agent \
            --checkpoint=$agent-%.pt || { complain "the agent $agent"; cat err; }
        grep -q 'agent,.*,Routing=LeastUsed,' agent/summary.csv || complain "$agent with another routing"
    done
    run agent --channels=8 --oversubscription=1 --replications=1 --policies=tetris,linear,linear@Hops \
        --linear=once/a-%.json || { complain "a linear policy by hops"; cat err; }
    grep -q 'linear@Hops,.*,Routing=Hops,' agent/summary.csv || complain "not the routing asked for"
    resumes b-8-1.json $small --generations=6 \
        --learner=EvolutionLearner[EvaluationDecisions=100] --checkpoint=b-%.json
    refuses 'sage' --train=1 --channels=8 --oversubscription=1 --agent=ppo --checkpoint=f-%.pt \
        '--network=GraphSage[sage=1]'
    refuses 'Linear' $small --agent=ppo --network=Linear --checkpoint=f-%.pt
    refuses 'generations learner Generations' $small --agent=ppo --generations=1 --checkpoint=f-%.pt
    refuses 'learningRate learner' $small --learningRate=0.1 --checkpoint=f-%.pt
    refuses 'learningRate without --learner' $small --agent=ppo --learningRate=0.1 --checkpoint=f-%.pt \
        '--learner=PpoLearner[LearningRate=0.2]'
    refuses 'learner Teacher EvolutionLearner' $small --learner=Teacher --checkpoint=f-%.pt
    refuses '/proc/c-8-1.json' $small --checkpoint=/proc/c-%.json
elif [ "$(grep -c 'built without agents' err)" -ne 1 ]; then
    complain "a training"
    cat err
fi
refuses 'checkpoint several' --train=1 --checkpoint=c.json
refuses 'checkpoint file' --train=1
refuses 'trainDecisions -1' --train=1 --trainDecisions=-1 --checkpoint=c-%.pt
refuses 'generations -1' --train=1 --generations=-1 --checkpoint=c-%.pt
refuses 'agent magic ppo' --train=1 --agent=magic --checkpoint=c-%.pt
refuses 'state Carnival Placement' --train=1 --state=Carnival --checkpoint=c-%.pt
refuses 'learningRate 2' --train=1 --learningRate=2 --checkpoint=c-%.pt
refuses 'routing Sideways' --train=1 --routing=Sideways --checkpoint=c-%.pt

refuses 'Channels 0' --channels=0
refuses 'channels many' --channels=many
refuses 'channels 8,,16' --channels=8,,16
refuses 'oversubscription 3 16' --oversubscription=3
refuses 'Tier2Oversubscription 3 256' --channels=16 --oversubscription=3:1
refuses 'Tier3Oversubscription 5' --oversubscription=2:5
refuses 'Tier3Oversubscription 0' --oversubscription=2:0
refuses 'Clusters 0' --clusters=0
refuses 'RacksPerCluster 0' --racks=0
refuses 'ServersPerRack 0' --servers=0
refuses 'racks 4294967296' --racks=4294967296
refuses 'loads nan' --loads=nan
refuses 'loads 0' --loads=0
refuses 'requests 0' --requests=0
refuses 'replications 0' --replications=0
refuses 'replications -1' --replications=-1
refuses 'last 0' --last=0
refuses 'mask Carnival Useful' --mask=Carnival
refuses 'policy magic tetris nalb' --policies=magic
refuses 'Score=Sine' '--policies=ns3::odcn::RddcTetrisPolicy[Score=Sine]'
refuses 'Sideways Routing' '--policies=tetris,ns3::odcn::RddcTetrisPolicy@Sideways'
refuses 'RddcAllocation OdcnScheduling' --policies=ns3::odcn::OdcnJcbPolicy
refuses 'request 32' --clusters=1 --racks=1 --servers=2 --channels=8 --oversubscription=1
refuses 'agent absent-8-16.pt' --policies=tetris,agent --checkpoint=absent-%.pt
refuses 'agent' --policies=agent
refuses 'linear absent-8-16.json' --policies=tetris,linear --linear=absent-%.json
refuses 'linear linear-rddc-8-1.json' --policies=linear --channels=8 --oversubscription=1
refuses 'second.csv linear' --policies=linear --linear=second.csv
refuses 'Sideways Routing' --policies=tetris@Sideways
refuses '/proc/rddc' --output=/proc/rddc

conclude
