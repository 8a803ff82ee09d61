# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The Python module beside Gymnasium and sb3-contrib. Not one of ./ns3 test.

    /usr/bin/python3 -m venv --system-site-packages venv
    venv/bin/pip install gymnasium==1.1.1 cloudpickle pandas matplotlib "numpy<2"
    venv/bin/pip install --no-deps stable-baselines3==2.6.0 sb3-contrib==2.6.0
    PYTHONPATH=build/python venv/bin/python test/benchmark/python/check_gymnasium.py
"""

import argparse
import time
import warnings

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import odcn

SCHEDULING = "odcn-drl-scheduling"


def check_environments():
    """Gymnasium's environment checker and a short MaskablePPO on each problem."""
    cases = {name: {} for name in odcn.problems()}
    cases["rddc-nara-allocation, graph"] = {"observation": "graph"}
    for name, attributes in cases.items():
        env = odcn.make(name.split(",")[0], jobs=50, **attributes)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            check_env(env, skip_render_check=True)
        assert isinstance(env, gymnasium.Env)
        others = {str(w.message) for w in found}
        print(f"{name}: passes check_env of {gymnasium.__version__}; warnings: {len(others)}")
        for other in sorted(others):
            print("   ", other.splitlines()[0][:150])
        network = "MultiInputPolicy" if attributes else "MlpPolicy"
        MaskablePPO(network, env, n_steps=256, batch_size=256, seed=1, device="cpu").learn(512)
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--train", type=int, default=20480, help="decisions of MaskablePPO")
    parser.add_argument("--library", help="with problems of your own, checked as well")
    options = parser.parse_args()
    if options.library:
        odcn.load(options.library)
    check_environments()
    train(options.train)


if __name__ == "__main__":
    main()
