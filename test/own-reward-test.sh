#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# own-reward: three rows; with another price the agent that learns from it is another one, and the others are the same.
#
# Usage: own-reward-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

short=(--decisions=4000 --cloneDecisions=4000 --jobs=100 --warmUp=200 --ns3::odcn::PpoLearner::Threads=1)
"$program" "${short[@]}" >first 2>err || { complain "a run"; cat err; }
"$program" "${short[@]}" --price=5 >dear 2>err || complain "another price"
for row in odcn-score "paper's reward"; do
    grep -q "^$row  *[0-9]" first || complain "no row $row"
    # The columns are as wide as the third row needs.
    [ "$(grep "^$row" first | tr -s ' ')" = "$(grep "^$row" dear | tr -s ' ')" ] || complain "the price changes $row"
done
[ "$(grep '^my reward' first)" != "$(grep '^my reward' dear)" ] || complain "the price changes nothing"

conclude
