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

# same FOLDER FOLDER: both hold the same files, but for the folders' names in the commands as typed.
same()
{
    local file
    plain()
    {
        LC_ALL=C sed -e "s/--output=$1\b/--output=FOLDER/" -e "s/\"name\":\"$1\"/\"name\":\"FOLDER\"/" "$2"
    }
    for file in "$1"/*; do
        file=${file#"$1"/}
        cmp -s <(plain "$1" "$1/$file") <(plain "$2" "$2/$file") || complain "the same seed wrote another $file"
    done
}

# The last command of a test.
conclude()
{
    [ $failures -eq 0 ] && echo "all checks passed"
    exit $((failures > 0))
}
