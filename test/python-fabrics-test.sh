#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Fabrics in Python: the numbers of optical-fabrics and collectives to the digit, in each engine; schedules
# of one's own; errors in one line; progress; Ctrl-C.
#
# Usage: python-fabrics-test.sh PROGRAM FOLDER, the path of optical-fabrics and the folder of the module;
# other programs are beside it. Exit status 77: no module, or no NumPy for its Python.

folder=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
find_python "$folder" numpy _odcn # Debian: pybind11-dev python3-dev python3-numpy

for engine in packets exact flows; do
    "$program" --racks=8 --servers=2 --uplinks=2 --duration=10 --drain=80 --load=0.3 --demand=skewed:0.5 --engine=$engine \
        --designs=expander,rotornet-direct --replications=1 --RngRun=3 --report=false --output=$engine >out 2>err ||
        { complain "optical-fabrics, $engine"; cat err; }
    "${program%/*}/collectives" --racks=8 --servers=2 --uplinks=2 --bytes=64000 --engine=$engine --replications=2 \
        --designs=rotornet-direct --collectives=all-reduce:ring,all-to-all:direct --RngRun=3 --report=false \
        --output=steps-$engine >out 2>err || { complain "collectives, $engine"; cat err; }
    "${program%/*}/training-jobs" --racks=8 --servers=2 --uplinks=2 --jobs=2 --models=mini-gpt,mini-moe --layers=1 --expert=2 \
        --designs=ideal,rotornet-direct --engine=$engine --replications=1 --queue=backfill --short=20000 --RngRun=3 \
        --report=false --output=jobs-$engine >out 2>err || { complain "training-jobs, $engine"; cat err; }
done
"${program%/*}/training-jobs" --racks=8 --servers=2 --uplinks=2 --jobs=2 --designs=none --replications=1 --report=false \
    "--own=TrainingController[Rule=PerJobRule];ExpanderRouting[MaxHops=255]" --output=circuits >out 2>err ||
    { complain "training-jobs, circuits"; cat err; }
"${program%/*}/rotor-first" --demand=chessboard --duration=0.1 >rotor 2>err || { complain "rotor-first"; cat err; }

cat >fabrics.py <<'END_OF_PYTHON'
"""Compares with the programs. The first of an assertion is Python's."""
import ast
import csv
import inspect
import os
import re
import signal
import sys
import threading
import time
import typing

import numpy as np

import odcn

SIZE = {"racks": 8, "servers": 2, "uplinks": 2}


def read(path):
    with open(path, encoding="ascii") as file:
        return list(csv.DictReader(file))


# All that the module has is annotated with types that exist, and described.
checked = 0
for name in odcn.__all__:
    thing = getattr(odcn, name)
    parts = [thing] if inspect.isfunction(thing) else [
        part for key, part in vars(thing).items() if inspect.isfunction(part) and not key.startswith("_")
    ]
    assert thing.__doc__, name
    for part in parts:
        known = typing.get_type_hints(part)
        wanted = [p for p in inspect.signature(part).parameters if p != "self"] + ["return"]
        assert part.__doc__ and not set(wanted) - set(known), (part, set(wanted) - set(known))
        checked += 1
assert checked > 30, checked
assert os.path.exists(os.path.join(os.path.dirname(odcn.__file__), "py.typed"))

# The stub of the compiled module has its names.
import _odcn


def names_of(tree):
    """Names that a part of the stub declares, with those of classes."""
    names = {}
    for part in tree.body:
        if isinstance(part, (ast.ClassDef, ast.FunctionDef)):
            names[part.name] = names_of(part) if isinstance(part, ast.ClassDef) else {}
        elif isinstance(part, ast.AnnAssign):
            names[part.target.id] = {}
    return {name: inner for name, inner in names.items() if not name.startswith("_")}


with open(sys.argv[1], encoding="ascii") as file:
    stub = names_of(ast.parse(file.read()))
public = {
    name: {key for key in vars(thing) if not key.startswith("_")} if inspect.isclass(thing) else set()
    for name, thing in vars(_odcn).items()
    if not name.startswith("_")
}
assert {name: set(inner) for name, inner in stub.items()} == public, (stub, public)

