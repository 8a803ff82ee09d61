#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Mistakes of newcomers: words, units and files that are wrong, options without dashes or value, a full
# disk, signals, a closed terminal, two terminals, folders of other programs. Each is refused in one line
# on standard error, which says what was expected, or gives the right result; none is silent.
#
# Usage: mistakes-test.sh FOLDER [EVERY]     FOLDER: of the programs
# Of the mistakes in each option of each program only every EVERY-th (1) is made; the others always.

bin=$(cd "$1" && pwd) || exit 1
every=${2:-1}
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
STOP_AFTER=60
options=()
cases=0

# use PROGRAM: from now on
use()
{
    if [ -n "$server" ]; then
        exec {requests}>&- {answers}<&-
        wait "$server" 2>/dev/null
        rm "$work/requests" "$work/answers"
        server=
    fi
    program=$bin/$1
}

# mistakes PROGRAM <<END: as refusals; counts the lines
mistakes()
{
    use "$1"
    [ -x "$program" ] || { leave_out "$1"; cat >/dev/null; return; }
    local table
    table=$(cat)
    cases=$((cases + $(wc -l <<<"$table")))
    refusals <<<"$table"
}

# right PATTERN COMMAND ...: it succeeds, and says the pattern
right()
{
    local pattern=$1
    shift
    cases=$((cases + 1))
    "$@" >out 2>err || { complain "$*"; head -3 err; }
    cat out err | grep -q -- "$pattern" || { complain "no '$pattern' of $*"; head -3 out err; }
}

# one_line PATTERN COMMAND ...: it fails, and says one line on standard error with the pattern
one_line()
{
    local pattern=$1 status
    shift
    cases=$((cases + 1))
    "$@" >out 2>err </dev/null
    status=$?
    [ $status -ne 0 ] || complain "accepted: $*"
    [ "$(wc -l <err)" -eq 1 ] && grep -q -- "$pattern" err || { complain "no line '$pattern' of $*"; head -3 err; }
}

# In each option of each program: its name misspelt, a value of another kind, no value.
made=0
mistake()
{
    made=$((made + 1))
    [ $((made % every)) -eq 0 ] || return
    cases=$((cases + 1))
    refuses "$@"
}
for source in "$(dirname "$convert")"/*/*.cc; do
    name=$(basename "$source" .cc)
    [ -x "$bin/$name" ] || continue
    use "$name"
    "$program" --help >help 2>/dev/null || { complain "--help of $name"; continue; }
    awk 'length > 100' help | grep . && complain "--help of $name has lines of more than 100 columns"
    grep "$(dirname "$(dirname "$convert")")/" help && complain "--help of $name names a folder of this machine"
    # NAME and default, of which help may break the line.
    sed '/^In all programs:/,$d' help | awk '/^    --/ { if (o) print o; o = $0; next } /^      / { o = o $0 } END { print o }' |
        sed -nE 's/^ *--([A-Za-z0-9]+):.*( \[([^] ]*)\])$/\1 \3/p; t; s/^ *--([A-Za-z0-9]+):.*/\1/p' >options
    while read -r option default; do
        # The first letters that differ, exchanged.
        typo=$(sed -E 's/^(.)(.)(.)/\1\3\2/' <<<"$option")
        grep -qw -- "$typo" options || [ ${#option} -lt 4 ] || mistake "option --$typo mean.--" "--$typo=1"
        case $default in
            true | false) mistake 'true or false'" --$option" "--$option=yes" ;;
            # Some are refused in any unit, as without the option that they belong to.
            [0-9]*[a-z]) mistake "--$option such.as\\|only.with" "--$option=10" ;;
            [0-9]*) mistake "--$option expected" "--$option=ten" ;;
        esac
        [[ $default = true || $default = false ]] || grep -q "or, as --$option" help ||
            mistake "--$option=VALUE" "--$option"
    done <options
done

