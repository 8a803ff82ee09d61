#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# opera-loads.sh FOLDER [RUNS [MS]]: web search over Opera's five disjoint paths at 5 and 10 % load,
# 648 hosts, by the exact engine, with each order in which the flows of a host share its port, and
# with no flows but those below 10 kB ("alone"); then in ns-3 with receivers that pace their senders
# ("Credits"), four minutes a run. Flows are drawn from the points of the CDF, as the
# authors do, and are the same for all orders; RUNS runs (8) of MS ms (100) at each load. Prints
# the completion times of flows below 10 kB ("short") and writes FOLDER/opera-loads.csv, a row for
# each run. Of the slowest hundredth it counts those that shared the port of their sender, that of
# their receiver, or neither with another flow; "apart" are all short flows that shared neither.
#
# As in opera.sh, flows are padded to as many full packets as the authors' have, and the way back of
# the last acknowledgement is added, with 4.7 circuits.

set -euo pipefail
folder=$1 runs=${2:-8} ms=${3:-100}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
awk -F, -v OFS=, '{ print $1 < 1436 ? $1 : int(($1 + 1435) / 1436) * 1456, $2 }' \
    "$here/data/flow-cdf/websearch.csv" >"$temporary/cdf.csv"

# carry NAME OPTION...: carry flows over Opera and append a row to the CSV file. Flows below 10 kB
# have at most 7 packets.
carry() {
    local name=$1
    shift
    (cd "$here" && ./ns3 run "optical-fabrics --racks=108 --slot=138.3 --designs=none --short=30000000 --drain=100
        --own=OperaSchedule[Slot=829.8us];ClassRouting[Short=ExpanderRouting[Paths=5]] --report=false
        --output=$temporary/out $*" >"$temporary/said")
    awk -F, -v OFS=, -v row="$load,$name,$run" -v lost="$(awk -F, '
            NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i }
            END { print $c["dropped"] }' "$temporary/out/summary.csv")" -v sort="sort -t, -k2,2g >$temporary/times" '
        # Whether another flow of the list was on its way at the same time.
        function shares(i, list,   n, k, j) {
            n = split(list, index_, " ")
            for (k = 1; k <= n; ++k) { j = index_[k]; if (j != i && from[j] < to[i] && to[j] > from[i]) return 1 }
            return 0
        }
        NR > 1 {
            sent[$2] = sent[$2] " " $1; received[$3] = received[$3] " " $1
            source[$1] = $2; target[$1] = $3; from[$1] = $5; bytes[$1] = $4; time[$1] = $6
            to[$1] = $5 + ($6 == "" ? 0.8 * $4 : $6)
            ++all; missing += $6 == ""
            if ($4 <= 7 * 1456) { ++n; lacking += $6 == "" }
        }
        END {
            for (i in from) if (bytes[i] <= 7 * 1456 && time[i] != "") {
                print i, time[i] / 1000 + 4.7 * 0.5 + 6.7 * 0.0512 | sort
            }
            close(sort)
            while ((getline line <"'"$temporary"'/times") > 0) { split(line, w, ","); flow[k] = w[1]; value[k++] = w[2] }
            limit = int(0.99 * (k - 1) + 0.5)
            for (i = 0; i < k; ++i) {
                s = shares(flow[i], sent[source[flow[i]]]); r = shares(flow[i], received[target[flow[i]]])
                if (!s && !r) apart[m++] = value[i]
                if (i >= limit) { ++slow; sender += s; receiver += r; neither += !s && !r }
            }
            print row, all, missing + 0, lost, n, lacking + 0, value[int(0.5 * (k - 1) + 0.5)], value[limit],
                slow, sender + 0, receiver + 0, neither + 0, m, apart[int(0.99 * (m - 1) + 0.5)]
        }' "$temporary/out/own-flows.csv" >>"$folder/opera-loads.csv"
}

echo "load,order,run,flows,incomplete,lost_packets,short_flows,short_incomplete,p50_us,p99_us,slowest,slowest_sharing_sender,slowest_sharing_receiver,slowest_sharing_none,apart_flows,apart_p99_us" \
    >"$folder/opera-loads.csv"
for ((run = 1; run <= runs; ++run)); do
    for load in 0.05 0.1; do
        drawn="--replications=1 --RngRun=$run --load=$load --duration=$ms --sizes=$temporary/cdf.csv
            --ns3::odcn::FlowWorkload::Interpolate=false"
        carry Credits --transport=credits --reorder=1 $drawn
        for order in Fifo RoundRobin ShortestRemaining; do
            carry $order --engine=exact --order=$order $drawn
        done
        awk -F, 'NR > 1 && $4 <= 7 * 1456 { print $2, $3, $4, $5 }' "$temporary/out/own-flows.csv" >"$temporary/short.txt"
        carry alone --engine=exact --flows="$temporary/short.txt" --RngRun=$run
    done
done

# Means and 95 % intervals over the runs, by Student's t. A percentile whose interval exceeds 20 % of
# it is not printed, as in the tables of programs.
awk -F, '
    function t(n) { return n > 11 ? 2.2 : T[n] }
    function format(sum, square, n,   mean, half) {
        mean = sum / n
        half = n > 1 ? t(n) * sqrt((square - sum * mean) / (n - 1) / n) : 0
        return half > 0.2 * mean ? "> 20 %" : sprintf("%.1f +- %.1f", mean, half)
    }
    BEGIN {
        split("0 12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228", T, " ")
        printf "%-4s %-17s %6s %11s %6s %6s %14s %14s %8s %7s %9s %8s %8s %14s\n", "load", "order", "flows", "incomplete", "lost",
            "short", "p50 us", "p99 us", "slowest", "sender", "receiver", "neither", "apart", "p99 us"
    }
    NR > 1 {
        k = $1 " " $2
        if (!(k in n)) order[++keys] = k
        ++n[k]; flows[k] += $4; missing[k] += $5; lost[k] += $6; short[k] += $7
        a[k] += $9; aa[k] += $9 * $9; b[k] += $10; bb[k] += $10 * $10; c[k] += $16; cc[k] += $16 * $16
        slow[k] += $11; sender[k] += $12; receiver[k] += $13; neither[k] += $14; apart[k] += $15
    }
    END {
        for (i = 1; i <= keys; ++i) {
            k = order[i]
            split(k, w, " ")
            printf "%-4s %-17s %6d %11d %6d %6d %14s %14s %8d %7d %9d %8d %8d %14s\n", w[1], w[2], flows[k], missing[k], lost[k],
                short[k], format(a[k], aa[k], n[k]), format(b[k], bb[k], n[k]), slow[k], sender[k], receiver[k], neither[k],
                apart[k], format(c[k], cc[k], n[k])
        }
    }' <(LC_ALL=C sort -t, -k1,1g -s "$folder/opera-loads.csv")
