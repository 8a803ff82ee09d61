# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The scheduling problem of OdcnScheduling in NumPy, in the manner of a Gym vector environment.

Any number of data centres stand side by side in one set of arrays, so that one NumPy call sees all
of them. Circuits are all-to-all, one between any two racks each way, and stay as they are. State,
mask, placement within a rack, rewards and outcomes are those of the C++ classes OdcnScheduling,
CsMgr and NMgr with Reconfigurable=false; check_env.py compares the two, decision by decision.
"""

import heapq

import numpy as np

ACCEPTED, BLOCKED_COMPUTE, BLOCKED_CHOICE, BLOCKED_BANDWIDTH = (
    "accepted",
    "blocked-compute",
    "blocked-choice",
    "blocked-bandwidth",
)

PORT_RATE = 40_000_000_000
SERVER = 1000 * np.array([32, 256, 3584])
TRANSMISSION_NS = 8e9 * 296 / PORT_RATE
BUFFER = 15


def md1k(capacity, rho):
    """Mean sojourn (in service times) and loss of an M/D/1/K queue, by its embedded chain."""
    if rho == 0:
        return 1.0, 0.0
    counts = np.arange(capacity)
    arrivals = np.exp(counts * np.log(rho) - rho - np.cumsum(np.log(np.maximum(counts, 1))))
    chain = np.zeros((capacity, capacity))
    for left in range(capacity):
        first = max(left - 1, 0)
        chain[left, first:] = arrivals[: capacity - first]
        chain[left, -1] += 1 - chain[left].sum()
    equations = np.vstack([(chain.T - np.eye(capacity))[1:], np.ones(capacity)])
    embedded = np.linalg.solve(equations, np.eye(capacity)[-1])
    busy = embedded[0] + rho
    loss = 1 - 1 / busy
    mean = (counts * embedded).sum() / busy + capacity * loss
    return mean / (rho * (1 - loss)), loss


class _Centre:
    """What one data centre remembers besides the arrays."""

    def __init__(self, source):
        self.source = source
        self.departures = []
        self.accepted = 0
        self.job = None
        self.servers = []
        self.racks = []
        self.staged = {}


class SchedulingEnv:
    """n data centres; an action is the rack of the next VM of each.

    Rewards come late, a whole job's at once: step() gives, for each centre, those that have become
    known, oldest action first. There is no end: the sources of jobs never dry up, or StopIteration
    tells that one did.
    """

    def __init__(self, sources, racks=16, servers=32, placement="Balanced", alpha=100.0):
        self.n, self.racks, self.servers = len(sources), racks, servers
        self._sources = sources
        self._placement = placement
        self._alpha = alpha
        self._rack_capacity = (servers * SERVER)[None, :, None].astype(np.float64)
        self._all = np.arange(self.n)
        self._grid = np.linspace(0, 1, 2001)
        self._sojourn, self._loss = np.array([md1k(BUFFER + 1, x) for x in self._grid]).T
        self.on_job = None  # called with (centre, job, outcome, servers of its VMs)

    def reset(self):
        """Empty all centres. Returns the observation, float32 [n, 2 racks]."""
        n, racks = self.n, self.racks
        self._free = np.empty((n, 3, racks, self.servers), np.int64)
        self._free[:] = SERVER[None, :, None, None]
        self.rack_free = self._free.sum(axis=3)
        self._residual = np.full((n, racks, racks), PORT_RATE, np.int64)
        # A rack needs no circuit to itself: never short, never the least.
        self._residual[:, np.arange(racks), np.arange(racks)] = np.iinfo(np.int64).max // 2
        self._vm = np.zeros((n, 3), np.int64)
        self._neighbour_rack = np.zeros((n, 1), np.int64)
        self._neighbour_rate = np.zeros((n, 2, 1), np.int64)
        self.centres = [_Centre(source) for source in self._sources]
        for i in range(n):
            self._next_job(i)
        return self._look()

    def step(self, actions):
        """Place a VM in each centre. Returns the observation and the rewards now known."""
        rewards = [self._act(i, rack) for i, rack in enumerate(actions.tolist())]
        return self._look(), rewards

    def mask(self):
        """Racks that are not certain to fail, bool [n, racks]."""
        both = self.fits & self._bandwidth_met
        some = both.any(axis=1, keepdims=True)
        server = self.fits.any(axis=1, keepdims=True)
        return np.where(some, both, server)

    def _look(self):
        """Find a server in every rack and what would become of the rack with the VM on it."""
        vm = self._vm
        fits = (self._free >= vm[:, :, None, None]).all(axis=1)
        cores = self._free[:, 0]
        if self._placement == "Balanced":
            self._server = np.where(fits, cores, -1).argmax(axis=2)
        elif self._placement == "BestFit":
            self._server = np.where(fits, cores, np.iinfo(np.int64).max).argmin(axis=2)
        else:
            self._server = fits.argmax(axis=2)
        self.fits = fits.any(axis=2)
        left = (self.rack_free - vm[:, :, None]) / self._rack_capacity
        compute = np.where(self.fits, left.min(axis=1), -1)
        self.observation = np.concatenate([compute, self._look_at_circuits()], axis=1)
        self.observation = self.observation.astype(np.float32)
        return self.observation

    def _look_at_circuits(self):
        # Quotients by one constant: the least residual has the least fraction.
        least = np.minimum(self._residual.min(axis=1), self._residual.min(axis=2))
        met = np.ones((self.n, self.racks), bool)
        for m in range(self._neighbour_rack.shape[1]):
            rack = self._neighbour_rack[:, m]
            out = self._neighbour_rate[:, 0, m, None]
            back = self._neighbour_rate[:, 1, m, None]
            after_out = self._residual[self._all, :, rack] - out
            after_back = self._residual[self._all, rack, :] - back
            met &= ((after_out >= 0) | (out == 0)) & ((after_back >= 0) | (back == 0))
            least = np.minimum(least, np.minimum(after_out, after_back))
        self._bandwidth_met = met
        fraction = np.minimum(np.maximum(least / PORT_RATE, 0), 1)
        return np.where(met, fraction, -1)

    def _next_job(self, i):
        centre = self.centres[i]
        centre.job = job = next(centre.source)
        while centre.departures and centre.departures[0][0] <= job.arrival:
            _, _, racks, servers, vms, loads = heapq.heappop(centre.departures)
            self._release(i, racks, servers, vms)
            self._unload(i, loads)
        centre.servers.clear()
        centre.racks.clear()
        centre.staged.clear()
        self._next_vm(i)

    def _next_vm(self, i):
        centre = self.centres[i]
        k = len(centre.racks)
        self._vm[i] = centre.job.vms[k]
        neighbours = {}
        for other, out, back in centre.job.links[k]:
            rates = neighbours.setdefault(centre.racks[other], [0, 0])
            rates[0] += out
            rates[1] += back
        missing = len(neighbours) - self._neighbour_rack.shape[1]
        if missing > 0:
            self._neighbour_rack = np.pad(self._neighbour_rack, ((0, 0), (0, missing)))
            self._neighbour_rate = np.pad(self._neighbour_rate, ((0, 0), (0, 0), (0, missing)))
        self._neighbour_rate[i] = 0
        for m, (rack, rates) in enumerate(neighbours.items()):
            self._neighbour_rack[i, m] = rack
            self._neighbour_rate[i, :, m] = rates

    def _act(self, i, rack):
        centre = self.centres[i]
        job = centre.job
        if not self.fits[i, rack]:
            outcome = BLOCKED_CHOICE if self.fits[i].any() else BLOCKED_COMPUTE
            return self._block(i, outcome, len(centre.racks))
        k = len(centre.racks)
        server = int(self._server[i, rack])
        vm = job.vms[k]
        self._free[i, :, rack, server] -= vm
        self.rack_free[i, :, rack] -= vm
        residual = self._residual[i]
        staged = centre.staged
        for other, out, back in job.links[k]:
            there = centre.racks[other]
            if there == rack:
                continue
            if out:
                residual[rack, there] -= out
                staged[rack, there] = staged.get((rack, there), 0) + out
            if back:
                residual[there, rack] -= back
                staged[there, rack] = staged.get((there, rack), 0) + back
        centre.racks.append(rack)
        centre.servers.append(server)
        if k + 1 < len(job.vms):
            self._next_vm(i)
            return ()
        return self._commit(i)

    def _commit(self, i):
        centre = self.centres[i]
        job = centre.job
        residual = self._residual[i]
        if any(residual[pair] < 0 for pair in centre.staged):
            return self._block(i, BLOCKED_BANDWIDTH, len(job.vms) - 1)
        departure = (
            job.arrival + job.duration,
            centre.accepted,
            centre.racks.copy(),
            centre.servers.copy(),
            job.vms,
            centre.staged.copy(),
        )
        heapq.heappush(centre.departures, departure)
        centre.accepted += 1
        reward = 1.0 + (self._alpha / self.mean_latency_ns(i) if self._alpha else 0.0)
        return self._end_job(i, ACCEPTED, [reward] * len(job.vms))

    def _block(self, i, outcome, placed):
        centre = self.centres[i]
        if centre.racks:
            vms = centre.job.vms[: len(centre.racks)]
            self._release(i, centre.racks, centre.servers, vms)
            self._unload(i, centre.staged)
        return self._end_job(i, outcome, [0.5] * placed + [-float(len(centre.job.vms))])

    def _end_job(self, i, outcome, rewards):
        if self.on_job:
            centre = self.centres[i]
            self.on_job(i, centre.job, outcome, list(zip(centre.racks, centre.servers)))
        self._next_job(i)
        return rewards

    def _release(self, i, racks, servers, vms):
        # Two VMs may share a server, so plain indexing would lose one.
        np.add.at(self._free[i], (slice(None), racks, servers), vms.T)
        np.add.at(self.rack_free[i], (slice(None), racks), vms.T)

    def _unload(self, i, loads):
        residual = self._residual[i]
        for pair, rate in loads.items():
            residual[pair] += rate

    def mean_latency_ns(self, i):
        """Latency of centre i by the closed form, weighted by what each circuit carries."""
        rho = np.maximum(PORT_RATE - self._residual[i], 0) / PORT_RATE
        carried = rho * (1 - np.interp(rho, self._grid, self._loss))
        total = carried.sum()
        if total == 0:
            return TRANSMISSION_NS
        sojourn = np.interp(rho, self._grid, self._sojourn)
        return TRANSMISSION_NS * (carried * sojourn).sum() / total
