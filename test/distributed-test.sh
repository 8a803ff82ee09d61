#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds odcn with ns-3's module mpi, and compares 2 and 4 processes with one. Needs mpirun and
# mpicxx (Debian: libopenmpi-dev). It is not part of ./ns3 test.
#
# Usage: distributed-test.sh [--tree] [NS3]
#   NS3     source folder of ns-3; without it, ns-3.37 is cloned into ./ns-3-mpi
#   --tree  build the whole source tree with --enable-mpi, and odcn in its contrib/.
#           Else only the module mpi is compiled from NS3, which is the version that is installed.

set -euo pipefail
odcn=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tree=
[ "${1:-}" != --tree ] || { tree=1; shift; }
if [ $# -eq 0 ]; then
    [ -d ns-3-mpi ] || git clone --depth 1 --branch ns-3.37 https://gitlab.com/nsnam/ns-3-dev.git ns-3-mpi
    set -- ns-3-mpi
fi
ns3=$(cd "$1" && pwd)

if [ -n "$tree" ]; then
    [ -e "$ns3/contrib/odcn" ] || ln -s "$odcn" "$ns3/contrib/odcn"
    cd "$ns3"
    ./ns3 configure -d optimized --enable-mpi --enable-examples --enable-modules=odcn,mpi \
        --filter-module-examples-and-tests=odcn -- -DODCN_TORCH_LIBRARY=
    cmake --build cmake-cache --target distributed-packets
    program=$(find "$ns3/build/contrib/odcn/examples" -name 'ns3*-distributed-packets*' -type f -perm -u+x)
else
    cd "$odcn"
    cmake -G Ninja -S . -B build-mpi -DODCN_NS3_SOURCE="$ns3" -DODCN_TORCH_LIBRARY=
    ninja -C build-mpi distributed-packets
    program=$odcn/build-mpi/bin/distributed-packets
fi
RANKS=${RANKS:-2 4} exec bash "$odcn/test/distributed-packets-test.sh" "$program"
