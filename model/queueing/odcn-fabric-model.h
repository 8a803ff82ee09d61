// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_MODEL_H
#define ODCN_FABRIC_MODEL_H

#include "ns3/odcn-units.h"

#include <cstdint>

namespace ns3::odcn
{

/// How a rack's packets spread over the circuits that lead there; see TorSwitch::SpreadingMode.
enum class Spreading : uint8_t
{
    PER_PACKET,  //!< uniformly at random
    ROUND_ROBIN, //!< in turn
    PER_FLOW     //!< by PacketFlow::hash
};

/**
 * @ingroup odcn
 *
 * An optical data centre as PacketFabric sees it: what OcsHelper builds, in numbers.
 *
 * All servers' network cards and the ports that lead to them are alike, and all uplinks are.
 */
struct FabricModel
{
    uint32_t racks{2};                //!< |V|
    uint32_t serversPerRack{1};       //!< M
    uint32_t uplinks{1};              //!< of each ToR switch
    uint32_t switches{1};             //!< |W|, optical circuit switches
    BitRate serverRate{400000000000}; //!< of servers' ports, bit/s
    BitRate uplinkRate{40000000000};  //!< of uplinks, bit/s
    uint32_t serverQueue{1000};       //!< packets that may wait in a server's port
    uint32_t uplinkQueue{15};         //!< packets that may wait in an uplink
    int64_t serverDelay{0};           //!< of a fibre between server and ToR switch, ps
    int64_t uplinkDelay{0};           //!< of a fibre between ToR and optical switch, ps
    Spreading spreading{};            //!< over parallel circuits
    bool detour{false};               //!< without a circuit, over another rack (else drop)
    int64_t darkTime{10000000000};    //!< how long a moved circuit is down, ps

    /// @return number of servers
    uint32_t GetNServers() const
    {
        return racks * serversPerRack;
    }

    /// @throws OdcnError when a number is out of range
    void Check() const;
};

} // namespace ns3::odcn

#endif /* ODCN_FABRIC_MODEL_H */
