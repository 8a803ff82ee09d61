# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What the manual (./ns3 docs) needs of a build: odcn-types prints the reference of types,
# odcn-doxygen makes the pages of classes, odcn-snippets compiles the C++ of README and manual, and
# odcn-page-programs has those programs whose output they show.

function(odcn_add_docs)
  add_executable(odcn-types EXCLUDE_FROM_ALL .cmake/odcn-types.cc)
  target_link_libraries(odcn-types -Wl,--no-as-needed odcn)
  if(TARGET odcn-agent)
    target_link_libraries(odcn-types odcn-agent)
  endif()

  find_program(ODCN_DOXYGEN doxygen)
  mark_as_advanced(ODCN_DOXYGEN)
  if(ODCN_DOXYGEN)
    # Methods that override ns-3's take the descriptions from these headers.
    find_path(ODCN_NS3_INCLUDE ns3/object.h)
    mark_as_advanced(ODCN_NS3_INCLUDE)
    set(bases)
    foreach(name application channel chunk header net-device object object-base queue random-variable-stream
                 tag trace-helper
    )
      string(APPEND bases " ${ODCN_NS3_INCLUDE}/ns3/${name}.h")
    endforeach()
    set(log ${PROJECT_BINARY_DIR}/doxygen.log)
    file(WRITE ${PROJECT_BINARY_DIR}/doxygen.conf
         "@INCLUDE = doc/doxygen.conf\nPROJECT_NUMBER = ${PROJECT_VERSION}\nINPUT += ${bases}\n"
         "OUTPUT_DIRECTORY = ${PROJECT_BINARY_DIR}/doc/html/doxygen\nWARN_LOGFILE = ${log}\n"
    )
    add_custom_target(
      odcn-doxygen
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/doc/html/doxygen
      COMMAND ${ODCN_DOXYGEN} ${PROJECT_BINARY_DIR}/doxygen.conf
      # Warnings about odcn's own files are errors.
      COMMAND ! grep "^${PROJECT_SOURCE_DIR}.*warning:" ${log}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      VERBATIM
    )
  endif()

  find_program(ODCN_PYTHON3 python3)
  mark_as_advanced(ODCN_PYTHON3)
  if(ODCN_PYTHON3)
    file(GLOB_RECURSE pages ${PROJECT_SOURCE_DIR}/doc/*.rst)
    list(APPEND pages ${PROJECT_SOURCE_DIR}/README.md)
    set(snippets ${PROJECT_BINARY_DIR}/snippets.cc ${PROJECT_BINARY_DIR}/snippets-torch.cc)
    set(programs ${PROJECT_BINARY_DIR}/page-programs.cc)
    set(script ${PROJECT_SOURCE_DIR}/test/snippets-test.py)
    add_custom_command(
      OUTPUT ${snippets} ${programs}
      COMMAND ${ODCN_PYTHON3} ${script} cpp ${snippets} ${programs}
      DEPENDS ${script} ${pages}
    )
    if(NOT TARGET odcn-agent)
      list(POP_BACK snippets)
    endif()
    add_library(odcn-snippets OBJECT ${snippets})
    target_link_libraries(odcn-snippets PRIVATE odcn odcn-scratch)
    target_include_directories(odcn-snippets BEFORE PRIVATE ${ODCN_CORRECTED_HEADERS})
    target_compile_options(
      odcn-snippets PRIVATE -O0 -Wno-return-type -Wno-unused-but-set-variable -Wno-unused-value
                            -Wno-unused-variable
    )
    add_executable(odcn-page-programs ${programs})
    set_target_properties(
      odcn-page-programs PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} UNITY_BUILD OFF
    )
    target_link_libraries(odcn-page-programs -Wl,--no-as-needed odcn -Wl,--as-needed)
    odcn_complete_scratch_program(odcn-page-programs)
    target_compile_options(odcn-page-programs PRIVATE -O0)
    add_dependencies(odcn-page-programs odcn-snippets)
    add_test(NAME snippets COMMAND ${script} check ${PROJECT_BINARY_DIR})
  endif()
endfunction()
