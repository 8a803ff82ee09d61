#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The Python module: same episodes as in C++, one environment and many, figures as the program's,
# errors, bounds of observations, graphs, problems in libraries, threads, Ctrl-C.
#
# Usage: python-test.sh PROGRAM FOLDER, the path of odcn-drl-scheduling and the folder of odcn.py; others
# are beside them. Exit status 77: no module, or no NumPy for its Python.

folder=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
find_python "$folder" numpy _odcn # Debian: pybind11-dev python3-dev python3-numpy

"${program%/*}/python-rewards" --help | grep -q '^usage: ' || complain "no help of python-rewards"
"${program%/*}/python-rewards" odcn-jcb >out 2>err && complain "python-rewards without its arguments"
grep -q '^usage: ' err || complain "python-rewards says nothing without its arguments"
"${program%/*}/python-rewards" odcn-jcb 7 20000 >rewards || complain "python-rewards"
"$program" --packets=formula --policies=odcn-jcb --jobs=300 --warmUp=100 --replications=2 \
    --RngRun=3 --output=cpp >out 2>err || { complain "odcn-drl-scheduling"; cat err; }
"${program%/*}/matching-agent" --policies=greedy --loads=0.6 --replications=2 --RngRun=3 \
    --output=matching >out 2>err || { complain "matching-agent"; cat err; }

cat >episodes.py <<'END_OF_PYTHON'
"""Steps environments beside each other. The first of an assertion is Python's."""
import copy
import csv
import pickle
import sys

import numpy as np

import odcn

# Rewards that become known late, in 20,000 decisions of a rule: those of C++, decision by decision.
env = odcn.make("odcn-drl-scheduling", policy="odcn-jcb", jobs=0)
for seed in (8, 7):  # an earlier episode leaves no traces
    observation, info = env.reset(seed=seed)
assert info["seed"] == 7
assert env.observation_space.contains(observation) and env.observation_space.shape == (32,)
with open("rewards", encoding="ascii") as file:
    wanted = [line.split() for line in file]
assert len(wanted) == 20000 and len({reward for _, reward in wanted}) > 100
for number, (action, reward) in enumerate(wanted):
    decided = env.decide()
    _, value, terminated, truncated, _ = env.step(decided)
    assert (decided, value) == (int(action), float(reward)), number
    assert not terminated and not truncated

# Figures: those of the programs.
for folder, figures in (
    ("cpp", odcn.run("OdcnScheduling", "odcn-jcb", jobs=300, warm_up=100, replications=2, seed=3)),
    ("matching", odcn.run("matching-agent", "greedy", jobs=0, replications=2, seed=3, load=0.6)),
):
    with open(folder + "/summary.csv", encoding="ascii") as file:
        row = next(csv.DictReader(file))
    for name, estimate in figures.items():
        for value, column in zip(estimate, (name, name + "_lower", name + "_upper")):
            assert value == float(row[column]), (column, value, row[column])
    assert estimate.mean > 0

# A library adds a problem and a rule.
assert "Admission" not in odcn.problems()
assert odcn.load(sys.argv[1]) == ["Admission"] and odcn.problems()["Admission"] == "Admission"
assert odcn.make("Admission", jobs=0).action_space.n == 2
lost = [
    odcn.run("Admission", rule, jobs=5000, warm_up=100, replications=2)["income_lost"].mean
    for rule in ("Reserve", "ns3::odcn::FirstFitPolicy")
]
assert 0 < lost[0] < lost[1], lost
env = odcn.make("Admission", Channels=1, jobs=30)
assert env.reset(seed=1)[0].tolist() in ([0, 1], [0, np.float32(0.2)]) and env.action_masks()[0]
assert env.step(0)[1] in (1, 5)
decisions = 1
while not env.step(0)[3]:
    decisions += 1
assert decisions == 29  # without jobs of its own, decisions are counted

