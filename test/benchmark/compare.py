#!/usr/bin/python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Set odcn beside what one would use instead, in one run: ./test/benchmark/compare.py

 1. An environment of the same logic in NumPy: shown to be the same, decision by decision.
 2. Stepping: the module odcn, that environment, and a Python process that shares memory with the
    simulator (as with ns3-ai), all with the same rule.
 3. Learning: A2C in PyTorch on that environment.
 4. Deciding: an agent in a Python process that shares memory with the simulator (as with ns3-ai) or
    exchanges messages with it (as with ns3-gym), against an agent in the process.
 5. Packets: optical devices against stock point-to-point, the exact engine against ns-3.

Contestants run in turn, several rounds; every ratio is the median of the rounds' ratios. Time is
that of the processor, of all processes and threads of a contestant together, so that what else the
machine does disturbs little.

The interpreter is Debian's, because python3-torch belongs to it.
"""

import argparse
import importlib.util
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HOME = os.path.dirname(os.path.dirname(HERE))
BIN = os.path.join(HOME, "build", "bin")
PYTHON = os.path.join(HERE, "python")

PACKAGES = {
    "numpy": "python3-numpy",
    "torch": "python3-torch",
}
PACKAGES_OF_ZMQ = {
    "zmq": "python3-zmq",
    "google.protobuf": "python3-protobuf",
}


def require_packages(zmq):
    """Stop with the command that installs what is missing."""
    missing = []
    for module, package in (PACKAGES | (PACKAGES_OF_ZMQ if zmq else {})).items():
        try:
            found = importlib.util.find_spec(module)
        except ModuleNotFoundError:
            found = None
        if found is None:
            missing.append(package)
    if zmq and not os.path.exists("/usr/include/zmq.h"):
        missing.append("libzmq3-dev")
    if zmq and not os.path.exists("/usr/include/google/protobuf/message.h"):
        missing.append("libprotobuf-dev")
    if zmq and subprocess.run("command -v protoc >/dev/null", shell=True, check=False).returncode:
        missing.append("protobuf-compiler")
    if missing:
        sys.exit(
            "compare.py needs, besides what odcn needs:\n"
            "  apt-get install --no-install-recommends " + " ".join(missing)
        )


def run(*command, **options):
    """Run to the end; returns what was printed."""
    done = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE, **options)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: ended with {done.returncode}")
    return done.stdout


def fields(text):
    """The name=value pairs of an output."""
    return {name: float(value) for name, value in re.findall(r"(\w+)=([-\d.e+]+)", text)}


def peer(*arguments):
    """Run odcn-peer."""
    return run(os.path.join(BIN, "odcn-peer"), *arguments)


def script(name, *arguments, **options):
    """Run one of the Python programs."""
    return run(sys.executable, os.path.join(PYTHON, name), *arguments, **options)


class Rounds:
    """What the contestants of one table came to, round by round."""

    def __init__(self):
        self.rates = {}

    def add(self, name, rate):
        """Rate of a contestant in this round."""
        self.rates.setdefault(name, []).append(rate)

    def rate(self, name):
        """Median rate."""
        return statistics.median(self.rates[name])

    def ratio(self, name, other):
        """Median of the rounds' ratios."""
        pairs = zip(self.rates[name], self.rates[other])
        return statistics.median(a / b for a, b in pairs)


