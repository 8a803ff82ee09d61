# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c icci.gp FOLDER PRESET: plot FOLDER/PRESET*.csv to FOLDER/PRESET-fig*.svg.

folder = ARG1
preset = ARG2
data = folder . "/" . preset . ".csv"
blocks = folder . "/" . preset . "-hotspots.csv"
tasks = folder . "/" . preset . "-tasks.csv"
load "style.gp"
logx = 0; bound = ""; xtitle = ""
eval list
rows = names
n = words(rows)
strong = among("full-node greedy greedy-dwa linear linear-dwa")
areas = "business residential other"
shades = "#1f78b4 #d7191c #7f7f7f"

# Fig. 6: remaining CUs of every centre in every hour of one day, without migration, and by the policies that are ahead.
shown = among("none full-node greedy linear-dwa")
output = folder . "/" . preset . "-fig6.svg"
H = 560
eval begin
set palette defined (0 "#67001f", 20 "#d6604d", 20.01 "#fddbc7", 50 "#f7f7f7", 100 "#2166ac")
set cbrange [0:100]
set xrange [-0.5:23.5]
set yrange [-0.5:21.5]
set label 2 "centre" at screen 0.022, 0.5 center rotate by 90 font small
set label 1 "free computing units, %" at screen 0.985, 0.5 center rotate by 90 font small
height = 200
do for [i = 1:min(4, words(shown))] {
    left = i % 2 ? 56 : 280
    right = W - left - 192
    top = i > 2 ? 286 : 28
    eval place
    set format y (i % 2 ? "%g" : "")
    if (i > 1) { unset label }
    set title word(shown, i) font bold offset 0, -0.7
    if (i > 2) { set xlabel "hour of the day" offset 0, 0.6 }
    set xtics 6 offset 0, 0.3
    set ytics 5
    if (i == 2) { set colorbox user origin 0.85, 0.14 size 0.022, 0.75 } else { unset colorbox }
    plot blocks using (strcol("policy") eq word(shown, i) ? column("hour") : NaN):(column("centre")):(column("remaining_cus")) with image pixels
}
unset multiplot
unset label
set format y "%g"
unset colorbox
set xtics autofreq

# A row for each policy: quantities, headings and units of the panels.
top = 28
height = 19 * n
values = 1
first = 148
dotted = 'do for [k = 1:words(columns)] { named = k == 1; left = first + (k - 1) * each; right = W - left - each + 26; quantity = word(columns, k); heading = headings[k]; xtitle = units[k]; factor = factors[k]; load "dots.gp" }'

output = folder . "/" . preset . "-fig7.svg"
H = height + 96
eval begin
each = (W - first) / 2
columns = "hot_blocks moved_workers"
array headings[3]; array units[3]; array factors[3]
headings[1] = "hotspot blocks"; headings[2] = "workers moved"
units[1] = "CU-time blocks of a day"; units[2] = "in a day"
factors[1] = 1; factors[2] = 1
eval dotted
unset multiplot

output = folder . "/" . preset . "-fig13-14.svg"
eval begin
each = (W - first) / 3
columns = "downtime migration_downtime ahead_of_time"
headings[1] = "downtime"; headings[2] = "one migration"; headings[3] = "ahead of time"
units[1] = "s, tasks of a day"; units[2] = "s, with workers"; units[3] = "%, all tasks"
factors[3] = 100
eval dotted
unset multiplot

# By area: a colour for each, named above the first panel.
level(p) = -(sum [w = 1:n] (word(rows, w) eq p ? w : 0))
output = folder . "/" . preset . "-fig8-9.svg"
H = height + 120
top = 52
eval begin
columns = "use variance hot"
headings[1] = "CUs in use"; headings[2] = "their variance"; headings[3] = "hotspot blocks"
units[1] = "%"; units[2] = "points squared"; units[3] = "% of all"
factors[1] = 100; factors[2] = 1; factors[3] = 100
do for [k = 1:3] { named = k == 1; left = first + (k - 1) * each; right = W - left - each + 26; quantity = word(columns, k); heading = headings[k]; xtitle = units[k]; factor = factors[k]; load "icci-areas.gp" }
unset multiplot

output = folder . "/" . preset . "-fig10-11.svg"
eval begin
columns = "hops bandwidth"
headings[1] = "hops of a ring"; headings[2] = "wavelengths"
units[1] = "hops"; units[2] = "% in use"
factors[1] = 1
factors[2] = 100
eval dotted
left = first + 2 * each; right = W - left - each + 26
quantity = "bandwidth"; heading = "by area"; xtitle = "% in use"; factor = 100; named = 0
load "icci-areas.gp"
unset multiplot

# Task by task of one day: the area of a circle is the quantity.
output = folder . "/" . preset . "-fig12-15.svg"
height = 17 * n
H = 2 * height + 150
eval begin
set xrange [*:*]
set yrange [*:*]
stats tasks using (column("task")) nooutput
last = STATS_max
left = first
right = 12
set border 1
unset logscale
set grid noytics noxtics
do for [k = 1:2] {
    top = k == 1 ? 28 : height + 66
    c = word("moved_workers ahead_of_time", k)
    set xrange [*:*]
    set yrange [*:*]
    stats tasks using (column(c)) nooutput
    most = max(1e-9, STATS_max)
    eval place
    set title (k == 1 ? sprintf("workers moved, task by task (largest circle: %g)", most) : sprintf("ahead of time (largest circle: %.1f %%)", 100 * most)) font bold offset -4, -0.7
    set xrange [-0.6:last + 0.6]
    set yrange [-n - 0.6:-0.4]
    unset ytics
    unset xlabel
    unset label
    unset arrow
    set xtics 1 offset 0, 0.3
    if (k == 1) { set format x "" } else { set format x "%g"; set xlabel "task of the day" offset 0, 0.6 }
    do for [i = 1:n] {
        set label word(rows, i) at graph 0, first -i right offset -0.6, 0 noenhanced font small
        set arrow from graph 0, first -i to graph 1, first -i nohead back lc rgb "#eeeeee" lw 1
    }
    plot tasks using (column(c) > 0 ? column("task") : NaN):(level(strcol("policy"))):(1.1 * sqrt(column(c) / most)) with points pt 7 ps variable lc rgb "#1f78b4"
}
unset multiplot
