#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# README's two commands share one configuration: LibTorch, which the first installs while it compiles, and the packages
# that the second installs, Boost.MPI among them, change no command that compiles and no generated file, so nothing is
# compiled twice, but the one file that names the library of agents. Only configured here; .ci/bare compiles.
#
# Usage: configuration-test.sh SOURCE-FOLDER

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
source=$program

# configure OPTION ...
configure()
{
    cmake -G Ninja -S "$source" -B build "$@" >out 2>&1 || { complain "cmake $*"; cat out; }
}

# record FILE TARGET ...: the commands that compile the targets, and what they read of the build folder
record()
{
    {
        ninja -C build -t commands "${@:2}" | grep -F ' -c ' | sort
        find build/include build/corrected build/report build/CMakeFiles/odcn-{base-*,agent}.dir/Unity \
            build/examples/CMakeFiles/odcn-drl-scheduling.dir/Unity -type f -printf '%p %T@\n' 2>/dev/null | LC_ALL=C sort
    } >"$1"
}

mkdir bin
printf '#!/bin/sh\nexec "$@"\n' >bin/ccache
chmod +x bin/ccache

later=(GTest benchmark Python pybind11)
hidden=("${later[@]/%/=ON}")
configure -DODCN_MPI=OFF "${hidden[@]/#/-DCMAKE_DISABLE_FIND_PACKAGE_}" -DODCN_TORCH_LIBRARY=
record without odcn-drl-scheduling
configure -UODCN_TORCH_LIBRARY
record first odcn-drl-scheduling odcn-agent
# No file of odcn includes odcn-module.h, which names the headers of agents.
changed=$(comm -23 <(sort without) <(sort first) | grep -v -e ' -c [^ ]*/odcn-agent-library\.cc$' -e /odcn-module.h)
[ -z "$changed" ] || complain "LibTorch has compiled again what was compiled before: $changed"
[ "$(grep -c ' -c ' first)" -gt 15 ] || complain "few commands: $(grep -c ' -c ' first)"
[ "$(wc -l <first)" -gt 200 ] || complain "few commands and files: $(wc -l <first)"
export PATH=$work/bin:$PATH
configure -UODCN_MPI "${later[@]/#/-UCMAKE_DISABLE_FIND_PACKAGE_}"
record second odcn-drl-scheduling odcn-agent
# What the second has more is compiled for the first time: the file that needs Boost.MPI.
changed=$(comm -23 <(sort first) <(sort second))
[ -z "$changed" ] || complain "the second configuration compiles again what the first compiled: $changed"
{ grep -q 'ODCN_BOOST_MPI:FILEPATH=.*NOTFOUND' build/CMakeCache.txt || grep -q 'odcn-boost-mpi-ranks' second; } ||
    complain "the second has no MPI"

conclude
