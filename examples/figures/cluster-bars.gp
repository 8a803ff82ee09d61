# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# One bar per policy in each panel; the calling script sets `columns` and `axis`. Rewards are shown
# as costs. A calling script with `inside` 1 has already begun the multiplot.

sign(c) = c eq "reward" ? -1 : 1
of(p, c) = strcol("policy") eq p ? sign(c[1:6]) * column(c) : NaN
place(p) = (i = 0, sum [j = 1:words(policies)] (word(policies, j) eq p ? (i = j, 0) : 0), i)
n = words(policies)
if (!inside) {
    set multiplot layout 1, 2 margins 0.08, 0.98, 0.30, 0.94 spacing 0.10, 0
}
set boxwidth 0.7
set xrange [0.4:n + 0.6]
set yrange [0:*]
set offsets 0, 0, graph 0.06, 0
many = n > 12
tilt = many ? 60 : 40
size1 = many ? ",10" : ",12"
size2 = many ? ",7" : ",10"
set xtics rotate by tilt right scale 0 offset 0.5, 0 noenhanced font size1
set xtics ("" 0)
do for [i = 1:n] {
    eval(sprintf('set xtics add ("%s" %d)', label(word(policies, i)), i))
}
unset key
do for [k = 1:words(columns)] {
    c = word(columns, k)
    set title axis(k) offset 0, -0.5
    plot for [p in policies] data using (place(p)):(of(p, c)) with boxes lc rgb colour(p) notitle, \
         for [p in policies] data using (place(p)):(of(p, c . "_lower")):(0):(of(p, c . "_upper") - of(p, c . "_lower")) with vectors heads size screen 0.004, 90 lc rgb "black" notitle, \
         for [p in policies] data using (place(p)):(of(p, c . (c eq "reward" ? "_lower" : "_upper"))):(strcol("policy") eq p ? sprintf("%.3g", of(p, c)) : "") with labels offset 0, 0.6 font size2 notitle
}
