# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 5: four quantities over the load, of the rules and agents that are ahead and of those of the paper.

shown = among("all2all-ccf odcn-jcb odcn-score linear imitation")
if (words(shown) < 2) { shown = names }
# Whether packets were simulated; without them the closed form is shown.
measured = strstrt(system(sprintf("grep -m 1 -v '^#' '%s'", data)), "packet_ns") > 0
x = 'column("load")'
H = 820
eval begin
loads = ""
stats data using (p = strcol("load"), loads = strstrt(loads . ",", "," . p . ",") ? loads : loads . "," . p, 0) nooutput
eval("set xtics (" . loads[2:] . ")")
height = 148
factor = 100; logy = 1; bound = "best possible"
heading = "(a) blocked jobs, %"; quantity = "blocking"; top = 28
load "lines.gp"
factor = 1; logy = 0; bound = ""
heading = "(b) latency, ns" . (measured ? "" : " (closed form)"); quantity = measured ? "packet_ns" : "estimated_latency_ns"; top = 220
load "lines.gp"
factor = 100; logy = 1
heading = "(c) packets lost, %" . (measured ? "" : " (closed form)"); quantity = measured ? "packet_loss" : "estimated_loss"; top = 412
load "lines.gp"
factor = 1; logy = 0
heading = "(d) reconfigurations of circuits per job"; quantity = "reconfigurations_per_job"; top = 604
xtitle = "load: mean duration of a job"
load "lines.gp"
unset multiplot
