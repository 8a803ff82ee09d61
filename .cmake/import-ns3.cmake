# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# What find_package(ns3) leaves to be done, for odcn's own build and for find_package(odcn).

# ns3::libcore up to 3.42, ns3::core from 3.43. The package file names paths of the machine that
# built ns-3: keep the include folder that holds ns-3's headers and the libraries that exist.
function(odcn_import_ns3)
  set(libraries)
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(target ${targets})
    if(NOT target MATCHES "^ns3::(lib)?(.+)$")
      continue()
    endif()
    set(lib${CMAKE_MATCH_2} ${target} PARENT_SCOPE)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "SHARED_LIBRARY" AND NOT CMAKE_MATCH_2 MATCHES "-test$")
      list(APPEND libraries ${target})
    endif()
    get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
    set(kept)
    foreach(folder ${folders})
      if(EXISTS ${folder}/ns3/object.h)
        list(APPEND kept ${folder})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES kept)
    set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${kept}")
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    set(kept)
    foreach(link ${links})
      if(link AND NOT (link MATCHES "^/" AND NOT EXISTS "${link}"))
        list(APPEND kept "${link}")
      endif()
    endforeach()
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${kept}")
  endforeach()
  set(ODCN_NS3_LIBRARIES ${libraries} PARENT_SCOPE)
endfunction()
odcn_import_ns3()

# An ns-3 that does not export its definitions (Debian's 3.37) was built with logs. Without the same
# definition, some of its classes would have another size.
get_target_property(ODCN_NS3_DEFINITIONS ${libcore} INTERFACE_COMPILE_DEFINITIONS)
if(ODCN_NS3_DEFINITIONS)
  set(ODCN_NS3_DEFINITIONS)
else()
  set(ODCN_NS3_DEFINITIONS NS3_LOG_ENABLE)
endif()
