// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_SYSTEM_H
#define CLUSTER_SYSTEM_H

/**
 * @file
 * The cluster of cluster-job-scheduling and its jobs, with their options and policies.
 */

#include "ns3/cluster-helper.h"
#include "ns3/cluster-job-file.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-policy-registry.h"

#include <string>
#include <vector>

/// Jobs that all policies are compared on.
struct Workload
{
    std::string label; //!< label in tables, e.g. "rate 0.7" or "load 110 %"
    double rate{0};    //!< jobs per slot; 0 if set by the load
    double load{0};    //!< share of the cluster's units; 0 if set by rate or trace
};

/// The cluster and its jobs, by the options that are no Attributes.
struct ClusterSystem
{
    std::string protocols{"all-done,no-new-job"}; //!< when episodes end
    std::string rates{"0.7"};                     //!< jobs per slot
    std::string loads;                            //!< loads in percent, instead of rates
    std::string jobFile;                          //!< file of the trace; empty for random jobs
    bool maxSlotsGiven{false};                    //!< whether an episode's length is given
    std::string checkpoint;                       //!< file of the policy agent, or of a training
    bool perJob{true};                            //!< whether to write a row per job
    ns3::odcn::FaultHelper faults{};              //!< of machines
    ns3::odcn::ClusterJobTotals trace;            //!< totals of the whole trace

    /// Add the options. @param cmd command line
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// Read the trace, if any.
    /// @param cmd parsed
    /// @throws OdcnError when an option is out of range
    void Check(const ns3::odcn::OdcnCommandLine& cmd);

    /// @param stretch factor of arrival times, besides that of the options
    /// @return the trace
    ns3::Ptr<ns3::odcn::ClusterJobFile> MakeTrace(double stretch) const;

    /// @param load load
    /// @return factor of arrival times of the trace for this load; 1 for load 0
    double GetStretch(double load) const;

    /// @return one workload per rate or load, or the trace
    std::vector<Workload> GetWorkloads() const;

    /// @return protocols as a list
    std::vector<std::string> GetProtocols() const
    {
        return ns3::odcn::OdcnCommandLine::SplitList(protocols, "protocols");
    }

    /// @param workload a workload  @return its jobs, streams not yet assigned
    ns3::Ptr<ns3::odcn::ClusterJobSource> MakeJobs(const Workload& workload) const;

    /// @param workload a workload  @param protocol end of episodes  @return the problem
    ns3::Ptr<ns3::odcn::ClusterScheduling> MakeProblem(const Workload& workload,
                                                       const std::string& protocol) const;

    /// @return default policies of the comparison
    std::string GetUsualPolicies() const;

    /// @param words specification of a policy  @return the policy; agents get their files
    ns3::odcn::PolicyChoice Find(const std::string& words) const;
};

#endif /* CLUSTER_SYSTEM_H */
