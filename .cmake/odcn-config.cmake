# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# For find_package(odcn): the targets odcn::odcn and, where LibTorch was there, odcn::agent.

include(CMakeFindDependencyMacro)
find_dependency(ns3)
include(${CMAKE_CURRENT_LIST_DIR}/import-ns3.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/odcn-targets.cmake)
