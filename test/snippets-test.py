#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Checks what README and manual show to be typed.

snippets-test.py cpp FILE TORCH-FILE PROGRAMS-FILE    write the C++ snippets as three files in the build folder to
                                        compile, the second with LibTorch, the third with what is run
snippets-test.py check BUILD-FOLDER     check commands, Python and messages; run the commands that take seconds, and
                                        the C++ programs
snippets-test.py alone BUILD-FOLDER     compile each C++ program alone, with the #include lines that it shows

A C++ snippet with main() or a registered class is compiled in a namespace of its own. The others of a page are
compiled as one function in which a snippet sees those before it. A comment ".. given: DECLARATIONS" in the page
declares what the next snippet takes for granted. A snippet with comments "// prints: TEXT" is a program: it is run in
an empty folder, and prints just that.
"""

import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "data/README.md", *sorted(ROOT.glob("doc/**/*.rst")), *sorted(ROOT.glob("doc/**/*.md"))]
DIRECTIVE = re.compile(r"^( *)\.\. code-block:: (\S+)\n((?:\1 +:.*\n)*)\n((?:(?:\1 +.*)?\n)+)", re.M)
FENCE = re.compile(r"^```(\S*)\n(.*?)^```", re.M | re.S)
PRINTS = re.compile(r"^// prints: (.*)$", re.M)
TORCH = re.compile(r"torch::|PolicyNetwork|Learner::")
# Pages of models: each begins with a picture and a program of at most this many lines.
PROGRAM_LINES = 25
MODELS = ("optics/collectives optics/distributed optics/electrical optics/fabrics optics/faults optics/flows optics/optics "
          "optics/otn optics/queueing optics/throughput-bounds optics/tori jobs/applications jobs/cluster jobs/continuous "
          "jobs/icci jobs/icci-packets jobs/rddc jobs/scheduling jobs/workload agents/agents lab/measure").split()
# Programs that take seconds with the options of pages, where these do not name files that the reader has.
QUICK = re.compile(r"(ocs-first|otn-first|own-schedule|collective-first|rotor-first --duration=1|show-topology"
                   r"|icci-hotspot-migration --replications=1 --packets=0) *(?!.*(--mesh=|--live|--help))")
GUIDES = ("first-fabric.rst", "own-schedule.rst", "reading-results.rst")
problems = []
left_out = []


def complain(page, offset, text, what):
    line = text.count("\n", 0, offset) + 1
    problems.append(f"{page.relative_to(ROOT)}:{line}: {what}")


def blocks(page):
    """(language, offset, text without indentation) of each code block of a page."""
    text = page.read_text()
    if page.suffix == ".md":
        return [(m[1], m.start(2), m[2]) for m in FENCE.finditer(text)]
    found = []
    for m in DIRECTIVE.finditer(text):
        lines = m[4].rstrip("\n").split("\n")
        indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        found.append((m[2], m.start(4), "\n".join(line[indent:] for line in lines) + "\n"))
    return found


def write_cpp(target, torch):
    """All C++ snippets of the pages that (do not) need LibTorch, as one file."""
    includes, functions = set(), []
    kind = "torch" if torch else "plain"  # both files may be compiled as one
    for page in PAGES:
        snippets = [b for b in blocks(page) if b[0] == "cpp" and not PRINTS.search(b[2])]
        if torch != any(TORCH.search(code) for _, _, code in snippets):
            continue
        text, inner, last = page.read_text(), [], 0
        for _, offset, code in snippets:
            includes.update(re.findall(r"^#include .*$", code, re.M))
            code = re.sub(r"^(#include .*|using namespace .*;)$", "", code, flags=re.M)
            given = "".join(re.findall(r"^\.\. given: (.*(?:\n   .*)*)", text[last:offset], re.M)).replace("\n", " ")
            place = f'#line {text.count(chr(10), 0, offset) + 1} "{page.relative_to(ROOT)}"\n'
            last = offset
            if re.search(r"^(int\s+)?main\(|ENSURE_REGISTERED|REGISTER_NETWORK", code, re.M):
                functions.append(f"namespace {kind}_{len(functions)}\n{{\n{given}\n{place}{code}}}\n")
            else:
                inner.append(f"{given}\n{place}{code}")
        if inner:
            functions.append(f"void Snippets_{kind}_{len(functions)}()\n{{{'{'.join(inner)}{'}' * len(inner)}\n")
    private = r"-(kernel|setup|compat)\.h$|odcn-archive\.h$" + ("" if torch else "|odcn-policy-network")
    own = sorted(p.name for p in target.parent.glob("include/ns3/*.h"))
    lines = [f'#include "ns3/{name}"' for name in own if not re.search(private, name)]
    lines += [f'#include "ns3/{h}.h"' for h in ("core-module", "network-module", "internet-module", "applications-module",
                                                  "flow-monitor-module")]
    lines += sorted(includes) + ["#include <iostream>", "using namespace ns3;", "using namespace ns3::odcn;"]
    write_if_new(target, "\n".join(lines + functions))


def write_if_new(target, text):
    if not target.exists() or target.read_text() != text:
        target.write_text(text)


def page_programs(agents):
    """(page, offset, code) of each program whose output is shown, without those of agents if these are not built."""
    for page in PAGES:
        for language, offset, code in blocks(page):
            if language == "cpp" and PRINTS.search(code) and (agents or not TORCH.search(code)):
                yield page, offset, code


def write_programs(target):
    """All programs as one: its first argument says which runs."""
    includes, parts, calls = set(), [], []
    agents = (target.parent / "include/ns3/odcn-learner.h").exists()
    for number, (page, offset, code) in enumerate(page_programs(agents)):
        includes.update(re.findall(r"^#include .*$", code, re.M))
        line = page.read_text().count("\n", 0, offset) + 1
        code = re.sub(r"^(#include .*|using namespace .*;)$", "", code, flags=re.M)
        code = re.sub(r"^int\s+main\(\)", "void Run()", code, flags=re.M)
        parts.append(f'namespace program_{number}\n{{\n#line {line} "{page.relative_to(ROOT)}"\n{code}}}\n')
        calls.append(f"program_{number}::Run")
    write_if_new(target, "\n".join([*sorted(includes), "#include <cstdlib>", "using namespace ns3;",
                                    "using namespace ns3::odcn;", *parts, "int main(int, char* argv[])\n{",
                                    f"    void (*const runs[])() = {{{', '.join(calls)}}};",
                                    "    runs[std::atoi(argv[1])]();\n}\n"]))


class Programs:
    """What the built programs know."""

    def __init__(self, build):
        self.build = build
        self.known = {}
        self.names = set(re.findall(r"^ +NAME (\S+)$|^  ([a-z-]+)\n  SOURCE_FILES",
                                    (ROOT / "examples/CMakeLists.txt").read_text(), re.M))
        self.names = {a or b for a, b in self.names} | {"odcn-benchmark", "odcn-agent-benchmark"}
        self.suites = set(re.findall(r"--suite=(\S+)", (build / "odcn-test-runner-suites.cmake").read_text()))

    def run(self, *command, timeout=60):
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=timeout)

    def options(self, name):
        if name not in self.known:
            said = self.run(self.build / "bin" / name, "--help").stdout
            self.known[name] = set(re.findall(r"^ *--([A-Za-z]\w*):", said, re.M))
        return self.known[name]

    def check(self, words):
        """None, or what is wrong with a command."""
        while words and re.match(r"^[A-Z_0-9]+=", words[0]):
            words = words[1:]
        if not words:
            return None
        first, rest = words[0], words[1:]
        if first == "./ns3":
            verbs = {"run", "test", "build", "configure", "show", "docs", "clean", "--help"}
            if not rest or rest[0] not in verbs and not rest[0].startswith("-"):
                return f"no verb of ./ns3: {words}"
            if rest[0] != "run":
                return None
            rest = [w for w in rest[1:] if w not in ("--no-build", "--gdb", "--")
                    and not w.startswith("--command-template")]
            if "--cwd" in rest:
                del rest[rest.index("--cwd"):][:2]
            text = shlex.split(rest[0]) if len(rest) == 1 else rest
            return self.check_program(text[0].removeprefix("examples/"), text[1:]) if text else None
        if first.startswith("build/bin/"):
            return self.check_program(first.removeprefix("build/bin/"), rest)
        if first in ("odcn-gtest", "odcn-agent-gtest", "odcn-test-runner"):
            return self.check_program(first, rest)
        if re.match(r"^(\./)?(test|examples|\.ci)/", first) and not list(ROOT.glob(first)):
            return f"no file {first}"
        if first == "examples/odcn-convert-trace.py":
            known = re.findall(r"--[\w-]+", self.run(first, "--help").stdout)
            unknown = [w for w in rest if w.startswith("--") and w.partition("=")[0] not in known]
            return f"{first} has no option {unknown[0]}" if unknown else None
        return None

    def check_program(self, name, rest):
        if re.match(r"^(scratch/|my-|PROGRAM|NAME)", name):
            return None
        binary = self.build / "bin" / name
        if name in ("odcn-gtest", "odcn-agent-gtest"):
            filters = [w for w in rest if w.startswith("--gtest_filter=")]
            for word in filters if binary.exists() else ():
                if not self.run(binary, "--gtest_list_tests", word).stdout.strip():
                    return f"no test matches {word}"
            return None
        if name == "odcn-test-runner":
            for word in rest:
                if word.startswith("--suite=") and word[8:] not in self.suites:
                    return f"no suite {word[8:]}"
            return None
        if name not in self.names:
            return f"no program {name}"
        if name.endswith("benchmark") or not binary.exists():
            return None
        for word in rest:
            option = re.match(r"^--([A-Za-z]\w*)(=|$)", word)
            if option and option[1] not in self.options(name) | {"help", "RngRun", "RngSeed", "ChecksumEnabled",
                                                                  "PrintAttributes", "PrintTypeIds"}:
                return f"{name} has no option --{option[1]}"
        return None


def commands(page, text):
    """(offset, command) of each line to be typed and of each command within the text."""
    lines = re.sub(r"\\\n\s*", lambda m: " " * len(m[0]), text)
    start = r"(?:[A-Z_0-9]+=\S+ )*(?:\./ns3 |build/bin/|(?:\./)?(?:test|examples|\.ci)/\S+\.(?:sh|py)|odcn-(?:agent-)?gtest |odcn-test-runner )"
    for m in re.finditer(rf"^ *(?:\$ )?({start}[^\n]*)", lines, re.M):
        yield m.start(1), m[1]
    for m in re.finditer(rf"(?<!`)``?({start}[^`]*)``?(?!`)", text):
        yield m.start(1), re.sub(r"\s+", " ", m[1])


def check(build):
    programs = Programs(build)
    counts = {"commands": 0, "Python": 0, "messages": 0, "lengths": 0, "run": 0}
    source = "".join(p.read_text() for d in ("model", "helper", "examples") for p in ROOT.glob(f"{d}/**/*.[ch]*"))
    source = re.sub(r'"\s*\n\s*"', "", source)
    source += (ROOT / "ns3").read_text() + "".join(p.read_text() for p in ROOT.glob(".cmake/*.cmake"))
    ran = set()
    for page in PAGES:
        text = page.read_text()
        seen = set()
        for offset, command in commands(page, text):
            if command in seen or re.search(r"\.\.\.|\$\(|<|VERB|OPTION", command):
                continue
            seen.add(command)
            try:
                words = shlex.split(re.split(r" (?:&&|\|\|?|;|>) ", command)[0], comments=True)
            except ValueError as error:
                complain(page, offset, text, f"{error}: {command}")
                continue
            counts["commands"] += 1
            wrong = programs.check(words)
            if wrong:
                complain(page, offset, text, wrong)
        for language, offset, code in blocks(page):
            if language == "python":
                counts["Python"] += 1
                try:
                    compile(code, str(page), "exec")
                except SyntaxError as error:
                    complain(page, offset, text, str(error))
            elif language in ("console", "bash"):
                script = re.sub(r"^\$ ", "", code, flags=re.M)
                done = programs.run("bash", "-n", "-c", script)
                if done.returncode:
                    complain(page, offset, text, done.stderr)
        counts["lengths"] += check_lengths(page, text)
        check_training_files(page, text)
        if page.name == "messages.rst":
            for m in re.finditer(r"^``(.*)``$", text, re.M):
                counts["messages"] += 1
                for part in re.split(r"[A-Z]{2,},?(?: or )?|'|^error: |: found|expected |\b10\b|Time::", m[1]):
                    part = part.strip(" :,;")
                    if len(part) > 9 and part not in source:
                        complain(page, m.start(), text, f"no such message in the source: '{part}'")
        with tempfile.TemporaryDirectory() as folder:
            counts["run"] += run_for_real(programs, page, text, Path(folder), ran)
    counts["run"] += check_readme(programs)
    counts["programs"] = run_programs(build)
    check_models()
    print(", ".join(f"{n} {what}" for what, n in counts.items()))


def run_programs(build):
    """Run the programs of pages, each in a folder of its own. Numbers of agents differ between processors."""
    count = 0
    agents = (build / "include/ns3/odcn-learner.h").exists()
    for number, (page, offset, code) in enumerate(page_programs(agents)):
        expected = "".join(line + "\n" for line in PRINTS.findall(code))
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([build / "odcn-page-programs", str(number)], cwd=folder, capture_output=True, text=True,
                                  timeout=120)
        mask = (lambda text: re.sub(r"[0-9.]+", "#", text)) if TORCH.search(code) else (lambda text: text)
        count += 1
        if done.returncode or mask(done.stdout) != mask(expected):
            complain(page, offset, page.read_text(), f"the program prints {(done.stdout + done.stderr).strip()!r}")
    return count


def check_models():
    """Pages of models begin with a picture and a program, before anything else."""
    for name in MODELS:
        page = ROOT / f"doc/{name}.rst"
        text = page.read_text()
        figure = text.find(".. figure:: ")
        cpp = [(offset, code) for language, offset, code in blocks(page) if language == "cpp"]
        heading = re.search(r"\n\n[^\n]+\n([-=*^~])\1{3,}\n", text[text.index("\n\n", 200):])
        end = text.index("\n\n", 200) + heading.start() if heading else len(text)
        if not 0 <= figure < end:
            complain(page, 0, text, "no picture before the first section")
        if not cpp or cpp[0][0] > end or not re.search(r"^int main", cpp[0][1], re.M) or not PRINTS.search(cpp[0][1]):
            complain(page, 0, text, "no program with what it prints before the first section")
        elif (lines := sum(bool(line) and not PRINTS.match(line) for line in cpp[0][1].split("\n"))) > PROGRAM_LINES:
            complain(page, cpp[0][0], text, f"a program of {lines} lines, expected at most {PROGRAM_LINES}")


def compile_alone(build):
    """Each program, with the includes that its page shows and the options of the snippets."""
    database = json.loads((build / "compile_commands.json").read_text())
    options = next(c["command"] for c in database if "odcn-page-programs.dir" in c["command"])
    options = [o for o in shlex.split(options.split(" -o ")[0])]
    for page, offset, code in page_programs((build / "include/ns3/odcn-learner.h").exists()):
        with tempfile.NamedTemporaryFile("w", suffix=".cc") as file:
            file.write(code)
            file.flush()
            done = subprocess.run([*options, "-fsyntax-only", file.name], cwd=build, capture_output=True, text=True)
        if done.returncode:
            complain(page, offset, page.read_text(), done.stderr)


def check_lengths(page, text):
    """Programs are said to have so many lines: with code, at most that, and not less than half."""
    count = 0
    for m in re.finditer(r"^.*\blines\b.*$", text, re.M):
        sources = [next(ROOT.glob(f"examples/*/{Path(name).stem}.*"), None) for name in re.findall(r"`([a-z/.-]+)`", m[0])]
        sources = [source for source in sources if source]
        numbers = [int(n) for n in re.findall(r"\b(?:in|tutorial of) (\d+)\b", m[0])]
        if not sources or len(sources) != len(numbers):
            continue
        for source, said in zip(sources, numbers):
            count += 1
            lines = source.read_text().split("\n")
            code = sum(bool(re.match(r" *[^ /*#]", line)) for line in lines)
            if not said / 2 <= code <= said or len(lines) > 1.3 * said:
                complain(page, m.start(), text, f"{source.name} has {len(lines)} lines, {code} with code, not {said}")
    return count


def check_training_files(page, text):
    """What a training to --checkpoint=FILE is said to write beside it has the names that it writes."""
    typed = " ".join(command for _, command in commands(page, text))
    for checkpoint in set(re.findall(r"--checkpoint=([\w-]+\.pt)\b", typed)):
        stem = checkpoint.removesuffix(".pt")
        written = {checkpoint + end for end in ("", ".csv", ".html", ".state")}
        for m in re.finditer(rf"``?({stem}[\w.-]*\.(?:pt|csv|html|state))``?", text):
            if m[1] not in written and m[1] not in typed:
                complain(page, m.start(), text, f"a training to {checkpoint} writes no {m[1]}")


def say_patterns():
    """What README says of the recorded table of patterns, computed from it."""
    spec = importlib.util.spec_from_file_location("placements", ROOT / "examples/figures/placements.py")
    table_of = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(table_of)
    table = table_of.read()
    mean = lambda *key: sum(table[key]) / len(table[key])
    span = lambda values: f"{min(values):.2f} to {max(values):.2f}"
    rules = {f: [min(mean(p, f, r) for r in table_of.PUBLISHED) for p in table_of.PATTERNS] for f in table_of.PLACEMENTS}
    sums = [mean(p, "BestFit", table_of.SUM) for p in table_of.PATTERNS]
    less, more, tie = [], [], []
    for pattern in table_of.PATTERNS:
        _, middle, half = table_of.compare(table, pattern, table_of.SUM, "BestFit", table_of.PUBLISHED)
        (less if middle + half < 0 else more if middle - half > 0 else tie).append(pattern)
    text = f"the best published rule blocks {span(rules['BestFit'])} %, without it {span(rules['Balanced'])} %. "
    text += f"With it the sums block {span(sums)} %, less than that rule on {', '.join(less) or 'no pattern'}, and more on {', '.join(more) or 'none'}"
    return text + (f", and within the intervals as much on {', '.join(tie)}" if tie else "") + ". " + say_ahead(table_of, table)


def say_ahead(table_of, table):
    """What README says of what was learnt with lookahead, computed from the recorded tables."""
    ahead = table_of.read(table_of.RECORD.with_name("ahead.csv"))
    share = 0.05 / (len(table_of.PATTERNS + ["mixed"]) * len(table_of.RULES) * len(table_of.PLACEMENTS))
    below = []
    for pattern in table_of.PATTERNS + ["mixed"]:
        own = ahead[pattern, "BestFit", "ahead"]
        rules = [values for key, values in {**table, **ahead}.items() if key[0] == pattern and key[2] not in ("ahead", "sum", "imitation", "evolved")]
        differences = [table_of.interval([a - b for a, b in zip(own, rule)], share) for rule in rules if len(rule) == len(own)]
        if all(middle + half < 0 for middle, half in differences):
            below.append(pattern)
    number = "no one two three four five six".split()[len(set(below) - {"mixed"})]
    text = "With a search of each job's first rack and best fit they are below every rule, the same search on rules included, on"
    jobs = " and on mixed jobs" if "mixed" in below else ""
    return f"{text} [{number} patterns of six{jobs}](doc/results/odcn.md#what-was-learnt-looks-ahead-with-best-fit)."


def check_readme(programs):
    """What README states of policies is what the recorded table of patterns says."""
    page = ROOT / "README.md"
    text = page.read_text()
    if say_patterns() not in " ".join(text.split()):
        complain(page, text.index("Jobs blocked by traffic pattern"), text, f"the recorded table says: {say_patterns()}")
    check_readme_python(programs, page, text)
    # Each cell about odcn in the table of tools leads to a page, or says no.
    rows = re.findall(r"^\| ([^|\n]+) \| ([^|\n]+) \|(?:[^|\n]*\|){6}$", text, re.M)
    if len(rows) < 5:
        complain(page, 0, text, "no table of tools")
    for row in rows:
        if row[1] != "no" and not re.search(r"\]\((doc/[^)]+)\)", row[1]):
            complain(page, text.index(row[0]), text, f"'{row[0]}': nothing shows '{row[1]}'")
    return 1


def check_readme_python(programs, page, text):
    """The Python of README prints the numbers of its last comment."""
    for language, offset, code in blocks(page):
        if language != "python":
            continue
        environment = {**os.environ, "PYTHONPATH": str(programs.build / "python")}
        run = lambda code: subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300)
        if run("import numpy, odcn").returncode:
            left_out.append("README.md: Python without numpy and odcn (./ns3 build odcn-python)")
            continue
        said = run(code)
        expected = re.findall(r"\d\.\d+", code.rsplit("#", 1)[1])
        if said.returncode or re.findall(r"\d\.\d+", said.stdout) != expected:
            complain(page, offset, text, f"prints {said.stdout + said.stderr}")


def run_for_real(programs, page, text, folder, ran):
    """Run a page's commands that take seconds, once each, from an empty folder, then the Python of a guide. What a
    program alone prints is what the page shows, up to numbers, which other versions of ns-3 may change."""
    expected = re.search(r"literalinclude:: (?:\.\./)+(test/data/[a-z-]*(?:first|schedule)\.txt)", text)
    (folder / "test").symlink_to(ROOT / "test")
    count = 0
    for offset, command in commands(page, text):
        found = re.match(r'\./ns3 run "?([^"]*)"?$', command)
        words = shlex.split(found[1]) if found else []
        quick = words and (QUICK.match(found[1]) or page.name in GUIDES and re.match("odcn-drl|optical-fabrics", found[1]))
        again = found and found[1] in ran and not (expected and len(words) == 1)
        if not quick or again or not (programs.build / "bin" / words[0]).exists():
            continue
        ran.add(found[1])
        done = subprocess.run([programs.build / "bin" / words[0], *words[1:]], cwd=folder, capture_output=True, text=True,
                              timeout=120)
        count += 1
        if done.returncode:
            complain(page, offset, text, f"{command}: {done.stderr}")
        elif expected and len(words) == 1:
            shown = (ROOT / expected[1]).read_text()
            mask = lambda output: re.sub(r"[0-9.]+", "#", output)
            if mask(shown) != mask(done.stdout):
                complain(page, offset, text, f"prints something else than {expected[1]}")
            elif shown != done.stdout:
                print(f"advice: {command} prints other numbers than {expected[1]}")
    for language, offset, code in blocks(page):
        if page.name not in GUIDES:
            continue
        if language == "python" and "pandas" in code and not importlib.util.find_spec("pandas"):
            left_out.append(f"{page.relative_to(ROOT)}: Python without pandas (Debian: apt install python3-pandas)")
        elif language == "python":
            done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=60)
            count += 1
            if done.returncode:
                complain(page, offset, text, done.stderr.strip().split("\n")[-1])
    return count


if sys.argv[1:2] == ["cpp"] and len(sys.argv) == 5:
    write_cpp(Path(sys.argv[2]), False)
    write_cpp(Path(sys.argv[3]), True)
    write_programs(Path(sys.argv[4]))
elif sys.argv[1:2] == ["alone"] and len(sys.argv) == 3:
    compile_alone(Path(sys.argv[2]).resolve())
    print("\n".join(problems + [f"{len(problems)} problems"]))
    sys.exit(1 if problems else 0)
elif sys.argv[1:2] == ["check"] and len(sys.argv) == 3:
    check(Path(sys.argv[2]).resolve())
    print("\n".join(problems + [f"{len(problems)} problems"]))
    print("\n".join(f"not tested: {what}" for what in left_out))
    sys.exit(1 if problems else 77 if left_out else 0)
else:
    sys.exit(__doc__)
