# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 13 of the DeepRM_Plus paper: weighted turnaround time, a panel per real trace, a colour per load.

traces = ""
loads = ""
stats data using (t = strcol("trace"), traces = strstrt(traces, t) > 0 ? traces : traces . " " . t, t = word(strcol("workload"), 2), loads = strstrt(loads . " ", " " . t . " ") > 0 ? loads : loads . " " . t, 0) nooutput
# Untrained networks leave most jobs without a place; they would hide all others.
rows = ""
do for [q in names] { rows = q eq "untrained" ? rows : rows . " " . q }
n = words(rows)
level(p) = (k9 = 0, sum [j = 1:n] (word(rows, j) eq p ? (k9 = j, 0) : 0), -k9)
of(c) = strcol("trace") eq trace && word(strcol("workload"), 2) eq l && level(strcol("policy")) < 0 ? column(c) : NaN
height = 19 * n
H = height + 122
top = 56
each = 184
eval begin
unset ytics
set border 1
set grid noytics xtics lc rgb "#e2e2e2" lw 1
set xtics offset 0, 0.3
do for [k = 1:words(traces)] {
    trace = word(traces, k)
    left = 206 + (k - 1) * each
    right = W - left - each + 22
    eval place
    most = 0
    set xrange [*:*]
    set yrange [*:*]
    do for [l in loads] { stats data using (v = of("slowdown_all_upper"), v == v ? (most = max(most, v)) : 0, 0) nooutput }
    set yrange [-n - 0.6:-0.4]
    set xrange [0:1.05 * most]
    eval "set xtics " . ticks(0, most, 0, 3)
    unset label
    unset arrow
    set title (trace eq "alibaba" ? "Alibaba 2018" : trace eq "cerit" ? "CERIT-SC" : trace) font bold offset 0, 0.2
    set xlabel "turnaround time" offset 0, 0.6
    do for [i = 1:n] {
        if (k == 1) { set label label(word(rows, i)) at graph 0, first -i right offset -0.6, 0 noenhanced font small }
        set arrow from graph 0, first -i to graph 1, first -i nohead back lc rgb "#eeeeee" lw 1
    }
    do for [i = 1:words(loads)] { set label "load " . word(loads, i) . " %" at graph 0.27 + 0.5 * (i - 1), graph 1 center offset 0, 0.5 font small tc rgb word(hues, 3 - i) }
    plot for [i = 1:words(loads)] l = word(loads, i) data using (of("slowdown_all_lower")):(level(strcol("policy")) + 0.18 * (1.5 - i)):(of("slowdown_all_upper") - of("slowdown_all_lower")):(0) with vectors nohead lc rgb word(hues, 3 - i) lw 1.5, \
         for [i = 1:words(loads)] l = word(loads, i) data using (of("slowdown_all")):(level(strcol("policy")) + 0.18 * (1.5 - i)) with points lc rgb word(hues, 3 - i) pt symbol(i) ps 0.6
}
unset multiplot
