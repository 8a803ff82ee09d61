# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The installed module odcn, without ns-3, compiler and Gymnasium: an episode, fabrics, programs, licences.

Usage: wheel-test.py
"""
import importlib.metadata
import os
import subprocess
import sys
import tempfile

import numpy
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

# A fabric; and bounds by cuts, since there is no GLPK.
fabric = odcn.fabric("rotornet", racks=8, servers=2, uplinks=2)
flows = fabric.run("websearch", load=0.3, duration=10, engine="exact", seed=1).flows
assert len(flows) > 10, len(flows)
assert fabric.bound(cuts=True) > 0
try:
    fabric.bound("permutation")
    raise AssertionError("a linear program was solved")
except odcn.OdcnError as error:
    assert "without GLPK" in str(error) and "\n" not in str(error), error

# Programs, with their data, in another folder; those with agents are named.
odcn_command = os.path.join(os.path.dirname(sys.executable), "odcn")
with tempfile.TemporaryDirectory() as work:

    def run(*words):
        """What the command odcn prints."""
        return subprocess.run([odcn_command, *words], cwd=work, capture_output=True, text=True, check=False)

    listed = run("run")
    assert listed.returncode == 0 and "  optical-fabrics " in listed.stdout, listed
    assert "torch-first: needs LibTorch" in listed.stdout, listed.stdout
    names = [line.split()[0] for line in listed.stdout.splitlines() if line.startswith("  ")]
    assert len(names) > 25, names
    first = run("run", "rotor-first")
    assert first.returncode == 0 and "Completion" in first.stdout, first
    report = run("run", "optical-fabrics", "--designs=rotornet,expander", "--racks=8", "--servers=2", "--uplinks=2",
                 "--load=0.3", "--duration=5", "--replications=1", "--output=mine")
    assert report.returncode == 0 and os.path.exists(os.path.join(work, "mine", "report.html")), report
    # The same flows and times as in Python.
    with open(os.path.join(work, "mine", "rotornet-flows.csv"), encoding="ascii") as file:
        rows = [line.split(",") for line in file.read().splitlines()]
    same = fabric.run("websearch", load=0.3, duration=5, drain=1000, engine="exact").flows
    assert [float(row[rows[0].index("completion_ns")]) for row in rows[1:]] == list(same["completion_ns"])
    jobs = run("run", "odcn-drl-scheduling", "--policies=odcn-jcb,odcn-score", "--jobs=200", "--replications=2")
    assert jobs.returncode == 0, jobs
    missing = run("run", "torch-first")
    assert missing.returncode == 1 and missing.stderr.count("\n") == 1 and "LibTorch" in missing.stderr, missing

files = [str(file) for file in importlib.metadata.files("odcn")]
assert not any(name in file for file in files for name in ("libgsl", "libglpk")), "GSL or GLPK"
assert any(name.endswith("licenses/LICENSE") for name in files), "no licence"
assert any("licenses/bundled/libns3" in name for name in files), "no licence of ns-3"
print(f"odcn {importlib.metadata.version('odcn')}, Python {sys.version.split()[0]}: NumPy {numpy.__version__}: an episode "
      f"of {steps} decisions, {len(flows)} flows, {len(names)} programs")
