#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# draw.sh NAME FOLDER: draw FOLDER/NAME.svg from the data in FOLDER.

set -euo pipefail
if ! command -v gnuplot >/dev/null; then
    echo "error: no gnuplot to draw $1 with (Debian: apt install gnuplot-nox)" >&2
    exit 1
fi
folder=$(cd "$2" && pwd)
(cd "$(dirname "${BASH_SOURCE[0]}")" && gnuplot -c draw.gp "$1" "$folder")
echo "$2/$1.svg"
