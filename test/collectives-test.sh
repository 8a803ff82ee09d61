#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# collectives as a user runs it: no time is below its bound, the flow level agrees with packets on
# idle networks, files of steps are read, results are written, and bad input gives one error line.
#
# Usage: collectives-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

small=(--racks=4 --servers=2 --uplinks=2 --bytes=40000 --replications=2)

compare() { "$program" "${small[@]}" "$@" >out 2>err || { complain "$*"; cat err; }; }

compare --output=all --designs=ideal,clos-3:1,expander,rotornet-direct,rotornet,sirius,helios,hybrid
for file in summary.csv report.html; do
    [ -s "all/$file" ] || complain "all/$file is missing or empty"
done
for kind in circuits timeline; do
    grep -q "\"kind\":\"$kind\"" all/report.html || complain "no $kind in the report"
done
[ "$(wc -l <all/summary.csv)" -eq $((1 + 8 * 5 * 2)) ] || complain "rows of summary.csv"
# A circuit that is up at the start may carry a short run faster than the mean of a period.
awk -F, 'NR > 1 && ($1 ~ /ideal|clos|expander/ && $5 < $6 * 0.999999 || $5 > 1000 || $8 > 0) { print; bad = 1 }
    END { exit bad }' all/summary.csv ||
    complain "a time below its bound, without an end, or with losses"

# Fluid and packets on an idle switch; acknowledgements take 0.5 % of such short messages.
compare --output=flows --designs=ideal,expander --engine=flows --collectives=all-reduce:ring,all-gather:ring
compare --output=packets --designs=ideal,expander --collectives=all-reduce:ring,all-gather:ring
# The folders of both in one table, with the options of their commands.
if command -v python3 >/dev/null; then
    python3 "$(dirname "${BASH_SOURCE[0]}")/../examples/collect.py" table.csv flows packets >/dev/null || complain "collect.py"
    grep -q 'designs,--engine,.*,engine,' <(head -n 1 table.csv) || complain "collect.py: $(head -n 1 table.csv)"
    [ "$(wc -l <table.csv)" -eq $((1 + 2 * 2 * 2 * 2)) ] || complain "collect.py: rows"
fi
paste -d, flows/summary.csv packets/summary.csv | awk -F, '
    NR > 1 && $1 == "ideal" && ($5 / $13 > 1 || $5 / $13 < 0.99) { print; bad = 1 }
    NR > 1 && ($4 != "flows" || $12 != "packets") { print; bad = 1 } END { exit bad }' ||
    complain "the flow level differs from packets"

# Two hops: those by random racks are known to the flow level, others run in packets.
compare --output=flows --designs=sirius,hybrid --engine=flows --collectives=all-gather:ring
compare --output=packets --designs=sirius,hybrid --collectives=all-gather:ring
paste -d, flows/summary.csv packets/summary.csv | awk -F, '
    NR > 1 && $4 != ($1 == "sirius" ? "flows" : "packets") { print; bad = 1 }
    $1 == "sirius" && ($5 / $13 > 1.1 || $5 / $13 < 0.9) { print; bad = 1 } END { exit bad }' ||
    complain "two hops on the flow level"

# A chain of two steps from a file takes twice the time of one.
printf 'ranks 3\n0 1 14400\n1 2 14400 0\n' >two.txt
printf 'ranks 3\n0 1 14400\n' >one.txt
compare --output=file --designs=ideal --engine=flows --collectives=one.txt,two.txt --replications=1
awk -F, 'NR == 2 { one = $5 } NR == 3 { exit !($5 / one > 1.999 && $5 / one < 2.001) }' file/summary.csv ||
    complain "a chain from a file"

compare --output=again --designs=rotornet --collectives=all-to-all:direct --places=random
compare --output=same --designs=rotornet --collectives=all-to-all:direct --places=random
cmp -s again/summary.csv same/summary.csv || complain "the same seed gave other results"

# A run that does not end says so, after the results of the others.
"$program" "${small[@]}" --output=short --designs=rotornet --collectives=all-to-all:direct --limit=0.00001 >out 2>err &&
    complain "a run without an end succeeded"
grep -q 'not in time' out || complain "a limit"
grep -q '^error: 2 runs did not end within 0.00001 s (--limit); rotornet, all-to-all:direct: 56 of 56 messages were not received; of the plane, 56 of 56 messages' err ||
    { complain "why a run did not end"; cat err; }
[ -s short/summary.csv ] || complain "no results of runs without an end"

