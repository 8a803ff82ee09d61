#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The program as its users meet it: what it writes is repeatable, and bad input gets one clear line,
# a non-zero exit, and leaves earlier results as they were.
#
# Usage: odcn-drl-scheduling-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

small=(--tors=4 --servers=4 --load=6 --jobs=300 --warmUp=100 --replications=2 --windows=2
    --windowWarmUp=1us --windowLength=2us --policies=odcn-ccf,odcn-jcb)

# Runs the program on a small data centre. run FOLDER OPTION ...
run()
{
    local folder=$1
    shift
    "$program" "${small[@]}" --output="$folder" "$@" >"$work/out" 2>"$work/err"
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
    lines=$(grep -vc '^[^:]*, job level: \|^[^:]*, packets: ' err)
    [ "$lines" -eq 1 ] || { complain "not one line but $lines: $*"; head -5 err; }
    local word
    for word in $words; do
        grep -q -- "$word" err || { complain "no '$word' in the message of $*"; cat err; }
    done
    sha256sum first/* >after
    cmp -s before after || complain "earlier results changed: $*"
}

run first --saveJobs="$work/jobs.csv" || { complain "a plain run"; cat err; }
for file in jobs.csv windows.csv summary.csv flow-monitor.xml tor-0-uplink-0.pcap; do
    [ -s "first/$file" ] || complain "first/$file is missing or empty"
done
[ -z "$(find first -name '.*' -type f)" ] || complain "temporary files are left behind"
sha256sum first/* >before

run second || complain "the same run again"
for file in first/*; do
    cmp -s "$file" "second/${file#first/}" || complain "the same seed wrote another ${file#first/}"
done
run third --RngRun=2 || complain "another run"
for file in jobs.csv windows.csv summary.csv; do
    cmp -s first/$file third/$file && complain "another run wrote the same $file"
done
# The same packets without events: the same windows, to the last byte.
for option in '' --RngRun=3 --ns3::odcn::TorSwitch::Spreading=RoundRobin \
    --ns3::odcn::TorSwitch::Spreading=PerFlow --ns3::odcn::OcsFiber::Delay=25ns \
    '--ns3::odcn::OdcnJobFlowApplication::SizeVariable=ns3::UniformRandomVariable[Min=96|Max=496]' \
    '--ns3::odcn::OdcnJobFlowApplication::BurstVariable=ns3::UniformRandomVariable[Min=1|Max=9]'; do
    # shellcheck disable=SC2086
    run plain --policies=odcn-ccf,odcn-jcb,odcn-packing $option --pcap=0 --flowMonitor=0 ||
        { complain "packets with $option"; cat err; }
    # shellcheck disable=SC2086
    run exact --policies=odcn-ccf,odcn-jcb,odcn-packing $option --packets=exact ||
        { complain "exact packets with $option"; cat err; }
    for file in windows.csv summary.csv; do
        cmp plain/$file exact/$file || complain "exact packets wrote another $file with $option"
    done
done
grep -q 'packets=ns3' out || complain "exact packets keep silent about pcap and FlowMonitor"
run formula --packets=formula || { complain "no packets"; cat err; }
[ ! -e formula/windows.csv ] || complain "windows without packets"

run replay --jobFile="$work/jobs.csv" || { complain "replaying the saved jobs"; cat err; }
[ -s replay/summary.csv ] || complain "the replay wrote no summary"

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
refuses 'policy magic odcn-jcb' --policies=magic
refuses 'Pattern zigzag' --pattern=zigzag
refuses 'load -1' --load=-1
refuses 'load 0' --load=0
refuses 'tors 0' --tors=0
refuses 'jobs 0' --jobs=0
refuses 'windowLength soon' --windowLength=soon
refuses 'placement Upside' --placement=Upside
refuses '/proc/odcn' --output=/proc/odcn
: >plain-file
refuses 'plain-file' --output=plain-file
refuses '/dev/full' --saveJobs=/dev/full

refuses 'load nan' --load=nan
refuses 'jobs many' --jobs=many
refuses 'windows -1' --windows=-1
refuses 'tors 4294967312' --tors=4294967312
refuses 'packets perhaps ns3 exact formula' --packets=perhaps
refuses 'packets 0 formula' --packets=0
refuses 'packets true exact' --packets=true
refuses 'PacketSize 296 Mtu' --packets=exact --ns3::odcn::OcsNetDevice::Mtu=100

# The agent: trained for a moment, then damaged in every way.
"$program" "${small[@]}" --train=1 --trainJobs=2000 --environments=4 --network=mlp \
    --checkpoint=agent.odcn >out 2>err || { complain "training"; cat err; }
other='ns3::odcn::OdcnAgentPolicy[Checkpoint=agent.odcn]'
run agent "--policies=odcn-jcb,drl,$other" --checkpoint=agent.odcn ||
    { complain "the agent"; cat err; }
[ "$(grep '^drl,' agent/summary.csv)" = "$(grep '^ns3' agent/summary.csv | sed 's/^[^,]*/drl/')" ] ||
    complain "the agent by its TypeId differs"
head -c 1000 agent.odcn >cut.odcn
head -c 5000 /dev/urandom >noise.odcn
refuses 'absent.odcn' --policies=drl --checkpoint=absent.odcn
refuses 'cut.odcn' --policies=drl --checkpoint=cut.odcn
refuses 'noise.odcn' --policies=drl --checkpoint=noise.odcn
refuses 'agent.odcn' --policies=drl --checkpoint=agent.odcn --tors=6
refuses 'absent' --train=1 --checkpoint=absent/agent.odcn
refuses 'recipe magic mended' --train=1 --recipe=magic --checkpoint=b.odcn
refuses 'learner OdcnPolicy' --train=1 --learner=ns3::odcn::OdcnPolicy --checkpoint=b.odcn
refuses 'learner evolution' --train=1 --recipe=evolution --learner=ns3::odcn::OdcnPpoLearner \
    --checkpoint=b.odcn

# Any learner may take the recipe's place.
"$program" "${small[@]}" --train=1 --recipe=mended --learner='ns3::odcn::OdcnPpoLearner[UseMask=true]' \
    --trainJobs=2000 --environments=4 --network=mlp --checkpoint=b.odcn >out 2>err ||
    { complain "training by PPO"; cat err; }
grep -q OdcnPpoLearner <(head -c 2000 b.odcn) || complain "the learner in the checkpoint"

conclude
