# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# ctest -j starts the tests of the highest cost first, so that no long one is left for the end. These
# are the tests of five seconds of CPU time and more, with the seconds.

set(ODCN_TEST_COSTS
    scratch 60
    odcn-drl-scheduling 41
    odcn-collective 35
    icci-hotspot-migration 33
    rddc-nara-allocation 31
    Learners/EachLearner 25
    odcn-schedule 25
    python 25
    snippets 60
    install 20
    matching-first 20
    optical-fabrics 20
    ranks 20
    mistakes 40
    figures 20
    cluster-job-scheduling 17
    fabric-jobs 15
    PpoLearner 11
    sweeps 10
    CsMgr 9
    convert-trace 8
    A2cLearner 8
    odcn-engine 8
    odcn-rotor-lb 8
    odcn-fault 6
    odcn-scheduler 6
    HostileArchive 6
    GradientLearner 5
    A3cLearner 5
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

# The tests of add_test in this folder, which end with 77 when they lack something.
function(odcn_set_test_costs)
  get_property(names DIRECTORY PROPERTY TESTS)
  set_tests_properties(${names} PROPERTIES SKIP_RETURN_CODE 77)
  foreach(name ${names})
    odcn_get_test_cost(${name} cost)
    if(cost)
      set_tests_properties(${name} PROPERTIES COST ${cost})
    endif()
  endforeach()
endfunction()
