// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_WINDOW_RECORDER_H
#define ODCN_WINDOW_RECORDER_H

#include "odcn-packet-recorder.h"
#include "odcn-report-chart.h"
#include "odcn-run-report.h"

#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-figure.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-placement-scheduler.h"
#include "ns3/odcn-table.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Records every packet of the measurement windows, one policy after another, and writes a row for
 * each window and scope.
 *
 * Columns: policy; window; job, whose commitment opened it; job_time; opened_s, closed_s,
 * simulated time; scope; flows; sent, received, one column per drop cause, in_flight;
 * measured_sent, measured_received; mean_ns, p50_ns, p99_ns, p999_ns, max_ns, one-way from socket
 * to socket; loss; steadiness, drift (PacketRecorder); formula_ns and formula_loss, the M/D/1/K
 * estimate of the inter-rack circuits alone, without the servers' links (empty for intra-rack).
 */
class OdcnWindowRecorder : public OdcnPacketSink
{
  public:
    /// Scopes of packets.
    enum Scope : uint32_t
    {
        INTER_RACK, //!< to another rack, through the optical switches
        INTRA_RACK, //!< to another server of its rack
        SCOPES      //!< number of scopes
    };

    /// Results of a policy.
    struct Log
    {
        PacketRecorder packets{SCOPES}; //!< its packets; those between racks also by job
        double formulaNs{0};            //!< sum of latency estimates x packets, ns
        double formulaLoss{0};          //!< sum of loss estimates x packets
        double formulaWeight{0};        //!< sum of packets
        /// Part of the inter-rack latency that the closed form does not include: the transmissions
        /// on both servers' links and the propagation on all fibres, in ns.
        double linksNs{0};
        std::vector<std::string> rows{}; //!< of the CSV file

        /// @return the closed form's latency in ns for the same windows, weighted by their packets
        double GetFormulaNs() const
        {
            return formulaNs / formulaWeight;
        }

        /// @return the closed form's loss, weighted as GetFormulaNs()
        double GetFormulaLoss() const
        {
            return formulaLoss / formulaWeight;
        }
    };

    /**
     * @param path the CSV file
     * @throws OdcnError when the file cannot be written
     */
    explicit OdcnWindowRecorder(const std::string& path);

    /// A recorder without a file, for Get(), MeasureFigures() and FindDifference().
    OdcnWindowRecorder();

    OdcnWindowRecorder(const OdcnWindowRecorder&) = delete;
    OdcnWindowRecorder& operator=(const OdcnWindowRecorder&) = delete;

    /**
     * Record a simulation from now on. The recorder must outlive it.
     *
     * @param policy text of the first column; each policy may be recorded once
     * @param scheduler scheduler that opens the windows
     * @param fabric fabric whose drop traces are recorded; null where the scheduler's engine
     * calls Take()
     * @param flows traffic applications of all servers; none with an engine
     */
    void Record(const std::string& policy,
                Ptr<PlacementScheduler> scheduler,
                Ptr<OcsFabric> fabric,
                const std::vector<Ptr<JobFlowApplication>>& flows);

    /**
     * Pass the results of a policy to a recorder in another process.
     * @param policy as in Record(); recorded by now, or new where a parcel is read
     * @param parcel they are added to, or read from
     */
    void Pass(const std::string& policy, Parcel& parcel);

    /// Packets of a window of the engine have ended.
    /// @param rack not used
    /// @param fates their outcomes
    void Take(RackId rack, std::span<const PacketFate> fates) override;

    /// Move the complete file to its target path. @throws OdcnError when a write failed
    void Commit();

    /**
     * Commit() and write what all windows measured, a row each: job-packets.csv by policy and job,
     * latencies.csv, the distribution of the latency, by policy, scope and bin.
     * @param files output folder, which has the file of Commit(), windows.csv
     * @throws OdcnError when a write failed
     */
    void Write(OutputFiles& files);

    /**
     * Write packets.csv, a row for each policy: windows, measured packets between racks, their
     * latency, its quantiles, loss and drift with intervals over windows, the closed form with the
     * servers' links, and windows in which an identity did not hold. Add them to the report, with
     * the distribution of the latency.
     * @param report the report
     * @param files output folder
     * @throws OdcnError when a write failed
     */
    void AddTo(RunReport& report, OutputFiles& files) const;

    /// Print the same as a table, and whether the identities held.
    /// @param os output stream
    /// @param width greatest width of the table; 0 for any
    void Print(std::ostream& os, std::size_t width) const;

    /// @return figures of merit of the packets of a replication, for Experiment::AddFigures()
    static std::vector<FigureOfMerit> GetFigures();

    /// @param policy as in Record()  @return the value of each of GetFigures() over all its windows
    std::vector<FigureValue> MeasureFigures(const std::string& policy) const;

    /**
     * Compare the windows of a policy with those of another engine, by their rows and the packets
     * of their jobs.
     * @param policy as in Record()
     * @param other recorder that has the policy, too
     * @return the first difference, e.g. "window 3, inter-rack"; empty if there is none
     */
    std::string FindDifference(const std::string& policy, const OdcnWindowRecorder& other) const;

    /// @param policy as in Record()
    /// @return its results
    /// @throws OdcnError when there are none
    const Log& Get(const std::string& policy) const;

  private:
    /// @param policy not recorded before
    /// @return its results, empty
    Log& AddLog(const std::string& policy);

    /// Write job-packets.csv.
    /// @param path the file
    void WriteJobs(const std::string& path) const;

    /// Write latencies.csv.
    /// @param path the file
    void WriteLatencies(const std::string& path) const;

    /// Write packets.csv.
    /// @param path the file
    void WriteTotals(const std::string& path) const;

    /// @return the same as a table
    Table MakeTable() const;

    /// Add the distribution of the latency. @param chart the chart
    void AddLatencies(ReportChart& chart) const;

    /// A window opens.
    /// @param window the window, with its times and flows
    void Opened(const OdcnWindow& window);

    /// A window has closed. @param window the window
    void Closed(const OdcnWindow& window);

    CsvWriter m_csv;                                    //!< rows, and their file, if any
    std::map<std::string, std::unique_ptr<Log>> m_logs; //!< by policy
    std::vector<std::string> m_order;                   //!< policies as they were recorded
    std::string m_policy;                               //!< being recorded
    Log* m_log{nullptr};                                //!< of it
    Ptr<OcsFabric> m_fabric;                            //!< of it
};

} // namespace ns3::odcn

#endif /* ODCN_WINDOW_RECORDER_H */
