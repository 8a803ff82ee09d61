#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# opera.sh websearch|datamining-opera|datamining-rotornet FOLDER: the flows of Opera's Figs 9 and 7
# at 1 % load, 648 hosts, in packets, beside the authors' own result for the same flows. Prints
# completion times by size and writes FOLDER/flows.csv. Two to three minutes each; of datamining
# the first second of ten.
#
# Two differences between the simulators are accounted for here:
# - Opera's hosts send full packets of 1436 bytes of data, ours 1456: flows of a packet or more are
#   padded to as many full packets.
# - Opera's short flows complete when the sender has the last acknowledgement. Its way back is added:
#   64 bytes over h circuits and two links to servers, h x 500 ns + (h + 2) x 51.2 ns, with the mean
#   number of circuits h of each figure.

set -euo pipefail
what=$1 folder=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
data=$here/data/opera
case $what in
    websearch)
        flows=websearch-1pc-flows result=websearch-1pc-opera-fct hops=4.7 seconds=2 slot=138.3 period=829.8
        routing='ClassRouting[Short=ExpanderRouting[Paths=5]]' short=30000000 ;;
    datamining-opera)
        flows=datamining-1pc-flows result=datamining-1pc-opera-fct hops=3.1 seconds=1 slot=98.9 period=593.4
        routing='ClassRouting[Bulk=RotorLbRouting]' short=15000000 ;;
    datamining-rotornet)
        flows=datamining-1pc-flows result=datamining-1pc-rotornet-fct hops=0 seconds=1 slot=98.9 period=593.4
        routing=RotorLbRouting short=0 ;;
    *)
        echo "error: found '$what', expected websearch, datamining-opera or datamining-rotornet" >&2
        exit 1 ;;
esac
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
gunzip -c "$data/$flows.txt.gz" | awk -v last="${seconds}e9" \
    '$4 < last { n = int(($3 + 1435) / 1436); print $1, $2, $3 < 1436 ? $3 : n * 1456, $4 }' >"$temporary/flows.txt"
(cd "$here" && ./ns3 run "optical-fabrics --racks=108 --slot=$slot --flows=$temporary/flows.txt --designs=none
    --own=OperaSchedule[Slot=${period}us];$routing --short=$short --drain=60 --output=$temporary/out" >"$folder/said.txt")
mv "$temporary/out/own-flows.csv" "$folder/flows.csv"

# Size class by number of packets, or bytes below one packet; then quantiles by rank.
{
    awk -F, -v h="$hops" 'NR > 1 && $6 != "" {
        back = h > 0 ? h * 0.5 + (h + 2) * 0.0512 : 0
        print $4 < 1436 ? $4 : int(($4 + 1455) / 1456) * 1436, "ours", $6 / 1000 + back }' "$folder/flows.csv"
    gunzip -c "$data/$result.txt.gz" | awk -v last="${seconds}e3" '$5 < last {
        print $3 < 1436 ? $3 : int(($3 + 1435) / 1436) * 1436, "theirs", $4 * 1000 }'
} | sort -k1,1n -k2,2 -k3,3g | awk '
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
    END { flush() }' | tee "$folder/table.txt"
