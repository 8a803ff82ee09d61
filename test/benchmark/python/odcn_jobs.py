# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Jobs: drawn as OdcnJobGenerator draws them (from other streams), or read from a job file."""

from dataclasses import dataclass, field

import numpy as np

SCALE = 1000  # units of a resource per core or GB


@dataclass
class Job:
    """What one job asks for.

    vms: int64 [K, 3], thousandths of a core, of a GB of memory and of a GB of disk.
    demands: (from, to, bit/s) between VMs.
    """

    number: int
    arrival: float
    duration: float
    vms: np.ndarray
    demands: list
    links: list = field(init=False)  # of each VM to those before it: (other, out, in) in bit/s

    def __post_init__(self):
        pairs = [{} for _ in self.vms]
        for a, b, rate in self.demands:
            late, early, way = (a, b, 0) if a > b else (b, a, 1)
            pairs[late].setdefault(early, [0, 0])[way] += rate
        self.links = [[(other, *rates) for other, rates in vm.items()] for vm in pairs]


class JobGenerator:
    """The traffic of the ODCN paper: Poisson arrivals, 10 to 21 VMs of four kinds in a ring."""

    # Largest first, as VMs are placed.
    TYPES = SCALE * np.array([[16, 122, 3200], [16, 122, 320], [16, 32, 320], [4, 15, 80]])

    def __init__(self, load, seed):
        self._load = load
        self._random = np.random.default_rng(seed)
        self._now = 0.0
        self._number = 0

    def __iter__(self):
        return self

    def __next__(self):
        draw = self._random
        self._now += draw.exponential()
        duration = draw.exponential(self._load)
        count = int(draw.integers(10, 22))
        vms = self.TYPES[np.sort(draw.integers(0, len(self.TYPES), count))]
        order = draw.permutation(count).tolist()
        rates = np.rint(draw.uniform(6e9, 8e9, count)).astype(np.int64).tolist()
        demands = list(zip(order, order[1:] + order[:1], rates))
        self._number += 1
        return Job(self._number - 1, self._now, duration, vms, demands)


def read_jobs(path):
    """Yield the jobs of a job file (the format is told in odcn-job-file.h)."""
    with open(path, encoding="ascii") as lines:
        next(lines)
        for line in lines:
            number, arrival, duration, vms, demands = line.rstrip("\n").split(",")
            resources = [[float(x) for x in vm.split(":")] for vm in vms.split("|")]
            edges = []
            for edge in filter(None, demands.split("|")):
                ends, rate = edge.split(":")
                a, b = ends.split(">")
                edges.append((int(a), int(b), round(float(rate) * 1e9)))
            yield Job(
                int(number),
                float(arrival),
                float(duration),
                np.rint(SCALE * np.array(resources)).astype(np.int64),
                edges,
            )
