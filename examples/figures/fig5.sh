#!/usr/bin/env bash
# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
exec "$(dirname "${BASH_SOURCE[0]}")/figure.sh" fig5 "$@"