# Each flow, and the counts, in each engine.
for design in ("expander", "rotornet-direct"):
    fabric = odcn.fabric(design, **SIZE)
    assert fabric.description == odcn.designs()[design]
    for engine in ("packets", "exact", "flows"):
        result = fabric.run("websearch", load=0.3, duration=10, demand="skewed:0.5", engine=engine, seed=3)
        assert result.engine == engine
        wanted = read(f"{engine}/{design}-flows.csv")
        assert len(result.flows) == len(wanted) > 10, len(wanted)
        for row, want in zip(result.flows, wanted):
            for name in result.flows.dtype.names:
                value = float(want[name] or "nan")
                assert row[name] == value or np.isnan(row[name]) and np.isnan(value), (design, engine, name, row, want)
        want = [row for row in read(f"{engine}/summary.csv") if row["design"] == design][-1]
        assert want["engine"] == engine
        if engine != "flows":
            assert result.packets["sent"] == int(want["packets"])
            assert want["flows"] == str(len(result.flows))
            assert result.packets["lost"] == int(want["dropped"])
            assert result.packets["hops"] / result.packets["received"] == float(want["hops"])
            assert result.packets["sent"] == sum(result.packets[k] for k in ("received", "in_flight", "lost"))
        assert bool(result.incomplete) == bool(np.isnan(result.flows["completion_ns"]).any())
    # Flows as a table, or as columns, run like those of the workload.
    flows = fabric.flows("websearch", load=0.3, duration=10, demand="skewed:0.5", seed=3)
    demand = fabric.demand("skewed:0.5", seed=3)
    again = fabric.run({name: list(flows[name]) for name in flows.dtype.names}, demand=demand, engine="flows", seed=3)
    assert again.flows.tobytes() == result.flows.tobytes()

# Answers of receivers are on their way when the last flow ends: neither engine counts them as received.
lossy = odcn.fabric("expander", racks=8, servers=2, uplinks=4, Repair="Nack")
runs = [lossy.run("websearch", load=0.1, duration=2, seed=2, short=100000, engine=e) for e in ("packets", "exact")]
assert runs[0].packets == runs[1].packets and runs[0].packets["in_flight"] > 0, [run.packets for run in runs]
assert runs[0].end_s == runs[1].end_s and runs[0].flows.tobytes() == runs[1].flows.tobytes()

# Collectives in each engine, two replications.
fabric = odcn.fabric("rotornet-direct", **SIZE)
for engine in ("packets", "exact", "flows"):
    rows = read(f"steps-{engine}/summary.csv")
    assert len(rows) == 4
    for want in rows:
        run = int(want["run"])
        got = fabric.collective(want["collective"], bytes=64000, engine=engine, seed=3, run=run)
        assert got.engine == want["engine"] == engine and not got.incomplete
        assert (got.time_s * 1e3, got.bound_s * 1e3) == (float(want["time_ms"]), float(want["bound_ms"]))
        assert (got.packets, got.again) == (int(want["packets"]), int(want["again"]))
        assert abs(got.messages["received_ns"].max() - got.time_s * 1e9) < 1e-3 and got.least_s <= got.bound_s
places = list(range(15, -1, -1))
assert (fabric.collective("all-gather:ring", places=places).messages["source"] < 16).all()

# Training jobs in each engine, and with circuits of their own: the time of each by cause, and bounds.
def compare(got, wanted, engine):
    """Each column of the jobs, and the sum of the causes."""
    assert got.engine == engine and len(got.jobs) == len(wanted) > 0
    for row, want in zip(got.jobs, wanted):
        for name in got.jobs.dtype.names:
            assert str(row[name]) == want[name], (engine, name, row[name], want[name])
        assert sum(row[name] for name in got.causes) == row["time_ps"] > 0


for engine in ("packets", "exact", "flows"):
    rows = read(f"jobs-{engine}/summary.csv")
    for design in ("ideal", "rotornet-direct"):
        got = odcn.fabric(design, **SIZE).training(
            ["mini-gpt", "mini-moe"], jobs=2, expert=2, layers=1, Queue="backfill", short=20000, engine=engine, seed=3
        )
        compare(got, [row for row in rows if row["design"] == design], engine)
circuits = odcn.fabric("TrainingController[Rule=PerJobRule];ExpanderRouting[MaxHops=255]", **SIZE)
compare(circuits.training(jobs=2), read("circuits/summary.csv"), "flows")
assert {"mini-gpt", "mini-moe"} < set(odcn.models())

# Bounds of rotor-first, which prints three digits, of uplinks.
with open("rotor", encoding="ascii") as file:
    direct = re.search(r"Exact bounds +(\S+) with one hop, (\S+)", file.read()).groups()
