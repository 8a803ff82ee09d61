#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Every option of a program with values that are mostly invalid: each run ends in time, with status
# 0 and no file but those that its output or an option names, or with status 1, one line "error: ..."
# on standard error, and no file at all. The options are those of --help and of ns-3.
#
# Usage: options-test.sh PROGRAM [VALUE ...]     default values: '' abc 'a b' -1 1e300 nan 0
# SAMPLE=N runs N of them, drawn with the seed SEED (1); ACCEPTED=FILE collects what had status 0.
# PAIRS=N tries 1, 2 and the words of the help as values, too, then N pairs of what was accepted, and
# then MUTATIONS (0) of what was accepted, with one to three characters of a value changed. Such a run
# may be long: after SECONDS_PER_RUN (5) it is ended by SIGTERM. Then, too, it must leave no file that
# it does not name, and no results unless it said that it was interrupted.

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
shift
[ $# -gt 0 ] || set -- '' abc 'a b' -1 1e300 nan 0
[ -z "${PAIRS:-}" ] || set -- "$@" 1 2
SECONDS_PER_RUN=${SECONDS_PER_RUN:-$((${PAIRS:-0} ? 5 : 60))}
ulimit -c unlimited

shorten

mkdir run
runs=0
refused=0
ended=0
killed=0
# unlisted ARGUMENT ...: files in run/, hidden ones too, that neither what the program said nor an argument
# names; an argument may name the beginning, as --pcap does
unlisted()
{
    local file name word
    find run ! -type d ! -name .odcn-manifest | while IFS= read -r file; do
        name=${file##*/}
        for word; do
            word=${word##*[=/]}
            [[ -z $word || $word = .* || $name != "$word"* ]] || continue 2
        done
        file=${file#run/}
        grep -qwF -e "$name" -e "are in ${file%/*}" out err || echo "$file"
    done
}

# ends ARGUMENT ...: the law above.
ends()
{
    if [ -n "${PAIRS:-}" ]; then
        (cd run && exec timeout --preserve-status -k 10 "$SECONDS_PER_RUN" "$program" "${short[@]}" "$@" \
            >../out 2>../err </dev/null)
        status=$?
    else
        cd run && STOP_AFTER=$SECONDS_PER_RUN start "${short[@]}" "$@" >../out 2>../err </dev/null
        status=$?
        cd ..
    fi
    local written message extra
    written=$(compgen -G 'run/*'; compgen -G 'run/.[!.]*')
    runs=$((runs + 1))
    if [ $status -eq 143 ] && [ -n "${PAIRS:-}" ]; then
        # The status is the same where the signal killed the program.
        if grep -q '^interrupted by SIGTERM' err; then
            ended=$((ended + 1))
        else
            killed=$((killed + 1))
            # At a time when it does not yet write results.
            [ ${#results[@]} -eq 0 ] || [ -z "$(find run ! -type d)" ] || complain "killed, with files: $*"
        fi
        extra=$(unlisted "${short[@]}" "$@")
        [ -z "$extra" ] || complain "ended, but it left $extra: $*"
    elif [ $status -eq 0 ]; then
        extra=$(unlisted "${short[@]}" "$@")
        [ -z "$extra" ] || complain "it does not name $extra: $*"
        [ -z "${ACCEPTED:-}" ] || echo "${program##*/} $*" >>"$ACCEPTED"
    elif [ $status -eq 142 ] || [ $status -eq 137 ]; then
        complain "no end: $*"
    else
        [ -z "$written" ] || complain "status $status, but it wrote $written: $*"
        refused=$((refused + 1))
        mapfile message <err
        # In pairs, --live says where its page is before the other option is checked.
        [ -z "${PAIRS:-}" ] || [[ ${message[0]:-} != "live page: "* ]] || message=("${message[@]:1}")
        if [ $status -ne 1 ] || [ ${#message[@]} -ne 1 ] || [[ ${message[0]} != "error: "*$'\n' ]]; then
            complain "status $status: $*"
            head -c 400 err | head -3
        fi
    fi
    [ -z "$written" ] || { rm -rf run && mkdir run; }
}

start --help >out 2>err || complain "--help"
results=()
! grep -q '^ *--output:' out || results=(--output=results)
cd run && start "${results[@]}" "${short[@]}" >../out 2>../err || { complain "without other options"; cat ../err; }
cd ..
extra=$(unlisted "${short[@]}")
[ -z "$extra" ] || complain "it does not name $extra"
rm -rf run
mkdir run
start --help >out 2>err || complain "--help"
options=$(sed -n 's/^ *--\([A-Za-z][A-Za-z0-9]*\):.*/\1/p' out)
[ -n "$options" ] || complain "no options"
arguments=()
for option in $options RngRun RngSeed SimulatorImplementationType SchedulerType ChecksumEnabled \
    ns3::odcn::OdcnComputeLedger::ServersPerRack ns3::Foo::Bar noSuchOption; do
    for value in "$@"; do
        arguments+=("--$option=$value")
    done
done
if [ -n "${PAIRS:-}" ]; then
    # Words of the help, as values of the option that they explain.
    while read -r option text; do
        mapfile -t words < <(grep -oE '[A-Za-z][A-Za-z-]{2,}' <<<"$text" | sort -u)
        for word in "${words[@]}"; do
            arguments+=("--$option=$word")
        done
    done < <(sed -nE 's/^ *--([A-Za-z][A-Za-z0-9]*):(.*)/\1 \2/p' out)
    accepted=()
    for argument in "${arguments[@]}"; do
        ends "$argument"
        [ $status -ne 0 ] && [ $status -ne 143 ] || accepted+=("$argument")
    done
    RANDOM=${SEED:-1}
    for ((pair = 0; pair < PAIRS; pair++)); do
        ends "${accepted[RANDOM % ${#accepted[@]}]}" "${accepted[RANDOM % ${#accepted[@]}]}"
    done
    # What is put into a value; \x01 and \xff are no text.
    parts=('' ',' ';' '|' '=' : . - + '[' ']' '{' '}' '(' '"' "'" '\' '%' '*' '#' ' ' 0 1 9 e x n nan inf -1 e99 $'\t' $'\n'
        $'\x01' $'\xff')
    for ((mutation = 0; mutation < ${MUTATIONS:-0}; mutation++)); do
        argument=${accepted[RANDOM % ${#accepted[@]}]}
        value=${argument#*=}
        for ((change = RANDOM % 3; change >= 0; change--)); do
            at=$((RANDOM % (${#value} + 1)))
            value=${value:0:at}${parts[RANDOM % ${#parts[@]}]}${value:at + RANDOM % 2}
        done
        ends "${argument%%=*}=$value"
    done
    arguments=()
elif [ -n "${SAMPLE:-}" ]; then
    mapfile -t arguments < <(printf '%s\n' "${arguments[@]}" |
        shuf -n "$SAMPLE" --random-source=<(yes "${SEED:-1}"))
fi
for argument in "${arguments[@]}"; do
    ends "$argument"
done
noOptions=(load=90 --noSuchOption 'a b' - -- --= -noSuchOption=1 --ns3::odcn::OcsFabric)
[ -z "${SAMPLE:-}" ] || noOptions=("${noOptions[@]:0:2}")
for words in "${noOptions[@]}"; do
    ends "$words"
    [ -s err ] || complain "ignored: $words"
done
# says_error TEXT STATUS: what the last command said is one line with the text
says_error()
{
    [ "$2" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^error: $1" err || { complain "status $2, not an error: $1"; cat err; }
}
if [ -e /dev/full ]; then
    "$program" --help >/dev/full 2>err
    says_error 'standard output: cannot be written' $?
fi
# ns-3 reads it before main().
NS_GLOBAL_VALUE='ChecksumEnabled=true;RngRun=abc' "$program" >out 2>err
says_error "NS_GLOBAL_VALUE: RngRun: found 'abc', expected a whole number" $?
NS_ATTRIBUTE_DEFAULT=ns3::NoSuch::Value=1 "$program" >out 2>err
says_error "NS_ATTRIBUTE_DEFAULT: found 'ns3::NoSuch::Value=1', expected" $?
echo "${program##*/}: $runs runs, $refused refused, $ended ended by SIGTERM, $killed killed, $failures failures"

conclude
