# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# The library odcn-agent: the part agents and LibTorch. It stands apart from libodcn because
# loading LibTorch costs a program 0.4 s, and because odcn without agents is useful without LibTorch.
# Programs open it when they first need an agent (AgentLibrary).

find_library(ODCN_TORCH_LIBRARY torch)
find_library(ODCN_TORCH_CPU_LIBRARY torch_cpu)
find_library(ODCN_C10_LIBRARY c10)
find_path(ODCN_TORCH_INCLUDE torch/script.h)
find_path(ODCN_TORCH_API_INCLUDE torch/all.h PATH_SUFFIXES torch/csrc/api/include)
mark_as_advanced(
  ODCN_C10_LIBRARY ODCN_TORCH_API_INCLUDE ODCN_TORCH_CPU_LIBRARY ODCN_TORCH_INCLUDE
  ODCN_TORCH_LIBRARY
)

set(ODCN_HAVE_AGENT OFF)
if(NOT ODCN_AGENT_SOURCES)
  # Nothing to build.
elseif(
  ODCN_TORCH_LIBRARY
  AND ODCN_TORCH_CPU_LIBRARY
  AND ODCN_C10_LIBRARY
  AND ODCN_TORCH_INCLUDE
  AND ODCN_TORCH_API_INCLUDE
)
  include(CheckCXXSourceCompiles)
  # Clang in C++20 refuses LibTorch 1.13: vectors of an incomplete type in ATen/core/List.h.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(CMAKE_REQUIRED_INCLUDES ${ODCN_TORCH_INCLUDE})
    check_cxx_source_compiles("#include <ATen/core/List.h>
int main() {}" ODCN_TORCH_COMPILES)
    unset(CMAKE_REQUIRED_INCLUDES)
  else()
    set(ODCN_TORCH_COMPILES ON)
  endif()
  # A LibTorch built with the old std::string cannot be linked: ask one exported symbol.
  set(CMAKE_REQUIRED_LIBRARIES ${ODCN_C10_LIBRARY})
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles(
    "#include <exception>
#include <string>
namespace c10 { std::string GetExceptionString(const std::exception&); }
int main() { return c10::GetExceptionString(std::exception()).empty(); }"
    ODCN_TORCH_ABI_FITS
  )
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_QUIET)
  if(NOT ODCN_TORCH_COMPILES)
    message(STATUS "odcn: agents are left out: ${CMAKE_CXX_COMPILER} cannot compile LibTorch's headers")
  elseif(ODCN_TORCH_ABI_FITS)
    set(ODCN_HAVE_AGENT ON)
  else()
    message(STATUS "odcn: agents are left out: ${ODCN_TORCH_LIBRARY} does not have the C++11 ABI")
  endif()
else()
  message(STATUS "odcn: agents are left out: no LibTorch (Debian: apt install libtorch-dev)")
endif()

# By path: the lists of find_package(Torch) leak into every other target of a tree.
function(odcn_link_torch target)
  target_link_libraries(
    ${target} PRIVATE ${ODCN_TORCH_LIBRARY} ${ODCN_TORCH_CPU_LIBRARY} ${ODCN_C10_LIBRARY}
  )
  target_include_directories(
    ${target} SYSTEM PRIVATE ${ODCN_TORCH_INCLUDE} ${ODCN_TORCH_API_INCLUDE}
  )
  target_compile_definitions(${target} PRIVATE _GLIBCXX_USE_CXX11_ABI=1)
endfunction()

# Optional: without it, several processes of mpirun cannot train together.
set(ODCN_MPI AUTO CACHE STRING "Training by several processes through Boost.MPI: AUTO, ON or OFF")
set_property(CACHE ODCN_MPI PROPERTY STRINGS AUTO ON OFF)
find_library(ODCN_BOOST_MPI boost_mpi)
find_library(ODCN_BOOST_SERIALIZATION boost_serialization)
mark_as_advanced(ODCN_BOOST_MPI ODCN_BOOST_SERIALIZATION)
set(ODCN_HAVE_MPI OFF)
if(ODCN_HAVE_AGENT AND ODCN_MPI)
  if(ODCN_BOOST_MPI AND ODCN_BOOST_SERIALIZATION)
    find_package(MPI QUIET COMPONENTS CXX)
    set(ODCN_HAVE_MPI ${MPI_CXX_FOUND})
  endif()
  if(NOT ODCN_HAVE_MPI AND NOT ODCN_MPI STREQUAL "AUTO")
    message(FATAL_ERROR "odcn: ODCN_MPI=${ODCN_MPI}, but Boost.MPI is missing (Debian: apt install libboost-mpi-dev)")
  endif()
