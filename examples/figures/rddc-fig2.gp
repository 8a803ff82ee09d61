# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 2 of the NARA paper: acceptance and utilization.

columns = "acceptance cpu_use memory_use"
array headings[3] = ["(a) requests accepted, %", "(b) CPU in use, %", "(c) memory in use, %"]
load "rddc-lines.gp"
