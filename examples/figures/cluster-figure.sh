#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a figure or table of cluster scheduling, store its results, draw the figure or print the table.
# Figures are numbered as in DeepRM_Plus; tables and a2c-fig3 as in A2cScheduler.
#
#   examples/figures/cluster-fig8.sh                  into doc/results/cluster
#   examples/figures/cluster-fig8.sh --quick          ten sets of jobs, into ./cluster-figures-quick
#   examples/figures/cluster-fig8.sh --output=mine    into ./mine
#   examples/figures/cluster-fig8.sh --agents=mine    read agents that data/ lacks from ./mine
#   examples/figures/cluster-fig8.sh --agents=mine --train    and train missing ones
#   examples/figures/cluster-fig13.sh --alibaba=batch_task.csv --cerit=wagap-2013_compact.csv
#
# Missing agents are reported and left out. More options:
# ./ns3 run "cluster-job-scheduling --help".

set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$folder/../.." && pwd)
name=$1
shift

output=$root/doc/results/cluster
agents=
train=
quick=
alibaba=
cerit=
options=()
for option in "$@"; do
    case $option in
        --quick | --quick=1) quick=1 output=$PWD/cluster-figures-quick ;;
        --output=*) output=$(realpath -m "${option#--output=}") ;;
        --agents=*) agents=$(realpath -m "${option#--agents=}") ;;
        --train) train=1 ;;
        --alibaba=*) alibaba=$(realpath -e "${option#--alibaba=}") ;;
        --cerit=*) cerit=$(realpath -e "${option#--cerit=}") ;;
        *) options+=("$option") ;;
    esac
done
sets=200
[ "$name" != cluster-fig5 ] || sets=500
[ -z "$quick" ] || sets=10
mkdir -p "$output"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rules="random,random-feasible,untrained,fcfs,hrrn,packer,tetris,tetris-ties=tetris[Knob=0.001],easy,sjf"
load=(--arrivals=Poisson --loads=140 "--replications=$sets")

program()
{
    (cd "$root" && ./ns3 run cluster-job-scheduling -- --perJob=0 --output="$work" "$@")
}

