# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Blocking against latency: lines connect the weights of a rule, and the agents over alpha.

measured = strstrt(system(sprintf("grep -m 1 -v '^#' '%s'", data)), "packet_ns") > 0
across = measured ? "packet_ns" : "estimated_latency_ns"
# "odcn-score:5" is of the family odcn-score, linear-swift of the family linear.
plain(p) = strstrt(p, ":") ? p[1:strstrt(p, ":") - 1] : p
family(p) = p eq "linear-accept" || p eq "linear-swift" ? "linear" : plain(p)
families = ""
do for [p in names] { families = strstrt(families . " ", " " . family(p) . " ") ? families : families . " " . family(p) }
fam(f, c) = family(strcol("policy")) eq f ? column(c) : NaN
setting(p) = strstrt(p, ":") ? p[strstrt(p, ":") + 1:] : ""

# The name of a family stands beside its greatest latency; the bound is at the bottom.
low = 1e300; high = 0; bound = NaN; near = 1e300; far = -1e300
stats data using (a = column(across), a == a ? (near = min(near, a), far = max(far, a)) : 0, v = 100 * column("blocking"), v > 0 ? (low = min(low, v), high = max(high, v)) : 0, strcol("policy") eq "best possible" ? (bound = v, 0) : 0) nooutput
do for [f in families] {
    x1 = -1e300; y1 = NaN
    stats data using (v = fam(f, across), b = 100 * column("blocking"), v == v && v > x1 ? (x1 = v, y1 = b) : 0, 0) nooutput
    if (y1 == y1) {
        atEnd = x1 > 0.75 * far + 0.25 * near
        if (atEnd || f eq "odcn-ccf") {
            set label f at first x1, first y1 right offset (atEnd ? 0.5 : -0.8), (atEnd ? 1.1 : 0) noenhanced font small tc rgb hue(f)
        } else {
            set label f at first x1, first y1 left offset 0.7, (f eq "linear" ? -0.7 : 0.5) noenhanced font small tc rgb hue(f)
        }
    }
}
H = 450
top = 28
height = 340
right = 20
eval begin
eval place
set title "blocked jobs, %, against latency, ns" . (measured ? "" : " (closed form)") font bold offset 0, -0.7
set xlabel "latency of packets between racks, ns; numbers: weights" offset 0, 0.6
set logscale y
set format y "%g"
set offsets graph 0.03, graph 0.09, 0, 0
set xtics offset 0, 0.3
set yrange [low / 1.15:high * 1.25]
eval "set ytics " . powers(low / 1.15, high * 1.25)
if (bound == bound) {
    set arrow from graph 0, first bound to graph 1, first bound nohead lc rgb "black" dt 2 lw 1.5
    set label "best possible" at graph 0.99, first bound right offset 0, 0.6 font small
}
plot for [f in families] data using (fam(f, across)):(100 * fam(f, "blocking")) smooth unique with lines lc rgb hue(f) lw 2, \
     for [f in families] data using (fam(f, across)):(100 * fam(f, "blocking_lower")):(0):(100 * (fam(f, "blocking_upper") - fam(f, "blocking_lower"))) with vectors nohead lc rgb hue(f) lw 1.2, \
     for [f in families] data using (fam(f, across)):(100 * fam(f, "blocking")) with points lc rgb hue(f) pt 7 ps 0.8, \
     for [f in families] data using (fam(f, across)):(100 * fam(f, "blocking")):(setting(strcol("policy"))) with labels font small offset -0.6, -0.7 right tc rgb hue(f)
unset multiplot
