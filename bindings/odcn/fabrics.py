# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Designs of fabrics: their flows and collectives in every engine, and bounds.

Servers and racks are numbered from 0, servers rack by rack. Random numbers are those of the programs
optical-fabrics and collectives: seed is --RngRun, and run the number of a replication, from 0.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence, Union

import _odcn
import numpy as np
from _odcn import OdcnError

from .environments import _function, _text, _texts, _whole

#: Columns of flows, as in the programs' files of flows.
FLOW = np.dtype([("source", "u4"), ("destination", "u4"), ("bytes", "u8"), ("start_ns", "f8")])
_TIMES = [("completion_ns", "f8"), ("slowdown", "f8"), ("unloaded_slowdown", "f8")]
_STEP = np.dtype(FLOW.descr[:3] + [("sent_ns", "f8"), ("received_ns", "f8")])

#: Told what is done, of how much, and the simulated time in s.
Progress = Callable[[int, int, float], Any]


@dataclass(frozen=True)
class Flows:
    """What a run of flows results in.

    flows: a structured array, a row for each flow: source, destination (servers), bytes, start_ns,
    completion_ns (from the start until the last byte was received; NaN if that did not happen),
    slowdown (over the time of its bytes at line rate), unloaded_slowdown (over its time alone in the
    network).
    engine: that ran it, "packets", "exact" or "flows".
    packets: numbers of packets by name: sent, received, in_flight, lost, hops (sent between
    switches), again and duplicates (of transports that repair); empty on the flow level.
    end_s: when the run ended, s.
    incomplete: what flows that are not complete were doing, or "".
    """

    flows: np.ndarray
    engine: str
    packets: dict[str, int]
    end_s: float
    incomplete: str


@dataclass(frozen=True)
class Collective:
    """What a run of a collective results in.

    time_s: until the last byte was received, s; NaN if that did not happen.
    bound_s: least time by the links of ranks and the circuits of the fabric, s; with several hops by
    cuts where the module has no GLPK, or from 17 racks on.
    least_s: least time by the links of ranks alone, s.
    engine: that ran it.
    packets, again: packets of messages, and those sent again; 0 on the flow level.
    messages: a structured array, a row for each step: source, destination (servers), bytes, sent_ns,
    received_ns.
    incomplete: what did not end, or "".
    """

    time_s: float
    bound_s: float
    least_s: float
    engine: str
    packets: int
    again: int
    messages: np.ndarray
    incomplete: str


@dataclass(frozen=True)
class Training:
    """What a run of training jobs results in.

    jobs: a structured array, a row for each job, with the columns of training-jobs' summary.csv: job,
    model, ranks, messages, arrival_ps, start_ps, end_ps, time_ps (from arrival to end); the time along
    the critical path by cause, of which the sum is time_ps (queue_ps, computation_ps, all_reduce_ps,
    ..., circuits_ps, dark_ps, sharing_ps, checkpoint_ps, restart_ps, lost_ps); least times
    (computations_ps and alpha_beta_ps of the job alone, cut_ps and flow_ps of the fabric); failures,
    preemptions, migrations.
    causes: names of the columns of causes.
    engine: that ran them.
    """

    jobs: np.ndarray
    causes: tuple[str, ...]
    engine: str


#: Columns of causes of Training.jobs.
_CAUSES = tuple(
    f"{cause}_ps"
    for cause in (
        "queue computation all_reduce reduce_scatter all_gather all_to_all broadcast send overhead "
        "circuits dark sharing checkpoint restart lost"
    ).split()
)
#: Defaults of options of models in training(), where they are not 1.
_MODELS = {"data": 4, "tensor": 2, "length": 64, "layers": 0}
#: Least values of whole numbers of training(), and their bits, where they are not 1 and 16.
_WHOLE = {"jobs": (1, 17), "iterations": (1, 20), "length": (1, 30), "layers": (0, 16), "ranks": (0, 20)}
_JOB_COLUMNS = (
    "job model ranks messages arrival_ps start_ps end_ps computations_ps alpha_beta_ps time_ps".split()
    + list(_CAUSES)
    + "cut_ps flow_ps failures preemptions migrations".split()
)


