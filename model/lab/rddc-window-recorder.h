// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_WINDOW_RECORDER_H
#define RDDC_WINDOW_RECORDER_H

#include "odcn-packet-recorder.h"

#include "ns3/nstime.h"
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

    /// A request in a window.
    struct RequestRow
    {
        uint32_t window{0};                         //!< number of the window
        uint64_t request{0};                        //!< number of the request
        uint32_t servers{0};                        //!< servers that the request holds
        uint32_t highestTier{0};                    //!< highest tier of its lightpaths, 1 to 3
        std::array<JobPackets, CARRIERS> packets{}; //!< its packets, by carrier
    };

    /**
     * Record from now on. This object must outlive the run.
     * @param scheduler scheduler with its fabric  @param flows traffic application of every server
     * @param switchQueue queue limit of a port of an electrical switch, in packets
     * @param switchDelay delay of an electrical switch, besides storing and queueing
     */
    RddcWindowRecorder(Ptr<AllocationScheduler> scheduler,
                       const std::vector<Ptr<JobFlowApplication>>& flows,
                       uint32_t switchQueue,
                       Time switchDelay);

    RddcWindowRecorder(const RddcWindowRecorder&) = delete;
    RddcWindowRecorder& operator=(const RddcWindowRecorder&) = delete;

    /// @param carrier a carrier
    /// @return its packets so far; their scope is the highest tier of a pair's lightpath, 0 to 2
    const PacketRecorder& GetPackets(Carrier carrier) const
    {
        return m_packets[carrier];
    }

    /// @return one row per window and request so far
    const std::vector<RequestRow>& GetRequests() const
    {
        return m_rows;
    }

  private:
    /// A window opens. @param window the window
    void Opened(const RddcWindow& window);

    /// A window has closed. @param window the window
    void Closed(const RddcWindow& window);

    /// A packet is handed to a socket. @param header its header
    void Sent(const FlowHeader& header);

    /// Tell the recorders of the flows of the window that they do not know yet.
    void AddFlows();

    Ptr<AllocationScheduler> m_scheduler;        //!< opens the windows
    uint32_t m_packetSize;                       //!< size of a packet in bytes
    std::array<RddcTreeModel, CARRIERS> m_trees; //!< trees, by carrier
    std::array<PacketRecorder, CARRIERS> m_packets{
        PacketRecorder(RddcNetwork::TIERS),
        PacketRecorder(RddcNetwork::TIERS),
        PacketRecorder(RddcNetwork::TIERS)}; //!< packets of all windows, by carrier
    const RddcWindow* m_window{nullptr};     //!< the window
    std::vector<RddcTreePacket> m_sent;      //!< its packets
    std::vector<RequestRow> m_rows;          //!< requests of all windows
};

} // namespace ns3::odcn

#endif /* RDDC_WINDOW_RECORDER_H */
