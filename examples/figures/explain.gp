# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Why a policy places a job as it does: three decisions with the features that decide between two racks, and the curve of the
# training, if there is one.

shares = folder . "/explain-shares.csv"
curve = folder . "/explain-training.csv"
curves = int(system("test -s '" . curve . "' && echo 1 || echo 0"))
panels = 0
array heading[3]
stats shares using (p = column("panel"), panels = max(panels, p), heading[p] = strcol("title"), 0) nooutput
H = panels * 205 + 40 + curves * 220
left = 230
right = 60
height = 130
eval begin
do for [p = 1:panels] {
    top = 34 + (p - 1) * 205
    eval place
    set title heading[p] font bold offset 0, -0.7
    set xlabel (p == panels ? "score of the first rack less that of the second" : "") offset 0, 0.6 font small
    set xrange [*:*]
    set yrange [7.6:0.4]
    set xtics auto
    set format x "%g"
    set ytics scale 0
    set xzeroaxis
    set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb "#555555"
    plot sprintf("< awk -F, 'NR == 1 || $1 == %d' '%s'", p, shares) using (column("share") / 2):"row":(abs(column("share")) / 2):(0.36):(column("share") < 0 ? 0xd7191c : 0x1f78b4):ytic(strcol("feature")) with boxxyerror lc rgb variable fs solid 1
}
unset arrow 1
if (curves) {
    top = 60 + panels * 205
    left = 74
    height = 140
    eval place
    what = ""
    set xrange [*:*]
    set yrange [*:*]
    stats curve using (what = strcol("what"), 0) nooutput
    set title "training: " . what font bold offset 0, -0.7
    set xlabel "decisions" offset 0, 0.6
    set format x "%.0s%c"
    set format y "%g"
    unset ytics
    set ytics nomirror out scale 0.5 textcolor rgb "#222222" autofreq
    set yrange [*:*]
    set xrange [0:*]
    plot curve using "decisions":"value" with lines lw 1.5 lc rgb "#1f78b4"
}
unset multiplot
