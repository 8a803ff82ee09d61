# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# odcn on an installed ns-3: stand-ins for the functions that an ns-3 tree would give us.

set(ODCN_STANDALONE ON)

# Release is without assertions, as ns-3's release profile.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
# Units of several files, see odcn_set_unity_group().
option(CMAKE_UNITY_BUILD "Compile several files at once: faster from nothing" ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)
add_compile_options(-Wall -Wextra -fno-semantic-interposition)
# GCC collects its garbage only beyond 600 MB: a tenth less to compile for units of many files, which take up to 1.1 GB.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000>)
if(CMAKE_GENERATOR STREQUAL "Ninja" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<NOT:$<BOOL:$ENV{NO_COLOR}>>:-fdiagnostics-color=auto>)
endif()

# The fuzz targets of test/fuzz as programs of libFuzzer, see test/fuzz/run.sh.
option(ODCN_FUZZ "Build the fuzz targets (needs clang)" OFF)
if(ODCN_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "odcn: ODCN_FUZZ needs -DCMAKE_CXX_COMPILER=clang++")
  endif()
  set(sanitizers "address,undefined")
endif()

# Sanitizers, for a build folder of its own: -DODCN_SANITIZE=address,undefined. ns-3 itself is not
# instrumented.
set(ODCN_SANITIZE "${sanitizers}" CACHE STRING "Sanitizers, as for -fsanitize=: address,undefined")
if(ODCN_SANITIZE)
  add_compile_options(
    -fsanitize=${ODCN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1
  )
  add_link_options(-fsanitize=${ODCN_SANITIZE})
  add_compile_definitions(_GLIBCXX_ASSERTIONS NS3_ASSERT_ENABLE)
  if(ODCN_SANITIZE MATCHES "undefined")
    add_compile_options(-fsanitize=float-cast-overflow)
  endif()
endif()

# Searched once: with another launcher, everything would be compiled again.
if(NOT DEFINED ODCN_CCACHE)
  find_program(ODCN_CCACHE ccache)
  mark_as_advanced(ODCN_CCACHE)
endif()
if(ODCN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers carry a time stamp that ccache must overlook.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${ODCN_CCACHE}
  )
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()

# Without a version: ns-3's package file accepts only the very same number.
find_package(ns3 REQUIRED)
set(ODCN_NS3_RELEASE ${ns3_VERSION})
message(STATUS "odcn: standalone on ns-${ns3_VERSION} in ${ns3_DIR}")

# From 3.46 on, ns-3's headers are C++23.
if(ns3_VERSION VERSION_GREATER_EQUAL 3.46)
  set(CMAKE_CXX_STANDARD 23)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/import-ns3.cmake)
add_compile_definitions(${ODCN_NS3_DEFINITIONS})

enable_testing()

