# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Writes one add_test per TestSuite that RUNNER lists into OUTPUT.

execute_process(
  COMMAND ${RUNNER} --list
  OUTPUT_VARIABLE suites
  ERROR_VARIABLE problem
  RESULT_VARIABLE status
)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${RUNNER} --list: ${status} ${problem}")
endif()
string(STRIP "${suites}" suites)
string(REPLACE "\n" ";" suites "${suites}")
set(text)
foreach(suite ${suites})
  string(APPEND text "add_test(\"${suite}\" \"${RUNNER}\" --suite=${suite} --verbose)\n")
  string(APPEND text "set_tests_properties(\"${suite}\" PROPERTIES WORKING_DIRECTORY \"${FOLDER}\")\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