# Words, units, Attributes.
mistakes rotor-first <<'END'
form.--NAME=VALUE | load=0.3
form | 0.3
--load=VALUE | --load 0.3
--load.*a.number | --load=0,3
--load.*0.001.to.1 | --load=40%
--load.*found.'-0.4' | --load=-0.4
--load.*found.'1e99' | --load=1e99
--duration | --duration=20ms
did.you.mean.--load | --laod=0.3
did.you.mean.--routing | --Routing=ValiantRouting
did.you.mean.ValiantRouting | --routing=ValiantRoutin
did.you.mean.RotorSchedule | --schedule=RotorShedule
Slot=100.*such.as.10us | --schedule=RotorSchedule[Slot=100]
Slot=100.us | '--schedule=RotorSchedule[Slot=100 us]'
each.Attribute.once | '--schedule=RotorSchedule[Slot=100us|Slot=1s]'
did.you.mean.Slot | '--schedule=RotorSchedule[Slots=100us]'
TypeId | '--schedule=RotorSchedule[Slot=100us'
pattern | --demand=uniforn
such.as.10us | --ns3::odcn::RotorSchedule::Slot=100
such.as.10us | --ns3::odcn::OcsFiber::Delay=5
Drop,.Detour.or.Hold | --ns3::odcn::TorSwitch::NoCircuit=drop
Udp.or.Tcp | --ns3::odcn::FlowApplication::Transport=UDP
rate.such.as.10Gbps | --ns3::odcn::OcsNetDevice::DataRate=10
rate.such.as.10Gbps | --ns3::odcn::OcsNetDevice::DataRate=fast
program.sets.this | --ns3::odcn::TorSwitch::Routing=Foo
program.sets.this.*Hold | --ns3::odcn::TorSwitch::NoCircuit=Drop
program.sets.this | --ns3::odcn::FlowWorkload::Load=0.7
program.sets.this | --ns3::odcn::OcsNetDevice::DataRate=1Gbps
there.is.no.type | --ns3::odcn::TorSwich::Routing=Foo
PrintAttributes | --ns3::odcn::TorSwitch::Routign=Foo
PrintTypeIds | --PrintAttributes=TorSwich
whole.number | --RngRun=first
1.to | --RngSeed=0
cannot.be.loaded | --library=none.so
END
mistakes optical-fabrics <<'END'
did.you.mean.tcp | --transport=TCP
websearch,.datamining.*did.you.mean.websearch | --sizes=websaerch
mycdf.csv.*cannot.be.read | --sizes=mycdf.csv
dark.*less.than.--slot | --slot=10 --dark=10
only.without.--flows | --flows=none.txt --load=0.1
only.with | --transport=tcp --order=Fifo
only.with | --steady=8
PART=TIME | --mtbf=uplink
time.such.as | --mtbf=uplink=95 --mttr=uplink=5
a.time.for | --mtbf=uplink=95ms
uplink | --mtbf=upling=95ms --mttr=upling=5ms
kind.of.part | --designs=clos-3:1 --mtbf=ocs=1ms --mttr=ocs=1ms
kind.of.part | --designs=opera --mtbf=controller=1ms --mttr=controller=1ms
opera | --designs=Opera
--designs | --designs=
each.once | --designs=opera,opera
--own.*SCHEDULE;ROUTING | --designs=none --own=RotorSchedule
--own.*hold,.more,.hybrid.or.named | --designs=none '--own=RotorSchedule;DirectRouting;holds'
--own.*Slot=50 | '--designs=none' '--own=RotorSchedule[Slot=50];DirectRouting'
cannot.be.read | --flows=none.txt
END
printf '# source destination bytes ns\n' >empty-flows.txt
printf '0 1 100 0\n0 1 100 -1\n' >negative-flows.txt
printf 'source,destination\n' >comma-flows.txt
printf '\0\1\2' >binary-flows.txt
mkdir folder
mkfifo pipe
mistakes optical-fabrics <<'END'
empty-flows.txt.*at.least.one.flow | --flows=empty-flows.txt
negative-flows.txt:2.*start_ns | --flows=negative-flows.txt
comma-flows.txt:1.*4.columns | --flows=comma-flows.txt
binary-flows.txt:1 | --flows=binary-flows.txt
it.is.a.folder | --flows=folder
it.is.a.pipe | --flows=pipe
proc/self/mem.*Input/output.error | --flows=/proc/self/mem
END
mistakes fabric-jobs <<'END'
NoSuchRouting | --granted=NoSuchRouting
only.with.a.design | --granted=ValiantRouting --designs=opera
full-mesh | --pattern=rings
END
mistakes collectives <<'END'
whole.number,.1.to.1099511627776 | --bytes=-5
all-reduce | --collectives=all-reduce:rings
packets,.flows.or.exact | --engine=flow
trace.*% | --trace=x.json
END
mistakes own-rule <<'END'
did.you.mean.odcn-jcb | --policies=odcn-jbc
one.of.the.policies.compared | --reference=5x5
file.of.an.agent | --policies=none.pt
10000.forms | '--policies=x{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'
a.}.for.each | '--policies=odcn-jcb[A={1,2]'
numbers.above.0 | --loads=0
a.number | '--loads=54;66'
folder.that.can.be.written | --output=/proc/results
folder.that.can.be.written | --output=empty-flows.txt
END
mistakes queue-rule <<'END'
one.of.the.policies.compared | --reference=5x5
END
printf 'job,arrival,duration,vms,vms,cores,memory,disk\n0,0,1,1,1,1,1,1\n' >twice.csv
mistakes odcn-drl-scheduling <<'END'
each.column.once | --jobFile=twice.csv
only.without.--jobFile | --jobFile=twice.csv --loads=66
--offeredLoad.*only.with.--jobFile | --offeredLoad=3
cannot.be.read | --jobFile=none.csv
BestFit | --placement=Worst
END
mesh='"nodes": [{"id": 1, "pos": [500, 100]}, {"id": 2, "pos": [100, 500]}]'
link='{"source": 1, "target": 2, "dist": 0}'
echo "{$mesh, \"links\": [$link], \"edges\": [$link]}" | sed 's/00/0/g' >both.json
echo "{\"directed\": true, $mesh, \"links\": [$link]}" >directed.json
echo "{$mesh, \"links\": [$link]}" >plane.json
mistakes show-topology <<'END'
one.of.them | --network=mesh --mesh=both.json
undirected | --network=mesh --mesh=directed.json
Places=Plane | --network=mesh --mesh=plane.json
10.-6.to | --network=mesh '--mesh=plane.json[Places=Plane]'
name.of.a.file | --network=mesh --mesh=plane.xml
END
mistakes otn-first <<'END'
--ns3::TcpSocket::SegmentSize.*program.sets.this | --ns3::TcpSocket::SegmentSize=500
END

