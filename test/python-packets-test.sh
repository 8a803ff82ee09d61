#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Packets in the loop of an agent in Python: jobs and packets of queue-rule, packets that add up, measured
# rewards, episodes that begin anew, errors, Ctrl-C.
#
# Usage: python-packets-test.sh PROGRAM FOLDER, the path of queue-rule and the folder of the module. Exit
# status 77: no module, or no NumPy for its Python.

folder=$2
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
find_python "$folder" numpy _odcn # Debian: pybind11-dev python3-dev python3-numpy

"$program" --jobs=40 --warmUp=300 --replications=1 --RngRun=5 --policies=odcn-jcb --output=cpp >out 2>err ||
    { complain "queue-rule"; cat err; }

cat >packets.py <<'END_OF_PYTHON'
"""The first of an assertion is Python's."""
import csv
import os
import signal
import threading

import numpy as np

import odcn

SETTING = {
    "JobTimeUnit": "200ns",
    "ReconfigurationTime": "100ns",
    "LatencyTime": "2us",
    "IntraRackFlows": False,
    "warm_up": 300,
}


def episode(env, seed, decide, most=100000):
    """Steps of an episode: action, reward, packets."""
    observation, info = env.reset(seed=seed)
    assert info["seed"] == seed and env.observation_space.contains(observation)
    steps = [(None, 0.0, info["packets"], observation)]
    over = False
    while not over and len(steps) < most:
        action = decide(env)
        observation, reward, terminated, over, info = env.step(action)
        assert not terminated and env.observation_space.contains(observation)
        steps.append((action, reward, info["packets"], observation))
    return steps, info


# The rule: the jobs and packets of the program.
env = odcn.make_packets(jobs=40, **SETTING)
steps, info = episode(env, 5, odcn.PacketEnv.decide)
with open("cpp/summary.csv", encoding="ascii") as file:
    (want,) = [row for row in csv.DictReader(file) if row["policy"] == "odcn-jcb"]
sums = {name: sum(step[2][name] for step in steps) for name in ("sent", "received", "lost")}
assert sums["sent"] == float(want["packets"]) > 1000, (sums, want)
assert sums["lost"] / sums["sent"] == float(want["packet_loss"])
assert sums["sent"] == sums["received"] + sums["lost"]  # after the last job, all have arrived
for name in ("blocking", "reconfigurations_per_job", "latency_ns"):
    assert name not in want or info["figures"][name] == float(want[name]), (name, info["figures"], want)
assert info["figures"]["blocking"] == float(want["blocking"])

# Packets are in flight at decisions, add up, and time goes on; queues and latencies are observed.
sent = received = lost = 0
for _, _, packets, _ in steps:
    sent, received, lost = (a + packets[k] for a, k in ((sent, "sent"), (received, "received"), (lost, "lost")))
    assert packets["in_flight"] == sent - received - lost >= 0
assert sum(step[2]["in_flight"] > 0 for step in steps) > 20
assert sum(step[2]["queued_bytes"] > 0 for step in steps) > 5
times = [step[2]["time_s"] for step in steps]
assert times == sorted(times) and times[-1] > times[0]
assert steps[-1][2]["latency_ns"] > 0
assert (steps[-1][3] == 0).all() and len(set(step[3].tobytes() for step in steps)) > 20
assert env.observation_space.shape[0] > odcn.make("odcn-drl-scheduling").observation_space.shape[0]
assert len({step[1] for step in steps}) > 5

# The same seed, the same episode; another action, other packets of the same jobs.
again, _ = episode(env, 5, odcn.PacketEnv.decide)
assert [step[:3] for step in again] == [step[:3] for step in steps]
other, _ = episode(env, 5, lambda env: int(np.flatnonzero(np.append(env.action_masks(), True))[0]))
assert [step[2]["sent"] for step in other] != [step[2]["sent"] for step in steps]

