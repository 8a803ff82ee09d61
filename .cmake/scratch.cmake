# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs in scratch/. Standalone, odcn builds them as ns-3 does. In a tree, ns-3 builds them and
# links all modules; odcn adds C++20, LibTorch and the library of agents.

# LibTorch is linked as needed: a program that does not use it does not load it; policies that are
# agents open it (AgentLibrary). Libraries are given
# by path: CMake would sort targets, and move ns-3's out of --no-as-needed.
add_library(odcn-scratch INTERFACE)
target_compile_features(odcn-scratch INTERFACE cxx_std_20)
target_compile_definitions(odcn-scratch INTERFACE ODCN_NS3_VERSION=${ODCN_NS3_VERSION})
if(TARGET odcn-agent)
  target_include_directories(
    odcn-scratch SYSTEM INTERFACE ${ODCN_TORCH_INCLUDE} ${ODCN_TORCH_API_INCLUDE}
  )
  target_compile_definitions(odcn-scratch INTERFACE _GLIBCXX_USE_CXX11_ABI=1)
  target_link_libraries(
    odcn-scratch INTERFACE -Wl,--as-needed $<TARGET_FILE:odcn-agent> ${ODCN_TORCH_LIBRARY}
                           ${ODCN_TORCH_CPU_LIBRARY} ${ODCN_C10_LIBRARY}
  )
endif()
set_property(GLOBAL PROPERTY ODCN_CORRECTED_HEADERS "${ODCN_CORRECTED_HEADERS}")
set_property(GLOBAL PROPERTY ODCN_LINK_SCRATCH "${CMAKE_CURRENT_LIST_DIR}/link-scratch")

# In a tree, the programs are targets of another folder, and of an ns-3 with older policies.
cmake_policy(SET CMP0079 NEW)

# @param target a program that links odcn already
function(odcn_complete_scratch_program target)
  get_target_property(standard ${target} CXX_STANDARD)
  if(standard AND standard LESS 20)
    # The tree's precompiled headers are of its own standard.
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
  get_property(folder GLOBAL PROPERTY ODCN_CORRECTED_HEADERS)
  if(folder)
    target_include_directories(${target} BEFORE PRIVATE ${folder})
  endif()
  target_link_libraries(${target} odcn-scratch)
  if(TARGET odcn-agent)
    add_dependencies(${target} odcn-agent)
  endif()
  get_property(script GLOBAL PROPERTY ODCN_LINK_SCRATCH)
  set_target_properties(${target} PROPERTIES RULE_LAUNCH_LINK "\"${script}\"")
endfunction()

# ---- in a source tree ----------------------------------------------------------------------------

