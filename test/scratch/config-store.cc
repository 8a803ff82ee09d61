// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file
/// Saves the defaults of all Attributes: config-store --ns3::ConfigStore::Filename=FILE.

#include "ns3/config-store-module.h"
#include "ns3/core-module.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    Config::SetDefault("ns3::ConfigStore::Mode", StringValue("Save"));
    Config::SetDefault("ns3::ConfigStore::FileFormat", StringValue("RawText"));
    CommandLine cmd(__FILE__);
    cmd.Parse(argc, argv);
    ConfigStore store;
    store.ConfigureDefaults();
    return 0;
}