# Rewards are measured; or one's own.
formula = odcn.make_packets(jobs=40, Reward="Formula", **SETTING)
assert [step[1] for step in episode(formula, 5, odcn.PacketEnv.decide)[0]] != [step[1] for step in steps]
own = odcn.make_packets(jobs=40, reward=lambda packets, reward: -packets["queued_bytes"], **SETTING)
assert all(step[1] == -step[2]["queued_bytes"] for step in episode(own, 5, odcn.PacketEnv.decide)[0][1:])

# One episode at a time in a process; close() or the end of the episode lets others begin.
episode(env, 5, odcn.PacketEnv.decide, 5)
few = {"source": [0], "destination": [5], "bytes": [1000], "start_ns": [0.0]}
fabric = odcn.fabric("ideal")
for call in (lambda: own.reset(seed=1), lambda: fabric.run(few), lambda: odcn.make_packets(jobs=1)):
    try:
        call()
        raise AssertionError("two at a time")
    except odcn.OdcnError as error:
        assert "close() it first" in str(error)
env.step(env.decide())  # goes on
env.close()
assert fabric.run(few).packets["received"] == 1
assert [step[:3] for step in episode(env, 5, odcn.PacketEnv.decide)[0]] == [step[:3] for step in steps]
assert fabric.run(few).packets["received"] == 1
left = odcn.make_packets(jobs=40, **SETTING)
episode(left, 5, odcn.PacketEnv.decide, 3)
del left  # ends its episode
assert fabric.run(few).packets["received"] == 1

# Errors: one line each.
for text, call in (
    ("no episode", lambda: env.step(0)),
    ("no episode", env.decide),
    ("jobs: found 0", lambda: odcn.make_packets(jobs=0)),
    ("load: found 0", lambda: odcn.make_packets(load=0)),
    ("load: found 'x'", lambda: odcn.make_packets(load="x")),
    ("nobody", lambda: odcn.make_packets(policy="nobody")),
    ("policy: found None", lambda: odcn.make_packets(policy=None)),
    ("reward: found 3", lambda: odcn.make_packets(reward=3)),
    ("Colour", lambda: odcn.make_packets(Colour=1)),
    ("JobTimeUnit: found 'x'", lambda: odcn.make_packets(JobTimeUnit="x")),
    ("seed: found -1", lambda: env.reset(seed=-1)),
):
    try:
        call()
        raise AssertionError(f"{text}: not refused")
    except odcn.OdcnError as error:
        assert text in str(error) and "\n" not in str(error), (text, str(error))
env.reset(seed=5)
for action in (-1, 16, 1.0, [1, 2]):
    try:
        env.step(action)
        raise AssertionError(f"{action}: not refused")
    except odcn.OdcnError as error:
        assert "action: found" in str(error)
env.close()

# A child of fork() has no simulation: what it calls is refused, and it ends. The parent goes on.
env.reset(seed=5)
vector = odcn.make_vec("odcn-drl-scheduling", 2, threads=2)
vector.reset(seed=1)
child = os.fork()
if child == 0:
    said = 0
    for call in (
        lambda: env.step(0),
        env.decide,
        lambda: env.reset(seed=1),
        lambda: fabric.run(few),
        lambda: vector.step([0, 0]),
        lambda: odcn.make("odcn-drl-scheduling"),
    ):
        try:
            call()
        except odcn.OdcnError as error:
            said += "forked" in str(error) and "\n" not in str(error)
    env.close()
    del env, vector
    os._exit(said)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 6
env.step(env.decide())
vector.step([0, 0])
env.close()
child = os.fork()  # now it may simulate
if child == 0:
    os._exit(fabric.run(few).packets["received"])
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1

# Ctrl-C within a step, here that of the first decision after many jobs.
long = odcn.make_packets(jobs=10, warm_up=10000000)
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    long.reset(seed=1)
    raise AssertionError("Ctrl-C does not end a step")
except KeyboardInterrupt:
    pass
assert [step[:3] for step in episode(env, 5, odcn.PacketEnv.decide)[0]] == [step[:3] for step in steps]
END_OF_PYTHON
"$python" packets.py || complain "packets"
conclude
