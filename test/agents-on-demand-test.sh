#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The library of agents is opened when an agent is first asked for, and not before: what a program loads,
# what it knows, and what it says where the library is missing or damaged. Other shared libraries: what is
# no whole one, or takes a name that there is, is refused.
#
# Usage: agents-on-demand-test.sh BUILD-FOLDER

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
build=$program
program=$build/bin/own-rule
short=(--jobs=20 --warmUp=20 --replications=1 --loads=54 --report=false --output=results)

# Only programs that use their classes are linked with agents.
for linked in "$build"/bin/*; do
    [ -f "$linked" ] && [ -x "$linked" ] || continue
    case ${linked##*/} in
        own-problem | own-reward | torch-first | odcn-agent-* | odcn-peer | odcn-types) continue ;;
    esac
    readelf -d "$linked" 2>/dev/null | grep -q 'NEEDED.*\(odcn-agent\|torch\)' && complain "$linked is linked with agents"
done

# loads ARGUMENT ...: whether own-rule opens LibTorch
loads()
{
    LD_DEBUG=files "$program" "$@" 2>&1 | grep -q 'calling init: .*/libtorch'
}
loads --help && complain "--help loads LibTorch"
loads --nonsense && complain "an error loads LibTorch"
loads "${short[@]}" && complain "rules load LibTorch"
loads "${short[@]}" --policies=imitation="$root/data/odcn.pt" || complain "an agent does not load LibTorch"

# An agent by short name, file and TypeId name; Attributes of agents; a listing; a log.
run '' "${short[@]}" --policies="imitation=$root/data/odcn.pt,$root/data/odcn.pt,AgentPolicy[Checkpoint=$root/data/odcn.pt]" ||
    { complain "an agent in own-rule"; cat err; }
[ "$(grep -c 'odcn.pt' out)" -ge 3 ] || { complain "agents in the table"; cat out; }
run '' --PrintTypeIds && grep -q 'ns3::odcn::PpoLearner' out || complain "--PrintTypeIds without agents"
run '' --PrintAttributes=ns3::odcn::PpoLearner && grep -q 'Clip' out || { complain "--PrintAttributes"; cat out err; }
refuses 'PpoLearner::Gamma 7' --ns3::odcn::PpoLearner::Gamma=7
NS_LOG=AgentPolicy run '' "${short[@]}" || { complain "NS_LOG of an agent's component"; cat err; }

# Without the library, and with a damaged one.
mkdir -p copy/bin copy/lib
cp "$program" copy/bin
cp "$build"/lib/libodcn.so.* "$build"/lib/libodcn-base.so.* copy/lib
agents=$(basename "$(find "$build/lib" -name 'libodcn-agent.so.*.*' -not -name '*.*.*.*.*' | sort | head -n 1)")
export LD_LIBRARY_PATH=$work/copy/lib
program=$work/copy/bin/own-rule
prestart=none # the program that has been started is another one
refuses "untrained agents copy/lib/$agents" "${short[@]}" --policies=untrained
run '' "${short[@]}" || { complain "rules without agents"; cat err; }
head -c 20000 "$build/lib/$agents" >"copy/lib/$agents"
refuses "untrained $agents not.all" "${short[@]}" --policies=untrained

# Libraries of --library.
cat >throws.cc <<'END_OF_CC'
#include <stdexcept>
const int THROWS = [] { throw std::runtime_error("a constructor's own words"); return 1; }();
END_OF_CC
printf 'int g_data[100000] = {1};\n' >data.cc
for name in throws data; do
    ${CXX:-c++} -shared -fPIC $name.cc -o $name.so || complain "$name.so"
done
head -c 9000 data.so >cut.so
head -c 40 data.so >header.so
mkfifo fifo.so
echo text >text.so
refusals <<'END'
no.such file       | --library=absent.so
no.such file       | --library=fifo.so
no.such file       | --library=.
not.all of one     | --library=cut.so
not.all of one     | --library=header.so
not.all of one     | --library=text.so
constructor's.own  | --library=throws.so
END
run '' --library=data.so "${short[@]}" || { complain "a whole library"; cat err; }

conclude