def table(title, head, rows):
    """Print a table in Markdown."""
    print(f"\n### {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    sys.stdout.flush()


def check_environment(folder):
    """1: the environment in NumPy is the one in C++."""
    print("\n### The same environment\n")
    for placement in ("Balanced", "FirstFit"):
        jobs, record = os.path.join(folder, "jobs.csv"), os.path.join(folder, "record")
        output = os.path.join(folder, "out")
        run(
            os.path.join(BIN, "odcn-drl-scheduling"),
            "--policies=all2all-ccf",
            "--jobs=1500",
            "--warmUp=500",
            "--replications=1",
            "--packets=formula",
            f"--placement={placement}",
            f"--saveJobs={jobs}",
            f"--output={output}",
            stderr=subprocess.DEVNULL,
        )
        arguments = [f"--placement={placement}"]
        peer("--mode=record", f"--jobFile={jobs}", f"--output={record}", *arguments)
        placed = os.path.join(output, "jobs.csv")
        print(f"{placement}: " + script("check_env.py", jobs, placed, record, *arguments).strip())
    sys.stdout.flush()


def compare_stepping(rounds, folder):
    """2: decisions of a rule in Python, by the clock."""
    vector = "make_vec(), 32, 2 threads"
    cases = {
        "NumPy, 1": ["numpy"],
        "NumPy, 32 in one array": ["numpy", "--environments=32"],
        "make()": ["make"],
        "make_vec(), 32": ["make_vec", "--environments=32"],
        vector: ["make_vec", "--environments=32", "--threads=2"],
        "make_vec(), 256": ["make_vec", "--environments=256"],
        "make_vec(), 256, 2 threads": ["make_vec", "--environments=256", "--threads=2"],
        "shared memory, spinning": "spin",
        "shared memory, semaphores": "semaphore",
    }
    cpus, walls = Rounds(), Rounds()
    environment = os.environ | {"PYTHONPATH": os.path.join(HOME, "build", "python")}
    for _ in range(rounds):
        for name, how in cases.items():
            if isinstance(how, str):
                values = exchange(how, "rule", "", 40000, folder)
            else:
                decisions = 20000 if name == "NumPy, 1" else 400000 if "vec" in name else 100000
                text = script("steps.py", *how, f"--decisions={decisions}", env=environment)
                values = fields(text)
            cpu = values["cpu_s"] + values.get("agent_cpu_s", 0)
            cpus.add(name, values["decisions"] / cpu)
            walls.add(name, values["decisions"] / values["wall_s"])
    table(
        "Stepping, a rule in Python",
        ("environments", "us of processor", "decisions/s", f"{vector}: times as fast"),
        [
            (
                name,
                f"{1e6 / cpus.rate(name):,.2f}",
                f"{walls.rate(name):,.0f}",
                f"{walls.ratio(vector, name):.1f}",
            )
            for name in cases
        ],
    )


def compare_learning(rounds):
    """3: decisions learnt from in a second of processor time."""
    sync = "32, one after the other"
    cases = [("1", 1, [], 6000, 40000), (sync, 32, ["--sync"], 16000, 200000)]
    cases.append(("32 in one array", 32, [], 40000, 200000))
    rows = []
    for network in ("mlp", "scorer"):
        results = Rounds()
        for _ in range(rounds):
            for name, count, more, decisions, ours in cases:
                shape = [f"--network={network}", f"--environments={count}"]
                text = script("odcn_a2c.py", *shape, f"--decisions={decisions}", *more)
                values = fields(text)
                results.add(name, values["decisions"] / values["cpu_s"])
                text = peer("--mode=train", *shape, f"--decisions={ours}")
                values = fields(text)
                results.add(f"odcn {name}", values["decisions"] / values["cpu_s"])
        for name, *_ in cases:
            mine = f"odcn {name}"
            rows.append(
                (
                    {"mlp": "5 x 128", "scorer": "shared scorer"}[network],
                    name,
                    f"{results.rate(name):,.0f}",
                    f"{results.rate(mine):,.0f}",
                    f"{results.ratio(mine, name):.1f}",
                )
            )
    table(
        "Learning, decisions/s of processor time, one thread",
        ("network", "environments", "NumPy and PyTorch", "odcn", "odcn / Python"),
        rows,
    )


def exchange(mode, kind, parameters, decisions, folder):
    """Decide in another process. Returns what both print."""
    tag = f"odcn-compare-{os.getpid()}"
    if mode == "zmq":
        name = f"ipc://{folder}/zmq"
        command = ["agent_zmq.py", name]
    else:
        name = tag
        command = ["agent_shared_memory.py", name] + (["--spin"] if mode == "spin" else [])
    command[0] = os.path.join(PYTHON, command[0])
    command += [f"--agent={kind}", f"--parameters={parameters}"]
    environment = os.environ | {"PYTHONPATH": folder}
    with subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, env=environment
    ) as agent:
        try:
            if agent.stdout.readline().strip() != "ready":
                sys.exit(f"{command[0]} did not start")
            text = peer(f"--mode={mode}", f"--decisions={decisions}", f"--output={name}")
            text += agent.stdout.read()
        except BaseException:
            agent.kill()
            raise
    return fields(text)