use collectives
right 'slots of 829.8125 us' "$program" --racks=4 --servers=2 --uplinks=2 --bytes=10000 --replications=1 \
    --designs=rotornet-direct --collectives=all-reduce:ring --slot=829.8125 --output=digits

# The environment.
use rotor-first
short=(--duration=0.1)
one_line "NS_GLOBAL_VALUE: RngRun: found 'x'" env NS_GLOBAL_VALUE=RngRun=x "$program"
one_line 'NS_ATTRIBUTE_DEFAULT' env NS_ATTRIBUTE_DEFAULT=ns3::odcn::OcsFiber::Delay=1 "$program"
one_line 'program sets this' env NS_ATTRIBUTE_DEFAULT=ns3::odcn::TorSwitch::Routing=Foo "$program"
one_line "ODCN_DATA: found 'nowhere'" env ODCN_DATA=nowhere "$program"
mkdir data
echo 'ideal electrical;idael a design' >data/fabric-designs.txt
one_line 'data/fabric-designs.txt:1: design ideal: electrical network: found .idael.*did you mean ideal' env ODCN_DATA=data "$bin/optical-fabrics" --designs=all --sizes=20000
echo 'rotor RotorSchedule[Slot=1];DirectRouting a design' >data/fabric-designs.txt
one_line "data/fabric-designs.txt:1: design rotor: .*Slot=1'" env ODCN_DATA=data "$bin/optical-fabrics" --designs=all --sizes=20000
right 'Carried' env LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 TZ=nowhere HOME=/nowhere TMPDIR=/nowhere "$program" "${short[@]}"
right 'TorSwitch::Routing' "$program" --PrintAttributes=TorSwitch
right 'Completion' "$program" "${short[@]}" --ns3::odcn::TorSwitch::NoCircuit=Hold # what the program sets, too

