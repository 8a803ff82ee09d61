# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 13 of the DeepRM_Plus paper: weighted turnaround time, one panel per real trace and load.

traces = ""
loads = ""
stats data using (t = strcol("trace"), traces = strstrt(traces, t) > 0 ? traces : traces . " " . t, t = word(strcol("workload"), 2), loads = strstrt(loads . " ", " " . t . " ") > 0 ? loads : loads . " " . t, 0) nooutput
# Untrained networks leave most jobs without a place; their bars would hide all others.
shown = ""
do for [q in policies] {
    shown = q eq "untrained" ? shown : shown . " " . q
}
policies = shown
n = words(policies)
of(c) = strcol("trace") eq t && word(strcol("workload"), 2) eq l ? column(c) : NaN
place(p) = (i = 0, sum [j = 1:n] (word(policies, j) eq p ? (i = j, 0) : 0), i)
x(p) = strcol("policy") eq p ? place(p) : NaN
set multiplot layout words(traces), words(loads) margins 0.06, 0.98, 0.31, 0.95 spacing 0.06, 0.08
set boxwidth 0.7
set xrange [0.4:n + 0.6]
set xtics rotate by 60 right scale 0 offset 0.5, 0 noenhanced font ",10"
set yrange [0:*]
unset key
do for [t in traces] {
    do for [l in loads] {
        set title (t eq "alibaba" ? "Alibaba 2018" : "CERIT-SC") . ", load " . l . " %" offset 0, -0.7
        set xtics ("" 0)
        do for [i = 1:n] {
            last = t eq word(traces, words(traces))
            eval(sprintf('set xtics add ("%s" %d)', last ? label(word(policies, i)) : "", i))
        }
        plot for [p in policies] data using (x(p)):(of("slowdown_all")) with boxes lc rgb colour(p) notitle, \
             for [p in policies] data using (x(p)):(of("slowdown_all_lower")):(0):(of("slowdown_all_upper") - of("slowdown_all_lower")) with vectors heads size screen 0.003, 90 lc rgb "black" notitle
    }
}
