#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# fabrics.sh FOLDER [OPTION...]: compare fabrics with optical-fabrics and draw the completion times
# as FOLDER/fabrics.svg. Two minutes with the defaults of the program.

set -euo pipefail
if ! command -v gnuplot >/dev/null; then
    echo "error: no gnuplot to draw with (Debian: apt install gnuplot-nox)" >&2
    exit 1
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
(cd "$here/../.." && ./ns3 run "optical-fabrics --output=$folder $*" | tee "$folder/table.txt")
(cd "$here" && gnuplot -c fabrics.gp "$folder")
echo "$folder/fabrics.svg"
