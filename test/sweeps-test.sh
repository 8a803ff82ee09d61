#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The commands of doc/lab/sweeps.rst, killed and resumed: each run happens once, and all results are those
# of one run with as many replications. Ends with 77 where there is no GNU parallel.
#
# Usage: sweeps-test.sh OWN-RULE

parallel --version 2>/dev/null | grep -q GNU || {
    echo "skipped: there is no GNU parallel (Debian: apt install parallel)"
    exit 77
}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$source/test/odcn-program-kit.sh"
ln -s "${program%/bin/*}" build
ln -s "$source/examples" examples

# typed WORD: the command of the page that begins with it
typed()
{
    sed -n "s/^   \$ \($1 .*\)/\1/p" "$source/doc/lab/sweeps.rst" | head -n 1
}

# A folder of a run that has not ended.
mkdir fabrics
printf 'design,run\nopera,1\n' >fabrics/summary.csv
python3 examples/collect.py fabrics.csv fabrics 2>err && complain "collect.py without provenance.txt"
grep -q '^error: .*0 of 1 folders have provenance.txt, which a run writes last' err || complain "collect.py: $(cat err)"

sweep=$(typed 'parallel --jobs')
[ -n "$sweep" ] || { complain "no command on the page"; conclude; }

# until_logged COUNT: waits for so many runs in the log, or for the end of parallel
until_logged()
{
    while kill -0 $pid 2>/dev/null && [ "$(cat sweep.log 2>/dev/null | wc -l)" -le "$1" ]; do sleep 0.05; done
}

# The runs of a killed parallel go on by themselves, and their folders are theirs until they have ended: so long
# they hold the lock that they inherited.
for signal in TERM KILL; do
    (
        flock 9
        exec bash -c "exec $sweep"
    ) 9>under-way &
    pid=$!
    until_logged $([ $signal = TERM ] && echo 4 || echo 12)
    kill -$signal $pid
    wait $pid 2>/dev/null && complain "parallel has ended before SIG$signal"
    flock under-way true
done
cp sweep.log killed.log
stat -c '%n %y' $(grep -o 'sweep/load.*' killed.log | sed 's,$,/provenance.txt,') >before
# What had not been logged is done, or done again.
bash -c "$sweep" || { complain "the third attempt"; cat sweep.txt; }
head -n "$(wc -l <killed.log)" sweep.log | cmp -s - killed.log || complain "the log was not continued"
[ "$(tail -n +2 sweep.log | cut -f 1 | sort -n | tr '\n' ' ')" = "$(echo {1..40}) " ] || { complain "not every run once"; cat sweep.log; }
[ "$(tail -n +2 sweep.log | cut -f 7,8 | sort -u)" = $'0\t0' ] || { complain "a run failed"; cat sweep.log; }
stat -c '%n %y' $(cut -d ' ' -f 1 before) | cmp -s - before || complain "a run that was done was done again"
bash -c "$sweep" >sweep.txt
stat -c '%n %y' sweep/*/provenance.txt >after
bash -c "$sweep"
stat -c '%n %y' sweep/*/provenance.txt | cmp -s - after || complain "a complete sweep was done again"

