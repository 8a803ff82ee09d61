// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_SCHEDULING_OPTIONS_H
#define CLUSTER_JOB_SCHEDULING_OPTIONS_H

/**
 * @file
 * The options of cluster-job-scheduling, and the jobs that they ask for.
 */

#include "ns3/cluster-helper.h"
#include "ns3/cluster-trace.h"

#include <cstdint>
#include <string>
#include <vector>

/// Jobs that all policies are compared on.
struct Workload
{
    std::string label; //!< in tables, e.g. "rate 0.7" or "load 110 %"
    double rate{0};    //!< jobs a slot; 0 where the load says it
    double load{0};    //!< in shares of the cluster's units; 0 where the rate or the trace says it
};

/// Who schedules.
struct Scheduler
{
    std::string name;  //!< in tables
    std::string words; //!< what Options::CreatePolicy() takes
};

/// Options of the command line, with their defaults.
struct Options
{
    uint32_t machines{1};                         //!< N
    uint32_t capacity{10};                        //!< r
    uint32_t horizon{20};                         //!< slots ahead
    uint32_t jobSlots{10};                        //!< M
    uint32_t backlog{60};                         //!< behind them
    std::string reward{"R1"};                     //!< R1 or R2
    std::string protocols{"all-done,no-new-job"}; //!< when episodes end
    uint64_t maxSlots{0};              //!< of all-done; 0 for 200, and no end with a trace
    std::string arrivals{"Bernoulli"}; //!< or Poisson
    std::string rates{"0.7"};          //!< jobs a slot
    std::string loads;                 //!< in percent; in place of rates
    uint64_t setSlots{50};             //!< slots with arrivals
    uint32_t sets{0};                  //!< of jobs; 0 for 100, and the whole of a trace
    std::string jobs;                  //!< trace
    std::string format{"csv"};         //!< of it
    double timeUnit{60};               //!< seconds of a slot
    double cpuUnit{1};                 //!< processors of a unit
    double memoryUnit{1};              //!< GiB or percent of a unit
    double arrivalFactor{1};           //!< of times of arrival
    uint64_t jobsPerSet{0};            //!< of a trace; 0 for all
    bool skipMalformed{false};         //!< count malformed rows
    std::string policies;              //!< who schedules; empty for the usual
    std::string checkpoint;            //!< of the policy agent, or to be written by a training
    bool sweep{false};                 //!< look for the best knob of Tetris
    uint64_t gantt{40};                //!< slots of the pictures; 0 for none
    bool perJob{true};                 //!< write every job
    std::string output{"cluster-job-scheduling-out"}; //!< folder of results
    bool train{false};                                //!< train an agent in place of comparing
    std::string agent{"deeprm-plus"};                 //!< a paper's: the defaults of what follows
    uint64_t trainDecisions{0};                       //!< of a training; 0 for the agent's
    uint64_t generations{0};                          //!< of evolution; 0 for trainDecisions
    uint32_t trainEnvironments{0};                    //!< side by side; 0 for the agent's
    uint64_t cloneDecisions{0};                       //!< of the teacher; 0 for the learner's
    std::string teacher{"sjf"};                       //!< whom to clone
    double learningRate{0};                           //!< at the start; 0 for the learner's
    std::string learner;                              //!< in words; empty for the agent's
    std::string network;                              //!< in words; empty for the agent's
    std::string start;                                //!< checkpoint to begin with; may be empty
    bool resume{false};                               //!< go on with an interrupted training
    std::string command;                              //!< the command line as typed

    /**
     * Read the command line.
     * @param argc number of words
     * @param argv the words
     * @throws OdcnError for a value out of range
     */
    void Parse(int argc, char* argv[]);

    /// @return every rate or load, or the trace
    std::vector<Workload> GetWorkloads() const;

    /// @return who is compared
    std::vector<Scheduler> GetPolicies() const;

    /**
     * @param words what ClusterHelper::CreatePolicy() takes, or the name of a shipped agent
     * likewise; the policy agent decides by the checkpoint
     * @return a new policy
     * @throws OdcnError when there is none, or no such file
     */
    ns3::Ptr<ns3::odcn::OdcnDecisionPolicy> CreatePolicy(const std::string& words) const;

    /// @return whether the shipped agents fit the cluster, and there are agents at all
    bool HasAgents() const;

    /// @return what builds clusters, but for the protocol
    ns3::odcn::ClusterHelper MakeHelper() const;

    /// @return what became of the rows of the trace
    const ns3::odcn::ClusterTraceReport& GetTraceReport() const
    {
        return m_trace;
    }

    /**
     * @param workload which
     * @return its jobs, streams not yet assigned
     */
    ns3::Ptr<ns3::odcn::ClusterJobSource> MakeJobs(const Workload& workload) const;

    /// @return sets that are compared
    uint32_t GetNSets() const;

  private:
    /// @param factor of times of arrival  @return the trace
    ns3::Ptr<ns3::odcn::ClusterTrace> MakeTrace(double factor) const;

    ns3::odcn::ClusterTraceReport m_trace; //!< of the whole trace
};

#endif /* CLUSTER_JOB_SCHEDULING_OPTIONS_H */
