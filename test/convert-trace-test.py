#!/usr/bin/env python3
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Formats of examples/odcn-convert-trace.py on rows computed by hand, every reason for leaving a row out, refusals in one
line, scaling, a real sample, and damaged files."""

import contextlib
import csv
import gzip
import importlib.util
import io
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "examples/odcn-convert-trace.py"
SAMPLE = ROOT / "test/data/alibaba-batch-task-random50.csv"
spec = importlib.util.spec_from_file_location("converter", PROGRAM)
converter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(converter)


class ConverterTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.input, self.output = Path(folder.name, "trace"), Path(folder.name, "output.csv")

    def convert(self, text, *options):
        """What was read, and the rows of the output."""
        if isinstance(text, str):
            self.input.write_bytes(text.encode("utf-8", "surrogateescape"))
        path = text if isinstance(text, Path) else self.input
        trace = converter.convert(converter.parse_options([*options, str(path), str(self.output)]))
        self.assertEqual(os.listdir(self.output.parent).count("output.csv"), 1)
        self.assertLessEqual(len(os.listdir(self.output.parent)), 2, "no temporary file is left")
        with open(self.output, newline="") as file:
            return trace, list(csv.DictReader(file))

    def refusal(self, text, *options):
        """The error, with FILE in place of the file."""
        with self.assertRaises(converter.TraceError) as raised:
            self.convert(text, *options)
        return str(raised.exception).replace(str(self.input), "FILE")

    def used(self, trace):
        return trace.read - sum(trace.left_out.values())


class Alibaba2018(ConverterTest):
    RAW = ("--to=odcn", "--format=alibaba-2018", "--meanGap=0", "--offeredCores=0")
    GOOD = "M1,1,good,,Terminated,100,110,100,1\n"

    def pairs(self, row):
        """The pairs of a job, which name VMs that it has, each pair once."""
        pairs = [tuple(map(int, pair.split(">"))) for pair in row["pairs"].split("|") if pair]
        vms = len(row["vms"].split("|"))
        self.assertEqual(len(set(pairs)), len(pairs))
        for source, destination in pairs:
            self.assertNotEqual(source, destination)
            self.assertLess(max(source, destination), vms)
        return set(pairs)

    def test_maps_tasks_to_vms(self):
        # Task 1 is the smallest, so it is last after sorting; 2 and 3 read from it, 4 from both.
        trace, rows = self.convert("M1,1,j,,Terminated,100,110,50,0.5\n"
                                   "R2_1,2,j,,Terminated,110,130,100,1\n"
                                   "R3_1,3,j,,Terminated,110,125,100,1\n"
                                   "J4_2_3_Stg7,100,j,,Terminated,130,140,100,1\n", *self.RAW)
        self.assertEqual(len(rows), 1)
        self.assertEqual((rows[0]["arrival"], rows[0]["duration"]), ("0", "40"))
        # 1 % of 256 GB an instance; 20 GB of disk a core; the last one limited to 16 cores and 122 GB.
        self.assertEqual(rows[0]["vms"], "16:122:320|3:7.68:60|2:5.12:40|0.5:1.28:10")
        self.assertEqual(self.pairs(rows[0]), {(3, 2), (3, 1), (2, 0), (1, 0)})
        self.assertEqual(trace.figures["VMs cut to the largest"], 1)
        self.assertEqual(self.used(trace), 4)

    def test_maps_instances_to_vms(self):
        _, rows = self.convert("M1,2,j,,Terminated,100,110,100,1\nR2_1,50,j,,Terminated,110,130,50,1\n", *self.RAW,
                               "--vms=instance", "--maxInstances=4")
        self.assertEqual(len(rows), 1)
        self.assertEqual(rows[0]["vms"], "|".join(2 * ["1:2.56:20"] + 4 * ["0.5:2.56:10"]))
        self.assertEqual(self.pairs(rows[0]), {(0, 2), (1, 3), (0, 4), (1, 5)})

    def test_leaves_out_pairs(self):
        text = ("M1,1,j,,Terminated,100,110,100,1\nM2,1,j,,Terminated,100,110,100,1\n"
                "task_Abc1,1,j,,Terminated,100,110,100,1\n")
        self.assertEqual(self.convert(text, *self.RAW)[1][0]["pairs"], "")
        self.assertNotIn("pairs", self.convert(text, *self.RAW, "--no-pairs")[1][0])

    def test_counts_each_reason(self):
        bad_name = "task name is empty, taken, or needs itself"
        incomplete = "another row of the job was skipped"
        times = "start_time or end_time is empty, 0 or negative"
        for rows, reason, count in (
                ("M1,1,j,,Failed,100,110,100,1\n", "status is not Terminated", 1),
                ("M1,,j,,Running,0,0,,\n", "status is not Terminated", 1),
                ("M1,,j,,Terminated,100,110,100,1\n", "instance_num is empty or 0", 1),
                ("M1,0,j,,Terminated,100,110,100,1\n", "instance_num is empty or 0", 1),
                ("M1,1,j,,Terminated,100,110,,1\n", "plan_cpu is empty or 0", 1),
                ("M1,1,j,,Terminated,100,110,0,1\n", "plan_cpu is empty or 0", 1),
                ("M1,1,j,,Terminated,100,110,100,\n", "plan_mem is empty", 1),
                ("M1,1,j,,Terminated,0,110,100,1\n", times, 1),
                ("M1,1,j,,Terminated,100,,100,1\n", times, 1),
                ("M1,1,j,,Terminated,100,-1,100,1\n", times, 1),
                ("M1,1,j,,Terminated,100,99,100,1\n", "end_time is before start_time", 1),
                (",1,j,,Terminated,100,110,100,1\n", bad_name, 1),
                ("M1_1,1,j,,Terminated,100,110,100,1\n", bad_name, 1),
                ("M1,1,j,,Terminated,100,110,100,1\nR1_2,1,j,,Terminated,100,110,100,1\n", bad_name, 1),
                ("M1,1,j,,Terminated,100,110,100,1\nR1_2,1,j,,Terminated,100,110,100,1\n", incomplete, 1),
                ("M1,1,j,,Terminated,100,110,100,1\nM2,1,j,,Failed,1,1,1,1\n", incomplete, 1),
                ("M1,1,j,,Terminated,100,100,100,1\nM2,1,j,,Terminated,100,100,100,1\n",
                 "job begins and ends in the same second", 2)):
            with self.subTest(rows=rows, reason=reason):
                trace, jobs = self.convert(rows + self.GOOD, *self.RAW)
                self.assertEqual(trace.left_out[reason], count)
                self.assertEqual(self.used(trace), 1)
                self.assertEqual(trace.figures["jobs in the trace"], 2)
                self.assertEqual(trace.figures["jobs used"], 1)
                self.assertEqual(len(jobs), 1)
                self.assertIn(f"  {count} skipped: {reason}", list(converter.report(trace)))

    def test_keeps_the_limits_on_vms(self):
        text = "".join(f"{task},1,{job},,Terminated,100,110,100,1\n" for task, job in
                       (("M1", "one"), ("M1", "two"), ("M2", "two"), ("M1", "three"), ("M2", "three"), ("R9_8", "three")))
        self.assertEqual(self.convert(text, *self.RAW)[0].figures["dependencies on absent tasks"], 1)
        trace, jobs = self.convert(text, *self.RAW, "--minVms=2", "--maxVms=2")
        self.assertEqual(trace.left_out["job has fewer VMs than minVms"], 1)
        self.assertEqual(trace.left_out["job has more VMs than maxVms"], 3)
        self.assertEqual(trace.figures["dependencies on absent tasks"], 0)
        self.assertEqual(jobs[0]["vms"].count("|"), 1)

    def test_reads_marked_texts_and_pipes(self):
        text = ("\ufeffjob_name,plan_mem,plan_cpu,start_time,end_time,status,instance_num,task_name\n"
                "j,1,200,5,7,Terminated,1,M1\n")
        for content in (text.encode(), gzip.compress(text.encode())):
            self.assertEqual(self.convert(text, *self.RAW)[1][0]["vms"], "2:2.56:40")
            done = subprocess.run([PROGRAM, *self.RAW, "/dev/stdin", self.output], input=content, capture_output=True, check=False)
            self.assertIn(b"1 read = 1 used", done.stdout + done.stderr)

    def test_reads_columns_by_header(self):
        trace, jobs = self.convert("plan_mem,plan_cpu,start_time,end_time,more,status,job_name,instance_num,task_name\r\n"
                                   "1,200,5,7,x,Terminated,j,1,M1\r\n"
                                   "1,100,8,9,,Terminated,k,1,M1", *self.RAW)
        self.assertEqual([job["vms"] for job in jobs], ["2:2.56:40", "1:2.56:20"])
        self.assertEqual(jobs[1]["arrival"], "3")
        self.assertEqual(trace.read, 2)
        self.refusal("task_name,job_name\nM1,j\n", *self.RAW)

    def test_refuses_malformed_rows_with_their_line(self):
        for row, value in (("M1,1,j,,Terminated,100,110,100", "M1,1,j,,Terminated,100,110,100"), ("", ""),
                           ("M1,1,,,Terminated,100,110,100,1", ""), ("M1,x,j,,Terminated,100,110,100,1", "x"),
                           ("M1,-1,j,,Terminated,100,110,100,1", "-1"), ("M1,1.5,j,,Terminated,100,110,100,1", "1.5"),
                           ("M1,1,j,,Terminated,1x,110,100,1", "1x"),
                           ("M1,1,j,,Terminated,100,inf,100,1", "inf"), ("M1,1,j,,Terminated,100,110,nan,1", "nan"),
                           ("M1,1,j,,Terminated,100,110,-100,1", "-100"), ("M1,1,j,,Terminated,100,110,100,-1", "-1"),
                           ("M1,1,j,,Terminated,100,110,100,101", "101")):
            with self.subTest(row=row):
                text = self.GOOD + row + "\n"
                for options in (self.RAW, ("--to=cluster", "--format=alibaba-2018")):
                    self.assertTrue(self.refusal(text, *options).startswith(f"FILE:2: found '{value}', expected "))
                trace, _ = self.convert(text, *self.RAW, "--skipMalformed")
                self.assertEqual(trace.left_out["malformed row"], 1)
                self.assertEqual(self.used(trace), 1)
        self.refusal("", *self.RAW)
        self.refusal("M1,1,j,,Failed,100,110,100,1\n", *self.RAW)
        with self.assertRaises(OSError):
            self.convert(Path("absent"), *self.RAW)

    def test_accounts_for_every_row_of_real_data(self):
        trace, jobs = self.convert(SAMPLE, *self.RAW[:2])
        self.assertEqual(trace.read, 197)
        self.assertEqual(trace.left_out["status is not Terminated"], 2)
        self.assertEqual(trace.left_out["job begins and ends in the same second"], 3)
        self.assertEqual(trace.figures["jobs in the trace"], 50)
        self.assertEqual(trace.figures["jobs used"], 47)
        self.assertEqual(len(jobs), 47)
        arrivals = [float(job["arrival"]) for job in jobs]
        self.assertEqual(arrivals, sorted(arrivals))
        self.assertEqual([int(job["job"]) for job in jobs], list(range(47)))
        work = in_window = vms = 0
        for job, arrival in zip(jobs, arrivals):
            duration, sizes = float(job["duration"]), [float(vm.split(":")[0]) for vm in job["vms"].split("|")]
            self.assertGreater(duration, 0)
            self.pairs(job)
            vms += len(sizes)
            work += sum(sizes) * duration
            in_window += sum(sizes) * min(duration, arrivals[-1] - arrival)
        self.assertEqual(vms, trace.figures["VMs"])
        # One arrival a unit, and Little's law.
        self.assertAlmostEqual(arrivals[-1], 46, 9)
        self.assertAlmostEqual(work / 47, 13299, 6)
        self.assertAlmostEqual(trace.figures["offered cores in the long run"], 13299, 6)
        self.assertAlmostEqual(trace.figures["offered cores from the first to the last arrival"], in_window / 46, 6)

    def test_scaling_keeps_the_shape(self):
        raw, before = self.convert(SAMPLE, *self.RAW)
        trace, after = self.convert(SAMPLE, *self.RAW[:2], "--meanGap=2", "--offeredCores=100")
        self.assertEqual(len(before), len(after))
        self.assertEqual(raw.figures["factor of arrivals"], 1)
        self.assertEqual(raw.figures["factor of durations"], 1)
        self.assertAlmostEqual(trace.figures["offered cores in the long run"], 100, 9)
        self.assertAlmostEqual(float(after[-1]["arrival"]), 2 * 46, 9)
        for old, new in zip(before, after):
            for name, factor in (("arrival", "factor of arrivals"), ("duration", "factor of durations")):
                self.assertAlmostEqual(float(new[name]), float(old[name]) * trace.figures[factor], 9)
            self.assertEqual(new["vms"], old["vms"])
        self.refusal("M1,1,j,,Terminated,100,110,100,1\n", *self.RAW[:2], "--offeredCores=0")

    def test_repeats(self):
        jobs = self.convert(SAMPLE, *self.RAW[:2], "--repeat=3")[1]
        self.assertEqual(len(jobs), 3 * 47)
        self.assertEqual([int(job["job"]) for job in jobs], list(range(3 * 47)))
        for i in range(47, len(jobs)):
            self.assertAlmostEqual(float(jobs[i]["arrival"]), float(jobs[i - 47]["arrival"]) + 47, 9)
            self.assertGreaterEqual(float(jobs[i]["arrival"]), float(jobs[i - 1]["arrival"]))
            self.assertEqual((jobs[i]["duration"], jobs[i]["vms"]), (jobs[i - 47]["duration"], jobs[i - 47]["vms"]))

    def test_survives_damage(self):
        whole, draw = SAMPLE.read_text(), random.Random(5)
        for _ in range(300):
            text = whole
            for _ in range(5):
                at = draw.randrange(len(text))
                damage = chr(draw.randrange(256)) if draw.randrange(2) else ""
                text = text[:at] + damage + text[at + (1 if damage else draw.randrange(30)):]
            trace, jobs = self.convert(text, *self.RAW, "--skipMalformed")
            self.assertEqual(len(jobs), trace.figures["jobs used"])

    def test_gives_cluster_jobs(self):
        options = ("--to=cluster", "--format=alibaba-2018")
        trace, rows = self.convert("M1,2,j_1,1,Terminated,1000,1090,150,0.5\n"
                                   "M2,2,j_1,1,Terminated,1030,1030,50,0.25\r\n"
                                   "M3,2,j_1,1,Failed,1030,1030,50,0.25\n"
                                   "M4,2,j_1,1,Terminated,1030,1040,,0.25\n"
                                   "M5,2,j_1,1,Terminated,1030,1040,50,\n"
                                   "M6,2,j_1,1,Terminated,1030,0,50,0.1\n"
                                   "M7,2,j_1,1,Terminated,1030,1020,50,0.1\n", *options,
                                   "--timeUnit=30", "--cpuUnit=0.5", "--memoryUnit=0.1")
        self.assertEqual([tuple(row.values()) for row in rows], [("0", "3", "3", "5"), ("1", "1", "1", "3")])
        self.assertEqual(trace.read, 7)
        self.assertEqual(sorted(trace.left_out.values()), 5 * [1])
        self.assertIn("FILE:1:", self.refusal("a,b\n", *options))
        trace, rows = self.convert(SAMPLE, *options)
        self.assertGreater(len(rows), 100)
        self.assertEqual(self.used(trace), len(rows))


class Alibaba2025(ConverterTest):
    OPTIONS = ("--to=rddc", "--format=alibaba-2025")
    HEADER = "instance_sn,cpu_request,gpu_request,memory_request,creation_time,scheduled_time,deletion_time\n"
    # Four usable rows, not in order, and one for each reason.
    ROWS = HEADER + ("late,192,0,1000.0,400.0,400.0,500.0\n"
                     "first,3,0,16.0,100.0,110.0,130.0\n"
                     "before,64,0,320.0,,,200.0\n"
                     "lasts,64,0,320.0,50.0,50.0,\n"
                     "neither,0,1,0.0,100.0,100.0,200.0\n"
                     "momentary,8,0,40.0,100.0,100.0,100.0\n"
                     "backwards,8,0,40.0,100.0,90.0,200.0\n"
                     "huge,194,0,40.0,100.0,100.0,200.0\n"
                     "twin,4,0,0.0,250.0,250.0,350.0\n"
                     "other twin,0,0,17.0,250.0,250.0,260.0\n")

    def test_maps_rows_in_order_of_arrival(self):
        # Cores / 1.5 and GiB / 8, rounded up; held from scheduled to deleted.
        trace, rows = self.convert(self.ROWS, *self.OPTIONS)
        self.assertEqual([tuple(row.values()) for row in rows],
                         [("100", "2", "2", "20"), ("250", "3", "0", "100"), ("250", "0", "3", "10"), ("400", "128", "125", "100")])
        self.assertEqual(trace.figures["mean gap"], 100)
        self.assertEqual(trace.figures["mean CPU units"], 133 / 4)
        self.assertEqual(trace.figures["mean memory units"], 130 / 4)
        self.assertEqual(trace.figures["mean holding time"], 230 / 4)

    def test_counts_every_row(self):
        trace, _ = self.convert(self.ROWS, *self.OPTIONS)
        self.assertEqual(set(converter.report(trace)) & {
            "rows: 10 read = 4 used + 6 skipped", "  1 skipped: there before the trace began",
            "  1 skipped: still there when the trace ended", "  2 skipped: deleted when scheduled or earlier",
            "  1 skipped: neither CPU nor memory", "  1 skipped: larger than maxRequest"}, set(list(converter.report(trace))[:6]))

    def test_units_are_options(self):
        _, rows = self.convert(self.ROWS, *self.OPTIONS, "--coresPerUnit=1", "--gibPerUnit=16", "--maxRequest=200")
        self.assertEqual(len(rows), 5)
        self.assertEqual((rows[0]["cpu"], rows[0]["memory"]), ("3", "1"))
        self.assertEqual(rows[1]["cpu"], "194", "within maxRequest now")
        self.assertEqual(rows[4]["memory"], "63")

    def test_refuses_what_cannot_be_read(self):
        for text, error in (
                ("", "FILE: found 'an empty file', expected a header"),
                ("cpu_request,creation_time\n", "FILE:1: found 'cpu_request,creation_time', expected a header with a column memory_request"),
                (self.HEADER + "a,1,0,8,1,1,2\nb,1,0,8,1,1\n", "FILE:3: found 'b,1,0,8,1,1', expected 7 columns"),
                (self.HEADER + "a,many,0,8,1,1,2\n", "FILE:2: found 'many', expected in column cpu_request nothing, or 0 to 1e+06"),
                (self.HEADER + "a,1,0,-8,1,1,2\n", "FILE:2: found '-8', expected in column memory_request nothing, or 0 to 1e+09"),
                (self.HEADER + "a,1,0,8,1,,2\n", "FILE: found '1 rows, none of them usable', expected at least one usable row")):
            self.assertEqual(self.refusal(text, *self.OPTIONS), error)
        with self.assertRaises(OSError):
            self.convert(Path("/absent/requests.csv"), *self.OPTIONS)

    def test_skips_malformed_rows_if_told(self):
        trace, rows = self.convert(self.HEADER + "a,1,0,8,1,1,NaN\nb,1,0,8,1\nc,x,0,8,1,1,2\nd,1,0,8,1,1,2\n", *self.OPTIONS,
                                   "--skipMalformed")
        self.assertEqual(len(rows), 1)
        self.assertEqual(trace.left_out["malformed row"], 2)
        self.assertEqual(trace.left_out["still there when the trace ended"], 1, "NaN is an empty field")


class Swf(ConverterTest):
    OPTIONS = ("--to=cluster", "--format=swf")
    # Six rows, three of which are jobs that ran.
    ROWS = ("; Version: 2.2\n"
            ";   MaxProcs:  64\n"
            "; a comment without a directive\n"
            "\n"
            " 1 100 5 120 4 100 1048576 8 600 -1 1 1 1 -1 1 -1 -1 -1\n"
            "\t2 130 5 61 -1 -1 -1 2 600 524288 0 1 1 -1 1 -1 -1 -1\r\n"
            "3 140 5 -1 4 -1 -1 4 600 -1 5 1 1 -1 1 -1 -1 -1\n"
            "4 150 5 10 -1 -1 -1 -1 600 -1 1 1 1 -1 1 -1 -1 -1\n"
            "5 -7 5 10 1 -1 -1 -1 600 -1 1 1 1 -1 1 -1 -1 -1\n"
            "6 340 5 900.5 3 -1 -1 3 600 -1 1 1 1 -1 1 -1 -1 -1")
    SOUND = "1 100 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n"

    def test_reads_jobs(self):
        trace, rows = self.convert(self.ROWS, *self.OPTIONS, "--cpuUnit=2", "--maxDuration=15")
        # Job 1: 120 s, 4 processors, 1 GiB each. Job 2: 61 s, 2 requested processors, half a GiB each.
        # Job 6: 901 s are truncated to 15 slots; its memory is unknown.
        self.assertEqual([tuple(row.values()) for row in rows],
                         [("0", "2", "2", "4"), ("0.5", "2", "1", "1"), ("4", "15", "2", "0")])
        self.assertEqual(trace.read, 6)
        self.assertEqual(trace.left_out, {"no run time": 1, "no processors": 1, "negative time": 1})
        self.assertEqual(trace.figures["jobs cut to maxDuration"], 1)
        self.assertEqual(trace.figures["jobs cut to maxUnits"], 0)
        self.assertEqual(trace.headers, {"Version": "2.2", "MaxProcs": "64"})
        self.assertIn("rows: 6 read = 3 used + 3 skipped", converter.report(trace))
        # Half the arrival times, and at most one unit.
        trace, rows = self.convert(self.ROWS, *self.OPTIONS, "--arrivalFactor=0.5", "--maxUnits=1", "--maxDuration=15")
        self.assertEqual(tuple(rows[2].values()), ("2", "15", "1", "0"))
        self.assertEqual(trace.figures["jobs cut to maxUnits"], 3)

    def test_leaves_out_parts_of_checkpointed_jobs(self):
        # A job of 100 s on 4 processors, its parts of 40 and 60 s, and one whose last part failed.
        whole = "1 0 0 100 4 -1 -1 4 600 -1 1 1 1 -1 1 -1 -1 -1\n"
        parts = "1 0 0 40 4 -1 -1 4 600 -1 2 1 1 -1 1 -1 -1 -1\n1 50 0 60 4 -1 -1 4 600 -1 3 1 1 -1 1 -1 -1 -1\n"
        failed = "2 200 0 60 4 -1 -1 4 600 -1 4 1 1 -1 1 -1 -1 -1\n"
        trace, rows = self.convert(whole + parts + failed, *self.OPTIONS)
        self.assertEqual([tuple(row.values()) for row in rows], [("0", "2", "4", "0")])
        self.assertEqual(trace.left_out, {"part of a job (status 2 to 4)": 3})

    def test_refuses_broken_rows(self):
        for line, words in (("1 100 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1\n", "18 fields"),
                            ("1 100 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1 7\n", "18 fields"),
                            ("1 100 5 twelve 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n", "'twelve'"),
                            ("1 100 5 120 4 nan 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n", "'nan'"),
                            ("1 1e999 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n", "'1e999'"),
                            (100 * "\0" + "\n", "18 fields")):
            text = "; x\n" + self.SOUND + line + self.SOUND
            error = self.refusal(text, *self.OPTIONS)
            self.assertIn("FILE:3:", error)
            self.assertIn(words, error)
            trace, rows = self.convert(text, *self.OPTIONS, "--skipMalformed")
            self.assertEqual((len(rows), trace.left_out["malformed row"]), (2, 1))
        self.assertIn("an empty file", self.refusal("", *self.OPTIONS))
        self.refusal("; only a comment", *self.OPTIONS)
        with self.assertRaises(OSError):
            self.convert(Path("absent"), *self.OPTIONS)

    def test_refuses_times_that_would_take_for_ever(self):
        job = "1 {} 5 120 4 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n"
        options = (*self.OPTIONS, "--timeUnit=1")
        self.assertEqual(self.convert(job.format(0) + job.format(100000000), *options)[1][1]["arrival"], "100000000")
        self.assertIn("FILE:2: found 'a job 100000001 slots after the first', expected at most 100000000",
                      self.refusal(job.format(0) + job.format(100000001), *options))
        self.assertIn("at most 100000000", self.refusal(job.format(0) + job.format("1e300"), *options))

    def test_prints_headers_without_control_characters(self):
        trace, _ = self.convert("; Na\x1b]0;me: \x1b[2J" + 5000 * "x" + "\n" + self.SOUND, *self.OPTIONS)
        text = "\n".join(map(converter.escape, converter.report(trace)))
        self.assertIn("header: Na\\x1b]0;me: \\x1b[2Jxxx", text)
        self.assertNotIn("\x1b", text)
        self.assertLess(len(text), 2000)

    def test_puts_rows_in_order(self):
        text = "".join(f"1 {second} 5 60 1 100 1 8 600 -1 1 1 1 -1 1 -1 -1 -1\n" for second in (300, 60, 240, 180, 0, 120))
        self.assertEqual([row["arrival"] for row in self.convert(text, *self.OPTIONS)[1]], ["0", "1", "2", "3", "4", "5"])

    def test_reads_compressed_files(self):
        packed = gzip.compress(self.ROWS.encode())
        self.input.write_bytes(packed)
        self.assertEqual(len(self.convert(self.input, *self.OPTIONS)[1]), 3)
        for damaged in (packed[:-12], packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:]):
            self.input.write_bytes(damaged)
            self.assertIn("damaged", self.refusal(self.input, *self.OPTIONS))


class Cerit(ConverterTest):
    OPTIONS = ("--to=cluster", "--format=cerit", "--timeUnit=3600", "--cpuUnit=4", "--memoryUnit=2")
    HEADER = "job_id,submit_unix_s,wait_s,runtime_s,procs,req_mem_bytes\n"

    def test_reads_jobs(self):
        trace, rows = self.convert(self.HEADER + "0,1356996147,0,7200,12,4294967296\n1,1356999747,0,1,1,1\n2,1356999748,0,0,1,1\n"
                                   "3,1356999749,0,10,0,1\n4,1356999749,0,10,1,0\n5,1356999749,0,-10,1,1\n", *self.OPTIONS)
        self.assertEqual([tuple(row.values()) for row in rows], [("0", "2", "3", "2"), ("1", "1", "1", "1")])
        self.assertEqual(trace.read, 6)
        self.assertIn("empty", self.refusal("", *self.OPTIONS))
        self.assertIn("column submit_unix_s", self.refusal("a,b\n", *self.OPTIONS))
        self.assertIn("6 columns", self.refusal(self.HEADER + "0,1,2\n", *self.OPTIONS))
        self.assertIn("FILE:2:", self.refusal(self.HEADER + "0,1,2,x,4,5\n", *self.OPTIONS))


class Columns(ConverterTest):
    def values(self, text, columns):
        """gap and memory (default 0) of requests."""
        rows = self.convert(text, "--to=rddc", f"--columns={columns},cpu=1,holding=1")[1]
        return [(float(row["gap"]), float(row["memory"])) for row in rows]

    def test_evaluates_expressions(self):
        self.assertEqual(self.values("memory,gap\n1,2\n3,4\n", "arrival=0"), [(2, 1), (4, 3)])
        self.assertEqual(self.values("x,y z,w\n1,2,5\n3,4,6\n", "gap=y z,memory=w - x"), [(2, 4), (4, 3)])
        self.assertEqual(self.values("x,y\n8,2\n", "gap=x/y*3-1+y*x/4, memory = 25e-2*x"), [(15, 2)])
        self.assertEqual(self.values("x\n-3\n", "gap=0-x"), [(3, 0)])
        self.assertEqual(self.values("gap\n120\n", "gap=gap/60"), [(2, 0)])

    def test_takes_the_default_where_there_is_none(self):
        self.assertEqual(self.values("gap\n1\n", "arrival=0"), [(1, 0)])
        self.assertEqual(self.values("gap,memory\n1,\n2,NaN\n3,4\n", "arrival=0"), [(1, 0), (2, 0), (3, 4)])
        self.assertEqual(self.values("gap,x\n1,\n", "memory=x+1"), [(1, 0)])

    def test_refuses_in_one_line(self):
        for text, columns, error in (
                ("a\n1\n", "c=a", "columns: found 'c=a', expected QUANTITY=EXPRESSION with one of arrival, duration, cpu, memory"),
                ("a\n1\n", "cpu", "columns: found 'cpu', expected QUANTITY=EXPRESSION with one of arrival, duration, cpu, memory"),
                ("a\n1\n", "cpu=a,cpu=1", "columns: found 'cpu=1', expected each quantity once"),
                ("a\n1\n", "cpu=a*", "columns: found 'a*', expected columns and numbers joined by +, -, *, / and |"),
                ("x\n1\n", "arrival=1,duration=1", "FILE:1: found 'x', expected a header with a column cpu"),
                ("x\n1\n", "arrival=1,duration=1,cpu=y", "FILE:1: found 'x', expected a header with a column y"),
                ("", "arrival=1", "FILE: found 'an empty file', expected a header"),
                ("a\n1\n2,3\n", "arrival=a,duration=a,cpu=a", "FILE:3: found '2,3', expected 1 columns"),
                ("a\nmany\n", "arrival=a,duration=a,cpu=a", "FILE:2: found 'many', expected in column a nothing, or a number"),
                ("a,b\n,1\n", "arrival=a,duration=b,cpu=b", "FILE:2: found ',1', expected a value of arrival"),
                ("a\n0\n", "arrival=1/a,duration=1,cpu=1", "FILE:2: found '0', expected a finite value of arrival")):
            with self.subTest(columns=columns, text=text):
                self.assertEqual(self.refusal(text, "--to=cluster", f"--columns={columns}"), error)
        trace, rows = self.convert("arrival,duration,cpu\nx,1,1\n5,1,1\n", "--to=cluster", "--skipMalformed")
        self.assertEqual((len(rows), trace.read), (1, 2), "skipped")

    def test_gives_jobs_of_equal_vms(self):
        _, rows = self.convert("submit,start,end,cpu,n,gb\n60,90,100,50,0.2,8\n0,10,70,400,3,0.5\n", "--to=odcn",
                               "--columns=arrival=submit/60,duration=end/60-start/60,cores=cpu/100,vms=n,memory=gb")
        self.assertEqual([row["job"] for row in rows], ["0", "1"])
        self.assertEqual([row["arrival"] for row in rows], ["0", "1"])
        self.assertAlmostEqual(float(rows[0]["duration"]), 1, 12)
        self.assertEqual([row["vms"] for row in rows], ["4:0.5:0|4:0.5:0|4:0.5:0", "0.5:8:0"])

    def test_refuses_what_is_no_job(self):
        for row, error in (
                ("-5,1,2,4\n", "FILE:3: found '-5', expected 0 or more as arrival"),
                ("5,0,2,4\n", "FILE:3: found '0', expected more than 0 as duration"),
                ("5,1,0,4\n", "FILE:3: found '0', expected more than 0, 1e+06 at most as vms"),
                ("5,1,2,-4\n", "FILE:3: found '-4', expected 0.0005 to 1e+09 as cores"),
                ("5,1,2,0\n", "FILE:3: found '0', expected 0.0005 to 1e+09 as cores")):
            self.assertEqual(self.refusal("arrival,duration,vms,cores\n5,1,2,4\n" + row, "--to=odcn"), error)
        self.convert("arrival,duration,vms,cores\n5,1,2,4\n5,1,2,4\n", "--to=odcn")
        self.refusal("arrival,duration,cores\n", "--to=odcn")

    def test_gives_requests(self):
        _, rows = self.convert("t0,t1,c\n100,130,8\n160,190,15\n", "--to=rddc", "--columns=arrival=t0/10,cpu=c/4,holding=t1-t0")
        self.assertEqual([tuple(row.values()) for row in rows], [("10", "2", "0", "30"), ("16", "4", "0", "30")])
        for row, error in (("-1,1,1,1\n", "FILE:2: found '-1', expected 0 or more as gap"),
                           ("1,1,-1,1\n", "FILE:2: found '-1', expected 0 to 1e+09 as memory"),
                           ("1,1,1,0\n", "FILE:2: found '0', expected more than 0 as holding")):
            self.assertEqual(self.refusal("gap,cpu,memory,holding\n" + row, "--to=rddc"), error)
        trace, _ = self.convert("gap,cpu,memory,holding\n1,0,0,1\n1,1,0,1\n", "--to=rddc")
        self.assertEqual(trace.left_out, {"neither CPU nor memory": 1})

    def test_gives_cluster_jobs(self):
        _, rows = self.convert("id,from,to,procs\n1,60,180,2\n2,120,130,400\n", "--to=cluster",
                               "--columns=arrival=from,duration=to-from,cpu=procs/2")
        self.assertEqual([tuple(row.values()) for row in rows], [("0", "2", "1", "0"), ("1", "1", "10", "0")], "cut to maxUnits")

    def test_gives_tasks_of_what_there_is(self):
        _, rows = self.convert("day,minute,gb,source\n1,300,800,2\n1,240,900,\n3,30,700,0\n", "--to=icci",
                               "--columns=arrival=minute/60,data=gb")
        self.assertEqual([tuple(row.values()) for row in rows],
                         [("1", "5", "800", "2"), ("1", "4", "900", ""), ("3", "0.5", "700", "0")])
        self.assertEqual(self.refusal("workers\n2\n", "--to=icci"), "FILE:2: found '2', expected 3 to 10 as workers")


class Program(ConverterTest):
    def test_refuses_headers_that_can_be_read_in_two_ways(self):
        for text, options, words in (
                ("arrival,duration,cpu,cpu\n0,60,1,2\n", ["--to=cluster"], "FILE:1: found 'cpu', expected each column once"),
                ("repeat,duration,cpu\n60,60,1\n", ["--to=cluster", "--columns=arrival=repeat"],
                 "FILE:1: found 'repeat', expected a column of another name: the map means the option"),
                ("cpu,memory,holding\n1,2,3\n", ["--to=rddc"],
                 "FILE:1: found 'cpu,memory,holding', expected a header, or a map, with one of arrival and gap"),
                ("arrival,gap,cpu,holding\n5,1,1,3\n", ["--to=rddc"],
                 "FILE:1: found 'arrival,gap,cpu,holding', expected a header, or a map, with one of arrival and gap"),
                ("gap,cpu,holding\n1,1,3\n,4,6\n", ["--to=rddc"], "FILE:3: found ',4,6', expected a value of gap"),
                ("day,workers\n1,4.5\n", ["--to=icci"], "FILE:2: found '4.5', expected a whole number as workers")):
            self.assertEqual(self.refusal(text, *options), words)

    def test_takes_the_time_that_the_map_names(self):
        _, rows = self.convert("arrival,gap,cpu,holding\n1,1,1,3\n1,7,4,6\n", "--to=rddc", "--columns=gap=gap*2")
        self.assertEqual([row["gap"] for row in rows], ["2", "14"])

    def test_passes_over_empty_alternatives(self):
        _, rows = self.convert("a,b,duration,cpu\n,5,60,1\n65,,60,1\n0,,60,1\n", "--to=cluster", "--columns=arrival=a|b")
        self.assertEqual([row["arrival"] for row in rows], ["0", repr(5 / 60), repr(65 / 60)])
        self.assertEqual(self.refusal("a,b,duration,cpu\n,,60,1\n", "--to=cluster", "--columns=arrival=a|b"),
                         "FILE:2: found ',,60,1', expected a value of arrival")

    def test_reports_counts_in_full(self):
        trace, _ = self.convert("arrival,duration,cpu\n0,60,1\n", "--to=cluster")
        trace.figures["jobs"] = 1234567.0
        self.assertIn("jobs: 1234567", list(converter.report(trace)))

    def test_refuses_options(self):
        for options in (("--to=odcn", "--format=swf"), ("--to=cluster", "--format=xls"), ("--to=all",), ("--to=rddc", "--timeUnit=x"),
                        ("--to=cluster", "--timeUnit=0"), ("--to=cluster", "--maxUnits=32768"),
                        ("--to=cluster", "--format=swf", "--columns=arrival=a"), ("--to=odcn", "--vms=job"), ()):
            with self.subTest(options=options), contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as raised:
                converter.parse_options([*options, "in", "out"])
            self.assertRegex(raised.exception.code, "^error: [^\n]*$")

    def test_refuses_options_without_effect(self):
        text, columns = "arrival,duration,cpu\n0,60,1\n", "arrival,duration,cores\n0,60,1\n"
        for text, to, *options in ((text, "icci", "--meanGap=3"), (columns, "odcn", "--meanGap=3"), (columns, "odcn", "--repeat=2"),
                                   (columns, "odcn", "--no-pairs"), (text, "cluster", "--vms=instance"), (text, "rddc", "--timeUnit=60"),
                                   (text, "cluster", "--gibPerUnit=1")):
            name = options[0].partition("=")[0]
            self.assertEqual(self.refusal(text, f"--to={to}", *options), f"{name} has no effect with --to={to} --format=columns")
        self.assertEqual(self.refusal("M1,1,good,,Terminated,100,110,100,1\n", "--to=odcn", "--format=alibaba-2018", "--maxInstances=2"),
                         "--maxInstances has no effect with --to=odcn --format=alibaba-2018 without --vms=instance")
        # What a map names has an effect.
        self.convert("arrival,holding,cores\n0,60,3\n", "--to=rddc", "--columns=cpu=cores/coresPerUnit", "--coresPerUnit=3")

    def test_reports_and_fails_in_one_line(self):
        def run(*arguments):
            return subprocess.run([sys.executable, PROGRAM, *arguments], capture_output=True, text=True, cwd=self.output.parent)
        done = run("--to=cluster", "--format=alibaba-2018", SAMPLE, "jobs.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rows: 197 read = ", done.stdout)
        self.assertIn("written: jobs.csv", done.stdout)
        for trace in ("absent", self.output.parent, "jobs.csv"):
            done = run("--to=cluster", "--format=swf", trace, "other.csv")
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("error: "))
        before = (self.output.parent / "jobs.csv").read_bytes()
        done = run("--to=cluster", "jobs.csv", "./jobs.csv")
        self.assertEqual(done.stderr, "error: ./jobs.csv: found the trace itself, expected another file to write\n")
        self.assertEqual((self.output.parent / "jobs.csv").read_bytes(), before)
        self.assertEqual(os.listdir(self.output.parent), ["jobs.csv"])

    def test_any_text_is_converted_or_refused(self):
        for seed in sorted((ROOT / "test/data/fuzz/odcn-trace").iterdir()):
            text = seed.read_bytes().decode("utf-8", "surrogateescape")
            columns, _, rest = text.partition("\n")
            for to, form in converter.FORMATS:
                for content, options in ((text, ()), (rest, (f"--columns={columns}",) if form == "columns" else ())):
                    with self.subTest(seed=seed, to=to, form=form), contextlib.suppress(converter.TraceError):
                        self.convert(content, f"--to={to}", f"--format={form}", *options)


if __name__ == "__main__":
    unittest.main()
