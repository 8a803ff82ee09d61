#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# training-first as a user runs it: the causes add up, packets and the flow level agree, two ranks of
# a rack share its circuits, and bad input gives one error line.
#
# Usage: training-first-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

show() { "$program" "$@" >out 2>err || { complain "$*"; cat err; }; }

for options in --engine=flows --engine=packets --servers=2; do
    show $options
    awk '/^(small|large)/ { n++; if (($2 - $3 - $4 - $5 - $6 - $7 - $8) ^ 2 > 1e-4) bad = 1 } END { exit bad || n != 2 }' out ||
        complain "$options: causes do not add up"
    mv out "out$options"
done
cmp -s out--engine=flows out--engine=packets || complain "packets differ from the flow level"
awk '/^large/ { print $8 }' out--engine=flows out--servers=2 | { read -r one; read -r two
    awk "BEGIN { exit !($two > 10 * $one) }"; } || complain "two ranks a rack do not share circuits"

refusals <<'END'
flows.*packets | --engine=exact
racks          | --racks=1
END

conclude