endif()

if(ODCN_HAVE_AGENT)
  # Their headers do not include LibTorch's, so they are published with the others.
  list(APPEND ODCN_HEADERS ${ODCN_AGENT_HEADERS})

  add_library(odcn-agent SHARED ${ODCN_AGENT_SOURCES})
  # Its users get all of odcn; it is linked without waiting for more than it needs.
  target_link_libraries(odcn-agent PUBLIC ${libodcn-base} INTERFACE ${libodcn})
  odcn_link_torch(odcn-agent)
  odcn_use_unity_groups(odcn-agent)
  if(ODCN_STANDALONE)
    # Its time passes in LibTorch; -O1 takes a quarter less to compile.
    target_compile_options(odcn-agent PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(NOT CMAKE_UNITY_BUILD)
    # LibTorch's headers take 15 s of CPU time a file.
    target_precompile_headers(odcn-agent PRIVATE <torch/torch.h>)
  endif()
  if(ODCN_HAVE_MPI)
    target_sources(odcn-agent PRIVATE ${ODCN_AGENT_MPI_SOURCES})
    set_source_files_properties(
      ${ODCN_AGENT_MPI_SOURCES}
      PROPERTIES COMPILE_OPTIONS "-isystem;$<JOIN:${MPI_CXX_INCLUDE_DIRS},;-isystem;>"
                 SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON
    )
    target_link_libraries(
      odcn-agent PRIVATE ${ODCN_BOOST_MPI} ${ODCN_BOOST_SERIALIZATION} ${MPI_CXX_LIBRARIES}
    )
  endif()
  if(NOT ODCN_STANDALONE)
    set_target_properties(
      odcn-agent PROPERTIES OUTPUT_NAME ns${NS3_VER}-odcn-agent${build_profile_suffix}
    )
    install(TARGETS odcn-agent LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endif()

# A file with definitions of its own is no part of a unit: apart without LibTorch, too, so that nothing is compiled
# again once LibTorch is there.
set_source_files_properties(model/core/odcn-agent-library.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# The name of its file, which AgentLibrary searches beside that of odcn. In a static ns-3 there is no
# such file.
if(ODCN_HAVE_AGENT AND NOT NS3_STATIC)
  set(odcn_agent_file ${CMAKE_SHARED_LIBRARY_PREFIX}odcn-agent${CMAKE_SHARED_LIBRARY_SUFFIX})
  if(NOT ODCN_STANDALONE)
    string(REPLACE odcn-agent ns${NS3_VER}-odcn-agent${build_profile_suffix} odcn_agent_file
                   ${odcn_agent_file}
    )
  elseif(NOT APPLE)
    # With the version of its interface, see odcn_install().
    string(APPEND odcn_agent_file .${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  endif()
  set_source_files_properties(
    model/core/odcn-agent-library.cc PROPERTIES COMPILE_DEFINITIONS "ODCN_AGENT_LIBRARY=\"${odcn_agent_file}\""
  )
endif()

# An example that needs agents. Takes what build_lib_example takes, and LINK if it uses classes of
# agents; others open the library.
function(odcn_agent_example)
  if(NOT TARGET odcn-agent)
    return()
  endif()
  cmake_parse_arguments(ARG "IGNORE_PCH;LINK" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  build_lib_example(
    IGNORE_PCH
    NAME ${ARG_NAME}
    SOURCE_FILES ${ARG_SOURCE_FILES}
    LIBRARIES_TO_LINK ${ARG_LIBRARIES_TO_LINK}
  )
  if(TARGET ${ARG_NAME})
    add_dependencies(${ARG_NAME} odcn-agent)
    if(ARG_LINK)
      target_link_libraries(${ARG_NAME} odcn-agent)
    endif()
  endif()
endfunction()
