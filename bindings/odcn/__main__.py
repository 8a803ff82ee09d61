# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command odcn: odcn run NAME [options] starts a program of odcn, and odcn run lists them.

python -m odcn is the same command. Programs are those of a wheel, or of the build that made the module.
"""

from __future__ import annotations

import difflib
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NoReturn, Optional

import _odcn  # noqa: F401 -- fails in Python where it does not fit the system

_USAGE = "usage: odcn run [NAME [options of the program]]"
#: Programs that are nothing without agents, which a build without LibTorch has not.
_AGENTS = ("fabric-jobs", "odcn-control-plane", "own-problem", "own-reward", "torch-first")
_LEFT_OUT = "needs LibTorch, and is not here: ./ns3 run in odcn's sources builds"


def _programs() -> dict[str, pathlib.Path]:
    """Names of programs, and their files."""
    here = pathlib.Path(__file__).resolve().parent
    for names, folder in (
        (here / "programs" / "programs.txt", here / "programs"),
        (here.parents[1] / "programs.txt", here.parents[1] / "bin"),
    ):
        if names.exists():
            files = {name: folder / name for name in names.read_text(encoding="utf-8").split()}
            return {name: file for name, file in sorted(files.items()) if os.access(file, os.X_OK)}
    return {}


def _describe(program: pathlib.Path) -> str:
    """What a program is: the line after its usage."""
    said = subprocess.run([program, "--help"], capture_output=True, text=True, check=False).stdout.splitlines()
    return said[2] if len(said) > 2 else ""


def _fail(message: str) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(1)


def main(words: Optional[list[str]] = None) -> None:
    """Run a command.

    words: of the command line; those of the process by default.
    """
    words = sys.argv[1:] if words is None else words
    if words[:1] in (["--help"], ["-h"]):
        print(_USAGE)
        return
    if words[:1] != ["run"]:
        _fail(f"found {' '.join(words[:1]) or 'no command'}, expected run; {_USAGE}")
    programs = _programs()
    if not programs:
        _fail("this module has no programs: .ci/wheel makes a wheel with them, ./ns3 run in odcn's sources builds them")
    if len(words) == 1:
        print("odcn run NAME --help lists the options of a program.")
        with ThreadPoolExecutor() as pool:
            for name, text in zip(programs, pool.map(_describe, programs.values())):
                print(f"  {name:24}{text}")
        left_out = [name for name in _AGENTS if name not in programs]
        if left_out:
            print(f"{', '.join(left_out)}: {_LEFT_OUT} them.")
        return
    name = words[1]
    if name in programs:
        sys.stdout.flush()
        os.execv(programs[name], [str(programs[name]), *words[2:]])
    if name in _AGENTS:
        _fail(f"{name}: {_LEFT_OUT} it")
    near = difflib.get_close_matches(name, programs, 1)
    _fail(f"found {name}, expected a program that odcn run lists" + (f"; did you mean {near[0]}?" if near else ""))


if __name__ == "__main__":
    main()
