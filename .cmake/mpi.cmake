# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Optional: ns-3's module mpi, for networks that several processes simulate together. A tree has it
# with ./ns3 configure --enable-mpi. Packages of ns-3 leave it out; there, it is compiled from the
# source of the same version.

set(ODCN_NS3_SOURCE "" CACHE PATH "Source folder of the installed ns-3, for its module mpi")
set(ODCN_NS3_MPI_TO_LINK)
set(odcn_mpi_sources)
set(odcn_mpi_options)

if(NOT ODCN_STANDALONE AND ENABLE_MPI AND "mpi" IN_LIST libs_to_build)
  set(ODCN_NS3_MPI_TO_LINK ${libmpi})
elseif(TARGET ns3::libmpi OR TARGET ns3::mpi)
  set(ODCN_NS3_MPI_TO_LINK ${libmpi})
elseif(ODCN_STANDALONE AND ODCN_NS3_SOURCE)
  file(STRINGS ${ODCN_NS3_SOURCE}/VERSION odcn_version LIMIT_COUNT 1)
  if(NOT odcn_version STREQUAL ODCN_NS3_RELEASE)
    message(FATAL_ERROR "odcn: ODCN_NS3_SOURCE=${ODCN_NS3_SOURCE} is ns-${odcn_version}, "
                        "expected ns-${ODCN_NS3_RELEASE}, which is installed"
    )
  endif()
  set(folder ${ODCN_NS3_SOURCE}/src/mpi/model)
  file(GLOB odcn_mpi_sources ${folder}/*.cc)
  foreach(header mpi-interface mpi-receiver parallel-communication-interface)
    configure_file(${folder}/${header}.h ${PROJECT_BINARY_DIR}/ns3-mpi/ns3/${header}.h COPYONLY)
  endforeach()
  set_source_files_properties(${odcn_mpi_sources} PROPERTIES COMPILE_DEFINITIONS NS3_MPI)
  list(APPEND ODCN_SOURCES ${odcn_mpi_sources})
  set(odcn_mpi_options -w -isystem ${PROJECT_BINARY_DIR}/ns3-mpi)
endif()

if(ODCN_NS3_MPI_TO_LINK OR odcn_mpi_sources)
  find_package(MPI REQUIRED COMPONENTS CXX)
  foreach(folder ${MPI_CXX_INCLUDE_DIRS})
    list(APPEND odcn_mpi_options -isystem ${folder})
  endforeach()
  list(APPEND ODCN_NS3_MPI_TO_LINK ${MPI_CXX_LIBRARIES})
  set(odcn_mpi_users helper/core/odcn-simulator-ranks.cc model/optics/ocs/odcn-rank-arrivals.cc)
  set_source_files_properties(${odcn_mpi_users} PROPERTIES COMPILE_DEFINITIONS ODCN_HAVE_NS3_MPI=1)
  set_source_files_properties(
    ${odcn_mpi_users} ${odcn_mpi_sources} PROPERTIES COMPILE_OPTIONS "${odcn_mpi_options}"
  )
endif()
