# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Packets in the loop of an agent: an environment whose decisions are taken while packets are in flight."""

from __future__ import annotations

import secrets
from typing import Any, Callable, Optional

import _odcn
import numpy as np
from _odcn import OdcnError

from .environments import Box, Discrete, _Env, _function, _seed, _text, _texts, _whole
from .fabrics import _number


class PacketEnv(_Env):
    """Jobs of the ODCN system placed while packets of ns-3 are in flight; make_packets() makes it.

    A step places one virtual machine of a job in a rack. Between two steps the simulation goes on to
    the next decision: packets are sent, wait in queues, arrive and are lost.
    """

    metadata = {"render_modes": []}
    render_mode = None

    def __init__(self, core: Any, reward: Optional[Callable[[dict, float], float]] = None):
        self._core, self._reward, self._seeded = core, _function("reward", reward), False
        low, high = core.bounds
        self.observation_space = Box(low, high, low.shape, low.dtype.type)
        self.action_space = Discrete(core.n_actions)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple[np.ndarray, dict]:
        """Begin an episode: the rule fills the data centre, then the first decision is due.

        seed: ns-3's run number. Without one, it is random. Another episode that has begun in this
        process has to be closed before. info has the seed, and "packets" as step().
        """
        seed = secrets.randbelow(2**31) if seed is None else _seed(seed)
        if _Env is not object:
            super().reset(seed=seed)
        self._core.reset(seed)
        return self._core.observation, {"seed": seed, "packets": self._core.packets}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Place the virtual machine in a rack, and simulate until the next decision.

        info["packets"]: sent, received and lost in this step; in_flight, queued_bytes (of all ToR
        switches), latency_ns (recent mean between racks, None before the first packet) and time_s
        (simulated) now. At the end of an episode, info["figures"]: figures of merit of its jobs.
        """
        action = np.asarray(action)
        if action.size != 1 or not np.issubdtype(action.dtype, np.integer):
            raise OdcnError(f"action: found {action!r}, expected an integer")
        over = self._core.step(int(action))
        packets, reward = self._core.packets, self._core.reward
        if self._reward:
            reward = float(self._reward(packets, reward))
        info = {"packets": packets}
        if over:
            info["figures"] = self._core.figures
        return self._core.observation, reward, False, over, info

    def action_masks(self) -> np.ndarray:
        """For each rack whether the virtual machine may fit; all false if it fits nowhere."""
        return self._core.mask

    def decide(self) -> int:
        """The action of the rule that make_packets() was given."""
        return self._core.decide()

    def render(self) -> None:
        """There is no picture."""

    def close(self) -> None:
        """End the episode, so that something else may simulate."""
        self._core.end()


def make_packets(
    *,
    load: float = 66,
    jobs: int = 1000,
    warm_up: int = 500,
    policy: str = "odcn-jcb",
    reward: Optional[Callable[[dict, float], float]] = None,
    **attributes: Any,
) -> PacketEnv:
    """An environment of the ODCN system, whose packets are simulated while its jobs are placed.

    load: mean duration of a job, in mean times between jobs.
    jobs: jobs after which an episode is truncated.
    warm_up: jobs before, which the rule places without packets.
    policy: the rule, one of rules("odcn-drl-scheduling"); decide() asks it, too.
    reward: a function of info["packets"] and the step's reward that returns another one.
    attributes: of the jobs, the problem (State=Packets here, unless given), NMgr, CsMgr,
    PlacementScheduler (Reward=Packets and JobTimeUnit=200ns here, unless given), JobFlowApplication, OcsSwitch
    (ReconfigurationTime), TorSwitch and OcsPacketMonitor, by their names in C++.

    A process has one simulator, so one such environment at a time has an episode; several need
    processes, for instance gymnasium.vector.AsyncVectorEnv.
    """
    jobs, warm_up = _whole("jobs", jobs, 1, 31), _whole("warm_up", warm_up, 0, 31)
    load = _number("load", load)
    if load == 0:
        raise OdcnError("load: found 0, expected a number above 0")
    if not any(name.split("::")[-1] == "JobTimeUnit" for name in attributes):
        attributes["JobTimeUnit"] = "200ns"  # a job of a second has more packets than can be simulated
    return PacketEnv(_odcn.PacketLoop(_texts(attributes), load, jobs, warm_up, _text("policy", policy)), reward)
