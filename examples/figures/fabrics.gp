# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -c fabrics.gp FOLDER: plot FOLDER/summary.csv to FOLDER/fabrics.svg: completion times of short and of long flows, of designs
# by class.

folder = ARG1
output = folder . "/fabrics.svg"
data = "< awk -F, -f fabrics.awk '" . folder . "/summary.csv'"
load "style.gp"
logx = 1; bound = ""; values = 1
key = "design"
eval list

array classes[5]
array members[5]
classes[1] = "electrical"; members[1] = "ideal fat-tree clos-3:1"
classes[2] = "fixed_circuits"; members[2] = "expander max-weight"
classes[3] = "schedule"; members[3] = "rotornet-direct rotornet opera opera-hold sirius hybrid"
classes[4] = "known_demand"; members[4] = "birkhoff vermilion"
classes[5] = "controllers"; members[5] = "helios greedy agent"
rows = ""
tints = "#5a5a5a #2a8f3a #1f78b4 #e08214 #d7191c #7b3fa0"
do for [c = 1:5] {
    has = among(members[c])
    if (words(has) > 0) { rows = rows . " ~" . classes[c] . has }
}
others = ""
do for [p in names] { if (strstrt(rows . " ", " " . p . " ") == 0) { others = others . " " . p } }
rows = rows . (others eq "" ? "" : " ~others" . others)
hue(p) = (k9 = 6, sum [w = 1:5] (strstrt(" " . members[w] . " ", " " . p . " ") > 0 ? (k9 = w, 0) : 0), word(tints, k9))
strong = names
height = 19 * words(rows)
H = height + 96
top = 28
eval begin
left = 152
right = 224
named = 1
heading = "flows below 100 kB"; xtitle = "median, us"; quantity = "short"
load "dots.gp"
named = 0
left = 364
right = 12
heading = "flows of 1 MB and more"; xtitle = "99th percentile, ms"; quantity = "long"
load "dots.gp"
unset multiplot
