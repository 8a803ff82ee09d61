// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_HOTSPOT_MIGRATION_H
#define ICCI_HOTSPOT_MIGRATION_H

/**
 * @file
 * Options of icci-hotspot-migration that its packets need.
 */

#include "ns3/odcn-command-line.h"

#include <cstdint>
#include <string>

/// Which migrations packets carry, with the defaults of the options.
struct PacketOptions
{
    uint32_t packets{1};             //!< migrations of each policy
    double packetScale{1e-4};        //!< share of their bytes that is sent
    bool cut{false};                 //!< whether a fibre is cut in each
    std::string controlDelay{"0us"}; //!< of the management network, one way
    bool traces{false};              //!< whether pcap and FlowMonitor files are written

    /// @param cmd gets the options
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// @throws OdcnError when an option is out of range
    void Check() const;
};

#endif /* ICCI_HOTSPOT_MIGRATION_H */
