# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 3: one point per training; the line of a recipe connects the means.

# A policy is RECIPE/PHI/TRAINING.
recipe(p) = strstrt(p, "/") ? p[1:strstrt(p, "/") - 1] : ""
rest(p) = p[strstrt(p, "/") + 1:]
phi(p) = strstrt(p, "/") ? real(substr(rest(p), 1, strstrt(rest(p), "/") - 1)) : NaN
recipes = ""
stats data using (p = recipe(strcol("policy")), seen = p eq "" || sum [i = 1:words(recipes)] (word(recipes, i) eq p ? 1 : 0), recipes = seen ? recipes : recipes . " " . p, 0) nooutput
tint = "#1f78b4 #33a02c #d7191c"
of(r, c) = recipe(strcol("policy")) eq r ? column(c) : NaN

set multiplot layout 1, 2 margins 0.09, 0.98, 0.20, 0.93 spacing 0.11
set xlabel "cost of a reconfiguration, Phi_{reconf}"
set key at screen 0.5, 0.005 center bottom horizontal samplen 2
set offsets graph 0.04, graph 0.04, 0, 0
set yrange [0:*]
set title "blocked jobs"
set ylabel "%" offset 1
plot for [k = 1:words(recipes)] data using (phi(strcol("policy"))):(100 * of(word(recipes, k), "blocking")) smooth unique with lines lc rgb word(tint, k) lw 2 title "recipe " . word(recipes, k), \
     for [k = 1:words(recipes)] data using (phi(strcol("policy"))):(100 * of(word(recipes, k), "blocking")):(100 * of(word(recipes, k), "blocking_lower")):(100 * of(word(recipes, k), "blocking_upper")) with yerrorbars lc rgb word(tint, k) pt 6 notitle
unset key
set title "reconfigurations a job"
set ylabel "" offset 1
plot for [k = 1:words(recipes)] data using (phi(strcol("policy"))):(of(word(recipes, k), "reconfigurations_per_job")) smooth unique with lines lc rgb word(tint, k) lw 2, \
     for [k = 1:words(recipes)] data using (phi(strcol("policy"))):(of(word(recipes, k), "reconfigurations_per_job")):(of(word(recipes, k), "reconfigurations_per_job_lower")):(of(word(recipes, k), "reconfigurations_per_job_upper")) with yerrorbars lc rgb word(tint, k) pt 6
