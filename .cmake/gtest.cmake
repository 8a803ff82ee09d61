# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# GoogleTest: odcn-gtest for the library, odcn-agent-gtest for the agents. In a tree they are built
# when they are asked for: ns-3's own tests are TestSuites.

# @param target a program of GoogleTest
function(odcn_complete_gtest target)
  target_compile_definitions(${target} PRIVATE ODCN_DATA_DIR="${ODCN_DATA_DIR}")
  odcn_use_unity_groups(${target})
  if(ODCN_STANDALONE)
    odcn_add_suites(${target} ON)
  else()
    set_target_properties(
      ${target} PROPERTIES EXCLUDE_FROM_ALL ON RUNTIME_OUTPUT_DIRECTORY
                                               ${CMAKE_OUTPUT_DIRECTORY}/contrib/odcn/test
    )
  endif()
endfunction()

function(odcn_add_gtests)
  find_package(GTest)
  if(NOT GTest_FOUND)
    message(STATUS "odcn: GoogleTest cases are left out (Debian: apt install libgtest-dev)")
    return()
  endif()
  # Two files compare with ns-3's point-to-point links, which a tree may be configured without; newer
  # trees name the libraries of all modules all the same.
  set(sources ${ODCN_GTEST_SOURCES})
  if(NOT TARGET "${libpoint-to-point}" AND NOT point-to-point IN_LIST libs_to_build)
    list(FILTER sources EXCLUDE REGEX "(odcn-packet-allocation|rddc-packet-tree)-test")
    set(libpoint-to-point "")
  endif()
  add_executable(odcn-gtest ${sources} ${ODCN_FUZZ_SOURCES})
  target_link_libraries(odcn-gtest ${libodcn} ${libpoint-to-point} GTest::gtest_main)
  odcn_complete_gtest(odcn-gtest)
  if(ODCN_HAVE_AGENT)
    add_executable(odcn-agent-gtest ${ODCN_AGENT_GTEST_SOURCES})
    odcn_link_torch(odcn-agent-gtest)
    if(NOT CMAKE_UNITY_BUILD)
      target_precompile_headers(odcn-agent-gtest PRIVATE <torch/torch.h> <gtest/gtest.h>)
    endif()
    target_link_libraries(
      odcn-agent-gtest PRIVATE -Wl,--no-as-needed odcn-agent -Wl,--as-needed GTest::gtest_main
    )
    odcn_complete_gtest(odcn-agent-gtest)
  endif()
endfunction()
