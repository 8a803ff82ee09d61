#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# icci-hotspot-migration as a user runs it: repeatable output, and bad input, which gives one
# error line, a non-zero exit, and leaves earlier results unchanged.
#
# Usage: icci-hotspot-migration-test.sh PROGRAM

data=$(cd "$(dirname "${BASH_SOURCE[0]}")/../data" && pwd)
# shellcheck source=test/odcn-training-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-training-kit.sh"
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

# run FOLDER OPTION ...
run()
{
    local options=(--replications=2 --packets=0 --output="$1")
    shift
    [[ " $*" != *' --train=1'* ]] || options=()
    start "${options[@]}" "$@" >out 2>err
}

rules=none,proximity,random,full-node,greedy-now,greedy-eq12,greedy,greedy-dwa
run first --policies=$rules || { complain "a plain run"; cat err; }
# Eight policies, two days, 22 centres, 24 hours.
[ "$(wc -l <first/summary.csv)" -eq 9 ] || complain "summary.csv has not 8 rows"
[ "$(wc -l <first/replications.csv)" -eq 17 ] || complain "replications.csv has not 16 rows"
[ "$(wc -l <first/hotspots.csv)" -eq 8449 ] || complain "hotspots.csv has not 8448 rows"
[ "$(wc -l <first/links.csv)" -eq 14593 ] || complain "links.csv has not a row for each of 38 links and each hour"
awk -F, 'NR > 1 { if (!($7 >= 0 && $7 <= 1)) bad = 1; sum += $7 } END { exit bad || sum == 0 }' first/links.csv ||
    complain "use of links"
grep -q '^ *greedy-dwa ' out || complain "no row of greedy-dwa"
# The figures are those of the blocks.
for policy in none full-node; do
    blocks=$(grep -c "^$policy,1,.*,1\$" first/hotspots.csv)
    grep -q "^$policy,1,\([^,]*,\)\{8\}$blocks," first/replications.csv || complain "hot blocks of $policy"
