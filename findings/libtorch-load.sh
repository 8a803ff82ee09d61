#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Debian 12's LibTorch, libtorch-dev 1.13.1+dfsg-4: torch::load() in C++ checks less, and restores less, than
# load_state_dict() in Python. A module takes parameters of any shape, whatever its options say. An optimiser takes its
# moments, and keeps the options that it was made with.
#
# Guess before the run: a layer of 2 outputs refuses the file of a layer of 4, naming the parameter; an Adam made with
# another learning rate has the saved one after it was loaded.
# Seen: the layer of 2 outputs has a weight of [4, 3] and gives 4 outputs, while its options say 2; the learning rate is
# that of the constructor, 0.5, not the saved 0.1.
# For users of odcn: its checkpoints refuse another shape or type, and a resumed training sets its learning rate anew. A
# network of one's own that calls torch::load() compares sizes() itself.
#
# Exits with 0 while this is so. Needs root, debootstrap and 2 GB: LibTorch comes into a Debian in the temporary folder.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
debootstrap --variant=minbase --include=ca-certificates bookworm "$folder/root" >"$folder/log"
chroot "$folder/root" apt-get install -qq -y --no-install-recommends g++ libtorch-dev=1.13.1+dfsg-4 libopenblas0-pthread \
    </dev/null >>"$folder/log" 2>&1
cat >"$folder/root/load.cc" <<'END'
#include <iostream>
#include <torch/torch.h>

int main()
{
    torch::nn::Linear four(3, 4);
    torch::save(four, "four.pt");
    torch::nn::Linear two(3, 2);
    torch::load(two, "four.pt");
    std::cout << two->weight.sizes() << " " << two(torch::ones({1, 3})).size(1) << " " << two->options.out_features();

    torch::optim::Adam saved(four->parameters(), 0.1);
    torch::save(saved, "adam.pt");
    torch::optim::Adam loaded(four->parameters(), 0.5);
    torch::load(loaded, "adam.pt");
    std::cout << " " << loaded.param_groups()[0].options().get_lr() << "\n";
}
END
chroot "$folder/root" g++ -std=c++17 -isystem /usr/include/torch/csrc/api/include load.cc -o load -ltorch -ltorch_cpu -lc10
seen=$(chroot "$folder/root" ./load)
echo "weight, outputs, outputs by the options, learning rate: $seen"
[ "$seen" = "[4, 3] 4 2 0.5" ]
