#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# own-transport as a user runs it: NDP loses nothing, ends an incast and a permutation within a few
# percent of the line rate, and short flows do not wait for long ones. The exact engine has all
# transports of ns-3, on a fat tree with a file of flows, too.
#
# Usage: own-transport-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

# check TRAFFIC CONDITION: of the row of NDP, with b the row of credits
check()
{
    "$program" "--traffic=$1" >out 2>err || { complain "$1"; cat err; }
    awk '$1 == "credits" { split($0, b) } $1 == "ndp" { split($0, a) } END { exit !('"$2"') }' out ||
        { complain "$1"; cat out; }
    "$program" "--traffic=$1" --engine=exact >exact 2>err || { complain "exact, $1"; cat err; }
    cmp out exact || { complain "the exact engine differs from ns-3, $1"; cat exact; }
}

# Twelve flows of 697 packets, at 10 Gb/s 10,028 us; each cut packet is sent again, none is lost.
check incast 'a[5] > 10028 && a[5] < 10028 * 1.005 && a[6] > 0 && a[7] == 0 && b[5] < 10000 * 1.05'
# One flow takes 836 us at line rate.
check permutation 'a[5] > 836 && a[5] < 836 * 1.15 && a[7] == 0'
# A flow of 20 kB takes 16.7 us on its line.
check mixed 'a[2] < 60 && a[3] < 90 && a[7] == 0'
cp out earlier
check mixed 1
cmp -s out earlier || complain "the same seed gave another output"

# A file of flows over a fat tree, alike in both engines; one flow of 100 kB takes 8.4 us at 100 Gb/s.
seq 1 15 | awk '{ print $1, 0, 100000, 0 }' >flows.txt
for engine in packets exact; do
    "$program" --engine=$engine --flows=flows.txt --fatTree=4 --gbps=100 --window=10 >$engine 2>err ||
        { complain "a fat tree, $engine"; cat err; }
done
cmp packets exact || { complain "the exact engine differs from ns-3 on a fat tree"; cat exact; }
awk '$1 == "ndp" { exit !(NF == 6 && $4 > 15 * 8.4 && $4 < 15 * 8.4 * 1.05 && $5 > 0 && $6 == 0) }' exact ||
    { complain "an incast over a fat tree"; cat exact; }
for engine in packets exact; do
    "$program" --engine=$engine --bytes=100000 --ns3::odcn::FlowApplication::PacketSize=700 \
        --ns3::odcn::FlowApplication::CreditPackets=4 >$engine 2>err || { complain "packets of 700, $engine"; cat err; }
done
cmp packets exact || { complain "the exact engine differs from ns-3 with other defaults of hosts"; cat exact; }
refusals <<'END'
9000.*1500         | --engine=exact --ns3::odcn::FlowApplication::PacketSize=9000
fatTree.*even      | --flows=flows.txt --fatTree=3
fatTree.*flows     | --fatTree=4
incast             | --traffic=none
20001.to           | --bytes=5
END

conclude
