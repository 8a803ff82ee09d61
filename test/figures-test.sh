#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The scripts of the ODCN paper's figures and tables on a small data centre: their tables agree with the files of
# odcn-drl-scheduling, go into a page, and show the paper's numbers; trainings are not repeated.
#
# Usage: figures-test.sh ODCN-DRL-SCHEDULING    Exit status 77: no gnuplot, so only the tables were tested.

figures=$(cd "$(dirname "${BASH_SOURCE[0]}")/../examples/figures" && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
export ODCN_BIN=${program%/*}
if ! command -v gnuplot >/dev/null; then
    leave_out "pictures, without gnuplot (Debian: apt install gnuplot-nox)"
    mkdir bin
    printf '#!/bin/sh\n' >bin/gnuplot
    chmod +x bin/gnuplot
    export PATH=$work/bin:$PATH
fi

# figure NAME OPTION ...: into the folder "out", with the page.
figure()
{
    local name=$1
    shift
    "$figures/$name.sh" --quick --tors=4 --servers=4 --jobs=60 --warmUp=30 --output=out --page=page.md "$@" >"$name.md" 2>err ||
        { complain "$name $*"; cat err; }
}

{
    echo "before"
    for region in fig3 fig4 fig5 table2; do
        printf '<!-- figures: %s -->\nold %s\n<!-- figures: end -->\n' $region $region
    done
    echo "after"
} >page.md

figure fig5 --loads=6,66 --rules=all2all-ccf,odcn-ccf,odcn-jcb --replications=3
[ "$(grep -c 'old fig[34]\|old table2\|^before$\|^after$' page.md)" -eq 5 ] || complain "the page was damaged"
grep -q 'old fig5' page.md && complain "the page was not filled"
grep -q '^sent = received + dropped by cause + in flight in every window.$' page.md || complain "no word of the windows"
grep -q '^| \*paper: blocking\* | 66 | \*10.33\* | \*5.9\* | \*5.25\* |' page.md ||
    complain "the paper's ratios of Fig. 4 are missing"

# The tables' numbers, computed from the program's files in another way.
"$program" --tors=4 --servers=4 --jobs=60 --warmUp=30 --loads=6 --RngRun=101 --replications=3 --packets=exact --windows=2 \
    --windowWarmUp=2us --windowLength=2us --policies=odcn-jcb,drl=drl --output=raw >/dev/null 2>err || { complain "raw"; cat err; }
python3 - <<'END' || complain "other numbers than those of the files"
import csv, math
from statistics import mean, stdev

def row(words):
    return next(line.strip("| \n").split(" | ") for line in open("fig5.md") if line.startswith(f"| {words} |"))

def close(text, value, half):
    shown = [float(word) for word in text.split(" +- ")]
    digits = len(text.split(".")[1].split(" ")[0]) if "." in text else 0
    assert all(abs(a - b) <= 0.51 * 10 ** -digits for a, b in zip(shown, (value, half))), (text, value, half)

runs = {p: [r for r in csv.DictReader(open("raw/replications.csv")) if r["policy"] == p] for p in ("odcn-jcb", "drl")}
blocked = {p: [float(r["blocking"]) for r in rows] for p, rows in runs.items()}
shown = row("6 | odcn-jcb")
assert abs(float(shown[2].split(" ")[0]) - 100 * mean(blocked["odcn-jcb"])) < 0.51, shown
ratio = sum(blocked["odcn-jcb"]) / sum(blocked["drl"])
rest = [a - ratio * b for a, b in zip(blocked["odcn-jcb"], blocked["drl"])]
half = stdev(rest) * 4.3027 * math.sqrt(3) / sum(blocked["drl"])
close(row("blocking | 6")[4], ratio, ratio * (math.exp(half / ratio) - 1))
END
# The first replication's packets, by the other way of the program.
"$figures/fig5.sh" --quick --tors=4 --servers=4 --jobs=60 --warmUp=30 --loads=6 --rules=odcn-jcb --agents=none --replications=3 \
    --packetReplications=1 --output=one >/dev/null 2>err || { complain "one replication in packets"; cat err; }
cell()
{
    awk -F, -v name="$2" -v policy=odcn-jcb '/^#/ { next } !n { for (i = 1; i <= NF; ++i) at[$i] = i; n = 1; next }
        $at["policy"] == policy { printf "%.6f", $at[name]; exit }' "$1"
}
for pair in packet_ns:latency_ns packet_loss:loss closed_form_ns:closed_form_ns closed_form_loss:closed_form_loss; do
    [ "$(cell one/fig5.csv "${pair%:*}")" = "$(cell raw/packets.csv "${pair#*:}")" ] || complain "another $pair than in packets.csv"
done

figure table2 --loads=6,66 --rules=odcn-jcb --agents=none
case $(grep -m 1 '^| 66 | odcn-jcb |' table2.md) in
    *'*79.3*'*'*55.6*'*'*53.3*'*) ;;
    *) complain "the paper's row of Table 2 is not beside ours" ;;
esac

figure fig3 --loads=6 --phis=5,40 --trained=odcn --trainJobs=100 --trainings=1
grep -q '^| odcn | 40 | 1 |' page.md || complain "Fig. 3 is not on the page"
figure fig4 --loads=6 --trained=odcn,evolution --trainJobs=100 --trainings=1 --rules=odcn-jcb
grep -q '^| evolution | 1 |' page.md || complain "Fig. 4 is not on the page"
sha256sum out/agents/* out/*.csv page.md >before
figure fig3 --loads=6 --phis=5,40 --trained=odcn --trainJobs=100 --trainings=1
figure fig4 --loads=6 --trained=odcn,evolution --trainJobs=100 --trainings=1 --rules=odcn-jcb
sha256sum out/agents/* out/*.csv page.md | cmp -s before - || complain "Figs. 3 and 4 are not repeatable"

for name in fig3 fig4 fig5; do
    [ $left_out = yes ] || { [ "$(head -c 5 out/$name.svg)" = '<?xml' ] && [ "$(head -c 4 out/$name.png | tail -c 3)" = PNG ]; } ||
        complain "no picture of $name"
done

"$figures/fig5.sh" --quick --jobs=60 --loads=six --output=never >said 2>err && complain "accepted: --loads=six"
grep -q '^error: .*loads.*six' err || { complain "no word of the loads"; cat err; }

conclude