# @param folder one that ns-3 has read, with its sub-folders
function(odcn_complete_scratch_folder folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      odcn_complete_scratch_program(${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(folder ${folders})
    odcn_complete_scratch_folder(${folder})
  endforeach()
endfunction()

function(odcn_complete_tree_scratch)
  odcn_complete_scratch_folder(${CMAKE_SOURCE_DIR}/scratch)
endfunction()

if(NOT ODCN_STANDALONE)
  if(NS3_STATIC OR NS3_MONOLIB)
    message(STATUS "odcn: scratch/ is left as it is: odcn-agent needs shared modules")
  elseif(CMAKE_VERSION VERSION_LESS 3.19)
    message(STATUS "odcn: scratch/ is left as it is: this needs CMake 3.19")
  else()
    # ns-3 reads scratch/ after its modules.
    cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL odcn_complete_tree_scratch)
  endif()
  return()
endif()

# ---- on an installed ns-3 ------------------------------------------------------------------------

# For a sub-folder with a CMakeLists.txt.
set(ns3-libs ${ODCN_NS3_LIBRARIES})
set(ns3-contrib-libs odcn)
set(CMAKE_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})

# As ns-3's, for programs in scratch/: the target of scratch/FOLDER/NAME is scratch_FOLDER_NAME.
function(build_exec)
  cmake_parse_arguments(
    ARG "IGNORE_PCH;STANDALONE"
    "EXECNAME;EXECNAME_PREFIX;EXECUTABLE_DIRECTORY_PATH;INSTALL_DIRECTORY_PATH"
    "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK;DEFINITIONS" ${ARGN}
  )
  file(RELATIVE_PATH folder ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${ARG_EXECUTABLE_DIRECTORY_PATH})
  string(REGEX REPLACE "/$" "" folder ${folder})
  set(program ${folder}/${ARG_EXECNAME})
  string(REPLACE / _ target ${program})
  add_executable(${target} ${ARG_SOURCE_FILES} ${ARG_HEADER_FILES})
  target_compile_definitions(${target} PRIVATE ${ARG_DEFINITIONS})
  set_target_properties(
    ${target} PROPERTIES OUTPUT_NAME ${ARG_EXECNAME} UNITY_BUILD OFF
                         RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${folder}
  )
  target_link_libraries(${target} odcn ${ARG_LIBRARIES_TO_LINK})
  # Objects of all modules can be made by TypeId name. As an option, because CMake sorts libraries.
  set(modules)
  foreach(library ${ARG_LIBRARIES_TO_LINK})
    if(library IN_LIST ns3-libs)
      list(APPEND modules $<TARGET_FILE:${library}>)
    endif()
  endforeach()
  if(modules)
    list(JOIN modules "," modules)
    target_link_options(${target} PRIVATE "-Wl,--no-as-needed,${modules},--as-needed")
  endif()
  odcn_complete_scratch_program(${target})
  set_property(GLOBAL APPEND PROPERTY ODCN_PROGRAMS ${program})
endfunction()

# Types of one's own for all programs: build/lib/libNAME.so, for their option --library.
# @param name of the library; its target is scratch_NAME
function(odcn_create_scratch_library name)
  add_library(scratch_${name} SHARED ${ARGN})
  set_target_properties(scratch_${name} PROPERTIES OUTPUT_NAME ${name} UNITY_BUILD OFF)
  target_link_libraries(scratch_${name} odcn)
  odcn_complete_scratch_program(scratch_${name})
endfunction()

# One program of all the given files, named as the one that has main(), or a library if none has.
# @param folder relative to the project's
function(odcn_create_scratch folder)
  set(mains)
  foreach(source ${ARGN})
    file(STRINGS ${source} lines REGEX "(^|[^A-Za-z0-9_])main *\\(" LIMIT_COUNT 1)
    if(lines)
      list(APPEND mains ${source})
    endif()
  endforeach()
  list(LENGTH mains number)
  if(number EQUAL 0)
    get_filename_component(name ${folder} NAME)
    if("${folder}" STREQUAL "scratch")
      get_filename_component(name ${ARGN} NAME_WLE)
    endif()
    odcn_create_scratch_library(${name} ${ARGN})
    return()
  endif()
  if(NOT number EQUAL 1)
    string(REPLACE ";" " " files "${ARGN}")
    message(WARNING "no program is built of ${files}: main() is in ${number} files, not in one")
    return()
  endif()
  get_filename_component(name ${mains} NAME_WLE)
  build_exec(
    EXECNAME ${name}
    SOURCE_FILES ${ARGN}
    LIBRARIES_TO_LINK ${ns3-libs}
    EXECUTABLE_DIRECTORY_PATH ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${folder}
  )
endfunction()

# As in ns-3, each .cc file in scratch/ is a program, and so are all .cc files of a sub-folder
# together, unless it has a CMakeLists.txt.
function(odcn_add_scratch)
  set(scratch ${PROJECT_SOURCE_DIR}/scratch)
  file(GLOB sources ${scratch}/[^.]*.cc)
  foreach(source ${sources})
    odcn_create_scratch(scratch ${source})
  endforeach()
  file(GLOB entries RELATIVE ${scratch} ${scratch}/[^.]*)
  foreach(entry ${entries})
    if(EXISTS ${scratch}/${entry}/CMakeLists.txt)
      add_subdirectory(${scratch}/${entry})
    elseif(IS_DIRECTORY ${scratch}/${entry})
      file(GLOB sources ${scratch}/${entry}/[^.]*.cc)
      if(sources)
        odcn_create_scratch(scratch/${entry} ${sources})
      endif()
    endif()
  endforeach()

  # The launcher configures anew when this list is out of date.
  file(
    GLOB sources
    RELATIVE ${PROJECT_SOURCE_DIR}
    ${scratch}/[^.]*.cc ${scratch}/[^.]*/[^.]*.cc ${scratch}/[^.]*/CMakeLists.txt
  )
  list(SORT sources)
  list(JOIN sources "\n" sources)
  file(WRITE ${PROJECT_BINARY_DIR}/scratch.txt "${sources}\n")
endfunction()
