// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_RECORDER_H
#define ODCN_JOB_RECORDER_H

#include "odcn-run-report.h"

#include "ns3/ocs-address-plan.h"
#include "ns3/odcn-cs-mgr.h"
#include "ns3/odcn-csv-writer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Writes the job table: one row for each decision of a cloud service manager.
 *
 * Columns: policy; job; arrival and duration in job time units; vms, K_j; outcome
 * (OdcnOutcomeName()); changed_circuits, circuits moved for this job; racks and addresses of the
 * VMs in order, joined by '|' (empty when blocked). The addresses are those that the packet plane
 * uses.
 */
class OdcnJobRecorder
{
  public:
    /**
     * @param path the CSV file
     * @throws OdcnError when the file cannot be written
     */
    explicit OdcnJobRecorder(const std::string& path);

    OdcnJobRecorder(const OdcnJobRecorder&) = delete;
    OdcnJobRecorder& operator=(const OdcnJobRecorder&) = delete;

    /// Stops recording.
    ~OdcnJobRecorder();

    /**
     * Record the decisions of a manager from now until the next call.
     * @param policy text of the first column
     * @param manager the manager; null to stop recording
     */
    void Record(const std::string& policy, Ptr<CsMgr> manager);

    /**
     * Add what was recorded to a report: use of the racks' cores over time, and the first jobs.
     * @param report the report
     */
    void AddTo(RunReport& report) const;

    /// Move the complete file to its target path. @throws OdcnError when a write failed
    void Commit();

  private:
    /// Jobs of a policy that the timeline shows.
    static constexpr std::size_t SHOWN = 300;

    /// What a report shows of a policy.
    struct Shown
    {
        std::string policy;                               //!< text of the first column
        UseOverTime use;                                  //!< share of each rack's cores
        std::vector<std::vector<ReportChart::Cell>> jobs; //!< rows of the timeline
        uint64_t decided{0};                              //!< number of jobs
        double last{0};                                   //!< arrival of the last job
    };

    /// Note a job for the report. @param id job  @param arrival arrival  @param end of its bar
    /// @param outcome its class
    void Show(JobId id, double arrival, double end, const std::string& outcome);

    /// Sink of CsMgr's JobPlaced trace source. @param job the placed job
    void Placed(const OdcnPlacedJob& job);

    /// Sink of CsMgr's JobBlocked trace source. @param job blocked job  @param cause outcome
    void Blocked(const OdcnJob& job, OdcnOutcome cause);

    /// Sink of CsMgr's CircuitsChanged trace source. @param changes moved circuits
    void Changed(const std::vector<OdcnCircuitChange>& changes);

    CsvWriter m_csv;            //!< output file
    std::string m_policy;       //!< text of the first column
    Ptr<CsMgr> m_manager;       //!< recorded manager; null for none
    OcsAddressPlan m_plan;      //!< maps servers to addresses
    std::vector<Shown> m_shown; //!< by policy
    std::size_t m_changed{0};   //!< circuits moved for the job that is about to be placed
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_RECORDER_H */
