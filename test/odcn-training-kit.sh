# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Trainings in the tests of programs; sourced before odcn-program-kit.sh, which leaves the folder.

# train FOLDER OPTION ...: a training with its files in the folder. Checkpoints hold the command
# line, so trainings are compared from folders of their own.
train()
{
    local folder=$1
    shift
    mkdir -p "$folder"
    cd "$folder" && start "$@" >"$work/out" 2>"$work/err"
    local status=$?
    cd "$work" && return $status
}

# interrupt SIGNAL FOLDER FILE OPTION ...: as train, with the signal sent after the first epoch.
# The exit status is the program's.
interrupt()
{
    local signal=$1 folder=$2 curve=$2/$3.csv
    shift 3
    mkdir -p "$folder"
    (cd "$folder" && exec "$program" "$@") >out 2>err &
    local pid=$!
    while kill -0 $pid 2>/dev/null && ! [ -s "$curve" ]; do
        sleep 0.02
    done
    kill -s "$signal" $pid 2>/dev/null
    wait $pid
}

# resumes FILE OPTION ...: a training interrupted by a signal, or killed, and resumed gives the same
# files as an uninterrupted one. Other options are refused meanwhile.
resumes()
{
    local file=$1 signal status
    shift
    train whole "$@" || { complain "a training: $*"; cat err; }
    train whole "$@" --resume=1 --RngRun=7 && complain "done with another run counts as done"
    mkdir -p pipe
    mkfifo "pipe/$file"
    train pipe "$@" && complain "a checkpoint in a pipe that nobody reads"
    grep -q 'a pipe that no process reads' err && [ "$(ls -A pipe)" = "$file" ] || { complain "another end"; cat err; ls -A pipe; }
    rm -r pipe
    for signal in INT TERM KILL; do
        interrupt $signal "$signal" "$file" "$@"
        status=$?
        [ $status -eq $((128 + $(kill -l $signal))) ] || complain "exit status $status after SIG$signal"
        [ $signal = KILL ] || grep -q 'resume=1 goes on' err || complain "no word of resuming after SIG$signal"
        [ -s "$signal/$file.state" ] || complain "no state after SIG$signal"
        train "$signal" "$@" --RngRun=7 --resume=1 && complain "it was resumed with another run"
        grep -q 'began without --RngRun, found it with --RngRun=7' err || { complain "no word of another run"; cat err; }
        [ "$(wc -l <err)" -eq 1 ] || { complain "not one line"; cat err; }
        (cd "$signal" && NS_GLOBAL_VALUE=ChecksumEnabled=true "$program" "$@" --resume=1) >/dev/null 2>err &&
            complain "it was resumed in another environment"
        grep -q 'began without NS_GLOBAL_VALUE, found it with NS_GLOBAL_VALUE=ChecksumEnabled=true' err ||
            { complain "no word of another environment"; cat err; }
        # Temporary files of a process that is killed while it writes.
        echo "half a file" | tee "$signal/.odcn-part-$file-1-1" >"$signal/.odcn-part-$file.html-1-1"
        train "$signal" "$@" --resume=1 || { complain "resuming after SIG$signal"; cat err; }
        for made in "$file" "$file.csv" "$file.html"; do
            cmp -s "whole/$made" "$signal/$made" || complain "$made differs after SIG$signal"
            rm "$signal/$made"
        done
        rmdir "$signal" || { complain "files stayed after SIG$signal:"; ls "$signal"; }
    done
}
