#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# README's two commands share one configuration: the packages that the second installs change no command and no
# generated file of the first, so nothing is compiled twice. Only configured here; .ci/bare compiles.
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

# record FILE: the commands that make the main program, and what they read of the build folder
record()
{
    {
        ninja -C build -t commands odcn-drl-scheduling
        find build/include build/corrected build/report build/CMakeFiles/odcn-{core,optics,jobs,lab,agent}.dir/Unity \
            build/examples/CMakeFiles/odcn-drl-scheduling.dir/Unity -type f -printf '%p %T@\n' 2>/dev/null | LC_ALL=C sort
    } >"$1"
}

mkdir bin
printf '#!/bin/sh\nexec "$@"\n' >bin/ccache
chmod +x bin/ccache

configure -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON
record first
[ "$(wc -l <first)" -gt 200 ] || complain "few commands and files: $(wc -l <first)"
export PATH=$work/bin:$PATH
configure -UCMAKE_DISABLE_FIND_PACKAGE_GTest -UCMAKE_DISABLE_FIND_PACKAGE_benchmark
record second
diff first second || complain "the second configuration compiles again what the first compiled"

conclude
