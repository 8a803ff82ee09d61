#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Collects a CSV file of many output folders in one table, with the options of their commands as columns.

collect.py OUTPUT FOLDER ...

OUTPUT is a .csv file, or an SQLite file whose table is named after the CSV file. A folder without
provenance.txt, which a run writes last, is named and left out; the exit status is then 1.
"""

import argparse
import csv
import os
import re
import shlex
import sqlite3
import sys
from pathlib import Path


def options_of(folder):
    """{option or variable of the environment: value} of the command in provenance.txt, without the folder."""
    command = re.search(r"^command: (.*)$", (folder / "provenance.txt").read_text(), re.M)[1]
    pairs = [word.removeprefix("--").partition("=") for word in shlex.split(command) if re.match("--.|[A-Z_]+=", word)]
    return {name: value if equals else "1" for name, equals, value in pairs if name != "output"}


def rows_of(folder, name):
    """The rows of a folder. An option named as a column of the file is preceded by two dashes."""
    with open(folder / name, newline="") as file:
        for row in csv.DictReader(file):
            options = {("--" if option in row else "") + option: v for option, v in options_of(folder).items()}
            yield {"folder": str(folder), **options, **row}


def number(text):
    """The value of a cell for SQLite."""
    for kind in (int, float):
        try:
            return kind(text)
        except (TypeError, ValueError):
            pass
    return text or None


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("output", help=".csv or SQLite file")
    parser.add_argument("folders", nargs="+", type=Path, metavar="folder")
    parser.add_argument("--file", default="summary.csv", help="file of each folder [summary.csv]")
    arguments = parser.parse_args()
    done = [folder for folder in arguments.folders if (folder / "provenance.txt").exists()]
    rows = [row for folder in done for row in rows_of(folder, arguments.file)]
    if not rows:
        sys.exit(f"error: no rows of {arguments.file}: none of {len(arguments.folders)} folders has provenance.txt")
    columns = list(dict.fromkeys(column for row in rows for column in row))
    temporary = f"{arguments.output}.tmp-{os.getpid()}"
    if arguments.output.endswith(".csv"):
        with open(temporary, "w", newline="") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    else:
        database, table = sqlite3.connect(temporary), Path(arguments.file).stem
        quoted = ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
        database.execute(f'CREATE TABLE "{table}" ({quoted})')
        database.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(columns))})',
                             ([number(row.get(column)) for column in columns] for row in rows))
        database.commit()
        database.close()
    os.replace(temporary, arguments.output)
    print(f"{arguments.output}: {len(rows)} rows of {len(done)} runs")
    missing = [str(folder) for folder in arguments.folders if folder not in done]
    sys.exit(f"error: not done: {', '.join(missing)}" if missing else 0)


if __name__ == "__main__":
    main()
