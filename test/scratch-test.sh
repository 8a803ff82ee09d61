#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# scratch/ on an installed ns-3: the launcher builds and runs the programs of test/scratch in a
# temporary folder. The user's scratch/ is not changed, and the libraries are not rebuilt.
#
# Usage: scratch-test.sh BUILD-FOLDER

odcn=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
ODCN_BUILD=$program
export ODCN_BUILD
unset NS3_ROOT
ln -s "$odcn/.cmake" "$odcn/data" "$odcn/VERSION" .
cp "$odcn/ns3" "$odcn/test/scratch/CMakeLists.txt" .
./ns3 --no-install configure >out 2>err || { complain "./ns3 configure"; cat out err; }
[ -d scratch ] || complain "no scratch/ to copy examples to"
cp -r "$odcn"/test/scratch/*.cc "$odcn/test/scratch/folder" scratch

# run ARGUMENT ...: ./ns3 run with its output in out and err
run()
{
    ./ns3 --no-install run "$@" >out 2>err || { complain "./ns3 run $*"; cat out err; }
}

# says TEXT: the last run printed this line
says()
{
    grep -qxF -- "$1" out || { complain "no line '$1' in the output"; cat out; }
}

run scratch/echo
says "echoed 1536 bytes"
run "echo --size=100"
says "echoed 300 bytes"
run scratch/echo.cc --no-build -- --size=10
says "echoed 30 bytes"
readelf -d build/bin/scratch/echo >out
grep -q 'NEEDED.*odcn\|NEEDED.*torch' out && complain "echo loads odcn or LibTorch without need"

# A design that the program registers.
run design
says "695 packets"
awk '/code-block:: cpp/ && !n++ { on = 1; next } on && /^[^ ]/ { exit } on { sub(/^   /, ""); print }' \
    "$odcn/doc/optics/own-design.rst" >scratch/own-design.cc
run own-design
says "1118 us, 695 packets"

mkdir elsewhere
run animation --cwd elsewhere
[ -s elsewhere/animation.xml ] || complain "no animation.xml in the working directory"

run config-store --command-template="%s --ns3::ConfigStore::Filename=saved.txt"
grep -q '^default ns3::PointToPointNetDevice::Mtu ' saved.txt ||
    complain "no Attributes of a module that the program does not use"

# The programs of README.md, each with what it prints in its last comments.
awk '/^```cpp$/ { file = "scratch/readme-" ++n ".cc"; next } /^```$/ { file = "" } file { print > file }' "$odcn/README.md"
[ "$(find scratch -name 'readme-*.cc' | wc -l)" -ge 3 ] || complain "README has less than three programs"
for program in scratch/readme-*.cc; do
    run "${program%.cc}"
    sed -n 's|^// prints: ||p' "$program" >expected
    [ -s expected ] && cmp -s expected out || { complain "README's $program prints another result"; cat out err; }
done

# A rule, and where there are agents an agent, by TypeId name.
run scratch/folder/folder-main
says "ns3::odcn::OdcnJcbPolicy is known"
if [ -e "$ODCN_BUILD/lib/libodcn-agent.so" ]; then
    says "ns3::odcn::AgentPolicy is known"
    run torch
    says "gradient 6"
    says "ns3::odcn::AgentPolicy"
    # A user-defined network: --help builds the program and exits before training.
    cp "$odcn/examples/agents/torch-first.cc" scratch
    run "torch-first --help"
    grep -q -- '--decisions: ' out || complain "torch-first does not run from scratch/"
fi

# A file without main() is a library: its rule and its reward are known to the programs.
cp "$odcn/examples/jobs/own-library.cc" scratch/mine.cc
./ns3 --no-install build scratch_mine >out 2>err || { complain "no library of scratch/mine.cc"; cat out err; }
place()
{
    "$ODCN_BUILD/bin/odcn-drl-scheduling" --library=build/lib/libmine.so --packets=formula --jobs=1e3 --warmUp=100 \
        --replications=2 "$@" >out 2>err
}
place --policies=odcn-jcb,widest,WidestPolicy || { complain "a rule of a library"; cat err; }
[ "$(awk '$1 == "widest" { a = $2 } $1 == "WidestPolicy" { b = $2 } END { print a != "" && a == b }' out)" = 1 ] ||
    { complain "the library's rule by both names"; cat out; }
place --policies=wdiest && complain "ran a rule that is not there"
grep -q "did you mean widest?" err || { complain "no hint at widest"; cat err; }
if [ -e "$ODCN_BUILD/lib/libodcn-agent.so" ]; then
    learn()
    {
        "$ODCN_BUILD/bin/odcn-drl-scheduling" --library=build/lib/libmine.so --train=1 --trainJobs=200 --epochs=1 \
            --cloneDecisions=0 --checkpoint="$1.pt" "${@:2}" >out 2>err
    }
    learn own || { complain "a training"; cat err; }
    learn quick --ownReward=quick || { complain "a training by the library's reward"; cat err; }
    place --policies=own.pt,quick.pt || { complain "both agents"; cat err; }
    [ "$(awk '$1 ~ /pt$/ { $1 = ""; print }' out | sort -u | wc -l)" -gt 1 ] ||
        { complain "the library's reward changed nothing"; cat out; }
    learn none --ownReward=quik && complain "trained by a reward that is not there"
    grep -q "OwnReward: found 'quik', expected quick; did you mean quick?" err || { complain "another message"; cat err; }
fi

# A collective of a library, beside one of the program, and as a program of its own with a transport.
sed '/\[run\]/,$d' "$odcn/examples/optics/own-collective.cc" >scratch/levels.cc
cp "$odcn"/examples/optics/own-{collective,transport}.cc scratch
./ns3 --no-install build scratch_levels >out 2>err || { complain "no library of scratch/levels.cc"; cat out err; }
"$ODCN_BUILD/bin/collectives" --library=build/lib/liblevels.so --designs=ideal --engine=flows --replications=1 \
    --collectives=all-reduce:ring,all-reduce:two-level:4 --output=levels >out 2>err ||
    { complain "a collective of a library"; cat err; }
[ "$(grep -c 'all-reduce:two-level:4' levels/summary.csv)" = 1 ] || { complain "no row of the library's collective"; cat out; }
run own-collective --bytes=64000
grep -q '^all-reduce:two-level:4 ' out || { complain "own-collective in scratch/"; cat out; }
run own-transport --bytes=100000
grep -q '^ndp .* 0$' out || { complain "own-transport in scratch/"; cat out; }

# A file added after the first configuration, and a program that does not exist.
cp scratch/config-store.cc scratch/later.cc
run later -- --ns3::ConfigStore::Filename=later.txt
[ -s later.txt ] || complain "a program added later did not run"
./ns3 --no-install run --no-build nothing >out 2>err && complain "ran a program that is not there"
[ "$(tail -n 1 err)" = "error: there is no program 'nothing'" ] || complain "another message"

conclude
