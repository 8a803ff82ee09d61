// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_RUN_H
#define ODCN_TRAINING_RUN_H

/**
 * @file
 * What programs that train share: progress, the learning curve, interruption and going on.
 */

#include "ns3/odcn-actor-critic-learner.h"

#include <cstdint>
#include <map>
#include <string>

/// A training that a program is asked for.
struct TrainingRun
{
    std::string checkpoint;                        //!< file of the agent
    bool resume{false};                            //!< go on where it was interrupted
    uint64_t decisions{0};                         //!< in all
    std::string score;                             //!< what the problems' score is, e.g. "lost"
    std::map<std::string, std::string> provenance; //!< for the checkpoint
};

/**
 * What an interrupted training left: go on with it, or refuse to begin another over it.
 *
 * @param checkpoint file of the agent
 * @param resume whether to go on
 * @return resume
 * @throws OdcnError when a training was interrupted, or nothing can be written there
 */
bool CheckResume(const std::string& checkpoint, bool resume);

/**
 * Train, show how it goes, and write the agent, its learning curve (FILE.csv) and, until it is
 * done, what is needed to go on (FILE.state), at each epoch's end.
 *
 * @param learner with network, environments and evaluation
 * @param run what is asked for
 * @return exit status: 130 when it was interrupted
 */
int RunTraining(ns3::odcn::OdcnActorCriticLearner& learner, const TrainingRun& run);

#endif /* ODCN_TRAINING_RUN_H */
