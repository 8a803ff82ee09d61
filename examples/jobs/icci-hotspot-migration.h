// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_HOTSPOT_MIGRATION_H
#define ICCI_HOTSPOT_MIGRATION_H

/**
 * @file
 * Packet options of icci-hotspot-migration.
 */

#include "ns3/odcn-command-line.h"

#include <cstdint>
#include <string>

/// Options of packet-level migrations, with their defaults.
struct PacketOptions
{
    uint32_t packets{1};             //!< migrations per policy
    double packetScale{1e-4};        //!< fraction of the bytes that is sent
    bool cut{false};                 //!< whether a fibre is cut during each migration
    std::string controlDelay{"0us"}; //!< one-way delay of the management network
    bool traces{false};              //!< whether pcap and FlowMonitor files are written

    /// Add the options. @param cmd command line
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// Check the options. @throws OdcnError when an option is out of range
    void Check() const;
};

#endif /* ICCI_HOTSPOT_MIGRATION_H */
