# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What a standalone build and a source tree need: the language level, the ns-3 version, and the
# collector of source lists.

# C++20 is the least; a tree that asks for more keeps its own.
if(NOT CMAKE_CXX_STANDARD OR CMAKE_CXX_STANDARD LESS 20)
  set(CMAKE_CXX_STANDARD 20)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)

# 100 x major + minor, for model/common/odcn-ns3-compat.h. A tree without a number (3-dev) counts as
# newer than every release.
if(NOT ODCN_NS3_RELEASE)
  file(STRINGS "${PROJECT_SOURCE_DIR}/VERSION" ODCN_NS3_RELEASE LIMIT_COUNT 1)
endif()
if(ODCN_NS3_RELEASE MATCHES "^([0-9]+)\\.([0-9]+)")
  math(EXPR ODCN_NS3_VERSION "100 * ${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
else()
  set(ODCN_NS3_VERSION 399)
endif()
if(ODCN_NS3_VERSION LESS 337)
  message(FATAL_ERROR "odcn: needs ns-3.37 or newer with CMake, found ${ODCN_NS3_RELEASE}; "
                      "for ns-3.35 see wscript-compat/README.md"
  )
endif()
add_compile_definitions(ODCN_NS3_VERSION=${ODCN_NS3_VERSION})

include(${CMAKE_CURRENT_LIST_DIR}/corrected-headers.cmake)

# GCC 12 warns of overlaps that cannot be whenever strings are added (its bug 105651).
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# net-device-queue-interface.h of 3.38 to 3.40 captures "this" by [=], which C++20 deprecates.
if(ODCN_NS3_VERSION GREATER 337 AND ODCN_NS3_VERSION LESS 341)
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-deprecated>)
endif()
# At -Os, as in a tree's profile default, it misses that Boost sets its error_result.
set_source_files_properties(
  model/measure/odcn-statistics.cc
  PROPERTIES COMPILE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
)

find_path(ODCN_BOOST_INCLUDE boost/math/distributions/students_t.hpp)
find_path(ODCN_JSON_INCLUDE nlohmann/json.hpp)
mark_as_advanced(ODCN_BOOST_INCLUDE ODCN_JSON_INCLUDE)
if(NOT ODCN_BOOST_INCLUDE)
  message(FATAL_ERROR "odcn: Boost.Math is missing (Debian: apt install libboost-dev)")
endif()
if(NOT ODCN_JSON_INCLUDE)
  message(FATAL_ERROR "odcn: nlohmann-json is missing (Debian: apt install nlohmann-json3-dev)")
endif()
include_directories(SYSTEM ${ODCN_BOOST_INCLUDE} ${ODCN_JSON_INCLUDE})

# Optional: without it, compressed traces are refused.
find_path(ODCN_ZLIB_INCLUDE zlib.h)
find_library(ODCN_ZLIB z)
mark_as_advanced(ODCN_ZLIB_INCLUDE ODCN_ZLIB)
set(ODCN_ZLIB_TO_LINK)
if(ODCN_ZLIB_INCLUDE AND ODCN_ZLIB)
  set(ODCN_ZLIB_TO_LINK ${ODCN_ZLIB})
  set_source_files_properties(model/common/odcn-text.cc PROPERTIES COMPILE_DEFINITIONS ODCN_HAVE_ZLIB=1)
endif()

# Optional: without it, ThroughputBound has no linear programs, only its closed bounds.
find_path(ODCN_GLPK_INCLUDE glpk.h)
find_library(ODCN_GLPK glpk)
mark_as_advanced(ODCN_GLPK_INCLUDE ODCN_GLPK)
set(ODCN_GLPK_TO_LINK)
if(ODCN_GLPK_INCLUDE AND ODCN_GLPK)
  set(ODCN_GLPK_TO_LINK ${ODCN_GLPK})
  set_source_files_properties(
    model/queueing/odcn-throughput-bound.cc PROPERTIES COMPILE_DEFINITIONS ODCN_HAVE_GLPK=1
  )
else()
  message(STATUS "odcn: GLPK is missing (Debian: apt install libglpk-dev): throughput is bounded by cuts only")
endif()

set(ODCN_DATA_DIR ${CMAKE_CURRENT_SOURCE_DIR}/data)
include(GNUInstallDirs)
set(ODCN_DATA_INSTALL_DIR ${CMAKE_INSTALL_DATADIR}/odcn)
file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/VERSION odcn_version LIMIT_COUNT 1)
set(odcn_versions
    "odcn ${odcn_version}, ns-${ODCN_NS3_RELEASE}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
)
file(RELATIVE_PATH odcn_data_from_library /${CMAKE_INSTALL_LIBDIR} /${ODCN_DATA_INSTALL_DIR})
set_source_files_properties(
  model/common/odcn-data-file.cc
  PROPERTIES
    COMPILE_DEFINITIONS
    "ODCN_DATA_DIR=\"${ODCN_DATA_DIR}\";ODCN_DATA_FROM_LIBRARY=\"${odcn_data_from_library}\";ODCN_VERSIONS=\"${odcn_versions}\""
)

# -march=native, as in ns-3's profile optimized, fuses multiplications with additions, which changes
# the last digits of results. Without it x86-64 has no such instruction.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles(
  "#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
