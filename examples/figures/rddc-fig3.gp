# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 3 of the NARA paper: channels in use on each tier.

columns = "tier_1_use tier_2_use tier_3_use"
array headings[3] = ["(a) channels of tier 1 in use, %", "(b) channels of tier 2 in use, %", "(c) channels of tier 3 in use, %"]
load "rddc-lines.gp"
