# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Types of the compiled module, which the package odcn wraps. test/python-fabrics-test.sh compares the names.

from typing import Any, Callable, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

class OdcnError(ValueError): ...

_Progress = Optional[Callable[[int, int, float], Any]]
_Texts = dict[str, str]

class Draw:
    def __init__(self, seed: int, run: int) -> None: ...

class Environments:
    bounds: NDArray[np.float32]
    feature_names: list[str]
    figure_names: list[str]
    final_figures: NDArray[np.float64]
    final_observations: NDArray[np.float32]
    graph: Any
    masks: NDArray[np.bool_]
    n_actions: int
    observations: NDArray[np.float32]
    outcome_names: list[str]
    outcomes: NDArray[np.float64]
    rewards: NDArray[np.float64]
    shape: Sequence[int]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    def __init__(
        self, problem: str, texts: _Texts, n: int, threads: int, jobs: int, auto_reset: bool, policy: str
    ) -> None: ...
    def decide(self) -> NDArray[np.int64]: ...
    def figures(self) -> dict[str, list[float]]: ...
    def reset(self, seeds: Sequence[Optional[int]], mask: Sequence[bool]) -> None: ...
    def step(self, actions: Any) -> bool: ...

class Fabric:
    name: str
    description: str
    uplinks: float
    def __init__(self, design: str, size: FabricSize, queues: str, texts: _Texts) -> None: ...
    def bound(self, demand: ArrayLike, cuts: bool) -> float: ...
    def collective(
        self,
        name: str,
        bytes: int,
        places: Sequence[int],
        engine: str,
        short: int,
        limit: float,
        draw: Draw,
        progress: _Progress,
    ) -> dict[str, Any]: ...
    def demand(self, pattern: str, draw: Draw) -> NDArray[np.float64]: ...
    def flows(self, demand: ArrayLike, workload: str, load: float, duration: float, draw: Draw) -> FlowColumns: ...
    def run(
        self,
        flows: FlowColumns,
        demand: Optional[ArrayLike],
        engine: str,
        short: int,
        drain: float,
        draw: Draw,
        progress: _Progress,
    ) -> dict[str, Any]: ...
    def why_not(self, engine: str) -> str: ...

class FabricSize:
    racks: int
    servers: int
    uplinks: int
    gbps: float
    slot: float
    dark: float
    delay: float
    server_gbps: float
    def __init__(self) -> None: ...

class FlowColumns:
    columns: tuple[NDArray[Any], ...]
    def __init__(self, source: ArrayLike, destination: ArrayLike, bytes: ArrayLike, start: ArrayLike) -> None: ...

class PacketLoop:
    bounds: tuple[NDArray[np.float32], NDArray[np.float32]]
    figures: dict[str, float]
    mask: NDArray[np.bool_]
    n_actions: int
    observation: NDArray[np.float32]
    packets: dict[str, Any]
    reward: float
    def __init__(self, texts: _Texts, load: float, jobs: int, warm_up: int, policy: str) -> None: ...
    def decide(self) -> int: ...
    def end(self) -> None: ...
    def reset(self, seed: int) -> None: ...
    def step(self, action: int) -> bool: ...

class TrainingSetting:
    arrival: float
    attributes: _Texts
    context: int
    data: int
    expert: int
    files: list[str]
    flops: float
    groups: str
    iterations: int
    jobs: int
    layers: int
    length: int
    limit: float
    micro_batches: int
    models: list[str]
    pipeline: int
    placement: str
    priorities: int
    ranks: int
    sequences: int
    short: int
    tensor: int
    def __init__(self) -> None: ...

def collectives() -> list[str]: ...
def designs() -> dict[str, str]: ...
def load(library: str) -> None: ...
def models() -> list[str]: ...
def problems() -> dict[str, str]: ...
def rules(problem: str) -> dict[str, str]: ...
def run(
    problem: str, texts: _Texts, policy: str, jobs: int, warm_up: int, replications: int, seed: int
) -> dict[str, list[float]]: ...
def train(
    fabric: Fabric, setting: TrainingSetting, engine: str, draw: Draw, progress: _Progress
) -> dict[str, Any]: ...
