#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# otn-first as a user runs it: the transfer survives the cut, every lost packet has a cause, the
# pcap files are valid, and bad input gives one error line.
#
# Usage: otn-first-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

options=(--megabytes=10)
succeeds "a plain run" --pcap=first
says 'no light: fiber-cut' 'light: A - B - C, 750 us' 'all bytes have arrived' 'fiber-cut: '
awk '/^Packets/ { if ($2 != $5 + $8 + $12) exit 1; seen = 1 } END { exit !seen }' out ||
    complain "packets do not add up"
is_pcap first-0-1.pcap first-2-1.pcap
again --pcap=second
cmp -s first-0-1.pcap second-0-1.pcap || complain "the same run wrote another pcap file"
succeeds "a repair" --restoration=0 --repair=60ms
[ "$(grep -c 'light: A - C' out)" -eq 2 ] || complain "light does not come back with the fibre"

succeeds "a repair that is late for TCP" --restoration=0 --repair=2s
printf 'part,index,start_us,end_us,cause\ntransponder,0:1,15000,20000,laser\nnode,1,1,2,power\n' >faults.csv
succeeds "a file of faults" --faults=faults.csv
says 'port-failed: ' 'all bytes have arrived'
awk '/^Packets/ { if ($2 != $5 + $8 + $12) exit 1; seen = 1 } END { exit !seen }' out ||
    complain "packets with faults do not add up"

printf 'part,index,start_us,end_us,cause\nocs,0,1,,\n' >wrong.csv
refusals <<'END'
megabytes    | --megabytes=0
cut          | --cut=-1ms
repair.*found.'10000.us',.expected.a.time.after.--cut,.15000.us | --repair=10ms
bytes.had.arrived.*no.light | --restoration=0
one.of.ocs   | --mtbf=laser=1s
fault.of.ocs | --faults=wrong.csv
END

conclude
