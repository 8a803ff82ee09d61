#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only

# Programs that test.py of a source tree runs: (command, whether to run it, whether under valgrind).
# It leaves out those that were not built, for want of LibTorch. This file prints the commands.
cpp_examples = [
    ("cluster-job-scheduling --replications=2 --policies=random,sjf,tetris", "True", "False"),
    ("collective-first --bytes=1000000", "True", "False"),
    ("collectives --racks=8 --servers=2 --uplinks=4 --bytes=40000 --replications=1", "True", "False"),
    ("distributed-packets --duration=0.5", "True", "False"),
    ("fabric-jobs --racks=8 --servers=4 --uplinks=4 --slot=20 --dark=2 --load=3 --jobTime=1 --sizes=20000 --use=0.3"
     " --duration=1 --drain=20 --warmUp=100 --replications=2", "True", "False"),
    ("icci-hotspot-migration --replications=2 --policies=random,linear", "True", "False"),
    ("icci-packet-migrations --migrations=3 --gpus=16", "True", "False"),
    ("matching-first --designs=RotorSchedule,greedy", "True", "False"),
    ("ocs-first", "True", "False"),
    ("odcn-control-plane --jobs=200 --windows=1 --delays=10ms --reconfigurations=1ms", "True", "False"),
    ("odcn-drl-scheduling --tors=4 --servers=4 --loads=6 --jobs=300 --warmUp=100 --replications=2 --windows=2"
     " --windowWarmUp=1us --windowLength=2us", "True", "False"),
    ("optical-fabrics --designs=all --engine=packets --racks=8 --servers=4 --uplinks=4 --slot=20 --dark=2 --sizes=20000 --load=0.05"
     " --duration=1 --drain=20 --replications=2", "True", "False"),
    ("otn-first --megabytes=10", "True", "False"),
    ("own-problem --decisions=2000", "True", "False"),
    ("own-reward --decisions=2000 --jobs=100", "True", "False"),
    ("own-routing --load=0.05", "True", "False"),
    ("own-rule --jobs=500 --warmUp=200 --replications=3", "True", "False"),
    ("queue-rule --jobs=100 --warmUp=150 --replications=2", "True", "False"),
    ("rddc-nara-allocation --requests=40", "True", "False"),
    ("rotor-first", "True", "False"),
    ("show-topology", "True", "False"),
    ("torus-first --shape=4x8 --packets=10", "True", "False"),
    ("training-slices --jobs=200 --replications=2", "True", "False"),
]

python_examples = []

if __name__ == "__main__":
    for command, *_ in cpp_examples:
        print(command)
