# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws how many jobs policies of training-slices complete and how many chips they use, with the
# intervals of the runs, as an SVG file. Policies with other Attributes are left out:
#
#   awk -F, -f examples/figures/slices.awk doc/results/slices/mixed.csv >doc/figures/slices.svg

function text(x, y, anchor, what) {
    printf "<text x=\"%g\" y=\"%g\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, what
}

function place(value) { return left + (width + gap) * panel + width * value }

function draw(figure, title,    i, p) {
    text(left + (width + gap) * panel + width / 2, 16, "middle", title)
    for (i = 0; i <= 4; ++i) {
        printf "<path d=\"M%g 24 V%g\" stroke=\"#cccccc\"/>\n", place(i / 4), bottom
        text(place(i / 4), bottom + 15, "middle", 25 * i)
    }
    for (p = 1; p <= n; ++p) {
        y = 28 + unit * (p - 1)
        printf "<rect x=\"%g\" y=\"%g\" width=\"%.2f\" height=\"%g\" fill=\"#0072b2\"/>\n", place(0), y, width * mean[p, figure], unit - 6
        printf "<path d=\"M%.2f %g H%.2f\" stroke=\"#e69f00\" stroke-width=\"3\"/>\n", place(lower[p, figure]), y + unit / 2 - 3, place(upper[p, figure])
    }
    ++panel
}

NR > 1 && $1 !~ /\[/ { # rather than with other Attributes
    if (!($1 in index_)) {
        index_[$1] = ++n
        policy[n] = $1
    }
    mean[index_[$1], $2] = $3
    lower[index_[$1], $2] = $4
    upper[index_[$1], $2] = $5
}

END {
    left = 92
    width = 240
    gap = 40
    unit = 22
    bottom = 28 + unit * n
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" font-family=\"sans-serif\" font-size=\"12\">\n", left + 2 * width + gap + 20, bottom + 22
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    for (p = 1; p <= n; ++p) text(left - 6, 28 + unit * (p - 1) + 13, "end", policy[p])
    draw("completed", "jobs completed, %")
    draw("utilisation_of_arrivals", "chips used while jobs arrive, %")
    print "</svg>"
}
