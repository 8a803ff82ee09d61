# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The look of all figures.

set style fill solid 0.85 border
set grid ytics lc rgb "#dddddd"
set border 3
set tics nomirror out
set errorbars 0.6
# Colours by number, for what has none of its own.
hues = "#1f78b4 #e08214 #33a02c #984ea3 #d7191c #00b8a9 #b8a000 #f781bf #8c510a #7f7f7f #252525 #6baed6"
numbered_hue(i) = word(hues, i % words(hues) + 1)
