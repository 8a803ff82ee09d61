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

# Options with which the program is done in a second or two; a later option replaces an earlier one.
case ${program##*/} in
    cluster-job-scheduling) short=(--replications=1 --setSlots=5 --policies=sjf,random) ;;
    distributed-packets) short=(--duration=0.1 --drain=0.1 --racks=8 --servers=2) ;;
    fabric-jobs) short=(--racks=8 --servers=4 --uplinks=4 --slot=20 --dark=2 --load=3 --jobTime=1 --sizes=20000
        --duration=1 --drain=1 --warmUp=20 --replications=1 --placements=random --designs=rotornet) ;;
    icci-hotspot-migration) short=(--replications=1 --packets=0 --policies=none,random) ;;
    icci-packet-migrations) short=(--migrations=1 --scale=0.00001) ;;
    matching-agent) short=(--replications=1 --loads=0.6 --policies=max-weight) ;;
    matching-first) short=(--designs=random) ;;
    ocs-first | otn-first) short=(--megabytes=1) ;;
    odcn-control-plane) short=(--jobs=30 --windows=1 --delays=0us --reconfigurations=10us) ;;
    odcn-drl-scheduling | own-rule) short=(--jobs=20 --warmUp=20 --replications=1) ;;
    odcn-figures) short=(--quick=1 --table=2 --jobs=50 --warmUp=10 --replications=2 --packets=formula
        --agents=none) ;;
    optical-fabrics) short=(--sizes=20000 --racks=8 --servers=2 --uplinks=4 --designs=rotornet-direct --duration=1
        --drain=1 --replications=1) ;;
    own-problem) short=(--decisions=100) ;;
    rddc-nara-allocation) short=(--requests=20 --replications=1 --channels=8 --oversubscription=16) ;;
    rotor-first) short=(--duration=1) ;;
    show-topology) short=(--racks=8 --servers=2 --uplinks=4 --format=dot) ;;
    torch-first) short=(--decisions=100 --jobs=20) ;;
    odcn-sweep)
        echo '{"program": "/bin/true", "output": ""}' >plan.json
        short=(--plan=../plan.json --write=parallel)
        ;;
    *) short=() ;;
esac
case ${program##*/} in
    odcn-drl-scheduling) short+=(--policies=odcn-packing --packets=exact --windows=1) ;;
    own-rule) short+=(--loads=54) ;;
esac

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
