# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Draws the units that each job of a set holds, as an SVG file, from jobs.csv of cluster-job-scheduling:
#
#   awk -F, -f examples/figures/cluster-gantt.awk -v policy=sjf jobs.csv >sjf.svg
#
# Also -v workload="rate 0.7", -v protocol=all-done (by default the first of the file), -v set=0, -v machines=1,
# -v capacity=10, and -v slots=40, the time slots of the picture.

function note(job) { last[job] = n++; id[last[job]] = job }

# Adjacent slots in which a job holds the same units form one box.
function draw(i, resource, y0,    held, stop, slot, bottom, begin, x, y, w) {
    held = units[resource, i]
    stop = finish[i] < slots ? finish[i] : slots
    for (slot = start[i]; slot < stop && held > 0;) {
        begin = slot
        bottom = filled[resource, machine[i], slot] + 0
        while (slot < stop && filled[resource, machine[i], slot] + 0 == bottom) {
            filled[resource, machine[i], slot++] += held
        }
        x = left + width * begin
        y = y0 + unit * (machine[i] * capacity + bottom)
        w = width * (slot - begin)
        # Consecutive numbers get very different hues.
        printf "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"hsl(%d,60%%,70%%)\" stroke=\"#444\" stroke-width=\"0.6\"/>\n",
            x, y, w, unit * held, id[i] * 137 % 360
        if (unit * held >= 10) {
            printf "<text text-anchor=\"middle\" x=\"%g\" y=\"%g\">%d</text>\n", x + w / 2, y + unit * held / 2 + 3.5, id[i]
        }
    }
}

BEGIN {
    set += 0
    machines = machines ? machines : 1
    capacity = capacity ? capacity : 10
    slots = slots ? slots : 40
}

NR == 2 {
    workload = workload ? workload : $1
    protocol = protocol ? protocol : $2
}

NR == 1 || $1 != workload || $2 != protocol || $3 != policy || $4 != set { next }

$10 == "scheduled" {
    note($5)
    start[last[$5]] = $11
    units[0, last[$5]] = $8
    units[1, last[$5]] = $9
    machine[last[$5]] = $13
    finish[last[$5]] = $12
}

$10 == "interrupted" { finish[last[$5]] = $12 }

$10 == "displaced" { finish[last[$5]] = start[last[$5]] }

END {
    left = 60
    width = 16
    unit = 160 / (machines * capacity)
    unit = unit < 0.2 ? 0.2 : unit > 16 ? 16 : unit
    panel = unit * machines * capacity
    height = 34 + 2 * (panel + 34)
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" font-family=\"sans-serif\" font-size=\"10\">\n",
        left + width * slots + 10, height
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    printf "<text x=\"%g\" y=\"16\" font-size=\"13\">%s, %s, %s, set %d</text>\n", left, policy, workload, protocol, set
    for (resource = 0; resource < 2; ++resource) {
        y0 = 34 + resource * (panel + 34)
        printf "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#f4f4f4\" stroke=\"#888\"/>\n",
            left, y0, width * slots, panel
        printf "<text x=\"8\" y=\"%g\">%s</text>\n", y0 + panel / 2, resource ? "memory" : "CPU"
        for (slot = 0; slot <= slots; slot += 5) {
            printf "<text text-anchor=\"middle\" x=\"%g\" y=\"%g\">%d</text>\n", left + width * slot, y0 + panel + 12, slot
        }
        for (i = 0; i < n; ++i) {
            draw(i, resource, y0)
        }
    }
    printf "<text x=\"%g\" y=\"%g\">time slots; the numbers in the boxes are those of the jobs</text>\n</svg>\n", left, height - 6
}
