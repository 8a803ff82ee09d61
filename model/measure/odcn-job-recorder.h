// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_RECORDER_H
#define ODCN_JOB_RECORDER_H

#include "odcn-csv-writer.h"

#include "ns3/ocs-address-plan.h"
#include "ns3/odcn-cs-mgr.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Writes the job table: one row for each job that a cloud service manager decides.
 *
 * Columns: policy; job; arrival and duration in job time units; vms, K_j; outcome
 * (OdcnOutcomeName()); changed_circuits, moved for this job; racks and addresses, of each VM in
 * order, joined by '|' (empty when blocked). The addresses are those on which the packets of the
 * packet plane run.
 */
class OdcnJobRecorder
{
  public:
    /**
     * @param path the CSV file
     * @throws OdcnError when it cannot be written
     */
    explicit OdcnJobRecorder(const std::string& path);

    OdcnJobRecorder(const OdcnJobRecorder&) = delete;
    OdcnJobRecorder& operator=(const OdcnJobRecorder&) = delete;

    /// Stops recording.
    ~OdcnJobRecorder();

    /**
     * Record what a manager decides from now on, until the next call.
     * @param policy text of the first column
     * @param manager the manager; null to record nobody
     */
    void Record(const std::string& policy, Ptr<CsMgr> manager);

    /// Put the file in its place. @throws OdcnError when a write failed
    void Commit();

  private:
    /// CsMgr's JobPlaced. @param job the job
    void Placed(const OdcnPlacedJob& job);

    /// CsMgr's JobBlocked. @param job the request @param cause why
    void Blocked(const OdcnJob& job, OdcnOutcome cause);

    /// CsMgr's CircuitsChanged. @param changes what moved
    void Changed(const std::vector<OdcnCircuitChange>& changes);

    CsvWriter m_csv;          //!< the file
    std::string m_policy;     //!< first column
    Ptr<CsMgr> m_manager;     //!< whom it listens to
    OcsAddressPlan m_plan;    //!< servers to addresses
    std::size_t m_changed{0}; //!< circuits moved for the job that is about to be placed
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_RECORDER_H */
