# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# ns-3.37 to 3.40 write constructors as Singleton<T>(), which C++20 does not allow, and GCC refuses
# it. These versions compile as C++17; odcn needs C++20. Where the text of a header below has that
# form, a corrected copy is made in the build folder. Programs (examples/ and scratch/) search
# ODCN_CORRECTED_HEADERS before ns-3's folder; the library includes none of these headers.

if(ODCN_STANDALONE)
  get_target_property(ODCN_NS3_HEADERS ${libcore} INTERFACE_INCLUDE_DIRECTORIES)
  list(GET ODCN_NS3_HEADERS 0 ODCN_NS3_HEADERS)
  string(APPEND ODCN_NS3_HEADERS /ns3)
else()
  set(ODCN_NS3_HEADERS ${PROJECT_SOURCE_DIR}/src/core/model)
endif()

# @param name file name  @param text the whole file; nothing is written when it has this already
function(odcn_write_corrected_header name text)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/corrected/ns3/${name})
  set(old)
  if(EXISTS ${file})
    file(READ ${file} old)
  endif()
  if(NOT text STREQUAL old)
    file(WRITE ${file} "${text}")
  endif()
endfunction()

set(ODCN_CORRECTED_HEADERS)
set(odcn_constructor "(\n +(explicit |virtual )?~?[A-Za-z]+)<T>\\(")
foreach(odcn_header singleton.h simulation-singleton.h val-array.h matrix-array.h)
  if(NOT EXISTS ${ODCN_NS3_HEADERS}/${odcn_header})
    continue()
  endif()
  file(READ ${ODCN_NS3_HEADERS}/${odcn_header} odcn_text)
  if(odcn_text MATCHES "${odcn_constructor}")
    string(REGEX REPLACE "${odcn_constructor}" "\\1(" odcn_text "${odcn_text}")
    # The copy is not in the folder of the headers that it includes.
    string(REGEX REPLACE "#include \"([^/\"]+\")" "#include \"ns3/\\1" odcn_text "${odcn_text}")
    odcn_write_corrected_header(${odcn_header} "${odcn_text}")
    set(ODCN_CORRECTED_HEADERS ${CMAKE_CURRENT_BINARY_DIR}/corrected)
  endif()
endforeach()

if(ODCN_CORRECTED_HEADERS)
  # Includes "singleton.h", which is searched in its own folder first: the include guard must be set.
  odcn_write_corrected_header(
    des-metrics.h "#include <ns3/singleton.h>\n\n#include_next <ns3/des-metrics.h>\n"
  )
endif()
