# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The Python module beside Gymnasium, for gymnasium-test.sh: gymnasium-test.py [LIBRARY ...] with problems."""

import json
import pathlib
import sys
import warnings

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

import odcn

for library in sys.argv[1:]:
    odcn.load(library)
ids = odcn.environment_ids()
assert ids["odcn-drl-scheduling"] == "odcn/Scheduling-v0" and set(ids.values()) <= gymnasium.registry.keys()
assert not sys.argv[1:] or ids["Admission"] == "odcn/Admission-v0"

# Gymnasium's checker, which also draws a picture and compares episodes of one seed. It warns of bounds
# that are infinite, and of nothing else.
INFINITE = {"rddc-nara-allocation", "icci-hotspot-migration", "Admission"}
cases = [(name, id, {}) for name, id in ids.items()]
cases += [("rddc-nara-allocation", ids["rddc-nara-allocation"], {"observation": "graph"}),
          ("odcn-drl-scheduling", ids["odcn-drl-scheduling"], {"State": "Whole"})]
for name, id, attributes in cases:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        env = gymnasium.make(id, jobs=50, render_mode="rgb_array", **attributes)
        check_env(env.unwrapped)
    said = {str(w.message) for w in found}
    others = [text for text in said if "infinity" not in text]
    assert not others and (len(said) > 0) == (name in INFINITE or "State" in attributes), (name, said)
    env.reset(seed=1)
    pictures = [env.render()]
    for _ in range(20):
        env.step(int(np.argmax(env.get_wrapper_attr("action_masks")())))
        pictures.append(env.render())
    assert all(p.dtype == np.uint8 and p.ndim == 3 and p.shape[2] == 3 for p in pictures), name
    assert not np.array_equal(pictures[0], pictures[-1]), name
    assert env.spec.id == id
    env.close()

# Decisions while packets are in flight. One such environment has an episode at a time, so it is closed.
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    env = odcn.make_packets(jobs=5, warm_up=100, JobTimeUnit="200ns")
    check_env(env, skip_render_check=True)
    env.close()
assert all("infinity" in str(w.message) for w in found), [str(w.message) for w in found]

# A vector of its own, without Gymnasium's copies.
vector = gymnasium.make_vec("odcn/Scheduling-v0", 4, jobs=20)
assert isinstance(vector.unwrapped, odcn.VectorEnv) and vector.num_envs == 4
assert vector.observation_space.contains(vector.reset(seed=1)[0])
episodes = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector)
episodes.reset(seed=1)
lengths = []
for _ in range(3000):
    actions = episodes.action_space.sample()
    assert episodes.action_space.contains(actions)
    infos = episodes.step(actions)[4]
    if "episode" in infos:
        lengths += list(infos["episode"]["l"][infos["_episode"]])
assert len(lengths) > 20 and 20 <= min(lengths), (len(lengths), min(lengths))

# Its conventions of infos, seeds and masks, as Gymnasium's own vectors have them.
if hasattr(gymnasium.wrappers.vector, "DictInfoToList"):
    listed = gymnasium.wrappers.vector.DictInfoToList(
        gymnasium.make_vec("odcn/Scheduling-v0", 2, jobs=20, render_mode="rgb_array")
    )
    observations, infos = listed.reset(seed=[1, None])
    assert infos == [{"seed": 1}, {}], infos
    for _ in range(300):
        infos = listed.step(listed.action_space.sample())[4]
        assert all("placed" in info["outcome"] for info in infos)
        ended = [i for i, info in enumerate(infos) if "final_obs" in info]
        assert all(("figures" in info) == (i in ended) for i, info in enumerate(infos))
    assert len(listed.unwrapped.render()) == 2 and listed.unwrapped.render()[0].ndim == 3
    before = listed.unwrapped._observations.copy()
    observations, infos = listed.reset(options={"reset_mask": np.array([False, True])})
    assert np.array_equal(observations[0], before[0]) and infos == [{}, {}]
    observations, infos = listed.reset(seed=7, options={"reset_mask": np.array([False, True])})
    assert np.array_equal(observations[0], before[0]) and infos == [{}, {"seed": 8}]
    try:
        listed.reset(options={"reset_mask": np.array([True])})
        assert False, "accepted: a mask of one"
    except odcn.OdcnError as error:
        assert "reset_mask" in str(error)
try:
    gymnasium.make("odcn/Scheduling-v0", render_mode="human")
    assert False, "accepted: human"
except odcn.OdcnError as error:
    assert "rgb_array" in str(error)

# The notebook.
try:
    import matplotlib
except ImportError:
    print("not tested: the notebook, without matplotlib")
    sys.exit(77)
matplotlib.use("Agg")
notebook = pathlib.Path(__file__).resolve().parent.parent / "examples/python/odcn.ipynb"
names = {}
cells = [cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"]
for cell in cells:
    assert cell["outputs"] == [] and cell["execution_count"] is None, "clear the notebook's outputs"
    exec("".join(cell["source"]), names)
assert names["results"]["mine"] < names["results"]["random"], names["results"]
print(f"gymnasium {gymnasium.__version__}: {len(cases)} environments, {len(cells)} cells of the notebook")
