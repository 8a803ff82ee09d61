#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# explain.sh FOLDER [POLICY [TRAINING.csv [OPTION ...]]]: print why a policy with scores places a job
# as it does, and draw FOLDER/explain.svg: three decisions about the job, the first, one in the
# middle and the last, with the features that decide between the best and the next best rack; below
# them the curve of the policy's training. POLICY is a name or a specification of odcn-drl-scheduling
# (linear), TRAINING.csv what its training has written ("" for none). OPTIONs are of that program;
# the job is --explain=300 unless they say otherwise.

set -euo pipefail
folder=$1 policy=${2:-linear} training=${3:-}
shift $(($# < 3 ? $# : 3))
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[ -z "$training" ] || training=$(cd "$(dirname "$training")" && pwd)/$(basename "$training")
options="--explain=300 $*"
[[ " $* " != *' --explain='* ]] || options="$*"
(cd "$here/../.." && ./ns3 run "odcn-drl-scheduling --policies=$policy --output=$folder $options")

# Of three VMs, the six features with the greatest share in the choice, and the sum of the others.
awk -F, -v OFS=, '
    NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
    $c["next_rack"] != "" {
        vm = $c["vm"]
        if (!(vm in n)) { order[++vms] = vm; title[vm] = "VM " vm ": rack " $c["rack"] " rather than rack " $c["next_rack"] }
        ++n[vm]; name[vm, n[vm]] = $c["feature"]; share[vm, n[vm]] = $c["effect"] - $c["next_effect"]
    }
    function size(x) { return x < 0 ? -x : x }
    END {
        print "panel", "title", "row", "feature", "share"
        for (panel = 1; panel <= 3 && panel <= vms; ++panel) {
            vm = order[panel == 1 ? 1 : panel == 3 ? vms : int((vms + 1) / 2)]
            rest = 0
            for (row = 1; row <= n[vm]; ++row) {
                best = 0
                for (i = 1; i <= n[vm]; ++i)
                    if (!((vm, i) in used) && (best == 0 || size(share[vm, i]) > size(share[vm, best]))) best = i
                used[vm, best] = 1
                if (row <= 6) print panel, title[vm], row, name[vm, best], share[vm, best]
                else rest += share[vm, best]
            }
            print panel, title[vm], 7, "others", rest
        }
    }' "$folder/explain.csv" >"$folder/explain-shares.csv"
rm -f "$folder/explain-training.csv"
if [ -n "$training" ]; then
    # The last column of an evaluation that has values, else the score or the mean of the generation.
    awk -F, -v OFS=, '
        /^#/ { next }
        !header { header = 1; for (i = 1; i <= NF; ++i) c[$i] = i
            split("evaluation_lost mean_lost evaluation score mean_reward", names, " ")
            for (k = 1; k <= 5 && !y; ++k) if (names[k] in c && names[k] != "evaluation_lost") { y = c[names[k]]; what = names[k] }
            gsub("_", " ", what); print "decisions", "value", "what"; next }
        $y != "" { print $c["decisions"], $y, what }' "$training" >"$folder/explain-training.csv"
fi
"$here/draw.sh" explain "$folder"
