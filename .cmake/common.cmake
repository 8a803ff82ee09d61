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

# 100 x major + minor, for model/core/odcn-ns3-compat.h. A tree without a number (3-dev) counts as
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

# A part includes those before it and is built with them.
set(odcn_parts core optics jobs lab agents)
set(ODCN_PARTS agents CACHE STRING "Last part to build: core, optics, jobs, lab or agents, with those before it")
set_property(CACHE ODCN_PARTS PROPERTY STRINGS ${odcn_parts})
list(FIND odcn_parts "${ODCN_PARTS}" odcn_last)
if(odcn_last EQUAL -1)
  message(FATAL_ERROR "odcn: found ODCN_PARTS=${ODCN_PARTS}, expected core, optics, jobs, lab or agents")
endif()
math(EXPR odcn_last "${odcn_last} + 1")
list(SUBLIST odcn_parts 0 ${odcn_last} ODCN_BUILT_PARTS)

# A standalone build makes two libraries of the parts before agents: odcn-base, which is all that
# odcn-drl-scheduling and the agents need, and odcn, which links it and has the rest. So the first
# command compiles half. A source file is in odcn-base if its path matches one of these. What is
# missing, the linker names (undefined reference in libodcn-base.so): add the file here.
set(ODCN_BASE
    "(model|helper)/core/"
    "model/optics/(electrical|faults)/"
    "model/optics/ocs/ocs-(address-plan|circuit-(follower|table)|drop-cause|fabric|fiber|net-device|packet-|switch)"
    "model/optics/ocs/(odcn-(fair-queue|management-network|packet-spreading|packet-switch|rank-arrivals)|tor-(buffer|routing|switch))\\."
    "model/optics/otn/otn-(fiber|lightpath|mesh|network|node|wavelength-ledger)\\."
    "model/optics/schedules/odcn-(circuit-ledger|demand-matrix|shortest-paths)\\."
    "model/optics/flows/odcn-(fabric-engine|flow-header|flow-workload|job-flow-application|message-order|packet-law|traffic)\\."
    "model/optics/engines/odcn-(circuit-loads|fabric-model|kaufman-roberts|md1k-queue|packet-fabric|queue-table|sampled-queue)\\."
    "model/optics/messages/odcn-(message-plane|plane-run|plane-traffic)\\."
    "helper/optics/faults/"
    "helper/optics/ocs/ocs-"
    "helper/optics/flows/odcn-(flow-report|packet-traces)\\."
    "model/jobs/(odcn/|[^/]*$)"
    "helper/jobs/(odcn/|odcn-training-)"
    "model/lab/odcn-(experiment|job-|live-|observations|packet-|progress|report-|run-|use-|window-)"
)
if(NOT ODCN_STANDALONE)
  set(libodcn-base ${libodcn}) # one module there
elseif(ODCN_PARTS STREQUAL "core")
  set(libodcn-base odcn)
else()
  set(libodcn-base odcn-base)
endif()

# @param path of a source file  @param result whether it is in odcn-base
function(odcn_find_in_base path result)
  set(${result} FALSE PARENT_SCOPE)
  foreach(expression ${ODCN_BASE})
    if("${path}" MATCHES "^${expression}")
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/corrected-headers.cmake)

# GCC 12 warns of overlaps that cannot be whenever strings are added (its bug 105651).
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# net-device-queue-interface.h of 3.38 to 3.40 captures "this" by [=], which C++20 deprecates.
if(ODCN_NS3_VERSION GREATER 337 AND ODCN_NS3_VERSION LESS 341)
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-deprecated>)
endif()
# At -Os, as in a tree's profile default, it misses that Boost sets its error_result.
set_source_files_properties(
  model/core/odcn-statistics.cc
  PROPERTIES COMPILE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
)

find_path(ODCN_BOOST_INCLUDE boost/math/distributions/students_t.hpp)
find_path(ODCN_JSON_INCLUDE nlohmann/json.hpp)
mark_as_advanced(ODCN_BOOST_INCLUDE ODCN_JSON_INCLUDE)
if(NOT ODCN_BOOST_INCLUDE)
  message(FATAL_ERROR "odcn: Boost.Math is missing (Debian: apt install libboost-dev)")
endif()
include_directories(SYSTEM ${ODCN_BOOST_INCLUDE})
# The optics do without it: they refuse meshes in JSON then.
if(ODCN_JSON_INCLUDE)
  include_directories(SYSTEM ${ODCN_JSON_INCLUDE})
  add_compile_definitions(ODCN_HAVE_JSON=1)
elseif("jobs" IN_LIST ODCN_BUILT_PARTS)
  message(FATAL_ERROR "odcn: nlohmann-json is missing (Debian: apt install nlohmann-json3-dev)")
endif()