# Each problem: a vector, by threads, has the episodes of single environments, one after the other.
for name, rule, length in (
    ("odcn-drl-scheduling", "odcn-ccf", 1500),
    ("rddc-nara-allocation", "tetris", 700),
    ("cluster-job-scheduling", "sjf", 300),
    ("icci-hotspot-migration", "greedy", 200),
    ("matching-agent", "random", 130),
    ("training-jobs", "least-total", 130),
    ("Admission", "Reserve", 130),
):
    assert rule in (*odcn.rules(name), "Reserve") and name in odcn.problems()
    vector = odcn.make_vec(name, 3, threads=2, jobs=40, policy=rule)
    observations, _ = vector.reset(seed=5)
    masks, memory = vector.action_masks(), observations.ctypes.data
    singles = [odcn.make(name, jobs=40, policy=rule) for _ in range(3)]
    for i, single in enumerate(singles):
        assert np.array_equal(observations[i], single.reset(seed=5 + i)[0]), name
    ended = 0
    for _ in range(length):
        actions = vector.decide()
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        assert observations.ctypes.data == memory and masks is vector.action_masks()
        for i, single in enumerate(singles):
            assert single.decide() == actions[i], name
            now, reward, over, cut, info = single.step(actions[i])
            assert (reward, over, cut) == (rewards[i], terminated[i], truncated[i]), name
            if over or cut:
                ended += 1
                assert infos["_final_obs"][i] and np.array_equal(infos["final_obs"][i], now), name
                assert infos["_figures"][i], name
                for figure, value in info["figures"].items():
                    assert np.array_equal(infos["figures"][figure][i], value, equal_nan=True)
                now, _ = single.reset()
            elif "figures" in infos:
                known = [x[i] for k, x in infos["figures"].items() if k[0] != "_"]
                assert not infos["_figures"][i] and np.isnan(known).all(), name
            assert np.array_equal(observations[i], now), name
            assert np.array_equal(masks[i], single.action_masks()) and masks.dtype == bool, name
    assert ended > 3, (name, ended)

# Outcomes: those of the figures; rewards made of them, for one environment and for many.
def profit(outcome, own):
    blocked = sum(outcome["blocked_" + cause] for cause in ("compute", "choice", "bandwidth"))
    return outcome["placed"] - 2 * blocked - 0.5 * outcome["reconfigurations"] + 0 * own


rule = dict(policy="odcn-ccf", reward=profit)
single, vector = (odcn.make("odcn-drl-scheduling", **rule), odcn.make_vec("odcn-drl-scheduling", 2, **rule))
single.reset(seed=9)
vector.reset(seed=9)
names = [name for name in vector.step(vector.decide())[4]["outcome"] if name[0] != "_"]
sums, total = dict.fromkeys(names, 0), 0
vector.reset(seed=9)
for _ in range(20000):
    action = single.decide()
    _, reward, _, _, info = single.step(action)
    _, rewards, _, _, infos = vector.step(vector.decide())
    outcome = info["outcome"]
    assert rewards[0] == reward and rewards.shape == (2,)
    assert all(infos["outcome"][name][0] == x or x is None for name, x in outcome.items())
    assert outcome["latency_ns"] is None or outcome["placed"] == 1 and outcome["latency_ns"] > 51
    assert np.isnan(infos["outcome"]["latency_ns"][0]) == (outcome["latency_ns"] is None)
    sums = {name: x + (outcome[name] or 0) for name, x in sums.items()}
    total += reward
figures = single.figures()
jobs = sum(x for name, x in sums.items() if name.startswith(("placed", "blocked")))
blocked = jobs - sums["placed"]
assert 1000 < jobs < 2000 and blocked > 0 and sums["reconfigurations"] > 0
assert figures["blocking"] == blocked / jobs
assert figures["changed_circuits_per_job"] == sums["reconfigurations"] / jobs
assert total == sums["placed"] - 2 * blocked - 0.5 * sums["reconfigurations"]

