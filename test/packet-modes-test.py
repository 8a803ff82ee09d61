#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Random job files and settings of odcn-drl-scheduling, in packets with and without events: both
engines must accept the same cases and write the same files.

Usage: packet-modes-test.py PROGRAM [CASES [SEED]]     default: 5 cases of seed 1
"""

import pathlib
import random
import subprocess
import sys
import tempfile

FILES = ["windows.csv", "packets.csv", "job-packets.csv", "latencies.csv", "summary.csv"]


def write_jobs(path, rng):
    """Write a job file: 5 to 60 jobs of 1 to 8 VMs, with demands between some of them in Gbit/s."""
    arrival = 0.0
    lines = ["job,arrival,duration,vms,demands"]
    for job in range(rng.randint(5, 60)):
        arrival += rng.choice([0, rng.expovariate(1), rng.random() / 1024])
        vms = rng.randint(1, 8)
        sizes = "|".join(f"{rng.choice([0.5, 1, 4, 16])}:{rng.choice([0, 2, 32])}:{rng.choice([0, 80])}"
                         for _ in range(vms))
        pairs = [(a, b) for a in range(vms) for b in range(vms) if a != b]
        demands = "|".join(f"{a}>{b}:{rng.choice([0.01, 0.5, rng.uniform(0.1, 12), 20])}"
                           for a, b in rng.sample(pairs, rng.randint(0, min(len(pairs), 9))))
        lines.append(f"{job},{arrival},{rng.choice([0.001, 1, rng.expovariate(0.1) + 0.01, 500])},{sizes},{demands}")
    path.write_text("\n".join(lines) + "\n")


def settings(rng):
    """Return random options that both engines take."""
    tors = rng.randint(2, 8)
    # Equal packets on busy links meet in one picosecond, where each engine has an order of its own.
    size = f"ns3::UniformRandomVariable[Min={rng.choice([96, 300])}|Max={rng.choice([400, 1400])}]"
    burst = rng.choice(["", "ns3::UniformRandomVariable[Min=1|Max=9]"])
    options = [f"--tors={tors}", f"--servers={rng.randint(1, 6)}", f"--ports={rng.choice([0, tors - 1, 2 * tors])}",
               f"--windows={rng.randint(1, 4)}", f"--windowWarmUp={rng.choice(['0us', '1us', '3us'])}",
               f"--windowLength={rng.choice(['500ns', '2us', '9us'])}",
               f"--ns3::odcn::TorSwitch::Spreading={rng.choice(['RoundRobin', 'PerFlow', 'PerPacket'])}",
               f"--ns3::odcn::OcsFiber::Delay={rng.choice(['0ns', '25ns', '1us'])}",
               f"--RngRun={rng.randint(1, 1000)}",
               f"--policies={rng.choice(['random', 'first-fit', 'odcn-ccf,odcn-jcb', 'odcn-packing,odcn-best-fit'])}"]
    options.append(f"--ns3::odcn::JobFlowApplication::SizeVariable={size}")
    if burst:
        options.append(f"--ns3::odcn::JobFlowApplication::BurstVariable={burst}")
    return options


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    ran = sent = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case in range(seed, seed + cases):
            rng = random.Random(case)
            write_jobs(folder / "jobs.csv", rng)
            options = settings(rng)
            results = {}
            for engine in ["ns3", "exact"]:
                extra = ["--pcap=0", "--flowMonitor=0"] if engine == "ns3" else []
                results[engine] = subprocess.run(
                    [program, "--jobFile=jobs.csv", f"--packets={engine}", f"--output={engine}", "--report=0", *options,
                     *extra], cwd=folder, capture_output=True, text=True, timeout=600)
            if results["ns3"].returncode != results["exact"].returncode or results["exact"].returncode not in (0, 1):
                sys.exit(f"case {case}: {' '.join(options)}: status " +
                         ", ".join(f"{engine} {r.returncode} {r.stderr.strip()}" for engine, r in results.items()))
            if results["exact"].returncode == 1:
                continue
            for file in FILES:
                if (folder / "ns3" / file).read_bytes() != (folder / "exact" / file).read_bytes():
                    sys.exit(f"case {case}: {' '.join(options)}: {file} differs")
            ran += 1
            rows = [row.split(",") for row in (folder / "exact" / "windows.csv").read_text().splitlines()]
            sent += sum(int(row[rows[0].index("sent")]) for row in rows[1:])
    if ran == 0 or sent == 0:
        sys.exit(f"{ran} cases ran, {sent} packets sent")
    print(f"{cases} cases, of which {ran} ran: {sent} packets, the same with and without events")


if __name__ == "__main__":
    main()
