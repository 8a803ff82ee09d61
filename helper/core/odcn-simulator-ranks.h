// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SIMULATOR_RANKS_H
#define ODCN_SIMULATOR_RANKS_H

#include "ns3/odcn-ranks.h"

#include <memory>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Let the processes of a program that mpirun started simulate one network together, each as a rank
 * of ns-3's distributed simulator. Call it after the command line and before the first node.
 *
 * The simulator is DistributedSimulatorImpl (granted time window), or the one of ns-3's option
 * --SimulatorImplementationType=ns3::NullMessageSimulatorImpl. Networks are divided by
 * OcsHelper::Divide() and OtnHelper::Divide(), and results joined by FlowTally::Merge() and
 * FlowRecorder::Merge() after the run.
 *
 * @code
 *   const auto ranks = MakeSimulatorRanks();
 *   OcsHelper helper;
 *   helper.Divide();
 *   // ... the whole network and all flows, on every rank; Simulator::Run()
 *   helper.GetRecorder()->Merge(*ranks);
 *   if (ranks->IsFirst()) // ... write the results
 *   Simulator::Destroy();
 * @endcode
 *
 * @return the ranks, to be kept until after Simulator::Destroy(); a process alone if mpirun did not
 * start several
 * @throws OdcnError when it did, and ns-3 was built without its module mpi
 */
std::unique_ptr<Ranks> MakeSimulatorRanks();

} // namespace ns3::odcn

#endif /* ODCN_SIMULATOR_RANKS_H */
