#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# training-slices as a user runs it: RFold's jobs start when its program starts them, policies keep
# their order, results are written, and bad input gives one error line.
#
# Usage: training-slices-test.sh PROGRAM

data=$(cd "$(dirname "${BASH_SOURCE[0]}")/data/pod" && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

run reference --jobFile="$data/pod60.csv" --policies=firstfit,slurm_hilbert,reconfig,rfold || { complain "RFold's jobs"; cat err; }
for policy in firstfit slurm_hilbert reconfig rfold; do
    # Theirs: job, arrival, start (-inf if given up); ours: column 7 is the start, 6 the outcome.
    awk -F, 'NR == FNR { if (!/#/) { start[$1] = $3; jobs++ } next }
        FNR > 1 && $1 in start { given = start[$1] == "-inf"
            if (given != ($6 == "given up") || !given && start[$1] != $7) { print; bad = 1 } same++ }
        END { exit bad || same != 60 || jobs != 60 }' "$data/pod60-$policy.csv" "reference/$policy-jobs.csv" ||
        complain "$policy starts jobs at other times than RFold's program"
done

options=(--jobs=200 --replications=3)
run first --shapes=mixed --intervals=rfold --longest=1h || { complain "random jobs"; cat err; }
for file in summary.csv replications.csv provenance.txt report.html rfold-jobs.csv; do
    [ -s "first/$file" ] || complain "first/$file is missing or empty"
done
[ "$(wc -l <first/replications.csv)" -eq $((1 + 6 * 3)) ] || complain "rows of replications.csv"
awk -F, '$2 == "completed" { share[$1] = $3 } $2 == "utilisation" { used[$1] = $3 } $2 == "joined" { joined[$1] = $3 }
    END { exit !(share["firstfit"] < 0.2 && share["folding"] > 0.3 && share["folding"] < 0.6 && share["rfold"] == 1 &&
        used["firstfit"] < used["folding"] && used["folding"] < used["reconfig"] && used["reconfig"] < used["rfold"] &&
        joined["reconfig"] == 1 && joined["random"] == 0) }' first/summary.csv || { complain "the order of policies"; cat out; }
run second --shapes=mixed --intervals=rfold --longest=1h
same first second

run faults --policies=firstfit,reconfig --stretch=10 --failureTime=2000000s --repairTime=7200s --switchTime=10s ||
    { complain "failures"; cat err; }
awk -F, '$2 == "interrupted" { ended[$1] = $3 } $2 == "swaps" { swaps[$1] = $3 }
    END { exit !(ended["firstfit"] > ended["reconfig"] && swaps["reconfig"] > 0 && swaps["firstfit"] == 0) }' faults/summary.csv ||
    { complain "failed cubes"; cat out; }

run none --policies=reconfig
run easy --policies=reconfig --backfill=Easy
waits() { awk -F, '$2 == "wait_mean_s" { print $3 }' "$1/summary.csv"; }
awk -v none="$(waits none)" -v easy="$(waits easy)" 'BEGIN { exit !(easy < 0.9 * none) }' || complain "backfill"

sha256sum first/* >before
printf '0,0,T3D_NT,4x4x4,63,5\n' >wrong.csv
refusals <<'END'
rfold              | --policies=rfoldd
Aligned=2          | '--policies=rfold[Aligned=2]'
multiples          | --pod=16x16x15
'4x4'              | --pod=4x4
none.csv           | --durations=none.csv
jobFile            | --jobFile=wrong.csv
failureTime        | --repairTime=5s
replications       | --replications=0
Easy               | --backfill=easy
END
options=()
refusals <<'END'
wrong.csv:1.*'63' | --jobFile=wrong.csv
END

conclude
