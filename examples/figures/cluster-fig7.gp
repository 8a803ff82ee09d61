# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 7 of the DeepRM_Plus paper: weighted turnaround time by the length of jobs, before and after
# training. Boxes are quartiles, whiskers 5 and 95 %, points means.

# Only agents that sample their actions: they leave no job unscheduled.
drawn = ""
do for [p in policies] {
    if (!likeliest(p)) { drawn = drawn . " " . p }
}
trained(p) = strstrt(p, "-before") == 0
of(p, c) = strcol("policy") eq p ? column(c) : NaN
set multiplot layout 2, 1 margins 0.08, 0.98, 0.19, 0.96 spacing 0, 0.11
set logscale y
set yrange [0.9:100]
set xrange [0.3:9.7]
set xtics ("1" 1, "2" 2, "3" 3, "10" 4, "11" 5, "12" 6, "13" 7, "14" 8, "15" 9) scale 0
unset key
set ylabel "weighted turnaround time" offset 1
place(d) = d < 4 ? d : d - 6
do for [k = 0:1] {
    set title (k == 0 ? "(a) before training" : "(b) after training") offset 0, -0.7
    if (k == 1) { set xlabel "length of jobs, time slots" offset 0, 0.5 }
    shown = ""
    do for [p in drawn] {
        rule = strstrt(p, "deeprm") == 0
        if (rule || trained(p) == k) { shown = shown . " " . p }
    }
    w = 0.8 / words(shown)
    set boxwidth 0.85 * w
    x(j) = place(column("duration")) + w * (j - 0.5 - 0.5 * words(shown))
    plot for [j = 1:words(shown)] data using (x(j)):(of(word(shown, j), "p25")):(of(word(shown, j), "p5")):(of(word(shown, j), "p95")):(of(word(shown, j), "p75")) with candlesticks whiskerbars 0.6 lc rgb colour(word(shown, j)) notitle, \
         for [j = 1:words(shown)] data using (x(j)):(of(word(shown, j), "p50")):(of(word(shown, j), "p50")):(of(word(shown, j), "p50")):(of(word(shown, j), "p50")) with candlesticks lc rgb "black" lw 1.5 notitle, \
         for [j = 1:words(shown)] data using (x(j)):(of(word(shown, j), "slowdown")) with points lc rgb "black" pt 7 ps 0.4 notitle
}
all = policies
policies = drawn
load "key.gp"
policies = all
