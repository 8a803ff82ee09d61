# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fig. 3 of the NARA paper: channels in use on each tier.

columns = "tier_1_use tier_2_use tier_3_use"
part3(i) = sprintf("channels of tier %d in use", i)
load "rddc-lines.gp"
