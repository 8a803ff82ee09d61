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
    --windowWarmUp=2us --windowLength=2us --policies=odcn-jcb,evolved=evolved --output=raw >/dev/null 2>err || { complain "raw"; cat err; }
python3 - <<'END' || complain "other numbers than those of the files"
import csv, math
from statistics import mean, stdev

def row(words):
    return next(line.strip("| \n").split(" | ") for line in open("fig5.md") if line.startswith(f"| {words} |"))

def close(text, value, half):
    shown = [float(word) for word in text.split(" +- ")]
    digits = len(text.split(".")[1].split(" ")[0]) if "." in text else 0
    assert all(abs(a - b) <= 0.51 * 10 ** -digits for a, b in zip(shown, (value, half))), (text, value, half)

runs = {p: [r for r in csv.DictReader(open("raw/replications.csv")) if r["policy"] == p] for p in ("odcn-jcb", "evolved")}
blocked = {p: [float(r["blocking"]) for r in rows] for p, rows in runs.items()}
shown = row("6 | odcn-jcb")
assert abs(float(shown[2].split(" ")[0]) - 100 * mean(blocked["odcn-jcb"])) < 0.51, shown
ratio = sum(blocked["odcn-jcb"]) / sum(blocked["evolved"])
rest = [a - ratio * b for a, b in zip(blocked["odcn-jcb"], blocked["evolved"])]
half = stdev(rest) * 4.3027 * math.sqrt(3) / sum(blocked["evolved"])
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

# Every picture of doc/results is drawn from the files beside it, without a word of gnuplot.
results=$figures/../../doc/results
drawn()
{
    local picture=$1
    shift
    (cd "$figures" && gnuplot "$@") >said 2>&1 || complain "$picture is not drawn"
    [ ! -s said ] || { complain "gnuplot on $picture"; cat said; }
    grep -q '^<svg $' "$picture" && grep -q 'width="560"' "$picture" || complain "no picture of 560 units: $picture"
}
if [ $left_out = no ]; then
    cp -r "$results" shipped
    find shipped -name '*.svg' -delete
    for name in fig3 fig4 fig5 fig6 fig7 front; do drawn shipped/odcn/$name.svg -c draw.gp $name "$PWD/shipped/odcn"; done
    for name in fig5 fig6 fig7 fig8 fig9 fig10 fig11 fig13 a2c-fig3; do
        drawn shipped/cluster/cluster-$name.svg -c draw.gp cluster-$name "$PWD/shipped/cluster"
    done
    for name in fig2 fig3 fig4 fig5 fig6 fig8; do
        drawn shipped/rddc/figures/rddc-$name.svg -c draw.gp rddc-$name "$PWD/shipped/rddc/figures"
    done
    for preset in stated light; do drawn shipped/icci/$preset-fig12-15.svg -c icci.gp "$PWD/shipped/icci" $preset; done
    drawn shipped/icci/fig5.svg -c icci-fig5.gp "$PWD/shipped/icci"
    drawn shipped/icci/front.svg -c icci-front.gp "$PWD/shipped/icci"
    drawn shipped/faults/faults.svg -c faults.gp "$PWD/shipped/faults"
    drawn shipped/fabrics/fabrics.svg -c fabrics.gp "$PWD/shipped/fabrics"
    drawn shipped/proposals/proposals.svg -c proposals.gp "$PWD/shipped/proposals"
    "$figures/patterns.sh" --output=shipped/odcn >/dev/null 2>said || { complain "patterns.svg"; cat said; }
    # In the picture of README the bound is that of fig5.csv.
    grep -q 'best possible: 1\.04' shipped/odcn/patterns.svg || complain "no bound in patterns.svg"
    for picture in $(cd "$results" && find . -name '*.svg'); do
        [ -e "shipped/$picture" ] || complain "nothing draws $picture"
    done
fi

"$figures/fig5.sh" --quick --jobs=60 --loads=six --output=never >said 2>err && complain "accepted: --loads=six"
grep -q '^error: .*loads.*six' err || { complain "no word of the loads"; cat err; }

conclude
