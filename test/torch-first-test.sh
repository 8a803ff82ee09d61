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

run mine --jobs=100 --decisions=2000 || { complain "a plain run"; cat err; }
for file in mine.pt mine.pt.csv mine.pcap; do
    [ -s $file ] || complain "$file is missing or empty"
done
[ ! -e mine.pt.state ] || complain "the state of the training stayed"
is_pcap mine.pcap
[ "$(grep -c '% of jobs blocked by' out)" -eq 2 ] || complain "rule and agent are not compared"
awk '/ packets sent/ { seen = $4 > 0 && $1 == $4 + $6 } END { exit !seen }' out ||
    { complain "no packets received, or they do not add up"; cat out; }
cp out learnt
run mine --jobs=100 --decisions=0 || { complain "the checkpoint"; cat err; }
grep 'blocked by\|packets sent' learnt | cmp -s - out || complain "the checkpoint decides otherwise"

refuses 'nothing\.pt' --decisions=0 --jobs=10 --output=nothing

conclude
