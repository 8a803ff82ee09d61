// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Recipes of trainings. Replayed only, as the linear policies are.

#include "odcn-fuzz.h"

#include "ns3/odcn-training-options.h"

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_recipe)
{
    const FuzzFile file(text);
    const auto recipe = TrainingRecipe::Read(file.GetPath());
    FuzzRequire(recipe.text == text && !recipe.learner.empty() &&
                    recipe.network.empty() != recipe.start.empty(),
                "a learner, and a network or a checkpoint to start with");
}
