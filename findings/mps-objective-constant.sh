#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# GLPK 5.0 (swiglpk 5.0.13 of PyPI) and HiGHS 1.16.0 (highspy of PyPI): the constant of an objective does not survive a
# file between them. GLPK writes it into a file in MPS format as the right-hand side of the objective's row, with its own
# sign; HiGHS reads an entry there as minus the constant. Into a file in LP format GLPK writes it as a comment.
#
# Guess before the run: minimise x + 5 with x >= 2 is 7 by both, from either file.
# Seen: 7 by GLPK; its MPS file is 7 read by GLPK and -3 read by HiGHS; its LP file is 2 read by either. Each says optimal.
# For users of odcn: its bounds are solved by GLPK in the process and pass through no file. Who compares solvers by files
# gives the constant to a column that is fixed at 1.
#
# Exits with 0 while this is so.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q swiglpk==5.0.13 highspy==1.16.0

"$folder/venv/bin/python" - "$folder" <<'END'
import sys

import highspy
import swiglpk as glpk

glpk.glp_term_out(glpk.GLP_OFF)
mps, lp = f"{sys.argv[1]}/model.mps", f"{sys.argv[1]}/model.lp"


def solve(problem):
    assert glpk.glp_simplex(problem, None) == 0 and glpk.glp_get_status(problem) == glpk.GLP_OPT
    return glpk.glp_get_obj_val(problem)


def read(reader, *arguments):
    problem = glpk.glp_create_prob()
    assert reader(problem, *arguments) == 0
    return solve(problem)


def solve_by_highs(path):
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(path) == highspy.HighsStatus.kOk
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return highs.getInfo().objective_function_value


problem = glpk.glp_create_prob()
glpk.glp_add_cols(problem, 1)
glpk.glp_set_col_name(problem, 1, "x")
glpk.glp_set_col_bnds(problem, 1, glpk.GLP_LO, 2, 0)
glpk.glp_set_obj_coef(problem, 0, 5)
glpk.glp_set_obj_coef(problem, 1, 1)
glpk.glp_add_rows(problem, 1)
glpk.glp_set_row_name(problem, 1, "c")
glpk.glp_set_row_bnds(problem, 1, glpk.GLP_UP, 0, 9)
index, value = glpk.intArray(2), glpk.doubleArray(2)
index[1], value[1] = 1, 1
glpk.glp_set_mat_row(problem, 1, 1, index, value)
glpk.glp_write_mps(problem, glpk.GLP_MPS_FILE, None, mps)
glpk.glp_write_lp(problem, None, lp)

seen = {
    "GLPK": solve(problem),
    "MPS, GLPK": read(glpk.glp_read_mps, glpk.GLP_MPS_FILE, None, mps),
    "MPS, HiGHS": solve_by_highs(mps),
    "LP, GLPK": read(glpk.glp_read_lp, None, lp),
    "LP, HiGHS": solve_by_highs(lp),
}
print(f"GLPK {glpk.glp_version()}, HiGHS {highspy.Highs().version()}:", seen)
sys.exit(seen != {"GLPK": 7, "MPS, GLPK": 7, "MPS, HiGHS": -3, "LP, GLPK": 2, "LP, HiGHS": 2})
END
