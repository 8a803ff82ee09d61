# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# A panel of curves with their names at the right end. The caller sets data, shown (names), x (an expression), quantity,
# heading, top and height; logy, y0 (lower end of a linear axis), xtitle, bound (name of a row that is drawn dashed) if wanted.

n = words(shown)
array end[n + 1]
array till[n + 1]
array spot[n + 1]
least = 1e300; most = -1e300; x0 = 1e300; x1 = -1e300
set xrange [*:*]
set yrange [*:*]
unset logscale y
do for [i = 1:n] {
    p = word(shown, i)
    end[i] = NaN
    edge = -1e300
    stats data using (v = of(p, quantity), at = @x, good = v == v && (!logy || v > 0), \
        a = good ? finite(factor * upper(quantity)) : 0, b = good ? finite(factor * lower(quantity)) : 0, \
        good && at >= edge ? (edge = at, end[i] = v, till[i] = at) : 0, \
        good ? (least = min(least, b == b && (!logy || b > 0) ? b : v), most = max(most, a == a ? a : v), x0 = min(x0, at), x1 = max(x1, at)) : 0, 0) nooutput
}
m = n
if (bound ne "") {
    stats data using (v = of(bound, quantity), v == v && (!logy || v > 0) ? (m = n + 1, end[m] = v, till[m] = x1, least = min(least, v)) : 0, 0) nooutput
}
if (most < least) { least = 1; most = 2; x0 = 0; x1 = 1 }
if (x0 == x1) { x0 = x0 - 1; x1 = x1 + 1 }
low = logy ? least / 1.15 : min(y0, least)
high = logy ? most * 1.15 : (most > low ? low + 1.06 * (most - low) : low + 1)
share(v) = logy ? (log(v) - log(low)) / (log(high) - log(low)) : (v - low) / (high - low)

# Names are at the height of the last point, in this order, moved apart where they would overlap.
gap = 17.0 / height
array order[m]
k = 0
do for [i = 1:m] {
    if (end[i] == end[i]) {
        k = k + 1
        j = k
        while (j > 1 && end[order[max(1, j - 1)]] > end[i]) { order[j] = order[j - 1]; j = j - 1 }
        order[j] = i
        spot[i] = share(end[i])
    }
}
do for [round = 1:60] {
    do for [j = 2:k] {
        d = gap - (spot[order[j]] - spot[order[j - 1]])
        if (d > 0) { spot[order[j]] = spot[order[j]] + 0.5 * d; spot[order[j - 1]] = spot[order[j - 1]] - 0.5 * d }
    }
    do for [j = 1:k] { spot[order[j]] = min(1 - gap * (k - j) + 0.02, max(gap * (j - 1) + 0.02, spot[order[j]])) }
}
eval place
unset label
unset arrow
set title heading font bold offset 0, -0.7
unset logscale y
set yrange [low:high]
if (logy) { set logscale y }
eval "set ytics " . ticks(low, high, logy, max(2, height / 38))
set format y "%g"
set xtics offset 0, 0.3
pad = logx ? 0 : 0.03 * (x1 - x0)
set xrange [x0 / (logx ? 1.06 : 1) - pad:x1 * (logx ? 1.06 : 1) + pad]
if (xtitle ne "") { set xlabel xtitle offset 0, 0.6; set format x "%g" } else { unset xlabel; set format x "" }
do for [i = 1:m] {
    if (end[i] == end[i]) {
        p = i > n ? bound : word(shown, i)
        tint = i > n ? "#000000" : hue(p)
        set label label(p) at graph 1.055, graph spot[i] left noenhanced font small tc rgb tint
        set arrow from first till[i], first end[i] to graph 1.045, graph spot[i] nohead lc rgb tint lw 0.7
    }
}
drawn(p) = (v = of(p, quantity), logy && v <= 0 ? NaN : v)
bottom(p) = max(low, finite(factor * lower(quantity)))
# Without a bound, the first curve is drawn twice: an empty plot would be a warning.
dashed = m > n ? bound : word(shown, 1)
plot data using (@x):(drawn(dashed)) smooth unique with lines lc rgb (m > n ? "black" : hue(dashed)) lw 1.5 dt m > n ? 2 : dash(dashed), \
     for [p in shown] data using (@x):(bottom(p)):(0):(drawn(p) == drawn(p) ? finite(factor * upper(quantity)) - bottom(p) : NaN) with vectors nohead lc rgb hue(p) lw 1.5, \
     for [i = 1:n] data using (@x):(drawn(word(shown, i))) smooth unique with linespoints lc rgb hue(word(shown, i)) pt dash(word(shown, i)) > 1 ? -1 : symbol(i) ps 0.65 lw 2 dt dash(word(shown, i))