# Engines are named before the runs, and in each row; 56 messages of 5,000 bytes have four packets each.
compare --output=engines --designs=sirius,hybrid,ideal --engine=flows --collectives=all-to-all:direct
grep -qx 'Flow level  sirius, ideal' out && grep -qx 'Packets     hybrid (some uplinks are electrical); 448 packets of each' out &&
    [ "$(grep -Ec '^(sirius|ideal) +flow level ' out)" = 4 ] && [ "$(grep -c '^hybrid  *packets ' out)" = 2 ] ||
    { complain "engines"; cat out; }

# The exact engine has the packets of ns-3 that are not repaired, to the last digit; a design that it
# does not know runs in packets.
times="RotorSchedule[Slot=20us|ReconfigurationTime=2us]"
exact=(--designs=expander,rotornet-direct,sirius,max-weight,clos-3:1,rotornet,hybrid --short=6000
    "--own=held=$times;DirectRouting;hold,idle=$times;ValiantRouting"
    --collectives=all-reduce:ring,all-gather:direct,broadcast:pipeline:4)
compare --output=exact "${exact[@]}" --engine=exact
grep -qx 'Exact       expander, rotornet-direct, sirius, max-weight, clos-3:1, rotornet, held, idle; [0-9]* packets of each' out &&
    grep -qx 'Packets     hybrid (some uplinks are electrical); [0-9]* packets of each' out &&
    [ "$(grep -Ec '^(idle|sirius) +exact ' out)" = 4 ] || { complain "the exact engine"; cat out; }
compare --output=none "${exact[@]}" --ns3::odcn::FlowApplication::Repair=None
paste -d, exact/summary.csv none/summary.csv | awk -F, '
    NR > 1 && $4 != ($1 == "hybrid" ? "packets" : "exact") { print; bad = 1 }
    $4 == "exact" && (++n && $5 != $13 || $7 != $15 || $8 != $16 || $12 != "packets") { print; bad = 1 }
    END { exit bad || n != 48 }' || complain "the exact engine differs from packets"
# Nor does it with answers and credits: times, packets of messages, and those sent again.
loops=(--designs=expander,sirius,clos-3:1 --short=6000 --collectives=all-reduce:ring
    --ns3::odcn::FlowApplication::Repair=Nack --ns3::odcn::FlowApplication::Window=40)
compare --output=exact-loops "${loops[@]}" --engine=exact
compare --output=loops "${loops[@]}"
paste -d, exact-loops/summary.csv loops/summary.csv | awk -F, '
    NR > 1 && ($4 != "exact" || $12 != "packets" || $5 != $13 || $7 != $15 || $7 == 0 || $8 != $16) { print; bad = 1 }
    END { exit bad || NR != 7 }' || complain "the exact engine differs from packets with credits"
"$program" "${small[@]}" --output=short --designs=sirius --engine=exact --collectives=all-to-all:direct --limit=0.00001 >out 2>err &&
    complain "an exact run without an end succeeded"
grep -q '^error: 2 runs did not end within 0.00001 s (--limit); sirius, all-to-all:direct: 56 of 56 messages were not received; the first has 5000 bytes from .* (being sent: .*); packets: .* held or in flight' err ||
    { complain "why an exact run did not end"; cat err; }

# Fewer bytes than blocks: half of the blocks are empty.
compare --output=few --designs=ideal --bytes=4 --collectives=all-reduce:ring,all-to-all:direct
grep -q 'inf\|nan' few/summary.csv && complain "few bytes"

# The uplinks of clos-3:1 have a third of the rate of the servers, whatever their number.
for servers in 1 2 4 5 7 8; do
    "$program" --racks=4 --servers=$servers --uplinks=2 --bytes=4000000 --replications=1 --designs=clos-3:1 \
        --engine=flows --collectives=all-to-all:direct --output=clos >out 2>err || { complain "clos-3:1"; cat err; }
    # Of the bytes of a rack 3/4 leave it; 10 Gb/s, and 1500 bytes for 1440 of data.
    awk -F, -v servers=$servers 'NR == 2 { wanted = 4e6 * 3 / 4 * 8 / 1e7 * 1500 / 1440 * 3
        exit !($6 / wanted > 0.9999 && $6 / wanted < 1.0001 && $5 / $6 > 1 && (servers > 5 || $5 / $6 < 1.01)) }' \
        clos/summary.csv || { complain "clos-3:1 with $servers servers"; cat clos/summary.csv; }
done