# The collector, beside one run of 20 replications.
"$program" --jobs=500 --warmUp=200 --replications=20 --loads=54,66 --output=whole >/dev/null 2>&1
bash -c "$(typed python3)" >said || complain "no table"
grep -q '^sweep.sqlite: 160 rows of 40 runs$' said || { complain "other rows"; cat said; }
examples/collect.py sweep.csv sweep/* >/dev/null || complain "no CSV file"
python3 - <<'END' || complain "other means"
import csv, sqlite3
means = {(str(load), policy): (runs, blocking) for load, policy, runs, blocking in sqlite3.connect("sweep.sqlite").execute(
    "SELECT loads, policy, count(*), avg(blocking) FROM summary WHERE loads = load AND `--replications` = 1 GROUP BY loads, policy")}
whole = list(csv.DictReader(open("whole/summary.csv")))
assert len(whole) == len(means) == 8
for row in whole:
    runs, blocking = means[row["load"], row["policy"]]
    assert runs == 20 and abs(blocking - float(row["blocking"])) < 1e-9, row
rows = list(csv.DictReader(open("sweep.csv")))
single = list(csv.DictReader(open("sweep/load66-run7/summary.csv")))
assert len(rows) == 160 and {row["folder"] for row in rows} == {f"sweep/load{l}-run{n}" for l in (54, 66) for n in range(1, 21)}
assert [{name: row[name] for name in single[0]} for row in rows if row["RngRun"] == "7" and row["loads"] == "66"] == single
END
mkdir unfinished
examples/collect.py some.csv unfinished sweep/load54-run1 >/dev/null 2>err && complain "an unfinished run counts"
grep -q '^error: not done: unfinished$' err || { complain "no name of the unfinished run"; cat err; }
[ "$(wc -l <some.csv)" -eq 5 ] || complain "not the rows of the other run"
examples/collect.py none.csv unfinished 2>err && complain "a table of nothing"
grep -q '^error: no rows' err && [ ! -e none.csv ] || { complain "no word of an empty table"; cat err; }

# What cannot be collected is one line, and writes nothing.
collects()
{
    local pattern=$1
    shift
    examples/collect.py "$@" >/dev/null 2>err && complain "collected: $*"
    [ "$(wc -l <err)" -eq 1 ] && grep -q -- "$pattern" err || { complain "no '$pattern' of $*"; cat err; }
    [ ! -f "$1" ] || complain "written: $*"
}
write_run() # FOLDER COMMAND LINE ...
{
    mkdir -p "$1"
    echo "command: $2" >"$1/provenance.txt"
    printf '%s\n' "${@:3}" >"$1/summary.csv"
}
write_run two-cases './ns3 run x -- --replications=3' load,Load 1,2
collects 'load and Load.*SQLite' no.sqlite two-cases
examples/collect.py two.csv two-cases >/dev/null || complain "two cases in a CSV file"
[ "$(cat two.csv)" = $'folder,replications,load,Load\ntwo-cases,3,1,2' ] || { complain "other columns"; cat two.csv; }
write_run open-quote './ns3 run x --' a,b '1,"2'
collects 'open-quote/summary.csv:2: unexpected end' no.csv open-quote
write_run open-command "./ns3 run x -- '--a" a,b 1,2
collects 'open-command/provenance.txt: expected' no.csv open-command
write_run short-row './ns3 run x --' a,b 1,2 3
collects 'short-row/summary.csv:3: found 1 cells, expected 2' no.csv two-cases short-row
write_run twice './ns3 run x --' a,a 1,2
collects 'twice/summary.csv:1: expected each column once' no.csv twice
collects 'two-cases: found a folder' two-cases two-cases
rm twice/summary.csv
collects 'twice/summary.csv: cannot be read: No such file' no.csv twice
mkfifo twice/summary.csv
collects 'twice/summary.csv: cannot be read: no regular file' no.csv twice
write_run dashes './ns3 run x -- -RngRun=7 --perJob -report=false' a 1
examples/collect.py dashes.csv dashes >/dev/null || complain "options of one dash"
[ "$(cat dashes.csv)" = $'folder,RngRun,perJob,report,a\ndashes,7,true,false,1' ] || { complain "other options"; cat dashes.csv; }

# The script for Slurm: each job one run, once.
sed -n '/#SBATCH/,/touch/s/^   //p' "$source/doc/lab/sweeps.rst" >array
rm -rf sweep
for attempt in 1 2; do
    for job in 0 39; do
        SLURM_ARRAY_TASK_ID=$job bash array >"said$attempt" 2>&1 || complain "job $job of Slurm"
    done
done
[ "$(cd sweep && echo *)" = "load54-run1 load66-run20" ] || complain "other runs: $(ls sweep)"
[ ! -s said2 ] || complain "a job of Slurm was done again"

conclude
