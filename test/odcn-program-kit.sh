# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of programs begin and end with; sourced by them, with the program as argument.
# They run in an empty folder that goes away.

set -u
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

complain()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# The last thing a test does.
conclude()
{
    [ $failures -eq 0 ] && echo "all checks passed"
    exit $((failures > 0))
}
