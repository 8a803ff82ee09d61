// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_RECORDER_H
#define ODCN_JOB_RECORDER_H

#include "odcn-report-chart.h"
#include "odcn-run-report.h"
#include "odcn-use-over-time.h"

#include "ns3/ocs-address-plan.h"
#include "ns3/odcn-cs-mgr.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-output-files.h"

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
 * Columns: labels, if any; policy; job; arrival and duration in job time units; vms, K_j; outcome
 * (OdcnOutcomeName()); changed_circuits, circuits moved for this job; racks and addresses of the
 * VMs in order, joined by '|' (empty when blocked). The addresses are those that the packet plane
 * uses.
 */
class OdcnJobRecorder
{
  public:
    /**
     * @param files output folder, of jobs.csv
     * @param report gets charts of the use of the racks' cores over time, and of the first jobs
     * @param labels first columns of jobs.csv
     * @throws OdcnError when the file cannot be written
     */
    OdcnJobRecorder(OutputFiles& files,
                    RunReport& report,
                    const std::vector<std::string>& labels = {});

    OdcnJobRecorder(const OdcnJobRecorder&) = delete;
    OdcnJobRecorder& operator=(const OdcnJobRecorder&) = delete;

    /// Stops recording.
    ~OdcnJobRecorder();

    /**
     * Record the decisions of a manager from now until the next call.
     * @param title of the policy in charts
     * @param manager the manager; null to stop recording
     * @param place first cells, those of the labels and the policy; only the title if empty
     */
    void Record(const std::string& title,
                Ptr<CsMgr> manager,
                const std::vector<std::string>& place = {});

    /// Move the complete file to its target path. @throws OdcnError when a write failed
    void Commit();

  private:
    /// Jobs of a policy that the timeline shows.
    static constexpr std::size_t SHOWN = 300;

    /// Begin a row of jobs.csv.
    void PutPlace();

    /// Note a job for the report. @param id job  @param arrival arrival  @param end of its bar
    /// @param outcome its class
    void Show(JobId id, double arrival, double end, const std::string& outcome);

    /// Sink of CsMgr's JobPlaced trace source. @param job the placed job
    void Placed(const OdcnPlacedJob& job);

    /// Sink of CsMgr's JobBlocked trace source. @param job blocked job  @param cause outcome
    void Blocked(const OdcnJob& job, OdcnOutcome cause);

    /// Sink of CsMgr's CircuitsChanged trace source. @param changes moved circuits
    void Changed(const std::vector<OdcnCircuitChange>& changes);

    std::string m_title;              //!< of the policy in charts
    std::vector<std::string> m_place; //!< first cells of a row
    Ptr<CsMgr> m_manager;             //!< recorded manager; null for none
    OcsAddressPlan m_plan;            //!< maps servers to addresses
    OutputFiles& m_files;             //!< output folder
    CsvWriter m_csv;                  //!< jobs.csv
    ReportChart& m_use;               //!< use of cores
    ReportChart& m_bars;              //!< jobs over time
    UseOverTime m_cores;              //!< share of each rack's cores in use
    uint64_t m_decided{0};            //!< jobs of the policy
    double m_first{0};                //!< arrival of the first one
    double m_last{0};                 //!< arrival of the last one, since that
    std::size_t m_changed{0};         //!< circuits moved for the job that is about to be placed
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_RECORDER_H */
