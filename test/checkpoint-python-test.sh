#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Files between odcn and Python, both ways: torch.jit.load opens the shipped checkpoints, and a
# Python module decides in a program, also one that examples/python/ppo.py trains.
#
# Usage: checkpoint-python-test.sh PROGRAM FOLDER, the path of odcn-drl-scheduling and the folder of odcn.py
# Exit status 77: no Python with PyTorch and the module (Debian: python3-torch python3-numpy)

data=$(cd "$(dirname "${BASH_SOURCE[0]}")/../data" && pwd)
folder=$2
# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"
find_python "$folder" torch numpy _odcn

run()
{
    local folder=$1
    shift
    "$program" --tors=4 --servers=4 --loads=6 --jobs=300 --warmUp=100 --replications=2 \
        --windows=1 --windowWarmUp=1us --windowLength=2us --policies=evolved --output="$folder" "$@" \
        >"$work/out" 2>"$work/err"
}

"$python" - "$data" <<'END' || complain "what is shipped, in Python"
import glob
import json
import sys

import torch

files = glob.glob(sys.argv[1] + "/*.pt")
assert files
for file in files:
    module = torch.jit.load(file)
    about = json.loads(module.odcn)
    assert about["format"] == "odcn-checkpoint" and about["version"] == 2, file
    assert about["network"]["name"] and about["network"]["options"], file
    assert about["form"]["problem"].startswith("ns3::odcn::") and about["form"]["actions"] > 1, file
    assert about["provenance"]["command"].startswith("./ns3 run"), file
    parameters = dict(module.named_parameters())
    assert {"policy.0.weight", "policy.1.weight", "experts"} & set(parameters), file
    assert all(torch.isfinite(p).all() for p in parameters.values()), file
END

# In a file, because TorchScript reads the source of the functions that it compiles.
cat >modules.py <<'END'
import torch


class Logits(torch.nn.Module):
    """Prefer the rack with the most bandwidth, by a layer whose weights are set by hand."""

    def __init__(self, racks: int):
        super().__init__()
        self.layer = torch.nn.Linear(2 * racks, racks)
        torch.nn.init.zeros_(self.layer.bias)
        with torch.no_grad():
            self.layer.weight.copy_(torch.cat([torch.zeros(racks, racks), torch.eye(racks)], 1))

    def forward(self, x):
        return self.layer(x.flatten(1))


class Both(torch.nn.Module):
    def __init__(self, policy: torch.nn.Module):
        super().__init__()
        self.policy = policy

    def forward(self, x):
        return self.policy(x), x.sum(1)


torch.jit.script(Logits(4)).save("script.pt")
torch.jit.script(Both(Logits(4))).save("tuple.pt")
torch.jit.trace(Logits(4), torch.zeros(1, 8)).save("trace.pt")
torch.jit.script(Logits(5)).save("five.pt")
torch.save(Logits(4).state_dict(), "state.pt")
END
"$python" modules.py || complain "modules made in Python"

for kind in script tuple trace; do
    run $kind --checkpoint="$work/$kind.pt" || { complain "decided by $kind.pt"; cat err; }
done
mv script first
for kind in tuple trace; do
    cmp first/jobs.csv $kind/jobs.csv || complain "script.pt and $kind.pt decide differently"
done
sha256sum first/* >before
refuses "five.pt" --checkpoint="$work/five.pt"
refuses "state.pt TorchScript" --checkpoint="$work/state.pt"

"$python" "$data/../examples/python/ppo.py" agent.pt 4096 >out 2>err || { complain "examples/python/ppo.py"; cat err; }
"$program" --packets=formula --policies=agent.pt --jobs=300 --warmUp=100 --replications=2 \
    --output=agent >out 2>err || { complain "the agent of ppo.py"; cat err; }
grep -q '^Decisions of networks .* agent.pt [1-9]' out || complain "the agent decides"
# A file of a newer PyTorch, with an operator that this LibTorch does not have.
"$python" -c 'import zipfile
old, new = zipfile.ZipFile("agent.pt"), zipfile.ZipFile("newer.pt", "w")
for name in old.namelist():
    new.writestr(name, old.read(name).replace(b"torch.amax(", b"torch.rms_norm("))
new.close()' || complain "newer.pt"
"$program" --packets=formula --policies=newer.pt --jobs=1 --replications=1 >out 2>err &&
    complain "accepted: newer.pt"
[ "$(wc -l <err)" -eq 1 ] && grep -q 'newer.pt.*aten::rms_norm' err || { complain "newer.pt"; cat err; }

conclude
