#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Figures of tables, charts, summary.csv and plot.py, computed again from the file of flows or jobs of the same run.

With one run and with several, with flows that do not end, in ns-3 and in the engine without events.

Usage: recompute-test.py FOLDER     of the programs; those that are not there are left out
"""

import csv
import importlib.util
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import types

STUDENT = {2: 12.7062047, 3: 4.3026527, 4: 3.1824463, 5: 2.7764451}  # 97.5 % by number of runs
EDGES = [(0, 100000), (100000, 1000000), (1000000, 2**64 - 1), (0, 2**64 - 1)]
CLASSES = ["below 100 kB", "100 kB to 1 MB", "1 MB and more", "all"]
bad = 0
checks = 0


def check(holds, what):
    global bad, checks
    checks += 1
    if not holds:
        print(f"error: {what}")
        bad += 1


def close(a, b, tolerance=1e-9):
    """Whether two numbers, or texts of numbers, are equal; both may be unknown."""
    a, b = (math.nan if x in ("", None) else float(x) for x in (a, b))
    return (math.isnan(a) and math.isnan(b)) or a == b or abs(a - b) <= tolerance * max(abs(a), abs(b))


def drawn_as(a, b):
    """Charts have six digits."""
    return close(a, b, 1e-5)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def run(program, output, *options):
    """Run a program; what it printed, and the record in its report."""
    done = subprocess.run([program, f"--output={output}", *options], capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        sys.exit(f"{os.path.basename(program)} {' '.join(options)}: status {done.returncode}: {done.stderr}")
    with open(os.path.join(output, "report.html"), encoding="utf-8") as file:
        record = re.search(r'<script type="application/json" id="run">(.*?)</script>', file.read(), re.S)
    return done.stdout, json.loads(record[1])


def quantile(values, percent):
    """The least value that a share of all does not exceed; NaN of none."""
    return sorted(values)[(len(values) * percent + 99) // 100 - 1] if values else math.nan


def digits(value, significant):
    return min(12, max(0, significant - 1 - math.floor(math.log10(value))))


def fixed(value, places):
    text = f"{value:.{places}f}"
    return text.lstrip("-") if not text.strip("-0.") else text


def estimate(values):
    """Mean and half width over runs, of the known values; infinite if one is."""
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return math.nan, math.inf, 0
    mean = sum(known) / len(known)
    if len(known) == 1 or math.isinf(mean):
        return mean, math.inf, len(known)
    variance = sum((value - mean) ** 2 for value in known) / (len(known) - 1)
    return mean, STUDENT[len(known)] * math.sqrt(variance / len(known)), len(known)


def cell(values, scale=1.0, percentile=False, least=-math.inf, most=math.inf):
    """Text of a table's cell for the values of the runs, which are from least to most."""
    mean, half, count = estimate([value * scale for value in values])
    if math.isnan(mean):
        return "-"
    if percentile and math.isinf(mean):
        text = "> drain"
    elif percentile and count > 1 and half > 0.2 * abs(mean):
        text = "> 20 %"
    elif count == 1 or half <= 1e-9 * abs(mean):
        text = fixed(mean, digits(abs(mean), 4) if mean else 0)
    else:
        lower, upper = max(mean - half, scale * least), min(mean + half, scale * most)
        half = max(mean - lower, upper - mean)
        places = digits(half, 2)
        text = f"{fixed(mean, places)} +- {fixed(half, places)}"
        if least == 0 and (half > mean or mean + half > scale * most):
            ends = [fixed(end, 0 if end in (0, scale * most) else places) for end in (lower, upper)]
            text = f"{fixed(mean, places)} ({ends[0]} to {ends[1]})"
    return text if count == len(values) else f"{text} ({count} of {len(values)})"


