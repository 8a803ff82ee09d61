#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Converts a trace of another system to a file that the programs read.

odcn-convert-trace.py --to=KIND [--format=FORMAT] [options] TRACE OUTPUT

KIND is odcn (jobs of optical data centres), rddc (requests), cluster (jobs) or icci (training tasks). FORMATS below is a
table of formats: columns to quantities, ranges, and the rows that are left out. The format columns is any CSV file with a
header; --columns=arrival=submit/60,duration=end/60-start/60 maps its columns, others go by their names. A trace may be
compressed by gzip. Prints how many rows were used and left out, and why. Options without effect on a kind and format are
refused: those of odcn and rddc belong to the formats alibaba-2018 and alibaba-2025, or to a map that names them.
"""

import argparse
import collections
import dataclasses
import gzip
import io
import itertools
import math
import os
import re
import sqlite3
import sys
import zlib

LONGEST_LINE = 1 << 24
NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
TERM = re.compile(r"\s*((?:\d+\.?\d*|\.\d+)[eE][-+]?\d+|[^-+*/]+?)\s*([-+*/]|$)")
TASK = re.compile(r"[^_0-9]+([0-9]{1,10}(?:_[0-9]{1,10}|_Stg[0-9]+)*)")
ANY = (-math.inf, math.inf)
ABOVE_0 = (5e-324, math.inf)
BAD_NAME = "task name is empty, taken, or needs itself"
INCOMPLETE = "another row of the job was skipped"


class TraceError(Exception):
    """Invalid input, described in one line."""


def first(*values):
    """The first value above 0, else the last; empty fields are passed over."""
    there = [value for value in values if value is not None]
    return next((value for value in there if value > 0), there[-1] if there else None)


# Quantities of each kind of file: value where a trace lacks it, if it may, and range for the format columns, then 1 if only
# whole numbers are valid.
KINDS = {
    "odcn": {"arrival": ("required", (0, math.inf)), "duration": ("required", ABOVE_0), "vms": (1, (5e-324, 1e6)),
             "cores": ("required", (0.0005, 1e9)), "memory": (0, (0, 1e9)), "disk": (0, (0, 1e9))},
    "rddc": {"arrival": (None, ANY), "gap": (None, (0, math.inf)), "cpu": (0, (0, 1e9)), "memory": (0, (0, 1e9)),
             "holding": ("required", ABOVE_0)},
    "cluster": {"arrival": ("required", ANY), "duration": ("required", ANY), "cpu": ("required", ANY), "memory": (0, ANY)},
    "icci": {"day": (None, (0, 1e9, 1)), "arrival": (None, (0, 24)), "data": (None, ABOVE_0), "parameters": (None, ABOVE_0),
             "accuracy": (None, (0, 1)), "deadline": (None, ABOVE_0), "workers": (None, (3, 10, 1)), "source": (None, (0, 1e6, 1))},
}


@dataclasses.dataclass
class Format:
    """How to read a trace: columns to quantities, what is valid, and what is left out."""

    columns: str = ""  # as the option --columns
    rows: dict = dataclasses.field(default_factory=dict)  # rows left out: reason, and condition on the columns r
    values: dict = dataclasses.field(default_factory=dict)  # the same, with a condition on the quantities r, and options o
    ranges: dict = dataclasses.field(default_factory=dict)  # of columns, then 1 if only whole numbers are valid
    texts: tuple = ()  # columns that are no numbers
    fields: tuple = ()  # columns of a file without a header
    blanks: bool = False  # whether blanks separate fields, and a semicolon begins a comment


CLUSTER = {"negative time": lambda r, o: r["arrival"] < 0 or r["duration"] < 0, "no run time": lambda r, o: r["duration"] == 0,
           "no processors": lambda r, o: r["cpu"] <= 0}
NOTHING = {"neither CPU nor memory": lambda r, o: r["cpu"] == 0 and r["memory"] == 0}
SWF = ("job", "submit", "wait", "run", "used", "cpu_s", "used_kib", "asked", "asked_s", "asked_kib", "status", "user", "group",
       "program", "queue", "partition", "before", "think")
# Table batch_task of the Alibaba trace of 2018.
TASKS = {
    "rows": {"status is not Terminated": lambda r: r["status"] != "Terminated",
             "instance_num is empty or 0": lambda r: not r["instance_num"],
             "plan_cpu is empty or 0": lambda r: not r["plan_cpu"],
             "plan_mem is empty": lambda r: r["plan_mem"] is None,
             "start_time or end_time is empty, 0 or negative": lambda r: min(r["start_time"] or 0, r["end_time"] or 0) <= 0,
             "end_time is before start_time": lambda r: r["end_time"] < r["start_time"]},
    "ranges": {"instance_num": (0, 1e9, 1), "start_time": (-1e12, 1e12), "end_time": (-1e12, 1e12), "plan_cpu": (0, 1e6),
               "plan_mem": (0, 100)},
    "texts": ("task_name", "job_name", "status"),
    "fields": ("task_name", "instance_num", "job_name", "task_type", "status", "start_time", "end_time", "plan_cpu", "plan_mem")}

FORMATS = {
    # Standard Workload Format 2.2; -1 is unknown. A job that was checkpointed has a row of its own, and one of each part.
    ("cluster", "swf"): Format(
        "arrival=submit,duration=run,cpu=used|asked,memory=asked_kib|used_kib|0*used|asked/1048576",
        {"part of a job (status 2 to 4)": lambda r: r["status"] in (2, 3, 4),
         "no run time": lambda r: r["run"] == -1 and r["submit"] >= 0}, CLUSTER, dict.fromkeys(SWF, ANY), fields=SWF, blanks=True),
    # A task is a job with the demand of one instance.
    ("cluster", "alibaba-2018"): Format(
        "arrival=start_time,duration=end_time-start_time,cpu=plan_cpu/100,memory=plan_mem", **TASKS),
    # Tasks are VMs of jobs, and send to those that wait for them.
    ("odcn", "alibaba-2018"): Format(
        "arrival=start_time,duration=end_time-start_time,vms=instance_num,cores=plan_cpu/100,memory=plan_mem/100*machineMemory", **TASKS),
    # Instances of the Alibaba trace of 2025.
    ("rddc", "alibaba-2025"): Format(
        "arrival=creation_time,holding=deletion_time-scheduled_time,cpu=cpu_request/coresPerUnit,memory=memory_request/gibPerUnit",
        {"there before the trace began": lambda r: r["creation_time"] is None or r["scheduled_time"] is None,
         "still there when the trace ended": lambda r: r["deletion_time"] is None,
         "deleted when scheduled or earlier": lambda r: not r["creation_time"] <= r["scheduled_time"] < r["deletion_time"]},
        {**NOTHING, "larger than maxRequest": lambda r, o: max(r["cpu"], r["memory"]) > o.maxRequest},
        {"cpu_request": (0, 1e6), "memory_request": (0, 1e9), "creation_time": (0, 1e12), "scheduled_time": (0, 1e12),
         "deletion_time": (0, 1e12)}),
    # CERIT-SC's log of 2013.
    ("cluster", "cerit"): Format("arrival=submit_unix_s,duration=runtime_s,cpu=procs,memory=req_mem_bytes/1073741824",
                                 values={**CLUSTER, "no memory": lambda r, o: r["memory"] <= 0}),
    # Any CSV file with a header.
    ("odcn", "columns"): Format(),
    ("rddc", "columns"): Format(values=NOTHING),
    ("cluster", "columns"): Format(values=CLUSTER),
    ("icci", "columns"): Format(),
}
SETTINGS = {
    "timeUnit": (60.0, "cluster: seconds of a time slot"),
    "arrivalFactor": (1.0, "cluster: factor of the times between arrivals"),
    "cpuUnit": (1.0, "cluster: processors of a unit"),
    "memoryUnit": (1.0, "cluster: GiB of a unit, for alibaba-2018 percent of a machine"),
    "maxDuration": (19, "cluster: slots to which longer jobs are cut, the horizon less 1"),
    "maxUnits": (10, "cluster: units to which larger jobs are cut, the capacity"),
    "coresPerUnit": (1.5, "rddc: cores of a unit of CPU"),
    "gibPerUnit": (8.0, "rddc: GiB of a unit of memory"),
    "maxRequest": (128, "rddc: units above which an instance is left out"),
    "meanGap": (1.0, "odcn: mean time between jobs; 0 keeps seconds"),
    "offeredCores": (13299.0, "odcn: mean cores in use if no job is blocked, by default of 66 x 15.5 VMs x 13 cores; 0 scales "
                              "durations as arrivals"),
    "machineMemory": (256.0, "odcn: GB of a machine, 100 percent of plan_mem"),
    "diskPerCore": (20.0, "odcn: GB of disk for each core of a VM"),
    "maxVmCores": (16.0, "odcn: cores to which larger VMs are cut"),
    "maxVmMemory": (122.0, "odcn: GB to which larger VMs are cut"),
    "maxInstances": (8, "odcn: most VMs of a task, with --vms=instance"),
    "minVms": (1, "odcn: VMs below which a job is left out"),
    "maxVms": (100, "odcn: VMs above which a job is left out"),
    "repeat": (1, "odcn: passes through the trace"),
}


def write(value):
    """The shortest text of a number that reads back as the same; nothing for None."""
    return "" if value is None else repr(value).removesuffix(".0")


def describe(least, most):
    """A range of numbers."""
    if least in (-math.inf, 5e-324):
        return "a number" if least < 0 else "more than 0" if most == math.inf else f"more than 0, {most:g} at most"
    return f"{least:g} or more" if most == math.inf else f"{least:g} to {most:g}"


class Trace:
    """Reads a trace, and counts the rows that are left out."""

    def __init__(self, options):
        self.options, self.form, self.kind = options, FORMATS[options.to, options.format], KINDS[options.to]
        self.read, self.left_out, self.headers, self.figures = 0, collections.Counter(), {}, collections.defaultdict(float)
        self.jobs, self.incomplete = {}, set()  # indices of jobs by name; those of which a row was left out
        self.line, self.text = 0, ""
        self.ranges, self.formulas = dict(self.form.ranges), {}  # by column; by quantity
        self.settings = set()  # settings that a map names
        columns = options.columns or self.form.columns
        for part in columns.split(",") if columns.strip() else ():
            name, equals, formula = (word.strip() for word in part.partition("="))
            if not equals or name not in self.kind:
                raise TraceError(f"columns: found '{part}', expected QUANTITY=EXPRESSION with one of {', '.join(self.kind)}")
            if name in self.formulas:
                raise TraceError(f"columns: found '{part}', expected each quantity once")
            self.formulas[name] = self.parse(formula)
        self.mapped = set(self.formulas)
        self.needed = [*self.form.texts, *self.ranges]
        for name in [] if self.form.columns else [name for name in self.kind if name not in self.formulas]:
            self.needed += [name] if self.kind[name][0] == "required" else []
            self.formulas[name] = self.parse(name)

    def parse(self, formula):
        """Code of a sum or difference of products and quotients of columns, settings and numbers; of a|b the first above 0."""
        code, term = "", None
        while not term or term[2]:
            term = TERM.match(formula, term.end() if term else 0)
            names = [name.strip() for name in term[1].split("|")] if term else [""]
            if not all(names):
                raise TraceError(f"columns: found '{formula}', expected columns and numbers joined by +, -, *, / and |")
            operands = []
            for name in names:
                is_number = NUMBER.fullmatch(name)
                if name in SETTINGS:
                    self.settings.add(name)
                elif not is_number:
                    self.ranges.setdefault(name, ANY)
                operands.append(repr(float(name)) if is_number else repr(getattr(self.options, name, None)) if name in SETTINGS
                                else f"row.get({name!r})")
            code += (f"first({', '.join(operands)})" if len(names) > 1 else operands[0]) + term[2]
        return compile(code, "columns", "eval")

    def refuse(self, value, expected):
        """Reject the file."""
        line = f":{self.line}" if self.line else ""
        raise TraceError(f"{self.options.trace}{line}: found '{value}', expected {expected}")

    def lines(self):
        """The lines without their ends."""
        with open(self.options.trace, "rb") as raw:
            plain = gzip.open(raw) if raw.peek(2)[:2] == b"\x1f\x8b" else raw
            file = io.TextIOWrapper(plain, encoding="utf-8-sig", errors="surrogateescape", newline="\n")
            try:
                while text := file.readline(LONGEST_LINE + 1):
                    self.line, self.text = self.line + 1, text.removesuffix("\n").removesuffix("\r")
                    if len(text) > LONGEST_LINE:
                        self.refuse(text[:20], "a text file whose lines are at most 16 MiB long")
                    yield self.text
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise TraceError(f"{self.options.trace}: damaged: {error}") from error

    def rows(self):
        """The usable rows: quantities, line, job, task and needs of the task."""
        names = None
        for text in self.lines():
            fields = text.split() if self.form.blanks else text.split(",")
            if self.form.blanks and (not fields or fields[0].startswith(";")):
                name, colon, value = text.lstrip("; \t").partition(":")
                if colon and len(self.headers) < 1000:
                    self.headers[name[:1000]] = value.strip()[:1000]
                continue
            if names is None:
                has_header = not self.form.fields or self.form.fields[0] in fields
                names = fields if has_header else self.form.fields
                for name in self.needed:
                    if name not in names:
                        self.refuse(text, f"a header with a column {name}")
                self.check(names)
                if has_header:
                    continue
            self.read += 1
            row = dict(zip(names, fields)) if len(fields) == len(names) else {}
            job = None
            try:
                if not row:
                    self.refuse(text, f"{len(names)} {'fields' if self.form.blanks else 'columns'}")
                if self.form.texts:
                    if not row["job_name"]:
                        self.refuse("", "in column job_name a job name")
                    job = self.jobs.setdefault(row["job_name"], len(self.jobs))
                values, reason = self.judge(row)
                task, needs = parse_task(row.get("task_name", ""))
            except TraceError:
                if not self.options.skipMalformed:
                    raise
                reason = "malformed row"
            if not reason and self.options.to == "odcn" and self.form.texts and (not row["task_name"] or task in needs):
                reason = BAD_NAME
            if reason:
                self.left_out[reason] += 1
                self.incomplete.add(job)
            else:
                yield *values, self.line, job, task, " ".join(map(str, needs))
        if names is None:
            self.line = 0
            self.refuse("an empty file", "rows" if self.form.fields else "a header")

    def check(self, names):
        """Refuse a header that can be read in two ways, or that lacks the times of requests."""
        for name in names:
            if name and names.count(name) > 1:
                self.refuse(name, "each column once")
            if name in self.settings:
                self.refuse(name, "a column of another name: the map means the option")
        if self.options.to != "rddc" or self.form.columns:
            return
        times = {"arrival", "gap"}.intersection(names)
        if len(times) == 2 and not times & self.mapped or not times | self.mapped & {"arrival", "gap"}:
            self.refuse(self.text, "a header, or a map, with one of arrival and gap")
        time = "gap" if "gap" in times | self.mapped else "arrival"
        self.kind = {**self.kind, time: ("required", self.kind[time][1])}

    def judge(self, row):
        """Read the numbers of a row. Its quantities, and the reason why it is left out."""
        for name in self.ranges:
            if name in row:
                row[name] = self.number(name, row[name])
        for reason, applies in self.form.rows.items():
            if applies(row):
                return None, reason
        values = {name: self.evaluate(name, row) for name in self.kind}
        for reason, applies in self.form.values.items():
            if applies(values, self.options):
                return None, reason
        return values.values(), None

    def number(self, name, text):
        """The number of a field, None if it is empty."""
        if text in ("", "NaN"):
            return None
        least, most, *whole = self.ranges[name]
        value = float(text) if NUMBER.fullmatch(text) else math.nan
        if not (math.isfinite(value) and least <= value <= most):
            self.refuse(text, f"in column {name} nothing, or {describe(least, most)}")
        if whole and value % 1:
            self.refuse(text, f"in column {name} a whole number")
        return value

    def evaluate(self, name, row):
        """A quantity of a row."""
        otherwise, (least, most, *whole) = self.kind[name]
        value = None
        try:
            value = eval(self.formulas[name], {"row": row, "first": first}) if name in self.formulas else None
        except TypeError:
            pass  # a part of it is empty
        except ZeroDivisionError:
            value = math.inf
        if value is None:
            return otherwise if otherwise != "required" else self.refuse(self.text, f"a value of {name}")
        if not math.isfinite(value):
            self.refuse(self.text, f"a finite value of {name}")
        if self.options.format == "columns" and not least <= value <= most:
            self.refuse(write(value), f"{describe(least, most)} as {name}")
        if whole and value % 1:
            self.refuse(write(value), f"a whole number as {name}")
        return value


def parse_task(name):
    """Number of a task, and of those it waits for: 4, [2, 3] of R4_2_3_Stg7; 0, [] of a name of another form."""
    match = TASK.fullmatch(name)
    numbers = [int(part) for part in match[1].split("_") if part[0] != "S"] if match else []
    return (numbers[0], list(dict.fromkeys(numbers[1:]))) if numbers and all(0 < n < 1 << 32 for n in numbers) else (0, [])


def write_cluster(o, db, trace):
    """The lines of a file of cluster jobs."""
    yield "arrival,duration,demand_0,demand_1"
    origin = None
    for arrival, duration, cpu, memory, line, *_ in db.execute("SELECT * FROM rows ORDER BY arrival, rowid"):
        origin = arrival if origin is None else origin
        time = (arrival - origin) * o.arrivalFactor / o.timeUnit
        if time >= 1e8 + 1:  # 190 years of minutes
            trace.line = line
            trace.refuse(f"a job {time:.0f} slots after the first", "at most 100000000: check the times, or choose a greater timeUnit")
        # The tolerance corrects quotients slightly above an integer due to rounding.
        slots, cpus, memories = (max(math.ceil(min(value / unit, 1e18) - 1e-9), least) for value, unit, least in (
            (duration, o.timeUnit, 1), (cpu, o.cpuUnit, 1), (memory, o.memoryUnit, int(memory > 0))))
        trace.figures["jobs cut to maxDuration"] += slots > o.maxDuration
        trace.figures["jobs cut to maxUnits"] += max(cpus, memories) > o.maxUnits
        yield f"{write(time)},{min(slots, o.maxDuration)},{min(cpus, o.maxUnits)},{min(memories, o.maxUnits)}"


def write_rddc(o, db, trace):
    """The lines of a file of requests."""
    db.create_function("ceil", 1, math.ceil)
    *means, gaps = db.execute("SELECT AVG(ceil(cpu)), AVG(ceil(memory)), AVG(holding), "
                              "(MAX(arrival) - MIN(arrival)) / MAX(COUNT(*) - 1.0, 1), COUNT(gap) FROM rows").fetchone()
    trace.figures.update(zip(("mean CPU units", "mean memory units", "mean holding time", "mean gap"), means))
    yield f"{'gap' if gaps else 'arrival'},cpu,memory,holding"
    for arrival, gap, cpu, memory, holding, *_ in db.execute("SELECT * FROM rows ORDER BY arrival, rowid"):
        yield f"{write(gap if gaps else arrival)},{math.ceil(cpu)},{math.ceil(memory)},{write(holding)}"


def write_icci(_, db, trace):
    """The lines of a file of training tasks, of the quantities that the trace has."""
    names = [name for name in KINDS["icci"] if db.execute(f'SELECT COUNT("{name}") FROM rows').fetchone()[0]]
    if not names:
        trace.refuse("no quantity", "a header with one of " + ", ".join(KINDS["icci"]))
    yield ",".join(names)
    for values in db.execute("SELECT {} FROM rows ORDER BY rowid".format(", ".join(f'"{name}"' for name in names))):
        yield ",".join(map(write, values))


def milli(value):
    """In thousandths, half of one rounded up."""
    value *= 1000
    return math.floor(value) + (value - math.floor(value) >= 0.5)


def write_vms(vms):
    return "|".join(":".join(write(amount / 1000) for amount in vm) for vm in vms)


def join(o, rows, figures):
    """A job of rows: start, duration, cores, texts of its VMs and of their pairs; or why it is left out, and how many rows."""
    rows.sort(key=lambda r: r["task"])
    taken = sum(a["task"] == b["task"] != 0 for a, b in itertools.pairwise(rows))
    start = min(r["arrival"] for r in rows)
    duration = max(r["arrival"] + r["duration"] for r in rows) - start
    counts = [int(min(r["vms"], o.maxInstances)) if o.vms == "instance" else 1 for r in rows]
    firsts = [0, *itertools.accumulate(counts)]
    for applies, reason in ((taken, BAD_NAME), (duration == 0, "job begins and ends in the same second"),
                            (firsts[-1] < o.minVms, "job has fewer VMs than minVms"), (firsts[-1] > o.maxVms, "job has more VMs than maxVms")):
        if applies:
            return reason, taken or len(rows)
    vms, total = [], 0.0
    for r, count in zip(rows, counts):
        share = 1 if o.vms == "instance" else r["vms"]
        cores, memory = min(r["cores"] * share, o.maxVmCores), r["memory"] * share
        vm = max(milli(cores), 1), milli(min(memory, o.maxVmMemory)), milli(cores * o.diskPerCore)
        figures["VMs cut to the largest"] += count if r["cores"] * share > o.maxVmCores or memory > o.maxVmMemory else 0
        total += vm[0] / 1000 * count
        vms += [vm] * count
    # Largest first, the order in which the scheduler places them.
    order = sorted(range(len(vms)), key=lambda i: vms[i], reverse=True)
    place = {vm: i for i, vm in enumerate(order)}
    index = {r["task"]: i for i, r in enumerate(rows)}
    pairs = []
    for to, r in enumerate(rows):
        for need in map(int, r["needs"].split()):
            figures["dependencies on absent tasks"] += need not in index
            source = index.get(need, to)
            pairs += [f"{place[firsts[source] + k % counts[source]]}>{place[firsts[to] + k % counts[to]]}"
                      for k in range(max(counts[source], counts[to])) if need in index]
    figures["VMs"] += len(vms)
    return start, duration, total, write_vms(vms[i] for i in order), "|".join(pairs)


def join_all(o, db, trace):
    """Joins rows to jobs, in the table jobs. First start, period of the trace, and factors of arrivals and durations."""
    db.execute("CREATE TABLE jobs(start, duration, cores, vms, pairs)")
    for job, group in itertools.groupby(db.execute("SELECT * FROM rows ORDER BY job, rowid"), lambda r: r["job"]):
        rows = list(group)
        joined = (INCOMPLETE, len(rows)) if job in trace.incomplete else join(o, rows, trace.figures)
        if len(joined) == 2:
            trace.left_out[joined[0]] += joined[1]
            trace.left_out[INCOMPLETE] += len(rows) - joined[1]
        else:
            db.execute("INSERT INTO jobs VALUES(?, ?, ?, ?, ?)", joined)
    n, start, end = db.execute("SELECT COUNT(*), MIN(start), MAX(start) FROM jobs").fetchone()
    trace.line = 0
    if n == 0:
        trace.refuse(f"{trace.read} rows, none of them usable", "at least one usable row")
    if start == end and (o.meanGap or o.offeredCores):
        trace.refuse("arrivals that are all at the same time", "arrivals at two times or more, or meanGap and offeredCores 0")
    jobs = "SELECT start, duration, cores FROM jobs ORDER BY start, rowid"
    gap, work = (end - start) / max(n - 1, 1), 0.0
    for _, duration, cores in db.execute(jobs):
        work += cores * duration / n
    arrivals = o.meanGap / gap if o.meanGap else 1
    durations = o.offeredCores * gap * arrivals / work if o.offeredCores else arrivals
    trace.figures.update({"jobs in the trace": len(trace.jobs), "jobs used": n, "mean gap in seconds": gap,
                          "factor of arrivals": arrivals, "factor of durations": durations})
    if gap:
        trace.figures["offered cores in the long run"] = work * durations / (gap * arrivals)
        trace.figures["offered cores from the first to the last arrival"] = sum(
            cores * min(duration * durations, (end - begin) * arrivals) for begin, duration, cores in db.execute(jobs)) / (
                (end - start) * arrivals)
    return start, gap * n, arrivals, durations


def write_odcn(o, db, trace):
    """The lines of a file of jobs. Rates, and pairs where there are none, are drawn by whoever reads it."""
    if o.format == "columns":
        yield "job,arrival,duration,vms"
        for i, r in enumerate(db.execute("SELECT * FROM rows ORDER BY arrival, rowid")):
            vm = [milli(r[name]) for name in ("cores", "memory", "disk")]
            yield f"{i},{write(r['arrival'])},{write(r['duration'])},{write_vms([vm] * math.ceil(r['vms']))}"
        return
    start, period, arrivals, durations = join_all(o, db, trace)
    number = itertools.count()
    yield "job,arrival,duration,vms" + (",pairs" if o.pairs else "")
    for i in range(o.repeat):
        for begin, duration, _, vms, pairs in db.execute("SELECT * FROM jobs ORDER BY start, rowid"):
            arrival = (begin - start + i * period) * arrivals
            yield f"{next(number)},{write(arrival)},{write(duration * durations)},{vms}" + ("," + pairs if o.pairs else "")


class Parser(argparse.ArgumentParser):
    """Ends by one line, as the programs do."""

    def error(self, message):
        sys.exit(f"error: {escape(message)}")


def parse_options(arguments=None):
    """The options of the command line."""
    parser = Parser(description=__doc__.partition("\n")[0], allow_abbrev=False)
    parser.epilog = "Options of odcn and rddc belong to the formats alibaba-2018 and alibaba-2025, or to a map that names them."
    parser.add_argument("trace", help="file to convert")
    parser.add_argument("output", help="file to write")
    parser.add_argument("--to", required=True, choices=KINDS, help="kind of file to write")
    formats = "; ".join(f"to {kind}: {', '.join(name for to, name in FORMATS if to == kind)}" for kind in KINDS)
    parser.add_argument("--format", default="columns", help=f"format of the trace; {formats} [columns]")
    parser.add_argument("--columns", default="", help="map of the format columns: QUANTITY=EXPRESSION,...")
    parser.add_argument("--skipMalformed", action="store_true", help="count malformed rows, do not refuse the file")
    parser.add_argument("--vms", default="task", choices=("task", "instance"), help="odcn: what of alibaba-2018 becomes a VM [task]")
    parser.add_argument("--no-pairs", dest="pairs", action="store_false", help="odcn: leave out who sends to whom")
    for name, (usual, text) in SETTINGS.items():
        parser.add_argument(f"--{name}", type=type(usual), default=usual, help=f"{text} [{usual}]")
    options = parser.parse_args(arguments)
    if (options.to, options.format) not in FORMATS:
        parser.error(f"--format: found '{options.format}', expected of {formats}")
    if options.columns and options.format != "columns":
        parser.error("--columns: expected only with --format=columns")
    for name in SETTINGS:
        value, may_be_0 = getattr(options, name), name in ("meanGap", "offeredCores", "machineMemory", "diskPerCore")
        if not (value > 0 or (may_be_0 and value == 0)) or value > (32767 if name == "maxUnits" else 1e12):
            parser.error(f"--{name}: found '{value}', expected {'0 or more' if may_be_0 else 'more than 0'}, within what a file may hold")
    options.given = {word.partition("=")[0] for word in (sys.argv[1:] if arguments is None else arguments) if word.startswith("--")}
    return options


def refuse_unused(options, named):
    """Refuse options without effect. What a map names (named) has one."""
    used = {"cluster": "timeUnit arrivalFactor cpuUnit memoryUnit maxDuration maxUnits".split()}.get(options.to, [])
    if options.format in ("alibaba-2018", "alibaba-2025"):
        used = [name for name, (_, text) in SETTINGS.items() if text.startswith(options.to + ":")]
        used += ["vms", "no-pairs"] if options.to == "odcn" else []
    if options.vms != "instance" and "maxInstances" in used:
        used.remove("maxInstances")
    for name in [*SETTINGS, "vms", "no-pairs"]:
        if "--" + name in options.given and name not in used and name not in named:
            why = " without --vms=instance" if name == "maxInstances" and "maxVms" in used else ""
            raise TraceError(f"--{name} has no effect with --to={options.to} --format={options.format}{why}")


def convert(options):
    """Converts a trace. What was read, with figures."""
    trace, db = Trace(options), sqlite3.connect("")
    refuse_unused(options, trace.settings)
    db.row_factory = sqlite3.Row
    names = [*KINDS[options.to], "line", "job", "task", "needs"]
    db.execute("CREATE TABLE rows({})".format(", ".join(f'"{name}"' for name in names)))
    db.executemany(f"INSERT INTO rows VALUES({', '.join('?' * len(names))})", trace.rows())
    if trace.read == sum(trace.left_out.values()):
        trace.line = 0
        trace.refuse(f"{trace.read} rows, none of them usable", "at least one usable row")
    temporary = f"{options.output}.tmp-{os.getpid()}"
    try:
        with open(temporary, "w", encoding="ascii", newline="\n") as file:
            writer = {"odcn": write_odcn, "rddc": write_rddc, "cluster": write_cluster, "icci": write_icci}[options.to]
            file.writelines(line + "\n" for line in writer(options, db, trace))
        os.replace(temporary, options.output)
    finally:
        db.close()
        if os.path.exists(temporary):
            os.remove(temporary)
    return trace


def escape(text):
    """The text with escapes instead of control characters."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\udc80-\udcff]", lambda match: f"\\x{ord(match[0]) & 0xff:02x}", str(text))


def report(trace):
    """Lines on the rows that were used and left out."""
    skipped = sum(trace.left_out.values())
    yield f"rows: {trace.read} read = {trace.read - skipped} used + {skipped} skipped"
    yield from (f"  {rows} skipped: {reason}" for reason, rows in trace.left_out.items() if rows)
    yield from (f"{name}: {value:{'.0f' if value == int(value) else 'g'}}" for name, value in trace.figures.items()
                if value is not None)
    yield from (f"header: {name}: {value}" for name, value in trace.headers.items())


def main():
    options = parse_options()
    try:
        if os.path.exists(options.output) and os.path.samefile(options.output, options.trace):
            raise TraceError(f"{options.output}: found the trace itself, expected another file to write")
        for line in (options.trace + ":", *report(convert(options)), "written: " + options.output):
            print(escape(line))
    except (TraceError, sqlite3.Error) as error:
        sys.exit(f"error: {escape(error)}")
    except OSError as error:
        sys.exit(f"error: {escape(error.filename or 'standard output')}: cannot be read or written: {error.strerror}")


if __name__ == "__main__":
    main()
