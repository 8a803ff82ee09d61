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

} // namespace ns3::odcn

#endif /* ODCN_MPI_RANKS_H */
