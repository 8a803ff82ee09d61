// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef TRAINING_END_H
#define TRAINING_END_H

/**
 * @file
 * The end of runs of training jobs in ns-3's time.
 */

#include "ns3/odcn-training-cluster.h"
#include "ns3/simulator.h"

/// Stop the simulation when all jobs have ended, since circuits change for ever.
/// @param cluster runs the jobs
inline void
StopAtEnd(const ns3::Ptr<ns3::odcn::TrainingCluster>& cluster)
{
    using Outcome = ns3::odcn::TrainingCluster::Outcome;
    const auto stop = [&jobs = *ns3::PeekPointer(cluster)](const Outcome&)
    {
        if (jobs.IsDone())
        {
            ns3::Simulator::Stop();
        }
    };
    cluster->TraceConnectWithoutContext("Ended", ns3::Callback<void, const Outcome&>(stop));
}

#endif /* TRAINING_END_H */
