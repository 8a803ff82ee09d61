# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The installed module odcn, without ns-3, compiler and Gymnasium: an episode, data files, and the message of agents.

Usage: wheel-test.py
"""
import importlib.metadata
import os
import sys

import odcn

folder = os.path.dirname(os.path.realpath(odcn.__file__))
assert "site-packages" in folder, folder
env = odcn.make("odcn-drl-scheduling", load=66, Racks=16, Pattern="ring", jobs=200, policy="odcn-jcb")
observation, info = env.reset(seed=1)
done = False
steps = 0
while not done:
    observation, reward, terminated, truncated, info = env.step(env.decide())
    done = terminated or truncated
    steps += 1
assert steps > 0

# Agents are not in it, and it says so in one line.
agents = [str(file.locate()) for file in importlib.metadata.files("odcn") if file.name == "odcn.pt"]
assert agents, "no agent's file"
try:
    odcn.make("odcn-drl-scheduling", policy=agents[0])
    raise AssertionError("an agent was taken")
except odcn.OdcnError as error:
    assert "does not load LibTorch" in str(error) and "\n" not in str(error), error

# Libraries of ns-3 are the wheel's own.
with open("/proc/self/maps", encoding="utf-8") as maps:
    loaded = {line.split()[-1] for line in maps if "libns3" in line}
assert loaded and all(path.startswith(folder) for path in loaded), loaded

files = [str(file) for file in importlib.metadata.files("odcn")]
assert any(name.endswith("licenses/LICENSE") for name in files), "no licence"
assert any("licenses/bundled/libns3" in name for name in files), "no licence of ns-3"
print(f"odcn {importlib.metadata.version('odcn')}, Python {sys.version.split()[0]}: an episode of {steps} decisions")