for routing, want in zip(("DirectRouting", "ValiantRouting"), direct):
    bound = odcn.fabric("RotorSchedule;" + routing).bound("chessboard") / 4
    assert routing != "DirectRouting" or f"{bound:.3f}" == want, (bound, want)
    assert 0.1 < bound <= float(want) + 5e-4  # Valiant takes two hops, the other any number

# A schedule of one's own: as an array, as a function, and as odcn has it.
def shifts(slot):
    """RoundRobinSchedule of two planes."""
    return [[(rack + 1 + (slot + plane * 7 // 2) % 7) % 8 for rack in range(8)] for plane in range(2)]


own = [
    odcn.fabric(schedule=shifts, slots=7, servers=2),
    odcn.fabric(schedule=np.array([shifts(slot) for slot in range(7)], np.uint64), servers=2),
    odcn.fabric("RoundRobinSchedule[Slot=100us|ReconfigurationTime=10us];DirectRouting", **SIZE),
]
results = [fabric.run(20000, load=0.1, duration=1, engine="exact") for fabric in own]
for result in results[:2]:
    assert result.flows.tobytes() == results[2].flows.tobytes() and result.packets == results[2].packets
ring = np.array([[1, 2, 3, -1]])  # one plane that never changes; the last rack does not send
assert odcn.fabric(schedule=ring, servers=1).run(
    {"source": [0, 3], "destination": [1, 0], "bytes": [1000, 1000], "start_ns": [0, 0]}, drain=1
).packets == {"sent": 2, "received": 1, "in_flight": 1, "lost": 0, "hops": 1, "again": 0, "duplicates": 0}

# Attributes of hosts and switches hold for a fabric's runs, and no longer.
burst = {"source": [0, 2, 4], "destination": [6, 6, 6], "bytes": [200000] * 3, "start_ns": [0, 0.0005, 1]}
lost = [
    odcn.fabric("expander", **SIZE, **attributes).run(burst).packets["lost"]
    for attributes in ({}, {"QueueSize": "5p"}, {"TorSwitch::QueueSize": "5p"}, {})
]
assert lost[1] == lost[2] > 0 == lost[0] == lost[3], lost
repaired = odcn.fabric("expander", **SIZE, QueueSize="5p", Repair="Nack").run(burst)
assert repaired.packets["again"] >= repaired.packets["lost"] > 0 and not repaired.incomplete

# Cuts bound from above, and where one hop is taken it is the same.
assert odcn.fabric("expander", **SIZE).bound(cuts=True) >= odcn.fabric("expander", **SIZE).bound() * (1 - 1e-9)
assert fabric.bound("permutation", cuts=True) == fabric.bound("permutation")


def decide(policy):
    """An action of a policy."""
    env = odcn.make("odcn-drl-scheduling", policy=policy)
    env.reset(seed=1)
    return env.decide()


# Errors: one line each, and what ran before goes on.
few = {"source": [0], "destination": [5], "bytes": [1000], "start_ns": [0.0]}
for text, call in (
    ("design: found 'oprea'", lambda: odcn.fabric("oprea")),
    ("engine: found 'x'", lambda: fabric.run(few, engine="x")),
    ("found no numbers bytes", lambda: fabric.run({**few, "bytes": ["many"]})),
    ("bytes of flows: found 0", lambda: fabric.run({**few, "bytes": [0]})),
    ("start_ns of flows: found -1", lambda: fabric.run({**few, "start_ns": [-1]})),
    ("source of flows: found 0.5", lambda: fabric.run({**few, "source": [0.5]})),
    ("columns of [2, 1, 1, 1] rows", lambda: fabric.run({**few, "source": [0, 1]})),
    ("flow: found '0 to 16'", lambda: fabric.run({**few, "destination": [16]})),
    ("two different end points", lambda: fabric.run({**few, "destination": [0]})),
    ("workload: found 'websrch'", lambda: fabric.run("websrch")),
    ("load: found 'x'", lambda: fabric.run("websearch", load="x")),
    ("seed: found 0", lambda: fabric.run(few, seed=0)),
    ("some uplinks are electrical", lambda: odcn.fabric("hybrid").run(few, engine="exact")),
    ("TorSwitch::QueueSize is given", lambda: odcn.fabric("expander", QueueSize="9p").run(few, engine="exact")),
    ("Attribute: found 'Colour'", lambda: odcn.fabric(Colour=1)),
    ("Attribute: found 'Routing'", lambda: odcn.fabric(Routing="DirectRouting")),
    ("Window: found 'x'", lambda: odcn.fabric(Window="x")),
    ("racks: found '1'", lambda: odcn.fabric(racks=1)),
    ("found '15', expected a multiple of the planes", lambda: odcn.fabric(racks=15)),
    ("gbps: found 'x'", lambda: odcn.fabric(gbps="x")),
    ("gbps: found '1e+30'", lambda: odcn.fabric(gbps=1e30)),
    ("gbps: found '1e-30'", lambda: odcn.fabric(gbps=1e-30)),
    ("serverGbps: found '1e-12'", lambda: odcn.fabric(server_gbps=1e-12)),
    ("delay: found '1e+17'", lambda: odcn.fabric(delay=1e17)),
    ("expected 1 to 16384", lambda: odcn.fabric(servers=2**28)),
    ("a run goes on", lambda: fabric.run(few, engine="flows", progress=lambda *told: fabric.bound("uniform"))),
    ("queues: found 'x'", lambda: odcn.fabric(queues="x")),
    ("schedule: found float64", lambda: odcn.fabric(schedule=np.zeros((3, 4)))),
    ("slot 0, uplink 0, rack 0: found 0", lambda: odcn.fabric(schedule=np.zeros((3, 4), int))),
    ("slot 1, uplink 0, rack 2: found -2", lambda: odcn.fabric(schedule=[[1, 2, 0], [1, 0, -2]])),
    ("slot 0, uplink 1, rack 1: found 2", lambda: odcn.fabric(schedule=[[[1, 2, 0], [-1, 2, 2]]])),
    ("slot 0, uplink 0, rack 0: found 3", lambda: odcn.fabric(schedule=[[3, 2, 0]])),
    ("rows of several lengths", lambda: odcn.fabric(slots=2, schedule=lambda slot: [[1, 2], [1]])),
    ("shape (2, 2) in slot 1", lambda: odcn.fabric(slots=2, schedule=lambda slot: [[1, 0]] * (slot + 1))),
    ("design: found 'opera', which has no effect", lambda: odcn.fabric("opera", schedule=[[1, 0]])),
    ("racks: found 99, expected 2", lambda: odcn.fabric(schedule=[[1, 0]], racks=99)),
    ("uplinks: found 3, expected 1", lambda: odcn.fabric(schedule=[[1, 0]], uplinks=3)),
    ("slots: found 3, which", lambda: odcn.fabric(schedule=[[1, 0]], slots=3)),
    ("slots: found 3, which", lambda: odcn.fabric(slots=3)),
    ("routing: found 'Foo', which", lambda: odcn.fabric(routing="Foo")),
    ("load: found 0.1, which", lambda: fabric.run(few, load=0.1)),
    ("flows: found 1.5, expected a workload", lambda: fabric.run(1.5, load=0.1)),
    ("flows on average", lambda: fabric.flows(1, load=1, duration=1e6)),
    ("gbps: found '0'", lambda: odcn.fabric("rotornet-direct", gbps=0)),
    ("gbps: found '4'", lambda: odcn.fabric(gbps="4")),
    ("groups: found '/nothing', which", lambda: fabric.training(groups="/nothing")),
    ("ranks: found 5, which", lambda: fabric.training("mini-gpt", ranks=5)),
    ("models: found 'mini-gpt', which", lambda: fabric.training("mini-gpt", files="nothing.csv")),
    ("data: found 2, which", lambda: fabric.training(files="nothing.csv", data=2)),
    ("racks: found '200000', expected 2 to", lambda: odcn.fabric("expander", racks=200000)),
    ("racks: found '5000', expected 2 to 4096", lambda: odcn.fabric("ideal", racks=5000)),
    ("design: found 3", lambda: odcn.fabric(3)),
    ("queues: found None", lambda: odcn.fabric(queues=None)),
    ("engine: found None", lambda: fabric.run(few, engine=None)),
    ("engine: found 3", lambda: fabric.why_not(3)),
    ("name: found None", lambda: fabric.collective(None)),
    ("places: found 3", lambda: fabric.collective("all-reduce:ring", places=3)),
    ("models: found 3", lambda: fabric.training(3)),
    ("files: found 3", lambda: fabric.training(files=3)),
    ("pattern: found 3", lambda: fabric.demand(3)),
    ("demand: found int", lambda: fabric.bound(3)),
    ("demand: found ndarray", lambda: fabric.bound(np.ones((8, 8), complex))),
    ("flows: found no numbers bytes", lambda: fabric.run({**few, "bytes": [1j] * len(few["bytes"])})),
    ("rack 0: found 2147483648", lambda: odcn.fabric(schedule=np.array([[2**63, 0]], np.uint64))),
    ("found -1 from rack 0 to rack 0", lambda: fabric.run(few, demand=-np.ones((8, 8)))),
    ("found nan from rack 1 to rack 2", lambda: fabric.bound(np.where(np.arange(64).reshape(8, 8) == 10, np.nan, 0))),
    ("progress: found 3", lambda: fabric.run(few, progress=3)),
    ("problem: found None", lambda: odcn.make(None)),
    ("policy: found 3", lambda: odcn.run("odcn-drl-scheduling", 3)),
    ("problem: found 3", lambda: odcn.rules(3)),
    ("library: found None", lambda: odcn.load(None)),
    ("reward: found 3", lambda: odcn.make_vec("odcn-drl-scheduling", 2, reward=3)),
    ("flops: found 1e-300", lambda: fabric.training(flops=1e-300)),
    ("arrival: found 1e+30", lambda: fabric.training(arrival=1e30)),
    ("micro_batches: found 1000000", lambda: fabric.training(micro_batches=10**6)),
    ("circuits that follow training jobs", lambda: circuits.run(few, engine="flows")),
    ("circuits that follow training jobs", lambda: circuits.run(few)),
    ("circuits that follow training jobs", lambda: circuits.collective("all-reduce:ring")),
    ("expected a comparison of policies", lambda: decide("hindsight")),
    ("Policy: found 'hindsight'", lambda: decide("lookahead[Policy=hindsight]")),
    ("slots: found None", lambda: odcn.fabric(schedule=shifts)),
    ("collective: found 'all-reduce:star'", lambda: fabric.collective("all-reduce:star")),
    ("places: found '99'", lambda: fabric.collective("all-reduce:ring", places=[0, 99])),
    ("a matrix of 8 x 8 racks", lambda: fabric.bound(np.ones((3, 3)))),
    ("demand", lambda: fabric.bound("flat")),
    ("'mega-gpt'", lambda: fabric.training("mega-gpt")),
    ("models: found none", lambda: fabric.training([])),
    ("ranks, expected at most 16", lambda: fabric.training(data=100)),
    ("Attribute: found 'Colour'", lambda: fabric.training(Colour=1)),
    ("Queue: found 'x'", lambda: fabric.training(Queue="x")),
    ("placement", lambda: fabric.training(placement="nowhere")),
    ("within 0.000001 s (limit)", lambda: fabric.training(limit=1e-6)),
    ("nothing.csv", lambda: fabric.training(files="nothing.csv")),
):
    try:
        call()
        raise AssertionError(f"{text}: not refused")
    except odcn.OdcnError as error:
        assert text in str(error) and "\n" not in str(error), (text, str(error))
        assert str(error).startswith(text) or not text.startswith("gbps"), f"names a design's line: {error}"

# Progress: increasing, and what it raises ends the run. So does Ctrl-C, and another run begins anew.
seen = []
first = fabric.run("websearch", load=0.1, duration=1, progress=lambda *told: seen.append(told))
assert seen and seen[-1][1] == len(first.flows) and seen == sorted(seen)


def refuse(*told):
    raise KeyError("enough")


for engine in ("packets", "flows"):
    try:
        fabric.run("websearch", load=0.1, duration=1, engine=engine, progress=refuse)
        raise AssertionError("progress does not end the run")
    except KeyError:
        pass
for engine in ("packets", "exact"):
    began = time.process_time()
    other = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    other.start()  # it needs Python's lock
    try:
        odcn.fabric("rotornet-direct", **SIZE).run("websearch", load=0.9, duration=3000, engine=engine)
        raise AssertionError("Ctrl-C does not end the run")
    except KeyboardInterrupt:
        assert time.process_time() - began < 5
    second = fabric.run("websearch", load=0.1, duration=1)
    assert second.flows.tobytes() == first.flows.tobytes() and second.packets == first.packets
END_OF_PYTHON
"$python" fabrics.py "$root/bindings/_odcn-stubs/__init__.pyi" || complain "fabrics"
conclude
