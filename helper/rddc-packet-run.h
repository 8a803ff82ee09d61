// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_PACKET_RUN_H
#define RDDC_PACKET_RUN_H

#include "rddc-fabric-helper.h"

#include "ns3/nstime.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-flow-header.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-latency-histogram.h"
#include "ns3/odcn-statistics.h"
#include "ns3/rddc-allocation.h"
#include "ns3/rddc-packet-tree.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace odcn
{

/// What the servers of a request send each other, and what electrical switches would be like.
struct RddcPacketOptions
{
    double load{0.5};                   //!< of a lightpath each way, in shares of its rate
    uint32_t packetSize{1500};          //!< bytes, IPv4 and UDP headers included
    Time window{MicroSeconds(20)};      //!< how long they send each time
    uint32_t switchQueue{100};          //!< packets that wait in an electrical port
    Time switchDelay{NanoSeconds(300)}; //!< of an electrical switch, besides storing and queueing
};

/**
 * @ingroup odcn
 *
 * An episode of requests in packets: whoever decides does so as ever, and each request that
 * RddcManager grants gets its lightpaths on an RddcFabric, until it leaves. In windows of time all
 * servers that hold a request together send each other UDP packets over them, each pair both ways
 * and each way a Poisson stream. The same packets are then sent through electrical packet-switched
 * trees of equal capacity (RddcPacketTree).
 *
 * The requests' clock and that of packets are two: packets see, window by window, the circuits as
 * control has them at that point of the episode. A window begins when the mirrors have turned and
 * ends when all packets are gone.
 *
 * Latency is from socket to socket. To be used with Time::SetResolution(Time::PS); afterwards
 * Simulator::Destroy() is the caller's.
 */
class RddcPacketRun
{
  public:
    /// What carries the packets.
    enum Carrier
    {
        CIRCUITS, //!< lightpaths, in ns-3
        TRUNKS,   //!< RddcTreeModel::TRUNKS
        PORTS,    //!< RddcTreeModel::PORTS
        CARRIERS, //!< how many there are
    };

    /// @param carrier which  @return its name, e.g. "circuits"
    static const char* GetName(Carrier carrier);

    /// What became of some packets.
    struct Figures
    {
        uint64_t sent{0};             //!< packets
        OdcnLatencyHistogram latency; //!< of those that arrived
        std::vector<double> means;    //!< ns, mean of each window in which one arrived

        /// @return packets that never arrived
        uint64_t GetLost() const
        {
            return sent - latency.GetCount();
        }

        /// @return mean latency in ns, windows as replications
        OdcnEstimate GetMean() const;
    };

    /// A request in a window.
    struct RequestRow
    {
        uint32_t window{0};                        //!< which window
        uint64_t request{0};                       //!< number of the request
        uint32_t servers{0};                       //!< that it holds
        uint32_t highestTier{0};                   //!< that its lightpaths reach, 1 to 3
        uint64_t sent{0};                          //!< packets
        std::array<uint64_t, CARRIERS> lost{};     //!< of them, by carrier
        std::array<double, CARRIERS> meanNs{};     //!< latency, by carrier; NaN when none arrived
        std::array<double, CARRIERS> greatestNs{}; //!< likewise
    };

    /**
     * @param fabrics lays the network out; its Attributes must be set
     * @param problem empty and ready, as RddcHelper::CreateProblem() gives it
     * @param options what servers send
     * @throws OdcnError when a value is out of range
     */
    RddcPacketRun(const RddcFabricHelper& fabrics,
                  Ptr<RddcAllocation> problem,
                  const RddcPacketOptions& options);

    ~RddcPacketRun();

    RddcPacketRun(const RddcPacketRun&) = delete;
    RddcPacketRun& operator=(const RddcPacketRun&) = delete;

    /// @param stream first stream number of packets' gaps  @return how many are used
    int64_t AssignStreams(int64_t stream);

    /**
     * Let all granted requests send for a window. Before it, decide requests by
     * RddcAllocation::RunRequest(), with any policy.
     * @throws OdcnError when a packet is neither received nor lost with a cause
     */
    void RunWindow();

    /// @return the fabric, for traces
    Ptr<RddcFabric> GetFabric() const
    {
        return m_fabric;
    }

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

    /// @return how many granted requests hold lightpaths now
    std::size_t GetNHeld() const
    {
        return m_held.size();
    }

  private:
    /// A flow of a window: one way of a lightpath.
    struct Flow
    {
        RddcLightpath lightpath;                        //!< from the sender
        std::size_t tier{0};                            //!< highest, 0 to 2
        std::size_t row{0};                             //!< index of its request in m_rows
        uint64_t sent{0};                               //!< packets
        std::array<OdcnLatencyHistogram, CARRIERS> got; //!< those that arrived
    };

    /// A grant. @param grant it
    void Granted(const RddcGrant& grant);

    /// A grant has ended. @param grant it
    void Released(const RddcGrant& grant);

    /// @param header of a packet that is handed to a socket
    void Sent(const OdcnFlowHeader& header);

    /// @param header of a packet that has come  @param delay how long it took
    void Received(const OdcnFlowHeader& header, Time delay);

    /// @param time how long to run
    static void RunFor(const Time& time);

    /// Open the flows of all granted requests.
    void OpenFlows();

    /// Send the window's packets through the trees.
    void RunTrees();

    /// Add the window's flows to the figures.
    void AddFigures();

    RddcPacketOptions m_options;                             //!< what servers send
    Ptr<RddcFabric> m_fabric;                                //!< carries it
    Ptr<RddcManager> m_manager;                              //!< grants
    BitRate m_rate{0};                                       //!< of a lightpath
    Time m_dark;                                             //!< until mirrors have turned
    std::array<RddcTreeModel, CARRIERS> m_trees;             //!< by carrier
    std::vector<Ptr<OdcnJobFlowApplication>> m_applications; //!< by server
    std::map<uint64_t, RddcFabric::GroupId> m_held;          //!< by request
    std::vector<Flow> m_flows;                               //!< of the window
    std::vector<RddcTreePacket> m_packets;                   //!< of the window
    uint32_t m_window{0};                                    //!< how many there were
    std::vector<RequestRow> m_rows;                          //!< of all windows
    std::array<std::array<Figures, RddcNetwork::TIERS>, CARRIERS> m_figures; //!< so far
};

} // namespace odcn
} // namespace ns3

#endif /* RDDC_PACKET_RUN_H */
