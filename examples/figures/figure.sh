#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a figure or table of the ODCN paper by odcn-drl-scheduling, store its results, print its tables, draw the figure.
#
#   examples/figures/fig5.sh                 into doc/results/odcn, and the tables into doc/results/odcn.md
#   examples/figures/fig5.sh --quick         short runs, into ./odcn-figures-quick
#   examples/figures/fig5.sh --output=mine   into ./mine; with --page=FILE after it, the tables into that page
#   examples/figures/fig6.sh --agents=evolved=my-agent.pt
#   examples/figures/fig3.sh --trained=odcn --phis=0,25 --trainings=3 --trainJobs=100000 --charge=EachStep
#
# Trainings of Figs. 3 and 4 are kept in agents/ of the folder, and go on where they were interrupted. --rules and --agents
# replace the policies. More options: ./ns3 run "odcn-drl-scheduling --help".

set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$folder/../.." && pwd)
name=$1
shift

rules=random,first-fit,untrained,all2all-ccf,odcn-ccf,odcn-jcb,odcn-packing,odcn-score
more=
loads=66 tors=16 servers=32 long="10000 2000"
case $name in
    front)
        for w in 0 0.5 1 2 5; do more+=",odcn-packing:$w=odcn-packing[BandwidthWeight=$w]"; done
        for w in 0.3 0.6 2.4 5 10 20; do more+=",odcn-score:$w=odcn-score[BacklogWeight=$w]"; done
        ;;
    fig5 | table2) loads=54,60,66,72,78 ;;
    fig6 | table3) loads=300 tors=32 servers=64 long="20000 9000" ;;
    fig7 | table4) loads=1320 tors=64 servers=128 long="40000 40000" ;;
esac
trained=odcn,evolution
[ "$name" = fig3 ] || trained=odcn,paper,steady,evolution
phis= charge=OnceAJob alpha= trainings= trainJobs= agents= jobs= warmUp= replications= packets=exact packetReplications=
output=$root/doc/results/odcn page=$root/doc/results/odcn.md quick=
typed="examples/figures/$name.sh $*"
options=()
for option in "$@"; do
    case $option in
        --quick | --quick=1) quick=1 output=$PWD/odcn-figures-quick page= ;;
        --output=*) output=$(realpath -m "${option#*=}") page= ;;
        --page=*) page=$(realpath -e "${option#*=}") ;;
        --rules=* | --agents=* | --loads=* | --jobs=* | --warmUp=* | --tors=* | --servers=* | --trained=* | --phis=* | \
            --charge=* | --alpha=* | --trainings=* | --trainJobs=* | --replications=* | --packets=* | --packetReplications=*)
            option=${option#--}
            printf -v "${option%%=*}" %s "${option#*=}"
            ;;
        *) options+=("$option") ;;
    esac
done
if [ -n "$quick" ]; then
    windows=(--windows=2 --windowWarmUp=2us --windowLength=2us)
    # Of mean durations of a job.
    long=$(awk -v d="${loads##*,}" 'BEGIN { print int(10 * d), int(5 * d) }')
    set -- 2 5,25,40 1 2000
else
    windows=(--windows=20)
    set -- 20 0,5,10,15,20,25,30,35,40 5 200000
