#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""plot.py, which programs write beside summary.csv: what it draws of which file. Exit status 77 without matplotlib.

Usage: plot-test.py
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "..", "data", "report", "plot.py")
bad = 0


def check(holds, what):
    global bad
    if not holds:
        print(f"error: {what}")
        bad += 1


def draw(python, text, *figures, script=SCRIPT):
    """Run plot.py beside a summary.csv; its exit status, output, and files by name."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(script, os.path.join(folder, "plot.py"))
        with open(os.path.join(folder, "summary.csv"), "w", encoding="utf-8") as file:
            file.write(text)
        run = subprocess.run([python, os.path.join(folder, "plot.py"), *figures], capture_output=True, text=True, check=False)
        files = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                files[name] = file.read()
    return run.returncode, run.stdout + run.stderr, files


def get_points(svg, title):
    """Places of the marks, across, in the panel of a title; of the first one without a title."""
    panels = re.split(r'<g id="axes_\d+">', svg)[1:]
    panel = next(text for text in panels if title is None or f"<!-- {title} -->" in text)
    # Letters, too, are drawn by <use>.
    return re.findall(r'<use xlink:href="#m[0-9a-f]+"[^>]* x="([0-9.]+)"', panel)


def find_python():
    for python in ("python3", "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run([python, "-c", "import matplotlib"], capture_output=True, check=False).returncode == 0:
            return python
    print("skipped: python3-matplotlib is not installed")
    sys.exit(77)


def main():
    python = find_python()
    head = "load,policy,form,replications,offered,blocking,blocking_lower,blocking_upper\n"
    loads = head + "".join(f"{load},{name},x,5,100,{mean},{mean - 0.01},{mean + 0.01}\n"
                           for load in (54, 66) for name, mean in (("odcn-jcb", 0.1), ("mine", 0.05)))
    status, said, files = draw(python, loads + "66,best possible,bound,,,0.02,0.02,0.02\n")
    check(status == 0, f"two loads: {said}")
    check(sorted(files) == ["blocking.pdf", "blocking.svg", "plot.py", "summary.csv"], f"files: {sorted(files)}")
    svg = files.get("blocking.svg", b"").decode()
    check(re.search(r'width="252(\.0)?pt"', svg), "the figure is not 3.5 inches wide")
    check(b"/MediaBox [ 0 0 252 " in files.get("blocking.pdf", b""), "the PDF is not 3.5 inches wide")
    for name in ("odcn-jcb", "mine", "best possible", "load", "54", "66"):
        check(f"<!-- {name} -->" in svg, f"no {name} in the figure")
    check("<!-- 60 -->" not in svg, "a load that was not simulated is on the axis")
    check(draw(python, loads)[2] == draw(python, loads)[2], "two runs draw other files")

    # One load: names on the axis. Infinite intervals, and those of one replication, are not drawn.
    plain = head + "66,odcn-jcb,x,5,100,0.1,,\n66,mine,x,5,100,0.05,,\n"
    endless = head + "66,odcn-jcb,x,5,100,0.1,-inf,inf\n66,mine,x,5,100,0.05,-inf,inf\n"
    single = head + "66,odcn-jcb,x,1,100,0.1,0,1\n66,mine,x,1,100,0.05,0,1\n"
    drawn = draw(python, plain)[2].get("blocking.svg")
    check(drawn and b"<!-- mine -->" in drawn, "no names on the axis")
    check(draw(python, endless)[2].get("blocking.svg") == drawn, "an infinite interval is drawn")
    check(draw(python, single)[2].get("blocking.svg") == drawn, "the interval of one replication is drawn")
    finite = head + "66,odcn-jcb,x,5,100,0.1,0.09,0.11\n66,mine,x,5,100,0.05,0.04,0.06\n"
    check(draw(python, finite)[2].get("blocking.svg") != drawn, "no interval is drawn")

    # optical-fabrics has a row for each run and size of flows.
    status, said, files = draw(python, "design,run,from_bytes,to_bytes,p50_us\n" + "".join(
        f"{name},{run},{size},{time + run}\n" for name, time in (("opera", 30), ("rotornet", 160)) for run in (0, 1)
        for size in ("0,100000", "0,18446744073709551615")))
    check(status == 0 and b"<!-- rotornet -->" in files.get("p50_us.svg", b""), f"runs of designs: {said}")

    # Every label is on the axis or has a panel, and only runs are averaged.
    times = {("ideal", "ring"): 0.111, ("ideal", "direct"): 0.048, ("opera", "ring"): 0.2, ("opera", "direct"): 0.3}
    collectives = "design,collective,run,engine,time_ms,bound_ms\n" + "".join(
        f"{design},{collective},{run},packets,{time * (1 + run)},0.01\n" for (design, collective), time in times.items() for run in (0, 1))
    status, said, files = draw(python, collectives)
    svg = files.get("time_ms.svg", b"").decode()
    check(status == 0 and svg, f"collectives: {said}")
    for title in ("collective ring", "collective direct"):
        check(f"<!-- {title} -->" in svg, f"no panel {title}")
    alone = "".join(line + "\n" for line in collectives.splitlines() if ",direct," not in line)
    check(get_points(svg, "collective ring") == get_points(draw(python, alone)[2]["time_ms.svg"].decode(), None),
          "a panel differs from the figure of its rows alone")
    two = "load,place,policy,form,replications,cost,cost_lower,cost_upper\n" + "".join(
        f"{load},{place},mine,x,5,{load * factor},{load * factor - 1},{load * factor + 1}\n"
        for load in (54, 66) for place, factor in (("near", 1), ("far", 2)))
    status, said, files = draw(python, two)
    svg = files.get("cost.svg", b"").decode()
    check(status == 0 and "<!-- place near -->" in svg and "<!-- place far -->" in svg, f"two labels: {said}")

    # What did not end in one run has no mean.
    status, said, files = draw(python, collectives.replace("ideal,ring,1,packets,0.222,", "ideal,ring,1,packets,inf,"))
    check(status == 0 and "note: ideal is not drawn" in said, f"an infinite time: {said}")
    status, said, files = draw(python, "design,words\nopera,x\n")
    check(status == 1 and "no figure to draw" in said, f"nothing to draw: {said}")

    status, said, files = draw(python, loads, "nothing")
    check(status == 1 and said.startswith("error: nothing: expected a column") and "blocking" in said, f"an unknown column: {said}")
    status, said, files = draw(python, "design,collective,run,engine,time_ms\nopera,ring,0,packets,0.1\n", "nothing")
    check(status == 1 and said.strip().endswith("summary.csv: run, time_ms"), f"columns without intervals: {said}")
    status, said, files = draw(python, head + "66,mine,x,0,0,nan,-inf,inf\n")
    check(status == 1 and "no number in the column blocking" in said, f"no number: {said}")
    status, said, files = draw(python, loads, "--help")
    check(status == 0 and "python3 plot.py FIGURE" in said and "FIGURE is one of " in said and "blocking" in said, f"--help: {said}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