# A graph: the same numbers, by node and by link, in the arrays that C++ writes.
flat, vector = (
    odcn.make_vec("rddc-nara-allocation", 2, jobs=5, policy="tetris", observation=form)
    for form in ("flat", "graph")
)
rows, parts = (envs.reset(seed=3)[0] for envs in (flat, vector))
single = odcn.make("rddc-nara-allocation", jobs=5, policy="tetris", observation="graph")
alone = single.reset(seed=3)[0]
nodes, links = parts["nodes"].shape[1], parts["edges"].shape[1]
assert parts["edge_index"].shape == (2, 2, links) and parts["nodes"].shape[2] == 3
assert np.all(parts["edge_index"][:, 0] < parts["edge_index"][:, 1]) and nodes > 64
assert np.bincount(parts["edge_index"][0].ravel(), minlength=nodes).min() > 0
assert np.array_equal(parts["candidates"][1], np.arange(64))
for number in range(60):
    together = [parts[name].reshape(2, -1) for name in ("nodes", "edges", "globals")]
    assert np.array_equal(rows, np.hstack(together)), number
    assert vector.observation_space.contains(parts), number
    assert vector.single_observation_space.contains(alone) and alone.keys() == parts.keys()
    assert all(np.array_equal(alone[name], parts[name][0]) for name in parts), number
    actions = flat.decide()
    now, infos = (envs.step(actions)[::4] for envs in (flat, vector))
    assert now[0] is rows and infos[0] is parts
    alone, _, terminated, truncated, _ = single.step(actions[0])
    if terminated or truncated:
        assert np.array_equal(alone["edges"], infos[1]["final_obs"]["edges"][0])
        alone = single.reset()[0]
assert len({number for number in parts["nodes"].ravel()}) > 2

# Bounds hold in episodes of random actions, feasible or not; names are those of rows.
racks = dict(load=90, Racks=6, ServersPerRack=8, jobs=60)
for name, finite, names, attributes in (
    ("odcn-drl-scheduling", 1, ["compute", "bandwidth"], dict(racks, ComputeState="Server")),
    ("odcn-drl-scheduling", 0.5, 3 * 18, dict(racks, State="Placement")),
    ("odcn-drl-scheduling", 0.5, 3 * 18 + 6, dict(racks, State="Traffic", Pattern="full-mesh")),
    ("odcn-drl-scheduling", 0.5, 3 * 18 + 6, dict(racks, State="Whole", Pattern="full-mesh")),
    ("rddc-nara-allocation", 0.9, ["cpu", "memory", "chosen"], dict(jobs=60, load=1.5)),
    ("rddc-nara-allocation", 0.9, 31, dict(jobs=60, load=1.5, State="Placement", observation="graph")),
    ("cluster-job-scheduling", 1, [], dict(jobs=60, load=1.2)),
    ("icci-hotspot-migration", 0, [], dict(jobs=60)),
    ("icci-hotspot-migration", 0, [], dict(jobs=60, Offer="Foreseen", Wavelengths=True)),
    ("icci-hotspot-migration", 0, 24, dict(jobs=60, State="Moves")),
    ("matching-agent", 1, "backlog-served", dict(load=0.9, jobs=60)),
    ("training-jobs", 1, "slowdown-of-all", dict(load=0.9, jobs=60)),
    ("Admission", 0, [], dict(jobs=60)),
):
    vector = odcn.make_vec(name, 4, **attributes)
    space, found = vector.single_observation_space, vector.feature_names
    space = space["nodes"] if "observation" in attributes else space
    ends = np.stack([space.low, space.high])
    assert np.isfinite(ends).mean() >= finite and not np.isnan(ends).any(), (name, attributes)
    assert found == names or len(found) == names or names in found, found
    observations = vector.reset(seed=1)[0]
    rng, extremes = np.random.default_rng(1), []
    for step in range(600):
        masks = vector.action_masks()
        actions = rng.integers(masks.shape[1], size=4)
        if step % 8:
            actions = (masks * rng.random(masks.shape)).argmax(1)
        observations, _, _, _, infos = vector.step(actions)
        assert vector.observation_space.contains(observations), (name, attributes, step)
        assert "final_obs" not in infos or vector.observation_space.contains(infos["final_obs"])
        if finite == 1:
            extremes.append((observations.min(), observations.max()))
    if finite == 1:  # nor are they wider than need be
        assert np.min(extremes) == space.low.min() and np.max(extremes) > 0.99 * space.high.max(), name

