#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# README's two commands share one configuration: the packages that the second installs, Boost.MPI among them, change no
# command that compiles and no generated file of the first, so nothing is compiled twice. Only configured here; .ci/bare
# compiles.
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

# record FILE: the commands that compile the main program and the agents, and what they read of the build folder
record()
{
    {
        ninja -C build -t commands odcn-drl-scheduling odcn-agent | grep -F ' -c ' | sort
        find build/include build/corrected build/report build/CMakeFiles/odcn-{core,optics,jobs,lab,agent}.dir/Unity \
            build/examples/CMakeFiles/odcn-drl-scheduling.dir/Unity -type f -printf '%p %T@\n' 2>/dev/null | LC_ALL=C sort
    } >"$1"
}

mkdir bin
printf '#!/bin/sh\nexec "$@"\n' >bin/ccache
chmod +x bin/ccache

later=(GTest benchmark Python pybind11)
hidden=("${later[@]/%/=ON}")
configure -DODCN_MPI=OFF "${hidden[@]/#/-DCMAKE_DISABLE_FIND_PACKAGE_}"
record first
[ "$(grep -c ' -c ' first)" -gt 20 ] || complain "few commands: $(grep -c ' -c ' first)"
[ "$(wc -l <first)" -gt 200 ] || complain "few commands and files: $(wc -l <first)"
export PATH=$work/bin:$PATH
configure -UODCN_MPI "${later[@]/#/-UCMAKE_DISABLE_FIND_PACKAGE_}"
record second
# What the second has more is compiled for the first time: the file that needs Boost.MPI.
changed=$(comm -23 <(sort first) <(sort second))
[ -z "$changed" ] || complain "the second configuration compiles again what the first compiled: $changed"
{ grep -q 'ODCN_BOOST_MPI:FILEPATH=.*NOTFOUND' build/CMakeCache.txt || grep -q 'odcn-boost-mpi-ranks' second; } ||
    complain "the second has no MPI"

conclude
