# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c icci.gp FOLDER PRESET: plot FOLDER/PRESET*.csv to FOLDER/PRESET-fig*.png.

folder = ARG1
preset = ARG2
summary = folder . "/" . preset . ".csv"
blocks = folder . "/" . preset . "-hotspots.csv"
tasks = folder . "/" . preset . "-tasks.csv"

set datafile separator comma
set datafile columnheaders
set datafile missing NaN

# In the order of the file.
policies = ""
stats summary using (policies = policies . (policies eq "" ? "" : " ") . strcol("policy"), 0) nooutput
n = words(policies)
place(p) = sum [i = 1:n] (word(policies, i) eq p ? i : 0)
colours = "#7f7f7f #e08214 #fdb863 #8c510a #a6cee3 #c7b8e0 #1f78b4 #33a02c #d7191c #984ea3 #f781bf #1b9e9e #b8a000 #252525"
colour(i) = word(colours, (i - 1) % words(colours) + 1)
areas = "business residential other"
shades = "#4575b4 #d73027 #bdbdbd"

set style fill solid 0.85 border
set border 3
set tics nomirror out

# One bar per policy, with its confidence interval.
bars(c) = sprintf("plot for [i = 1:n] summary using (place(strcol('policy')) == i ? i : NaN):(scale * column('%s')) with boxes lc rgb colour(i) notitle, summary using (place(strcol('policy'))):(scale * column('%s_lower')):(0):(scale * (column('%s_upper') - column('%s_lower'))) with vectors heads size screen 0.004,90 lc rgb 'black' notitle", c, c, c, c)
# One bar per policy and area, as a share of `whole`.
byArea(c) = sprintf("plot for [a = 1:3] summary using (place(strcol('policy')) + 0.26 * (a - 2)):(scale * column('%s_' . word(areas, a)) / %s) with boxes lc rgb word(shades, a) title word(areas, a)", c, whole)
# One bar per policy and task of a day.
byTask(c) = sprintf("plot for [i = 1:n] tasks using (place(strcol('policy')) == i ? column('task') + 0.9 * (i - 0.5) / n - 0.45 : NaN):(scale * column('%s')) with boxes lc rgb colour(i) title word(policies, i)", c)
names = ""
do for [i = 1:n] {
    names = names . (i > 1 ? ", " : "") . sprintf("'%s' %d", word(policies, i), i)
}
names = "set xtics rotate by -55 (" . names . ")"

# Fig. 6: remaining CUs of every centre in every hour of one day.
rows = (n + 2) / 3
set terminal pngcairo size 1250, 330 * rows font "DejaVu Sans,10" background "white"
set output folder . "/" . preset . "-fig6.png"
set multiplot layout rows, 3
set palette defined (0 "#67001f", 20 "#d6604d", 20.01 "#fddbc7", 50 "#f7f7f7", 100 "#2166ac")
set cbrange [0:100]
set xrange [-0.5:23.5]
set yrange [-0.5:21.5]
set xlabel "hour" offset 0, 0.7
set ylabel "centre" offset 1
do for [i = 1:n] {
    set title word(policies, i)
    plot blocks using (strcol("policy") eq word(policies, i) ? column("hour") : NaN):(column("centre")):(column("remaining_cus")) with image notitle
}
unset multiplot
unset xlabel
unset colorbox
set xrange [0.4:n + 0.6]
set yrange [0:*]
set grid ytics lc rgb "#dddddd"
eval names
set terminal pngcairo size 1250, 560 font "DejaVu Sans,10" background "white"
set boxwidth 0.7

set output folder . "/" . preset . "-fig7.png"
set multiplot layout 1, 2
scale = 1
set title "Hotspot CU-time blocks of a day"
set ylabel "blocks" offset 1
eval bars("hot_blocks")
set title "Workers migrated in a day"
set ylabel "workers" offset 1
eval bars("moved_workers")
unset multiplot

set output folder . "/" . preset . "-fig8-9.png"
set multiplot layout 1, 3
set boxwidth 0.24
set key outside below horizontal center samplen 1
whole = "1"
scale = 100
set title "CUs in use"
set ylabel "%" offset 1
eval byArea("use")
scale = 1
set title "Variance of CUs in use over centres and hours"
set ylabel "points squared" offset 1
eval byArea("variance")
whole = "column('hot_blocks')"
scale = 100
set title "Where the hotspot blocks are"
set ylabel "%" offset 1
eval byArea("hot")
unset multiplot
unset key

set output folder . "/" . preset . "-fig10-11.png"
set multiplot layout 1, 3
set boxwidth 0.7
scale = 1
set title "Hops of a ring" offset 0, 0
set ylabel "hops" offset 1
eval bars("hops")
scale = 100
set title "Wavelengths in use"
set ylabel "%" offset 1
eval bars("bandwidth")
set boxwidth 0.24
set key outside below horizontal center samplen 1
whole = "1"
set title "Wavelengths in use by area"
eval byArea("bandwidth")
unset multiplot
unset key

set output folder . "/" . preset . "-fig13-14.png"
set multiplot layout 1, 3
set boxwidth 0.7
scale = 1
set title "Downtime of all tasks of a day" offset 0, 0
set ylabel "s" offset 1
eval bars("downtime")
set title "Downtime of a migration that moved workers"
eval bars("migration_downtime")
scale = 100
set yrange [*:*]
set title "Ahead of time, all tasks"
set ylabel "%" offset 1
eval bars("ahead_of_time")
unset multiplot

set output folder . "/" . preset . "-fig12-15.png"
set terminal pngcairo size 1250, 700 font "DejaVu Sans,10" background "white"
set multiplot layout 2, 1
set key outside below horizontal center samplen 1
set xtics norotate autofreq
set xtics 1
set xrange [-0.6:*]
set yrange [0:*]
set boxwidth 0.9 / n
scale = 1
set title "Workers migrated, task by task of one day"
set ylabel "workers" offset 1
set ytics 1
eval byTask("moved_workers")
set ytics autofreq
set yrange [*:*]
scale = 100
set title "Ahead of time, task by task of the same day"
set ylabel "%" offset 1
eval byTask("ahead_of_time")
unset multiplot