def _names(name, given):
    """One text, or several."""
    if isinstance(given, (str, os.PathLike)):
        return [str(given)]
    return [_text(name, one) for one in _several(name, given)]


def _several(name, given):
    """A list of what is given."""
    try:
        return list(given)
    except TypeError:
        raise OdcnError(f"{name}: found {given!r}, expected several") from None


def _refuse(given, reason):
    """Refuse arguments, by name, that are not None."""
    for name, value in given.items():
        if value is not None:
            raise OdcnError(f"{name}: found {value!r}, which has no effect: {reason}")


def _joined(dtype, columns):
    """A structured array of columns."""
    rows = np.empty(len(columns[0]), dtype)
    for name, column in zip(dtype.names, columns):
        rows[name] = column
    return rows


def _column(flows, name, least, most, whole):
    """A column of flows as an array of numbers in a range."""
    try:
        values = np.asarray(flows[name])
        if np.iscomplexobj(values):
            raise TypeError
        numbers = values.astype(np.float64)
    except (KeyError, ValueError, TypeError, IndexError):
        raise OdcnError(
            f"flows: found no numbers {name}, expected the columns source, destination, bytes and start_ns"
        ) from None
    wrong = ~((least <= numbers) & (numbers <= most) & (~np.bool_(whole) | (numbers == np.floor(numbers))))
    if values.ndim != 1 or wrong.any():
        found = f"{values[wrong][0]}" if values.ndim == 1 else f"{values.ndim} dimensions"
        raise OdcnError(
            f"{name} of flows: found {found}, expected {'whole ' if whole else ''}numbers from {least} to {most:g}"
        )
    return values


def _flows(flows):
    """Flows in the form of FLOW: from such an array, a table of pandas, or a dictionary of columns."""
    if not hasattr(flows, "keys") and getattr(flows, "dtype", np.dtype(float)).names is None:
        raise OdcnError(f"flows: found {flows!r}, expected a workload, or columns source, destination, bytes and start_ns")
    columns = [
        _column(flows, "source", 0, 2**32 - 1, True),
        _column(flows, "destination", 0, 2**32 - 1, True),
        _column(flows, "bytes", 1, 2**53, True),
        _column(flows, "start_ns", 0, np.nextafter(9e15, 0), False),
    ]
    if len({len(column) for column in columns}) != 1:
        raise OdcnError(f"flows: found columns of {[len(c) for c in columns]} rows, expected equal ones")
    return _joined(FLOW, columns)


