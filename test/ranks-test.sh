#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Training by several processes: the same files as by one, byte for byte, also after a process was
# killed, and one line for an error.
#
# Usage: ranks-test.sh PROGRAM    Exit status 77: there is no MPI to test with.

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

small=(--tors=4 --servers=4 --loads=6 --train=1 --trainJobs=120 --environments=4
    --evaluationDecisions=200 --checkpoint=a.pt)
common='EvaluationWarmUp=100|WarmUpDecisions=50'
ppo=(--epochs=6 "--learner=PpoLearner[$common|UpdateSamples=64|Passes=2]")
launcher=()

# start N FOLDER OPTION ...: a training by N processes with its files in the folder; N=0: without
# mpirun. Its exit status is the program's or mpirun's.
start()
{
    local n=$1 folder=$2
    shift 2
    launcher=()
    if [ "$n" -gt 0 ]; then
        launcher=(mpirun --oversubscribe -n "$n")
        [ "$(id -u)" -ne 0 ] || launcher+=(--allow-run-as-root)
    fi
    mkdir -p "$folder"
    cd "$folder" && exec "${launcher[@]}" "$program" "${small[@]}" "$@" >out 2>err
}

# train N FOLDER OPTION ...
train()
{
    (start "$@") || { complain "a training: $*"; tail -3 "$2/err"; }
}

# alike FOLDER FOLDER: both trainings are whole and wrote the same.
alike()
{
    local file
    for file in a.pt a.pt.csv a.pt.html; do
        cmp "$1/$file" "$2/$file" || complain "$2/$file differs from that of $1"
    done
    [ ! -e "$2/a.pt.state" ] || complain "a state stayed in $2"
    [ "$(grep -c 'the learning curve' "$2/out")" -eq 1 ] || complain "not one rank speaks in $2"
}

# one_line FOLDER WORDS: exactly one line of error, with the words.
one_line()
{
    [ "$(grep -c '^error: ' "$1/err")" -eq 1 ] && grep -q "^error: .*$2" "$1/err" ||
        { complain "not one line with '$2'"; cat "$1/err"; }
}

# What a launcher says about several processes, without one.
(OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 OMPI_MCA_ess=singleton start 0 pretended "${ppo[@]}") &&
    complain "a second process that is not there"
one_line pretended '2 processes were started'
if grep -q 'without MPI' pretended/err || ! command -v mpirun >/dev/null; then
    [ "$failures" -eq 0 ] || conclude
    echo "skipped: no MPI to test with (Debian: apt install libboost-mpi-dev openmpi-bin)"
    exit 77
fi

train 0 ppo "${ppo[@]}"
train 1 ppo-1 "${ppo[@]}"
train 2 ppo-2 "${ppo[@]}"
train 4 ppo-4 "${ppo[@]}"
for n in 1 2 4; do alike ppo ppo-$n; done

# The teacher is cloned first; four shards of samples.
a2c=(--epochs=6 "--learner=A2cLearner[$common|UpdateSamples=100|CloneDecisions=400|NormalizeAdvantage=1]"
    '--network=Mlp[layers=2|units=16]')
evolution=(--agent=evolution --generations=2
    '--learner=EvolutionLearner[Population=4|Streams=3|Decisions=300|WarmUpDecisions=50|EvaluationWarmUp=50]')
train 0 a2c "${a2c[@]}"
train 4 a2c-4 "${a2c[@]}"
alike a2c a2c-4
train 0 evolution "${evolution[@]}"
train 4 evolution-4 "${evolution[@]}"
alike evolution evolution-4

# lose WHAT SIGNAL FOLDER OPTION ...: 2 processes train until one is lost after the first epoch: the
# rank WHAT, or mpirun. All end with an error, and leave the state.
lose()
{
    local what=$1 signal=$2 folder=$3 pid lost
    shift 3
    (start 2 "$folder" "$@") &
    pid=$!
    while kill -0 $pid 2>/dev/null && ! [ -s "$folder/a.pt.csv" ]; do
        sleep 0.02
    done
    lost=$pid
    # The ranks are the children of mpirun in order of their numbers.
    [ "$what" = mpirun ] || lost=$(cut -d ' ' -f $((what + 1)) "/proc/$pid/task/$pid/children")
    kill -s "$signal" "$lost" || complain "$what is not there to be lost"
    wait $pid && complain "$what lost by $signal: no error"
    [ -s "$folder/a.pt.state" ] || complain "$what lost by $signal: no state"
    [ ! -e "$folder/a.pt.html" ] || complain "$what lost by $signal: the training was over before"
}

# It is resumed by any number of processes.
lose 1 KILL killed-1 "${ppo[@]}"
train 4 killed-1 "${ppo[@]}" --resume=1
alike ppo killed-1
lose 0 KILL killed-0 "${ppo[@]}"
train 0 killed-0 "${ppo[@]}" --resume=1
alike ppo killed-0
# mpirun takes half a second or more to pass a signal on.
train 0 long "${ppo[@]}" --trainJobs=3000
lose mpirun TERM ended "${ppo[@]}" --trainJobs=3000
train 2 ended "${ppo[@]}" --trainJobs=3000 --resume=1
alike long ended
train 2 ended "${ppo[@]}" --trainJobs=3000 --resume=1 # done: nothing happens
[ "$(grep -c 'is done' ended/out)" -eq 1 ] || complain "not one line that it is done"

# A3C by 2 processes can be repeated; its result depends on their number.
a3c="--learner=A3cLearner[$common|LearningRate=0.001|Window=20]"
train 2 a3c "$a3c"
lose 1 KILL a3c-again "$a3c"
(start 0 a3c-again "$a3c" --resume=1) && complain "A3C was resumed by another number of processes"
one_line a3c-again 'began with 2 process'
train 2 a3c-again "$a3c" --resume=1
alike a3c a3c-again

# An error of all processes, one of rank 0 alone, and one while they train.
(start 2 wrong --learner=Nothing) && complain "an unknown learner"
one_line wrong Nothing
(start 2 absent "${ppo[@]}" --checkpoint=absent/a.pt) && complain "no folder for the checkpoint"
one_line absent absent
(start 2 diverged "--learner=PpoLearner[$common|LearningRate=1e30|ClipGradient=0]") && complain "a training that diverges"
one_line diverged diverged
(start 2 random "--learner=PpoLearner[$common|CloneDecisions=100]" --teacher=ns3::odcn::RandomPolicy) &&
    complain "a teacher of which each process would draw other numbers"
one_line random 'RandomPolicy, decides in one process only'

conclude
