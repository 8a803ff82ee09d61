// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SYSTEM_H
#define ODCN_SYSTEM_H

/**
 * @file
 * The data centre of odcn-drl-scheduling and odcn-figures as options describe it, its packets, and
 * how agents are trained on it.
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
    uint32_t ports{0};                 //!< uplinks of a ToR switch; 0 for tors - 1
    uint32_t servers{32};              //!< servers of a rack
    std::string pattern{"ring"};       //!< which VMs of a job talk to each other
    std::string placement{"Balanced"}; //!< in-rack strategy
    std::string jobFile;               //!< jobs from a file
    std::string format{"odcn"};        //!< of that file
    std::string columns;               //!< map of its columns, of format columns
    std::string checkpoint;            //!< file of agents that name none
    std::string linear;                //!< file of linear policies that name none
    std::string packets{"ns3"};        //!< who runs the packets
    uint32_t windows{8};               //!< measurement windows
    std::string windowWarmUp{"10us"};  //!< packets not measured
    std::string windowLength{"10us"};  //!< packets measured

    OdcnSystem();

    /// @param cmd gets the options
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// @throws OdcnError when an option is out of range
    void Check() const;

    /// @return what builds the data centre
    ns3::odcn::OdcnHelper MakeHelper() const;

    /// @return the jobs of the file; streams need not be assigned
    ns3::Ptr<ns3::odcn::OdcnJobSource> OpenJobFile() const;

    /// @param words of a policy  @return it; trained ones get their files
    ns3::odcn::PolicyChoice Find(const std::string& words) const;

    /**
     * @param load of the generator's jobs
     * @return the exact bound: all servers as one pool of cores
     */
    ns3::odcn::KaufmanRoberts MakeBound(double load) const;

    /// What surrounds the windows of one policy; each may be empty.
    struct Hooks
    {
        std::function<void(uint64_t)> progress{}; //!< jobs decided
        /// Before anything runs: what was built, and what built it.
        std::function<void(ns3::odcn::OdcnScenario&, ns3::odcn::OdcnHelper&)> begun{};
        std::function<void()> ended{}; //!< the simulator still stands
    };

    /**
     * Run the jobs of a replication with packets in measurement windows.
     * @param experiment with the jobs  @param problem reset  @param policy decides
     * @param recorder records the windows  @param name of the policy for it
     * @param hooks are called
     */
    void RunWindows(const ns3::odcn::Experiment& experiment,
                    ns3::Ptr<ns3::odcn::OdcnScheduling> problem,
                    ns3::Ptr<ns3::odcn::DecisionPolicy> policy,
                    ns3::odcn::OdcnWindowRecorder& recorder,
                    const std::string& name,
                    const Hooks& hooks) const;
};

/// Options of a training, with their defaults.
struct OdcnTraining
{
    std::string recipe{"ppo"};           //!< how it learns
    std::string learner;                 //!< in words; empty for the recipe's
    std::string network;                 //!< in words; empty for the recipe's
    std::string teacher;                 //!< a policy; empty for the recipe's
    std::string state;                   //!< observed; empty for the recipe's
    std::string patterns;                //!< between commas; empty for the recipe's
    std::string loads;                   //!< between commas; empty for the recipe's
    uint64_t jobs{500000};               //!< of a training run
    uint64_t evaluationDecisions{60000}; //!< of an evaluation during the training
    uint32_t environments{0};            //!< data centres that learn; 0 for the recipe's number
    uint64_t cloneDecisions{UINT64_MAX}; //!< of the teacher; UINT64_MAX for the recipe's number
    uint64_t generations{25};            //!< of an evolution
    double phiReconf{25};                //!< cost of a reconfiguration
    double alpha{-1};                    //!< weight of latency; below 0 for the recipe's
    std::string charge;                  //!< of a reconfiguration; empty for the recipe's way
    bool resume{false};                  //!< go on from the checkpoint's state

    /// @param cmd gets the options
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /**
     * Train an agent and write its checkpoint.
     * @param system data centre; its checkpoint is written  @param load of the jobs unless loads or
     * the recipe have others  @param command as typed, for the checkpoint
     * @return exit status
     */
    int Run(const OdcnSystem& system, double load, const std::string& command) const;
};

#endif /* ODCN_SYSTEM_H */
