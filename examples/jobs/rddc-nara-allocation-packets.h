// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NARA_ALLOCATION_PACKETS_H
#define RDDC_NARA_ALLOCATION_PACKETS_H

/**
 * @file
 * rddc-nara-allocation at packet level: the servers of granted requests exchange packets over their
 * lightpaths, and for comparison over electrical trees of equal capacity.
 */

#include "rddc-system.h"

#include "ns3/odcn-output-files.h"

#include <cstdint>
#include <string>

/// Options of the packet traffic, with their defaults.
struct PacketOptions
{
    uint32_t packets{0};               //!< number of windows; 0 for no packets
    double packetLoad{0.5};            //!< load of a lightpath in each direction
    uint32_t packetSize{1500};         //!< bytes, with IPv4 header
    std::string packetTime{"20us"};    //!< length of a window
    std::string channelRate{"40Gbps"}; //!< rate of a channel
    std::string switchDelay{"300ns"};  //!< delay of an electrical switch
    std::string controlDelay{"0us"};   //!< one-way delay of the management network
    bool traces{false};                //!< whether pcap, ascii and FlowMonitor files are written

    /// Add the options.
    /// @param cmd command line
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// @param requests requests of a run
    /// @throws OdcnError when an option is out of range
    void Check(uint64_t requests) const;
};

/**
 * Run the first replication of every policy in every case at packet level; print and write the
 * results.
 * @param system data centre
 * @param options packet traffic
 * @param experiment experiment with cases and policies, after Check()
 * @param files output folder
 */
void RunPackets(const RddcSystem& system,
                const PacketOptions& options,
                ns3::odcn::Experiment& experiment,
                ns3::odcn::OutputFiles& files);

#endif /* RDDC_NARA_ALLOCATION_PACKETS_H */
