# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of programs begin and end with; sourced by them, with the program as argument.
# They run in a temporary folder.

set -u
program=$1
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server"; } 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

complain()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# start ARGUMENT ...: runs the program, as a copy of a process that has loaded its libraries if there is
# test/prestart. STOP_AFTER=SECONDS ends a longer run by SIGALRM. Not in a subshell.
prestart=${program%/bin/*}/lib/libodcn-prestart.so
start()
{
    local status in out err
    if [ ! -e "$prestart" ]; then
        ${STOP_AFTER:+timeout -s ALRM $STOP_AFTER} "$program" "$@"
        return
    fi
    if [ -z "$server" ]; then
        mkfifo "$work/requests" "$work/answers"
        LD_PRELOAD=$prestart "$program" <"$work/requests" >"$work/answers" 2>/dev/null &
        server=$!
        exec {requests}>"$work/requests" {answers}<"$work/answers"
    fi
    # Copies, since >& of printf replaces standard output for a moment.
    exec {in}<&0 {out}>&1 {err}>&2
    printf '%s\0' $# /proc/$$/fd/{$in,$out,$err} "$PWD" "${STOP_AFTER:-0}" "$@" >&"$requests"
    read -r -u "$answers" status || { complain "no answer of $prestart"; status=126; }
    exec {in}<&- {out}>&- {err}>&-
    return "$status"
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

# shorten: options in `short` with which the program is done in a second or two; a later option
# replaces an earlier one.
shorten()
{
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
        optical-fabrics) short=(--sizes=20000 --racks=8 --servers=2 --uplinks=4 --designs=rotornet-direct --duration=1
            --drain=1 --replications=1) ;;
        own-problem) short=(--decisions=100) ;;
        rddc-nara-allocation) short=(--requests=20 --replications=1 --channels=8 --oversubscription=16) ;;
        rotor-first) short=(--duration=1) ;;
        show-topology) short=(--racks=8 --servers=2 --uplinks=4) ;;
        torch-first)
            # Cloning takes most of the time.
            "$program" --decisions=100 --jobs=20 --output=agent >out 2>err || { complain "a training"; cat err; }
            short=(--decisions=0 --jobs=20 --output=../agent)
            ;;
        *) short=() ;;
    esac
    case ${program##*/} in
        odcn-drl-scheduling) short+=(--policies=odcn-packing --packets=exact --windows=1) ;;
        own-rule) short+=(--loads=54) ;;
    esac
}

# The last command of a test.
conclude()
{
    [ $failures -eq 0 ] && echo "all checks passed"
    exit $((failures > 0))
}
