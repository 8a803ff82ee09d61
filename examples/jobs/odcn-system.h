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
#include "ns3/odcn-kaufman-roberts.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/odcn-training-options.h"

#include <map>
#include <string>
#include <vector>

/// Options of the data centre, besides the Attributes of its classes.
struct OdcnSystem
{
    std::string jobFile;   //!< job file; empty for random jobs
    double offeredLoad{0}; //!< to which the file's times of arrival are scaled; 0: as in the file
    ns3::odcn::OdcnJobTotals totals; //!< of the file, after Examine()
    std::string checkpoint;          //!< file of evolved, or of a training; empty: odcn-evolved.pt
    std::string linear;              //!< default file of linear policies

    OdcnSystem();

    /// Add the options.
    /// @param cmd command line
    void AddOptions(ns3::odcn::OdcnCommandLine& cmd);

    /// @return pattern of the jobs
    static std::string GetPattern();

    /// Read the job file once, if there is one.
    void Examine();

    /// @return source of the jobs of the file, at offeredLoad
    ns3::Ptr<ns3::odcn::OdcnJobFile> OpenJobFile() const;

    /// @param words specification of a policy
    /// @return the policy; trained ones get their files
    ns3::odcn::PolicyChoice Find(const std::string& words) const;
};

/**
 * @param problem decision problem of a data centre
 * @return what files of policies say of the data centre that they were trained on: racks, servers,
 * placement, and lists of the racks where they differ
 */
std::map<std::string, std::string> DescribeCentre(const ns3::odcn::OdcnScheduling& problem);

/**
 * @param policy any policy, once its file has been read
 * @param problem to be decided
 * @param pattern of the jobs; empty for those of a file
 * @param load of the jobs
 * @return how the data centres on which it was trained differ from this one, as far as its file
 * says; empty for rules
 */
std::string CompareTraining(const ns3::odcn::DecisionPolicy& policy,
                            const ns3::odcn::OdcnScheduling& problem,
                            const std::string& pattern,
                            double load);

/// @return whether jobs arrive, and have VMs, as they do by default
bool AreJobsDefault();

/// @return sizes in cores of jobs of the generator's default VMs, which have 4 or 16 cores; three
/// of the four types have 16
std::vector<ns3::odcn::OdcnSizeClass> GetJobSizes();

/// @param load of such jobs
/// @param problem of any load, after Reset()
/// @return share of the cores that they take if none is blocked
double GetOfferedShare(double load, const ns3::odcn::OdcnScheduling& problem);

/// @return trainings of agents that place jobs
ns3::odcn::TrainingDesign GetOdcnTrainings();

/**
 * Train an agent and write its checkpoint.
 * @param system data centre; its checkpoint is written
 * @param options of the training
 * @param load load unless set by options or the recipe
 * @return exit status
 */
int Train(const OdcnSystem& system, const ns3::odcn::TrainingOptions& options, double load);

#endif /* ODCN_SYSTEM_H */
