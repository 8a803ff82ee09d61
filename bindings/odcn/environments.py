# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""odcn's decision problems as environments of Gymnasium, and its rules as baselines.

    env = odcn.make("odcn-drl-scheduling", load=66)
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(action)

The environments are Gymnasium's where it is installed, and gymnasium.make() knows them by
environment_ids(). Otherwise they have the same methods, and spaces with the same attributes.

Rewards may become known some decisions late: a job is rewarded when its outcome is known. step()
returns the sum of the rewards that became known in it. Rewards still unknown when an episode is
truncated are lost.
"""

from __future__ import annotations

import operator
import os
import secrets
from typing import Any, Callable, NamedTuple, Optional, Sequence, Union

import numpy as np

import _odcn
from _odcn import OdcnError

try:
    import gymnasium
    from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete

    _Env, _VectorEnv = gymnasium.Env, gymnasium.vector.VectorEnv
except ImportError:
    _Env = _VectorEnv = object

    def _are_integers(x):
        return np.issubdtype(np.asarray(x).dtype, np.integer)

    class Box:
        """Arrays with values from low to high."""

        def __init__(self, low, high, shape, dtype):
            self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)
            self.shape, self.dtype = tuple(shape), np.dtype(dtype)

        def contains(self, x):
            return (
                isinstance(x, np.ndarray)
                and (x.shape, x.dtype) == (self.shape, self.dtype)
                and bool(np.all((self.low <= x) & (x <= self.high)))
            )

    class Dict(dict):
        """Dictionaries whose values are in the space of the same name."""

        spaces = property(lambda self: self)

        def contains(self, x):
            return x.keys() == self.keys() and all(s.contains(x[name]) for name, s in self.items())

    class Discrete:
        """Integers from 0 to n - 1."""

        shape, dtype = (), np.dtype(np.int64)

        def __init__(self, n):
            self.n = n
            self._random = np.random.default_rng()

        def contains(self, x):
            return np.size(x) == 1 and _are_integers(x) and 0 <= int(x) < self.n

        def sample(self, mask=None):
            """A random integer; only where mask is true, or 0 if it is nowhere true."""
            allowed = np.arange(self.n) if mask is None else np.flatnonzero(mask)
            return int(self._random.choice(allowed)) if len(allowed) else 0

    class MultiDiscrete:
        """Arrays of integers from 0 to n - 1."""

        dtype = np.dtype(np.int64)

        def __init__(self, nvec):
            self.nvec = np.asarray(nvec)
            self.shape = self.nvec.shape
            self._random = np.random.default_rng()

        def contains(self, x):
            x = np.asarray(x)
            return x.shape == self.shape and _are_integers(x) and bool(np.all((0 <= x) & (x < self.nvec)))

        def sample(self):
            return self._random.integers(self.nvec)


class Estimate(NamedTuple):
    """A mean with its interval of 95 % confidence; infinite ends where the data give none."""

    mean: float
    lower: float
    upper: float


def _whole(name, value, least, bits):
    """A whole number from least to 2**bits - 1."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not least <= number < 2**bits:
        raise OdcnError(f"{name}: found {value!r}, expected a whole number from {least}, less than 2^{bits}")
    return number


def _text(name, value):
    """A text, or a path."""
    if not isinstance(value, (str, os.PathLike)):
        raise OdcnError(f"{name}: found {value!r}, expected a text")
    return str(value)


def _function(name, value):
    """A function, or None."""
    if value is not None and not callable(value):
        raise OdcnError(f"{name}: found {value!r}, expected a function, or none")
    return value


def _seed(seed):
    """A seed, None for none, or a list of either."""
    if seed is None:
        return None
    return _whole("seed", seed, 0, 51) if np.ndim(seed) == 0 else [_seed(one) for one in seed]


def _texts(attributes):
    """Values of Attributes as ns-3 reads them."""

    def text(value):
        if isinstance(value, bool):
            return "true" if value else "false"
        return ",".join(map(text, value)) if isinstance(value, (list, tuple)) else str(value)

    return {name: text(value) for name, value in attributes.items()}