def _number(name, value, least=0.0, most=None):
    """A finite number in a range."""
    try:
        number = float("nan" if isinstance(value, (str, bytes)) else value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not least <= number < float("inf") or most is not None and number > most:
        wanted = f"a number, {least:g} or more" if most is None else f"a number from {least:g} to {most:g}"
        raise OdcnError(f"{name}: found {value!r}, expected {wanted}")
    return number


def _matrix(demand):
    """A demand as floats."""
    try:
        matrix = np.asarray(demand)
        matrix = np.empty(0) if np.iscomplexobj(matrix) else matrix.astype(np.float64)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    if matrix.ndim != 2:
        raise OdcnError(f"demand: found {type(demand).__name__}, expected a matrix of numbers, or a pattern")
    for source, destination in np.argwhere(~((matrix >= 0) & np.isfinite(matrix)))[:1]:
        found = matrix[source, destination]
        raise OdcnError(f"demand: found {found:g} from rack {source} to rack {destination}, expected 0 or more")
    return matrix


def _draw(seed, run):
    return _odcn.Draw(_whole("seed", seed, 1, 51), _whole("run", run, 0, 31))


class Fabric:
    """A fabric; fabric() makes it. Each run begins with an empty network."""

    def __init__(self, core: Any, size: Any, folder: Any = None):
        self._core, self._size, self._folder = core, size, folder
        #: The design's name, and what it is.
        self.name: str = core.name
        self.description: str = core.description
        #: Number of racks, and of servers of all racks.
        self.racks: int = size.racks
        self.servers: int = size.racks * size.servers
        #: Rate of the links of a rack to the network, in links.
        self.uplinks: float = core.uplinks

    def __repr__(self) -> str:
        return f"<odcn.Fabric {self.name}: {self.description}>"

    def why_not(self, engine: str) -> str:
        """"" if an engine carries the traffic of the design, or why not."""
        return self._core.why_not(_text("engine", engine))

    def demand(self, pattern: str = "uniform", *, seed: int = 1, run: int = 0) -> np.ndarray:
        """A matrix of demand between racks, [racks, racks], whose busiest rack sends or receives 1.

        pattern: uniform, permutation, shift:K, skewed:F, chessboard, hot:K, hot-pair:K, incast:K,
        file:PATH.
        """
        return self._core.demand(_text("pattern", pattern), _draw(seed, run))

    def _demand(self, demand, seed, run):
        return self.demand(demand, seed=seed, run=run) if isinstance(demand, str) else _matrix(demand)

    def flows(
        self,
        workload: Union[str, int] = "websearch",
        *,
        load: float = 0.1,
        duration: float = 20,
        demand: Union[str, np.ndarray] = "uniform",
        seed: int = 1,
        run: int = 0,
    ) -> np.ndarray:
        """Flows at random times (Poisson): a structured array of source, destination, bytes, start_ns.

        workload: sizes of flows, websearch, datamining, hadoop, google-rpc, a number of bytes, or the
        path of a file of their distribution.
        load: data offered by the servers of the busiest rack, as a share of their line rate.
        duration: in which flows start, ms.
        demand: pattern as for demand(), or a matrix [racks, racks] in any unit.
        """
        workload = workload if isinstance(workload, (int, np.integer)) else _text("workload", workload)
        columns = self._core.flows(
            self._demand(demand, seed, run),
            str(workload),
            _number("load", load),
            _number("duration", duration),
            _draw(seed, run),
        ).columns
        return _joined(FLOW, columns)

    def run(
        self,
        flows: Any,
        *,
        engine: str = "packets",
        load: Optional[float] = None,
        duration: Optional[float] = None,
        demand: Union[str, np.ndarray, None] = None,
        short: int = 2000000,
        drain: float = 80,
        seed: int = 1,
        run: int = 0,
        progress: Optional[Progress] = None,
    ) -> Flows:
        """Run flows over the empty fabric until all are complete.

        flows: a structured array, a pandas.DataFrame or a dictionary with the columns source,
        destination, bytes and start_ns; or a workload as for flows(), with load (0.1) and duration
        (20 ms).
        engine: "packets", of ns-3; "exact", the same packets without its events; "flows", the flow
        level. why_not() says which designs the last two do not carry.
        demand: of a workload, as for flows() ("uniform"). Of other flows, what schedules that depend
        on it are told: a matrix [racks, racks]; None for that of the flows.
        short: flows of fewer bytes are short: they do not wait for circuits in Opera.
        drain: longest time for flows to complete after the last has started, ms.
        progress: called twice a second with the flows that are complete, all flows, and the simulated
        time in s; the exact engine does not call it.
        """
        draw = _draw(seed, run)
        if isinstance(flows, (str, int, np.integer, os.PathLike)):
            demand = self._demand("uniform" if demand is None else demand, seed, run)
            load, duration = 0.1 if load is None else load, 20 if duration is None else duration
            flows = self.flows(flows, load=load, duration=duration, demand=demand, seed=seed, run=run)
        else:
            flows = _flows(flows)
            _refuse({"load": load, "duration": duration}, "flows have starts and sizes")
            demand = None if demand is None else self._demand(demand, seed, run)
        result = self._core.run(
            _odcn.FlowColumns(*(flows[name] for name in FLOW.names)),
            demand,
            _text("engine", engine),
            _whole("short", short, 0, 63),
            _number("drain", drain),
            draw,
            _function("progress", progress),
        )
        columns = [flows[name] for name in FLOW.names] + [result.pop(name) for name, _ in _TIMES]
        return Flows(flows=_joined(np.dtype(FLOW.descr + _TIMES), columns), **result)

    def collective(
        self,
        name: str,
        *,
        bytes: int = 640000,
        places: Sequence[int] = (),
        engine: str = "packets",
        short: int = 100000,
        limit: float = 10,
        seed: int = 1,
        run: int = 0,
        progress: Optional[Progress] = None,
    ) -> Collective:
        """Run a collective over the empty fabric, one rank a server.

        name: one of collectives(), perhaps with :CHUNKS, or the name of a file of steps.
        bytes: of each rank's vector.
        places: the server of each rank; all servers in order by default.
        engine: as for run(). Lost packets are sent again, but not by the exact engine unless the
        Attribute Repair says so.
        short: messages of fewer bytes are short: they do not wait for circuits in Opera.
        limit: longest simulated time, s.
        progress: called twice a second with the steps that were received, all steps, and the
        simulated time in s.
        """
        result = self._core.collective(
            _text("name", name),
            _whole("bytes", bytes, 1, 53),
            [_whole("places", place, 0, 32) for place in _several("places", places)],
            _text("engine", engine),
            _whole("short", short, 0, 63),
            _number("limit", limit),
            _draw(seed, run),
            _function("progress", progress),
        )
        messages = _joined(_STEP, [result.pop(column) for column in _STEP.names])
        return Collective(messages=messages, **result)

    def training(
        self,
        models: Union[str, Sequence[str], None] = None,
        *,
        files: Union[str, Sequence[str]] = (),
        engine: str = "flows",
        jobs: int = 8,
        iterations: int = 2,
        arrival: float = 1,
        placement: str = "packing",
        priorities: int = 1,
        data: Optional[int] = None,
        tensor: Optional[int] = None,
        pipeline: Optional[int] = None,
        context: Optional[int] = None,
        expert: Optional[int] = None,
        micro_batches: Optional[int] = None,
        sequences: Optional[int] = None,
        length: Optional[int] = None,
        flops: Optional[float] = None,
        layers: Optional[int] = None,
        ranks: Optional[int] = None,
        groups: Optional[str] = None,
        short: int = 100000,
        limit: float = 100,
        seed: int = 1,
        run: int = 0,
        progress: Optional[Progress] = None,
        **attributes: Any,
    ) -> Training:
        """Run training jobs that share the fabric, one rank a server.

        models: some of models(), of which jobs take one in turn; mini-gpt if neither is given.
        files: files of jobs in place of models: Chakra's, AICB, GOAL or CSV. ranks: of a file that does
        not say them. groups: of Chakra, a JSON file with the ranks of each group.
        engine: as for run().
        jobs: their number. iterations: of each. arrival: mean time between jobs, ms; 0 for all at once.
        placement: which servers a job gets, such as "packing". priorities: which jobs take in turn.
        data (4), tensor (2), pipeline (1), context (1), expert (1): how a model is trained in parallel;
        the product of the first four is the number of ranks. micro_batches (1), sequences (1, of each),
        length (64 tokens). flops (1e12): operations of a rank a second. layers (0): of a model, 0 for
        all. Files say all these.
        short, seed, run, progress (of jobs): as for collective(). limit: longest simulated time, s.
        attributes: of TrainingCluster and TrainingRun, by their names in C++, such as
        Queue="backfill" or AllReduce="halving-doubling".
        """
        setting = _odcn.TrainingSetting()
        setting.files = _names("files", files)
        of_models = {
            "data": data,
            "tensor": tensor,
            "pipeline": pipeline,
            "context": context,
            "expert": expert,
            "micro_batches": micro_batches,
            "sequences": sequences,
            "length": length,
            "layers": layers,
        }
        if setting.files:
            _refuse({"models": models, **of_models, "flops": flops}, "files say what jobs are")
        else:
            _refuse({"ranks": ranks, "groups": groups}, "they are of files")
            setting.models = _names("models", "mini-gpt" if models is None else models)
            if not setting.models:
                raise OdcnError("models: found none, expected some of " + ", ".join(_odcn.models()))
            of_models = {name: _MODELS.get(name, 1) if value is None else value for name, value in of_models.items()}
            setting.flops = _number("flops", 1e12 if flops is None else flops, 1, 1e21)
        whole = {"jobs": jobs, "iterations": iterations, "priorities": priorities, "ranks": ranks, **of_models}
        for name, value in whole.items():
            if value is not None:
                setattr(setting, name, _whole(name, value, *_WHOLE.get(name, (1, 16))))
        setting.arrival, setting.limit = _number("arrival", arrival, 0, 1e9), _number("limit", limit, 1e-6, 1e6)
        setting.placement = _text("placement", placement)
        setting.groups = "" if groups is None else _text("groups", groups)
        setting.short = _whole("short", short, 0, 63)
        setting.attributes = _texts(attributes)
        result = _odcn.train(
            self._core, setting, _text("engine", engine), _draw(seed, run), _function("progress", progress)
        )
        columns = {**result["columns"], "model": np.array(result["models"])}
        types = [(name, columns[name].dtype) for name in _JOB_COLUMNS]
        rows = _joined(np.dtype(types), [columns[name] for name in _JOB_COLUMNS])
        return Training(jobs=rows, causes=_CAUSES, engine=result["engine"])

    def bound(
        self, demand: Union[str, np.ndarray] = "uniform", *, cuts: bool = False, seed: int = 1, run: int = 0
    ) -> float:
        """The largest x for which x times a demand can be carried, with as many hops as bulk takes.

        demand: a matrix [racks, racks] in links, or a pattern as for demand(), of which the busiest
        rack sends or receives one link. Divided by the servers of a rack it is a share of their rate.
        cuts: instead of a linear program, which a wheel has not, cuts bound what takes several hops,
        from above; as always with more than 32 racks.
        """
        return self._core.bound(self._demand(demand, seed, run), bool(cuts))


def _slots(schedule, slots):
    """A schedule of one's own as an array [slot, plane, rack]; -1 for no circuit."""
    if callable(schedule):
        count = _whole("slots", slots, 1, 31)
        try:
            schedule = [np.atleast_2d(np.asarray(schedule(slot))) for slot in range(count)]
        except ValueError:
            raise OdcnError("schedule: found rows of several lengths, expected a rack for each rack") from None
        shapes = [one.shape for one in schedule]
        for slot, shape in enumerate(shapes):
            if shape != shapes[0]:
                raise OdcnError(f"schedule: found shape {shape} in slot {slot}, expected {shapes[0]} as in slot 0")
    else:
        _refuse({"slots": slots}, "the schedule is no function of the slot")
    try:
        table = np.asarray(schedule)
    except ValueError:
        table = np.empty(0)
    table = table[:, None, :] if table.ndim == 2 else table
    if table.ndim != 3 or not table.size or not np.issubdtype(table.dtype, np.integer):
        raise OdcnError(
            f"schedule: found {table.dtype} of shape {table.shape}, expected integers of [slot, plane, rack]"
        )
    if table.dtype.kind == "u":
        table = np.minimum(table, 2**31)
    table = table.astype(np.int64)
    racks = np.arange(table.shape[2])
    for slot, plane in np.ndindex(table.shape[:2]):
        to = table[slot, plane]
        known = (to >= 0) & (to < len(racks))
        senders = np.bincount(to[known], minlength=len(racks))[np.where(known, to, 0)]
        wrong = (to != -1) & (~known | (to == racks) | (senders > 1))
        if wrong.any():
            rack = int(np.argmax(wrong))
            raise OdcnError(
                f"schedule: slot {slot}, uplink {plane}, rack {rack}: found {to[rack]}, expected another rack below "
                f"{len(racks)}, to which no other rack sends, or -1"
            )
    return table


def _write(table, size, path):
    """A file for the FileSchedule of C++."""
    with open(path, "w", encoding="ascii") as file:
        file.write(f"racks {table.shape[2]} planes {table.shape[1]} dark {size.dark * 1000:.3f}\n")
        for plane in range(table.shape[1]):
            file.write(f"plane {plane} offset 0\n")
            for slot in table[:, plane]:
                to = " ".join("-" if rack == -1 else str(rack) for rack in slot)
                file.write(f"{size.slot * 1000:.3f} {to}\n")


def fabric(
    design: Optional[str] = None,
    *,
    schedule: Union[np.ndarray, Callable[[int], Any], None] = None,
    routing: Optional[str] = None,
    slots: Optional[int] = None,
    racks: Optional[int] = None,
    servers: int = 4,
    uplinks: Optional[int] = None,
    gbps: float = 10,
    slot: float = 100,
    dark: float = 10,
    delay: float = 500,
    server_gbps: float = 0,
    queues: str = "fifo",
    **attributes: Any,
) -> Fabric:
    """A fabric.

    design: one of designs() ("rotornet-direct"), or circuits and routing in one line of text, such as
    "RotorSchedule[Slot=50us];ValiantRouting".
    schedule: instead, circuits of one's own: integers of the shape [slot, plane, rack], or [slot,
    rack] for one plane, the rack to which each rack sends, -1 for none; or a function of the slot that
    returns [plane, rack], called for slots 0 to slots - 1. Planes are uplinks. It repeats.
    routing: how packets take these circuits ("DirectRouting").
    racks (16), servers (of a rack), uplinks (4, of a rack): the size; a schedule says racks and uplinks.
    gbps: rate of all links, Gb/s. server_gbps: that of servers, 0 for the same.
    slot: time between reconfigurations, us. dark: of it without light, us.
    delay: propagation from ToR switch to ToR switch, ns.
    queues: of switches, "fifo", or "fair" for equal shares of pairs of servers.
    attributes: of the hosts (FlowApplication) and ToR switches (TorSwitch), by their names in C++.
    """
    size, folder = _odcn.FabricSize(), None
    for name, value in (
        ("gbps", gbps),
        ("slot", slot),
        ("dark", dark),
        ("delay", delay),
        ("server_gbps", server_gbps),
    ):
        setattr(size, name, _number(name, value))
    if schedule is not None:
        _refuse({"design": design}, "the schedule takes its place")
        table = _slots(schedule, slots)
        for name, value, said in (("racks", racks, table.shape[2]), ("uplinks", uplinks, table.shape[1])):
            if value is not None and value != said:
                raise OdcnError(f"{name}: found {value!r}, expected {said} as in the schedule, or nothing")
        racks, uplinks = table.shape[2], table.shape[1]
        folder = tempfile.TemporaryDirectory(prefix="odcn-")
        path = os.path.join(folder.name, "schedule.txt")
        _write(table, size, path)
        design = f"FileSchedule[File={path}];{_text('routing', 'DirectRouting' if routing is None else routing)}"
    else:
        _refuse({"slots": slots, "routing": routing}, "there is no schedule of one's own")
        design = _text("design", "rotornet-direct" if design is None else design)
        racks, uplinks = 16 if racks is None else racks, 4 if uplinks is None else uplinks
    for name, value in (("racks", racks), ("servers", servers), ("uplinks", uplinks)):
        setattr(size, name, _whole(name, value, 1, 31))
    return Fabric(_odcn.Fabric(design, size, _text("queues", queues), _texts(attributes)), size, folder)


def designs() -> dict[str, str]:
    """Names of designs, and what they are."""
    return _odcn.designs()


def collectives() -> list[str]:
    """Names of collectives, operation:algorithm."""
    return _odcn.collectives()


def models() -> list[str]:
    """Names of models for Fabric.training()."""
    return _odcn.models()
