# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Speed of environments in this process: the one in NumPy, or those of the module odcn."""

import argparse
import time

import numpy as np

import odcn
from odcn_env import SchedulingEnv
from odcn_jobs import JobGenerator


class Numpy:
    """The environment in NumPy: all data centres in the same arrays."""

    def __init__(self, count, _):
        self.env = SchedulingEnv([JobGenerator(66, seed) for seed in range(count)])
        self.observations = self.env.reset()

    def step(self, choose):
        """A decision in each."""
        self.observations, _ = self.env.step(choose(self.observations, self.env.mask()))


class Vector:
    """make_vec(), with circuits that stay as they are, as in NumPy."""

    def __init__(self, count, threads):
        self.env = odcn.make_vec(
            "odcn-drl-scheduling", count, threads=threads, jobs=0, Reconfigurable=False
        )
        self.observations, self.masks = self.env.reset(seed=1)[0], self.env.action_masks()

    def step(self, choose):
        """A decision in each."""
        self.env.step(choose(self.observations, self.masks))


class Single:
    """make(), likewise."""

    def __init__(self, *_):
        self.env = odcn.make("odcn-drl-scheduling", jobs=0, Reconfigurable=False)
        self.observation = self.env.reset(seed=1)[0]

    def step(self, choose):
        """A decision."""
        action = choose(self.observation[None], self.env.action_masks()[None])[0]
        self.observation = self.env.step(action)[0]


def emptiest(observations, masks):
    """The allowed rack with most computing capacity, as in odcn_agent.py."""
    return np.where(masks, observations[:, : masks.shape[1]], -2).argmax(1)


def main():
    """Fill the data centres, then measure."""
    kinds = {"numpy": Numpy, "make_vec": Vector, "make": Single}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("--environments", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--decisions", type=int, default=100000)
    options = parser.parse_args()
    count = options.environments
    environments = kinds[options.kind](count, options.threads)
    for _ in range(2000):
        environments.step(emptiest)
    steps = options.decisions // count
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(steps):
        environments.step(emptiest)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(f"decisions={steps * count} cpu_s={cpu} wall_s={wall}")


if __name__ == "__main__":
    main()
