#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the commands of doc/results/reproduce.md and compares what they print with what is recorded.

reproduce-test.py [NAME ...]    NAME is a word of the comment before a command; default: all commands

doc/results/reproduce.csv has a row for each number that is compared: the name of the command, a regular expression with
one group, and what the group matches in the output, or its rounded value. Each recorded value also stands in that
page's table. Ends with 1 and one line for each difference. Commands run in a temporary folder.
"""

import csv
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "doc/results/reproduce.csv"
problems = []


def complain(name, what):
    problems.append(name)
    print(f"error: {name}: {what}", flush=True)


def read_rows():
    """{name: (command, last cell)} of the commands and the table of the page."""
    section = (ROOT / "doc/results/reproduce.md").read_text()
    block = section.split("```")[1].replace("\\\n", " ")
    commands = dict(re.findall(r"^# (.*)\n(.*)$", block, re.M))
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")]
    shown = {row[0]: row[-1] for row in cells[2:]}
    for name in sorted(commands.keys() ^ shown.keys()):
        complain(name, "reproduce.md: found either its command or its row, expected both")
    return {name: (command, shown[name]) for name, command in commands.items() if name in shown}


def read_record():
    """{name: [(pattern, value)]}"""
    record = {}
    with RECORD.open(encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            record.setdefault(row["name"], []).append((row["pattern"], row["value"]))
    return record


def as_printed(found, value):
    """A single number with as many decimals as value has."""
    try:
        return f"{float(found):.{len(value.partition('.')[2])}f}"
    except ValueError:
        return found


def check(name, command, shown, digits):
    for _, value in digits:
        if value not in shown:
            complain(name, f"reproduce.md: found '{shown}', expected '{value}' in it")
    print(f"{name}: {command}", flush=True)
    # From another folder, so that the results of others are not written over.
    command = re.sub(r"^\./ns3|(?<!\S)(?=examples/)", lambda m: f"{ROOT}/{m[0].removeprefix('./')}", command)
    began = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        complain(name, (done.stderr.strip() or "no message").split("\n")[-1])
        return
    for pattern, value in digits:
        found = re.search(pattern, done.stdout, re.M)
        if not found:
            complain(name, f"found no line '{pattern}', expected {value}")
        elif found[1] != value and as_printed(found[1], value) != value:
            complain(name, f"'{pattern}': found {found[1]}, expected {value}")
    took = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - began
    print(f"{name}: {len(digits)} numbers compared, {took:.0f} s of processor time", flush=True)


rows, record = read_rows(), read_record()
for name in sorted(rows.keys() ^ record.keys()):
    complain(name, f"found in one of reproduce.md and {RECORD.name}, expected in both")
names = [name for name in rows if name in record and (len(sys.argv) == 1 or set(sys.argv[1:]) & set(name.split()))]
if not names:
    complain(" ".join(sys.argv[1:]), f"no such row, expected a word of: {'; '.join(rows)}")
for name in names:
    check(name, *rows[name], record[name])
sys.exit(bool(problems))
