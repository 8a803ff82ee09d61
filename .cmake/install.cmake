# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# cmake --install. In a tree, ns-3 installs odcn with its other modules, and agent.cmake the library
# of agents; the data are installed in both cases.

install(DIRECTORY ${ODCN_DATA_DIR}/ DESTINATION ${ODCN_DATA_INSTALL_DIR} COMPONENT python)

if(NOT ODCN_STANDALONE)
  return()
endif()

# @param list of libraries that odcn links  @param result their names in ns-3's pkg-config files
function(odcn_get_pkgconfig_names result)
  set(names)
  foreach(library ${ARGN})
    if(library MATCHES "^ns3::(lib)?(.+)$")
      list(APPEND names ns3-${CMAKE_MATCH_2})
    endif()
  endforeach()
  list(JOIN names ", " names)
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# Libraries, headers, the programs of examples/, and what other projects find odcn by.
function(odcn_install)
  include(CMakePackageConfigHelpers)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/odcn)
  set(libraries odcn)
  set(ODCN_LINKED -lodcn)
  if(TARGET odcn-base)
    list(APPEND libraries odcn-base)
    string(APPEND ODCN_LINKED ,-lodcn-base)
    set_target_properties(odcn-base PROPERTIES EXPORT_NAME base)
  endif()
  if(TARGET odcn-agent)
    list(APPEND libraries odcn-agent)
    set_target_properties(odcn-agent PROPERTIES EXPORT_NAME agent)
  endif()

  # The folder of ns-3 is kept where it is not the system's. A minor version has an interface of its own.
  set_target_properties(
    ${libraries}
    PROPERTIES INSTALL_RPATH "$ORIGIN"
               INSTALL_RPATH_USE_LINK_PATH ON
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  )
  target_compile_features(odcn PUBLIC cxx_std_${CMAKE_CXX_STANDARD})
  target_compile_definitions(odcn INTERFACE $<INSTALL_INTERFACE:${ODCN_NS3_DEFINITIONS}>)
  # Policies and agents are chosen by TypeId name, without a symbol.
  target_link_options(odcn INTERFACE $<INSTALL_INTERFACE:-Wl,--no-as-needed>)
  set(includes)
  if(ODCN_CORRECTED_HEADERS)
    set(includes ${CMAKE_INSTALL_INCLUDEDIR}/odcn)
    install(DIRECTORY ${ODCN_CORRECTED_HEADERS}/ DESTINATION ${includes})
  endif()
  list(APPEND includes ${CMAKE_INSTALL_INCLUDEDIR})
  install(
    TARGETS ${libraries}
    EXPORT odcn
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            COMPONENT python
            NAMELINK_COMPONENT development
    INCLUDES
    DESTINATION ${includes}
  )
  install(FILES ${ODCN_HEADERS} ${PROJECT_BINARY_DIR}/include/ns3/odcn-module.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3)

  file(RELATIVE_PATH folder /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  get_property(programs DIRECTORY examples PROPERTY BUILDSYSTEM_TARGETS)
  set_target_properties(
    ${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/${folder}" INSTALL_RPATH_USE_LINK_PATH ON
  )
  install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
  # For .ci/wheel: the module odcn finds them by their list.
  add_custom_target(odcn-programs DEPENDS ${programs})
  if(SKBUILD)
    install(FILES ${PROJECT_BINARY_DIR}/programs.txt DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
  endif()
  install(PROGRAMS examples/odcn-convert-trace.py DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME odcn-convert-trace)

  # The Python module, where Debian's Python 3 searches; pyproject.toml has another place.
  if(TARGET odcn-python)
    set(ODCN_PYTHON_INSTALL_DIR lib/python3/dist-packages CACHE STRING "Where the Python module is installed")
    set(modules ${ODCN_PYTHON_INSTALL_DIR})
    file(RELATIVE_PATH folder /prefix/${modules} /prefix/${CMAKE_INSTALL_LIBDIR})
    set_target_properties(
      odcn-python PROPERTIES INSTALL_RPATH "$ORIGIN/${folder}" INSTALL_RPATH_USE_LINK_PATH ON
    )
    install(TARGETS odcn-python LIBRARY DESTINATION ${modules} COMPONENT python)
    install(DIRECTORY bindings/odcn bindings/_odcn-stubs DESTINATION ${modules} COMPONENT python PATTERN __pycache__ EXCLUDE)
  endif()

  # find_package(odcn)
  install(EXPORT odcn NAMESPACE odcn:: DESTINATION ${package} FILE odcn-targets.cmake)
  write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/odcn-config-version.cmake COMPATIBILITY SameMinorVersion
  )
  install(
    FILES .cmake/odcn-config.cmake .cmake/import-ns3.cmake
          ${PROJECT_BINARY_DIR}/odcn-config-version.cmake
    DESTINATION ${package}
  )

  # pkg-config
  file(RELATIVE_PATH ODCN_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" ODCN_PREFIX "${ODCN_PREFIX}")
  list(TRANSFORM includes PREPEND "-I\${prefix}/" OUTPUT_VARIABLE ODCN_CFLAGS)
  list(TRANSFORM ODCN_NS3_DEFINITIONS PREPEND -D)
  list(JOIN ODCN_CFLAGS " " ODCN_CFLAGS)
  string(PREPEND ODCN_CFLAGS "-std=c++${CMAKE_CXX_STANDARD} ${ODCN_NS3_DEFINITIONS} ")
  get_target_property(links odcn INTERFACE_LINK_LIBRARIES)
  odcn_get_pkgconfig_names(ODCN_REQUIRES ${links})
  list(REMOVE_ITEM libraries odcn-base)
  foreach(library ${libraries})
    set(ODCN_LIBRARY ${library})
    configure_file(.cmake/odcn.pc.in ${library}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    set(ODCN_REQUIRES odcn)
    set(ODCN_CFLAGS)
    set(ODCN_LINKED -lodcn-agent)
  endforeach()
endfunction()
