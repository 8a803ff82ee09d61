# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What all figures share: a canvas that stays legible at one column (3.5 inches, where its text of 15 units has 6.8 points),
# colours, and panels. Figures are SVG; rsvg-convert -f pdf makes PDF of them.
# A figure sets H, then evaluates `begin`; a panel is loaded from lines.gp or dots.gp.

set datafile separator comma
set datafile columnheaders
set datafile missing NaN
set border 3 lc rgb "#555555"
set tics nomirror out scale 0.5 textcolor rgb "#222222"
set grid ytics lc rgb "#e2e2e2" lw 1
set style fill solid 1 noborder
unset key

# Width of the canvas, margins of a panel in its units, and its texts.
W = 560
left = 74
right = 136
small = "DejaVu Sans,14"
bold = "DejaVu Sans:Bold,15"
begin = 'set terminal svg size W, H font "DejaVu Sans,15" background "white"; set output output; set multiplot'
# From the edges of the canvas.
place = 'set lmargin at screen left / real(W); set rmargin at screen 1 - right / real(W); set tmargin at screen 1 - top / real(H); set bmargin at screen 1 - (top + height) / real(H)'

min(a, b) = a < b ? a : b
max(a, b) = a > b ? a : b
# Ticks of an axis from a to b: about one in count-ths of its length; 1, 2 and 5 of each power of ten where it is logarithmic.
step(s) = (z = 10 ** floor(log10(s)), q = s / z, q < 1.5 ? z : q < 3.5 ? 2 * z : q < 7.5 ? 5 * z : 10 * z)
powers(a, b) = (s = "", sum [e = -12:12] sum [d = 1:6] (v = real(word("1 2 5 1.5 3 4", d)) * 10.0 ** e, v >= 0.999 * a && v <= 1.001 * b && (d == 1 || d < 4 && b < 120 * a || b < 5 * a) ? (s = s . (s eq "" ? "" : ", ") . sprintf("'%g' %g", v, v), 0) : 0), s eq "" ? "autofreq" : "(" . s . ")")
ticks(a, b, logarithmic, count) = logarithmic ? powers(a, b) : sprintf("%g", step((b - a) / real(count)))
finite(v) = v > -1e300 && v < 1e300 ? v : NaN

# Colours: those of policies that figures compare have one everywhere, so that a reader finds them again.
hues = "#d7191c #1f78b4 #2a8f3a #e08214 #7b3fa0 #5a5a5a"
fixed = "imitation=#d7191c linear=#1f78b4 odcn-score=#2a8f3a odcn-jcb=#7b3fa0 all2all-ccf=#5a5a5a drl-paper=#e08214 odcn-packing=#e08214 \
    fcfs=#5a5a5a sjf=#2a8f3a random-feasible=#e08214 random=#8c510a deeprm-paper=#1f78b4 deeprm-plus-paper=#d7191c deeprm=#0a8f8f deeprm-plus=#b0529c a2cscheduler=#7b3fa0 deeprm-r2=#5a8fbe deeprm-plus-r2=#c04a4a \
    nulb=#5a5a5a nalb=#7b3fa0 tetris=#e08214 tetris-best=#2a8f3a nara-paper=#d7191c \
    none=#5a5a5a full-node=#e08214 greedy=#2a8f3a linear-dwa=#d7191c greedy-dwa=#7b3fa0 \
    expander=#2a8f3a rotornet=#1f78b4 opera=#d7191c"
found(p) = (hit = 0, sum [i = 1:words(fixed)] (word(fixed, i)[:strlen(p) + 1] eq p . "=" ? (hit = i, 0) : 0), hit)
hue(p) = found(p) > 0 ? word(fixed, found(p))[strlen(p) + 2:] : "#444444"
# Line of a name: 2 for dashed.
dash(p) = 1
symbols = "7 5 9 13 11 15"
symbol(i) = int(word(symbols, (i - 1) % words(symbols) + 1))

# What figures name as the program does.
label(p) = p eq "tetris-ties" ? "tetris[Knob=0.001]" : p

# Rows of a panel: those of `key`, and of `only`, an expression.
key = "policy"
only = "1"
lower(c) = column(c . "_lower")
upper(c) = column(c . "_upper")
factor = 1
of(p, c) = strcol(key) eq p && @only ? factor * column(c) : NaN
# Names in the order of the file: evaluate `list`.
names = ""
list = 'names = ""; stats data using (p = strcol(key), names = strstrt(names . " ", " " . p . " ") > 0 || p eq "best possible" || p eq "raw-bound" ? names : names . " " . p, 0) nooutput'
# Those of a list that the data have.
among(some) = (s = "", sum [i = 1:words(some)] (strstrt(names . " ", " " . word(some, i) . " ") > 0 ? (s = s . " " . word(some, i), 0) : 0), s)
