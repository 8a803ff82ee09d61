// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The fuzz targets of test/fuzz without libFuzzer.
 */

#include "../core/odcn-gtest-kit.h"
#include "../fuzz/odcn-fuzz-replay.h"
#include "../fuzz/odcn-fuzz.h"

using namespace ns3::odcn;

/// A target, by the name of its function.
using FuzzTest = testing::TestWithParam<std::string>;

TEST_P(FuzzTest, ReplaysItsSeeds)
{
    std::string folder = GetParam();
    std::replace(folder.begin(), folder.end(), '_', '-');
    FuzzReplay(FuzzTargets().at(GetParam()), folder);
}

/// @return the names of all targets
static std::vector<std::string>
GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, target] : FuzzTargets())
    {
        names.push_back(name);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(Targets,
                         FuzzTest,
                         testing::ValuesIn(GetNames()),
                         [](const auto& info) { return info.param; });
