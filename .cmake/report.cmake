# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The parts of report.html become strings of the library, so that a program writes reports from
# wherever it is run. d3 is not part of odcn: it is taken from the system, with its licence.

find_file(ODCN_D3 d3.min.js PATHS /usr/share/nodejs/d3/dist NO_DEFAULT_PATH)
mark_as_advanced(ODCN_D3)
file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/VERSION odcn_version LIMIT_COUNT 1)
set(ODCN_REPORT_VERSIONS
    "odcn ${odcn_version}, ns-${ODCN_NS3_RELEASE}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
)
set(ODCN_REPORT_LIBRARY)
set(ODCN_REPORT_LICENCE)
if(ODCN_D3)
  file(READ ${ODCN_D3} ODCN_REPORT_LIBRARY)
  if(ODCN_REPORT_LIBRARY MATCHES "d3js.org v([0-9.]+)")
    string(APPEND ODCN_REPORT_VERSIONS ", d3 ${CMAKE_MATCH_1}")
  endif()
  set(ODCN_D3_LICENCE /usr/share/doc/node-d3/copyright)
  if(EXISTS ${ODCN_D3_LICENCE})
    file(READ ${ODCN_D3_LICENCE} ODCN_REPORT_LICENCE)
    string(REPLACE "*/" "* /" ODCN_REPORT_LICENCE "${ODCN_REPORT_LICENCE}")
    string(REPLACE "<" "(" ODCN_REPORT_LICENCE "${ODCN_REPORT_LICENCE}")
    set(ODCN_REPORT_LICENCE "/* The licence of d3, as in Debian's package node-d3:\n${ODCN_REPORT_LICENCE}*/")
  endif()
else()
  message(STATUS "odcn: reports will have no charts: no d3 (Debian: apt install node-d3)")
endif()
foreach(part PAGE=report.html STYLE=report.css SCRIPT=report.js GNUPLOT=style.gp)
  string(REGEX MATCH "^([A-Z]+)=(.*)$" part ${part})
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/data/report/${CMAKE_MATCH_2})
  file(READ ${file} ODCN_REPORT_${CMAKE_MATCH_1})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
configure_file(
  ${CMAKE_CURRENT_LIST_DIR}/odcn-report-parts.h.in ${CMAKE_CURRENT_BINARY_DIR}/report/odcn-report-parts.h
  @ONLY
)
set_source_files_properties(
  model/measure/odcn-run-report.cc model/measure/odcn-run-report-plots.cc
  PROPERTIES INCLUDE_DIRECTORIES ${CMAKE_CURRENT_BINARY_DIR}/report
)
