// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-engine.h"

namespace ns3::odcn
{

const char*
GetName(FabricEngine engine)
{
    return engine == FabricEngine::PACKETS ? "packets"
           : engine == FabricEngine::FLOWS ? "flows"
                                           : "exact";
}

FabricEngine
FindEngine(const std::string& word)
{
    for (const FabricEngine engine : {FabricEngine::FLOWS, FabricEngine::EXACT})
    {
        if (word == GetName(engine))
        {
            return engine;
        }
    }
    return FabricEngine::PACKETS;
}

} // namespace ns3::odcn
