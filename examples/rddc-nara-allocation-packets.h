// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NARA_ALLOCATION_PACKETS_H
#define RDDC_NARA_ALLOCATION_PACKETS_H

/**
 * @file
 * rddc-nara-allocation in packets: what servers of granted requests send each other over their
 * lightpaths, and over electrical trees of equal capacity.
 */

#include "rddc-nara-allocation.h"

#include "ns3/odcn-output-files.h"

#include <cstdint>
#include <string>

/// What servers send, with the defaults of the options.
struct PacketOptions
{
    uint32_t packets{0};               //!< windows; 0 for none
    double packetLoad{0.5};            //!< of a lightpath each way
    uint32_t packetSize{1500};         //!< bytes
    std::string packetTime{"20us"};    //!< of a window
    std::string channelRate{"40Gbps"}; //!< of a lightpath
    std::string switchDelay{"300ns"};  //!< of an electrical switch
    std::string controlDelay{"0us"};   //!< of the management network, one way
    bool traces{false};                //!< whether pcap, ascii and FlowMonitor files are written

    /// @param cmd gets the options
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// @param requests of a run  @throws OdcnError when an option is out of range
    void Check(uint64_t requests) const;
};

/**
 * Run the first replication of every policy in every case in packets; print the figures, and write
 * them.
 * @param system data centre
 * @param options what servers send
 * @param experiment whose cases and policies are found
 * @param files where to write
 * @return exit status
 */
int RunPackets(const RddcSystem& system,
               const PacketOptions& options,
               const ns3::odcn::Experiment& experiment,
               ns3::odcn::OutputFiles& files);

#endif /* RDDC_NARA_ALLOCATION_PACKETS_H */