# A timeline has all steps, messages and bytes of the first run, joined or not, and the circuits.
cat >timeline.py <<'END'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
groups = {e["pid"]: e["args"]["name"].rstrip("0123456789 ") for e in events if e["name"] == "process_name"}
counts = {}
for e in events:
    if e["ph"] in "Xi":
        seen = counts.setdefault(groups[e["pid"]], [0, 0])
        seen[0] += int(e["name"].split()[0]) if e["name"].endswith(" events") else 1
        seen[1] += e.get("args", {}).get("bytes", 0)
circuits = counts.get("Optical switch", [0])[0]
print(*counts["all-reduce:ring"], *counts["Messages"], circuits > 10, "Timeline" in counts)
END
trace() { compare --output=traced --collectives=all-reduce:ring --replications=1 "$@"; }
check_trace() {
    said=$(python3 timeline.py "$1")
    [ "$said" = "113 1120000 112 560000 $2" ] || complain "timeline $1: $said"
}
trace --designs=rotornet,ideal --trace=%.json
check_trace rotornet-all-reduce-ring.json "True False"
check_trace ideal-all-reduce-ring.json "False False"
grep -q '^Timeline    ideal-all-reduce-ring.json: 225 events$' out || complain "the line of a timeline"
trace --designs=rotornet --trace=joined.json --traceEvents=150
check_trace joined.json "True True"
grep -q '^Timeline    joined.json: .*joined with others.*--traceEvents' out || complain "the line of joined events"

# One routing, however it is written: one number and one engine.
for routing in DirectRouting ns3::odcn::DirectRouting; do
    compare --output=same --engine=flows --designs=none "--own=RotorSchedule[Slot=50us];$routing;2" --replications=1 ||
        complain "$routing on the flow level"
    tail -n +2 same/summary.csv >"same-${routing//:/-}"
done
[ -s same-DirectRouting ] && cmp -s same-DirectRouting same-ns3--odcn--DirectRouting || complain "two spellings of a routing"
[ "$(cut -d , -f 4 same-DirectRouting | sort -u)" = flows ] || complain "another engine than flows"
compare --output=mixed --engine=flows --designs=ideal,rotornet,hybrid --replications=1 || complain "three designs"
grep -q '^Packets     rotornet (racks agree on what they relay), hybrid (some uplinks are electrical); ' out ||
    complain "no reason for packets"
[ "$(tail -n +2 mixed/summary.csv | cut -d , -f 1,4 | sort -u | tr '\n' ' ')" = "hybrid,packets ideal,flows rotornet,packets " ] ||
    complain "engines of three designs"

# Designs of one's own, with a name and without.
compare --output=owns --designs=none --collectives=all-reduce:ring --replications=1 \
    '--own=fast=RotorSchedule[Slot=50us];DirectRouting,RotorSchedule;ClassRouting[By=Port|Values=80,90]' || complain "two designs"
[ "$(tail -n +2 owns/summary.csv | cut -d , -f 1 | tr '\n' ' ')" = "fast own " ] || complain "names of two designs"

refusals <<'END'
no.other.design              | '--own=ideal=RotorSchedule;DirectRouting' --designs=ideal
the.flow.level.can.run.none  | --engine=flows --designs=rotornet,opera
one.of.*all-reduce:ring      | --collectives=all-reduce:chess
no/such.txt                  | --collectives=no/such.txt
one.of.*all-to-all:direct    | --collectives=:
all,.none,.or.some.of        | --designs=chess
a.design                     | --designs=none
packets.*flows.*exact         | --engine=fluid
order.*random                | --places=chess
fifo.*fair                   | --queues=lifo
since.there.are.several      | --trace=trace.json
no/such.json                 | --trace=no/such.json --designs=ideal --collectives=all-reduce:ring
design.A:.*within.1.hops     | '--own=A=ExpanderSchedule;ExpanderRouting[MaxHops=1]' --designs=none --engine=flows --racks=8
has.no.events                | --trace=no.json --designs=sirius --engine=exact --collectives=all-reduce:ring
Transport.is.Tcp             | --designs=sirius --engine=exact --ns3::odcn::FlowApplication::Transport=Tcp
exact.engine.can.run.none    | --designs=hybrid --engine=exact
no.circuit.leads             | '--own=ExpanderSchedule;ValiantRouting[Spread=Random]' --designs=none --engine=flows --racks=8
at.most.one.rank             | --collectives=two.txt --racks=2 --servers=1 --uplinks=1 --designs=ideal
END

conclude
