# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The Python module beside Gymnasium and sb3-contrib, and its speed. Not one of ./ns3 test.

    /usr/bin/python3 -m venv --system-site-packages venv
    venv/bin/pip install gymnasium==1.1.1 cloudpickle pandas matplotlib "numpy<2"
    venv/bin/pip install --no-deps stable-baselines3==2.6.0 sb3-contrib==2.6.0
    PYTHONPATH=build/python venv/bin/python test/benchmark/python/check_gymnasium.py

Without these packages only the speed is measured.
"""

import argparse
import time
import warnings

import numpy as np

import odcn

SCHEDULING = "odcn-drl-scheduling"


def check_environments():
    """Gymnasium's environment checker on each problem."""
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    for name in odcn.problems():
        env = odcn.make(name, jobs=50)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            check_env(env, skip_render_check=True)
        assert isinstance(env, gymnasium.Env)
        others = {str(w.message) for w in found}
        print(f"{name}: passes check_env of {gymnasium.__version__}; warnings: {len(others)}")
        for other in sorted(others):
            print("   ", other.splitlines()[0][:150])
    vector = odcn.make_vec(SCHEDULING, 4, jobs=20)
    assert isinstance(vector, gymnasium.vector.VectorEnv)
    assert vector.observation_space.contains(vector.reset(seed=1)[0])
    for _ in range(1000):
        actions = vector.action_space.sample()
        assert vector.action_space.contains(actions)
        vector.step(actions)
    # Wrappers rely on the autoreset mode and on where infos say that episodes ended.
    vector = odcn.make_vec(SCHEDULING, 4, jobs=20)
    episodes = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector)
    episodes.reset(seed=1)
    lengths = []
    for _ in range(3000):
        infos = episodes.step(episodes.action_space.sample())[4]
        if "episode" in infos:
            lengths += list(infos["episode"]["l"][infos["_episode"]])
    print(f"gymnasium.vector: {len(lengths)} episodes, {np.mean(lengths):.0f} decisions each")


def train(decisions):
    """MaskablePPO of sb3-contrib, then its blocking beside that of rules."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    envs = DummyVecEnv([lambda: odcn.make(SCHEDULING, jobs=0) for _ in range(8)])
    model = MaskablePPO("MlpPolicy", envs, n_steps=256, batch_size=256, seed=1, device="cpu")
    begin = time.perf_counter()
    model.learn(decisions)
    seconds = time.perf_counter() - begin
    print(f"MaskablePPO: {decisions} decisions, updates included, in {seconds:.0f} s")
    env = odcn.make(SCHEDULING, jobs=2000)
    observation, _ = env.reset(seed=10)
    ended = False
    while not ended:
        action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
        observation, _, terminated, ended, info = env.step(action)
    blocking = {"MaskablePPO": info["figures"]["blocking"]}
    for rule in ("random", "odcn-jcb", "odcn-score"):
        estimate = odcn.run(SCHEDULING, rule, jobs=2000, warm_up=0, replications=1, seed=10)
        blocking[rule] = estimate["blocking"].mean
    print("blocking of the first 2000 jobs of seed 10:", blocking)


def measure(what, step, number, decisions):
    """Decisions a second of step(), which makes a number of them."""
    for _ in range(decisions // number // 5):
        step()
    begin, cpu = time.perf_counter(), time.process_time()
    for _ in range(decisions // number):
        step()
    seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    done = decisions // number * number
    print(f"{what}: {done / seconds:.0f} decisions/s, {cpu / done * 1e6:.2f} us of processor each")
    return done / seconds


def measure_single(decisions):
    """One environment; the rule is the rack with most bandwidth."""
    env = odcn.make(SCHEDULING, jobs=0)
    observation = env.reset(seed=1)[0]

    def step():
        nonlocal observation
        racks = len(observation) // 2
        observation = env.step(np.where(env.action_masks(), observation[racks:], -2).argmax())[0]

    return measure("make()", step, 1, decisions)


def measure_vector(number, threads, decisions):
    """The same rule on a number of environments."""
    vector = odcn.make_vec(SCHEDULING, number, threads=threads, jobs=0)
    observations, masks = vector.reset(seed=1)[0], vector.action_masks()
    racks = masks.shape[1]

    def step():
        vector.step(np.where(masks, observations[:, racks:], -2).argmax(1))

    return measure(f"make_vec(), {number}, threads={threads}", step, number, decisions)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--train", type=int, default=20480, help="decisions of MaskablePPO")
    parser.add_argument("--measure", type=int, default=400000, help="decisions of each measurement")
    options = parser.parse_args()
    try:
        check_environments()
        train(options.train)
    except ImportError as error:
        print("not checked:", error)
    single = measure_single(options.measure // 4)
    best = max(
        measure_vector(number, threads, options.measure)
        for number in (1, 32, 256, 1024)
        for threads in (1, 2)
    )
    print(f"fastest: {best / single:.1f} times make(), {best / 60000:.1f} times 60,000 decisions/s")


if __name__ == "__main__":
    main()