def compare_deciding(rounds, folder):
    """4: decisions in a second of processor time, agent elsewhere."""
    run("protoc", f"-I{HERE}", f"--python_out={folder}", "odcn-peer.proto")
    modes = {
        "in the process": None,
        "shared memory, spinning": "spin",
        "shared memory, semaphores": "semaphore",
        "ZeroMQ, protocol buffers": "zmq",
    }
    rows = []
    for kind, title in (("rule", "rule"), ("mlp", "5 x 128"), ("scorer", "shared scorer")):
        parameters = os.path.join(folder, kind)
        decisions = 10000 if kind == "rule" else 4000
        if kind != "rule":
            peer("--mode=parameters", f"--network={kind}", f"--output={parameters}")
        results, walls, accepted = Rounds(), Rounds(), {}
        for _ in range(rounds):
            for name, mode in modes.items():
                if mode:
                    values = exchange(mode, kind, parameters, decisions, folder)
                else:
                    arguments = ["--mode=rule"]
                    if kind != "rule":
                        arguments = ["--mode=agent", f"--network={kind}"]
                    values = fields(peer(*arguments, f"--decisions={decisions}"))
                cpu = values["cpu_s"] + values.get("agent_cpu_s", 0)
                results.add(name, values["decisions"] / cpu)
                walls.add(name, values["decisions"] / values["wall_s"])
                accepted[name] = values["accepted"]
        if len(set(accepted.values())) != 1:
            sys.exit(f"{kind}: the designs decided differently: {accepted}")
        for name in modes:
            rows.append(
                (
                    title,
                    name,
                    f"{1e6 / results.rate(name):,.1f}",
                    f"{results.ratio('in the process', name):,.1f}",
                    f"{walls.rate(name):,.0f}",
                    f"{walls.ratio('in the process', name):,.1f}",
                )
            )
    table(
        "Deciding, one decision at a time (all designs accepted the same jobs)",
        ("agent", "where", "us of processor", "odcn is faster by", "decisions/s by the clock", "by"),
        rows,
    )


def benchmark(program, expression):
    """Run benchmarks. Returns name and counters of each."""
    text = run(
        os.path.join(BIN, program),
        f"--benchmark_filter={expression}",
        "--benchmark_format=json",
        stderr=subprocess.DEVNULL,
    )
    known = {"name", "run_name", "run_type", "repetitions", "repetition_index", "threads"}
    known |= {"family_index", "per_family_instance_index", "iterations", "time_unit", "label"}
    for result in json.loads(text[text.index("{") :])["benchmarks"]:
        if result.get("error_occurred"):
            sys.exit(f"{result['name']}: {result['error_message']}")
        yield result["name"], {k: v for k, v in result.items() if k not in known}


def compare_packets():
    """5: what a packet costs."""
    rows = []
    for name, counters in benchmark("odcn-benchmark", "^Packets/"):
        rows.append(
            (
                name.split("/iterations")[0],
                f"{counters['link_ns']:,.0f}",
                f"{counters['optical_ns']:,.0f}",
                f"{counters['optical/link']:.2f}",
                f"{counters['optical/chain']:.2f}",
            )
        )
    table(
        "Packets in ns-3, ns of processor each",
        ("what", "point-to-point link", "ToR-OCS-ToR", "ratio", "to a chain of three links"),
        rows,
    )
    rows = []
    for name, counters in benchmark("odcn-benchmark", "^Race/"):
        pairs, flows = name.split("/")[1:3]
        rows.append(
            (
                pairs,
                flows,
                f"{counters['ns3_ns']:,.0f}",
                f"{counters['fabric_ns']:,.0f}",
                f"{counters['ns3/fabric']:.0f}",
            )
        )
    table(
        "The same packets without events, ns of processor each",
        (
            "pairs of servers",
            "flows of each",
            "ns-3, UDP and FlowMonitor",
            "exact fabric",
            "times faster",
        ),
        rows,
    )


def main():
    """All comparisons, or those asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = ("environment", "stepping", "learning", "deciding", "packets")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=parts, action="append", help="may be repeated")
    options = parser.parse_args()
    only = options.only or parts
    require_packages("deciding" in only)
    # The processor's widest kernels for Debian's OpenBLAS in both languages: by itself it may pick
    # others on new processors. One thread is fastest at these sizes.
    with open("/proc/cpuinfo", encoding="ascii") as info:
        flags = info.read().split()
    wide = "SkylakeX" if "avx512dq" in flags else "Haswell" if "avx2" in flags else None
    if wide:
        os.environ.setdefault("OPENBLAS_CORETYPE", wide)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    programs = ["odcn-peer", "odcn-drl-scheduling", "odcn-benchmark"]
    if "stepping" in only:
        programs.append("odcn-python")
    run(os.path.join(HOME, "ns3"), "build", *programs, cwd=HOME)
    with tempfile.TemporaryDirectory() as folder:
        if "environment" in only:
            check_environment(folder)
        if "stepping" in only:
            compare_stepping(options.rounds, folder)
        if "learning" in only:
            compare_learning(options.rounds)
        if "deciding" in only:
            compare_deciding(options.rounds, folder)
        if "packets" in only:
            compare_packets()


if __name__ == "__main__":
    main()
