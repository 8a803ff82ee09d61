#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# evalys 4.0.7 (PyPI), beside pandas 1.5.3: Workload.from_csv() leaves out the first job of a file in the Standard
# Workload Format. It tells pandas that line 0 is a header, but lines of the header begin with ";" and are comments, so
# that the first job is taken for it.
#
# Guess before the run: three jobs in the file, three rows.
# Seen: two rows, jobs 2 and 3. Without comment lines the same; a file of one job gives an empty workload.
# For users of odcn: jobs that evalys draws lack the first one; put a line of eighteen numbers before it.
#
# Exits with 0 while this is so.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q evalys==4.0.7 pandas==1.5.3 'numpy<2' 'matplotlib<3.9'

job="0 100 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1"
printf '%s\n' "; Version: 2.2" "; MaxProcs: 8" "1 0 $job" "2 10 $job" "3 20 $job" >"$folder/header.swf"
printf '%s\n' "1 0 $job" "2 10 $job" "3 20 $job" >"$folder/bare.swf"
printf '%s\n' "; Version: 2.2" "1 0 $job" >"$folder/one.swf"

"$folder/venv/bin/python" - "$folder" <<'END'
import sys

from evalys.workload import Workload

seen = {name: Workload.from_csv(f"{sys.argv[1]}/{name}.swf").df["jobID"].tolist() for name in ("header", "bare", "one")}
print(seen)
sys.exit(seen != {"header": [2, 3], "bare": [2, 3], "one": []})
END
