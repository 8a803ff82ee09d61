#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs the notebooks of examples/python that need no Gymnasium, and completion.py; test/gymnasium-test.sh runs odcn.ipynb.
#
# Usage: notebooks-test.sh PROGRAM FOLDER, the path of any program and the folder of the module. Exit status
# 77: no module, or no NumPy or matplotlib for its Python.

folder=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$root/test/odcn-program-kit.sh"
find_python "$folder" numpy matplotlib _odcn # Debian: pybind11-dev python3-dev python3-numpy python3-matplotlib

cat >notebook.py <<'END_OF_PYTHON'
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

names = {}
plots = 0
for cell in json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        assert cell["outputs"] == [] and cell["execution_count"] is None, "clear the notebook's outputs"
        exec("".join(cell["source"]), names)
        for number in plt.get_fignums():
            axes = plt.figure(number).axes
            assert all(a.lines or a.collections or a.patches for a in axes), "an empty plot"
            plots += len(axes)
        plt.close("all")
assert plots > 0, "no plot"
END_OF_PYTHON
for notebook in fabrics training packets own-ideas; do
    "$python" notebook.py "$root/examples/python/$notebook.ipynb" >out 2>err || { complain "$notebook.ipynb"; cat err; }
done
"$python" "$root/examples/python/completion.py" picture.png >out 2>err && [ -s picture.png ] || { complain "completion.py"; cat err; }
conclude
