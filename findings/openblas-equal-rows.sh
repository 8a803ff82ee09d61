#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# OpenBLAS 0.3.29, as in the wheel of NumPy 2.2.6 (PyPI), kernels Haswell (AVX2), one thread, single precision: rows that
# are equal bit for bit give different rows in one matrix product, by their place among more than four. The kernel takes
# blocks of four rows and the rest one by one or in pairs, and adds in another order there.
#
# Guess before the run: X @ W with all rows of X equal has all rows equal; at most, a product of another height differs.
# Seen: 1 to 4 equal rows give one result; 5 and 6 rows give two, 8 one, 9 to 13 two, 16 three; the difference is in the
# last digits (8e-6 of values of about 10).
# For users of odcn: a network that scores the racks of an observation one a row, or environments one a row, may rate
# equal racks differently, and its decision then depends on how many were evaluated together. odcn evaluates networks
# whose result would depend on it one observation at a time.
#
# Exits with 0 while this is so. Needs a processor with AVX2.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
grep -qw avx2 /proc/cpuinfo || { echo "error: no AVX2" >&2; exit 1; }
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q numpy==2.2.6

OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=1 "$folder/venv/bin/python" - <<'END'
import sys

import numpy

random = numpy.random.default_rng(1)
weights = random.standard_normal((64, 64)).astype(numpy.float32)
row = random.standard_normal(64).astype(numpy.float32)
results = {n: len({bytes(r) for r in numpy.tile(row, (n, 1)) @ weights}) for n in (1, 2, 3, 4, 5, 6, 8, 9, 12, 13, 16)}
print(f"NumPy {numpy.__version__}: different results of equal rows, by their number:", results)
sys.exit(results != {1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 8: 1, 9: 2, 12: 2, 13: 2, 16: 3})
END