# A closed terminal, a full disk, no room for files.
one_line 'standard output: cannot be written: No space' bash -c "'$program' ${short[*]} >/dev/full"
one_line 'standard output: cannot be written' bash -c "'$program' ${short[*]} >&-"
use own-rule
short=(--jobs=20 --warmUp=20 --replications=2 --loads=54 --policies=random --processes=2)
# Standard error, here a file, has no limit.
one_line 'cannot be written: File too large' bash -c "set -o pipefail
    (ulimit -f 0; exec '$program' ${short[*]} --output=small 2>&1 >/dev/null) | grep -v '^experiment:' >&2"
[ ! -e small/.lock ] || complain "a lock is left on a full disk"
# The reader goes before the end: the files are written nevertheless, and then SIGPIPE ends the run, as any.
cases=$((cases + 1))
{ "$program" "${short[@]}" --output=closed 2>err; echo $? >status; } | true
[ "$(cat status)" -eq 141 ] || complain "a closed pipe: $(cat status)"
[ -e closed/summary.csv ] && [ -e closed/report.html ] && [ ! -e closed/.lock ] || complain "a closed terminal took the results"
# The end of processes is not told to a parent that ignores it.
right 'blocking' timeout 60 bash -c "trap '' CHLD; exec '$program' ${short[*]}"
if unshare -m true 2>/dev/null; then
    right 'blocking' unshare -m bash -c "mount -t tmpfs -o ro none /tmp 2>/dev/null; cd /; exec '$program' ${short[*]}"
    right 'blocking' unshare -m bash -c "mount -t tmpfs -o size=4k none /tmp; head -c 9999 /dev/zero >/tmp/full 2>/dev/null
        cd /; exec '$program' ${short[*]}"
else
    leave_out "a /tmp that cannot be written: no right to mount"
fi

# Signals: one line, no lock and no half file. Under nohup this script ignores SIGHUP, and so would the run.
long=(--jobs=2000000 --warmUp=20 --replications=1 --loads=54 --policies=random)
for signal in HUP INT TERM USR1 USR2 ALRM XCPU; do
    cases=$((cases + 1))
    rm -rf stopped
    mkdir stopped
    (env --default-signal=$signal "$program" "${long[@]}" --output=stopped >out 2>err & echo $! >pid; wait $!; echo $? >status) &
    until [ -e stopped/.lock ]; do sleep 0.05; done
    kill -s $signal "$(cat pid)"
    wait $!
    [ "$(cat status)" -eq $((128 + $(kill -l $signal))) ] && grep -q "interrupted by SIG$signal" err ||
        { complain "$signal: $(cat status)"; cat err; }
    [ -z "$(ls -A stopped)" ] || complain "$signal left $(ls -A stopped)"
done
# One process of two is killed, as where memory is short: its task begins again.
cases=$((cases + 1))
"$program" --jobs=5000 --warmUp=20 --replications=4 --loads=54 --policies=random --processes=2 >out 2>err &
first=$!
until child=$(pgrep -P $first); do sleep 0.01; done
kill -KILL "$child"
wait $first || { complain "one process was killed"; cat err; }
"$program" --jobs=5000 --warmUp=20 --replications=4 --loads=54 --policies=random --processes=1 >whole 2>/dev/null
cmp out whole || complain "other results after one process was killed"

# Two terminals, and two programs, with one folder.
cases=$((cases + 1))
rm -rf stopped
"$program" "${long[@]}" --output=stopped >/dev/null 2>&1 &
until [ -e stopped/.lock ]; do sleep 0.05; done
one_line 'another process is writing it' "$program" "${short[@]}" --output=stopped
kill $!
wait $!
right 'Files in results' "$program" "${short[@]}" --output=results
sha256sum results/* >before-other
one_line "another folder: this one holds .* of own-rule" "$bin/collectives" --racks=4 --servers=2 --uplinks=2 --designs=rotornet --output=results
sha256sum results/* | cmp -s - before-other || complain "results of another program are gone"
rm -r results/*
mkdir -p results
right 'Files in results' "$program" "${short[@]}" --output=results
rm -r results
mkdir results
mkfifo results/.odcn-manifest
one_line 'it is a pipe' timeout 60 "$program" "${short[@]}" --output=results

# Meshes as others write them.
use show-topology
right 'topology.svg' "$program" --network=mesh '--mesh=plane.json[Places=Plane|Zero=1]' --output=drawn

echo "$cases mistakes"
[ "$every" -gt 1 ] || [ "$cases" -ge 500 ] || complain "fewer than 500"
conclude
