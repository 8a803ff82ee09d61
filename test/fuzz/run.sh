#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the fuzz targets with clang, AddressSanitizer and UndefinedBehaviorSanitizer, and runs each
# from its seeds. A finding is left in the folder's NAME-crash-*; new inputs that reached new code
# are in its NAME.corpus.
#
# Usage: run.sh EXECUTIONS [FOLDER [TARGET ...]]      default: build-fuzz, all targets
#        CXX=clang++-14 FUZZ_SECONDS=60 run.sh 100000      at most a minute each
#        SANITIZE= run.sh 100000000 build-fuzz-plain       without sanitizers, four times as fast

set -euo pipefail
[ $# -ge 1 ] || { sed -n 's/^# Usage: //p' "$0" >&2; exit 1; }
executions=$1
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=${2:-$home/build-fuzz}
shift $(($# > 1 ? 2 : 1))
cmake -G Ninja -S "$home" -B "$folder" -DODCN_FUZZ=ON -DCMAKE_CXX_COMPILER="${CXX:-clang++}" \
    -DODCN_SANITIZE="${SANITIZE-address,undefined}" >/dev/null
ninja -C "$folder" odcn-fuzzers
if [ $# -eq 0 ]; then
    for file in "$folder"/bin/*-fuzz; do
        set -- "$@" "$(basename "$file" -fuzz)"
    done
fi
status=0
for target in "$@"; do
    corpus=$folder/$target.corpus
    mkdir -p "$corpus"
    echo "== $target"
    # ns-3 keeps its types for ever: leaks are no findings.
    "$folder/bin/$target-fuzz" "$corpus" "$home/test/data/fuzz/$target" \
        -runs="$executions" -max_total_time="${FUZZ_SECONDS:-0}" -seed=1 -max_len=4096 -timeout=10 -rss_limit_mb=1024 \
        -detect_leaks=0 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="$folder/$target-" 2>"$folder/$target.log" || status=1
    grep -E 'ERROR|SUMMARY|runtime error|what\(\)|number_of_executed|peak_rss|new_units' "$folder/$target.log" || :
done
exit $status
