#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# own-collective as a user runs it: two levels take fewer steps than a ring, and so less time over
# rotors; bad input gives one error line.
#
# Usage: own-collective-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

options=()
succeeds "a plain run"
awk '$1 == "all-reduce:ring" { ring = $5; steps = $2 } $1 == "all-reduce:two-level:4" { two = $5; few = $2 }
    END { exit !(steps == 126 && few == 36 && two > 0 && two < ring / 2) }' out ||
    { complain "two levels are not faster"; cat out; }
refusals <<'END'
GROUP:.found.'5'.*a.divisor.of.64       | --collectives=all-reduce:two-level:5
all-reduce:two-level.:GROUP             | --collectives=all-reduce:two-levels
64.to                                   | --bytes=5
END

conclude
