# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# `./ns3 docs` builds this manual by itself. Each chapter is a file as ns-3's own module chapters are,
# so that a tree's manual can take them too.

import shutil
import subprocess
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.util.nodes import nested_parse_with_titles

ROOT = Path(__file__).resolve().parent.parent

project = "odcn"
author = "The odcn authors"
copyright = "2026, The odcn authors"
version = release = (ROOT / "VERSION").read_text().strip()
extensions = ["myst_parser", "sphinx.ext.mathjax"]
master_doc = "index"
highlight_language = "none"
html_theme = "sphinx_rtd_theme"
html_title = f"odcn {release}"
html_logo = "figures/odcn-icon.png"
html_static_path = ["odcn.css"]
html_css_files = ["odcn.css"]
html_show_sourcelink = False
myst_heading_anchors = 4
rst_prolog = """
.. |ns3| replace:: *ns-3*
"""

# The parts of Debian's libjs-mathjax that formulas need are copied, so the pages need no network.
MATHJAX = Path("/usr/share/javascript/mathjax")
if MATHJAX.is_dir():
    mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_CHTML"


class Types(Directive):
    """All TypeIds with their Attributes and trace sources, as build/bin/odcn-types, of the last docs --types, prints them."""

    def run(self):
        program = ROOT / "build" / "bin" / "odcn-types"
        text = "Not in this copy of the manual: ``./ns3 docs --types`` compiles the library and asks it."
        if program.exists():
            text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
        section = nodes.section()
        section.document = self.state.document
        nested_parse_with_titles(self.state, StringList(text.splitlines(), str(program)), section)
        return section.children


def copy_files(app, failure):
    """Copy MathJax and Doxygen's pages beside the manual's."""
    if failure or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    if MATHJAX.is_dir() and not (static / "mathjax").exists():
        for part in ("MathJax.js", "config/TeX-AMS_CHTML.js", "extensions", "jax/element", "jax/input/TeX",
                     "jax/output/CommonHTML", "fonts/HTML-CSS/TeX/woff"):
            target = static / "mathjax" / part
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (MATHJAX / part).is_dir() else shutil.copy)(MATHJAX / part, target)


def setup(app):
    app.add_directive("odcn-types", Types)
    app.connect("build-finished", copy_files)
