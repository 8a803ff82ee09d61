// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SYSTEM_H
#define ODCN_SYSTEM_H

/**
 * @file
 * What odcn-drl-scheduling and fabric-jobs share: the options of the data centre and its policies,
 * and the training of agents.
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-job-file.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/odcn-training-options.h"

#include <cstdint>
#include <map>
#include <string>

/// Mean number of VMs of a generated job, each of which is one decision.
constexpr double DECISIONS_PER_JOB = 15.5;

/// Options of the data centre, besides the Attributes of its classes.
struct OdcnSystem
{
    std::string jobFile;    //!< job file; empty for random jobs
    std::string checkpoint; //!< file of agents, or of a training; empty: odcn.pt
    std::string linear;     //!< default file of linear policies

    OdcnSystem();

    /// Add the options. @param cmd command line
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// @return pattern of the jobs
    static std::string GetPattern();

    /// @return source of the jobs of the file
    ns3::Ptr<ns3::odcn::OdcnJobFile> OpenJobFile() const;

    /// @param words specification of a policy  @return the policy; trained ones get their files
    ns3::odcn::PolicyChoice Find(const std::string& words) const;
};

/**
 * @param problem decision problem of a data centre
 * @return what files of policies say of the data centre that they were trained on: racks, servers,
 * placement, and lists of the racks where they differ
 */
std::map<std::string, std::string> DescribeCentre(const ns3::odcn::OdcnScheduling& problem);

/**
 * @param policy any policy, once its file has been read  @param problem to be decided
 * @param pattern of the jobs; empty for those of a file  @param load of the jobs
 * @return how the data centres on which it was trained differ from this one, as far as its file
 * says; empty for rules
 */
std::string CompareTraining(const ns3::odcn::DecisionPolicy& policy,
                            const ns3::odcn::OdcnScheduling& problem,
                            const std::string& pattern,
                            double load);

/// Options of a training, with their defaults.
struct OdcnTraining
{
    std::string agent{"ppo"};            //!< name of the recipe
    std::string learner;                 //!< learner; empty for the recipe's
    std::string network;                 //!< network; empty for the recipe's
    std::string teacher;                 //!< teacher policy; empty for the recipe's
    std::string state;                   //!< observation; empty for the recipe's
    std::string patterns;                //!< comma-separated patterns; empty for the recipe's
    std::string loads;                   //!< comma-separated loads; empty for the recipe's
    uint64_t jobs{500000};               //!< training jobs
    uint64_t evaluationDecisions{60000}; //!< decisions of each evaluation problem
    uint64_t epochs{0};                  //!< number of epochs; 0 for the recipe's
    uint32_t environments{0};            //!< number of training data centres; 0 for the recipe's
    double cloneDecisions{-1};           //!< decisions to clone; -1 for the recipe's
    uint64_t generations{25};            //!< generations of an evolution
    double phiReconf{25};                //!< reconfiguration cost
    double alpha{-1};                    //!< weight of latency; below 0 for the recipe's
    std::string charge;                  //!< OnceAJob or EachStep; empty for the recipe's
    ns3::odcn::TrainingOptions files;    //!< whether to resume, and what to write

    /// Add the options. @param cmd command line
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /**
     * Train an agent and write its checkpoint.
     * @param system data centre; its checkpoint is written  @param load load unless set by loads or
     * the recipe  @param command command line as typed, for the checkpoint
     * @return exit status
     */
    int Run(const OdcnSystem& system, double load, const std::string& command) const;
};

#endif /* ODCN_SYSTEM_H */
