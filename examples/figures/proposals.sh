#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# proposals.sh FOLDER [OPTION...]: the same training jobs on proposals for their network, over dark
# times from 1 us to 1 s, and FOLDER/proposals.svg. Four minutes of a processor; options are those of training-jobs.

set -euo pipefail
if ! command -v gnuplot >/dev/null; then
    echo "error: no gnuplot to draw with (Debian: apt install gnuplot-nox)" >&2
    exit 1
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
(cd "$here/../.." && ./ns3 run "training-jobs --designs=proposals --darks=1us,100us,10ms,1s
    --engine=any --limit=1e6 --models=mini-gpt,mini-moe --tensor=4 --data=4 --pipeline=2 --expert=4
    --microBatches=2 --iterations=2 --jobs=4 --gbps=100 --arrival=3 --replications=5 --short=50000
    --output=$folder $*" | tee "$folder/table.txt")
(cd "$here" && gnuplot -c proposals.gp "$folder")
echo "$folder/proposals.svg"
