// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DRL_SCHEDULING_PACKETS_H
#define ODCN_DRL_SCHEDULING_PACKETS_H

/**
 * @file
 * The packet level of odcn-drl-scheduling: the jobs of a replication again, with measurement
 * windows in which every accepted VM pair sends packets at its full demand.
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-output-files.h"

#include <cstdint>
#include <string>

/// Options of the packets that no Attribute has, with their defaults.
struct PacketOptions
{
    std::string engine{"both"};      //!< ns3, exact, both or formula
    uint32_t windows{8};             //!< measurement windows
    bool pcap{true};                 //!< whether the last policy's run writes a pcap file
    bool flowMonitor{true};          //!< whether it writes FlowMonitor's XML
    uint32_t replications{0};        //!< replications with packets in the summary
    ns3::odcn::FaultHelper faults{}; //!< of runs in ns-3

    /// Add the options.
    /// @param cmd command line
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// Read the faults and choose the engine, after Parse().
    void Choose();

    /// @param racks number of racks
    /// @param jobs jobs measured in a replication
    /// @throws OdcnError when an option does not suit them
    void Check(const std::string& racks, uint64_t jobs) const;

    /// @return whether there are packets
    bool IsUsed() const
    {
        return engine != "formula";
    }

    /// @return whether they are events of ns-3, of the last policy at least
    bool HasEvents() const
    {
        return engine == "ns3" || engine == "both";
    }
};

/**
 * Add the packets of replications, by the exact engine, to the figures of merit of the jobs.
 * @param options options
 * @param experiment the comparison
 */
void AddPacketFigures(const PacketOptions& options, ns3::odcn::Experiment& experiment);

/**
 * Run the first replication of every policy again, at the first load, with packets. Write and print
 * what they measured, after the files of the job level.
 * @param options options
 * @param experiment the comparison, measured
 * @param files output folder
 */
void RunPackets(const PacketOptions& options,
                ns3::odcn::Experiment& experiment,
                ns3::odcn::OutputFiles& files);

#endif /* ODCN_DRL_SCHEDULING_PACKETS_H */
