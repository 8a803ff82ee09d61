#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# ocs-first as a user runs it: the transfer survives, and one that cannot complete says why.
#
# Usage: ocs-first-test.sh PROGRAM

# shellcheck source=test/odcn-program-kit.sh
. "$(dirname "${BASH_SOURCE[0]}")/odcn-program-kit.sh"

options=(--megabytes=50)
succeeds "a plain run"
says '50000000 of 50000000 bytes' 'all bytes have arrived'
succeeds "a dark time that is long for TCP" --reconfigurationTime=150ms
refusals <<'END'
of.50000000.bytes.had.arrived.after.600.000.s.*no.circuit.leads.from.rack.0.to.rack.1 | --reconfigurationTime=700s
END

conclude