#error no fused instructions
#endif
int main() { return 0; }"
  ODCN_FUSES
)
if(ODCN_FUSES OR NOT ODCN_STANDALONE)
  add_compile_options(-ffp-contract=off)
endif()

set(ODCN_SOURCES)
set(ODCN_HEADERS)
set(ODCN_PRIVATE_HEADERS)
set(ODCN_TEST_SOURCES)
set(ODCN_AGENT_SOURCES)
set(ODCN_AGENT_HEADERS)
set(ODCN_GTEST_SOURCES)
set(ODCN_AGENT_GTEST_SOURCES)
set(ODCN_FUZZ_SOURCES)
set(ODCN_BENCHMARK_SOURCES)
set(ODCN_AGENT_BENCHMARK_SOURCES)
set(ODCN_PEER_SOURCES)
set(ODCN_CRASH_SOURCES)
set(ODCN_PRESTART_SOURCES)
set(ODCN_PYTHON_TEST_SOURCES)

# Compilation spends most of its time on headers. With CMAKE_UNITY_BUILD, the default of a standalone
# build, up to ODCN_UNITY_FILES files of a layer are one unit of compilation. Within a group, names in
# unnamed namespaces must differ; the systems cluster, icci and rddc have groups of their own.
set(ODCN_UNITY_FILES 12)

# @param layer name of the layer  @param path a .cc file  @param file its name
macro(odcn_set_unity_group layer path file)
  if("${layer}" MATCHES "^(agent|test|gtest|agent-gtest|fuzz)$" OR NOT "${file}" MATCHES "^(cluster|icci|rddc)-")
    set(odcn_group ${layer})
  else()
    set(odcn_group ${CMAKE_MATCH_1})
  endif()
  if(NOT DEFINED odcn_files_of_${odcn_group})
    set(odcn_files_of_${odcn_group} 0)
  endif()
  set(odcn_number 0)
  if(NOT odcn_group STREQUAL "agent") # LibTorch's headers once
    math(EXPR odcn_number "${odcn_files_of_${odcn_group}} / ${ODCN_UNITY_FILES}")
  endif()
  math(EXPR odcn_files_of_${odcn_group} "${odcn_files_of_${odcn_group}} + 1")
  set_source_files_properties(${path} PROPERTIES UNITY_GROUP ${odcn_group}-${odcn_number})
endmacro()

# @param target of the files of some layers
function(odcn_use_unity_groups target)
  # Each file of a unit has a g_log of its own (NS_LOG_COMPONENT_DEFINE).
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP UNITY_BUILD_UNIQUE_ID g_log)
  if(CMAKE_UNITY_BUILD)
    # Means headers, and takes an included .cc file for one.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# @param layer name of the layer  @param folder its folder  @param ARGN its files
macro(odcn_layer layer folder)
  foreach(odcn_file ${ARGN})
    set(odcn_path ${folder}/${odcn_file})
    if("${odcn_file}" MATCHES "\\.cc$")
      odcn_set_unity_group(${layer} ${odcn_path} ${odcn_file})
    endif()
    if("${layer}" STREQUAL "test")
      list(APPEND ODCN_TEST_SOURCES ${odcn_path})
    elseif("${layer}" STREQUAL "gtest")
      list(APPEND ODCN_GTEST_SOURCES ${odcn_path})
    elseif("${layer}" STREQUAL "fuzz")
      list(APPEND ODCN_FUZZ_SOURCES ${odcn_path})
    elseif("${layer}" STREQUAL "agent-gtest")
      list(APPEND ODCN_AGENT_GTEST_SOURCES ${odcn_path})
    elseif("${layer}" STREQUAL "benchmark")
      list(APPEND ODCN_BENCHMARK_SOURCES ${odcn_path})
    elseif("${layer}" STREQUAL "agent-benchmark")
      list(APPEND ODCN_AGENT_BENCHMARK_SOURCES ${odcn_path})
    elseif("${layer}" STREQUAL "peer")
      list(APPEND ODCN_PEER_SOURCES ${odcn_path})
    elseif("${layer}" STREQUAL "crash")
      list(APPEND ODCN_CRASH_SOURCES ${odcn_path})
    elseif("${layer}" STREQUAL "prestart")
      list(APPEND ODCN_PRESTART_SOURCES ${odcn_path})
    elseif("${layer}" STREQUAL "python-test")
      list(APPEND ODCN_PYTHON_TEST_SOURCES ${odcn_path})
    elseif(odcn_file MATCHES "-(kernel|setup)\\.h$")
      # Text of one .cc file, or a header that only .cc files need: not published.
      list(APPEND ODCN_PRIVATE_HEADERS ${odcn_path})
    elseif("${layer}" STREQUAL "agent")
      if(odcn_file MATCHES "\\.h$")
        list(APPEND ODCN_AGENT_HEADERS ${odcn_path})
      else()
        list(APPEND ODCN_AGENT_SOURCES ${odcn_path})
      endif()
    elseif(odcn_file MATCHES "-compat\\.h$")
      # Kept out of ns3/odcn-module.h: it is for odcn's own .cc files.
      list(APPEND ODCN_PRIVATE_HEADERS ${odcn_path})
    elseif(odcn_file MATCHES "\\.h$")
      list(APPEND ODCN_HEADERS ${odcn_path})
    else()
      list(APPEND ODCN_SOURCES ${odcn_path})
    endif()
  endforeach()
endmacro()