# A picture: a column for each rack, and a row for what fits.
env = odcn.make("odcn-drl-scheduling", Racks=4, ServersPerRack=2, load=6, render_mode="rgb_array")
env.reset(seed=1)
while env.action_masks().all():
    env.step(0)
picture = env.render()
scale = 512 // 4
assert picture.shape == (3 * scale, 4 * scale, 3) and picture.dtype == np.uint8
last = picture[5 * scale // 2, scale // 2 :: scale]
assert np.array_equal(last, 255 * env.action_masks()[:, None].repeat(3, 1)) and last.min() == 0
assert odcn.make("odcn-drl-scheduling").render() is None

# Attributes of the problem and of its parts.
env = odcn.make("odcn-drl-scheduling", Racks=4, ServersPerRack=2, Pattern="star", Alpha=0, load=6)
first = env.reset()[1]["seed"]
assert env.action_space.n == 4 and env.action_masks().shape == (4,)
step = env.step(int(np.argmax(env.action_masks())))
assert len(step) == 5 and isinstance(step[1], float) and isinstance(step[2], bool)
assert env.reset()[1] == {}, "an episode that no seed begins"
assert first != odcn.make("odcn-drl-scheduling").reset()[1]["seed"]


def refused(words, call):
    try:
        call()
    except odcn.OdcnError as error:
        assert words in str(error) and "\n" not in str(error), error
    else:
        assert False, "accepted: " + words


refused("action", lambda: env.step(4))
refused("action", lambda: env.step(-1))
refused("policy=", env.decide)
few = odcn.make_vec("odcn-drl-scheduling", 3, policy="odcn-jcb", reward=lambda *_: [0, 1])
few.reset()
refused("(2,) numbers, expected one for each of 3", lambda: few.step(few.decide()))
refused("2^51", lambda: env.reset(seed=2**51))
assert env.reset(seed=5)[1]["seed"] == 5
assert env.reset()[1] == {}, "another episode of the streams of that seed"
assert list(few.reset(seed=5)[1]["seed"]) == [5, 6, 7] and few.reset()[1] == {}
for one in (env, few):
    for take in (copy.copy, copy.deepcopy, pickle.dumps):
        refused("cannot be copied or pickled", lambda: take(one))
for wrong in (-1, 1.5, "1", 2**64):
    refused("seed: found", lambda: env.reset(seed=wrong))
    refused("seed: found", lambda: few.reset(seed=[1, wrong, 3]))
    refused("seed: found", lambda: odcn.run("odcn-drl-scheduling", "odcn-jcb", seed=wrong))
    refused("jobs: found", lambda: odcn.run("odcn-drl-scheduling", "odcn-jcb", jobs=wrong))
    refused("warm_up: found", lambda: odcn.run("odcn-drl-scheduling", "odcn-jcb", warm_up=wrong))
    refused("replications: found", lambda: odcn.run("odcn-drl-scheduling", "odcn-jcb", replications=wrong))
    refused("jobs: found", lambda: odcn.make("odcn-drl-scheduling", jobs=wrong))
    refused("num_envs: found", lambda: odcn.make_vec("odcn-drl-scheduling", wrong))
    refused("threads: found", lambda: odcn.make_vec("odcn-drl-scheduling", 2, threads=wrong))
refused("agents decide in the programs only", lambda: odcn.make("odcn-drl-scheduling", policy="untrained"))
refused("no episode", lambda: odcn.make("odcn-drl-scheduling").step(0))
refused("Nonsense", lambda: odcn.make("odcn-drl-scheduling", Nonsense=1))
refused("Racks", lambda: odcn.make("odcn-drl-scheduling", Racks="many"))
refused("load", lambda: odcn.make("odcn-drl-scheduling", load=-1))
refused("Rate", lambda: odcn.make("cluster-job-scheduling", load=1, Rate=1))
refused("Load", lambda: odcn.make("matching-agent", load=1, Load="UniformRandomVariable"))
refused("Channels", lambda: odcn.make("Admission", Channels=0))
refused("flat", lambda: odcn.make("matching-agent", observation="graph"))
refused("'graph'", lambda: odcn.make("rddc-nara-allocation", observation="image"))
refused("none.so: cannot be loaded", lambda: odcn.load("none.so"))
refused("rddc-nara-allocation", lambda: odcn.make("nonsense"))
refused("'rgb_array'", lambda: odcn.make("matching-agent", render_mode="human"))
refused("odcn-jcb", lambda: odcn.make("odcn-drl-scheduling", policy="nonsense"))
refused("num_envs", lambda: odcn.make_vec("odcn-drl-scheduling", 0))
# Nothing happens in any environment when one action is refused.
vector, other = (odcn.make_vec("odcn-drl-scheduling", 2) for _ in range(2))
vector.reset(seed=[4, 4])
other.reset(seed=4)
refused("actions", lambda: vector.step([1]))
refused("action", lambda: vector.step([0, 16]))
for _ in range(30):
    observations, expected = vector.step([0, 0])[0], other.step([0, 0])[0]
    assert np.array_equal(observations[0], expected[0])
    assert np.array_equal(observations[1], expected[0])
assert not np.array_equal(*expected)
END_OF_PYTHON
"$python" episodes.py "$folder/../lib/libadmission.so" || complain "episodes"

cat >misuse.py <<'END_OF_PYTHON'
"""Threads, problems that change their size, Ctrl-C: refused or handled, and the module goes on."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np

import odcn


def refused(words, call):
    try:
        call()
    except odcn.OdcnError as error:
        assert words in str(error) and "\n" not in str(error), error
        return True
    assert words == "another thread", "accepted: " + words
    return False


# Two threads on one vector: what one calls while the other steps is refused.
vector = odcn.make_vec("odcn-drl-scheduling", 64, policy="odcn-jcb")
vector.reset(seed=1)
stop, end = threading.Event(), time.monotonic() + 60


def step():
    vector.step(np.zeros(64, int))


def keep_stepping():
    while not stop.is_set() and time.monotonic() < end:
        refused("another thread", step)


background = threading.Thread(target=keep_stepping)
background.start()
for call in (step, vector.reset, vector.decide, vector.figures):
    while not refused("another thread", call):
        assert time.monotonic() < end, call
stop.set()
background.join()


# One environment a thread: the episodes of one thread.
def play(env, sums):
    env.reset(seed=3)
    sums.append([env.step(env.decide())[1].sum() for _ in range(400)])


alone, together = [], []
play(vector, alone)
others = [odcn.make_vec("odcn-drl-scheduling", 64, policy="odcn-jcb") for _ in range(2)]
threads = [threading.Thread(target=play, args=(other, together)) for other in others]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert together == 2 * alone

# Sizes that change: with the second episode, or with one that begins within a step.
assert odcn.load(sys.argv[1]) == ["Growing"]
for grows, words in (("actions", "of actions"), ("observation", "of observed"), ("figures", "of figures")):
    refused("Growing: found another number " + words, odcn.make("Growing", Grows=grows).reset)
    steps = odcn.make_vec("Growing", 3, Grows=grows, From=4, jobs=0)
    steps.reset(seed=1)
    steps.step([0, 0, 0])
    refused("Growing: found another number " + words, lambda: steps.step([0, 0, 0]))
    refused("no episode", lambda: steps.step([0, 0, 0]))
values = odcn.make("Growing", Grows="values", jobs=0)
values.reset()
refused("Growing: found another number of values", lambda: values.step(0))
assert odcn.make("Growing", jobs=0).reset()[0].shape == (1000,)

# Actions that are no integers.
env = odcn.make("odcn-drl-scheduling")
env.reset(seed=1)
own = type(env.action_space).__module__ == "odcn"  # not Gymnasium's
for action in (1.9, 1.0, np.float32(2), "1", None, [1, 2], 2**70):
    refused("action", lambda: env.step(action))
    assert not own or not env.action_space.contains(action)
for action in (np.int64(1), np.array([1], np.uint8), True):
    env.step(action)
pair = odcn.make_vec("odcn-drl-scheduling", 2)
pair.reset(seed=1)
refused("float64", lambda: pair.step([0.7, 0.2]))
assert not own or not pair.action_space.contains(np.array([0.7, 0.2]))

# Ctrl-C, which another thread sends: run() leaves Python to it. An environment waits for the end of run().
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored here
rest = []
waiting = threading.Thread(target=lambda: rest.append(env.reset(seed=1)[0]))
threading.Timer(1, waiting.start).start()
threading.Timer(2, lambda: (rest.append("run"), os.kill(os.getpid(), signal.SIGINT))).start()
begin = time.monotonic()
try:
    odcn.run("odcn-drl-scheduling", "odcn-jcb", jobs=10**12)
    assert False, "Ctrl-C was lost"
except KeyboardInterrupt:
    assert 1.5 < time.monotonic() - begin < 60
waiting.join()
assert rest[0] == "run" and len(rest) == 2, "reset() did not wait for run()"
assert odcn.run("odcn-drl-scheduling", "odcn-jcb", jobs=100, replications=2)["blocking"].mean >= 0
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
subprocess.Popen(["sh", "-c", "sleep 1; kill -TERM $PPID"])
odcn.run("odcn-drl-scheduling", "odcn-jcb", jobs=10**12)
END_OF_PYTHON
("$python" misuse.py "$folder/../lib/libgrowing.so"; exit $?) 2>err
[ $? -eq 143 ] || { complain "misuse"; cat err; }

# The command odcn: programs by name, all that need agents known by name, and mistakes in one line.
command=("$python" -m odcn)
"${command[@]}" run >out 2>err || { complain "odcn run"; cat err; }
grep -q '^  odcn-drl-scheduling  *Jobs on an optical data centre' out || complain "odcn run lists: $(cat out)"
"${command[@]}" run odcn-drl-scheduling --help >out && cmp -s out <("$program" --help) || complain "odcn run NAME"
"${command[@]}" run odcn-drl-scheduling --jobs=x >out 2>err && complain "odcn run loses the exit status"
agents=$(sed -nE '/^odcn_agent_example\(/,/^\)/s/^ *NAME (.*)/\1/p' "$root/examples/CMakeLists.txt" | sort | paste -sd,)
"$python" -c 'import sys; from odcn import __main__ as command; sys.exit(",".join(sorted(command._AGENTS)) != sys.argv[1])' \
    "$agents" || complain "programs of agents: $agents"
for words in "" "walk" "run rotor-frist"; do
    # shellcheck disable=SC2086
    "${command[@]}" $words >out 2>err && complain "odcn $words"
    [ "$(wc -l <err)" = 1 ] && grep -q '^error: ' err || complain "odcn $words: $(cat err)"
done
grep -q 'did you mean rotor-first?' err || complain "no suggestion: $(cat err)"

# The program of README.md; the numbers that it prints stand in its last comment.
sed -n '/^```python/,/^```/{/^```/!p}' "$root/README.md" >readme.py
"$python" readme.py >out 2>err || { complain "README's program"; cat err; }
grep -qxF "$(sed -n 's/.* # \([0-9.]*\) and \([0-9.]*\)$/odcn-score \1 mine \2/p' readme.py)" out ||
    complain "README's program says: $(cat out)"

conclude
