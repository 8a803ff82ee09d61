#!/usr/bin/python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Advantage actor-critic in PyTorch, with the networks and the numbers of OdcnA2cLearner.

The defaults are those of the ODCN paper: one environment, L = 50, updates of the first L of 2L - 1
complete samples, gamma 0.9, beta 0.01, Adam at 0.001, roulette with a probability that falls from 1
by 1e-5 an update. With more environments, each brings its share to an update.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

from odcn_env import SchedulingEnv
from odcn_jobs import JobGenerator


def stack(inputs, hidden, outputs):
    """Fully connected layers with ELU between them."""
    sizes = [inputs, *hidden]
    layers = []
    for i, o in zip(sizes, sizes[1:]):
        layers += [nn.Linear(i, o), nn.ELU()]
    return nn.Sequential(*layers, nn.Linear(sizes[-1], outputs))


class Mlp(nn.Module):
    """OdcnMlpNetwork: five layers of 128 for the policy, and for the value."""

    def __init__(self, racks):
        super().__init__()
        self.policy = stack(2 * racks, 5 * [128], racks)
        self.value = stack(2 * racks, 5 * [128], 1)

    def logits(self, x):
        """Logits of a batch of observations."""
        return self.policy(x)

    def forward(self, x):
        """Logits and values of a batch of observations."""
        return self.policy(x), self.value(x).squeeze(1)


class Scorer(nn.Module):
    """OdcnRackScorerNetwork: one small network that scores every rack, one for the value."""

    def __init__(self, racks):
        super().__init__()
        self.racks = racks
        self.policy = stack(16, [64, 64], 1)
        self.value = stack(9, [64, 64], 1)

    def describe(self, observation):
        """Inputs of the scorer [batch, racks, 16] and of the value network [batch, 9]."""
        x = observation.view(len(observation), 2, self.racks)
        negative = x < 0
        feasible = ~negative.any(dim=1, keepdim=True)
        counted = feasible | ~feasible.any(dim=2, keepdim=True)
        mean = torch.where(counted, x, 0).sum(2, True) / counted.sum(2, True)
        least = torch.where(counted, x, torch.inf).amin(2, True)
        greatest = torch.where(counted, x, -torch.inf).amax(2, True)
        one, other = x.unsqueeze(3), x.unsqueeze(2)
        below = (other < one).sum(3) + (other <= one).sum(3)
        rank = 0.5 * (below - 1) / max(1, self.racks - 1)
        like = torch.zeros_like(x)
        parts = [x, negative, mean + like, least + like, greatest + like, rank]
        parts += [x - least, greatest - x]
        actions = torch.stack([part.float() for part in parts], 3).transpose(1, 2)
        share = negative.float().mean(2, True)
        pooled = torch.cat([mean, least, greatest, share], 2).flatten(1)
        return actions.flatten(2), torch.cat([pooled, feasible.float().mean(2)], 1)

    def logits(self, x):
        """Logits of a batch of observations."""
        return self.policy(self.describe(x)[0]).squeeze(2)

    def forward(self, x):
        """Logits and values of a batch of observations."""
        actions, pooled = self.describe(x)
        return self.policy(actions).squeeze(2), self.value(pooled).squeeze(1)


class SyncVector:
    """One environment after the other, as Gym's SyncVectorEnv runs them."""

    def __init__(self, envs):
        self.n, self.envs = len(envs), envs

    def reset(self):
        """Reset all."""
        return np.concatenate([env.reset() for env in self.envs])

    def step(self, actions):
        """Step all."""
        pairs = [env.step(actions[i : i + 1]) for i, env in enumerate(self.envs)]
        return np.concatenate([o for o, _ in pairs]), [rewards[0] for _, rewards in pairs]


