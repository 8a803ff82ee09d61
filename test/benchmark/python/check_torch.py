# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Which layers of a newer PyTorch can be read by Debian's. Not one of ./ns3 test.

    venv/bin/python test/benchmark/python/check_torch.py save FOLDER      # with the newer PyTorch
    /usr/bin/python3 test/benchmark/python/check_torch.py load FOLDER
"""

import sys
import warnings
from pathlib import Path

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.MultiheadAttention(16, 2, batch_first=True)

    def forward(self, x):
        return self.inner(x, x, x, need_weights=False)[0]


class Einsum(nn.Module):
    def forward(self, x):
        return torch.einsum("nij,nkj->nik", x, x)


class First(nn.Module):
    """The first of the results of a layer."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)[0]


def save(folder):
    torch.manual_seed(0)
    x, results = torch.rand(3, 16, 16), {}
    activations = [nn.Tanh(), nn.ELU(), nn.GELU(), nn.SiLU(), nn.Softmax(-1)]
    layers = {
        "dense": nn.Sequential(nn.Linear(16, 16), *activations, nn.LayerNorm(16)),
        "convolution": nn.Conv1d(16, 16, 3, padding=1),
        "LSTM": First(nn.LSTM(16, 16, batch_first=True)),
        "GRU": First(nn.GRU(16, 16, batch_first=True)),
        "einsum": Einsum(),
        "attention": Attention(),
        "encoder": nn.TransformerEncoderLayer(16, 2, 32, batch_first=True),
        "RMSNorm": nn.RMSNorm(16),
    }
    for name, layer in layers.items():
        layer.eval()
        results[name] = layer(x).detach()
        torch.jit.script(layer).save(folder / f"{name}-script.pt")
        torch.jit.trace(layer, x, check_trace=False).save(folder / f"{name}-trace.pt")
    torch.save((torch.__version__, x, results), folder / "results")


def load(folder):
    version, x, results = torch.load(folder / "results")
    print(f"saved by {version}, loaded by {torch.__version__}: largest difference")
    for name, wanted in results.items():
        for how in ("script", "trace"):
            try:
                found = torch.jit.load(folder / f"{name}-{how}.pt")(x)
                print(f"{name}, {how}: {float((found - wanted).abs().max()):.1e}")
            except RuntimeError as error:
                print(f"{name}, {how}: {str(error).split()[:4]}")


warnings.simplefilter("ignore")
{"save": save, "load": load}[sys.argv[1]](Path(sys.argv[2]))
