#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# torch-first with a short training: it succeeds, writes its checkpoint, learning curve and pcap
# file, the agent decides and its packets arrive. A second run reads the checkpoint, same results.
#
# Usage: torch-first-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

"$program" --jobs=100 --decisions=2000 --output=mine >out 2>err || { complain "a plain run"; cat err; }
for file in mine.pt mine.pt.csv mine.pcap; do
    [ -s $file ] || complain "$file is missing or empty"
done
[ ! -e mine.pt.state ] || complain "the state of the training stayed"
# pcap with nanoseconds, little or big endian.
case $(head -c 4 mine.pcap | od -An -tx1 | tr -d ' \n') in
    4d3cb2a1 | a1b23c4d) ;;
    *) complain "mine.pcap is no pcap file" ;;
esac
[ "$(grep -c '% of jobs blocked by' out)" -eq 2 ] || complain "rule and agent are not compared"
awk '/ packets sent/ { seen = $4 > 0 && $1 == $4 + $6 } END { exit !seen }' out ||
    { complain "no packets received, or they do not add up"; cat out; }
"$program" --jobs=100 --decisions=0 --output=mine >again 2>err || { complain "the checkpoint"; cat err; }
grep 'blocked by\|packets sent' out | cmp -s - again || complain "the checkpoint decides otherwise"

"$program" --decisions=0 --jobs=10 --output=nothing >out 2>err && complain "no checkpoint, no error"
[ "$(wc -l <err)" -eq 1 ] && grep -q 'nothing\.pt' err || { complain "another message"; cat err; }

conclude