def _parts(core, form, rows):
    """Views of observations, one a row, in the form that make() was asked for."""
    graph = core.graph
    if form != "flat" and not (form == "graph" and graph):
        expected = "'flat' or 'graph'" if graph else "'flat', since it is no graph"
        raise OdcnError(f"observation={form!r}: expected {expected}")
    if form == "flat":
        return rows
    parts, begin = {}, 0
    for name in ("nodes", "edges", "globals"):
        end = begin + int(np.prod(graph[name]))
        parts[name] = rows[:, begin:end].reshape(len(rows), *graph[name])
        begin = end
    for name in ("edge_index", "candidates"):
        parts[name] = np.repeat(np.array([graph[name]], np.int64), len(rows), 0)
    return parts


def _space(core, form, n=None):
    """The space of an observation, or of n. Integers are indices of nodes."""

    def box(low, high):
        if n is not None:
            low, high = np.repeat(low[None], n, 0), np.repeat(high[None], n, 0)
        return Box(low, high, low.shape, low.dtype.type)

    bounds = _parts(core, form, core.bounds.reshape(2, *core.shape))
    if form == "flat":
        return box(*bounds)
    last = bounds["nodes"].shape[-2] - 1
    for name in ("edge_index", "candidates"):
        bounds[name] = (0 * bounds[name][0], 0 * bounds[name][0] + last)
    return Dict({name: box(*ends) for name, ends in bounds.items()})


