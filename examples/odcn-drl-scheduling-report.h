// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DRL_SCHEDULING_REPORT_H
#define ODCN_DRL_SCHEDULING_REPORT_H

/**
 * @file
 * What surrounds odcn-drl-scheduling: its options and its tables.
 */

#include "ns3/odcn-evaluation.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-source.h"
#include "ns3/odcn-window-recorder.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

/// Options of the command line, with their defaults.
struct Options
{
    double load{66};                   //!< mean job duration; with one arrival per unit, the load
    uint32_t tors{16};                 //!< racks
    uint32_t ports{0};                 //!< uplinks of a ToR switch; 0 for tors - 1
    uint32_t servers{32};              //!< servers of a rack
    std::string pattern{"ring"};       //!< who talks to whom in a job
    std::string placement{"Balanced"}; //!< in-rack strategy
    uint64_t jobs{10000};              //!< counted jobs of a replication
    uint64_t warmUp{2000};             //!< jobs decided before
    uint32_t replications{5};          //!< independent job streams
    uint32_t batches{1};               //!< batches of a replication; more than one for job files
    std::string policies{"all2all-ccf,odcn-ccf,odcn-jcb,linear,drl"}; //!< who decides
    std::string packets{"ns3"};                                       //!< who runs the packets
    uint32_t windows{8};                                              //!< measurement windows
    std::string windowWarmUp{"10us"};                                 //!< packets not measured
    std::string windowLength{"10us"};                                 //!< packets measured
    std::string jobFile;                                              //!< jobs from a file
    std::string format{"odcn"};                                       //!< of that file
    std::string saveJobs;                                             //!< where to write the jobs
    std::string output{"odcn-drl-scheduling-out"};                    //!< folder of results
    bool pcap{true};                     //!< whether the last policy's run writes one
    bool flowMonitor{true};              //!< likewise
    std::string checkpoint;              //!< the agent drl
    std::string linear;                  //!< weights of the policy linear
    std::string command;                 //!< as typed
    bool train{false};                   //!< train instead of evaluate
    uint64_t trainJobs{500000};          //!< jobs of a training run
    uint64_t evaluationDecisions{60000}; //!< of an evaluation during the training
    std::string recipe{"ppo"};           //!< how it learns
    std::string learner;                 //!< in words; empty for the recipe's
    std::string network;                 //!< in words; empty for the recipe's
    std::string teacher;                 //!< a policy; empty for the recipe's
    std::string state;                   //!< observed; empty for the recipe's
    std::string trainPatterns;           //!< between commas; empty for the recipe's
    std::string trainLoads;              //!< between commas; empty for the recipe's
    uint32_t environments{0};            //!< data centres that learn; 0 for the recipe's number
    uint64_t cloneDecisions{UINT64_MAX}; //!< of the teacher; UINT64_MAX for the recipe's number
    uint64_t generations{25};            //!< of an evolution
    double phiReconf{25};                //!< cost of a reconfiguration
    double alpha{-1};                    //!< weight of latency; below 0 for the recipe's
    std::string charge;                  //!< of a reconfiguration; empty for the recipe's way
    bool resume{false};                  //!< go on from the checkpoint's state

    /**
     * Read the command line.
     * @param argc number of words
     * @param argv the words
     * @throws OdcnError for a value out of range
     */
    void Parse(int argc, char* argv[]);

    /// @param recipe number that it has  @return number of data centres that learn
    uint32_t GetEnvironments(uint32_t recipe) const
    {
        return environments ? environments : recipe;
    }

    /// @return whether there are measurement windows
    bool HasWindows() const
    {
        return packets != "formula";
    }

    /// @return names in policies
    std::vector<std::string> GetPolicies() const;
};

/// @param options of the command line  @return the generator's jobs, streams not yet assigned
ns3::Ptr<ns3::odcn::OdcnJobSource> MakeGenerator(const Options& options);

/// The tables at the end of the run.
class Report
{
  public:
    /// @param options of the command line
    explicit Report(const Options& options);

    /// @param scheme which  @param evaluation what it came to
    void Add(const ns3::odcn::OdcnScheme& scheme, ns3::odcn::OdcnEvaluation evaluation);

    /// @param windows what the packets showed
    void SetWindows(const ns3::odcn::OdcnWindowRecorder& windows);

    /// @param path CSV file, one row a policy
    void Write(const std::string& path) const;

    /// @param os where to print the tables
    void Print(std::ostream& os) const;

  private:
    /// One policy.
    struct Row
    {
        ns3::odcn::OdcnScheme scheme;         //!< which
        ns3::odcn::OdcnEvaluation evaluation; //!< what it came to
    };

    /// @return the rule that blocks least; null without rules
    const Row* BestRule() const;

    const Options& m_options;                                //!< of the command line
    std::vector<Row> m_rows;                                 //!< in the order given
    const ns3::odcn::OdcnWindowRecorder* m_windows{nullptr}; //!< packets, if any
};

#endif /* ODCN_DRL_SCHEDULING_REPORT_H */
