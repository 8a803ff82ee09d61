#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# own-problem: PPO has shorter times in the system than the rule, and a seed is repeatable.
#
# Usage: own-problem-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

"$program" --decisions=192000 --jobs=20000 >out 2>err || { complain "a run"; cat err; }
awk -F '\t' '/shortest queue/ { rule = $1 } /PpoLearner/ { ppo = $1 } /A2cLearner/ { a2c = $1 }
    END { exit !(ppo > 0 && ppo < rule && a2c > 0) }' out ||
    { complain "PPO is no better than the rule"; cat out; }
"$program" --decisions=2000 --jobs=20000 >first 2>err || complain "a short run"
"$program" --decisions=2000 --jobs=20000 --ns3::odcn::PpoLearner::Threads=1 --ns3::odcn::A2cLearner::Threads=1 \
    >second 2>err || complain "one thread"
cmp -s first second || complain "one thread learns otherwise"

conclude
