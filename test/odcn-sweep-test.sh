#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# odcn-sweep: a grid of runs that is killed and goes on, its SQLite file, job scripts, bad plans.
#
# Usage: odcn-sweep-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

# A program that takes a while and writes its options to a file, and one line per start to a log.
cat >job <<'END'
#!/bin/bash
for option in "$@"; do
    case $option in
        --output=*) out=${option#*=} ;;
        --load=*) load=${option#*=} ;;
        --RngRun=*) run=${option#*=} ;;
        --again=*) echo "again" >>"$PWD/again" ;;
    esac
done
echo "$load,$run" >>"$PWD/starts"
[ "$run" = 99 ] && { echo "no such seed" >&2; exit 3; }
sleep 0.0$((RANDOM % 5 + 1))
printf '# made by job\nrun,load,"a ""name"", quoted",blocking\n%s,%s,x,%s\n' "$run" "$load" "0.$run" >"$out/summary.csv"
echo "$load,$run" >>"$PWD/ends"
END
chmod +x job

plan()
{
    cat >plan.json <<END
{"program": "./job", "options": {"text": "it's a text"}, "seeds": {"first": 1, "count": $1},
 "grid": {"load": [0.1, 0.5]}$2}
END
}

plan 20 ""
run=("$program" --plan=plan.json --output=out --jobs=4)

# Ended by SIGTERM, then killed; both times the programs that ran then are stopped or done again.
"${run[@]}" >/dev/null 2>err &
pid=$!
while [ "$(cat ends 2>/dev/null | wc -l)" -lt 5 ]; do sleep 0.02; done
kill -TERM $pid
wait $pid
[ $? -eq 143 ] || complain "not 143 after SIGTERM"
grep -q 'interrupted by SIGTERM; [0-9]* of 40 runs finished; the same command goes on' err ||
    { complain "no word of SIGTERM"; cat err; }
"${run[@]}" >/dev/null 2>&1 &
pid=$!
while [ "$(cat ends 2>/dev/null | wc -l)" -lt 15 ]; do sleep 0.02; done
kill -KILL $pid
wait $pid 2>/dev/null
cp -r out killed
"${run[@]}" >said 2>err || { complain "the third attempt"; cat err; }
# Runs that outlived the kill were left to their programs; their results are not recorded.
for attempt in fourth fifth; do
    sleep 0.5
    "${run[@]}" >said 2>err || { complain "the $attempt attempt"; cat err; }
done
grep -q '^40 runs: 40 were done, 0 done now' said || { complain "not all done"; cat said; }
# Runs that were done before the kill were not done again.
for file in killed/*/run.json; do
    cmp -s "$file" "out/$(basename "$(dirname "$file")")/run.json" || complain "$file: done twice"
done
[ "$(ls -d out/*/ | wc -l)" -eq 40 ] || complain "not a folder per run"

query()
{
    "$program" --output=out "--query=$1" | tr '\n' ' '
}
[ "$(query 'SELECT count(*), count(DISTINCT run_id) FROM runs')" = 'count(*),count(DISTINCT run_id) 40,40 ' ] ||
    complain "a run lost or doubled"
