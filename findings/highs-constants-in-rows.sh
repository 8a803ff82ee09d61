#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# HiGHS 1.16.0 (highspy of PyPI): in a file in LP format, a constant beside the variables of a constraint is left out, and
# the problem without it is solved. readModel() returns a warning, which the log would name; the result is called optimal.
#
# Guess before the run: the greatest x with x + 1 <= 3 is 2, or the file is refused, as GLPK 5.0 refuses it.
# Seen: 3, which breaks the constraint. Before the variables ("1 + x <= 3") the same. In the objective a constant counts.
# For users of odcn: who writes flows or circuits of a bound as such a file moves constants to the right-hand side, and
# takes any status of readModel() but kOk for an error.
#
# Exits with 0 while this is so.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q highspy==1.16.0

"$folder/venv/bin/python" - "$folder" <<'END'
import sys

import highspy


def solve(objective, row):
    path = f"{sys.argv[1]}/model.lp"
    with open(path, "w") as file:
        file.write(f"Maximize\n obj: {objective}\nSubject To\n c: {row}\nEnd\n")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    read = highs.readModel(path)
    highs.run()
    return read.name, highs.getModelStatus().name, highs.getInfo().objective_function_value


seen = [solve(*each) for each in (("x", "x + 1 <= 3"), ("x", "1 + x <= 3"), ("x", "x <= 2"), ("x + 1", "x <= 2"))]
print(f"HiGHS {highspy.Highs().version()}:", seen)
sys.exit(seen != [("kWarning", "kOptimal", 3), ("kWarning", "kOptimal", 3), ("kOk", "kOptimal", 2), ("kOk", "kOptimal", 3)])
END
