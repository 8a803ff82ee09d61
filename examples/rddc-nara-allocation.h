// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NARA_ALLOCATION_H
#define RDDC_NARA_ALLOCATION_H

/**
 * @file
 * The data centre of rddc-nara-allocation as options describe it.
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-experiment.h"
#include "ns3/rddc-helper.h"
#include "ns3/rddc-request-file.h"

#include <cstdint>
#include <string>
#include <vector>

/// Numbers of one topology that the program varies.
struct Topology
{
    uint32_t channels{16}; //!< n
    uint32_t tier2{2};     //!< oversubscription between tiers 1 and 2
    uint32_t tier3{4};     //!< oversubscription between tiers 2 and 3

    /// @return as the paper labels it, "16/8" for n = 16 and 1:8 from bottom to top
    std::string GetLabel() const;

    /// @param pattern name of a file, % for the topology  @return with "16-8" for 16/8
    std::string GetFile(const std::string& pattern) const;
};

/// Options of the data centre, with their defaults.
struct RddcSystem
{
    std::string channels{"8,16,32"};        //!< n of each topology
    std::string oversubscription{"16,8,4"}; //!< from bottom to top, or tier 2 and tier 3
    uint32_t clusters{2};                   //!< clusters
    uint32_t racks{2};                      //!< of a cluster
    uint32_t servers{16};                   //!< of a rack
    std::string requestsFile;               //!< real requests in place of drawn ones
    std::string format{"alibaba-2025"};     //!< of it
    std::string columns;                    //!< of it
    uint64_t requests{128};                 //!< of a replication
    uint64_t last{25};                      //!< of them, those that the figures average
    std::string mask{"Useful"};             //!< RddcAllocation::Mask
    std::string linear{ODCN_DATA_DIR "/linear-rddc-%.json"}; //!< file of linear, % for the topology
    std::string checkpoint; //!< file of nara, or of a training; % for the topology

    /// @param cmd gets the options
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// @throws OdcnError when an option is out of range
    void Check() const;

    /// @return every pair of channels and oversubscription
    std::vector<Topology> GetTopologies() const;

    /// @param labels of a case  @return its topology
    Topology GetTopology(const ns3::odcn::Experiment::Labels& labels) const;

    /// @param topology one  @param load offered  @return what builds the data centre on it
    ns3::odcn::RddcHelper MakeHelper(const Topology& topology, double load) const;

    /**
     * All topologies at all loads.
     * @param experiment gets the cases  @param lastRun greatest run number, for requests of a file
     * @throws OdcnError when a file has not so many requests
     */
    void AddCases(ns3::odcn::Experiment& experiment,
                  const std::vector<double>& loads,
                  uint64_t lastRun) const;

    /**
     * @param topology of the case  @param words of a policy
     * @return it; trained policies with their files, and the routing that they were trained with
     */
    ns3::odcn::PolicyChoice Find(const Topology& topology, const std::string& words) const;

  private:
    /// @param skip requests to leave out  @return requestsFile, of format columns
    ns3::Ptr<ns3::odcn::RddcRequestFile> MakeRequestFile(uint64_t skip) const;

    /// @param lastRun see AddCases()  @param found requests of the file  @throws OdcnError if too
    /// few
    void CheckPieces(uint64_t lastRun, uint64_t found) const;
};

#endif /* RDDC_NARA_ALLOCATION_H */
