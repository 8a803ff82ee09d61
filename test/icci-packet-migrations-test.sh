#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# icci-packet-migrations as a user runs it: repeatable, within 1 % of Eq. 16, all packets
# accounted for, and one error line for bad input.
#
# Usage: icci-packet-migrations-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

options=(--migrations=3 --gpus=16)
succeeds "a plain run"
says ' 0 missing'
awk '/at most. Scale/ { for (i = 1; i <= NF; ++i) if ($i == "at" && $(i - 2) < 1) good = 1 }
     END { exit !good }' out || { complain "not within 1 % of Eq. 16"; cat out; }
again

printf '{"nodes":[{"id":1},{"id":2}],\n"links":[\n{"source":1,"target":2,"dist":0}]}' >zero.json
options=()
refusals <<'END'
migrations 0       | --migrations=0
GPUs 3000          | --gpus=3000
scale 400          | --scale=1
wavelengths 41     | --wavelengths=41
mesh.json          | --mesh=mesh.json
zero.json:3 length | --mesh=zero.json
END

conclude
