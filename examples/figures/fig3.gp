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
stats data using (p = recipe(strcol("policy")), recipes = p eq "" || strstrt(recipes . " ", " " . p . " ") > 0 ? recipes : recipes . " " . p, 0) nooutput
x0 = 1e300; x1 = -1e300
stats data using (v = phi(strcol("policy")), v == v ? (x0 = min(x0, v), x1 = max(x1, v)) : 0, 0) nooutput
of(r, c) = recipe(strcol("policy")) eq r ? column(c) : NaN
tint(k) = word(hues, k)

H = 440
right = words(recipes) > 1 ? 110 : 20
height = 140
eval begin
set xrange [x0 - 0.04 * (x1 - x0):x1 + 0.04 * (x1 - x0)]
set yrange [0:*]
set xtics offset 0, 0.3
do for [k = 1:2] {
    top = k == 1 ? 28 : 232
    c = k == 1 ? "blocking" : "reconfigurations_per_job"
    scale = k == 1 ? 100 : 1
    eval place
    set title (k == 1 ? "(a) blocked jobs, %" : "(b) reconfigurations of circuits per job") font bold offset 0, -0.7
    if (k == 2) { set xlabel "cost of a reconfiguration in training, Phi_{reconf}" offset 0, 0.6 }
    unset label
    eval 'set ytics ' . (k == 1 ? '1' : 'autofreq')
    do for [r = 1:words(recipes) > 1 ? words(recipes) : 0] { set label word(recipes, r) at graph 1.03, graph 0.95 - 0.14 * r font small tc rgb tint(r) }
    plot for [r = 1:words(recipes)] data using (phi(strcol("policy"))):(scale * of(word(recipes, r), c)) smooth unique with lines lc rgb tint(r) lw 2, \
         for [r = 1:words(recipes)] data using (phi(strcol("policy"))):(scale * of(word(recipes, r), c . "_lower")):(0):(scale * (of(word(recipes, r), c . "_upper") - of(word(recipes, r), c . "_lower"))) with vectors nohead lc rgb tint(r) lw 1.2, \
         for [r = 1:words(recipes)] data using (phi(strcol("policy"))):(scale * of(word(recipes, r), c)) with points lc rgb tint(r) pt 7 ps 0.6
}
unset multiplot
