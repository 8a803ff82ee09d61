// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_WINDOW_RECORDER_H
#define RDDC_WINDOW_RECORDER_H

#include "odcn-statistics.h"

#include "ns3/nstime.h"
#include "ns3/odcn-flow-header.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-latency-histogram.h"
#include "ns3/rddc-allocation-scheduler.h"
#include "ns3/rddc-network.h"
#include "ns3/rddc-packet-tree.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Measures the packets of all windows of an AllocationScheduler, and sends the same packets through
 * electrical packet-switched trees of equal capacity (RddcPacketTree) for comparison. Latency is
 * from socket to socket; packets sent during a warm-up are not measured.
 */
class RddcWindowRecorder
{
  public:
    /// What carries the packets.
    enum Carrier
    {
        CIRCUITS, //!< lightpaths, in ns-3
        TRUNKS,   //!< RddcTreeModel::TRUNKS
        PORTS,    //!< RddcTreeModel::PORTS
        CARRIERS, //!< number of carriers
    };

    /// @param carrier which  @return its name, e.g. "circuits"
    static const char* GetName(Carrier carrier);

    /// What became of some packets.
    struct Figures
    {
        uint64_t sent{0};          //!< packets
        LatencyHistogram latency;  //!< of those that arrived
        std::vector<double> means; //!< ns, mean of each window in which one arrived

        /// @return packets that never arrived
        uint64_t GetLost() const
        {
            return sent - latency.GetCount();
        }

        /// @return mean latency in ns, windows as replications
        Estimate GetMean() const;
    };

    /// A request in a window.
    struct RequestRow
    {
        uint32_t window{0};                        //!< number of the window
        uint64_t request{0};                       //!< number of the request
        uint32_t servers{0};                       //!< that it holds
        uint32_t highestTier{0};                   //!< that its lightpaths reach, 1 to 3
        uint64_t sent{0};                          //!< packets
        std::array<uint64_t, CARRIERS> lost{};     //!< of them, by carrier
        std::array<double, CARRIERS> meanNs{};     //!< latency, by carrier; NaN when none arrived
        std::array<double, CARRIERS> greatestNs{}; //!< greatest latency, by carrier; NaN likewise
    };

    /**
     * Record until this object's end, which is before that of the scheduler.
     * @param scheduler with its fabric  @param flows the traffic application of every server
     * @param switchQueue packets that wait in a port of an electrical switch
     * @param switchDelay of an electrical switch, besides storing and queueing
     */
    RddcWindowRecorder(Ptr<AllocationScheduler> scheduler,
                       std::vector<Ptr<JobFlowApplication>> flows,
                       uint32_t switchQueue,
                       Time switchDelay);
    ~RddcWindowRecorder();

    RddcWindowRecorder(const RddcWindowRecorder&) = delete;
    RddcWindowRecorder& operator=(const RddcWindowRecorder&) = delete;

    /// @param carrier which  @param tier highest of a pair's lightpath, 0 to 2
    /// @return what became of the packets so far
    const Figures& GetFigures(Carrier carrier, std::size_t tier) const
    {
        return m_figures[carrier][tier];
    }

    /// @return every request of every window so far
    const std::vector<RequestRow>& GetRequests() const
    {
        return m_rows;
    }

  private:
    /// A flow of the window.
    struct Flow
    {
        uint64_t sent{0};                           //!< packets that are measured
        std::array<LatencyHistogram, CARRIERS> got; //!< those of them that arrived
    };

    /// Connect or disconnect all traces. @param connect whether to connect
    void Trace(bool connect);

    /// A window opens. @param window which
    void Opened(const RddcWindow& window);

    /// A window has closed. @param window which
    void Closed(const RddcWindow& window);

    /// @param header of a packet that is handed to a socket
    void Sent(const FlowHeader& header);

    /// @param header of a packet that has arrived  @param delay how long it took
    void Received(const FlowHeader& header, Time delay);

    /// Send the window's packets through the trees. @param window which
    void RunTrees(const RddcWindow& window);

    /// @param window which  @return for each of its flows the index of its request in m_rows
    std::vector<std::size_t> AddRows(const RddcWindow& window);

    Ptr<AllocationScheduler> m_scheduler;        //!< whose windows
    std::vector<Ptr<JobFlowApplication>> m_apps; //!< traffic of each server
    uint32_t m_packetSize;                       //!< bytes
    std::array<RddcTreeModel, CARRIERS> m_trees; //!< by carrier
    Time m_measureFrom;                          //!< end of the window's warm-up
    std::vector<Flow> m_flows;                   //!< of the window
    std::vector<RddcTreePacket> m_packets;       //!< of the window
    std::vector<RequestRow> m_rows;              //!< of all windows
    std::array<std::array<Figures, RddcNetwork::TIERS>, CARRIERS> m_figures; //!< so far
};

} // namespace ns3::odcn

#endif /* RDDC_WINDOW_RECORDER_H */
