# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""PPO in plain PyTorch, of doc/python.rst: ppo.py FILE.pt [DECISIONS]"""
import sys
import odcn
import torch


class Scorer(torch.nn.Module):
    """Scores each rack by its residual fractions, and their distance to the greatest."""
    def __init__(self, racks: int):
        super().__init__()
        self.racks = racks
        nn, act = torch.nn.Linear, torch.nn.ReLU
        self.score = torch.nn.Sequential(nn(4, 32), act(), nn(32, 32), act(), nn(32, 1))
        self.value = torch.nn.Sequential(nn(4, 32), act(), nn(32, 1))

    def forward(self, x):
        own = x.view(-1, 2, self.racks).transpose(1, 2)
        most = own.amax(1, keepdim=True)
        scores = self.score(torch.cat([own, own - most], 2)).squeeze(2)
        return scores, self.value(torch.cat([own.mean(1), most.squeeze(1)], 1)).squeeze(1)


def main(file, decisions=1_000_000, n=32, length=64, gamma=0.99, lam=0.95):
    torch.manual_seed(1)
    env = odcn.make_vec("odcn-drl-scheduling", n, jobs=0)  # one endless episode each
    x, mask = map(torch.from_numpy, (env.reset(seed=1)[0], env.action_masks()))
    net = Scorer(mask.shape[1])
    adam = torch.optim.Adam(net.parameters(), 1e-3)
    for update in range(decisions // (n * length)):
        rows = []
        for _ in range(length):
            with torch.no_grad():
                logits, values = net(x)
                pi = torch.distributions.Categorical(logits=logits.masked_fill(~mask, -1e9))
                actions = pi.sample()
            row = [x.clone(), mask.clone(), actions, pi.log_prob(actions), values]
            rows.append(row + [torch.from_numpy(env.step(actions.numpy())[1]).float() / 10])
        xs, masks, actions, before, values, rewards = map(torch.stack, zip(*rows))
        gain, following, gains = torch.zeros(n), net(x)[1].detach(), []
        for v, r in zip(values.flip(0), rewards.flip(0)):
            gain = r + gamma * following - v + gamma * lam * gain
            following, gains = v, [gain] + gains
        batch = [t.flatten(0, 1) for t in (xs, masks, actions, before, torch.stack(gains), values)]
        for some in [i for _ in range(4) for i in torch.randperm(n * length).split(256)]:
            xs, masks, actions, before, gains, values = (t[some] for t in batch)
            logits, now = net(xs)
            pi = torch.distributions.Categorical(logits=logits.masked_fill(~masks, -1e9))
            ratio, scaled = (pi.log_prob(actions) - before).exp(), gains / (gains.std() + 1e-8)
            goal = torch.minimum(ratio * scaled, ratio.clamp(0.8, 1.2) * scaled).mean()
            adam.zero_grad()
            ((gains + values - now).pow(2).mean() / 2 - goal - pi.entropy().mean() / 100).backward()
            adam.step()
        print(f"\r{(update + 1) * n * length} decisions, reward {rewards.mean() * 10:.3f}", end=" ")
    torch.jit.script(net).save(file)


main(sys.argv[1], *map(int, sys.argv[2:]))
