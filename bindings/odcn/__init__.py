# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Optical data-centre networks: fabrics, collectives, and decision problems for agents.

    fabric = odcn.fabric("opera", racks=16, servers=4, uplinks=4)
    result = fabric.run("websearch", load=0.1, engine="packets")

    env = odcn.make("odcn-drl-scheduling", load=66)
    observation, info = env.reset(seed=1)

Everything runs in C++ within this process, and has the numbers of odcn's programs.
"""

from _odcn import OdcnError

from .environments import (
    Env,
    Estimate,
    VectorEnv,
    environment_ids,
    load,
    make,
    make_vec,
    problems,
    rules,
    run,
)
from .fabrics import Collective, Fabric, Flows, Training, collectives, designs, fabric, models
from .packets import PacketEnv, make_packets

__all__ = [
    "Collective",
    "Env",
    "Estimate",
    "Fabric",
    "Flows",
    "OdcnError",
    "PacketEnv",
    "Training",
    "VectorEnv",
    "collectives",
    "designs",
    "environment_ids",
    "fabric",
    "load",
    "make",
    "make_packets",
    "make_vec",
    "models",
    "problems",
    "rules",
    "run",
]
