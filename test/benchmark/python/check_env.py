#!/usr/bin/python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Compare the environment in NumPy with the one in C++, decision by decision.

Both place the jobs of one file by the rule CCF. Compared are every observation and mask, every
reward, and every line of jobs.csv of odcn-drl-scheduling: outcome, and rack and server of each VM.
"""

import argparse
import csv
import ipaddress
import sys

import numpy as np

import odcn_env
from odcn_jobs import read_jobs


def ccf(env, last):
    """The rack used last while it has a server, else the one with most free cores."""
    fits = env.fits[0]
    if last is not None and fits[last]:
        return last
    if not fits.any():
        return 0
    return int(np.where(fits, env.rack_free[0, 0], -1).argmax())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", help="job file, of odcn-drl-scheduling --saveJobs")
    parser.add_argument("placed", help="jobs.csv of the policy all2all-ccf on these jobs")
    parser.add_argument("record", help="what odcn-peer --mode=record wrote on these jobs")
    parser.add_argument("--racks", type=int, default=16)
    parser.add_argument("--servers", type=int, default=32)
    parser.add_argument("--placement", default="Balanced")
    options = parser.parse_args()

    env = odcn_env.SchedulingEnv(
        [read_jobs(options.jobs)], options.racks, options.servers, options.placement
    )
    with open(options.placed, encoding="ascii") as file:
        rows = {int(row["job"]): row for row in csv.DictReader(file)}
    record = np.fromfile(options.record, np.float32).reshape(-1, 3 * options.racks + 2)
    seen, masks = record[:, : 2 * options.racks], record[:, 2 * options.racks : -2] != 0
    actions, wanted = record[:, -2].astype(int), record[:, -1]

    compared = 0

    def on_job(_, job, outcome, servers):
        nonlocal compared
        row = rows[job.number]
        if row["outcome"] != outcome:
            sys.exit(f"job {job.number}: {outcome}, in C++ {row['outcome']}")
        if outcome == odcn_env.ACCEPTED:
            racks = [int(rack) for rack in row["racks"].split("|")]
            hosts = [int(ipaddress.ip_address(a)) for a in row["addresses"].split("|")]
            # Addresses count up from one in each rack.
            cpp = [(rack, (host & (size - 1)) - 1) for rack, host in zip(racks, hosts)]
            if cpp != servers:
                sys.exit(f"job {job.number}: placed on {servers}, in C++ on {cpp}")
        compared += 1

    size = max(256, 1 << int(np.ceil(np.log2(options.servers + 2))))
    env.on_job = on_job
    observation = env.reset()
    rewards = []
    decisions = 0
    try:
        while True:
            if not np.array_equal(observation[0], seen[decisions]):
                sys.exit(f"decision {decisions}: another observation than in C++")
            if not np.array_equal(env.mask()[0], masks[decisions]):
                sys.exit(f"decision {decisions}: another mask than in C++")
            centre = env.centres[0]
            action = ccf(env, centre.racks[-1] if centre.racks else None)
            if action != actions[decisions]:
                sys.exit(f"decision {decisions}: {action}, in C++ {actions[decisions]}")
            decisions += 1
            observation, new = env.step(np.array([action]))
            rewards += new[0]
    except StopIteration:
        pass
    # The source ends within the last step, whose rewards are then not returned.
    if not np.allclose(rewards, wanted[: len(rewards)], rtol=1e-4):
        sys.exit("other rewards than in C++")
    if compared != len(rows) or decisions != len(record):
        sys.exit(f"{compared} jobs and {decisions} decisions, in C++ {len(rows)}, {len(record)}")
    print(
        f"{compared} jobs, {decisions} decisions: same observations, masks and racks, same server "
        f"for every VM, same outcomes; rewards within 1e-4"
    )


if __name__ == "__main__":
    main()