# find_agent FILE OPTION ...: set $agent to its path, or to nothing if missing. OPTIONs are for training it.
find_agent()
{
    local file
    for file in "$root/data/cluster-$1.pt" ${agents:+"$agents/$1.pt"}; do
        agent=$file
        [ -e "$file" ] && return
    done
    if [ -n "$agents" ] && [ -n "$train" ] && [ $# -gt 1 ]; then
        mkdir -p "$agents"
        local resume=0
        [ -e "$agent.state" ] && resume=1
        program --train=1 --checkpoint="$agent" --resume=$resume "${@:2}"
        return
    fi
    echo "left out: agent $1, for want of $agent" >&2
    agent=
}

# with TITLE FILE OPTION ...: add an agent to $policies, with sampled and with likeliest actions.
with()
{
    find_agent "${@:2}"
    [ -z "$agent" ] || policies+=",$1=agent[Checkpoint=$agent|Greedy=0],$1-likeliest=agent[Checkpoint=$agent]"
}

# compare OPTION ...: run all policies on the same jobs.
compare()
{
    program --protocols=all-done --policies="$policies" ${options[@]+"${options[@]}"} "$@"
}

# keep COLUMN VALUE [FILE]: append a table of the program, with an extra column, to that of the figure.
keep()
{
    [ -e "$work/kept" ] || echo "$1,$(head -n 1 "$work/${3:-summary}.csv")" >"$work/kept"
    # Rows of bounds have no figures of policies.
    awk -F, -v value="$2" 'NR > 1 && $4 != "bound" {print value "," $0}' \
        "$work/${3:-summary}.csv" >>"$work/kept"
}

# without_mask TITLE FILE OPTION ...: add an agent as its paper has it, which samples its actions.
without_mask()
{
    find_agent "${@:2}"
    [ -z "$agent" ] || policies+=",$1=agent[Checkpoint=$agent|Greedy=0|UseMask=0]"
}

# Add the agents of the default cluster: the papers' and those with a mask.
papers()
{
    without_mask deeprm-paper deeprm-paper
    without_mask deeprm-plus-paper deeprm-plus-paper
    with deeprm deeprm
    with deeprm-plus deeprm-plus
    with a2cscheduler a2cscheduler
}

# curve TITLE FILE: add a learning curve, from the agent or from the stored results.
curve()
{
    local file
    for file in ${agents:+"$agents/$2.pt.csv"} "$root/doc/results/cluster-$2-training.csv"; do
        if [ -e "$file" ]; then
            # Stored curves name the evaluation column after the score.
            awk -F, -v OFS=, '
                NR == 1 {
                    for (i = 1; i <= NF; ++i) at[$i] = i
                    evaluation = "evaluation" in at ? at["evaluation"] : at["evaluation_slowdown"]
                }
                {print $at["epoch"], $at["decisions"], $at["updates"],
                    NR == 1 ? "evaluation_slowdown" : $evaluation}' "$file" >"$work/curve.csv"
            keep policy "$1" curve
            return
        fi
    done
    echo "left out: the learning curve of $1, for want of $file" >&2
}

# split KIND FILE KEY OPTION ...: split a trace in two halves by the arrival time in column KEY, and convert
# them to jobs of the default cluster.
split()
{
    local header=0
    [ "$1" = cerit ] && header=1
    tail -n +$((1 + header)) "$2" | awk -F, -v kind="$1" 'kind != "alibaba" || $5 == "Terminated"' |
        sort -s -t, -k"$3,$3n" >"$work/rows"
    local half=$(($(wc -l <"$work/rows") / 2))
    for part in first rest; do
        head -n $header "$2" >"$work/$1-$part.csv"
    done
    head -n $half "$work/rows" >>"$work/$1-first.csv"
    tail -n +$((half + 1)) "$work/rows" >>"$work/$1-rest.csv"
    for part in first rest; do
        "$root/examples/odcn-convert-trace.py" --to=cluster "${@:4}" "$work/$1-$part.csv" "$work/$1-$part-jobs.csv"
    done
}

# trace NAME JOBS: set $form to the options for sets of JOBS jobs of the trace.
trace()
{
    trace=$1
    form=("--jobsPerSet=$2" --maxSlots=1000)
}

[ -z "$alibaba" ] || split alibaba "$alibaba" 6 --format=alibaba-2018 --timeUnit=10 --cpuUnit=0.5 --memoryUnit=0.235
[ -z "$cerit" ] || split cerit "$cerit" 2 --format=cerit --timeUnit=3600 --cpuUnit=6.4 --memoryUnit=12

# tuned AGENT ...: add these agents after further training on the first half of $trace.
tuned()
{
    local a
    for a in "$@"; do
        find_agent "$a"
        [ -z "$agent" ] || with "$a-trace" "$a-$trace" --agent="$a" --start="$agent" \
            --trainDecisions=300000 \
            --jobFile="$work/$trace-first-jobs.csv" "${form[@]}" --loads=100
    done
}

policies=$rules
case $name in
    cluster-fig5)
        papers
        compare "${load[@]}"
        keep part all
        ;;
    cluster-fig6)
        curve deeprm-paper deeprm-paper-seed2
        curve deeprm-plus-paper deeprm-plus-paper-seed1
        curve deeprm deeprm
        curve deeprm-plus deeprm-plus
        mv "$work/kept" "$output/$name-curves.csv"
        compare --replications="$sets"
        keep part all
        ;;
    cluster-fig7)
        policies=random,sjf
        with deeprm-before deeprm-before --agent=deeprm --trainDecisions=1
        with deeprm-plus-before deeprm-plus-before --agent=deeprm-plus --trainDecisions=1
        without_mask deeprm-paper deeprm-paper
        without_mask deeprm-plus-paper deeprm-plus-paper
        with deeprm deeprm
        with deeprm-plus deeprm-plus
        compare "${load[@]}"
        keep part all lengths
        ;;
    cluster-fig8)
        papers
        compare --arrivals=Poisson --loads=10,30,50,70,90,110,130,150,170,190 --replications="$sets"
        keep part all
        ;;
    cluster-fig9)
        papers
        without_mask deeprm-r2 deeprm-paper-r2 --agent=deeprm-paper --reward=R2 --trainDecisions=700000
        without_mask deeprm-plus-r2 deeprm-plus-paper-r2 --agent=deeprm-plus-paper --reward=R2 \
            --trainDecisions=700000
        compare "${load[@]}" --reward=R2
        keep part all
        ;;
    cluster-fig10 | cluster-fig11)
        for n in 10 20 40; do
            policies=$rules
            if [ "$name" = cluster-fig10 ]; then
                size=("--capacity=$n" --arrivals=Poisson --rates=0.76) of=capacity column=capacity
            else
                size=("--jobSlots=$n" --arrivals=Poisson --loads=140) of=slots column=job_slots
            fi
            if [ $n = 10 ]; then
                without_mask deeprm-paper deeprm-paper
                without_mask deeprm-plus-paper deeprm-plus-paper
            else
                without_mask deeprm-paper deeprm-paper-$of-$n --agent=deeprm-paper --trainDecisions=600000 \
                    "${size[@]}"
                without_mask deeprm-plus-paper deeprm-plus-paper-$of-$n \
                    --agent=deeprm-plus-paper --trainDecisions=600000 "${size[@]}"
            fi
            compare "${size[@]}" --replications="$sets"
            keep $column $n
        done
        ;;
    cluster-fig13)
        for kind in alibaba cerit; do
            if [ -z "${!kind}" ]; then
                echo "left out: $kind, for want of --$kind=FILE" >&2
                continue
            fi
            trace $kind 50
            policies=$rules
            papers
            tuned deeprm deeprm-plus
            compare --jobFile="$work/$trace-rest-jobs.csv" "${form[@]}" --loads=70,130 ${quick:+--replications=10}
            keep trace "$trace"
        done
        ;;
    cluster-table1)
        for machines in 1 2; do
            policies=random,tetris,sjf
            if [ $machines = 1 ]; then
                with a2cscheduler a2cscheduler
            else
                with a2cscheduler a2cscheduler-machines-2 --agent=a2cscheduler --machines=2
            fi
            compare --machines=$machines --rates=0.9,0.8,0.7,0.6 --replications="$sets"
            keep machines $machines
        done
        ;;
    cluster-table3)
        for net in plain fc Conv3-16 Conv3-32 Conv3-16,MaxPool2 Conv3-32,MaxPool2; do
            file=${net//,MaxPool2/-pool}
            file=table3-${file/Conv3-/conv}
            layers="layers=$net|hidden="
            case $net in
                plain) layers="layers=|hidden=" ;;
                fc) layers="layers=|hidden=20" ;;
            esac
            find_agent "$file" --agent=a2cscheduler --trainDecisions=300000 \
                "--network=Cnn[$layers|filterBias=0]"
            curve "${net//,MaxPool2/ + pooling}" "$file"
        done
        ;;
    cluster-table4)
        if [ -z "$cerit" ]; then
            echo "error: $name needs --cerit=FILE" >&2
            exit 1
        fi
        trace cerit 60
        policies=random,tetris,sjf,easy
        with a2cscheduler a2cscheduler
        tuned a2cscheduler
        compare --jobFile="$work/cerit-rest-jobs.csv" "${form[@]}" --loads=70 ${quick:+--replications=10}
        keep trace cerit
        ;;
    cluster-a2c-fig3)
        curve a2cscheduler a2cscheduler-seed2
        if [ ! -e "$work/kept" ]; then
            echo "error: $name has nothing to show" >&2
            exit 1
        fi
        mv "$work/kept" "$output/$name-curves.csv"
        policies=random,tetris,sjf
        with a2cscheduler a2cscheduler
        compare --replications="$sets"
        keep part all
        ;;
    *)
        echo "error: no figure or table $name" >&2
        exit 1
        ;;
esac
if [ ! -e "$work/kept" ]; then
    echo "error: $name has nothing to show" >&2
    exit 1
fi
mv "$work/kept" "$output/$name.csv"
if [ -e "$folder/$name.awk" ]; then
    awk -f "$folder/$name.awk" "$output/$name.csv"
    exit
fi
"$folder/draw.sh" "$name" "$output"
