#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Runs commands and compares the sums of what they print and write with the recorded ones.

gold.py [--record] [--build=FOLDER] [--jobs=N] [--limit=SECONDS] [--keep=FOLDER] [--full] [NAME ...]

test/gold.txt has one command a line, behind its name: a program and its options, or several joined by "&&". Commands whose name begins with "full-" take up to five minutes
each and run with --full only; NAME is a regular expression, then only the commands that it matches run. test/data/gold.csv
holds command, file and sum; a file that a command no longer writes, or newly writes, is a difference too. --record
replaces the rows of the commands that ran. --keep leaves each command's files in FOLDER/COMMAND. What depends on the
machine (paths, seconds, speeds) is left out, and so are reports, provenance and migration.pcap (connections still open at the end close in no fixed order). Ends with 1 and one line a difference.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMES = re.compile(rb"took [0-9:.]+|(?m:^ +\d+ +\d+ +\d+\.\d\d$)")
LEFT_OUT = re.compile(r"(provenance\.txt|\.odcn-manifest|.*\.html|progress\.json|.*\.log|migration\.pcap)$")


def read_commands(patterns, full):
    commands = {}
    for number, line in enumerate((ROOT / "test/gold.txt").read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        name, _, command = line.partition(" ")
        if name in commands or not command:
            sys.exit(f"error: test/gold.txt, line {number}: found '{line}', expected a new name and a command")
        chosen = any(re.search(p, name) for p in patterns) if patterns else full or not name.startswith("full-")
        if chosen:
            commands[name] = command.strip()
    return commands


def sum_of(content, folder, build):
    for path, word in ((str(folder), b"FOLDER"), (str(build), b"BUILD"), (str(ROOT), b"ROOT")):
        content = content.replace(path.encode(), word)
    return hashlib.sha256(TIMES.sub(b"TIME", content)).hexdigest()[:16]


def run(name, command, options):
    """{file: sum} of what the command prints and writes, or its error."""
    folder = Path(options.keep, name).resolve() if options.keep else Path(tempfile.mkdtemp())
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "data").symlink_to(ROOT / "data")
    build = Path(options.build).resolve()
    began = time.monotonic()
    printed = b""
    for part in command.split(" && "):
        words = shlex.split(part)
        left = options.limit - (time.monotonic() - began)
        try:
            done = subprocess.run([build / "bin" / words[0], *words[1:]], cwd=folder, capture_output=True, timeout=left, check=False)
        except subprocess.TimeoutExpired:
            return name, f"took more than {options.limit} s", {}
        if done.returncode:
            last = (done.stderr.decode(errors="replace").strip() or "no message").split("\n")[-1]
            return name, f"exit status {done.returncode}: {last}", {}
        printed += done.stdout
    print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
    (folder / "stdout").write_bytes(printed)
    sums = {}
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if file.is_file() and not path.startswith("data/") and not LEFT_OUT.search(path):
            sums[path] = sum_of(file.read_bytes(), folder, build)
    if not options.keep:
        shutil.rmtree(folder)
    return name, "", sums


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--build", default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    record = {}
    table = ROOT / "test/data/gold.csv"
    if table.exists():
        with table.open(newline="") as file:
            for row in csv.DictReader(file):
                record.setdefault(row["command"], {})[row["file"]] = row["sum"]
    commands = read_commands(options.names, options.full)
    different = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run, n, c, options) for n, c in commands.items()]):
            name, problem, sums = done.result()
            if problem:
                different += 1
                print(f"error: {name}: {problem}", flush=True)
            elif options.record:
                record[name] = sums
            else:
                known = record.get(name, {})
                for path in sorted(known.keys() | sums.keys()):
                    if known.get(path) != sums.get(path):
                        different += 1
                        what = "not written" if path not in sums else "not recorded" if path not in known else "another sum"
                        print(f"error: {name}: {path}: {what}", flush=True)
    if options.record:
        known = read_commands([""], True)
        with table.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("command", "file", "sum"))
            for name in known:
                for path, value in sorted(record.get(name, {}).items()):
                    writer.writerow((name, path, value))
    print(f"{len(commands)} commands, {different} differences")
    sys.exit(different > 0)


main()
