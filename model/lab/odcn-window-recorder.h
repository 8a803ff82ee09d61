// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_WINDOW_RECORDER_H
#define ODCN_WINDOW_RECORDER_H

#include "odcn-run-report.h"
#include "odcn-window-monitor.h"

#include "ns3/ocs-fabric.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-figure.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-packet-fabric.h"
#include "ns3/odcn-placement-scheduler.h"
#include "ns3/odcn-table.h"
#include "ns3/packet.h"

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
 * Follows every packet of the measurement windows, one policy after another, and writes a row for
 * each window and scope.
 *
 * Columns: policy; window; job, whose commitment opened it; job_time; opened_s, closed_s,
 * simulated time; scope; flows; sent, received, one column per drop cause, in_flight;
 * measured_sent, measured_received; mean_ns, p50_ns, p99_ns, p999_ns, max_ns, one-way from socket
 * to socket; loss; steadiness, drift (OdcnWindowMonitor); formula_ns and formula_loss, the M/D/1/K
 * estimate of the inter-rack circuits alone, without the servers' links (empty for intra-rack).
 */
class OdcnWindowRecorder : public OdcnPacketSink
{
  public:
    /// Measured packets between racks: of a flow in a window, of a job in all windows.
    struct Tally
    {
        uint64_t sent{0};     //!< packets sent after the warm-up
        uint64_t received{0}; //!< of these, packets that arrived
        uint64_t lost{0};     //!< of these, lost packets
        uint64_t sumPs{0};    //!< one-way latencies of those that arrived, summed
        uint32_t windows{0};  //!< windows in which the job sent

        /// @param other tally of the same job
        /// @return whether they are equal
        bool operator==(const Tally& other) const = default;
    };

    /**
     * @param path the CSV file
     * @throws OdcnError when the file cannot be written
     */
    explicit OdcnWindowRecorder(const std::string& path);

    OdcnWindowRecorder(const OdcnWindowRecorder&) = delete;
    OdcnWindowRecorder& operator=(const OdcnWindowRecorder&) = delete;

    /**
     * Record a simulation from now until Stop(). The recorder must outlive its traces.
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

    /// Packets of a window of the engine have ended.
    /// @param rack not used
    /// @param fates their outcomes
    void Take(RackId rack, std::span<const PacketFate> fates) override;

    /// Disconnect from the simulation.
    void Stop();

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
     * Compare the windows of a policy with those of another engine, by their rows in the files of
     * Commit() and WriteJobs().
     * @param policy as in Record()
     * @param other recorder that has the policy, too
     * @return the first difference, e.g. "window 3, inter-rack"; empty if there is none
     */
    std::string FindDifference(const std::string& policy, const OdcnWindowRecorder& other) const;

    /// @param policy as in Record()
    /// @return packets sent in all windows and scopes
    uint64_t GetSent(const std::string& policy) const;

    /// @param policy as in Record()  @return number of closed windows
    uint64_t GetNWindows(const std::string& policy) const;

    /// @param policy as in Record()  @return packets received in all windows
    uint64_t GetReceived(const std::string& policy) const;

    /// @param policy as in Record()  @return windows in which an identity did not hold
    uint64_t GetUnbalanced(const std::string& policy) const;

    /// @param policy as in Record()  @return inter-rack result of all its windows
    OdcnScopeResult GetTotal(const std::string& policy) const;

    /// @param policy as in Record()  @return mean one-way inter-rack latency in ns
    Estimate GetLatencyNs(const std::string& policy) const;

    /// @param policy as in Record()  @return loss ratio of the inter-rack packets
    Estimate GetLoss(const std::string& policy) const;

    /**
     * @param policy as in Record()
     * @return the closed form's latency in ns for the same windows, weighted by their packets
     */
    double GetFormulaNs(const std::string& policy) const;

    /**
     * @param policy as in Record()
     * @return the part of the inter-rack latency that the closed form does not include: the
     * transmissions on both servers' links and the propagation on all fibres, in ns
     */
    double GetLinksNs(const std::string& policy) const;

    /// @param policy as in Record()  @return the closed form's loss, weighted as GetFormulaNs()
    double GetFormulaLoss(const std::string& policy) const;

  private:
    /// Results of a policy.
    struct Log
    {
        OdcnWindowMonitor monitor;     //!< follows packets
        double formulaNs{0};           //!< sum of latency estimates x packets, ns
        double formulaLoss{0};         //!< sum of loss estimates x packets
        double formulaWeight{0};       //!< sum of packets
        double linksNs{0};             //!< see GetLinksNs()
        std::map<JobId, Tally> jobs;   //!< packets by job
        std::vector<std::string> rows; //!< of the CSV file
    };

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

    /// @param flow index in the window  @param sentPs when its packet was sent
    /// @return where the packet counts; null if it is not measured
    Tally* Find(uint32_t flow, uint64_t sentPs);

    /// @param policy its name  @return its log  @throws OdcnError when there is none
    const Log& Find(const std::string& policy) const;

    /// A window opens.
    /// @param window the window, with its times and flows
    void Opened(const OdcnWindow& window);

    /// A window has closed. @param window the window
    void Closed(const OdcnWindow& window);

    /// A packet was sent. @param header its flow header
    void Sent(const FlowHeader& header);

    /// A packet has arrived. @param header its flow header  @param delay its latency
    void Received(const FlowHeader& header, Time delay);

    /// A packet was lost. @param packet with its IPv4 header  @param cause drop cause
    void Dropped(Ptr<const Packet> packet, OcsDropCause cause);

    /// A device refused a packet. @param device the device  @param packet with its IPv4 header
    void LostBySender(const OcsNetDevice* device, Ptr<const Packet> packet);

    /// A receiver dropped a packet. @param device the device  @param packet with its IPv4 header
    void LostByReceiver(const OcsNetDevice* device, Ptr<const Packet> packet);

    /// A switch dropped a packet. @param packet with IPv4 header  @param port input  @param cause
    /// why
    void LostInSwitch(Ptr<const Packet> packet, uint32_t port, OcsDropCause cause);

    CsvWriter m_csv;                                    //!< the file
    std::map<std::string, std::unique_ptr<Log>> m_logs; //!< by policy
    std::vector<std::string> m_order;                   //!< policies as they were recorded
    std::string m_policy;                               //!< being recorded
    Log* m_log{nullptr};                                //!< of it
    Ptr<OcsFabric> m_fabric;                            //!< of it
    std::vector<OdcnScope> m_scopes;                    //!< of the window's flows
    std::vector<Tally> m_tallies;                       //!< of the window's flows
    uint64_t m_measureFromPs{0};                        //!< end of the window's warm-up
};

} // namespace ns3::odcn

#endif /* ODCN_WINDOW_RECORDER_H */
