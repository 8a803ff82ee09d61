# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c draw.gp FIGURE FOLDER: plot FOLDER/FIGURE.csv to FOLDER/FIGURE.svg; for rddc-FIGURE, plot the tables of
# rddc-nara-allocation in FOLDER. FIGURE.gp in this folder has the plot commands, style.gp the common settings.

name = ARG1
folder = ARG2
data = folder . "/" . (name[1:5] eq "rddc-" ? "summary" : name) . ".csv"
output = folder . "/" . name . ".svg"
load "style.gp"
if (name ne "fig3") { eval list }
# What panels take unless a figure says otherwise.
logx = 0; logy = 0; y0 = 0; xtitle = ""; bound = ""; values = 0; named = 1; strong = ""
load (name eq "fig6" || name eq "fig7" ? "bars.gp" : name . ".gp")
