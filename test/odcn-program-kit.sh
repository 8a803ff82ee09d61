# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of programs begin and end with; sourced by them, with the program as argument.
# They run in a temporary folder.

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

# refuses WORDS OPTION ...: exit status not 0, one line on standard error that holds all WORDS, and
# the results of `run first`, whose checksums are in before, untouched. The test defines run().
refuses()
{
    local words=$1 word
    shift
    run first "$@"
    local status=$?
    [ $status -ne 0 ] || complain "accepted: $*"
    [ $status -lt 126 ] || complain "crashed with $status: $*"
    [ "$(wc -l <err)" -eq 1 ] || { complain "not one line: $*"; head -5 err; }
    for word in $words; do
        grep -q -- "$word" err || { complain "no '$word' in the message of $*"; cat err; }
    done
    sha256sum first/* >after
    cmp -s before after || complain "earlier results changed: $*"
}

# The last command of a test.
conclude()
{
    [ $failures -eq 0 ] && echo "all checks passed"
    exit $((failures > 0))
}
