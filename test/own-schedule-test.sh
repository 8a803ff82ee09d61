#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# own-schedule as a user runs it: all flows of the round complete, or it says which do not.
#
# Usage: own-schedule-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

options=()
succeeds "a plain run"
says '16 of 16 flows complete'
start --schedule=XorSchedule[Slot=10ms] >out 2>err && complain "a slot that is too long"
grep -q 'inf' out && complain "an infinite time: $(cat out)"
refusals <<'END'
8.of.16.flows.were.not.received.in.full.*sent,.but.not.received.in.full:.8 | --schedule=XorSchedule[Slot=10ms]
last.for.a.packet.of.1500.bytes,.300.ns                                   | --schedule=SiriusSchedule
a.power.of.two                                                             | --racks=7
END

conclude
