// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Meshes. An input with an empty line is a CSV file of sites and one of links, others are JSON.
 */

#include "odcn-fuzz.h"

#include "ns3/otn-mesh.h"

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(otn_mesh)
{
    const auto gap = text.find("\n\n");
    const FuzzFile first(text.substr(0, gap));
    const FuzzFile second(gap == std::string::npos ? "" : text.substr(gap + 2));
    const auto mesh = gap == std::string::npos
                          ? OtnMesh::ReadJson(first.GetPath(), 2)
                          : OtnMesh::ReadCsv(first.GetPath(), second.GetPath(), 2);
    for (uint32_t a = 0; a < mesh->GetNSites(); ++a)
    {
        for (uint32_t b = 0; b < mesh->GetNSites(); ++b)
        {
            FuzzRequire(a == b || !mesh->GetPaths(a, b).empty(), "a connected mesh");
        }
    }
}
