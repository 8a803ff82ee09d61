#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# odcn-figures as a user runs it, on a small data centre: finished replications are not repeated, an
# interrupted run gives identical files, and the page agrees with the files.
#
# Usage: odcn-figures-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

small=(--quick --tors=4 --servers=4 --loads=6,66 --jobs=60 --warmUp=30)

# run OPTION ...: into the folder "out", with the page.
run()
{
    start "${small[@]}" --output=out --page=page.md "$@" >said 2>err ||
        { complain "$*"; cat err; }
}

# refuses WORDS OPTION ...: exit status not 0 and one line that holds all WORDS.
refuses()
{
    local words=$1 word
    shift
    start "${small[@]}" --output=out "$@" >said 2>err && complain "accepted: $*"
    [ "$(wc -l <err)" -eq 1 ] || { complain "not one line: $*"; head -3 err; }
    for word in $words; do
        grep -q -- "$word" err || { complain "no '$word' in the message of $*"; cat err; }
    done
}

{
    echo "before"
    for region in fig3 fig4 fig5 table2; do
        printf '<!-- odcn-figures: %s -->\nold %s\n<!-- odcn-figures: end -->\n' $region $region
    done
    echo "after"
} >page.md

# Figure and table share the replications at job level.
run --figure=5
grep -q 'job level' err || complain "nothing was run"
run --table=2
grep -q 'job level' err && complain "the table ran the figure's jobs again"
for file in 4-tor-jobs.csv 4-tor-packets.csv fig5.csv table2.csv; do
    [ -s out/$file ] || complain "out/$file is missing or empty"
done
grep -q 'old fig5\|old table2' page.md && complain "the page was not filled"
[ "$(grep -c 'old fig[34]\|^before$\|^after$' page.md)" -eq 4 ] || complain "the page was damaged"

# Sockets and devices give the same packets as the engine without events.
start "${small[@]}" --figure=5 --packets=ns3 --agents=none --output=ns3 >said 2>err ||
    { complain "packets by ns-3"; cat err; }
sed 's/,ns3,/,exact,/' ns3/4-tor-packets.csv >sockets
grep -v '^drl\|^linear' out/4-tor-packets.csv | cmp -s sockets - || complain "the engines differ"

# Repeating the command runs and changes nothing; lost replications are reproduced exactly.
sha256sum out/*.csv page.md >before
run --figure=5
run --table=2
grep -q 'jobs' err && complain "something was run again"
sha256sum out/*.csv page.md | cmp -s before - || complain "running again changed something"
for file in out/4-tor-jobs.csv out/4-tor-packets.csv; do
    awk 'NR == 1 || NR % 2' $file >half && mv half $file
done
run --figure=5
run --table=2
sha256sum out/*.csv page.md | cmp -s before - || complain "what was lost came back different"

# The page's numbers, computed from the raw file in another way.
blocked=$(awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    $at["policy"] == "odcn-jcb" && $at["load"] == 6 {
        bad += $at["blocked_compute"] + $at["blocked_choice"] + $at["blocked_bandwidth"]
        served += $at["accepted"] + $at["reconfigured"]
    }
    END { printf "%.6f", 100 * bad / (bad + served) }' out/4-tor-jobs.csv)
shown=$(awk '/odcn-figures: fig5/ { on = 1 } on' page.md | grep -m 1 '^| 6 | odcn-jcb |' |
    awk -F'|' '{ split($4, part, " "); print part[1] }')
awk -v a="$blocked" -v b="$shown" 'BEGIN { exit !(a > 0 && (a - b) ^ 2 <= 1) }' ||
    complain "the page says $shown % blocked, the file $blocked %"
plotted=$(awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["policy"] == "odcn-jcb" && $at["load"] == 6 { printf "%.6f", 100 * $at["blocking"] }' out/fig5.csv)
[ "$plotted" = "$blocked" ] || complain "fig5.csv says $plotted % blocked, the raw file $blocked %"
case $(awk '/odcn-figures: table2/ { on = 1 } on' page.md | grep -m 1 '^| 66 | odcn-jcb |') in
    *'*79.3*'*'*55.6*'*'*53.3*'*) ;;
    *) complain "the paper's row of Table 2 is not beside ours" ;;
esac
grep -q '^| \*paper: blocking\* | 66 | \*10.33\* | \*5.9\* | \*5.25\* |' page.md ||
    complain "the paper's ratios of Fig. 4 are missing"

# Changed options replace only the rows that they affect.
rows=$(wc -l <out/4-tor-jobs.csv)
run --figure=5 --packets=formula --jobs=50 --policies=odcn-ccf
[ "$(wc -l <out/4-tor-jobs.csv)" -eq "$rows" ] || complain "rows were lost or doubled"

# Agents of Fig. 3 and curves of Fig. 4; trainings are not repeated either.
run --figure=3 --loads=6 --phis=5,40 --trained=odcn --trainJobs=100 --trainings=1
[ "$(grep -vc '^#' out/fig3.csv)" -eq 3 ] || complain "fig3.csv has not two agents"
grep -q '^| odcn | 40 | 1 |' page.md || complain "Fig. 3 is not on the page"
run --figure=4 --loads=6 --trained=odcn,evolution --trainJobs=100 --trainings=1
grep -q '^| evolution | 1 |' page.md || complain "Fig. 4 is not on the page"
rm -r out/agents
sha256sum out/*.csv page.md >before
run --figure=3 --loads=6 --phis=5,40 --trained=odcn --trainJobs=100 --trainings=1
run --figure=4 --loads=6 --trained=odcn,evolution --trainJobs=100 --trainings=1
[ -e out/agents ] && complain "trained again"
sha256sum out/*.csv page.md | cmp -s before - || complain "Figs. 3 and 4 are not repeatable"

refuses 'figure table' --packets=formula
refuses 'figure 8' --figure=8
refuses 'figure table' --figure=5 --table=2
refuses 'loads six' --figure=5 --loads=six
refuses 'trained pie' --figure=4 --trained=odcn,pie
refuses 'alpha much' --figure=3 --alpha=much
refuses 'packets pigeon' --figure=5 --packets=pigeon
refuses 'replications nan' --figure=5 --replications=nan
refuses 'agents nobody' --figure=5 --agents=nobody
refuses 'absent.odcn' --figure=5 --agents=me:absent.odcn
refuses 'absent.md' --table=2 --page=absent.md
refuses 'fig6 page.md' --figure=6 --packets=formula --page=page.md
refuses '/proc/odcn' --table=2 --output=/proc/odcn

conclude
