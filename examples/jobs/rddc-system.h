// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_SYSTEM_H
#define RDDC_SYSTEM_H

/**
 * @file
 * The data centre of rddc-nara-allocation with its options, and its policies.
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/rddc-helper.h"

#include <cstdint>
#include <string>
#include <vector>

/// Topology parameters that the program varies.
struct Topology
{
    uint32_t channels{16}; //!< n, channels of a server's link
    uint32_t tier2{2};     //!< oversubscription between tiers 1 and 2
    uint32_t tier3{4};     //!< oversubscription between tiers 2 and 3

    /// @return label as in the paper: "16/8" for n = 16 and 1:8 from bottom to top
    std::string GetLabel() const;

    /// @param pattern file name, % for the topology
    /// @return file name, with "16-8" for 16/8
    std::string GetFile(const std::string& pattern) const;
};

/// Options of the data centre that are no Attributes, with their defaults.
struct RddcSystem
{
    std::string channels{"8,16,32"};        //!< n of each topology
    std::string oversubscription{"16,8,4"}; //!< total, or of tier 2 and tier 3
    std::string requestsFile;               //!< file of real requests; empty for random ones
    bool scaled{false};                     //!< whether requestsFile is scaled to the loads
    uint64_t requests{128};                 //!< requests per replication
    ns3::odcn::FaultHelper faults{};        //!< of servers, links and switches
    /// File of linear, % for the topology
    std::string linear{ns3::odcn::GetDataFile("linear-rddc-%.json")};
    std::string checkpoint; //!< file of nara or of a training; % for the topology

    /// Add the options.
    /// @param cmd command line
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// Check the options.
    /// @throws OdcnError when an option is out of range
    void Check() const;

    /// @param experiment the comparison
    /// @return the data centre, loads and requests in words
    std::string Describe(const ns3::odcn::Experiment& experiment) const;

    /// @param best whether to compare the best form of Tetris that is known
    /// @return default policies of the comparison
    std::string GetUsualPolicies(bool best) const;

    /// @return all combinations of channels and oversubscription
    std::vector<Topology> GetTopologies() const;

    /// @param labels labels of a case
    /// @return its topology
    Topology GetTopology(const ns3::odcn::Experiment::Labels& labels) const;

    /// @param topology a topology
    /// @param load offered load
    /// @return helper for the data centre
    ns3::odcn::RddcHelper MakeHelper(const Topology& topology, double load) const;

    /**
     * Add all topologies at all loads as cases.
     * @param experiment the experiment
     * @param skipFirst whether to leave out the first request
     * @throws OdcnError when the file of requests is too short for its runs
     */
    void AddCases(ns3::odcn::Experiment& experiment, bool skipFirst) const;

    /**
     * @param topology topology of the case
     * @param words specification of a policy
     * @return the policy; trained ones get their files and the routing of their training
     */
    ns3::odcn::PolicyChoice Find(const Topology& topology, const std::string& words) const;

  private:
    /// @param helper helper of the data centre and load
    /// @param skip requests to leave out
    /// @return requestsFile
    ns3::Ptr<ns3::odcn::RddcRequestFile> MakeRequestFile(const ns3::odcn::RddcHelper& helper,
                                                         uint64_t skip) const;

    /// @param problem gets the faults of the options, if any
    /// @param requests as many as those of
    /// the problem; they say how long a replication may last
    void AddFaults(ns3::odcn::RddcAllocation& problem,
                   ns3::odcn::RddcRequestSource& requests) const;

    /// @param lastRun see AddCases()
    /// @param found requests of the file
    /// @throws OdcnError if too
    /// few
    void CheckPieces(uint64_t lastRun, uint64_t found) const;
};

#endif /* RDDC_SYSTEM_H */
