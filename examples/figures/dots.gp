# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# A panel of rows, each a value with its interval. The caller sets data, rows (names), strong (those in colour), quantity,
# heading, top, height, left and right; named (whether the names are written), logx, values (whether values are written),
# bound (name of a row that is drawn as a dashed line) if wanted. A row ~HEADING has no value; its _ is a space.

n = words(rows)
level(p) = (k = 0, sum [j = 1:n] (word(rows, j) eq p ? (k = j, 0) : 0), -k)
bright(p) = sum [j = 1:words(strong)] (word(strong, j) eq p ? 1 : 0)
tone(p) = strong eq "" || bright(p) ? hue(p) : "#707070"
least = 1e300; most = -1e300
marked = "" # rows that have a value
set xrange [*:*]
set yrange [*:*]
unset logscale
do for [p in rows] {
    if (p[1:1] eq "~") { continue }
    any = 0
    stats data using (v = of(p, quantity), a = finite(factor * upper(quantity)), b = finite(factor * lower(quantity)), \
        v == v && (!logx || v > 0) ? (any = 1, most = max(most, max(a == a ? a : v, b == b ? b : v)), least = min(least, min(a == a && (!logx || a > 0) ? a : v, b == b && (!logx || b > 0) ? b : v))) : 0, 0) nooutput
    if (any) { marked = marked . " " . p }
}
line = 1e300
if (bound ne "") {
    stats data using (v = of(bound, quantity), v == v && (!logx || v > 0) ? (line = v, least = min(least, v)) : 0, 0) nooutput
}
if (most < least) { least = logx ? 1 : 0; most = logx ? 10 : 1 }
wide = W - left - right
room = values ? 46.0 / (wide - 46) : 0.06
low = logx ? least / 1.25 : min(0, least)
high = logx ? most * (most / low) ** room : most + room * (most - low)
if (high <= low) { high = low + 1 }
eval place
unset label
unset arrow
set title heading font bold offset 0, -0.7
set xlabel xtitle offset 0, 0.6
unset logscale
if (logx) { set logscale x }
eval "set xtics offset 0, 0.3 " . ticks(low, most, logx, max(2, wide / 62))
set format x "%g"
set xrange [low:high]
set yrange [-n - 0.6:-0.4]
unset ytics
set grid noytics xtics lc rgb "#e2e2e2" lw 1
set border 1
do for [i = 1:n] {
    p = word(rows, i)
    if (p[1:1] eq "~") {
        at = strstrt(p, "_")
        if (named) { set label p[2:(at > 0 ? at : 1e3) - 1] . (at > 0 ? " " . p[at + 1:] : "") at graph 0, first -i right offset -0.6, 0 font bold }
        continue
    }
    if (named) { set label label(p) at graph 0, first -i right offset -0.6, 0 noenhanced font small tc rgb (bright(p) ? hue(p) : "#222222") }
    set arrow from graph 0, first -i to graph 1, first -i nohead back lc rgb "#eeeeee" lw 1
}
if (line < 1e300) { set arrow from line, graph 0 to line, graph 1 nohead lc rgb "black" dt 2 lw 1.5 }
beyond(p, c) = (v = of(p, c), a = finite(factor * upper(c)), b = finite(factor * lower(c)), v == v ? max(max(v, a == a ? a : v), b == b ? b : v) : NaN)
drawn(p) = (v = of(p, quantity), logx && v <= 0 ? NaN : v)
start(p) = max(low, finite(factor * lower(quantity)))
plot for [p in marked] data using (start(p)):(level(p)):(drawn(p) == drawn(p) ? finite(factor * upper(quantity)) - start(p) : NaN):(0) with vectors nohead lc rgb tone(p) lw 2, \
     for [p in marked] data using (drawn(p)):(level(p)) with points lc rgb tone(p) pt 7 ps 0.7, \
     for [p in marked] data using (beyond(p, quantity)):(level(p)):(values && strcol(key) eq p && @only ? (abs(of(p, quantity)) < 0.005 * most && !logx ? "0" : sprintf("%.3g", of(p, quantity))) : "") \
        with labels left offset 0.5, 0 font small tc rgb tone(p)
