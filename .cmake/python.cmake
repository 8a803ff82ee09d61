# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The Python module odcn (bindings/), in build/python. Optional: it needs pybind11 and Python's
# headers.

function(odcn_add_python)
  # Debian's own Python has Debian's NumPy and PyTorch.
  if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
  find_package(Python QUIET COMPONENTS Interpreter Development.Module)
  if(Python_FOUND)
    find_package(pybind11 QUIET)
  endif()
  if(NOT Python_FOUND OR NOT pybind11_FOUND)
    set(kind STATUS)
    if(SKBUILD)
      set(kind FATAL_ERROR)
    endif()
    message(${kind} "odcn: the Python module is left out (Debian: apt install pybind11-dev python3-dev)")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS bindings/*.cc)
  pybind11_add_module(odcn-python MODULE NO_EXTRAS ${sources})
  target_link_libraries(odcn-python PRIVATE odcn)
  # Hidden, the resolution of Time, which is in a header of ns-3, would be one of the module's own.
  set_target_properties(odcn-python PROPERTIES CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF)
  set_target_properties(
    odcn-python PROPERTIES OUTPUT_NAME _odcn LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python
  )
  file(GLOB modules CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/bindings bindings/odcn/*.py bindings/odcn/py.typed)
  foreach(file ${modules})
    configure_file(bindings/${file} ${PROJECT_BINARY_DIR}/python/${file} COPYONLY)
  endforeach()
  add_executable(python-rewards ${ODCN_PYTHON_TEST_SOURCES})
  target_link_libraries(python-rewards odcn)
  add_library(admission MODULE examples/python/admission.cc)
  target_link_libraries(admission odcn)
  add_library(growing MODULE ${ODCN_PYTHON_GROWING_SOURCES})
  target_link_libraries(growing odcn)
endfunction()
