#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# scratch/ of an ns-3 source tree with odcn in contrib/: the programs of test/scratch, in files and
# folders odcn-scratch-test-* that are removed at the end. Not in ctest: it needs a tree, and builds
# what the tree lacks. NetAnim and ConfigStore are tested where the tree is configured with them.
#
# Usage: NS3_ROOT=/path/to/ns-3 test/scratch-tree-test.sh [-j N]

odcn=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
NS3_ROOT=$(cd "${NS3_ROOT:?is the path of a source tree}" && pwd) || exit 1
export NS3_ROOT
launcher=("$odcn/ns3" --no-install "$@")
mine=$NS3_ROOT/scratch/odcn-scratch-test
if compgen -G "$mine*" >/dev/null; then
    echo "there is $mine* already: remove it"
    exit 1
fi
set -- none
# shellcheck source=test/odcn-program-kit.sh
. "$odcn/test/odcn-program-kit.sh"
trap 'rm -rf "$work" "$mine"*' EXIT

# run ARGUMENT ...: the launcher's run with its output in out and err
run()
{
    "${launcher[@]}" run "$@" >out 2>err || { complain "run $*"; cat out err; }
}

# says TEXT: the last run printed this line
says()
{
    grep -qxF -- "$1" out || { complain "no line '$1' in the output"; cat out; }
}

# has MODULE: the tree is configured with it
has()
{
    [ -e "$NS3_ROOT/build/include/ns3/$1-module.h" ]
}

for name in echo torch config-store animation; do
    cp "$odcn/test/scratch/$name.cc" "$mine-$name.cc"
done
has config-store || rm "$mine-config-store.cc"
has netanim || rm "$mine-animation.cc"
cp -r "$odcn/test/scratch/folder" "$mine-folder"

run scratch/odcn-scratch-test-echo
says "echoed 1536 bytes"
run "odcn-scratch-test-echo --size=100" --no-build
says "echoed 300 bytes"
program=$(ls "$NS3_ROOT"/build/scratch/ns3*-odcn-scratch-test-echo*)
readelf -d "$program" | grep -q 'NEEDED.*odcn-agent\|NEEDED.*torch' &&
    complain "echo loads LibTorch without need"

run scratch/odcn-scratch-test-folder/folder-main
says "ns3::odcn::OdcnJcbPolicy is known"
says "ns3::odcn::AgentPolicy is known"
run scratch/odcn-scratch-test-torch
says "gradient 6"
says "ns3::odcn::AgentPolicy"

if has config-store; then
    run scratch/odcn-scratch-test-config-store --cwd "$work" \
        --command-template="%s --ns3::ConfigStore::Filename=saved.txt"
    grep -q '^default ns3::odcn::TorSwitch::' saved.txt || complain "no Attributes of odcn are saved"
fi
if has netanim; then
    run scratch/odcn-scratch-test-animation --cwd "$work"
    [ -s animation.xml ] || complain "no animation.xml in the working directory"
fi

conclude
