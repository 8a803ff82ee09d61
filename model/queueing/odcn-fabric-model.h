// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_MODEL_H
#define ODCN_FABRIC_MODEL_H

#include "ns3/odcn-units.h"

#include <cstdint>

namespace ns3::odcn
{

/// How packets spread over parallel circuits to a rack; see TorSwitch::SpreadingMode.
enum class Spreading : uint8_t
{
    PER_PACKET,  //!< uniformly at random
    ROUND_ROBIN, //!< in turn
    PER_FLOW     //!< by PacketFlow::hash
};

/**
 * @ingroup odcn
 *
 * Parameters of an optical data centre for PacketFabric and SchedulePackets: what OcsHelper builds,
 * in numbers.
 *
 * All network cards and the ports to servers are identical, and so are all uplinks.
 */
struct FabricModel
{
    uint32_t racks{2};                //!< |V|
    uint32_t serversPerRack{1};       //!< M
    uint32_t uplinks{1};              //!< uplinks per ToR switch
    uint32_t switches{1};             //!< |W|, optical circuit switches
    BitRate serverRate{400000000000}; //!< rate of server ports, bit/s
    BitRate uplinkRate{40000000000};  //!< rate of uplinks, bit/s
    uint32_t serverQueue{1000};       //!< queue limit of a server port, packets
    uint32_t uplinkQueue{15};         //!< queue limit of an uplink, packets
    int64_t serverDelay{0};           //!< delay of a fibre between server and ToR switch, ps
    int64_t uplinkDelay{0};           //!< delay of a fibre between ToR and optical switch, ps
    Spreading spreading{};            //!< how packets spread over parallel circuits
    bool detour{false};               //!< without a circuit: route over another rack (else drop)
    bool hold{false};                 //!< without a circuit: wait for one (SchedulePackets only)
    int64_t darkTime{10000000000};    //!< dark time of a moved circuit, ps

    /// @return number of servers
    uint32_t GetNServers() const
    {
        return racks * serversPerRack;
    }

    /// @throws OdcnError when a parameter is out of range
    void Check() const;
};

} // namespace ns3::odcn

#endif /* ODCN_FABRIC_MODEL_H */
