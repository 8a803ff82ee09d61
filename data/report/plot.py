#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Draws summary.csv, which is beside this file, for one column of a paper, by matplotlib (Debian: python3-matplotlib).

python3 plot.py             the first figure of merit, as FIGURE.pdf and FIGURE.svg
python3 plot.py FIGURE ...  other columns of summary.csv; --help lists them

Edit it: a program writes it once, and leaves it alone when it was changed.
"""

import csv
import math
import os
import sys

try:
    import matplotlib
except ModuleNotFoundError:
    sys.exit("error: no matplotlib to draw with (Debian: apt install python3-matplotlib)")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

WIDTH = 3.5  # inches
COLOURED = []  # names in colour; if empty, the best five
HIGHER_IS_BETTER = ("acceptance", "use", "utilisation", "reward", "bound", "delivered", "availability")  # ends of names
# Rows that are drawn, where there are such columns: of optical-fabrics, flows of all sizes.
ROWS = {"from_bytes": "0", "to_bytes": "18446744073709551615"}
COLOURS = ["#d7191c", "#1f78b4", "#2a8f3a", "#e08214", "#7b3fa0"]


def number(text):
    """A cell as a finite number, or None: an infinite interval is none."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def read(path):
    """Rows that are drawn, the column of names, and the labels that tell apart the rows of a name."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    rows = [row for row in rows if all(row.get(column, value) == value for column, value in ROWS.items())]
    columns = list(rows[0]) if rows else []
    if "policy" in columns:
        key, labels = "policy", columns[: columns.index("policy")]
    else:
        key, labels = columns[0], columns[1 : columns.index("run")] if "run" in columns else []
    return rows, key, [label for label in labels if len({row[label] for row in rows}) > 1]


def points(rows, key, place, figure):
    """{name: [(place, mean, lower, upper)]}; the ends are None without an interval."""
    runs = {}
    for row in rows:
        if row[figure] not in ("", "nan"):
            value = float(row[figure])
            ends = (number(row.get(figure + "_lower")), number(row.get(figure + "_upper")))
            if None in ends or row.get("replications") in ("1", "2", "3", "4") or ends[0] == ends[1]:
                ends = (None, None)
            runs.setdefault((row[key], row[place] if place else ""), []).append((value, *ends))
    found = {}
    for (name, at), some in runs.items():
        values = [value for value, _, _ in some]
        if not all(math.isfinite(value) for value in values):
            print(f"note: {name}{' at ' + at if at else ''} is not drawn: {figure} is infinite, since something did not end", file=sys.stderr)
            continue
        ends = some[0][1:] if len(some) == 1 else (min(values), max(values))  # of several runs, their range
        found.setdefault(name, []).append((at, sum(values) / len(values), *ends))
    return found


def drawable(path):
    """Columns with a number, without the ends of intervals."""
    rows, key, _ = read(path)
    columns = list(rows[0]) if rows else []
    return [column for column in columns[columns.index(key) + 1 :] if not column.endswith(("_lower", "_upper"))
            and any(number(row[column]) is not None for row in rows)]


def draw(path, figure):
    rows, key, labels = read(path)
    # The first label that is a number is the horizontal axis; of the others, each combination has a panel.
    place = next((label for label in labels if all(number(row[label]) is not None for row in rows)), None)
    others = [label for label in labels if label != place]
    panels = {}
    for row in rows:
        panels.setdefault(", ".join(f"{label} {row[label]}" for label in others), []).append(row)
    panels = {title: points(some, key, place, figure) for title, some in panels.items()}
    panels = {title: found for title, found in panels.items() if found}
    if not panels:
        sys.exit(f"error: {path}: no number in the column {figure}")
    every = {}
    for found in panels.values():
        for name, some in found.items():
            every.setdefault(name, []).extend(some)
    sign = -1 if figure.endswith(HIGHER_IS_BETTER) else 1
    bounds = {row[key] for row in rows if row.get("form") == "bound"}
    order = sorted(every, key=lambda name: sign * sum(point[1] for point in every[name]) / len(every[name]))
    coloured = COLOURED or [name for name in order if name not in bounds][: len(COLOURS)]
    colour = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(coloured)}

    def label(name):
        return name.replace("least ", "most ") if name in bounds and sign < 0 else name

    plt.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": figure})
    height = 2.5 if place else 0.7 + 0.17 * len(order)
    canvas, all_axes = plt.subplots(len(panels), figsize=(WIDTH, height * len(panels)), layout="constrained", squeeze=False)
    for (title, found), axes in zip(panels.items(), all_axes[:, 0]):
        axes.set_title(title, fontsize=8)
        values = [point[1] for some in found.values() for point in some]
        log = min(values) > 0 and max(values) > 30 * min(values)
        names = [name for name in order if name in found]
        if place:
            axes.set(xlabel=place, ylabel=figure.replace("_", " "), yscale="log" if log else "linear")
            draw_lines(canvas, axes, found, names, colour, bounds, label)
        else:
            axes.set(xlabel=figure.replace("_", " "), xscale="log" if log else "linear")
            draw_names(axes, found, names, colour, bounds, label)
    for kind in ("pdf", "svg"):
        name = os.path.join(os.path.dirname(path), f"{figure}.{kind}")
        canvas.savefig(name, metadata={"CreationDate": None} if kind == "pdf" else {"Date": None})
        print(name)
    plt.close(canvas)


def draw_lines(canvas, axes, found, names, colour, bounds, label):
    """A line for each name over the horizontal axis."""
    span = [number(point[0]) for some in found.values() for point in some]
    for i, name in enumerate(names):
        shift = 0.006 * (max(span) - min(span)) * (i - len(names) / 2)  # marks side by side
        some = sorted((number(at) + shift, *rest) for at, *rest in found[name])
        tint = "black" if name in bounds else colour.get(name, "#b0b0b0")
        front = 3 if name in colour else 1
        axes.plot([p[0] for p in some], [p[1] for p in some], "--" if name in bounds else "o-", color=tint, markersize=3,
                  linewidth=1, zorder=front)
        for at, _, lower, upper in some:
            if lower is not None and upper is not None and name in colour:
                axes.plot([at, at], [lower, upper], color=tint, linewidth=1, zorder=front)
    axes.set_xticks(sorted(set(span)))
    axes.minorticks_off()
    # Names at the ends of the curves, apart from each other.
    canvas.draw_without_rendering()
    ends = []
    for name in [name for name in names if name in colour or name in bounds]:
        at, value = max((number(point[0]), point[1]) for point in found[name])
        ends.append([axes.transData.transform((at, value))[1], at, value, name])
    ends.sort()
    gap = 9 * canvas.dpi / 72
    for _ in range(100):
        for below, above in zip(ends, ends[1:]):
            more = max(0, gap - above[0] + below[0]) / 2
            below[0] -= more
            above[0] += more
    for height, at, value, name in ends:
        y = axes.transAxes.inverted().transform((0, height))[1]
        tint = colour.get(name, "black")
        arrow = {"arrowstyle": "-", "lw": 0.4, "color": tint, "relpos": (0, 0.5), "shrinkA": 0, "shrinkB": 2}
        axes.annotate(label(name), (at, value), (1.06, y), textcoords="axes fraction", va="center", color=tint, arrowprops=arrow)


def draw_names(axes, found, names, colour, bounds, label):
    """Names on the vertical axis, the best on top."""
    for level, name in enumerate(names):
        tint = "black" if name in bounds else colour.get(name, "#707070")
        (_, value, lower, upper), = found[name]
        axes.plot(value, level, "D" if name in bounds else "o", color=tint, markersize=3.5)
        if lower is not None and upper is not None:
            axes.plot([lower, upper], [level, level], color=tint, linewidth=1)
    axes.set(ylim=(len(names) - 0.5, -0.5))
    axes.set_yticks(range(len(names)), [label(name) for name in names])
    axes.tick_params(axis="y", length=0)
    for text in axes.get_yticklabels():
        text.set_color(colour.get(text.get_text(), "black"))
    axes.grid(axis="x", color="#e2e2e2", linewidth=0.5)
    axes.set_axisbelow(True)


def find_figures(path):
    """The columns that may be drawn, the first one by itself."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = list(rows[0]) if rows else []
    estimates = [column for column in columns if column + "_lower" in columns]
    times = [column for column in columns if column.startswith(("p50", "time"))]
    return columns, estimates or times


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "summary.csv")
    columns, estimates = find_figures(path)
    if not estimates:
        sys.exit(f"error: {path}: no figure to draw: expected a column NAME_lower, p50... or time...")
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(f"{__doc__.strip()}\n\nFIGURE is one of {', '.join(drawable(path))}")
        return
    for figure in sys.argv[1:] or estimates[:1]:
        if figure not in columns:
            sys.exit(f"error: {figure}: expected a column of summary.csv: {', '.join(drawable(path))}")
        draw(path, figure)


if __name__ == "__main__":
    main()
