#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The table of patterns with both placements, in doc/results/odcn.md.

    examples/figures/placements.py              writes the table from doc/results/odcn/placements.csv
    examples/figures/placements.py FOLDER       runs what is missing in FOLDER, then writes both

A row of placements.csv has the jobs that a policy blocked in each run, of 10,000 after 2,000. Each pattern and placement is
one run of odcn-drl-scheduling for a group of policies, less than two hours of one core in all; those that FOLDER has are kept. Seed
and runs were used by no training and for no choice.
"""

import csv
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = ROOT / "doc/results/odcn/placements.csv"
PAGE = ROOT / "doc/results/odcn.md"
MARKS = ("<!-- placements -->\n", "<!-- placements: end -->\n")

SEED = 59
JOBS = 10000
PATTERNS = ["ring", "bidirectional-ring", "tree", "star", "random-p", "full-mesh"]
UNSEEN = ["mixed", "shuffle"]
PLACEMENTS = ["Balanced", "BestFit"]
PUBLISHED = ["all2all-ccf", "odcn-ccf", "odcn-jcb"]
OWN = ["random", "first-fit", "odcn-best-fit", "odcn-packing", "odcn-score"]
AHEAD = [f"lookahead[Policy={rule}]" for rule in ("odcn-ccf", "odcn-score")]
RULES = PUBLISHED + OWN + AHEAD
# Sums of the patterns, of which the network evolved is made: as fast as a rule, while the network takes 6 s a run.
SUMS = {"bidirectional-ring": "trees", "tree": "trees"}
SUM = "sum"
# Policies, and runs of each.
GROUPS = [(PUBLISHED + OWN, 20), ([SUM] + AHEAD, 20), (["evolved"], 2), (["imitation"], 5)]


def t_tail(t, degrees):
    """P(T > t) of Student's distribution, by Simpson's rule over the angle atan(t / sqrt(degrees))."""
    power = degrees - 1
    a, b, n = math.atan(t / math.sqrt(degrees)), math.pi / 2, 2000
    h = (b - a) / n
    total = sum((1 if i in (0, n) else 4 if i % 2 else 2) * math.cos(a + i * h) ** power for i in range(n + 1)) * h / 3
    whole = math.sqrt(math.pi) * math.gamma(degrees / 2) / math.gamma((degrees + 1) / 2)
    return total / whole


def t_quantile(share, degrees):
    """@return t with P(|T| > t) = share"""
    low, high = 0.0, 1000.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if 2 * t_tail(middle, degrees) > share else (low, middle)
    return high


def interval(values, share=0.05):
    """@return mean and half interval of values, wrong with probability share"""
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))
    return mean, t_quantile(share, len(values) - 1) * deviation / math.sqrt(len(values))


def read(path=RECORD):
    """@return {(pattern, placement, policy): per cent blocked in each run}"""
    with open(path, newline="", encoding="ascii") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(r["pattern"], r["placement"], r["policy"]): [100 * int(n) / JOBS for n in r["blocked"].split()] for r in rows}


def best_rule(table, pattern, policies=RULES):
    """@return placement and policy of the rule that blocks least"""
    of = [key for key in table if key[0] == pattern and key[2] in policies]
    return min(of, key=lambda key: sum(table[key]) / len(table[key]))[1:]


def compare(table, pattern, policy, placement, rules=RULES, patterns=PATTERNS):
    """Blocking of a policy less that of the best rule with its best placement, paired by run.

    The intervals of all patterns hold together with 95 %, whichever rule is best (Bonferroni).
    @return name of the rule, mean and half interval in points
    """
    best = best_rule(table, pattern, rules)
    mine = table[pattern, placement, policy]
    rule = table[(pattern, *best)]
    runs = min(len(mine), len(rule))
    compared = len(patterns) * len(rules) * len(PLACEMENTS)
    return best, *interval([a - b for a, b in zip(mine[:runs], rule[:runs])], 0.05 / compared)


def measure(folder):
    """Run what is missing, and write placements.csv."""
    rows = {}
    for pattern in PATTERNS + UNSEEN:
        for placement in PLACEMENTS:
            for policies, runs in GROUPS:
                policies = [p for p in policies if p != SUM or pattern in PATTERNS]
                if pattern in UNSEEN and policies == ["evolved"]:
                    runs = 5
                output = folder / f"{pattern}-{placement}-{policies[-1].strip(']').rsplit('=')[-1]}-{len(policies)}"
                words = [
                    f"--pattern={pattern}", f"--placement={placement}", "--packets=formula", f"--replications={runs}", f"--RngSeed={SEED}",
                    "--report=false", "--policies=" + ",".join("sum=linear" if p == SUM else p for p in policies), f"--output={output}",
                    f"--linear={ROOT}/data/linear-odcn-opening-{SUMS.get(pattern, pattern)}.json",
                ]  # fmt: skip
                if SUM not in policies:
                    words.pop()
                if not (output / "replications.csv").exists():
                    subprocess.run([ROOT / "ns3", "run", "odcn-drl-scheduling", "--", *words], check=True)
                with open(output / "replications.csv", newline="", encoding="ascii") as file:
                    for row in csv.DictReader(file):
                        blocked = round(float(row["blocking"]) * JOBS)
                        rows.setdefault((pattern, placement, row["policy"]), []).append(str(blocked))
    with open(RECORD, "w", encoding="ascii") as file:
        file.write(f"# examples/figures/placements.py: jobs blocked of {JOBS} after 2000, runs 1, 2, ... of seed {SEED}, load 66\n")
        file.write("pattern,placement,policy,blocked\n")
        file.writelines(f"{','.join(key)},{' '.join(blocked)}\n" for key, blocked in rows.items())


def cell(values):
    """@return mean and interval of 95 %"""
    mean, half = interval(values)
    return f"{mean:.2f} +- {half:.2f}"


def write_table(table):
    """Write the table into the page, between its marks."""
    # Two runs tell whether decisions are equal, no more.
    policies = [p for p in PUBLISHED + OWN + AHEAD + [SUM, "evolved", "imitation"] if any(key[2] == p for key in table)]
    runs = {p: {len(v) for k, v in table.items() if k[2] == p and len(v) > 2} for p in policies}
    text = "| policy | placement | " + " | ".join(PATTERNS + UNSEEN) + " |\n|" + "---|" * (2 + len(PATTERNS + UNSEEN)) + "\n"
    for policy in policies:
        name = f"`{policy}`" + ("" if runs[policy] == {20} else f", {' or '.join(map(str, sorted(runs[policy])))} runs")
        for placement in PLACEMENTS:
            cells = [table.get((pattern, placement, policy), []) for pattern in PATTERNS + UNSEEN]
            text += f"| {name} | {placement} | " + " | ".join(cell(v) if len(v) > 2 else "" for v in cells) + " |\n"
    learnt = [(SUM, "the sums of `evolved`"), ("imitation", "`imitation`"), ("evolved", "`evolved`")]
    text += "\nLess the best rule, points; the intervals of a row hold together with 95 %, whichever rule is best:\n\n"
    text += "| | " + " | ".join(PATTERNS + UNSEEN) + " |\n|" + "---|" * (1 + len(PATTERNS + UNSEEN)) + "\n"
    for title, rules in (("best published rule", PUBLISHED), ("best rule", RULES)):
        known = {key[0] for key in table if key[2] in rules}
        best = [best_rule(table, p, rules) for p in PATTERNS + UNSEEN if p in known]
        text += f"| {title} | " + " | ".join(f"`{policy}` {placement}" for placement, policy in best) + " |\n"
        for policy, name in learnt:
            for placement in PLACEMENTS:
                text += f"| {name}, {placement}, less it |"
                for pattern in PATTERNS + UNSEEN:
                    one = table.get((pattern, placement, policy))
                    several = PATTERNS if pattern in PATTERNS else UNSEEN
                    if one and len(one) > 2 and pattern in known:
                        _, mean, half = compare(table, pattern, policy, placement, rules, several)
                        text += f" {mean:+.2f} +- {half:.2f} |"
                    else:
                        text += " |"
                text += "\n"
    page = PAGE.read_text(encoding="utf-8")
    begin, end = page.index(MARKS[0]) + len(MARKS[0]), page.index(MARKS[1])
    PAGE.write_text(page[:begin] + "\n" + text + "\n" + page[end:], encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(pathlib.Path(sys.argv[1]).absolute())
    write_table(read())
