# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c draw.gp FIGURE FOLDER: plot FOLDER/FIGURE.csv to FOLDER/FIGURE.svg and .png; for
# rddc-FIGURE, plot the tables of rddc-nara-allocation in FOLDER.
# FIGURE.gp in this folder has the plot commands; this file has the common settings.

name = ARG1
folder = ARG2
rddc = name[1:5] eq "rddc-"
cluster = name[1:8] eq "cluster-"
data = folder . "/" . (rddc ? "summary" : name) . ".csv"

set datafile separator comma
set datafile columnheaders
set datafile missing NaN

# Titles, colours and shapes of policies, with defaults for unknown ones.
known = "all2all-ccf odcn-ccf odcn-jcb odcn-packing odcn-score imitation drl-a2c linear-16 random nulb nalb tetris tetris-best linear fcfs hrrn packer tetris-ties easy sjf deeprm deeprm-plus a2cscheduler deeprm-before deeprm-plus-before deeprm-r2 deeprm-plus-r2 deeprm-trace deeprm-plus-trace a2cscheduler-trace nara-paper drl-paper first-fit untrained tetris@LeastUsed deeprm-paper deeprm-plus-paper random-feasible drl-paper-mask"
titles = "ALL2ALL-CCF|ODCN-CCF|ODCN-JCB|packing rule (ours)|score rule (ours)|network for all patterns (ours)|A2C (ours)|linear of 16 ToRs|random|NULB|NALB|Tetris|Tetris, best form|linear (ours)|FCFS|HRRN|packer|Tetris, knob 0.001|EASY|SJF|DeepRM, mask|DeepRM\\_Plus, mask|A2cScheduler|DeepRM, before|DeepRM\\_Plus, before|DeepRM, R2|DeepRM\\_Plus, R2|DeepRM, mask, tuned|DeepRM\\_Plus, mask, tuned|A2cScheduler, tuned|NARA|the paper's method|first fit|untrained network|Tetris, least used|DeepRM|DeepRM\\_Plus|random, feasible|the paper's method, mask"
colours = "#7f7f7f #e08214 #1f78b4 #33a02c #00b8a9 #d7191c #f781bf #e6ab02 #984ea3 #d7191c #33a02c #fdae61 #e08214 #e7298a #8c510a #6baed6 #c7a76c #e08214 #7f7f7f #33a02c #f781bf #d7191c #1f78b4 #fbc4e2 #f08a8b #e7298a #a50026 #e7298a #a50026 #08519c #1f78b4 #252525 #8c510a #bdbdbd #b8a000 #c51b8a #7a0177 #54278f #737373"
shapes = "5 9 7 11 4 13 12 15 1 2 4 8 9 13 10 3 8 9 2 5 13 7 11 12 6 15 4 15 4 10 5 6 14 3 15 7 5 10 4"
# The suffix -likeliest marks an agent that takes the likeliest action, in a paler colour.
likeliest(p) = strlen(p) > 10 && p[strlen(p) - 9:] eq "-likeliest"
base(p) = likeliest(p) ? p[:strlen(p) - 10] : p
number(p) = sum [i = 1:words(known)] (word(known, i) eq base(p) ? i : 0)
part(i) = (s = "", k = 1, sum [j = 1:strlen(titles)] (titles[j:j] eq "|" ? (k = k + 1, 0) : (k == i ? (s = s . titles[j:j], 0) : 0)), s)
label(p) = (number(p) > 0 ? part(number(p)) : base(p)) . (likeliest(p) ? ", likeliest" : "")
hue(p) = number(p) > 0 ? word(colours, number(p)) : "#8c510a"
colour(p) = likeliest(p) ? "#80" . hue(p)[2:] : hue(p)
shape(p) = number(p) > 0 ? int(word(shapes, number(p))) : 8

# Whether there are figures of packets.
measured = strstrt(system(sprintf("grep -m 1 -v '^#' '%s'", data)), "packet_ns")

# Policies in the order of the file.
policies = ""
if (name ne "fig3") {
    stats data using (p = strcol("policy"), seen = p eq "raw-bound" || p eq "least possible" || sum [i = 1:words(policies)] (word(policies, i) eq p ? 1 : 0), policies = seen ? policies : policies . " " . p, 0) nooutput
}
# Topologies of the disaggregated data centre in the order of the file.
topologies = ""
if (rddc) {
    stats data using (p = strcol("topology"), seen = sum [i = 1:words(topologies)] (word(topologies, i) eq p ? 1 : 0), topologies = seen ? topologies : topologies . " " . p, 0) nooutput
}
script = name eq "fig6" || name eq "fig7" ? "bars.gp" : name . ".gp"

do for [kind in "svg png"] {
    if (kind eq "svg") {
        set terminal svg size 900, 680 font "DejaVu Sans,12" background "white"
    } else {
        set terminal pngcairo size 1350, 1020 font "DejaVu Sans,12" fontscale 1.4 linewidth 1.5 pointscale 1.5 background "white"
    }
    set output folder . "/" . name . "." . kind
    # Undo the settings of the previous pass.
    reset
    set datafile separator comma
    set datafile columnheaders
    set datafile missing NaN
    load "style.gp"
    load script
    unset multiplot
    set output
}
