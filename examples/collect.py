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
import contextlib
import csv
import io
import os
import re
import shlex
import sqlite3
import sys
from pathlib import Path


class Refused(Exception):
    """What cannot be collected, in one line."""


def read(path):
    """The text of a file."""
    if path.exists() and not path.is_file():
        raise Refused(f"{path}: cannot be read: no regular file")
    try:
        return path.read_text(encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise Refused(f"{path}: cannot be read: {error.strerror}") from error


def options_of(folder):
    """{option or variable of the environment: value} of the command in provenance.txt, without the folder."""
    path = folder / "provenance.txt"
    command = re.search(r"^command: (.*)$", read(path), re.M)
    try:
        words = shlex.split(command[1]) if command else None
    except ValueError:
        words = None
    if words is None:
        raise Refused(f"{path}: expected a line 'command: ...', with quotes in pairs")
    pairs = [re.sub("^--?", "", word).partition("=") for word in words if re.match("--?[A-Za-z]|[A-Z_]+=", word)]
    return {name: value if equals else "true" for name, equals, value in pairs if name != "output"}


def rows_of(folder, name):
    """The rows of a folder. An option named as a column of the file is preceded by two dashes."""
    path, options = folder / name, options_of(folder)
    rows = csv.reader(io.StringIO(read(path), newline=""), strict=True)
    try:
        columns = next(rows, [])
        if len(set(columns)) < len(columns):
            raise Refused(f"{path}:1: expected each column once")
        options = {("--" if option in columns else "") + option: value for option, value in options.items()}
        for row in rows:
            if len(row) != len(columns):
                raise Refused(f"{path}:{rows.line_num}: found {len(row)} cells, expected {len(columns)}")
            yield {"folder": str(folder), **options, **dict(zip(columns, row))}
    except csv.Error as error:
        raise Refused(f"{path}:{rows.line_num}: {error}") from error


def number(text):
    """The value of a cell for SQLite."""
    for kind in (int, float):
        try:
            return kind(text)
        except (TypeError, ValueError):
            pass
    return text or None


def write_csv(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_sqlite(path, table, columns, rows):
    known = {}
    for column in columns:
        other = known.setdefault(column.lower(), column)
        if other != column:
            raise Refused(f"columns {other} and {column}: expected a .csv file, since SQLite takes them for one")
    quoted = ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute(f'CREATE TABLE "{table}" ({quoted})')
        database.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(columns))})',
                             ([number(row.get(column)) for column in columns] for row in rows))
        database.commit()


def collect(output, folders, name):
    """Write the table; returns its rows, and the folders that are not done."""
    if Path(output).is_dir():
        raise Refused(f"{output}: found a folder, expected a .csv or SQLite file")
    done = [folder for folder in folders if (folder / "provenance.txt").exists()]
    rows = [row for folder in done for row in rows_of(folder, name)]
    if not rows:
        why = "" if done else ", which a run writes last"
        raise Refused(f"no rows of {name}: {len(done)} of {len(folders)} folders have provenance.txt{why}")
    columns = list(dict.fromkeys(column for row in rows for column in row))
    temporary = f"{output}.tmp-{os.getpid()}"
    try:
        if output.endswith(".csv"):
            write_csv(temporary, columns, rows)
        else:
            write_sqlite(temporary, Path(name).stem.replace('"', ""), columns, rows)
        os.replace(temporary, output)
    except (OSError, sqlite3.Error) as error:
        raise Refused(f"{output}: cannot be written: {error}") from error
    finally:
        Path(temporary).unlink(missing_ok=True)
    return rows, [str(folder) for folder in folders if folder not in done]


class Parser(argparse.ArgumentParser):
    """Ends by one line, as the programs do."""

    def error(self, message):
        sys.exit(f"error: {message}; see --help")


def main():
    parser = Parser(description=__doc__.partition("\n")[0])
    parser.add_argument("output", help=".csv or SQLite file")
    parser.add_argument("folders", nargs="+", type=Path, metavar="folder")
    parser.add_argument("--file", default="summary.csv", help="file of each folder [summary.csv]")
    arguments = parser.parse_args()
    try:
        rows, missing = collect(arguments.output, arguments.folders, arguments.file)
    except Refused as error:
        sys.exit(f"error: {error}")
    print(f"{arguments.output}: {len(rows)} rows of {len(arguments.folders) - len(missing)} runs")
    sys.exit(f"error: not done: {', '.join(missing)}" if missing else 0)


if __name__ == "__main__":
    main()
