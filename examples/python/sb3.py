# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""MaskablePPO of sb3-contrib, of doc/python.rst: sb3.py FILE.pt [DECISIONS]"""
import sys

import gymnasium
import odcn  # registers odcn/Scheduling-v0
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env


class Network(torch.nn.Module):
    """What the program evaluates: logits of the actions and a value, of observations."""

    def __init__(self, policy):
        super().__init__()
        self.body, self.logits, self.value = policy.mlp_extractor, policy.action_net, policy.value_net

    def forward(self, x):
        actor, critic = self.body(x.flatten(1))
        return self.logits(actor), self.value(critic).squeeze(1)


def main(file, decisions=20_000):
    def scaled(outcome, reward):
        return reward / 10

    envs = make_vec_env("odcn/Scheduling-v0", 8, seed=1, env_kwargs={"reward": scaled})
    model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=256, seed=1, device="cpu")
    model.learn(decisions)
    example = torch.zeros(1, *envs.observation_space.shape)
    torch.jit.trace(Network(model.policy), example).save(file)

    env = gymnasium.make("odcn/Scheduling-v0", jobs=2000)
    observation, info = env.reset(seed=10)
    ended = False
    while not ended:
        masks = env.get_wrapper_attr("action_masks")()
        action, _ = model.predict(observation, action_masks=masks, deterministic=True)
        observation, _, terminated, truncated, info = env.step(action)
        ended = terminated or truncated
    blocking = {file: info["figures"]["blocking"]}
    for rule in ("random", "odcn-jcb", "odcn-score"):
        same = odcn.run("odcn-drl-scheduling", rule, jobs=2000, warm_up=0, replications=1, seed=10)
        blocking[rule] = same["blocking"].mean
    print("blocking of 2000 jobs:", ", ".join(f"{name} {value:.4f}" for name, value in blocking.items()))


main(sys.argv[1], *map(int, sys.argv[2:]))
