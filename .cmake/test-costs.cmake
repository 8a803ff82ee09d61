# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# ctest -j starts the tests of the highest cost first, so that no long one is left for the end. These
# are the tests of five seconds of CPU time and more, with the seconds.

set(ODCN_TEST_COSTS
)

# @param name of a test  @param result variable for its cost, empty for a short one
function(odcn_get_test_cost name result)
  set(${result} "" PARENT_SCOPE)
  list(FIND ODCN_TEST_COSTS ${name} index)
  if(index GREATER -1)
    math(EXPR index "${index} + 1")
    list(GET ODCN_TEST_COSTS ${index} cost)
    set(${result} ${cost} PARENT_SCOPE)
  endif()
endfunction()

# The tests of add_test in this folder.
function(odcn_set_test_costs)
  get_property(names DIRECTORY PROPERTY TESTS)
  foreach(name ${names})
    odcn_get_test_cost(${name} cost)
    if(cost)
      set_tests_properties(${name} PROPERTIES COST ${cost})
    endif()
  endforeach()
endfunction()
