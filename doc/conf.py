# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# `./ns3 docs` builds this manual by itself. Each chapter is a file as ns-3's own module chapters are,
# so that a tree's manual can take them too.

project = "odcn"
author = "The odcn authors"
copyright = "2026, The odcn authors"
master_doc = "index"
highlight_language = "cpp"
html_theme = "alabaster"
rst_prolog = """
.. |ns3| replace:: *ns-3*
"""
