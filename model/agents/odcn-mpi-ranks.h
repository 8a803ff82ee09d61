// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MPI_RANKS_H
#define ODCN_MPI_RANKS_H

#include "ns3/odcn-ranks.h"

#include <memory>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 * @return the processes that mpirun or srun started, connected by MPI until this is destroyed; a
 * process alone if there is only one
 * @throws OdcnError when there are several and odcn was built without MPI, or the connection was
 * used before: MPI connects only once
 */
std::unique_ptr<Ranks> MakeRanks();

/// @return the processes of this run, connected by MPI  @throws OdcnError when they were before
using MpiConnector = std::unique_ptr<Ranks> (*)();

/**
 * @ingroup odcn
 * Boost.MPI may be installed later: then one more file is compiled, which calls this, and none
 * again.
 * @param connector what MakeRanks() calls where there are several processes
 * @return true
 */
bool SetMpi(MpiConnector connector);

} // namespace ns3::odcn

#endif /* ODCN_MPI_RANKS_H */
