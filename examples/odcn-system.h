// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SYSTEM_H
#define ODCN_SYSTEM_H

/**
 * @file
 * The data centre of odcn-drl-scheduling and fabric-jobs with its options, its packets, and the
 * training of agents.
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-kaufman-roberts.h"
#include "ns3/odcn-window-recorder.h"

#include <cstdint>
#include <functional>
#include <string>

/// Options of the data centre, with their defaults.
struct OdcnSystem
{
    uint32_t tors{16};                 //!< racks
    uint32_t ports{0};                 //!< uplinks per ToR switch; 0 for tors - 1
    uint32_t servers{32};              //!< servers per rack
    std::string serversPerRack;        //!< servers of each rack; empty for servers
    std::string uplinksPerRack;        //!< uplinks of each rack; empty for ports
    std::string uplinkRatePerRack;     //!< rate of each rack's uplinks; empty for the default
    std::string pattern{"ring"};       //!< communication pattern of jobs
    std::string placement{"Balanced"}; //!< in-rack strategy
    std::string jobFile;               //!< job file; empty for random jobs
    std::string format{"odcn"};        //!< format of the job file
    std::string columns;               //!< column map of the job file, of format columns
    std::string checkpoint;            //!< file of agents, or of a training; empty: odcn.pt
    std::string linear;                //!< default file of linear policies
    std::string packets{"both"};       //!< packet engine
    uint32_t windows{8};               //!< measurement windows
    std::string windowWarmUp{"10us"};  //!< length of the warm-up
    std::string windowLength{"10us"};  //!< length of the measurement

    OdcnSystem();

    /// Add the options. @param cmd command line
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// Check the options. @throws OdcnError when an option is out of range
    void Check() const;

    /// @return racks and servers, for instance "16 racks x 32 servers"
    std::string Describe() const;

    /// @return helper that builds the data centre
    ns3::odcn::OdcnHelper MakeHelper() const;

    /// @return source of the jobs of the file, which needs no streams
    ns3::Ptr<ns3::odcn::OdcnJobSource> OpenJobFile() const;

    /// @param words specification of a policy  @return the policy; trained ones get their files
    ns3::odcn::PolicyChoice Find(const std::string& words) const;

    /**
     * @param policy any policy, once its file has been read  @param load load of the jobs
     * @return how the data centres on which it was trained differ from this one, as far as its file
     * says; empty for rules
     */
    std::string CompareTraining(const ns3::odcn::DecisionPolicy& policy, double load) const;

    /**
     * @param load load of the generator's jobs
     * @return the exact bound: all servers as one pool of cores
     */
    ns3::odcn::KaufmanRoberts MakeBound(double load) const;

    /// Callbacks around the windows of one policy; each may be empty.
    struct Hooks
    {
        /// Called before the simulation with the scenario and its helper.
        std::function<void(ns3::odcn::OdcnScenario&, ns3::odcn::OdcnHelper&)> begun{};
        std::function<void()> ended{}; //!< called at the end, before Simulator::Destroy()
    };

    /**
     * Run the jobs of a replication with packets in measurement windows.
     * @param experiment number of jobs  @param problem problem after Reset()
     * @param policy policy that decides  @param recorder records the windows  @param name its name
     * @param progress called with the number of jobs decided
     * @param events whether packets are events of ns-3, or those of the exact engine
     * @param hooks callbacks
     */
    void RunPackets(const ns3::odcn::Experiment& experiment,
                    ns3::Ptr<ns3::odcn::OdcnScheduling> problem,
                    ns3::Ptr<ns3::odcn::DecisionPolicy> policy,
                    ns3::odcn::OdcnWindowRecorder& recorder,
                    const std::string& name,
                    const std::function<void(uint64_t)>& progress,
                    bool events,
                    const Hooks& hooks) const;

  private:
    /// @param experiment number of jobs
    /// @return helper of a scheduler that opens the windows
    ns3::odcn::OdcnHelper MakeWindowHelper(const ns3::odcn::Experiment& experiment) const;
};

#endif /* ODCN_SYSTEM_H */
