# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws where the time of training jobs went, as an SVG file, from timeline.csv of training-jobs:
#
#   awk -F, -f examples/figures/training-timeline.awk timeline.csv >timeline.svg
#
# One panel a design, one bar a job. Also -v jobs=8, the most jobs of a panel.

function color(cause) {
    if (cause == "computation") return "#0072b2"
    if (cause == "queue") return "#d9d9d9"
    if (cause == "circuits") return "#e69f00"
    if (cause == "dark") return "#222222"
    if (cause == "sharing") return "#cc79a7"
    if (cause == "overhead") return "#f0e442"
    return "#009e73" # messages
}

# The parts of communication have one colour, and one word.
function word(cause) {
    if (color(cause) == "#009e73") return "messages"
    return cause
}

BEGIN { jobs = jobs ? jobs : 8 }

NR > 1 {
    if (!($1 in panel)) {
        panel[$1] = panels++
        design[panel[$1]] = $1
    }
    if (!(($1, $2) in row)) row[$1, $2] = rows[$1]++
    if (row[$1, $2] >= jobs) next
    if ($4 > end) end = $4
    n++
    of[n] = $1
    bar[n] = row[$1, $2]
    begin[n] = $3
    stop[n] = $4
    cause[n] = $5
    if (!(word($5) in seen)) {
        seen[word($5)] = 1
        words[++nWords] = word($5)
        hue[nWords] = color($5)
    }
}

END {
    if (!n) {
        print "error: no rows, expected timeline.csv of training-jobs" >"/dev/stderr"
        exit 1
    }
    left = 62
    width = 560
    unit = 15
    top = 34
    for (p = 0; p < panels; ++p) {
        y[p] = top + 18
        top += 26 + unit * (rows[design[p]] < jobs ? rows[design[p]] : jobs)
    }
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n",
        left + width + 18, top + 40
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    x = left
    for (i = 1; i <= nWords; ++i) {
        printf "<rect x=\"%g\" y=\"10\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x, hue[i]
        printf "<text x=\"%g\" y=\"20\">%s</text>\n", x + 16, words[i]
        x += 34 + 6.6 * length(words[i])
    }
    for (p = 0; p < panels; ++p) {
        printf "<text x=\"%g\" y=\"%g\" font-weight=\"bold\">%s</text>\n", left, y[p] - 4, design[p]
        for (i = 0; i < rows[design[p]] && i < jobs; ++i) {
            printf "<text text-anchor=\"end\" x=\"%g\" y=\"%g\">job %d</text>\n", left - 6,
                y[p] + unit * i + 11, i
        }
    }
    for (i = 1; i <= n; ++i) {
        printf "<rect x=\"%.2f\" y=\"%g\" width=\"%.2f\" height=\"%g\" fill=\"%s\"/>\n",
            left + width * begin[i] / end, y[panel[of[i]]] + unit * bar[i] + 1,
            width * (stop[i] - begin[i]) / end, unit - 3, color(cause[i])
    }
    step = 10 ^ int(log(end) / log(10) - (end < 1))
    if (end / step < 2) step /= 5
    else if (end / step < 5) step /= 2
    for (t = 0; t <= end; t += step) {
        x = left + width * t / end
        printf "<path d=\"M%g %g v5\" stroke=\"black\"/>\n", x, top - 4
        printf "<text text-anchor=\"middle\" x=\"%g\" y=\"%g\">%g</text>\n", x, top + 15, t
    }
    printf "<path d=\"M%g %g h%g\" stroke=\"black\"/>\n", left, top - 4, width
    printf "<text text-anchor=\"middle\" x=\"%g\" y=\"%g\">ms</text>\n", left + width / 2, top + 31
    print "</svg>"
}
