# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 2 of the NARA paper: acceptance and utilization.

columns = "acceptance cpu_use memory_use"
part3(i) = word("acceptance CPU memory", i) . (i > 1 ? " in use" : "")
load "rddc-lines.gp"
