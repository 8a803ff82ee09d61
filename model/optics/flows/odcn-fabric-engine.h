// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_ENGINE_H
#define ODCN_FABRIC_ENGINE_H

#include <cstdint>
#include <string>

namespace ns3::odcn
{

/// What carries traffic.
enum class FabricEngine : uint8_t
{
    PACKETS, //!< packets in ns-3
    FLOWS,   //!< the flow level: CircuitFlowLevel, NetworkFlowLevel
    EXACT    //!< SchedulePackets, NetworkPackets: the same packets, without events of ns-3
};

/// @param engine an engine
/// @return its word: packets, flows or exact
const char* GetName(FabricEngine engine);

/// @param word of an option
/// @return the engine of that name; PACKETS for other words
FabricEngine FindEngine(const std::string& word);

} // namespace ns3::odcn

#endif /* ODCN_FABRIC_ENGINE_H */
