#!/usr/bin/python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""An agent beside the simulator, in the manner of ns3-ai: a block of shared memory.

The other side, and the layout of the block, is odcn-peer-shared-memory.cc.
"""

import argparse
import ctypes
import mmap
import os
import time

import numpy as np

from odcn_agent import make_agent

ENVIRONMENT, AGENT, END = 0, 1, 2
HEAD = 192
AGENT_SEMAPHORE, ENVIRONMENT_SEMAPHORE = 64, 128


def aligned(size):
    """The next multiple of 64."""
    return (size + 63) // 64 * 64


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--racks", type=int, default=16)
    parser.add_argument("--agent", choices=("rule", "mlp", "scorer"), default="rule")
    parser.add_argument("--parameters")
    parser.add_argument("--spin", action="store_true")
    options = parser.parse_args()
    racks = options.racks
    decide = make_agent(options.agent, racks, options.parameters)
    print("ready", flush=True)

    path = "/dev/shm/" + options.name
    mask_at = HEAD + aligned(8 * racks)
    size = mask_at + aligned(racks) + 4 * 64
    while not os.path.exists(path) or os.path.getsize(path) < size:
        time.sleep(0.01)
    with open(path, "r+b") as file:
        memory = mmap.mmap(file.fileno(), 0)
    # The environment fills in the rest before it hands over.
    head = memoryview(memory)[:64].cast("I")
    observation = np.frombuffer(memory, np.float32, 2 * racks, HEAD)
    mask = np.frombuffer(memory, np.bool_, racks, mask_at)

    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(None)
    mine = ctypes.c_void_p(address + AGENT_SEMAPHORE)
    theirs = ctypes.c_void_p(address + ENVIRONMENT_SEMAPHORE)
    wait, post, spin = libc.sem_wait, libc.sem_post, options.spin

    while head[0] != AGENT:
        time.sleep(0.001)
    cpu = time.process_time()
    while True:
        if spin:
            turns = 0
            while (turn := head[0]) == ENVIRONMENT:
                turns += 1
                if turns % 100 == 0:
                    os.sched_yield()
        else:
            wait(mine)
            turn = head[0]
        if turn == END:
            break
        head[2] = decide(observation, mask)
        head[0] = ENVIRONMENT
        if not spin:
            post(theirs)
    print(f"agent_cpu_s={time.process_time() - cpu}")
    os._exit(0)  # the views forbid to close the mapping


if __name__ == "__main__":
    main()
