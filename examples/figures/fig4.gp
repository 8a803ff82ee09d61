# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 4: one line per training, named by its recipe; rules are dashed.

curves = folder . "/fig4-curves.csv"
rules = among("all2all-ccf odcn-jcb odcn-score")
if (words(rules) < 2) { rules = names }
recipes = ""
runs = 0
last = 0
stats curves using (p = strcol("recipe"), recipes = strstrt(recipes . " ", " " . p . " ") > 0 ? recipes : recipes . " " . p, runs = max(runs, column("training")), last = max(last, column("decisions")), 0) nooutput
# A decision is one VM; a job has 15.5 on average. The initial point, before any job, is on the left edge.
last = last / 15.5
edge = last / 2000
ends = 1.15 * last
low = 0.8
high = 130.0
share(v) = (log(v) - log(low)) / (log(high) - log(low))
recipeHue(r) = r eq "evolution" ? "#d7191c" : r eq "steady" ? "#1f78b4" : r eq "odcn" ? "#e08214" : "#8c510a"

height = 330
# Names, from the bottom up: of recipes at the mean of their last points, and of rules.
array named[20]
array at[20]
array tone[20]
k = 0
do for [r in recipes] {
    sum1 = 0; count = 0
    stats curves using (strcol("recipe") eq r ? (sum1 = sum1 + log(100 * column("lost")), count = count + 1) : 0, 0) nooutput
    k = k + 1; named[k] = "recipe " . r; at[k] = share(exp(sum1 / count)); tone[k] = recipeHue(r)
}
array level[20]
do for [j = 1:words(rules)] {
    p = word(rules, j)
    stats data using (strcol("policy") eq p ? (level[j] = 100 * column("blocking"), 0) : 0) nooutput
    k = k + 1; named[k] = p; at[k] = share(level[j]); tone[k] = hue(p)
}
bound = NaN
stats data using (strcol("policy") eq "best possible" ? (bound = 100 * column("blocking"), 0) : 0) nooutput
if (bound == bound) { k = k + 1; named[k] = "best possible"; at[k] = share(bound); tone[k] = "#000000" }
gap = 17.0 / height
do for [round = 1:200] {
    do for [i = 1:k - 1] {
        do for [j = i + 1:k] {
            d = at[i] - at[j]
            if (abs(d) < gap) { s = 0.5 * (gap - abs(d)) * (d < 0 ? -1 : 1); at[i] = at[i] + s; at[j] = at[j] - s }
        }
    }
    do for [i = 1:k] { at[i] = max(0.02, at[i]) }
}
H = 440
top = 28
right = 150
eval begin
eval place
set title "blocked or reconfigured jobs, %" font bold offset 0, -0.7
set xlabel "jobs of the training" offset 0, 0.6
set format x "%.0s%c"
set format y "%g"
set logscale xy
set yrange [low:high]
set xrange [edge:ends]
set xtics offset 0, 0.3
eval "set ytics " . powers(low, high)

do for [i = 1:k] { set label named[i] at graph 1.02, graph at[i] left noenhanced font small tc rgb tone[i] }
do for [j = 1:words(rules)] { set arrow from edge, level[j] to ends, level[j] nohead lc rgb hue(word(rules, j)) dt 2 lw 1.5 }
if (bound == bound) { set arrow from edge, bound to ends, bound nohead lc rgb "black" dt 3 lw 1.5 }
lost(r, n) = strcol("recipe") eq r && column("training") == n ? 100 * column("lost") : NaN
jobs(d) = max(d / 15.5, edge)
plot for [r in recipes] for [n = 1:runs] curves using (jobs(column("decisions"))):(lost(r, n)) with linespoints lc rgb recipeHue(r) pt 7 ps 0.3 lw 1.3
unset multiplot