def _picture(core, i=0):
    """An observation as an image: a column for each action, or as the observation is laid out.

    A row is a feature, from yellow, its least value, to violet. The last row is black where an action
    would fail.
    """
    x, (low, high) = core.observations[i].ravel().astype(float), core.bounds
    squashed = x / (1 + np.abs(x))  # without bounds
    squashed = np.where(np.isinf(low), (1 + squashed) / 2, squashed)
    cells = np.divide(x - low, high - low, out=squashed, where=np.isfinite(high - low))
    if core.graph:
        nodes, features = core.graph["nodes"]
        cells = cells[: nodes * features].reshape(nodes, features).T[:, core.graph["candidates"]]
    else:
        width = core.n_actions if core.feature_names else core.shape[-1] if len(core.shape) > 1 else 32
        cells = np.pad(cells, (0, -len(cells) % width)).reshape(-1, width)
    colours = [(253, 231, 37), (33, 145, 140), (68, 1, 84)]
    image = np.stack([np.interp(cells, (0, 0.5, 1), colour) for colour in zip(*colours)], -1)
    if cells.shape[1] == core.n_actions:
        image = np.concatenate([image, np.repeat(255 * core.masks[i][None, :, None], 3, 2)])
    scale = max(1, 512 // max(cells.shape))
    return image.astype(np.uint8).repeat(scale, 0).repeat(scale, 1)


def _outcome(core, row=slice(None)):
    """What became of jobs in the latest step, by name: of one environment, or views of all."""
    return dict(zip(core.outcome_names, core.outcomes[row].T))


def _first(values):
    """A copy of the first of several observations."""
    if isinstance(values, dict):
        return {name: value[0].copy() for name, value in values.items()}
    return values[0].copy()


def _check_render_mode(render_mode):
    if render_mode not in (None, "rgb_array"):
        raise OdcnError(f"render_mode={render_mode!r}: expected 'rgb_array', or none")


class _Seeds:
    """Seeds of episodes."""

    _seeded = False

    def _begin(self, seed, n, mask=()):
        """Begin an episode of n problems; without a seed, continue their random streams.

        The first time, seeds are random. Returns the seeds, None where streams continue.
        """
        if seed is None and not self._seeded:
            seed = secrets.randbelow(2**31)
        if seed is None:
            seeds = [None] * n
        else:
            seed = _seed(seed)
            seeds = [seed + i for i in range(n)] if np.ndim(seed) == 0 else list(seed)
        self._core.reset(seeds, mask)
        self._seeded = True
        return seeds

    def __reduce_ex__(self, protocol):
        """copy, deepcopy and pickle: the problem in C++ would be shared, or lost."""
        raise OdcnError(f"{type(self).__name__}: cannot be copied or pickled; make another, and reset(seed=...) it")


class Env(_Seeds, _Env):
    """One problem; make() makes it. Arrays are the caller's own."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}

    def __init__(
        self,
        core: Any,
        observation: str = "flat",
        reward: Optional[Callable] = None,
        render_mode: Optional[str] = None,
    ):
        _check_render_mode(render_mode)
        self._core, self._reward, self.render_mode = core, _function("reward", reward), render_mode
        self.feature_names = core.feature_names
        self._observations = _parts(core, observation, core.observations)
        self._masks = core.masks
        self._rewards, self._terminated = core.rewards, core.terminated
        self._truncated = core.truncated
        self.observation_space = _space(core, observation)
        self.action_space = Discrete(core.n_actions)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple[Any, dict]:
        """Begin an episode. The same seed gives the same episode as in C++ with this RngRun.

        Without a seed, the random streams continue; the first time, the seed is random. info has the
        seed, unless streams continue.
        """
        if _Env is not object:
            super().reset(seed=_seed(seed))
        (seed,) = self._begin(seed, 1)
        return _first(self._observations), {} if seed is None else {"seed": seed}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict]:
        """Take an action. info has the outcome of jobs, and the figures when the episode ends."""
        ended = self._core.step([action])
        outcome = {name: float(x) for name, x in _outcome(self._core, 0).items()}
        reward = float(self._rewards[0])
        if self._reward:
            reward = float(self._reward(outcome, reward))
        # Gymnasium's checker compares, and NaN is not equal to itself.
        info = {"outcome": {name: None if np.isnan(x) else x for name, x in outcome.items()}}
        if ended:
            info["figures"] = self.figures()
        return (
            _first(self._observations),
            reward,
            bool(self._terminated[0]),
            bool(self._truncated[0]),
            info,
        )

    def render(self) -> Optional[np.ndarray]:
        """A picture of the present decision, with render_mode="rgb_array" of make().

        A column is an action, a row one of feature_names, the last row black where it would fail.
        """
        return _picture(self._core) if self.render_mode else None

    def action_masks(self) -> np.ndarray:
        """For each action whether it may succeed; all false if every action fails."""
        return self._masks[0].copy()

    def decide(self) -> int:
        """The action of the policy that make() was given."""
        return int(self._core.decide()[0])

    def figures(self) -> dict[str, float]:
        """Figures of merit of the episode so far, by name."""
        return {name: values[0] for name, values in self._core.figures().items()}

    def close(self) -> None:
        """Nothing to release."""


class VectorEnv(_Seeds, _VectorEnv):
    """Problems that are stepped together, in C++; make_vec() makes it.

    The arrays that it returns are its own, and the next step() overwrites them: copy what you keep.
    Environment i with seed s is Env with seed s + i. An episode that ends is followed by the next
    within the same step (Gymnasium's AutoresetMode.SAME_STEP). For wrappers that expect another
    mode, gymnasium.make_vec(..., vectorization_mode="sync") steps several Env.

    infos follow Gymnasium's convention: "_name" is for each environment whether it has "name".
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10, "autoreset_mode": "SameStep"}

    def __init__(
        self,
        core: Any,
        observation: str = "flat",
        reward: Optional[Callable] = None,
        render_mode: Optional[str] = None,
    ):
        _check_render_mode(render_mode)
        self._core, self._reward, self._outcome = core, _function("reward", reward), _outcome(core)
        self.render_mode = render_mode
        self.num_envs, self.feature_names = len(core.rewards), core.feature_names
        self._observations = _parts(core, observation, core.observations)
        self._final_observations = _parts(core, observation, core.final_observations)
        self.single_observation_space = _space(core, observation)
        self.observation_space = _space(core, observation, self.num_envs)
        self.single_action_space = Discrete(core.n_actions)
        self.action_space = MultiDiscrete([core.n_actions] * self.num_envs)
        if _VectorEnv is not object and hasattr(gymnasium.vector, "AutoresetMode"):
            mode = gymnasium.vector.AutoresetMode.SAME_STEP
            self.metadata = {**self.metadata, "autoreset_mode": mode}
        self._masks, self._rewards = core.masks, core.rewards
        self._terminated, self._truncated = core.terminated, core.truncated
        self._figure_names, self._final_figures = core.figure_names, core.final_figures
        self._all = np.ones(self.num_envs, bool)
        self._known_outcome = self._marked(self._outcome, self._all)

    @staticmethod
    def _marked(values, mask):
        """Arrays by name, each with its mask."""
        return {**values, **{f"_{name}": mask for name in values}}

    def reset(
        self, *, seed: Union[int, Sequence[Optional[int]], None] = None, options: Optional[dict] = None
    ) -> tuple[Any, dict]:
        """Begin an episode everywhere, or where options["reset_mask"] is true.

        seed: a number, or one for each environment, None for one whose random streams continue.
        infos has the seeds, unless all continue.
        """
        mask = (options or {}).get("reset_mask")
        if mask is not None:
            mask = np.asarray(mask)
            if mask.dtype != bool or mask.shape != (self.num_envs,):
                raise OdcnError(
                    f"reset_mask: found {mask.dtype} of shape {mask.shape}, expected bool of "
                    f"({self.num_envs},)"
                )
        seeds = self._begin(seed, self.num_envs, () if mask is None else mask.tolist())
        known = np.array([s is not None for s in seeds]) & (self._all if mask is None else mask)
        if not known.any():
            return self._observations, {}
        numbers = np.array([0 if s is None else s for s in seeds])
        return self._observations, self._marked({"seed": numbers}, known)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Take one action in each. infos has the "outcome" of jobs. Where episodes ended, "final_obs"
        has their last observation (zeros if terminated), "figures" their figures of merit; elsewhere
        figures are NaN."""
        ended = self._core.step(actions)
        infos = self._marked({"outcome": self._known_outcome}, self._all)
        if ended:
            over = self._terminated | self._truncated
            figures = np.where(over, self._final_figures.T, np.nan)
            infos |= self._marked(
                {
                    "final_obs": self._final_observations,
                    "figures": self._marked(dict(zip(self._figure_names, figures)), over),
                },
                over,
            )
        rewards = self._rewards
        if self._reward:
            rewards = np.asarray(self._reward(self._outcome, rewards), float)
            if rewards.shape != self._rewards.shape:
                expected = f"expected one for each of {self.num_envs} environments"
                raise OdcnError(f"reward(): {rewards.shape} numbers, {expected}")
        return self._observations, rewards, self._terminated, self._truncated, infos

    def render(self) -> Optional[tuple[np.ndarray, ...]]:
        """Pictures of the present decisions, with render_mode="rgb_array"; see Env.render()."""
        if not self.render_mode:
            return None
        return tuple(_picture(self._core, i) for i in range(self.num_envs))

    def action_masks(self) -> np.ndarray:
        """For each environment and action whether it may succeed."""
        return self._masks

    def decide(self) -> np.ndarray:
        """The actions of the policy that make_vec() was given."""
        return self._core.decide()

    def figures(self) -> dict[str, np.ndarray]:
        """Figures of merit of the present episodes, by name."""
        return {name: np.array(values) for name, values in self._core.figures().items()}

    def close(self, **kwargs: Any) -> None:
        """Nothing to release."""


def environment_ids() -> dict[str, str]:
    """Names of the problems for gymnasium.make(), for instance odcn/Scheduling-v0."""
    return {
        problem: f"odcn/{type.rpartition('::')[2].removeprefix('Odcn')}-v0"
        for problem, type in problems().items()
    }


def _register():
    """Make the problems known to Gymnasium, where it is installed."""
    if _Env is object:
        return
    for problem, name in environment_ids().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="odcn:make",
                vector_entry_point="odcn:make_vec",
                kwargs={"problem": problem},
            )


def load(library: Union[str, os.PathLike]) -> list[str]:
    """Load a shared library with decision problems or rules of your own.

    Their types register themselves, so make(), rules() and run() know them from then on. Returns
    the TypeId names of the problems that were added; gymnasium.make() knows them, too.
    """
    before = problems()
    _odcn.load(_text("library", library))
    _register()
    return sorted(set(problems()) - set(before))


def make(
    problem: str,
    *,
    jobs: int = 10000,
    policy: str = "",
    observation: str = "flat",
    reward: Optional[Callable[[dict, float], float]] = None,
    render_mode: Optional[str] = None,
    **attributes: Any,
) -> Env:
    """An environment.

    problem: one of problems(), or the TypeId name of its class.
    jobs: jobs (requests, tasks) after which an episode is truncated; 0 for no limit. Decisions, of
    matching-agent and of a problem of your own.
    policy: a rule for decide(). Its settings are applied, for instance that circuits stay.
    observation: "flat", or "graph" for dictionaries of nodes, edges, globals, edge_index and
    candidates, of rddc-nara-allocation and of problems of your own with a graph.
    reward: a function of info["outcome"] and the step's reward that returns another one.
    render_mode: "rgb_array", for render().
    attributes: of the problem and its parts by their names in C++, and options of its helper:
    load, for icci-hotspot-migration mesh and preset.
    """
    jobs = _whole("jobs", jobs, 0, 63)
    problem, policy = _text("problem", problem), _text("policy", policy)
    core = _odcn.Environments(problem, _texts(attributes), 1, 1, jobs, False, policy)
    return Env(core, observation, reward, render_mode)


def make_vec(
    problem: str,
    num_envs: int,
    *,
    threads: int = 1,
    jobs: int = 10000,
    policy: str = "",
    observation: str = "flat",
    reward: Optional[Callable[[dict, np.ndarray], np.ndarray]] = None,
    render_mode: Optional[str] = None,
    **attributes: Any,
) -> VectorEnv:
    """A vector of environments, stepped by a number of threads; otherwise as make().

    reward() gets and returns arrays, a number for each environment.
    """
    num_envs, threads = _whole("num_envs", num_envs, 1, 32), _whole("threads", threads, 1, 32)
    jobs = _whole("jobs", jobs, 0, 63)
    problem, policy = _text("problem", problem), _text("policy", policy)
    core = _odcn.Environments(problem, _texts(attributes), num_envs, threads, jobs, True, policy)
    return VectorEnv(core, observation, reward, render_mode)


def problems() -> dict[str, str]:
    """Names of the problems, and the TypeId names of their classes."""
    return _odcn.problems()


def rules(problem: str) -> dict[str, str]:
    """Names of the rules for a problem, and what they are."""
    return _odcn.rules(_text("problem", problem))


def run(
    problem: str,
    policy: str,
    *,
    jobs: int = 10000,
    warm_up: int = 2000,
    replications: int = 5,
    seed: int = 1,
    **attributes: Any,
) -> dict[str, Estimate]:
    """Measure a rule, as the programs do: an Estimate of each figure of merit, by name.

    jobs: jobs measured in a replication, after warm_up others; 0 for a whole episode.
    seed: run number of the first replication, ns-3's RngRun.
    policy: one of rules(), or the file of a linear policy.
    """
    jobs, warm_up = _whole("jobs", jobs, 0, 63), _whole("warm_up", warm_up, 0, 63)
    replications, seed = _whole("replications", replications, 1, 32), _whole("seed", seed, 1, 51)
    problem, policy = _text("problem", problem), _text("policy", policy)
    figures = _odcn.run(problem, _texts(attributes), policy, jobs, warm_up, replications, seed)
    return {name: Estimate(*values) for name, values in figures.items()}


_register()
