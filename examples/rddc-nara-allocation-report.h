// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NARA_ALLOCATION_REPORT_H
#define RDDC_NARA_ALLOCATION_REPORT_H

/**
 * @file
 * What surrounds rddc-nara-allocation: its options and its tables.
 */

#include "rddc-nara-allocation-grants.h"

#include "ns3/odcn-output-files.h"
#include "ns3/rddc-evaluation.h"
#include "ns3/rddc-helper.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <utility>
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

/// Options of the command line, with their defaults.
struct Options
{
    std::string channels{"8,16,32"};        //!< n of each topology
    std::string oversubscription{"16,8,4"}; //!< from bottom to top, or tier 2 and tier 3
    uint32_t clusters{2};                   //!< clusters
    uint32_t racks{2};                      //!< of a cluster
    uint32_t servers{16};                   //!< of a rack
    double load{0.95};                      //!< offered, in shares of the capacity
    std::string requestsFile;               //!< real requests in place of drawn ones
    uint64_t requests{128};                 //!< of a run
    uint64_t last{25};                      //!< of them, those that the figures average
    uint32_t runs{5};                       //!< independent streams of requests
    std::string policies;                   //!< who decides; empty for all that there are
    std::string linear{ODCN_DATA_DIR "/linear-rddc-%.json"}; //!< of the policy linear, % for the
                                                             //!< topology
    std::string checkpoint;     //!< of the policy nara, and of a training; % for the topology
    std::string mask{"Useful"}; //!< RddcAllocation::Mask
    std::string output{"rddc-nara-allocation-out"}; //!< folder of results
    bool sweep{false};                              //!< look for the best rules
    uint32_t sweepRuns{20};                         //!< streams to look for them on
    bool train{false};                              //!< train policies in place of comparing
    std::string recipe{"evolution"};                //!< of a training: evolution or ppo
    std::string learner;                            //!< in words; empty for the recipe's
    std::string network;                            //!< in words; empty for the recipe's
    std::string state{"Placement"};                 //!< RddcAllocation::State to be trained on
    std::string routing{"LeastUsed"};               //!< RddcManager::Routing to be trained with
    uint64_t generations{30};                       //!< of evolution
    uint64_t trainDecisions{400000};                //!< of any other learner
    uint64_t trainRequests{128};                    //!< of an episode of a training
    uint64_t cloneDecisions{0};                     //!< of a rule, to begin with
    double learningRate{0.003};                     //!< at the start
    bool resume{false};                             //!< go on with an interrupted training
    std::string command;                            //!< the command line as typed
    uint32_t packets{0};                            //!< windows in packets; 0 for none
    double packetLoad{0.5};                         //!< of a lightpath each way
    uint32_t packetSize{1500};                      //!< bytes
    std::string packetTime{"20us"};                 //!< of a window
    std::string channelRate{"40Gbps"};              //!< of a lightpath
    std::string switchDelay{"300ns"};               //!< of an electrical switch
    std::string controlDelay{"0us"};                //!< of the management network, one way
    bool traces{false};                             //!< write pcap, ascii and FlowMonitor files

    /**
     * Read the command line.
     * @param argc number of words
     * @param argv the words
     * @throws OdcnError for a value out of range
     */
    void Parse(int argc, char* argv[]);

    /// @return every pair of channels and oversubscription
    std::vector<Topology> GetTopologies() const;

    /**
     * @param topology one
     * @return the schemes named in policies; trained policies with their files
     * @throws OdcnError when there is none of a name, or a trained policy has no file
     */
    std::vector<ns3::odcn::RddcScheme> GetSchemes(const Topology& topology) const;

    /// @return policies, or the rules and the trained policies that there are for all topologies
    std::string GetPolicies() const;

    /// @param topology one  @return what builds the data centre on it
    ns3::odcn::RddcHelper MakeHelper(const Topology& topology) const;
};

/// Where the requests of runs come from: drawn, or the pieces of a file that follow each other.
class RequestStreams
{
  public:
    /**
     * @param helper of the topology; to outlive this object
     * @param options of the command line; likewise
     * @param lastRun greatest number of a run
     * @throws OdcnError when a file has not so many requests
     */
    RequestStreams(const ns3::odcn::RddcHelper& helper, const Options& options, uint64_t lastRun);

    /// @param run its number; sets ns-3's  @return its requests, streams assigned
    ns3::Ptr<ns3::odcn::RddcRequestSource> Create(uint64_t run) const;

  private:
    const ns3::odcn::RddcHelper& m_helper;           //!< of the topology
    uint64_t m_requests;                             //!< of a run
    ns3::Ptr<ns3::odcn::RddcAlibabaRequests> m_file; //!< null for drawn ones
};

/**
 * @param helper builds the problem  @param scheme how it is routed  @param requests where they come
 * from
 * @return the problem, in the form of the policy, and the policy, with its streams
 */
std::pair<ns3::Ptr<ns3::odcn::RddcAllocation>, ns3::Ptr<ns3::odcn::OdcnDecisionPolicy>> Prepare(
    const ns3::odcn::RddcHelper& helper,
    const ns3::odcn::RddcScheme& scheme,
    ns3::Ptr<ns3::odcn::RddcRequestSource> requests);

/**
 * Run some streams of requests.
 * @param helper builds the problem
 * @param scheme who decides
 * @param options of the command line
 * @param firstRun run number of the first stream
 * @param runs how many
 * @param [out] log counts what was granted, if not null
 * @return what it came to
 * @throws OdcnError when a file has fewer requests
 */
ns3::odcn::RddcEvaluation Evaluate(const ns3::odcn::RddcHelper& helper,
                                   const ns3::odcn::RddcScheme& scheme,
                                   const Options& options,
                                   uint64_t firstRun,
                                   uint32_t runs,
                                   GrantLog* log = nullptr);

/// The tables at the end of the run.
class Report
{
  public:
    /// @param options of the command line
    explicit Report(const Options& options);

    /**
     * @param topology which  @param scheme which  @param evaluation what it came to
     * @param log what was granted
     */
    void Add(const Topology& topology,
             const ns3::odcn::RddcScheme& scheme,
             ns3::odcn::RddcEvaluation evaluation,
             GrantLog log);

    /// @param path CSV file, one row a topology and policy
    void WriteSummary(const std::string& path) const;

    /// @param path CSV file, one row a run
    void WriteRuns(const std::string& path) const;

    /// What was granted: sizes.csv, spreads.csv and shapes.csv. @param files where
    void WriteGrants(ns3::odcn::OdcnOutputFiles& files) const;

    /// @param os where to print the table
    void Print(std::ostream& os) const;

  private:
    /// One policy on one topology.
    struct Row
    {
        std::string topology;                 //!< its label
        ns3::odcn::RddcScheme scheme;         //!< who decided
        ns3::odcn::RddcEvaluation evaluation; //!< what it came to
        GrantLog log;                         //!< what was granted
    };

    /// @param topology a label  @return the rule that accepts most there; null without rules
    const Row* BestRule(const std::string& topology) const;

    const Options& m_options; //!< of the command line
    std::vector<Row> m_rows;  //!< in the order given
};

#endif /* RDDC_NARA_ALLOCATION_REPORT_H */