[ "$(query 'SELECT runs.load, count(*) AS n, round(sum(blocking), 2) AS sum FROM runs JOIN summary
    USING (run_id) WHERE runs.load = summary.load AND blocking < 1 GROUP BY runs.load')" = \
    'load,n,sum 0.1,20,6.15 0.5,20,6.15 ' ] || { complain "other values"; query 'SELECT * FROM summary'; }
[ "$(query 'SELECT DISTINCT "a ""name"", quoted" AS q, text FROM runs JOIN summary USING (run_id)')" = \
    "q,text x,it's a text " ] || complain "quoted texts"

# The report: means over seeds, computed here in another way.
means=$(sed -n 's/.*id="run">\(.*\)<.script>.*/\1/p' out/report.html |
    python3 -c 'import json, sys
table = json.load(sys.stdin)["tables"][0]
print(table["header"], [(row[0], row[1], row[-1].split(" ")[0]) for row in table["rows"]])')
[ "$means" = "['load', 'runs', 'run', 'blocking'] [('0.1', '20', '0.31'), ('0.5', '20', '0.31')]" ] ||
    complain "other means in the report: $means"

# Another grid point does not do the others again; a failure is reported, and the rest goes on.
plan 21 ""
"${run[@]}" >said 2>err || complain "a longer plan"
grep -q '^42 runs: 40 were done, 2 done now' said || { complain "not two more"; cat said; }
echo '[{"program": "./job", "options": {"load": 1}, "seeds": [1, 99, 2]}]' >failing.json
"$program" --plan=failing.json --output=failing >said 2>err && complain "a failed run counts as done"
grep -q "^error: 1 of 3 runs failed.*RngRun=99.*output.txt" err || { complain "no word of the failure"; cat err; }
grep -q '^3 runs: 0 were done, 2 done now' said || complain "the others were not done"

# A run that was killed goes on with the options of "resume".
echo '{"program": "./job", "options": {"load": 2}, "seeds": [7], "resume": {"again": 1}}' >resume.json
id=$("$program" --plan=resume.json --output=resume --write=parallel | sed 's/.*--only=//')
mkdir -p "resume/$id"
"$program" --plan=resume.json --output=resume >/dev/null 2>&1
[ "$(cat again)" = again ] || complain "not resumed"

# Job scripts: every missing run once; a run by its id.
rm -rf scripts
plan 2 ""
"$program" --plan=plan.json --output=scripts --write=parallel >list
[ "$(wc -l <list)" -eq 4 ] || complain "not four commands"
bash list >/dev/null 2>&1
"$program" --plan=plan.json --output=scripts >said 2>&1
grep -q '^4 runs: 4 were done' said || { complain "the commands did not do all"; cat said; }
"$program" --plan=plan.json --output=slurm --jobs=3 --write=slurm >array
grep -q '^#SBATCH --array=0-3%3$' array || { complain "no array"; cat array; }
SLURM_ARRAY_TASK_ID=2 bash array >/dev/null 2>&1
[ "$(ls slurm/*/run.json | wc -l)" -eq 1 ] || complain "the task did not do one run"

# Bad plans: one line, and nothing done.
bad()
{
    echo "$2" >bad.json
    "$program" --plan=bad.json --output=never >/dev/null 2>err
    [ $? -eq 1 ] || complain "status of $2"
    [ "$(wc -l <err)" -eq 1 ] && grep -q "^error: .*$1" err || { complain "no '$1' for $2"; cat err; }
    [ ! -e never ] || complain "a folder for $2"
}
bad 'bad.json:2.*JSON' '{"program": '
bad 'a program' '{"options": {}}'
bad 'no-such' '{"program": "no-such"}'
bad 'expected program, options' '{"program": "./job", "sees": [1]}'
bad '/seeds' '{"program": "./job", "seeds": {"first": 1, "count": 0}}'
bad '/grid/load' '{"program": "./job", "grid": {"load": 1}}'
bad 'at most 100000 runs' "{\"program\": \"./job\", \"grid\": {$(for axis in a b c d e f g; do printf ', "%s": [0,1,2,3,4,5,6,7,8,9]' $axis; done | cut -c3-)}}"
bad 'every option once' '{"program": "./job", "options": {"load": 1}, "grid": {"load": [1]}}'
bad 'every run once' '[{"program": "./job"}, {"program": "./job"}]'
bad '/options/load' '{"program": "./job", "options": {"load": [1]}}'
"$program" --output=out --query='DROP TABLE runs' >/dev/null 2>err && complain "a query that writes"
"$program" --output=out --query='nonsense' >/dev/null 2>err && complain "a query that is none"
grep -q '^error: .*SQLite' err || complain "no word of the query"

conclude
