#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# opera.sh websearch|datamining-opera|datamining-rotornet FOLDER: the flows of Opera's Figs 9 and 7
# at 1 % load, 648 hosts, in packets, beside the authors' own result for the same flows. Prints
# completion times by size and writes FOLDER/flows.csv. Web search takes seconds, by the exact
# engine, data mining two to three minutes, in ns-3; of it the first second of ten. Short flows take
# the planes that do not change in the slice, as the authors' (EndingCircuits=false).
#
# opera.sh websearch-1|websearch-5|websearch-10 FOLDER OPERA-SIM: the same of Fig 9 at 1, 5 and 10 %, the first
# 300, 100 and 100 ms, where receivers pace their senders (--transport=credits), as the authors' do. OPERA-SIM is a clone of
# https://github.com/TritonNetworking/opera-sim, which has the flows and results of these loads.
#
# Two differences between the simulators are accounted for here:
# - Opera's hosts send full packets of 1436 bytes of data, ours 1456, with credits 1440: flows of a
#   packet or more are padded to as many full packets.
# - Opera's short flows complete when the sender has the last acknowledgement. Its way back is added:
#   64 bytes over h circuits and two links to servers, h x 500 ns + (h + 2) x 51.2 ns, with the mean
#   number of circuits h of packets in our runs.

set -euo pipefail
what=$1 folder=$2 data_of=${3:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
data=$here/data/opera
full=1456 transport=udp drain=60
case $what in
    websearch-1 | websearch-5 | websearch-10)
        flows=traffic_gen/flows_${what#*-}percLLload_1sec_648hosts.htsim result=sim/FCT_cwnd20_${what#*-}perc_LL_5paths.txt
        hops=4.5 seconds=0.1 slot=138.3 period=829.8 short=30000000 engine=exact full=1440 transport=credits drain=150
        routing='ClassRouting[Short=ExpanderRouting[Paths=5|EndingCircuits=false]]'
        data=$data_of/Figure9_websearch/opera
        [ "$what" != websearch-1 ] || seconds=0.3
        [ -f "$data/$flows" ] || { echo "error: found no $data/$flows, expected a clone of opera-sim" >&2; exit 1; } ;;
    websearch)
        flows=websearch-1pc-flows result=websearch-1pc-opera-fct hops=4.5 seconds=2 slot=138.3 period=829.8
        routing='ClassRouting[Short=ExpanderRouting[Paths=5|EndingCircuits=false]]' short=30000000 engine=exact ;;
    datamining-opera)
        flows=datamining-1pc-flows result=datamining-1pc-opera-fct hops=3.1 seconds=1 slot=98.9 period=593.4
        routing='ClassRouting[Short=ExpanderRouting[EndingCircuits=false]|Bulk=RotorLbRouting]' short=15000000 engine=packets ;;
    datamining-rotornet)
        flows=datamining-1pc-flows result=datamining-1pc-rotornet-fct hops=0 seconds=1 slot=98.9 period=593.4
        routing=RotorLbRouting short=0 engine=packets ;;
    *)
        echo "error: found '$what', expected websearch, websearch-1, websearch-5, websearch-10, datamining-opera or datamining-rotornet" >&2
        exit 1 ;;
esac
options="--transport=$transport"
[ "$transport" = udp ] || options="$options --reorder=1"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
# read_data NAME: a file of data/opera, or of opera-sim, which has a label before each result.
read_data() {
    if [ -n "$data_of" ]; then
        sed -n 's/^FCT //; /^[0-9]/p' "$data/$1"
    else
        gunzip -c "$data/$1.txt.gz"
    fi
}
read_data "$flows" | awk -v last="${seconds}e9" -v full="$full" \
    '$4 < last { n = int(($3 + 1435) / 1436); print $1, $2, $3 < 1436 ? $3 : n * full, $4 }' >"$temporary/flows.txt"
(cd "$here" && ./ns3 run "optical-fabrics --racks=108 --slot=$slot --flows=$temporary/flows.txt --designs=none
    --engine=$engine --own=OperaSchedule[Slot=${period}us];$routing --short=$short --drain=$drain $options --output=$temporary/out" >"$folder/said.txt")
mv "$temporary/out/own-flows.csv" "$folder/flows.csv"

# Size by number of packets, or bytes below one packet.
{
    awk -F, -v h="$hops" -v full="$full" 'NR > 1 && $6 != "" {
        back = h > 0 ? h * 0.5 + (h + 2) * 0.0512 : 0
        print $4 < 1436 ? $4 : int(($4 + full - 1) / full) * 1436, "ours", $6 / 1000 + back }' "$folder/flows.csv"
    read_data "$result" | awk -v last="${seconds}e3" '$5 < last {
        print $3 < 1436 ? $3 : int(($3 + 1435) / 1436) * 1436, "theirs", $4 * 1000 }'
} >"$temporary/times.txt"

# compare: quantiles by rank of lines "class whose us", for each class.
compare() {
    sort -k1,1n -k2,2 -k3,3g | awk '
        function quantile(who, p,   n, i) { n = count[who]; i = int(p * (n - 1) + 0.5); return value[who, i] }
        function flush() {
            if (size != "" && count["ours"] > 0 && count["theirs"] > 0)
                printf "%10d %6d %12.1f %12.1f %6.2f %12.1f %12.1f %6.2f\n", size, count["ours"],
                    quantile("ours", 0.5), quantile("theirs", 0.5), quantile("ours", 0.5) / quantile("theirs", 0.5),
                    quantile("ours", 0.99), quantile("theirs", 0.99), quantile("ours", 0.99) / quantile("theirs", 0.99)
            delete count; delete value
        }
        BEGIN { printf "%10s %6s %12s %12s %6s %12s %12s %6s\n", "bytes", "flows", "p50 us", "authors", "ratio", "p99 us", "authors", "ratio" }
        $1 != size { flush(); size = $1 }
        { value[$2, count[$2]++] = $3 }
        END { flush() }'
}
compare <"$temporary/times.txt" | tee "$folder/table.txt"
if [[ $what = websearch* ]]; then
    echo "Classes of size, up to these bytes (10,052 are seven full packets):"
    awk '{ bytes = $1; for ($1 = 10000; $1 * 1.01 < bytes; ) $1 *= 10; print }' "$temporary/times.txt" |
        compare | tee "$folder/classes.txt"
fi
