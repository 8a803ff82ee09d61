# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Who decides in the Python process: a rule that costs nothing, or a network in PyTorch."""

import numpy as np
import torch

from odcn_a2c import Mlp, Scorer


def load(network, path):
    """Fill a network with the parameters that odcn-peer --mode=parameters wrote."""
    values = torch.from_numpy(np.fromfile(path, np.float32))
    at = 0
    for layer in network.modules():
        if isinstance(layer, torch.nn.Linear):
            for parameter in (layer.weight, layer.bias):
                part = values[at : at + parameter.numel()]
                # odcn keeps weights [in][out].
                shape = parameter.shape[::-1]
                parameter.data = part.view(shape).permute(*range(len(shape))[::-1]).contiguous()
                at += parameter.numel()
    if at != len(values):
        raise ValueError(f"{path} holds {len(values)} parameters, the network {at}")


def make_agent(kind, racks, path):
    """Returns a function of an observation and a mask (1-d arrays): the rack."""
    if kind == "rule":

        def emptiest(observation, mask):
            seen = observation[:racks]
            return int(np.where(mask, seen, -2).argmax() if mask.any() else seen.argmax())

        return emptiest

    torch.set_num_threads(1)
    network = Mlp(racks) if kind == "mlp" else Scorer(racks)
    load(network, path)

    @torch.inference_mode()
    def likeliest(observation, mask):
        logits = network.logits(torch.from_numpy(observation)[None]).numpy()[0]
        return int(np.where(mask, logits, -np.inf).argmax() if mask.any() else logits.argmax())

    return likeliest
