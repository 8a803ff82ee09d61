# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of programs begin and end with; sourced by them, with the program as argument.
# They run in a temporary folder.

set -u
program=$1
# shellcheck disable=SC2034 # used by tests
convert=$(cd "$(dirname "${BASH_SOURCE[0]}")/../examples" && pwd)/odcn-convert-trace.py
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

# find_python FOLDER MODULE ...: python is then one that has them, with odcn's in the FOLDER, or in the virtual
# environment of ODCN_PYTHON; without one, the test ends as skipped
find_python()
{
    local modules
    export PYTHONPATH=$1 PYTHONDONTWRITEBYTECODE=1
    shift
    modules=$(IFS=,; echo "$*")
    for python in ${ODCN_PYTHON:+"$ODCN_PYTHON"} /usr/bin/python3 python3; do
        "$python" -c "import $modules" 2>/dev/null && return
    done
    python=${ODCN_PYTHON:-}
    unset PYTHONPATH
    [ -z "$python" ] || ! "$python" -c "import $modules" 2>/dev/null || return 0
    echo "skipped: no Python has all of: $*"
    exit 77
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
        # These use agents in most of their runs.
        case ${program##*/} in
            cluster-job-scheduling | fabric-jobs | icci-hotspot-migration | matching-* | odcn-drl-scheduling | own-problem | \
                own-reward | rddc-nara-allocation | torch-first | training-agent | training-circuits) export ODCN_PRESTART_TORCH=1 ;;
        esac
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

# run FOLDER OPTION ...: the program with the options in `options`, and its results in FOLDER unless that
# is empty; what it says is in out and err. A test may define its own.
options=()
run()
{
    local folder=$1
    shift
    start "${options[@]}" ${folder:+--output="$folder"} "$@" >out 2>err
}

# succeeds WHAT [OPTION ...]: a run without results
succeeds()
{
    local what=$1
    shift
    run '' "$@" || { complain "$what"; cat err; }
}

# again OPTION ...: the same run, which says the same
again()
{
    cp out earlier
    succeeds "the same run again" "$@"
    cmp -s out earlier || complain "the same run said something else"
}

# says PATTERN ...: each is in the output
says()
{
    local pattern
    for pattern; do
        grep -q -- "$pattern" out || { complain "no '$pattern' in the output"; cat out; }
    done
}

# is_pcap FILE ...: pcap with nanoseconds, little or big endian
is_pcap()
{
    local file
    for file; do
        case $(head -c 4 "$file" | od -An -tx1 | tr -d ' \n') in
            4d3cb2a1 | a1b23c4d) ;;
            *) complain "$file is no pcap file" ;;
        esac
    done
}

# refuses PATTERNS OPTION ...: exit status not 0, one line on standard error that matches each of the
# PATTERNS, and the results of `run first`, whose checksums are in before if there are any, untouched.
refuses()
{
    local patterns=$1 pattern status
    shift
    if [ -e before ]; then
        run first "$@"
    else
        run '' "$@"
    fi
    status=$?
    [ $status -ne 0 ] || complain "accepted: $*"
    [ $status -lt 126 ] || complain "crashed with $status: $*"
    [ "$(wc -l <err)" -eq 1 ] || { complain "not one line: $*"; head -5 err; }
    for pattern in $patterns; do
        grep -q -- "$pattern" err || { complain "no '$pattern' in the message of $*"; cat err; }
    done
    [ -e before ] || return 0
    sha256sum first/* >after
    cmp -s before after || complain "earlier results changed: $*"
}

# refusals <<END: a table, PATTERNS | OPTION ... a line; options are words of the shell
refusals()
{
    local patterns words
    while IFS='|' read -r patterns words <&3; do
        eval "refuses \"\$patterns\" $words"
    done 3<&0
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
        collective-first) short=(--bytes=100000) ;;
        collectives) short=(--racks=4 --servers=2 --uplinks=2 --bytes=10000 --replications=1 --designs=rotornet-direct
            --collectives=all-reduce:ring) ;;
        distributed-packets) short=(--duration=0.1 --drain=0.1 --racks=8 --servers=2) ;;
        fabric-jobs) short=(--racks=8 --servers=4 --uplinks=4 --slot=20 --dark=2 --load=3 --jobTime=1 --sizes=20000
            --duration=1 --drain=1 --warmUp=20 --replications=1 --placements=random --designs=rotornet) ;;
        icci-hotspot-migration) short=(--replications=1 --packets=0 --policies=none,random) ;;
        icci-packet-migrations) short=(--migrations=1 --scale=0.00001) ;;
        matching-agent) short=(--replications=1 --loads=0.6 --policies=max-weight) ;;
        training-agent) short=(--replications=1 --loads=0.6 --policies=max-weight) ;;
        training-circuits) short=(--jobs=2 --replications=1 --loads=300 --policies=least-time) ;;
        matching-first) short=(--designs=random) ;;
        ocs-first | otn-first) short=(--megabytes=1) ;;
        odcn-control-plane) short=(--jobs=30 --windows=1 --delays=0us --reconfigurations=10us) ;;
        odcn-drl-scheduling | own-rule) short=(--jobs=20 --warmUp=20 --replications=1) ;;
        optical-fabrics) short=(--sizes=20000 --racks=8 --servers=2 --uplinks=4 --designs=rotornet-direct --duration=1
            --drain=1 --replications=1) ;;
        own-problem) short=(--decisions=100 --jobs=2000) ;;
        own-reward) short=(--decisions=100 --cloneDecisions=0 --jobs=20 --warmUp=20) ;;
        queue-rule) short=(--loads=66 --jobs=10 --warmUp=10 --replications=1) ;;
        rddc-nara-allocation) short=(--requests=20 --replications=1 --channels=8 --oversubscription=16) ;;
        rotor-first) short=(--duration=1) ;;
        show-topology) short=(--racks=8 --servers=2 --uplinks=4) ;;
        torch-first)
            # Cloning takes most of the time.
            "$program" --decisions=100 --jobs=20 --output=agent >out 2>err || { complain "a training"; cat err; }
            short=(--decisions=0 --jobs=20 --output=../agent)
            ;;
        torus-first) short=(--shape=2x4 --packets=2) ;;
        training-slices) short=(--jobs=50 --replications=1 --policies=firstfit,rfold) ;;
        *) short=() ;;
    esac
    case ${program##*/} in
        odcn-drl-scheduling) short+=(--policies=odcn-packing --packets=exact --windows=1) ;;
        own-rule) short+=(--loads=54) ;;
    esac
}

# leave_out WHAT: a part cannot be tested here; the test then counts as skipped, unless another part fails
left_out=no
leave_out()
{
    echo "not tested: $*"
    left_out=yes
}

# The last command of a test.
conclude()
{
    [ $failures -eq 0 ] || exit 1
    [ $left_out = no ] || exit 77
    echo "all checks passed"
    exit 0
}