def load_plot(path):
    """plot.py as a module; it need not draw here."""
    for name in ("matplotlib", "matplotlib.pyplot"):
        sys.modules.setdefault(name, types.ModuleType(name))
    sys.modules["matplotlib"].use = lambda backend: None
    spec = importlib.util.spec_from_file_location("plot", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_plot(output, figure, expected, what):
    """What plot.py would draw: {(labels, name): mean}."""
    plot = load_plot(os.path.join(output, "plot.py"))
    rows, key, labels = plot.read(os.path.join(output, "summary.csv"))
    drawn = {}
    for row in rows:
        at = tuple(row[label] for label in labels)
        same = [other for other in rows if tuple(other[label] for label in labels) == at]
        for name, some in plot.points(same, key, None, figure).items():
            drawn[(at, name)] = some[0][1]
    check(drawn.keys() == expected.keys(), f"{what}: plot.py draws {sorted(drawn)}, expected {sorted(expected)}")
    for place in drawn.keys() & expected.keys():
        check(close(drawn[place], expected[place]), f"{what}: plot.py has {drawn[place]} at {place}, right {expected[place]}")


def check_printed(out, table, what):
    """The table that was printed is that of the report."""
    lines = [" ".join(line.split()) for line in out.splitlines()]
    for row in table["rows"]:
        check(not row or " ".join(" ".join(row).split()) in lines, f"{what}: the row {row} was not printed")


def check_flows(program, output, labels, columns, options):
    """optical-fabrics and fabric-jobs: completion times of the first run, and means over all."""
    what = f"{os.path.basename(program)} {' '.join(options)}"
    out, record = run(program, output, *options)
    summary = read(os.path.join(output, "summary.csv"))
    table = record["tables"][0]
    check_printed(out, table, what)
    charts = {chart["title"]: chart for chart in record["charts"]}
    incomplete = 0
    medians = {}
    for index, names in enumerate(dict.fromkeys(tuple(row[label] for label in labels) for row in summary)):
        rows = [row for row in summary if tuple(row[label] for label in labels) == names]
        runs = 1 + max(int(row["run"]) for row in rows)
        flows = read(os.path.join(output, "-".join(names) + "-flows.csv"))
        line = table["rows"][index]
        for kind, (least, below) in enumerate(EDGES):
            some = [flow for flow in flows if least <= int(flow["bytes"]) < below]
            times = [float(flow["completion_ns"] or "inf") / 1e3 for flow in some]
            slowdowns = [float(flow["slowdown"] or "inf") for flow in some]
            row = rows[kind]
            incomplete += times.count(math.inf)
            check((int(row["from_bytes"]), int(row["to_bytes"])) == (least, below), f"{what}: class {row}")
            check(int(row["flows"]) == len(some) and int(row["incomplete"]) == times.count(math.inf), f"{what}: {names} {row}")
            for percent in (50, 99):
                for column, values in ((f"p{percent}_us", times), (f"slowdown_p{percent}", slowdowns)):
                    check(close(row[column], quantile(values, percent)),
                          f"{what}: {names}, {CLASSES[kind]}: {column} is {row[column]}, right {quantile(values, percent)}")
        share = [1 - int(rows[4 * r + 3]["incomplete"]) / int(rows[4 * r + 3]["flows"]) for r in range(runs)]
        header = table["header"]
        found = line[header.index("Complete\n%")]
        right = cell(share, 100, least=0, most=1)
        check(found == right, f"{what}: {names}: complete {found}, right {right}")
        for column, (kind, figure, scale) in columns.items():
            values = [float(rows[4 * r + kind][figure] or "nan") for r in range(runs)]
            right = cell(values, scale, True, least=0)
            check(line[header.index(column)] == right, f"{what}: {names}: {column!r} is {line[header.index(column)]}, right {right}")
        means = [estimate([float(rows[4 * r + 3]["p50_us"] or "nan") for r in range(runs)])[0]]
        if math.isfinite(means[0]):
            at = tuple(name for label, name in list(zip(labels, names))[1:] if len({row[label] for row in summary}) > 1)
            medians[(at, names[0])] = means[0]
    # The charts of completion times have the finite means of summary.csv.
    for percent, chart in ((50, "Median completion time by size"), (99, "p99 of the completion time by size")):
        expected = []
        for names in dict.fromkeys(tuple(row[label] for label in labels) for row in summary):
            rows = [row for row in summary if tuple(row[label] for label in labels) == names]
            for kind, facet in enumerate(CLASSES):
                mean, half, count = estimate([float(row[f"p{percent}_us"] or "nan") for row in rows[kind::4]])
                if math.isfinite(mean):
                    expected.append((facet, mean, max(mean - half, 0) if count >= 5 else math.nan))
                elif math.isinf(mean):
                    check("incomplete" in charts[chart]["note"] and facet in charts[chart]["note"], f"{what}: {chart} does not say what is left out")
        drawn = [(row[0], row[3], row[4]) for row in charts[chart]["rows"]]
        check(len(drawn) == len(expected) and all(a[0] == b[0] and drawn_as(a[1], b[1]) and drawn_as(a[2], b[2]) for a, b in zip(drawn, expected)),
              f"{what}: {chart} has {drawn}, right {expected}")
    # The distributions end at the share of flows that completed.
    ends = {}
    for facet, series, value, share in charts["Completion time of flows"]["rows"]:
        ends[(facet, series)] = (value, share)
    shares = []
    for names in dict.fromkeys(tuple(row[label] for label in labels) for row in summary):
        flows = read(os.path.join(output, "-".join(names) + "-flows.csv"))
        for kind, (least, below) in enumerate(EDGES[:3]):
            times = [float(flow["completion_ns"] or "inf") / 1e3 for flow in flows if least <= int(flow["bytes"]) < below]
            ended = [time for time in times if math.isfinite(time)]
            if ended:
                shares.append((CLASSES[kind], max(ended), len(ended) / len(times)))
    found = sorted((facet, value, share) for (facet, _), (value, share) in ends.items())
    check(len(found) == len(shares) and all(a[0] == b[0] and drawn_as(a[1], b[1]) and drawn_as(a[2], b[2]) for a, b in zip(found, sorted(shares))),
          f"{what}: distributions end at {found}, right {sorted(shares)}")
    check_plot(output, "p50_us", medians, what)
    return summary, incomplete


def check_fabrics(program, folder):
    columns = {"p50 us\n< 100 kB": (0, "p50_us", 1), "p99 us\n< 100 kB": (0, "p99_us", 1), "p99 ms\n.1-1 MB": (1, "p99_us", 1e-3),
               "p99 ms\n>= 1 MB": (2, "p99_us", 1e-3)}
    base = ["--racks=8", "--servers=2", "--uplinks=4", "--duration=4", "--drain=1", "--designs=opera,opera-hold,rotornet,ideal", "--load=0.2"]
    results = {}
    incomplete = 0
    for engine in ("packets", "exact"):
        for runs in (1, 5):
            output = os.path.join(folder, f"{engine}-{runs}")
            results[engine, runs], more = check_flows(program, output, ["design"], columns, [*base, f"--engine={engine}", f"--replications={runs}"])
            incomplete += more
    check(incomplete > 0, "optical-fabrics: all flows completed")
    # Both engines average over one time; it does not depend on how long flows take to end.
    for packets, exact in zip(results["packets", 5], results["exact", 5]):
        for figure in ("duty", "mean_held_bytes", "reconfigurations_per_s"):
            a, b = (float(row[figure] or "nan") for row in (packets, exact))
            check(math.isnan(a) == math.isnan(b) and not abs(a - b) > 0.01 * abs(b), f"optical-fabrics: {packets['design']}: {figure} {a} in ns-3, {b} without events")
    output = os.path.join(folder, "longer")
    longer, _ = check_flows(program, output, ["design"], columns, [*base, "--engine=packets", "--drain=20", "--replications=1"])
    for short, long in zip(results["packets", 1], longer):
        for figure in ("duty", "mean_held_bytes", "reconfigurations_per_s"):
            check(close(short[figure], long[figure]), f"optical-fabrics: {short['design']}: {figure} {short[figure]} with --drain=1, {long[figure]} with 20")
    check(all(row["hops"] == "0" for row in longer if row["design"] == "ideal"), "optical-fabrics: one switch has hops between switches")
    # Flows within racks only.
    with open(os.path.join(folder, "within.txt"), "w", encoding="utf-8") as file:
        file.write("0 1 5000 0\n2 3 5000 1000\n")
    done = subprocess.run([program, *base[:3], "--designs=opera,ideal", f"--flows={folder}/within.txt", f"--output={folder}/within"],
                          capture_output=True, text=True, timeout=600, check=False)
    check(done.returncode == 0 and "nan" not in done.stdout.split(), f"optical-fabrics: flows within racks: {done.stdout}{done.stderr}")


def check_fabric_jobs(program, folder):
    columns = {"p50 us\n< 100 kB": (0, "p50_us", 1), "p99 ms\n< 100 kB": (0, "p99_us", 1e-3), "p50 ms\n.1-1 MB": (1, "p50_us", 1e-3),
               "p99 ms\n.1-1 MB": (1, "p99_us", 1e-3), "p50 ms\n>= 1 MB": (2, "p50_us", 1e-3), "p99 ms\n>= 1 MB": (2, "p99_us", 1e-3)}
    for runs in (1, 2):
        check_flows(program, os.path.join(folder, str(runs)), ["design", "placement"], columns,
                    ["--racks=6", "--servers=2", "--uplinks=3", "--duration=3", "--drain=1", "--load=4", "--warmUp=100", "--designs=rotornet,odcn-jcb",
                     "--placements=random,odcn-jcb", f"--replications={runs}"])


def check_collectives(program, folder):
    for engine in ("packets", "flows"):
        for runs in (1, 2):
            what = f"collectives --engine={engine} --replications={runs}"
            output = os.path.join(folder, f"{engine}-{runs}")
            out, record = run(program, output, "--racks=8", "--servers=1", "--uplinks=4", "--designs=ideal,rotornet", "--bytes=64000", "--places=random",
                              "--collectives=all-reduce:ring,all-to-all:direct", f"--engine={engine}", f"--replications={runs}")
            summary = read(os.path.join(output, "summary.csv"))
            groups = {}
            for row in summary:
                groups.setdefault((row["design"], row["collective"]), []).append(row)
            times = record["tables"][0]
            check_printed(out, times, what)
            for (design, collective), rows in groups.items():
                line = next(line for line in times["rows"] if line[0] == design)
                found = line[times["header"].index(collective.replace(":", "\n"))]
                right = cell([float(row["time_ms"]) for row in rows])
                check(found == right, f"{what}: {design} {collective} takes {found}, right {right}")
                mean = estimate([float(row["time_ms"]) for row in rows])[0]
                chart = next(chart for chart in record["charts"] if chart["kind"] == "estimates")
                drawn = [row[3] for row in chart["rows"] if (row[2], row[0]) == (design, collective)]
                check(len(drawn) == 1 and drawn_as(drawn[0], mean), f"{what}: the chart has {drawn}, right {mean}")
            check_plot(output, "time_ms", {((collective,), design): estimate([float(row["time_ms"]) for row in rows])[0]
                                           for (design, collective), rows in groups.items()}, what)


def check_experiment(output, record, figure, title, expected, what, scale=1.0):
    """An Experiment's figure in replications.csv, summary.csv, the table with one run, its chart and plot.py.

    expected: {labels and policy: (total, count) of each replication}
    """
    for file in ("replications.csv", "summary.csv"):
        found = {}
        for row in read(os.path.join(output, file)):
            columns = list(row)
            if row.get("form") != "bound":
                found.setdefault(tuple(row[column] for column in columns[: columns.index("policy") + 1]), []).append(row)
        check(found.keys() == expected.keys(), f"{what}: {file} has {sorted(found)}, right {sorted(expected)}")
        for place, runs in expected.items():
            values = [total / count for total, count in runs]
            if file == "summary.csv":
                values = [sum(total for total, _ in runs) / sum(count for _, count in runs)]
            check(len(values) == len(found.get(place, [])) and all(close(row[figure], value) for row, value in zip(found[place], values)),
                  f"{what}: {figure} of {place} in {file} is {[row[figure] for row in found.get(place, [])]}, right {values}")
    means = {place: sum(total for total, _ in runs) / sum(count for _, count in runs) for place, runs in expected.items()}
    chart = next(chart for chart in record["charts"] if chart["title"] == title)
    drawn = sorted(row[3] for row in chart["rows"] if not row[6])
    check(len(drawn) == len(means) and all(drawn_as(a, scale * b) for a, b in zip(drawn, sorted(means.values()))), f"{what}: {title} has {drawn}, right {means}")
    summary = [row for row in read(os.path.join(output, "summary.csv")) if row.get("form") != "bound"]
    labels = list(summary[0])[: list(summary[0]).index("policy")]
    varying = [i for i, label in enumerate(labels) if len({row[label] for row in summary}) > 1]
    right = {(tuple(place[i] for i in varying), place[-1]): mean for place, mean in means.items()}
    plot = load_plot(os.path.join(output, "plot.py"))
    rows, key, _ = plot.read(os.path.join(output, "summary.csv"))
    drawn = {(tuple(row[labels[i]] for i in varying), row[key]): float(row[figure]) for row in rows if row.get("form") != "bound"}
    check(drawn.keys() == right.keys() and all(close(drawn[place], right[place]) for place in right), f"{what}: plot.py draws {drawn}, right {right}")


def check_jobs(program, folder):
    """odcn-drl-scheduling: blocked jobs of jobs.csv, in one run."""
    what = "odcn-drl-scheduling"
    output = os.path.join(folder, "one")
    out, record = run(program, output, "--policies=odcn-jcb,first-fit", "--loads=40,66", "--jobs=300", "--warmUp=0", "--replications=1", "--packets=formula")
    blocked = {}
    changed = {}
    for job in read(os.path.join(output, "jobs.csv")):
        place = (job["load"], job["policy"])
        lost, jobs = blocked.get(place, (0, 0))
        blocked[place] = (lost + (job["outcome"] not in ("accepted", "reconfigured")), jobs + 1)
        moved, jobs = changed.get(place, (0, 0))
        changed[place] = (moved + int(job["changed_circuits"]), jobs + 1)
    check(any(lost for lost, _ in blocked.values()), f"{what}: no job was blocked")
    check_experiment(output, record, "blocking", "blocking", {place: [counts] for place, counts in blocked.items()}, what, 100)
    table = record["tables"][0]
    column = next(i for i, name in enumerate(table["header"]) if name.startswith("blocking"))
    for line in table["rows"]:
        if line and (line[0], line[1]) in blocked:
            lost, jobs = blocked[line[0], line[1]]
            check(line[column] == cell([lost / jobs], 100), f"{what}: one run prints {line[column]}, right {cell([lost / jobs], 100)}")


def check_cluster(program, folder):
    """cluster-job-scheduling: slowdowns of jobs.csv, in several sets."""
    what = "cluster-job-scheduling"
    for sets in (1, 3):
        output = os.path.join(folder, str(sets))
        _, record = run(program, output, "--policies=sjf,fcfs", "--rates=0.6,0.9", f"--replications={sets}", "--protocols=no-new-job,all-done")
        sums = {}
        for job in read(os.path.join(output, "jobs.csv")):
            runs = sums.setdefault((job["workload"], job["protocol"], job["policy"]), [(0, 0)] * sets)
            if job["slowdown"]:
                total, count = runs[int(job["set"])]
                runs[int(job["set"])] = (total + float(job["slowdown"]), count + 1)
        title = [chart["title"] for chart in record["charts"] if re.fullmatch("(.*, )?slowdown", chart["title"])][-1]
        check_experiment(output, record, "slowdown", title, sums, what)


def check_cells(record, title, place, values, scale, what):
    """A column of an Experiment's table, found by the begin of its title; place is the row's labels and policy."""
    table = record["tables"][0]
    column = next(i for i, name in enumerate(table["header"]) if name.replace("\n", " ").startswith(title))
    line = next((line for line in table["rows"] if tuple(line[: len(place)]) == place), None)
    found, right = line and line[column], cell(values, scale)
    check(found == right, f"{what}: {title} of {place} is {found}, right {right}")


def check_rddc(program, folder):
    """rddc-nara-allocation: servers of a grant and requests granted, of the files of each run; packets of each request."""
    base = ["--policies=tetris,nulb", "--channels=8,16", "--oversubscription=16", "--requests=150"]
    servers, granted = {}, {}
    for run_number in (1, 2):
        what = f"rddc-nara-allocation --RngRun={run_number}"
        output = os.path.join(folder, f"run-{run_number}")
        _, record = run(program, output, *base, "--replications=1", f"--RngRun={run_number}")
        sums, shares = {}, {}
        for row in read(os.path.join(output, "spreads.csv")):
            place = (row["topology"], row["load"], row["policy"])
            total, count = sums.get(place, (0, 0))
            sums[place] = (total + int(row["servers"]) * int(row["granted"]), count + int(row["granted"]))
        for row in read(os.path.join(output, "sizes.csv")):
            place = (row["topology"], row["load"], row["policy"])
            total, count = shares.get(place, (0, 0))
            shares[place] = (total + int(row["granted"]), count + int(row["received"]))
        check(all(0 < total < count for total, count in shares.values()), f"{what}: no request was refused")
        check({place: count for place, (_, count) in sums.items()} == {place: total for place, (total, _) in shares.items()},
              f"{what}: spreads.csv has other grants than sizes.csv")
        for place, (total, count) in sums.items():
            servers.setdefault(place, []).append((total / count, 1))
            granted.setdefault(place, []).append(shares[place])
        check_experiment(output, record, "servers_per_grant", "servers", {place: some[-1:] for place, some in servers.items()}, what)
        for place, some in servers.items():
            check_cells(record, "servers", (place[0], place[-1]), [some[-1][0]], 1, what)
    what = "rddc-nara-allocation --replications=2"
    output = os.path.join(folder, "both")
    _, record = run(program, output, *base, "--replications=2")
    check_experiment(output, record, "servers_per_grant", "servers", servers, what)
    rows = {tuple(row[label] for label in ("topology", "load", "policy")): row for row in read(os.path.join(output, "summary.csv"))}
    for place, some in servers.items():
        check_cells(record, "servers", (place[0], place[-1]), [mean for mean, _ in some], 1, what)
        right = estimate([total / count for total, count in granted[place]])[0]
        check(close(rows[place]["overall_acceptance"], right), f"{what}: overall_acceptance of {place} is {rows[place]['overall_acceptance']}, right {right}")
        counts = (sum(count for _, count in granted[place]), sum(total for total, _ in granted[place]))
        check((int(rows[place]["offered"]), int(rows[place]["accepted"])) == counts, f"{what}: {place} has other counts than {counts}")
    what = "rddc-nara-allocation --packets=4"
    output = os.path.join(folder, "packets")
    _, record = run(program, output, "--policies=tetris", "--channels=8", "--oversubscription=16", "--requests=60", "--packets=4", "--packetTime=5us")
    requests, tiers = read(os.path.join(output, "packet-requests.csv")), read(os.path.join(output, "packets.csv"))
    table = next(table for table in record["tables"] if "packets" in table["header"])
    for carrier in ("circuits", "trunks", "ports"):
        some = [row for row in tiers if row["carrier"] == carrier]
        sent = (sum(int(row["sent"]) for row in some), sum(int(row["sent"]) for row in requests))
        lost = (sum(int(row["lost"]) for row in some), sum(int(row[carrier + "_lost"]) for row in requests))
        most = (max(float(row["greatest_ns"] or 0) for row in some), max(float(row[carrier + "_greatest_ns"] or 0) for row in requests))
        check(sent[0] == sent[1] > 0 and lost[0] == lost[1] and close(*most), f"{what}: {carrier}: {sent} sent, {lost} lost, {most} ns at most")
        column = {"circuits": "lightpaths", "trunks": "trunks", "ports": "ports"}[carrier] + "\nmean ns"
        check(column in table["header"], f"{what}: no column {column!r}")
    for line in table["rows"]:
        row = next(row for row in tiers if line and row["tier"] == line[2] and row["carrier"] == "circuits") if line else None
        check(not line or line[3] == row["sent"], f"{what}: {line} has another count than packets.csv")


def check_icci(program, folder):
    """icci-hotspot-migration: hotspots, workers moved and tasks blocked, of the blocks, migrations and tasks of each day."""
    for days in (1, 3):
        what = f"icci-hotspot-migration --replications={days}"
        output = os.path.join(folder, str(days))
        _, record = run(program, output, "--policies=none,greedy,full-node", f"--replications={days}", "--packets=0")
        hot, moved, blocked = {}, {}, {}
        for row in read(os.path.join(output, "hotspots.csv")):
            of = hot.setdefault((row["policy"],), {}).setdefault(row["run"], [0, 0])
            of[0] += int(row["hot"])
            of[1] += 1
        for row in read(os.path.join(output, "tasks.csv")):
            of = blocked.setdefault((row["policy"],), {}).setdefault(row["run"], [0, 0])
            of[0] += row["state"] == "blocked"
            of[1] += 1
            moved.setdefault((row["policy"],), {}).setdefault(row["run"], [0, 1])
        for row in read(os.path.join(output, "migrations.csv")):
            moved[(row["policy"],)][row["run"]][0] += 0 if row["refused"] else int(row["moved_workers"])
        check(any(total for runs in moved.values() for total, _ in runs.values()), f"{what}: no worker moved")
        for figure, title, column, of, scale in (("hot_share", "hotspots", "hotspots", hot, 100), ("moved_workers", "workers moved", "workers moved", moved, 1)):
            expected = {place: [tuple(runs[day]) for day in sorted(runs, key=int)] for place, runs in of.items()}
            check(all(len(runs) == days for runs in expected.values()), f"{what}: not {days} days in {figure}")
            check_experiment(output, record, figure, title, expected, what, scale)
            for place, runs in expected.items():
                check_cells(record, column, place, [total / count for total, count in runs], scale, what)
        for row in read(os.path.join(output, "replications.csv")):
            total, count = blocked[(row["policy"],)][row["run"]]
            check((int(row["offered"]), int(row["blocked_cus"]) + int(row["blocked_wavelengths"])) == (count, total),
                  f"{what}: {row['policy']}, run {row['run']}: {total} of {count} tasks are blocked in tasks.csv")


def main():
    folder = sys.argv[1]
    kinds = {"optical-fabrics": check_fabrics, "fabric-jobs": check_fabric_jobs, "collectives": check_collectives, "odcn-drl-scheduling": check_jobs,
             "cluster-job-scheduling": check_cluster, "rddc-nara-allocation": check_rddc, "icci-hotspot-migration": check_icci}
    ran = []
    for name, examine in kinds.items():
        program = os.path.abspath(os.path.join(folder, name))
        if os.path.exists(program):
            with tempfile.TemporaryDirectory() as work:
                examine(program, work)
            ran.append(name)
    print(f"{checks} figures of {', '.join(ran) or 'no program'}")
    return 1 if bad or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
