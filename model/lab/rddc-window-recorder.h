// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_WINDOW_RECORDER_H
#define RDDC_WINDOW_RECORDER_H

#include "ns3/nstime.h"
#include "ns3/odcn-flow-header.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-latency-histogram.h"
#include "ns3/odcn-statistics.h"
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
 * electrical packet-switched trees of equal capacity (RunPacketTree()) for comparison. Latency is
 * from socket to socket; packets sent during a warm-up are not measured.
 */
class RddcWindowRecorder
{
  public:
    /// The network that carries the packets.
    enum Carrier
    {
        CIRCUITS, //!< lightpaths, in ns-3
        TRUNKS,   //!< RddcTreeModel::TRUNKS
        PORTS,    //!< RddcTreeModel::PORTS
        CARRIERS, //!< number of carriers
    };

    /// @param carrier a carrier  @return its name, e.g. "circuits"
    static const char* GetName(Carrier carrier);

    /// Outcome of a set of packets.
    struct Figures
    {
        uint64_t sent{0};          //!< packets sent
        LatencyHistogram latency;  //!< latencies of the packets that arrived
        std::vector<double> means; //!< mean latency in ns of each window with arrivals

        /// @return packets that did not arrive
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
        uint32_t window{0};                    //!< number of the window
        uint64_t request{0};                   //!< number of the request
        uint32_t servers{0};                   //!< servers that the request holds
        uint32_t highestTier{0};               //!< highest tier of its lightpaths, 1 to 3
        uint64_t sent{0};                      //!< packets sent
        std::array<uint64_t, CARRIERS> lost{}; //!< lost packets, by carrier
        std::array<double, CARRIERS> meanNs{}; //!< mean latency by carrier; NaN when none arrived
        std::array<double, CARRIERS> greatestNs{}; //!< maximum latency by carrier; or NaN
    };

    /**
     * Record until this object is destroyed, which must happen before the scheduler is.
     * @param scheduler scheduler with its fabric  @param flows traffic application of every server
     * @param switchQueue queue limit of a port of an electrical switch, in packets
     * @param switchDelay delay of an electrical switch, besides storing and queueing
     */
    RddcWindowRecorder(Ptr<AllocationScheduler> scheduler,
                       std::vector<Ptr<JobFlowApplication>> flows,
                       uint32_t switchQueue,
                       Time switchDelay);
    ~RddcWindowRecorder();

    RddcWindowRecorder(const RddcWindowRecorder&) = delete;
    RddcWindowRecorder& operator=(const RddcWindowRecorder&) = delete;

    /// @param carrier a carrier  @param tier highest tier of a pair's lightpath, 0 to 2
    /// @return outcome of the packets so far
    const Figures& GetFigures(Carrier carrier, std::size_t tier) const
    {
        return m_figures[carrier][tier];
    }

    /// @return one row per window and request so far
    const std::vector<RequestRow>& GetRequests() const
    {
        return m_rows;
    }

  private:
    /// A flow of the window.
    struct Flow
    {
        uint64_t sent{0};                           //!< measured packets
        std::array<LatencyHistogram, CARRIERS> got; //!< latencies by carrier
    };

    /// Connect or disconnect all traces. @param connect whether to connect
    void Trace(bool connect);

    /// A window opens. @param window the window
    void Opened(const RddcWindow& window);

    /// A window has closed. @param window the window
    void Closed(const RddcWindow& window);

    /// A packet is handed to a socket. @param header its header
    void Sent(const FlowHeader& header);

    /// A packet has arrived. @param header its header  @param delay its latency
    void Received(const FlowHeader& header, Time delay);

    /// Send the window's packets through the trees. @param window the window
    void RunTrees(const RddcWindow& window);

    /// @param window the window  @return for each of its flows, its request's index in m_rows
    std::vector<std::size_t> AddRows(const RddcWindow& window);

    Ptr<AllocationScheduler> m_scheduler;        //!< opens the windows
    std::vector<Ptr<JobFlowApplication>> m_apps; //!< traffic of each server
    uint32_t m_packetSize;                       //!< size of a packet in bytes
    std::array<RddcTreeModel, CARRIERS> m_trees; //!< trees, by carrier
    Time m_measureFrom;                          //!< end of the window's warm-up
    std::vector<Flow> m_flows;                   //!< flows of the window
    std::vector<RddcTreePacket> m_packets;       //!< packets of the window
    std::vector<RequestRow> m_rows;              //!< requests of all windows
    std::array<std::array<Figures, RddcNetwork::TIERS>, CARRIERS> m_figures; //!< so far
};

} // namespace ns3::odcn

#endif /* RDDC_WINDOW_RECORDER_H */
