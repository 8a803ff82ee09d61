#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs that are killed, interrupted or out of disk space at the n-th call that changes a file
# (test/crash/odcn-crash.cc). A training that is resumed then gives the bytes of an uninterrupted
# one, and another run that is repeated those of a complete one; until then every file is whole:
# an earlier one or a new one.
#
# Usage: crash-test.sh TRAINING-PROGRAM PROGRAM CRASH-LIBRARY [all [KIND ...]]
# The first is odcn-drl-scheduling, the second one that writes files; - for none. Without "all",
# about ten points are tested. The kinds are KILL, ENOSPC, EIO, INT and TERM.

comparing=$2
crash=$3
extent=${4:-few}
read -r -a kinds <<<"${*:5}"
[ ${#kinds[@]} -gt 0 ] || kinds=(KILL ENOSPC EIO INT TERM)
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
training=$program

train=("$training" --train=1 --agent=evolution --tors=4 --servers=4 --loads=6 --generations=2
    '--learner=EvolutionLearner[Population=4|Streams=1|Decisions=50|WarmUpDecisions=10|EvaluationEpochs=1|EvaluationWarmUp=10|EvaluationDecisions=50]'
    --network=Mlp'[layers=1|units=8]' --checkpoint=agent.pt)
program=$comparing
shorten
case ${comparing##*/} in
    ocs-first | otn-first) short+=(--pcap=ports) ;;
    rotor-first) short+=(--animation=animation.svg) ;;
    own-rule) short+=(--replications=2 --output=out) ;;
    *) short+=(--output=out) ;;
esac
# Calls are counted in one process.
! "$comparing" --help 2>/dev/null | grep -q -- '--processes' || short+=(--processes=1)
compare=("$comparing" "${short[@]}")

# crashing HOW AT FOLDER COMMAND ...: the command in the folder, with a crash. Its exit status.
crashing()
{
    local how=$1 at=$2 folder=$3
    shift 3
    (cd "$folder" && ODCN_CRASH_HOW=$how ODCN_CRASH_AT=$at LD_PRELOAD=$crash exec "$@") >said 2>err
}

# count FOLDER COMMAND ...: calls is then the number of calls of the command
count()
{
    local folder=$1
    shift
    rm -f "$work/calls"
    ODCN_CRASH_COUNT=$work/calls crashing NONE 0 "$folder" "$@" || { complain "not without a crash: $*"; cat err; }
    calls=$(cat "$work/calls")
    [ "$calls" -gt 0 ] || complain "no file is written: $*"
}

# points HOW CALLS: where to crash
points()
{
    if [ "$extent" = all ]; then
        seq 1 "$2"
    elif [ "$1" = KILL ]; then
        for share in 20 50 80; do echo $((1 + $2 * share / 100)); done
    else
        echo $((1 + $2 / 2))
    fi
}

# fits HOW STATUS AT: whether the exit status is the right one
fits()
{
    local where="$1 at call $3"
    case $1 in
        KILL) [ "$2" -eq 137 ] || complain "status $2 after $where" ;;
        ENOSPC | EIO)
            # Only the removal of files can be left to do.
            [ "$2" -eq 1 ] || [ "$2" -eq 0 ] || complain "status $2 after $where"
            [ "$2" -eq 0 ] || [ "$(grep -c '^error: ' err)" -eq 1 ] || { complain "no error line: $where"; cat err; }
            ;;
        # A signal after the last step leaves nothing to interrupt.
        INT) [ "$2" -eq 130 ] || [ "$2" -eq 0 ] || complain "status $2 after $where" ;;
        TERM) [ "$2" -eq 143 ] || [ "$2" -eq 0 ] || complain "status $2 after $where" ;;
    esac
}

# Trainings in a folder with an earlier agent, then resumed.
test_trainings()
{
    local calls how at status again file
    mkdir whole earlier
    (cd earlier && "${train[@]}" --RngRun=2) >said 2>err || { complain "an earlier training"; cat err; }
    count whole "${train[@]}"
    for how in "${kinds[@]}"; do
        for at in $(points $how "$calls"); do
            rm -rf one && cp -r earlier one
            crashing $how "$at" one "${train[@]}" 2>/dev/null
            status=$?
            fits $how $status "$at"
            # A whole archive ends with this record.
            [ "$(tail -c 22 one/agent.pt | head -c 2)" = PK ] || complain "half an agent after $how at call $at"
            [ "$(tail -c 1 one/agent.pt.csv | od -An -c | tr -d ' ')" = '\n' ] ||
                complain "half a learning curve after $how at call $at"
            # Before its first state a training leaves nothing to resume.
            again=(--resume=1)
            cmp -s one/agent.pt earlier/agent.pt && [ ! -e one/agent.pt.state ] && again=()
            (cd one && "${train[@]}" "${again[@]}") >said 2>err || { complain "resuming after $how at call $at"; cat err; }
            cmp -s one/agent.pt whole/agent.pt || complain "another agent after $how at call $at"
            cmp -s one/agent.pt.csv whole/agent.pt.csv || complain "another curve after $how at call $at"
            cmp -s one/agent.pt.html whole/agent.pt.html || complain "another report after $how at call $at"
            [ "$(find one -type f | wc -l)" -eq 3 ] || { complain "files stayed after $how at call $at:"; ls -A one; }
        done
        echo "training, $how: $(points $how "$calls" | wc -l) of $calls calls"
    done
}

# Runs in a folder with earlier results, then repeated.
test_comparisons()
{
    local calls how at status file
    rm -rf whole earlier one
    mkdir whole earlier
    (cd earlier && "${compare[@]}" --RngRun=2) >said 2>err ||
        { complain "an earlier run"; cat err; }
    count whole "${compare[@]}"
    for how in "${kinds[@]}"; do
        for at in $(points $how "$calls"); do
            rm -rf one && cp -r earlier one
            crashing $how "$at" one "${compare[@]}" 2>/dev/null
            status=$?
            fits $how $status "$at"
            while read -r file; do
                case $how/$file in
                    # Packets are written as they pass, replications when they are done.
                    */interrupted/* | *.pcap | *-tor-jobs.csv | */.odcn-manifest | KILL/*.odcn-part-* | KILL/*.lock) continue ;;
                esac
                cmp -s "one/$file" "earlier/$file" || cmp -s "one/$file" "whole/$file" ||
                    complain "half of $file after $how at call $at"
            done < <(cd one && find . -type f)
            (cd earlier && find . -type f) | while read -r file; do
                [ -e "one/$file" ] || echo "$file"
            done >lost
            [ ! -s lost ] || { complain "lost after $how at call $at:"; cat lost; }
            (cd one && "${compare[@]}") >said 2>err || { complain "repeating after $how at call $at"; cat err; }
            diff -rq one whole || complain "other files after $how at call $at"
        done
        echo "${comparing##*/}, $how: $(points $how "$calls" | wc -l) of $calls calls"
    done
}

[ "$training" = - ] || test_trainings
case ${comparing##*/} in
    -) ;;
    *) test_comparisons ;;
esac

conclude
