#!/usr/bin/python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""An agent beside the simulator, in the manner of ns3-gym: protocol buffers over ZeroMQ.

The other side is odcn-peer-zmq.cc, the messages are in odcn-peer.proto; odcn_peer_pb2 is made from
it by protoc and found by PYTHONPATH.
"""

import argparse
import time

import numpy as np
import zmq
from odcn_peer_pb2 import Action, State

from odcn_agent import make_agent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("endpoint")
    parser.add_argument("--racks", type=int, default=16)
    parser.add_argument("--agent", choices=("rule", "mlp", "scorer"), default="rule")
    parser.add_argument("--parameters")
    options = parser.parse_args()
    decide = make_agent(options.agent, options.racks, options.parameters)
    socket = zmq.Context().socket(zmq.REP)
    socket.bind(options.endpoint)
    print("ready", flush=True)

    state, action = State(), Action()
    cpu = None
    while True:
        state.ParseFromString(socket.recv())
        cpu = cpu or time.process_time()
        if state.end:
            socket.send(action.SerializeToString())
            break
        observation = np.array(state.observation, np.float32)
        mask = np.frombuffer(state.mask, np.bool_)
        action.rack = decide(observation, mask)
        socket.send(action.SerializeToString())
    print(f"agent_cpu_s={time.process_time() - cpu}")


if __name__ == "__main__":
    main()
