# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c proposals.gp FOLDER: plot FOLDER/designs.csv to FOLDER/proposals.svg: mean time of training jobs over the dark time, of
# designs whose circuits change by a schedule and for jobs, with those that never change beside both.

folder = ARG1
output = folder . "/proposals.svg"
# What never changes has the same time at all dark times.
data = "< awk -F, -v OFS=, 'NR == 1 || $2 != \"\" { print } NR > 1 && $2 == \"\" { for (d = 1; d <= 1000000; d *= 100) { $2 = d; print } }' '" . folder . "/designs.csv'"
load "style.gp"
logx = 1; logy = 1; y0 = 0; bound = "alpha-beta"
key = "design"
fixed = fixed . " static-expander=#2a8f3a torus=#0a8f8f fat-tree=#5a5a5a clos-3:1=#8c510a rotornet-direct=#1f78b4 hybrid=#e08214 per-job=#2a8f3a topoopt-like=#0a8f8f mixnet-like=#7b3fa0 opus-like=#d7191c harvest-like=#e08214 least-time=#000000 learned=#b8860b"
dash(p) = strstrt(" static-expander torus fat-tree clos-3:1 ", " " . p . " ") > 0 ? 3 : 1
x = 'column("dark_us")'
quantity = "mean_ms"
H = 760
height = 300
left = 84
right = 136
set logscale x
set xtics 1, 100
eval begin
top = 28
shown = "static-expander torus fat-tree clos-3:1 rotornet-direct opera hybrid"
heading = "mean time, ms: schedules, fixed links"
xtitle = ""
load "lines.gp"
top = 394
shown = "fat-tree per-job topoopt-like mixnet-like opus-like harvest-like least-time learned"
heading = "mean time, ms: circuits for jobs"
xtitle = "dark time, us"
load "lines.gp"
unset multiplot
