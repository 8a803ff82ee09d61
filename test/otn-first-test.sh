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

"$program" --megabytes=10 --pcap=first >out 2>err || { complain "a plain run"; cat err; }
for words in 'no light: fiber-cut' 'light: A - B - C, 750 us' 'all bytes have arrived' 'fiber-cut: '; do
    grep -q -- "$words" out || { complain "no '$words' in the output"; cat out; }
done
awk '/^Packets/ { if ($2 != $5 + $8 + $12) exit 1; seen = 1 } END { exit !seen }' out ||
    complain "packets do not add up"
# pcap with nanoseconds, little or big endian.
for file in first-0-1.pcap first-2-1.pcap; do
    case $(head -c 4 "$file" | od -An -tx1 | tr -d ' \n') in
        4d3cb2a1 | a1b23c4d) ;;
        *) complain "$file is no pcap file" ;;
    esac
done
"$program" --megabytes=10 --pcap=second >again 2>err || complain "the same run again"
cmp -s out again || complain "the same run told otherwise"
cmp -s first-0-1.pcap second-0-1.pcap || complain "the same run wrote another pcap file"
"$program" --megabytes=10 --restoration=0 --repair=60ms >out 2>err || complain "a repair"
[ "$(grep -c 'light: A - C' out)" -eq 2 ] || complain "light does not come back with the fibre"

printf 'part,index,start_us,end_us,cause\ntransponder,0:1,15000,20000,laser\nnode,1,1,2,power\n' >faults.csv
"$program" --megabytes=10 --faults=faults.csv >out 2>err || { complain "a file of faults"; cat err; }
for words in 'port-failed: ' 'all bytes have arrived'; do
    grep -q -- "$words" out || { complain "no '$words' in the output with faults"; cat out; }
done
awk '/^Packets/ { if ($2 != $5 + $8 + $12) exit 1; seen = 1 } END { exit !seen }' out ||
    complain "packets with faults do not add up"

# refuses WORD OPTION
refuses()
{
    "$program" "$2" >out 2>err && complain "accepted: $2"
    [ "$(wc -l <err)" -eq 1 ] || { complain "not one line: $2"; cat err; }
    grep -q -- "$1" err || complain "no '$1' in the message of $2"
}
refuses megabytes --megabytes=0
refuses cut --cut=-1ms
refuses 'one of ocs' --mtbf=laser=1s
printf 'part,index,start_us,end_us,cause\nocs,0,1,,\n' >wrong.csv
refuses 'fault of ocs' --faults=wrong.csv

conclude