# Writes ns3/odcn-module.h, which a source tree writes itself: all headers, but those with LibTorch's.
# @param ARGN public headers
function(odcn_write_module_header)
  set(text)
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    if(NOT name STREQUAL "odcn-policy-network.h")
      string(APPEND text "#include \"ns3/${name}\"\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/ns3/odcn-module.h CONTENT "${text}" @ONLY)
endfunction()

# Publishes headers as ns3/NAME.h, as ns-3 does, and takes back those that are no longer listed.
function(odcn_publish_headers)
  set(folder ${PROJECT_BINARY_DIR}/include/ns3)
  set(names odcn-module.h)
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    list(APPEND names ${name})
    set(text "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${header}\"\n")
    set(old)
    if(EXISTS ${folder}/${name})
      file(READ ${folder}/${name} old)
    endif()
    if(NOT text STREQUAL old)
      file(WRITE ${folder}/${name} "${text}")
    endif()
  endforeach()
  file(GLOB present RELATIVE ${folder} ${folder}/*.h)
  foreach(name ${present})
    if(NOT name IN_LIST names)
      file(REMOVE ${folder}/${name})
    endif()
  endforeach()
endfunction()

# A program of tests, with one ctest per suite, asked of the program itself after each link.
# @param target the program  @param gtest whether it is of GoogleTest
function(odcn_add_suites target gtest)
  # Their time passes in the library; -O0 takes a third less to compile than -O1.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
  set(list ${PROJECT_BINARY_DIR}/${target}-suites.cmake)
  add_custom_command(
    TARGET ${target}
    POST_BUILD
    COMMAND
      ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${target}> -D GTEST=${gtest} -D OUTPUT=${list}
      -D FOLDER=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/.cmake/list-tests.cmake
    VERBATIM
  )
  set_property(
    TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/.cmake/list-tests.cmake
                                     ${PROJECT_SOURCE_DIR}/.cmake/test-costs.cmake
  )
  if(NOT EXISTS ${list})
    file(WRITE ${list} "add_test(${target}-is-not-built-yet false)\n")
  endif()
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${list})
endfunction()

# A shared library of one target a part.
# @param name of the library
# @param SOURCES its files  @param MODULES of ns-3, for its users, too  @param LINKED other libraries
function(odcn_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;MODULES;LINKED" ${ARGN})
  set(objects)
  set(others ${ARG_SOURCES})
  foreach(part ${ODCN_BUILT_PARTS})
    set(sources ${ARG_SOURCES})
    list(FILTER sources INCLUDE REGEX "^(model|helper)/${part}/|/generated/${part}/")
    if(sources)
      list(REMOVE_ITEM others ${sources})
      add_library(${name}-${part} OBJECT ${sources})
      set_target_properties(${name}-${part} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      target_include_directories(${name}-${part} PRIVATE ${PROJECT_BINARY_DIR}/include)
      target_link_libraries(${name}-${part} PRIVATE ${ARG_MODULES})
      odcn_use_unity_groups(${name}-${part})
      if(part STREQUAL "lab")
        # Tables and files: -O1 takes a quarter less to compile.
        target_compile_options(${name}-${part} PRIVATE $<$<CONFIG:Release>:-O1>)
      endif()
      list(APPEND objects $<TARGET_OBJECTS:${name}-${part}>)
    endif()
  endforeach()
  add_library(${name} SHARED ${objects} ${others})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
  if(NOT ODCN_SANITIZE AND NOT APPLE)
    # Otherwise a program's start would look up 16,000 names of the library itself. GCC marks what there
    # must be one of in a program, such as variables of inline functions; Clang does not. Public variables
    # would need a copy in programs: the libraries have none.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_link_options(${name} PRIVATE -Wl,-Bsymbolic)
    else()
      target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions)
    endif()
    # Modules of ns-3 that the library does not use are for its users alone.
    target_link_options(${name} PRIVATE -Wl,--as-needed -Wl,-O1)
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_MODULES} PRIVATE ${ARG_LINKED})
endfunction()

function(build_lib)
  cmake_parse_arguments(
    BLIB "IGNORE_PCH" "LIBNAME"
    "SOURCE_FILES;HEADER_FILES;PRIVATE_HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES" ${ARGN}
  )
  odcn_publish_headers(${BLIB_HEADER_FILES} ${BLIB_PRIVATE_HEADER_FILES})
  odcn_write_module_header(${BLIB_HEADER_FILES})
  # ns-3's modules are for users of odcn, too.
  set(modules ${BLIB_LIBRARIES_TO_LINK})
  list(FILTER modules INCLUDE REGEX "^ns3::")
  list(REMOVE_ITEM BLIB_LIBRARIES_TO_LINK ${modules})
  set(rest ${BLIB_SOURCE_FILES})
  if(NOT libodcn-base STREQUAL BLIB_LIBNAME)
    set(base)
    foreach(source ${BLIB_SOURCE_FILES})
      odcn_find_in_base(${source} found)
      # Those of ns-3's module mpi are for files of odcn-base.
      if(found OR "${source}" MATCHES "/src/mpi/")
        list(APPEND base ${source})
      endif()
    endforeach()
    list(REMOVE_ITEM rest ${base})
    odcn_add_library(${libodcn-base} SOURCES ${base} MODULES ${modules} LINKED ${BLIB_LIBRARIES_TO_LINK})
    if(NOT ODCN_SANITIZE AND NOT APPLE)
      target_link_options(${libodcn-base} PRIVATE -Wl,--no-undefined)
    endif()
  endif()
  odcn_add_library(${BLIB_LIBNAME} SOURCES ${rest} MODULES ${modules} LINKED ${BLIB_LIBRARIES_TO_LINK})
  if(TARGET ${libodcn-base} AND NOT libodcn-base STREQUAL BLIB_LIBNAME)
    target_link_libraries(${BLIB_LIBNAME} PUBLIC ${libodcn-base})
  endif()
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/examples/CMakeLists.txt)
    add_subdirectory(examples)
  endif()
  if(BLIB_TEST_SOURCES)
    add_executable(${BLIB_LIBNAME}-test-runner .cmake/test-runner.cc ${BLIB_TEST_SOURCES})
    target_link_libraries(${BLIB_LIBNAME}-test-runner ${BLIB_LIBNAME})
    target_compile_definitions(${BLIB_LIBNAME}-test-runner PRIVATE ODCN_DATA_DIR="${ODCN_DATA_DIR}")
    odcn_use_unity_groups(${BLIB_LIBNAME}-test-runner)
    odcn_add_suites(${BLIB_LIBNAME}-test-runner OFF)
  endif()
endfunction()

function(build_lib_example)
  cmake_parse_arguments(ARG "IGNORE_PCH" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  add_executable(${ARG_NAME} ${ARG_SOURCE_FILES})
  target_link_libraries(${ARG_NAME} -Wl,--no-as-needed ${ARG_LIBRARIES_TO_LINK} -Wl,--as-needed)
  set_property(GLOBAL APPEND PROPERTY ODCN_PROGRAMS ${ARG_NAME})
endfunction()

set(libodcn odcn)

# One program a fuzz target, with AddressSanitizer and UndefinedBehaviorSanitizer. The parts that have
# readers are instrumented and linked in; linear policies and recipes are only replayed.
function(odcn_add_fuzzers)
  if(NOT ODCN_FUZZ)
    return()
  endif()
  set(flags -O2 -fno-sanitize=vptr)
  set(readers ${ODCN_SOURCES})
  list(FILTER readers INCLUDE REGEX "^model/(core|optics|jobs)/")
  set(modules ${libapplications} ${libcore} ${libflow-monitor} ${libinternet} ${libnetwork} ${libtraffic-control})
  add_library(odcn-readers STATIC EXCLUDE_FROM_ALL ${readers} ${ODCN_PROTOBUF_SOURCES})
  target_include_directories(odcn-readers PUBLIC ${PROJECT_BINARY_DIR}/include)
  target_compile_options(odcn-readers PRIVATE ${flags} -fsanitize=fuzzer-no-link)
  target_link_libraries(odcn-readers PUBLIC ${modules} ${ODCN_ZLIB_TO_LINK} ${ODCN_GLPK_TO_LINK}
                                            ${ODCN_PROTOBUF_TO_LINK}
  )
  add_custom_target(odcn-fuzzers)
  set(targets ${ODCN_FUZZ_SOURCES})
  list(FILTER targets EXCLUDE REGEX "odcn-(linear|recipe)-fuzz")
  foreach(source ${targets})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    target_compile_options(${name} PRIVATE ${flags} -fsanitize=fuzzer)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_compile_definitions(${name} PRIVATE ODCN_FUZZ_PROGRAM=1)
    # Whole: types are created by name.
    target_link_libraries(
      ${name} -Wl,--whole-archive odcn-readers -Wl,--no-whole-archive -Wl,--no-as-needed ${modules}
      -Wl,--as-needed
    )
    add_dependencies(odcn-fuzzers ${name})
  endforeach()
endfunction()

# Google Benchmark: odcn-benchmark and odcn-agent-benchmark, programs like the examples that are built
# when they are asked for.
function(odcn_add_benchmarks)
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    message(STATUS "odcn: benchmarks are left out (Debian: apt install libbenchmark-dev)")
    return()
  endif()
  add_executable(odcn-benchmark EXCLUDE_FROM_ALL ${ODCN_BENCHMARK_SOURCES})
  set_target_properties(odcn-benchmark PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(odcn-benchmark odcn ${libpoint-to-point} benchmark::benchmark)
  set_property(GLOBAL APPEND PROPERTY ODCN_PROGRAMS odcn-benchmark)
  if(ODCN_HAVE_AGENT AND ODCN_AGENT_BENCHMARK_SOURCES)
    add_executable(odcn-agent-benchmark EXCLUDE_FROM_ALL ${ODCN_AGENT_BENCHMARK_SOURCES})
    odcn_link_torch(odcn-agent-benchmark)
    target_link_libraries(
      odcn-agent-benchmark PRIVATE -Wl,--no-as-needed odcn-agent -Wl,--as-needed benchmark::benchmark
    )
    set_property(GLOBAL APPEND PROPERTY ODCN_PROGRAMS odcn-agent-benchmark)
  endif()
endfunction()

# What test/benchmark/compare.py sets beside other designs. ZeroMQ and protocol buffers are for one
# of them; without, the program lacks that mode.
function(odcn_add_peer)
  if(NOT TARGET odcn-agent)
    return()
  endif()
  find_path(ODCN_ZMQ_INCLUDE zmq.h)
  find_library(ODCN_ZMQ_LIBRARY zmq)
  mark_as_advanced(ODCN_ZMQ_INCLUDE ODCN_ZMQ_LIBRARY)
  find_package(Protobuf QUIET)
  set(folder ${PROJECT_SOURCE_DIR}/test/benchmark)
  if(ODCN_ZMQ_INCLUDE AND ODCN_ZMQ_LIBRARY AND Protobuf_FOUND)
    protobuf_generate_cpp(generated headers ${folder}/odcn-peer.proto)
    set_source_files_properties(${generated} PROPERTIES COMPILE_OPTIONS -w)
    add_executable(odcn-peer EXCLUDE_FROM_ALL ${ODCN_PEER_SOURCES} ${generated})
    target_compile_definitions(odcn-peer PRIVATE ODCN_PEER_ZMQ=1)
    target_include_directories(
      odcn-peer SYSTEM PRIVATE ${ODCN_ZMQ_INCLUDE} ${Protobuf_INCLUDE_DIRS}
                               ${CMAKE_CURRENT_BINARY_DIR}
    )
    target_link_libraries(odcn-peer PRIVATE ${ODCN_ZMQ_LIBRARY} ${Protobuf_LIBRARIES})
  else()
    list(FILTER ODCN_PEER_SOURCES EXCLUDE REGEX "zmq")
    add_executable(odcn-peer EXCLUDE_FROM_ALL ${ODCN_PEER_SOURCES})
  endif()
  odcn_link_torch(odcn-peer)
  target_link_libraries(odcn-peer PRIVATE -Wl,--no-as-needed odcn-agent -Wl,--as-needed)
  set_property(GLOBAL APPEND PROPERTY ODCN_PROGRAMS odcn-peer)
endfunction()

# The launcher's list of programs.
function(odcn_write_programs)
  get_property(programs GLOBAL PROPERTY ODCN_PROGRAMS)
  list(SORT programs)
  list(TRANSFORM programs APPEND "\n")
  string(CONCAT programs ${programs})
  file(WRITE ${PROJECT_BINARY_DIR}/programs.txt "${programs}")
endfunction()
