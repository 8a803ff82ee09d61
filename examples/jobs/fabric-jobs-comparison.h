// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef FABRIC_JOBS_COMPARISON_H
#define FABRIC_JOBS_COMPARISON_H

/**
 * @file
 * The runs of fabric-jobs.
 */

#include "../optics/flow-study.h"
#include "odcn-system.h"

#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-flows.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Placement at random on racks with free servers, no circuits asked for.
inline const std::string RANDOM_PLACEMENT = "random";

/// Designs that grant nothing, and policies, which grant circuits.
inline const std::string GRANT_NOTHING =
    "ideal,fat-tree,clos-3:1,expander,rotornet,opera,sirius,max-weight";
inline const std::string GRANT_CIRCUITS = "all2all-ccf,odcn-ccf,odcn-jcb,odcn-score,imitation";

/// Options of the program.
struct FabricJobsOptions : StudyOptions
{
    std::string granted{"DirectRouting"};     //!< routing over granted circuits
    double load{6};                           //!< mean duration of a job in inter-arrival times
    double jobTime{6};                        //!< mean duration of a job, ms
    std::string pattern{"ring"};              //!< communication pattern
    double demand{0.35};                      //!< mean demand of a VM pair, share of line rate
    double use{0.5};                          //!< share of it that flows use
    uint64_t warmUp{2000};                    //!< jobs before packets start
    double linger{0};                         //!< time for which jobs hold resources longer, ms
    std::string placements{RANDOM_PLACEMENT}; //!< of designs that grant nothing

    /// @param cmd command line, which gets the options
    void Add(ns3::odcn::OdcnCommandLine& cmd);

    /// @return length of a unit of job time
    ns3::Time GetUnit() const
    {
        return ns3::PicoSeconds(std::llround(jobTime / load * 1e9));
    }
};

/// A row of the table.
struct FabricJobsDesign
{
    ns3::odcn::FabricDesign fabric; //!< the network
    std::string placement;          //!< RANDOM_PLACEMENT, or the policy that places the jobs
    bool granted{false};            //!< whether circuits are those granted to jobs
};

/// Simulates designs with the same jobs.
class JobComparison : public FlowStudy
{
  public:
    /// @param options of the program
    explicit JobComparison(FabricJobsOptions& options)
        : FlowStudy(options),
          m_options(options)
    {
    }

    /// Choose the designs, and throw OdcnError unless they exist for these sizes.
    void Choose();

    /// @return the table and summary.csv
    StudyLayout GetLayout() const;

    /// @return the load, with the share of the cores that it offers if jobs are as by default
    std::string DescribeLoad() const;

    /// @return how the data centre differs from those on which policies were trained, in lines
    std::string GetWarnings() const;

  private:
    /// Jobs on servers.
    struct Placed
    {
        ns3::odcn::JobPlacement jobs; //!< their servers and circuits
        double blocking;              //!< see StudyResult
        uint32_t ocs;                 //!< number of optical switches
        ns3::odcn::Traffic flows;     //!< of these jobs, between servers
    };

    void SetReplication(uint32_t replication) override;

    StudyResult Measure(std::size_t row, const std::string& file) override;

    /// @return helper for the job level, with this rate of a circuit
    ns3::odcn::OdcnHelper MakeHelper(double gbps) const;

    /// @return the jobs of a design
    const Placed& Place(const FabricJobsDesign& design);

    /// @return the mean demand of all jobs of a design, the busiest rack 1
    ns3::odcn::DemandMatrix GetDemand(const FabricJobsDesign& design);

    FabricJobsOptions& m_options;                   //!< of the program
    OdcnSystem m_system;                            //!< the data centre of the policies
    std::vector<FabricJobsDesign> m_designs;        //!< by row
    double m_from{0};                               //!< job time at which packets start
    double m_until{0};                              //!< job time at which the last flow may start
    std::vector<ns3::odcn::JobFlow> m_jobFlows;     //!< of the replication
    std::map<std::string, Placed> m_placed;         //!< of the replication
    std::map<std::string, std::string> m_transfers; //!< see GetWarnings(), by policy
};

#endif /* FABRIC_JOBS_COMPARISON_H */
