// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_OPTIONS_H
#define ODCN_TRAINING_OPTIONS_H

#include "ns3/odcn-command-line.h"

namespace ns3::odcn
{

/// @ingroup odcn
/// Options of all programs that train, see Training; also in builds without LibTorch.
struct TrainingOptions
{
    bool resume{false};      //!< resume an interrupted training, if there is one
    bool tensorboard{false}; //!< also write the learning curve for TensorBoard

    /// @param cmd the options are added to this command line
    void AddTo(OdcnCommandLine& cmd)
    {
        cmd.AddValue("resume", "resume an interrupted training", resume);
        cmd.AddValue("tensorboard", "also write the learning curve for TensorBoard", tensorboard);
    }
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_OPTIONS_H */
