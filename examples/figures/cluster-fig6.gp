# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 6 of the DeepRM_Plus paper: training. Rules are from FIGURE.csv, curves from FIGURE-curves.csv.

rules = "sjf"
agents = "deeprm-paper deeprm-plus-paper deeprm deeprm-plus"
logy = 1
H = 574
right = 158
height = 190
eval begin
heading = "(a) turnaround time by iterations"; top = 28; by = "updates"; scale = 1; xtitle = "iterations"
load "learning.gp"
heading = "(b) turnaround time by decisions"; top = 318; by = "decisions"; scale = 1e-6; xtitle = "million decisions"
load "learning.gp"
unset multiplot
