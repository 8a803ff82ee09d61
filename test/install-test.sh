#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# odcn installed, and moved to another folder than it was configured for: a project outside finds it
# by find_package() and by pkg-config, and programs find their data in the new folder.
#
# Usage: install-test.sh BUILD-FOLDER    Exit status 77: no pkg-config, or no NumPy for the Python module.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
build=$program
unset ODCN_DATA

DESTDIR=$work cmake --install "$build" --prefix /nowhere >out 2>&1 || { complain "cmake --install"; cat out; }
mv nowhere installed
prefix=$work/installed
[ -s installed/share/odcn/sf-bay-22-38.json ] || complain "no data are installed"
libraries=(installed/lib*/libodcn.so installed/lib/*/libodcn.so)
libdir=$work/$(dirname "$(ls "${libraries[@]}" 2>/dev/null)")
readelf -d "$libdir"/*.so installed/bin/* | grep -E 'R(UN)?PATH' | grep -F "$build" &&
    complain "the build folder is in an installed file"

# The outside project. Its agent is there where LibTorch was, linked (pkg-config) or opened by odcn (CMake).
agent=$([ -e "$libdir/libodcn-agent.so" ] && echo odcn-agent)
mkdir project
cat >project/main.cc <<'END_OF_CC'
#include "ns3/core-module.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-policy-registry.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    auto problem = odcn::OdcnHelper().CreateProblem(66);
    auto choice = odcn::PolicyRegistry::Find(odcn::OdcnScheduling::GetTypeId().GetName(), argv[1]);
    choice.SetFile(odcn::GetDataFile(argv[2]));
    auto policy = choice.Create();
    choice.Configure(*problem, *policy);
    problem->AssignStreams(1);
    problem->Reset();
    problem->RunEpisode(*policy, 300);
    std::cout << problem->GetTally().offered << " jobs at " << odcn::GetDataFile("") << "\n";
}
END_OF_CC
cat >project/CMakeLists.txt <<END_OF_CMAKE
cmake_minimum_required(VERSION 3.18)
project(outside LANGUAGES CXX)
find_package(odcn $(cut -d. -f1,2 "$root/VERSION") REQUIRED)
add_executable(outside main.cc)
target_link_libraries(outside odcn::odcn)
END_OF_CMAKE

# decides PROGRAM: it runs a rule, a linear policy and an agent with the installed data
decides()
{
    local policy
    for policy in "odcn-jcb none" "linear linear-odcn-16-tor.json" ${agent:+"evolved odcn-evolved.pt"}; do
        # shellcheck disable=SC2086
        "$1" $policy >out 2>err || { complain "$1 $policy"; cat err; }
        grep -qx "[1-9][0-9]* jobs at $prefix/share/odcn/" out || { complain "$1 $policy printed"; cat out; }
    done
}

{ cmake -G Ninja -S project -B by-cmake -DCMAKE_PREFIX_PATH="$prefix" && cmake --build by-cmake; } >out 2>&1 ||
    { complain "find_package(odcn)"; cat out; }
decides by-cmake/outside

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$libdir/pkgconfig
    # shellcheck disable=SC2046,SC2086
    ${CXX:-c++} project/main.cc -o outside $(pkg-config --cflags --libs odcn $agent) \
        -Wl,-rpath,"$libdir" >out 2>&1 || { complain "pkg-config"; cat out; }
    decides ./outside

    # A problem in a library, for the installed Python module.
    modules=$prefix/lib/python3/dist-packages
    if ! [ -e "$modules/odcn" ] || ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
        leave_out "the Python module (Debian: apt install pybind11-dev python3-dev python3-numpy)"
    else
        # shellcheck disable=SC2046
        ${CXX:-c++} -shared -fPIC "$root/examples/python/admission.cc" -o libadmission.so \
            $(pkg-config --cflags --libs odcn) >out 2>&1 || { complain "libadmission.so"; cat out; }
        PYTHONPATH=$modules /usr/bin/python3 -c 'import odcn; print(odcn.load("libadmission.so"))' >out 2>&1
        grep -qFx "['Admission']" out || { complain "odcn.load()"; cat out; }
    fi
else
    leave_out "pkg-config, which is not there"
fi

# An installed program, and other data.
run=(installed/bin/icci-packet-migrations --migrations=2)
"${run[@]}" >out 2>err || { complain "${run[*]}"; cat err; }
mkdir other
ODCN_DATA=other "${run[@]}" >out 2>err && complain "there is no mesh in ODCN_DATA"
grep -q "^error: other/sf-bay-22-38.json" err || { complain "another message"; cat err; }

conclude