class A2c:
    """The learner, over a vector environment."""

    WINDOW = 50
    GAMMA = 0.9
    ENTROPY_WEIGHT = 0.01
    LEARNING_RATE = 1e-3
    EPSILON_STEP, EPSILON_MIN = 1e-5, 0.5

    def __init__(self, env, network, seed=1):
        self.env, self.network = env, network
        # Faster here than one small tensor after the other.
        self.optimiser = torch.optim.Adam(network.parameters(), self.LEARNING_RATE, foreach=True)
        self.random = np.random.default_rng(seed)
        self.updates = 0
        self.observations, self.actions = [], []
        self.rewards = [[] for _ in range(env.n)]
        self.seen = env.reset()
        self.weights = self.GAMMA ** np.arange(self.WINDOW)

    def choose(self, observation):
        """Roulette with probability epsilon, else the likeliest; no gradient."""
        with torch.no_grad():
            logits = self.network.logits(torch.from_numpy(observation)).numpy()
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        total = np.cumsum(chances, axis=1)
        drawn = (total <= self.random.random((self.env.n, 1)) * total[:, -1:]).sum(axis=1)
        epsilon = max(1 - self.EPSILON_STEP * self.updates, self.EPSILON_MIN)
        roulette = self.random.random(self.env.n) < epsilon
        return np.where(roulette, drawn, logits.argmax(axis=1))

    def train(self, decisions):
        """Learn; returns how many decisions were made."""
        made = 0
        while made < decisions:
            while min(map(len, self.rewards)) < 2 * self.WINDOW - 1:
                self.observations.append(self.seen)
                self.actions.append(self.choose(self.seen))
                self.seen, rewards = self.env.step(self.actions[-1])
                for known, new in zip(self.rewards, rewards):
                    known.extend(new)
                made += self.env.n
            self.update()
        return made

    def update(self):
        """One step of Adam by the first L samples of each environment (Eqs. 2 to 5)."""
        window, n = self.WINDOW, self.env.n
        observations = torch.from_numpy(np.stack(self.observations[:window]).reshape(window * n, -1))
        actions = torch.from_numpy(np.stack(self.actions[:window]).reshape(window * n, 1))
        rewards = np.array([known[: 2 * window - 1] for known in self.rewards])
        windows = np.lib.stride_tricks.sliding_window_view(rewards, window, axis=1)
        targets = torch.from_numpy((windows @ self.weights).T.astype(np.float32).reshape(-1))
        logits, values = self.network(observations)
        logs = torch.log_softmax(logits, 1)
        entropy = -(logs.exp() * logs).sum(1)
        advantage = targets - values.detach()
        chosen = logs.gather(1, actions).squeeze(1)
        policy_loss = -(chosen * advantage + self.ENTROPY_WEIGHT * entropy).mean()
        value_loss = (values - targets).square().mean()
        self.optimiser.zero_grad(set_to_none=True)
        (policy_loss + value_loss).backward()
        self.optimiser.step()
        self.updates += 1
        del self.observations[:window], self.actions[:window]
        for known in self.rewards:
            del known[:window]


def main():
    """Train for a while and say how fast that went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", choices=("mlp", "scorer"), default="mlp")
    parser.add_argument("--environments", type=int, default=1)
    parser.add_argument("--sync", action="store_true", help="one environment after the other")
    parser.add_argument("--decisions", type=int, default=20000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--racks", type=int, default=16)
    parser.add_argument("--load", type=float, default=66)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    sources = [JobGenerator(options.load, seed) for seed in range(options.environments)]
    size = (options.racks, 2 * options.racks)
    if options.sync:
        env = SyncVector([SchedulingEnv([source], *size) for source in sources])
    else:
        env = SchedulingEnv(sources, *size)
    network = (Mlp if options.network == "mlp" else Scorer)(options.racks)
    learner = A2c(env, network)
    learner.train(options.decisions // 10)
    cpu, wall = time.process_time(), time.perf_counter()
    made = learner.train(options.decisions)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(f"decisions={made} cpu_s={cpu} wall_s={wall}")


if __name__ == "__main__":
    main()
