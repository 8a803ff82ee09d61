#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# optical-fabrics as a user runs it: every design carries a small workload completely and loses
# nothing, short flows do not wait in Opera, the same seed gives the same files, the exact engine
# gives the files of ns-3, TCP completes all flows, as do repair and credits, which send nothing again
# without loss, the measured saturation of a RotorNet is the
# exact one, a design of one's own and a file of flows are taken, and bad input gives one error line
# and leaves results alone.
#
# Usage: optical-fabrics-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

options=(--racks=8 --servers=4 --uplinks=4 --slot=20 --dark=2 --sizes=20000 --load=0.05 --duration=1 --drain=20
    --replications=2)

run first --designs=all --engine=packets --own='RotorSchedule[Slot=50us];ValiantRouting' ||
    { complain "a plain run"; cat err; }
sha256sum first/* >before
# Columns: design, run, from_bytes, to_bytes, flows, incomplete, p50_us, ..., packets, dropped.
awk -F, 'NR > 1 && $3 == 0 && $4 > 1e15 { n[$1]++; if ($5 < 20 || $6 > 0 || $18 > 0) print $0 }
    END { for (d in n) { designs++; runs += n[d] } if (designs != 17 || runs != 34) print designs, runs }' \
    first/summary.csv >odd
[ -s odd ] && { complain "flows incomplete, packets lost, or not 17 designs with 2 runs"; cat odd; }
[ "$(ls first/*-flows.csv | wc -l)" -eq 17 ] || complain "not 17 files of flows"
p50() { awk -F, -v d="$1" '$1 == d && $2 == 0 && $3 == 0 && $4 > 1e15 { print int($7) }' first/summary.csv; }
# 20 kB take 17 us at 10 Gb/s; a circuit of a rotor comes every 40 us.
[ "$(p50 ideal)" -le "$(p50 opera)" ] || complain "Opera is faster than an ideal switch"
[ "$(p50 opera)" -lt "$(p50 rotornet-direct)" ] || complain "short flows wait in Opera"

run second --designs=all --engine=packets --own='RotorSchedule[Slot=50us];ValiantRouting'
same first second

# The last column names the engine of a row.
run exact --designs=all --engine=exact --own='RotorSchedule[Slot=50us];ValiantRouting' ||
    { complain "the exact engine"; cat err; }
awk -F, 'NR > 1 && $NF == "exact" { d[$1] } END { for (i in d) n++; if (n != 15 + ("agent" in d)) print n }' \
    exact/summary.csv >odd
[ -s odd ] && { complain "not 15 designs in the exact engine, and the agent"; cat odd; }
grep -q '^--engine=exact does not know hybrid (some uplinks are electrical), which ran in packets.$' out ||
    { complain "no word of the designs that ran in ns-3"; head -3 out; }
for file in first/*.csv; do
    cmp -s <(sed 's/,packets$//' "$file") <(sed 's/,\(packets\|exact\)$//' "exact/${file#first/}") ||
        complain "the exact engine gave another $file"
done

# The flow level: at a low load, times of single flows are those of packets to a few percent.
run light --engine=packets --load=0.02 --designs=ideal,rotornet,expander || { complain "a low load"; cat err; }
run fluid --load=0.02 --designs=ideal,rotornet,expander --engine=flows || { complain "the flow level"; cat err; }
grep -q '^--engine=flows does not know rotornet (.*), which ran in packets.$' out &&
    [ "$(grep -c '^[a-z-]*  *flow level ' out)" = 2 ] || { complain "engines of the flow level"; cat out; }
paste -d, light/summary.csv fluid/summary.csv | awk -F, '
    NR > 1 && $4 > 1e15 && $1 != "rotornet" { n++; half = NF / 2
        if ($NF != "flows" || $6 != $(6 + half) || $7 / $(7 + half) > 1.1 || $7 / $(7 + half) < 0.95) { print; bad = 1 } }
    END { exit bad || n < 2 }' || complain "the flow level differs from packets"

# Disjoint paths, sprayed packets, and another order of the flows of a host, in both engines.
spray='spray=electrical;fat-tree[Spreading=RoundRobin]'
disjoint=(--designs=rotornet-direct,fat-tree
    --own='OperaSchedule[Slot={slot*uplinks}us];ClassRouting[Short=ExpanderRouting[Paths=3]],'"$spray"
    --load=0.4)
for order in RoundRobin ShortestRemaining; do
    run "events-$order" --engine=packets "${disjoint[@]}" --order=$order || { complain "order $order"; cat err; }
    run "exact-$order" "${disjoint[@]}" --order=$order --engine=exact || { complain "exact, order $order"; cat err; }
    grep -q '^--engine=exact does not know' out && complain "disjoint paths ran in ns-3"
    for file in own-flows.csv rotornet-direct-flows.csv spray-flows.csv; do
        cmp -s "events-$order/$file" "exact-$order/$file" || complain "the exact engine gave another $file, $order"
    done
done
cmp -s exact-RoundRobin/own-flows.csv exact-ShortestRemaining/own-flows.csv && complain "--order changed nothing"
cmp -s exact-RoundRobin/spray-flows.csv exact-RoundRobin/fat-tree-flows.csv && complain "Spreading changed nothing"

# Tori of all racks, by their names, in both engines.
tori=(--designs=torus,twisted-torus --replications=1)
run tori --engine=packets "${tori[@]}" && run exact-tori "${tori[@]}" --engine=exact || { complain "tori"; cat err; }
for torus in torus twisted-torus; do
    cmp -s "tori/$torus-flows.csv" "exact-tori/$torus-flows.csv" || complain "the exact engine gave other times on $torus"
done

run tcp --transport=dctcp --designs=ideal,clos-3:1,expander,rotornet-direct,rotornet,opera,sirius ||
    { complain "DCTCP"; cat err; }
awk -F, 'NR > 1 && $3 == 0 && $4 > 1e15 { n++; if ($5 < 20 || $6 > 0) print $0 }
    END { if (n != 14) print n }' tcp/summary.csv >odd
[ -s odd ] && { complain "flows of DCTCP incomplete"; cat odd; }

# Nothing is lost here, so nothing is sent again. The last columns count it, and what came twice.
for transport in nack credits; do
    window=()
    [ $transport = nack ] || window=(--window=5)
    run $transport --transport=$transport "${window[@]}" --designs=ideal,clos-3:1,expander,rotornet-direct,rotornet,opera,sirius ||
        { complain "$transport"; cat err; }
    awk -F, 'NR > 1 && $3 == 0 && $4 > 1e15 { n++; if ($5 < 20 || $6 > 0 || $(NF - 2) > 0 || $(NF - 1) > 0) print $0 }
        END { if (n != 14) print n }' $transport/summary.csv >odd
    [ -s odd ] && { complain "$transport: flows incomplete, or packets sent again"; cat odd; }
done
cmp -s nack/ideal-flows.csv credits/ideal-flows.csv && complain "credits changed nothing"

# Packets that are late are sent again: the same ones in both engines.
for transport in nack credits; do
    designs=(rotornet-direct "$([ $transport = nack ] && echo opera-hold || echo clos-3:1)")
    for engine in packets exact; do
        run $transport-$engine --transport=$transport --engine=$engine --reorder=0.03 --load=0.3 --replications=1 \
            --designs="${designs[0]},${designs[1]}" || { complain "--transport=$transport --engine=$engine"; cat err; }
    done
    for file in "${designs[0]}-flows.csv" "${designs[1]}-flows.csv" summary.csv; do
        cmp -s <(sed 's/,packets$//' $transport-packets/"$file") <(sed 's/,exact$//' $transport-exact/"$file") ||
            complain "the exact engine gave another $file, $transport"
    done
    awk -F, '$(NF - 2) > 0 && NR > 1 { late = 1 } END { exit "'$transport'" == "nack" && !late }' \
        $transport-exact/summary.csv || complain "nothing was sent again, $transport"
done

# 7 of 8 matchings have circuits, in use 18 of 20 us: 0.7875 less 1/64, and at most 1 % more.
run full --engine=exact --saturation --steady=2 --designs=rotornet-direct --replications=1 ||
    { complain "saturation"; cat err; }
awk -F, 'NR == 2 && ($(NF - 1) < 0.7875 - 1 / 64 || $(NF - 1) > 0.7875 * 1.01) { print $(NF - 1) }' \
    full/summary.csv >odd
[ -s odd ] && { complain "the saturation is not 0.7875"; cat odd; }

printf '0 15 5000 0\n3 9 100000 1000\n' >flows.txt
mine=(--racks=8 --servers=4 --uplinks=4 --slot=20 --dark=2 --duration=1 --drain=20 --flows=flows.txt)
"$program" "${mine[@]}" --designs=opera,clos-3:1 --output=mine >out 2>err || { complain "a file of flows"; cat err; }
[ "$(wc -l <mine/opera-flows.csv)" -eq 3 ] || complain "not both flows"
grep -q '^opera  *exact  *[0-9.]*  *100.0' out || { complain "not all flows complete"; cat out; }

# Fair queues: the same packets in both engines, but not those of queues first in, first out.
for queues in fifo fair; do
    for engine in packets exact; do
        run $queues-$engine --designs=ideal,rotornet-direct --replications=1 --load=0.5 --engine=$engine --queues=$queues ||
            { complain "--queues=$queues --engine=$engine"; cat err; }
    done
done
for design in ideal rotornet-direct; do
    cmp -s "fair-packets/$design-flows.csv" "fair-exact/$design-flows.csv" || complain "other flows in the exact engine, $design"
    cmp -s "fair-packets/$design-flows.csv" "fifo-packets/$design-flows.csv" && complain "--queues=fair changes nothing, $design"
done
grep -q 'fair queues$' out || { complain "the heading does not name fair queues"; cat out; }

# The number of runs is that of the intervals, by design; a design that does not fit is left out.
small=(--racks=7 --servers=4 --uplinks=4 --slot=20 --dark=2 --sizes=20000 --load=0.05 --duration=4 --drain=20)
"$program" "${small[@]}" --precision=0.1 --least=5 --output=sequential >out 2>err || { complain "runs by intervals"; cat err; }
grep -q '^rotornet-direct is left out: .*multiple' out || { complain "what is left out"; cat out; }
grep -q '^All designs have reached it.$' out && ! grep -q '> 20 %' out || { complain "intervals"; cat out; }
awk -F, 'NR > 1 && $3 == 0 && $4 > 1e15 { runs[$1]++ } END { for (d in runs) { n++; if (runs[d] < 5 || runs[d] > 200) print d, runs[d]
    if (runs[d] > 5) more = 1 } if (n < 4 || !more) print n, more }' sequential/summary.csv >odd
[ -s odd ] && { complain "number of runs"; cat odd; }
"$program" "${small[@]}" --precision=0.1 --least=5 --designs=expander --output=alone >out 2>err
grep '^expander' sequential/summary.csv | cmp -s - <(tail -n +2 alone/summary.csv) || complain "runs of a design depend on the others"
"$program" "${small[@]}" --precision=0.01 --time=0 --output=short >out 2>err
grep -q '^The time was up (--time=0).*--replications=1 makes' out && grep -q 'one run' out || { complain "the time"; cat out; }

# A controller measures its demand: two racks are enough.
"$program" --racks=2 --servers=2 --uplinks=1 --designs=greedy --load=0.3 --duration=1 --sizes=20000 --replications=1 --report=false \
    --output=two >out 2>err || { complain "greedy on two racks"; cat err; }

# Faults that were sampled are the same from their file; flows that they hit are those of the files without. In packets, whose
# heat maps have the faults.
run clean --designs=rotornet --replications=1 || { complain "without faults"; cat err; }
run faulty --designs=rotornet --engine=packets --replications=1 --mtbf=uplink=900us,tor=9ms --mttr=uplink=100us,tor=1ms ||
    { complain "sampled faults"; cat err; }
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } NR == FNR { clean[FNR] = $at["completion_ns"]; next }
    { flows++; now = $at["completion_ns"]; before = clean[FNR] }
    before == "" || now == "" { open += before != ""; next }
    now > 1.01 * before { later++ } now < 0.99 * before { sooner++ } END { print flows, open + 0, later + 0, sooner + 0 }' \
    clean/rotornet-flows.csv faulty/rotornet-flows.csv >hits
awk '/^Flows that faults hit/ { here = 1 } here && $1 == "rotornet" { print $2, $3, $4, $8; exit }' out | cmp -s - hits ||
    complain "flows that faults hit: $(cat hits), and $(grep -A 5 '^Flows that' out)"
grep -q '"bands":\[\[' faulty/report.html || complain "faults are not in the report"
run replayed --designs=rotornet --engine=packets --replications=1 --faults=faulty/rotornet-faults.csv ||
    { complain "a file of faults"; cat err; }
for file in summary.csv rotornet-flows.csv rotornet-faults.csv; do
    cmp -s "faulty/$file" "replayed/$file" || complain "the file of faults gave another $file"
done
awk -F, 'NR == 2 && ($(NF - 3) < 20 || $(NF - 2) > 0.99) { print $(NF - 3), $(NF - 2) }' faulty/summary.csv >odd
[ -s odd ] && { complain "hardly a fault"; cat odd; }

# Parts of all kinds fail at the same times in ns-3 and in the exact engine.
failing=(--designs=rotornet,expander,clos-3:1 --replications=1 --load=0.2 --transport=nack --reorder=0.1 --detection=50us
    --mtbf=uplink=900us,tor=9ms,ocs=9ms,ocs-port=5ms,fiber=2ms,mirror=9ms,circuit=9ms,server=9ms
    --mttr=uplink=100us,tor=1ms,ocs=100us,ocs-port=300us,fiber=200us,mirror=1ms,circuit=1ms,server=1ms)
for engine in packets exact; do
    run faults-$engine --engine=$engine "${failing[@]}" || { complain "faults, $engine"; cat err; }
done
for file in faults-packets/*.csv; do
    cmp -s <(sed 's/,packets$//' "$file") <(sed 's/,exact$//' "faults-exact/${file#faults-packets/}") ||
        complain "with faults the exact engine gave another $file"
done

refusals <<'END'
--mttr uplink            | --mtbf=uplink=1ms
--mtbf ocs-port          | --mtbf=laser=1ms
--mtbf --engine=packets  | --engine=flows --mtbf=uplink=1ms --mttr=uplink=1ms
faulty/summary.csv:1     | --faults=faulty/summary.csv
--designs opera          | --designs=nothing
--own SCHEDULE;ROUTING | --own=mine
--own SCHEDULE;ROUTING | '--own=mine=;DirectRouting'
--own letters          | '--own==RotorSchedule;DirectRouting'
--own: design H multiple planes 5 | --designs=none '--own=A=RotorSchedule;DirectRouting,H=RotorSchedule;DirectRouting;more'
--own: design A hold electrical   | --designs=none '--own=A=electrical;clos;hold'
--own: design A Spray             | --designs=none '--own=A=electrical;clos[Spray=PerFlow]'
--own: design A ByFlow            | --designs=none '--own=A=electrical;clos[Spreading=ByFlow]'
--engine exact queue discs        | --designs=none --engine=exact '--own=A=electrical;clos[QueueDisc=ns3::FifoQueueDisc]'
--queues --transport=udp         | --queues=fair --transport=dctcp
--own: design A slot 10000        | --designs=none '--own=A=RotorSchedule[Slot=10us];DirectRouting'
--own letters          | '--own=../x=RotorSchedule;DirectRouting'
BufferSize none        | --engine=exact --designs=rotornet-direct --ns3::odcn::TorSwitch::BufferSize=20000B
routing DirectRouting    | --designs=none '--own=RotorSchedule;Nobody'
schedule RotorSchedule   | --designs=none '--own=Nobody;DirectRouting'
multiple planes          | --racks=7 --designs=rotornet
--dark less              | --dark=20
--load without --flows   | --flows=flows.txt
--load                   | --load=nan
--engine packets         | --engine=fast
--engine found..ns3..*expected.any | --engine=ns3
--engine exact packets knows none of hybrid | --engine=exact --designs=hybrid
--engine transport=udp   | --engine=exact --transport=tcp
--precision replications=0 | --precision=0.2
--engine flows exact     | --engine=flows --transport=nack
--order transport=udp    | --order=Fifo --transport=tcp
--transport tcp          | --transport=quic
--window transport=credits | --window=30 --transport=nack
--designs hold transport | --transport=credits --designs=opera-hold
--reorder transport=nack | --reorder=3
--saturation udp         | --saturation --transport=tcp
--steady fewer racks GB  | --saturation --steady=10000 --gbps=1000 --designs=rotornet
END
"$program" "${mine[@]}" --racks=2 --output=first >out 2>err && complain "flows of racks that are not there"
grep -q '^error: flows.txt:1' err || { complain "no word of the line"; cat err; }

conclude
