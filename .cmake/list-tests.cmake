# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Writes one add_test per suite of PROGRAM, which is of GoogleTest if GTEST is on and a runner of ns-3's
# TestSuites otherwise, into OUTPUT. A process for each case would spend more time loading libraries
# than testing: LibTorch takes half a second of CPU time.

include(${CMAKE_CURRENT_LIST_DIR}/test-costs.cmake)

if(GTEST)
  set(list --gtest_list_tests)
else()
  set(list --list)
endif()
execute_process(
  COMMAND ${PROGRAM} ${list}
  OUTPUT_VARIABLE names
  ERROR_VARIABLE problem
  RESULT_VARIABLE status
)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ${list}: ${status} ${problem}")
endif()
if(GTEST)
  # "Suite." or "Instance/Suite." at the start of a line; cases are indented.
  string(REGEX MATCHALL "\n[A-Za-z0-9_/]+\\." names "\n${names}")
  list(TRANSFORM names REPLACE "[\n.]" "")
else()
  string(STRIP "${names}" names)
  string(REPLACE "\n" ";" names "${names}")
endif()
if(NOT names)
  message(FATAL_ERROR "${PROGRAM} ${list}: no tests")
endif()

set(text)
foreach(name ${names})
  set(properties "WORKING_DIRECTORY \"${FOLDER}\"")
  odcn_get_test_cost(${name} cost)
  if(cost)
    string(APPEND properties " COST ${cost}")
  endif()
  if(GTEST)
    set(options "\"--gtest_filter=${name}.*\"")
    # Skipped, if every case skips itself.
    string(
      APPEND properties
      " SKIP_REGULAR_EXPRESSION [==[\\[  PASSED  \\] 0 tests\\.(\n\\[  SKIPPED \\][^\n]*)+\n*$]==]"
    )
  else()
    set(options "--suite=${name} --verbose")
  endif()
  string(APPEND text "add_test(\"${name}\" \"${PROGRAM}\" ${options})\n")
  string(APPEND text "set_tests_properties(\"${name}\" PROPERTIES ${properties})\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
