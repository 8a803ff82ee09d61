# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Figs. 6 and 7: four quantities at one load.

is(p) = strcol("policy") eq p
of(p, c) = is(p) ? column(c) : NaN
place(p) = (i = 0, sum [j = 1:words(policies)] (word(policies, j) eq p ? (i = j, 0) : 0), i)
form_ns = measured > 0 ? "closed_form_ns" : "estimated_latency_ns"
form_loss = measured > 0 ? "closed_form_loss" : "estimated_loss"

set multiplot layout 2, 2 margins 0.085, 0.98, 0.16, 0.95 spacing 0.10, 0.10
set boxwidth 0.7
values = words(policies) > 8 ? ",8" : ",12"
set xrange [0.4:words(policies) + 0.6]
unset xtics
unset key

set title "(a) blocked jobs"
set ylabel "%" offset 1.5
set yrange [0:*]
plot for [p in policies] data using (place(p)):(100 * of(p, "blocking")) with boxes lc rgb colour(p) notitle, \
     for [p in policies] data using (place(p)):(100 * of(p, "blocking")):(100 * of(p, "blocking_lower")):(100 * of(p, "blocking_upper")) with yerrorbars lc rgb "black" pt -1 notitle, \
     for [p in policies] data using (place(p)):(100 * of(p, "blocking")):(is(p) ? sprintf("%.2f", 100 * column("blocking")) : "") with labels font values offset 0, 0.8 notitle, \
     data using (0.4):(100 * of("least possible", "blocking")):(words(policies) + 0.2):(0) with vectors nohead lc rgb "black" dt 2 notitle

set title "(b) latency: packets, and closed form (circles)"
set ylabel "ns" offset 1.5
plot for [p in policies] data using (place(p)):(of(p, "packet_ns")) with boxes lc rgb colour(p) notitle, \
     for [p in policies] data using (place(p)):(of(p, "packet_ns")):(of(p, "packet_ns_lower")):(of(p, "packet_ns_upper")) with yerrorbars lc rgb "black" pt -1 notitle, \
     for [p in policies] data using (place(p)):(of(p, form_ns)) with points lc rgb "black" pt 6 ps 1 notitle

set title "(c) packets lost, and closed form (circles)"
set ylabel "%" offset 1.5
plot for [p in policies] data using (place(p)):(100 * of(p, "packet_loss")) with boxes lc rgb colour(p) notitle, \
     for [p in policies] data using (place(p)):(100 * of(p, "packet_loss")):(100 * of(p, "packet_loss_lower")):(100 * of(p, "packet_loss_upper")) with yerrorbars lc rgb "black" pt -1 notitle, \
     for [p in policies] data using (place(p)):(100 * of(p, form_loss)) with points lc rgb "black" pt 6 ps 1 notitle

set title "(d) reconfigurations a job"
set ylabel "" offset 1.5
plot for [p in policies] data using (place(p)):(of(p, "reconfigurations_per_job")) with boxes lc rgb colour(p) notitle, \
     for [p in policies] data using (place(p)):(of(p, "reconfigurations_per_job")):(of(p, "reconfigurations_per_job_lower")):(of(p, "reconfigurations_per_job_upper")) with yerrorbars lc rgb "black" pt -1 notitle, \
     for [p in policies] data using (place(p)):(of(p, "reconfigurations_per_job")):(is(p) ? (p eq "all2all-ccf" ? "fixed" : sprintf("%.2g", column("reconfigurations_per_job"))) : "") with labels font values offset 0, 0.8 notitle

load "key.gp"
