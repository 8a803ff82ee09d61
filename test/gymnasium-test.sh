#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The Python module beside packages that are not Debian's: Gymnasium, or Stable-Baselines3, whose agent
# of examples/python/sb3.py decides in a program. In a virtual environment, which ODCN_PYTHON names:
#   python3 -m venv mine && mine/bin/pip install ".[notebook,sb3]"
#   ODCN_PYTHON=$PWD/mine/bin/python ./ns3 test -R 'gymnasium|stable_baselines3'
# Without ODCN_PYTHON, ./ns3 test makes one in build/venv.
#
# Usage: gymnasium-test.sh PROGRAM FOLDER gymnasium|stable_baselines3, the path of odcn-drl-scheduling and the
# folder of odcn.py. Exit status 77: there is no such package.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$2
package=$3
# shellcheck source=test/odcn-program-kit.sh
. "$root/test/odcn-program-kit.sh"

if [ "$package" = gymnasium ]; then
    find_python "$folder" gymnasium numpy _odcn
    "$python" "$root/test/gymnasium-test.py" "$folder/../lib/libadmission.so" 2>err
    status=$?
    [ $status -ne 77 ] || exit 77
    [ $status -eq 0 ] || { complain "Gymnasium"; cat err; }
    conclude
fi

find_python "$folder" stable_baselines3 sb3_contrib torch _odcn
"$python" "$root/examples/python/sb3.py" agent.pt 8192 >out 2>err || { complain "sb3.py"; cat err; }
cat out
# The agent has learnt something, and the program decides as it does.
awk '{ for (i = 1; i < NF; i++) if ($i == "agent.pt") mine = $(i + 1) } END { exit !(mine > 0 && mine < 0.062) }' out ||
    complain "it blocks as many as random"
"$program" --packets=exact --windows=1 --policies=random,agent.pt --jobs=2000 --warmUp=0 --replications=1 --RngRun=10 \
    --output=agent >out 2>err || { complain "the agent of sb3.py"; cat err; }
grep -q '^Decisions of networks .* agent.pt [1-9]' out || complain "the agent decides"
conclude
