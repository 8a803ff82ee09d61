#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# topology.sh [FOLDER]: draw the pictures and animations of README and manual into FOLDER, by default
# doc/figures.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mkdir -p "${1:-$root/doc/figures}" && cd "${1:-$root/doc/figures}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"

# draw NAME OPTIONS...
draw()
{
    ./ns3 run show-topology -- "${@:2}" --output="$work/$1" >/dev/null
    cp "$work/$1/topology.svg" "$folder/topology-$1.svg"
    echo "$folder/topology-$1.svg"
}

draw opera --racks=12 --servers=4 --uplinks=4
draw clos --network=clos-3:1 --racks=6 --servers=6 --demand=hot:4 --load=0.2
./ns3 run icci-hotspot-migration -- --replications=1 --packets=0 --policies=none,greedy --output="$work/day" >/dev/null
draw icci-none --network=mesh --run="$work/day" --policy=none --hour=20
draw icci-greedy --network=mesh --run="$work/day" --policy=greedy --hour=20
draw mesh --network=mesh
draw rotor --network=rotornet --racks=6 --servers=2 --uplinks=2
draw birkhoff --network=birkhoff --racks=8 --servers=4 --uplinks=2
draw torus '--schedule=TorusSchedule[Shape=4x4]' --racks=16 --servers=1 --uplinks=4
draw rddc --network=rddc
draw centre --network=centre --gpus=16

# animate NAME OPTIONS...
animate()
{
    ./ns3 run collective-first -- "${@:2}" --animation="$folder/$1.svg" >/dev/null
    echo "$folder/$1.svg"
}

animate all-to-all --collective=all-to-all:direct --bytes=1600000
animate halving-doubling --collective=all-reduce:halving-doubling --bytes=400000
