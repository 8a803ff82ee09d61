# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Completion times of flows on a rotor fabric, as a picture, of doc/python.rst: completion.py FILE.png"""
import sys

import matplotlib
import numpy as np
import odcn

matplotlib.use("Agg")
import matplotlib.pyplot as plt

fabric = odcn.fabric("rotornet", racks=16, servers=4, uplinks=4)
result = fabric.run("websearch", load=0.1, duration=20, engine="exact", seed=1)
for name, chosen in (
    ("below 2 MB", result.flows["bytes"] < 2_000_000),
    ("2 MB and more", result.flows["bytes"] >= 2_000_000),
):
    times = np.sort(result.flows["completion_ns"][chosen] / 1e3)
    plt.step(times, np.arange(1, len(times) + 1) / len(times), where="post", label=f"{name}: {len(times)} flows")
plt.xscale("log")
plt.xlabel("completion time, us")
plt.ylabel("share of flows")
plt.title(f"{fabric.name}, {fabric.racks} racks, {result.engine} engine")
plt.legend()
plt.savefig(sys.argv[1])
print(f"{len(result.flows)} flows, median {np.nanmedian(result.flows['completion_ns']) / 1e3:.1f} us: {sys.argv[1]}")