fi
replications=${replications:-$1} phis=${phis:-$2} trainings=${trainings:-$3} trainJobs=${trainJobs:-$4}
jobs=${jobs:-${long% *}} warmUp=${warmUp:-${long#* }}
mkdir -p "$output"
# Of the checkout, or of a folder of programs (for tests).
run()
{
    (cd "$root" && if [ -n "${ODCN_BIN:-}" ]; then "$ODCN_BIN/odcn-drl-scheduling" "$@"; else ./ns3 run odcn-drl-scheduling -- "$@"; fi)
}
size=(--tors="$tors" --servers="$servers")

# Agents of this size: those that data/ has.
with()
{
    [ ! -e "$root/data/$2" ] || agents+="${agents:+,}$1=data/$2"
}
if [ -z "$agents" ]; then
    with linear "linear-odcn-$tors-tor.json"
    with imitation odcn.pt
    with drl-a2c "odcn-$tors-tor-a2c.pt"
    if [ "$tors" = 16 ]; then
        agents+=",drl-paper"
        with drl-paper-mask odcn-paper.pt
    else
        with linear-16 linear-odcn-16-tor.json
    fi
    if [ "$name" = front ]; then
        with linear-accept "linear-odcn-$tors-tor-accept.json"
        with linear-swift "linear-odcn-$tors-tor-swift.json"
    fi
fi
policies=$rules
[ "$agents" = none ] || policies+=,$agents
policies+=$more

# train RECIPE RUN FILE OPTION ...: unless it was done, train FILE.
train()
{
    local recipe=$1 weight=100
    case $1 in evolution | ppo) weight=1.3 ;; esac
    local how=(--trainJobs="$trainJobs")
    # An evolution ends after its generations.
    [ "$1" != evolution ] || how=(--trainJobs=100000000)
    if [ -n "$quick" ]; then
        how+=(--evaluationDecisions=5000)
        case $1 in
            evolution) how+=(--generations=2) ;;
            odcn | ppo) how+=(--cloneDecisions=30000) ;;
        esac
    fi
    mkdir -p "${3%/*}"
    run "${size[@]}" --loads="${loads%%,*}" --train=1 --resume=1 --agent="$1" --RngRun="$2" --checkpoint="$3" \
        --alpha="${alpha:-$weight}" "${how[@]}" "${@:4}" >&2
}

# file RECIPE: ending of its checkpoints
ending()
{
    [ "$1" = evolution ] && echo json || echo pt
}

case $name in
    fig3)
        packets=formula policies=
        for recipe in ${trained//,/ }; do
            for ((i = 1; i <= trainings; ++i)); do
                for phi in ${phis//,/ }; do
                    file=$output/agents/$recipe-phi-$phi-$i.$(ending "$recipe")
                    train "$recipe" "$i" "$file" --phiReconf="$phi" --charge="$charge"
                    policies+="${policies:+,}$recipe/$phi/$i=$file"
                done
            done
        done
        ;;
    fig4)
        packets=formula policies=$rules
        echo "recipe,training,decisions,lost" >"$output/fig4-curves.csv"
        for recipe in ${trained//,/ }; do
            for ((i = 1; i <= trainings; ++i)); do
                file=$output/agents/$recipe-$i.$(ending "$recipe")
                train "$recipe" "$i" "$file"
                awk -F, -v OFS=, -v r="$recipe" -v i="$i" 'NR == 1 { for (k = 1; k <= NF; ++k) at[$k] = k }
                    NR > 1 && $at["evaluation"] != "" { print r, i, $at["decisions"], $at["evaluation"] }' "$file.csv" >>"$output/fig4-curves.csv"
            done
        done
        ;;
    table*) packets=formula ;;
esac
[ "$packets" = formula ] || size+=(--packetReplications="${packetReplications:-$replications}" "${windows[@]}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run "${size[@]}" --loads="$loads" --jobs="$jobs" --warmUp="$warmUp" --RngRun=101 --replications="$replications" --packets="$packets" \
    --policies="$policies" --report=0 --output="$work" "${options[@]}" >&2
{
    sed "s|^|# |; s|$output|FOLDER|g; s| --output=[^ ]*||" "$work/provenance.txt"
    cat "$work/summary.csv"
} >"$output/$name.csv"
curves=
[ "$name" != fig4 ] || curves=$output/fig4-curves.csv
{
    echo
    echo "\`${typed% }\`"
    echo
    awk -v name="$name" -f "$folder/odcn-tables.awk" "$root/data/odcn-paper.csv" "$output/$name.csv" "$work/replications.csv" $curves
    echo
} >"$work/tables.md"
cat "$work/tables.md"
if [ -n "$page" ]; then
    awk -v name="$name" -v tables="$work/tables.md" '
        !inside { print }
        $0 == "<!-- figures: " name " -->" { inside = 1; while ((getline line < tables) > 0) print line }
        inside && $0 == "<!-- figures: end -->" { inside = 0; print }' "$page" >"$work/page.md"
    cp "$work/page.md" "$page"
fi
case $name in
    table*) ;;
    *) "$folder/draw.sh" "$name" "$output" ;;
esac