# Optional: without it, compressed traces are refused.
find_path(ODCN_ZLIB_INCLUDE zlib.h)
find_library(ODCN_ZLIB z)
mark_as_advanced(ODCN_ZLIB_INCLUDE ODCN_ZLIB)
set(ODCN_ZLIB_TO_LINK)
if(ODCN_ZLIB_INCLUDE AND ODCN_ZLIB)
  set(ODCN_ZLIB_TO_LINK ${ODCN_ZLIB})
  set_source_files_properties(model/core/odcn-text.cc PROPERTIES COMPILE_DEFINITIONS ODCN_HAVE_ZLIB=1)
endif()

# Optional: without it, ThroughputBound has no linear programs, only its closed bounds.
option(ODCN_WITHOUT_GLPK "Leave out GLPK, whose licence is GPL-3.0-or-later, where it is installed, too" OFF)
find_path(ODCN_GLPK_INCLUDE glpk.h)
find_library(ODCN_GLPK glpk)
mark_as_advanced(ODCN_GLPK_INCLUDE ODCN_GLPK)
set(ODCN_GLPK_TO_LINK)
if(ODCN_WITHOUT_GLPK)
  message(STATUS "odcn: GLPK is left out: throughput is bounded by cuts only")
elseif(ODCN_GLPK_INCLUDE AND ODCN_GLPK)
  set(ODCN_GLPK_TO_LINK ${ODCN_GLPK})
  set_source_files_properties(
    model/optics/engines/odcn-throughput-bound.cc PROPERTIES COMPILE_DEFINITIONS ODCN_HAVE_GLPK=1
  )
else()
  message(STATUS "odcn: GLPK is missing (Debian: apt install libglpk-dev): throughput is bounded by cuts only")
endif()

# Optional: without it, Chakra traces are refused. Its generated code is compiled without warnings.
set(ODCN_PROTOBUF_TO_LINK)
set(ODCN_PROTOBUF_SOURCES)
if("jobs" IN_LIST ODCN_BUILT_PARTS)
  find_package(Protobuf QUIET)
  if(Protobuf_FOUND AND NOT Protobuf_VERSION VERSION_LESS 4)
    # Its generated code needs Abseil, too, which pkg-config knows.
    set(Protobuf_LITE_LIBRARIES)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
      pkg_check_modules(ODCN_PROTOBUF QUIET protobuf-lite)
      set(Protobuf_LITE_LIBRARIES ${ODCN_PROTOBUF_LINK_LIBRARIES})
    endif()
  endif()
  # Every program loads it: the whole library would take another millisecond.
  if(Protobuf_FOUND AND Protobuf_LITE_LIBRARIES AND Protobuf_PROTOC_EXECUTABLE AND ODCN_ZLIB_TO_LINK)
    set(odcn_schema ${CMAKE_CURRENT_SOURCE_DIR}/model/jobs/training/odcn-chakra.proto)
    set(odcn_generated ${CMAKE_CURRENT_BINARY_DIR}/generated/jobs)
    file(MAKE_DIRECTORY ${odcn_generated})
    add_custom_command(
      OUTPUT ${odcn_generated}/odcn-chakra.pb.cc ${odcn_generated}/odcn-chakra.pb.h
      COMMAND ${Protobuf_PROTOC_EXECUTABLE} --cpp_out=${odcn_generated}
              -I ${CMAKE_CURRENT_SOURCE_DIR}/model/jobs/training ${odcn_schema}
      DEPENDS ${odcn_schema}
      VERBATIM
    )
    # Not /usr/include: it would hide the compiler's own headers.
    set(odcn_includes -isystem ${odcn_generated})
    if(NOT Protobuf_INCLUDE_DIRS STREQUAL "/usr/include")
      list(APPEND odcn_includes -isystem ${Protobuf_INCLUDE_DIRS})
    endif()
    set(ODCN_PROTOBUF_TO_LINK ${Protobuf_LITE_LIBRARIES})
    set(ODCN_PROTOBUF_SOURCES ${odcn_generated}/odcn-chakra.pb.cc)
    set_source_files_properties(
      ${odcn_generated}/odcn-chakra.pb.cc PROPERTIES COMPILE_OPTIONS -w SKIP_UNITY_BUILD_INCLUSION ON
    )
    set_source_files_properties(
      model/jobs/training/odcn-chakra-reader.cc model/jobs/training/odcn-chakra-stream.cc
      PROPERTIES COMPILE_OPTIONS "${odcn_includes}"
                 OBJECT_DEPENDS ${odcn_generated}/odcn-chakra.pb.h
                 SKIP_UNITY_BUILD_INCLUSION ON
    )
    set(odcn_left_out model/jobs/training/odcn-chakra-refusal.cc)
  else()
    # All other files are compiled as with protobuf, so that none is compiled again once it is there.
    set_source_files_properties(
      model/jobs/training/odcn-chakra-refusal.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
    )
    set(odcn_left_out model/jobs/training/odcn-chakra-reader.cc model/jobs/training/odcn-chakra-stream.cc)
    message(STATUS "odcn: protobuf is missing (Debian: apt install libprotobuf-dev protobuf-compiler): "
                   "Chakra traces cannot be read"
    )
  endif()
  set_source_files_properties(${odcn_left_out} PROPERTIES HEADER_FILE_ONLY ON)
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
  model/core/odcn-data-file.cc
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