done
moved=$(awk -F, '$1 == "greedy" && $2 == 1 && $12 == "" { n += $7 } END { print n + 0 }' first/migrations.csv)
grep -q "^greedy,1,\([^,]*,\)\{12\}$moved," first/replications.csv || complain "moved workers of greedy"
sha256sum first/* >before

run second --policies=$rules || complain "the same run again"
same first second
run third --RngRun=2 --policies=none || complain "another run"
# Days are runs: the second day of one is the first of the other.
grep '^none,2,' first/replications.csv >one
grep '^none,2,' third/replications.csv | cmp -s - one || complain "a day is not its run's"
run alone --policies=greedy || complain "one policy"
grep '^greedy,' first/replications.csv >together
tail -n +2 alone/replications.csv | cmp -s - together || complain "a policy alone did otherwise"
run light --preset=light --moves=4 --policies=none,greedy@6 || { complain "light"; cat err; }

# In packets: within 2 % of the formulas, repeatable, and the job level is the same with and without.
# column FOLDER POLICY NAME: a column of the policy's rows of replications.csv, days without migrations in packets left out.
column()
{
    awk -F, -v policy="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
        $1 == policy && $at["packet_sent_count"] > 0 { print $at[name] }' "$1/replications.csv"
}
run packets --packets=2 --policies=none,greedy,greedy-dwa --traces=1 || { complain "packets"; cat err; }
for policy in greedy greedy-dwa; do
    column packets $policy packet_sent_count | awk '{ n += $1 } END { exit n != 2 }' || complain "not two migrations of $policy"
    for what in before_more after_more downtime_more; do
        column packets $policy packet_$what | awk '{ bad += $1 < 0 || $1 > 2 } END { exit bad || NR == 0 }' ||
            complain "packets of $policy are not within 2 % of the formula: $what"
    done
done
[ -z "$(column packets none packet_sent)" ] || complain "packets of a policy that moves nobody"
for policy in greedy greedy-dwa; do
    grep "^$policy," first/migrations.csv >one
    grep "^$policy," packets/migrations.csv | cmp -s - one || complain "packets changed the days of $policy"
done
grep -q 'In packets: of each policy the first 2 migrations' out || complain "no word of packets"
[ -s packets/flow-monitor.xml ] && [ -s packets/migration.pcap ] || complain "no traces"
# A cut: some migrations complete, some do not; a task that stays also stays at job level.
run cut --packets=3 --cut=1 --policies=greedy --replications=1 || { complain "a cut"; cat err; }
run cut2 --packets=3 --cut=1 --policies=greedy --replications=1 || complain "a cut again"
cmp -s cut/replications.csv cut2/replications.csv || complain "the same cut ended otherwise"
# ended DONE: number of the migrations in packets that were done (1) or not (0).
ended()
{
    paste <(column cut greedy packet_completed) <(column cut greedy packet_completed_count) |
        awk -v done="$1" '{ n += $2 * (done ? $1 : 100 - $1) / 100 } END { print n + 0 }'
}
[ "$(grep -c ',aborted$' cut/migrations.csv)" -eq "$(ended 0)" ] ||
    complain "packets gave up what the job level did not, or the other way round"
[ "$(ended 1)" -gt 0 ] || complain "no migration survived a cut"

# Faults of a day: offered = accepted + blocked by cause, the same each time.
faults=(--mtbf=link=24000s,node=90000s --mttr=link=3600s,node=600s)
run faulty --policies=none,greedy "${faults[@]}" || { complain "faults"; cat err; }
run faulty2 --policies=none,greedy "${faults[@]}" || complain "the same faults again"
cmp -s faulty/tasks.csv faulty2/tasks.csv || complain "the same faults ended otherwise"
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
    { lost += $c["interrupted"]; rerouted += $c["rerouted"]
      if ($c["offered"] != $c["accepted"] + $c["blocked_cus"] + $c["blocked_wavelengths"] ||
          $c["availability"] >= 1) bad = 1 }
    END { exit bad || lost < 1 || rerouted < 10 }' faulty/replications.csv || complain "tasks under faults do not add up"
[ "$(grep -c ',interrupted,' faulty/tasks.csv)" -eq \
    "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next } { n += $c["interrupted"] } END { print n }' faulty/replications.csv)" ] ||
    complain "tasks.csv has other interrupted tasks"
run dark --packets=2 --policies=none,greedy "${faults[@]}" || { complain "faults with packets"; cat err; }
cmp -s faulty/tasks.csv dark/tasks.csv || complain "packets change a day with faults"
{ column dark greedy packet_lost; column dark none packet_lost; } | awk '{ lost += $1 } END { exit NR < 1 || lost }' ||
    complain "no migration in packets on a day with faults, or packets lost"
refuses 'server link' --mtbf=server=2s --mttr=server=1s

run all || { complain "all policies"; cat err; }
tail -n 2 all/summary.csv | cut -d, -f1 | tr '\n' ' ' | grep -q '^linear linear-dwa ' || complain "no linear policies by default"

# Two equal trainings give equal policies. Without LibTorch there is an error line.
small="--trainDecisions=1 --actors=1 --network=Mlp[units=4]"
if train once --train=1 --agent=agent $small --checkpoint=a-%.pt; then
    train twice --train=1 --agent=agent $small --checkpoint=a-%.pt || complain "a training again"
    cmp -s once/a-agent.pt twice/a-agent.pt || complain "the same training made another agent"
    train twice --train=1 --agent=agent $small --checkpoint=a-%.pt --resume=1 || complain "a finished training"
    grep -q 'a-agent.pt is done' out || complain "a finished training began anew"
    run agent --policies=none,agent --checkpoint=once/a-%.pt || { complain "an agent"; cat err; }
    # Learners, networks and states are chosen independently.
    run none --train=1 --agent=agent --state=Moves --learner=PpoLearner[EvaluationDecisions=10] --network=Scorer[inputs=own] \
        --trainDecisions=1 --checkpoint=b.pt || { complain "another learner, network and state"; cat err; }
    run agent --policies=none,agent --checkpoint=b.pt || { complain "an agent of another state"; cat err; }
    quick="--learner=EvolutionLearner[Population=4|Streams=2|EvaluationDecisions=10]"
    run none --train=1 --agent=linear-dwa $quick --generations=1 --checkpoint=%.json || { complain "evolution"; cat err; }
    run agent --policies=none,linear-dwa --linear=%.json || { complain "an evolved policy"; cat err; }
    resumes c.json --train=1 --agent=linear --eta=12 $quick --generations=20 --checkpoint=c.json
    refuses 'agent-dwa trained actions' --policies=none,agent-dwa --checkpoint=once/a-agent.pt
    refuses '/proc/c.pt' --train=1 --agent=agent $small --checkpoint=/proc/c.pt
elif [ "$(grep -c 'built without agents' err)" -ne 1 ]; then
    complain "a training"
    cat err
fi
run length --policies=greedy-dwa --routing=Length || { complain "paths by length"; cat err; }
run hops --policies=greedy-dwa || complain "paths by hops"
cmp -s length/tasks.csv hops/tasks.csv && complain "paths by length are those by hops"
# The search meets the same days, and finds no worse than its start.
run search --policies="none,greedy,known=hindsight[Evaluations=30]" --comparisons=0 || { complain "a search"; cat err; }
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
    { cost[$1 $2] = $c["hot_blocks"] + 2 * $c["moved_workers"] + 300 * $c["blocked"] }
    END { exit !(cost["known1"] < cost["greedy1"] && cost["known2"] <= cost["greedy2"]) }' search/replications.csv ||
    complain "the search is worse than greedy"
grep -q 'of differences 97.5 %, so that 2 hold at once' out || complain "no word of two comparisons with the policy none"
refuses 'Objective warmth score hot_blocks' '--policies=none,hindsight[Objective=warmth]'
refuses 'routing Widest Hops' --routing=Widest
# Tasks of a file: arrivals in minutes, workers as groups of GPUs; the rest is drawn.
awk 'BEGIN { print "minute,gpus"; for (i = 0; i < 12; ++i) print 60 * i + 30 "," 24 + 8 * (i % 3) }' >tasks.csv
"$convert" --to=icci --columns=arrival=minute/60,workers=gpus/8 tasks.csv converted.csv >/dev/null || complain "converting tasks"
run listed --policies=none --replications=1 --taskFile=converted.csv || { complain "tasks of a file"; cat err; }
[ "$(wc -l <listed/tasks.csv)" -eq 13 ] || complain "not the 12 tasks of the file"
sed '3s/,.*/,33/' converted.csv >broken.csv
refuses 'broken.csv:3 workers' --policies=none --taskFile=broken.csv
refuses 'train teacher' --train=teacher
refuses 'agent greedy deephm' --train=1 --agent=greedy --checkpoint=c.pt
refuses 'state Carnival Moves' --train=1 --agent=linear --state=Carnival --checkpoint=c.json
refuses 'checkpoint file' --train=1 --agent=agent
refuses 'trainDecisions -1' --train=1 --agent=agent --trainDecisions=-1 --checkpoint=c.pt
refuses 'generations -1' --train=1 --agent=agent --generations=-1 --checkpoint=c.pt
refuses 'eta -1' --train=1 --agent=agent --eta=-1 --checkpoint=c.pt
refuses 'learningRate 2' --train=1 --agent=agent --learningRate=2 --checkpoint=c.pt
refuses 'actors -1' --train=1 --agent=agent --actors=-1 --checkpoint=c.pt
refuses 'threads -1' --train=1 --agent=agent --threads=-1 --checkpoint=c.pt
refuses 'preset dark stated light' --preset=dark
refuses 'offer All' --offer=All
refuses 'replications 0' --replications=0
refuses 'replications -1' --replications=-1
refuses 'moves many' --moves=many
refuses 'packets -1' --packets=-1
refuses 'packetScale 0.5 0.001' --packets=1 --packetScale=0.5
refuses 'cut with --packets' --cut=1
refuses 'columns odcn-convert-trace' --columns=workers=gpus
refuses 'actors with --train' --actors=3
refuses 'BothWays true' --packets=1 --ns3::odcn::IcciManager::BothWays=false
refuses 'policy magic greedy' --policies=magic
refuses 'Outlook 25 24' --policies=greedy@25
refuses 'Moved 0 or more' '--policies=ns3::odcn::IcciGreedyPolicy[Moved=-1]'
refuses 'OdcnScheduling IcciMigration' --policies=ns3::odcn::OdcnJcbPolicy
refuses 'agent absent.pt' --policies=none,agent --checkpoint=absent.pt
refuses 'linear absent.json' --policies=none,linear --linear=absent.json
refuses 'linear trained actions' --policies=none,linear[File="$data/linear-icci-dwa.json"]
refuses 'RddcAllocation' --policies=none,linear --linear="$data/linear-rddc-8-4.json"
refuses 'absent.json' --mesh=absent.json
printf 'id,name,latitude,longitude\na,A,0,0\nb,B,0,0\n' >two.nodes.csv
printf 'src,dst,fibre_km\na,b,10\n' >two.links.csv
refuses 'mesh 2 3' --mesh=two.nodes.csv
refuses '/proc/icci' --output=/proc/icci

conclude
