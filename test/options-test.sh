#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Every option of a program with values that are mostly invalid: each run ends in time, with status
# 0, or with status 1, one line "error: ..." on standard error, and no file written. The options are
# those of --help and of ns-3.
#
# Usage: options-test.sh PROGRAM [VALUE ...]     default values: '' abc 'a b' -1 1e300 nan 0
# SAMPLE=N runs N of them, drawn with the seed SEED (1); ACCEPTED=FILE collects what had status 0.

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
shift
[ $# -gt 0 ] || set -- '' abc 'a b' -1 1e300 nan 0
SECONDS_PER_RUN=${SECONDS_PER_RUN:-60}
ulimit -c unlimited

shorten

mkdir run
runs=0
refused=0
# ends ARGUMENT: the law above.
ends()
{
    (cd run && timeout "$SECONDS_PER_RUN" "$program" "${short[@]}" "$@" >../out 2>../err </dev/null)
    local status=$? written
    written=$(ls -A run)
    rm -rf run
    mkdir run
    runs=$((runs + 1))
    if [ $status -eq 0 ]; then
        [ -z "${ACCEPTED:-}" ] || echo "${program##*/} $*" >>"$ACCEPTED"
        return
    fi
    [ $status -ne 124 ] || { complain "no end: $*"; return; }
    [ -z "$written" ] || complain "status $status, but it wrote $written: $*"
    refused=$((refused + 1))
    [ $status -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^error: ' err && return
    complain "status $status: $*"
    head -c 400 err | head -3
}

(cd run && "$program" "${short[@]}" >../out 2>../err) || { complain "without other options"; cat err; }
rm -rf run
mkdir run
"$program" --help >out 2>err || complain "--help"
options=$(sed -n 's/^ *--\([A-Za-z][A-Za-z0-9]*\):.*/\1/p' out)
[ -n "$options" ] || complain "no options"
arguments=()
for option in $options RngRun RngSeed SimulatorImplementationType SchedulerType ChecksumEnabled \
    ns3::odcn::OdcnComputeLedger::ServersPerRack ns3::Foo::Bar noSuchOption; do
    for value in "$@"; do
        arguments+=("--$option=$value")
    done
done
if [ -n "${SAMPLE:-}" ]; then
    mapfile -t arguments < <(printf '%s\n' "${arguments[@]}" |
        shuf -n "$SAMPLE" --random-source=<(yes "${SEED:-1}"))
fi
for argument in "${arguments[@]}"; do
    ends "$argument"
done
noOptions=(load=90 --noSuchOption 'a b' - -- --= -noSuchOption=1 --ns3::odcn::OcsFabric)
[ -z "${SAMPLE:-}" ] || noOptions=("${noOptions[@]:0:2}")
for words in "${noOptions[@]}"; do
    ends "$words"
    [ -s err ] || complain "ignored: $words"
done
echo "${program##*/}: $runs runs, $refused refused, $failures failures"

conclude