# Compilation spends most of its time on headers. With CMAKE_UNITY_BUILD, the default of a standalone
# build, up to ODCN_UNITY_FILES files of a group are one unit of compilation, of odcn-base, which the first
# command compiles, up to ODCN_BASE_UNITY_FILES: a part of odcn-base, the other helpers, the tests of a kind, a part of the library, and each system of jobs. Within a group,
# names in unnamed namespaces must differ.
set(ODCN_UNITY_FILES 12)
set(ODCN_BASE_UNITY_FILES 18)

# @param kind kind of the files  @param path a .cc file
macro(odcn_set_unity_group kind path)
  if("${path}" MATCHES "^model/(jobs/(odcn|rddc|cluster|icci|training)|[a-z]+)/")
    string(REPLACE "/" "-" odcn_group ${CMAKE_MATCH_1})
  elseif("${path}" MATCHES "^helper/agents/")
    set(odcn_group agents)
  elseif("${path}" MATCHES "^helper/")
    set(odcn_group helper)
  elseif("${path}" MATCHES "^test/agents/")
    set(odcn_group agents-${kind})
  else()
    set(odcn_group ${kind})
  endif()
  set(odcn_limit ${ODCN_UNITY_FILES})
  odcn_find_in_base(${path} odcn_in_base)
  if(odcn_in_base)
    set(odcn_limit ${ODCN_BASE_UNITY_FILES})
    string(REGEX MATCH "^[a-z]+/(jobs/odcn|[a-z]+)/" odcn_group "${path}")
    string(REPLACE "/" "-" odcn_group base-${CMAKE_MATCH_1})
  endif()
  if(NOT DEFINED odcn_files_of_${odcn_group})
    set(odcn_files_of_${odcn_group} 0)
  endif()
  set(odcn_number 0)
  if(NOT odcn_group STREQUAL "agents") # LibTorch's headers once
    math(EXPR odcn_number "${odcn_files_of_${odcn_group}} / ${odcn_limit}")
  endif()
  math(EXPR odcn_files_of_${odcn_group} "${odcn_files_of_${odcn_group}} + 1")
  set_source_files_properties(${path} PROPERTIES UNITY_GROUP ${odcn_group}-${odcn_number})
endmacro()

# @param target of the files of some groups
function(odcn_use_unity_groups target)
  # Each file of a unit has a g_log of its own (NS_LOG_COMPONENT_DEFINE).
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP UNITY_BUILD_UNIQUE_ID g_log)
  if(CMAKE_UNITY_BUILD)
    # Means headers, and takes an included .cc file for one.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# Files of parts that are not built are left out; what belongs to no part needs lab.
# @param kinds library, private (headers for odcn's own files), suite, gtest, or a name of tests; behind
# a colon the part that the files need, if it is not that of their folder
# @param folder their folder  @param ARGN the files
macro(odcn_files kinds folder)
  set(odcn_part lab)
  if("${folder}" MATCHES "^(model|helper|test)/(core|optics|jobs|lab|agents)(/|$)")
    set(odcn_part ${CMAKE_MATCH_2})
  endif()
  set(kind ${kinds})
  if("${kinds}" MATCHES "^(.*):(.*)$")
    set(kind ${CMAKE_MATCH_1})
    set(odcn_part ${CMAKE_MATCH_2})
  endif()
  if(odcn_part IN_LIST ODCN_BUILT_PARTS)
    foreach(odcn_file ${ARGN})
      set(odcn_path ${folder}/${odcn_file})
      if("${odcn_file}" MATCHES "\\.cc$")
        odcn_set_unity_group(${kind} ${odcn_path})
      endif()
      if("${kind}" STREQUAL "private")
        # Kept out of ns3/odcn-module.h.
        list(APPEND ODCN_PRIVATE_HEADERS ${odcn_path})
      elseif("${kind}" STREQUAL "library")
        set(odcn_list ODCN)
        if(odcn_part STREQUAL "agents")
          set(odcn_list ODCN_AGENT)
        endif()
        if("${odcn_file}" MATCHES "\\.h$")
          list(APPEND ${odcn_list}_HEADERS ${odcn_path})
        else()
          list(APPEND ${odcn_list}_SOURCES ${odcn_path})
        endif()
      else()
        string(TOUPPER ${kind} odcn_list)
        string(REPLACE "-" "_" odcn_list ${odcn_list})
        if(odcn_part STREQUAL "agents")
          string(PREPEND odcn_list AGENT_)
        endif()
        list(APPEND ODCN_${odcn_list}_SOURCES ${odcn_path})
      endif()
    endforeach()
  endif()
endmacro()
