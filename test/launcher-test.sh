#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The launcher on a system where no Debian package is installed: what it would install for a target. Completion.
#
# Usage: launcher-test.sh LAUNCHER

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
unset NS3_ROOT
mkdir bin
ln -s /bin/true bin/dpkg-query # it knows no package
export PATH=$work/bin:$PATH

# lacks PACKAGES OTHERS ARGUMENT ...: the error names all PACKAGES and none of OTHERS
lacks()
{
    local packages=$1 others=$2 name
    shift 2
    "$program" --no-install "$@" >out 2>err && complain "$* with nothing installed"
    grep -q '^error: nothing was installed' err || { complain "$*: no error"; cat err; }
    for name in $packages; do
        grep -qw -- "$name" err || { complain "$* without $name"; cat err; }
    done
    for name in $others; do
        grep -qw -- "$name" err && { complain "$* with $name"; cat err; }
    done
}

lacks "libns3-dev libboost-dev" "libtorch-dev libgtest-dev libbenchmark-dev" run rotor-first
lacks "libns3-dev" "libtorch-dev libgtest-dev libbenchmark-dev" run odcn-drl-scheduling -- --help
lacks "libtorch-dev" "libgtest-dev libbenchmark-dev" run odcn-control-plane
lacks "libgtest-dev" "libtorch-dev libbenchmark-dev" build odcn-gtest
lacks "libgtest-dev libtorch-dev" "libbenchmark-dev" build rotor-first odcn-agent-gtest
lacks "libgtest-dev libtorch-dev libbenchmark-dev nlohmann-json3-dev" "" test
lacks "libgtest-dev" "libtorch-dev libbenchmark-dev nlohmann-json3-dev" configure -- -DODCN_PARTS=optics

# Completion in bash, of a folder with one program that is built.
mkdir -p build/bin
printf 'odcn-drl-scheduling\nrotor-first\nscratch/mine\n' >build/programs.txt
printf '#!/bin/sh\nprintf "Options:\\n    --loads:   x [66]\\n    --policies: y\\n    --library: z\\n"\n' >build/bin/odcn-drl-scheduling
chmod +x build/bin/odcn-drl-scheduling
compopt() { :; } # bash has it while it completes only
# shellcheck source=data/ns3-completion.bash
. "${program%/*}/data/ns3-completion.bash"
# completes LINE WORDS: at the end of LINE there are these WORDS
completes()
{
    COMP_LINE=$1
    COMP_POINT=${#1}
    read -ra COMP_WORDS <<<"$1"
    [[ $1 != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _odcn_complete
    [ "${COMPREPLY[*]}" = "$2" ] || complain "'$1' is completed by '${COMPREPLY[*]}'"
}
completes "./ns3 r" "run"
completes "./ns3 run odcn-d" "odcn-drl-scheduling"
completes "./ns3 build " "odcn-drl-scheduling rotor-first scratch/mine"
completes "./ns3 run odcn-drl-scheduling -- --l" "--loads= --library="
completes './ns3 run "odcn-drl-scheduling --loads=66 --po' "--policies="
completes "./ns3 run rotor-first -- --po" ""

conclude
