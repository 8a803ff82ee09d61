// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_FLOW_APPLICATION_H
#define ODCN_JOB_FLOW_APPLICATION_H

#include "odcn-flow-header.h"
#include "odcn-packet-law.h"

#include "ns3/event-impl.h"
#include "ns3/ipv4-address.h"
#include "ns3/odcn-random-stream.h"
#include "ns3/odcn-units.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Traffic of the VMs on one server: a source of any number of UDP flows to other servers, each with
 * its own mean rate, and the sink of their flows to this server. Attributes set the distributions
 * of packet gaps, sizes and bursts; see PacketSource.
 *
 * The n-th flow added since ClearFlows() draws from the n-th random stream and its companions for
 * sizes and bursts, so a flow does not depend on other flows. A flow that follows RemoveFlow()
 * takes the place, and the streams, of one that was removed. PacketFabric sends the same packets
 * without events.
 */
class JobFlowApplication : public RandomApplication
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    JobFlowApplication();

    /**
     * Add a flow; it starts at once, with its first packet after an initial gap.
     *
     * @param id number that its packets carry
     * @param peer address of the receiving server
     * @param rate mean rate in bit/s of IPv4 packets of PacketSize
     */
    void AddFlow(uint32_t id, Ipv4Address peer, BitRate rate);

    /**
     * Stop and remove a flow. Its packets in flight still arrive.
     * @param id number of the flow, as added last
     * @throws OdcnError when there is no such flow
     */
    void RemoveFlow(uint32_t id);

    /// Stop and remove all flows. Packets in flight still arrive.
    void ClearFlows();

    /**
     * @param mtu largest packet that the server's devices take, bytes
     * @return the packet process of a flow that the Attributes define
     * @throws OdcnError when Attributes contradict each other, or a packet may exceed @p mtu
     */
    PacketLaw GetLaw(uint32_t mtu) const;

    /**
     * @param stream first stream number to use
     * @return number of streams used, MAX_FLOWS; streams of sizes and bursts have far higher
     * numbers
     */
    int64_t AssignStreams(int64_t stream) override;

    /// Most flows at a time.
    static constexpr uint32_t MAX_FLOWS = 4096;

    /// Smallest packet in bytes: IPv4, UDP and FlowHeader.
    static constexpr uint32_t LEAST_SIZE = 28 + FlowHeader::SIZE;

    /// Signature of the Tx trace source. @param header what the packet carries
    typedef void (*TxTracedCallback)(const FlowHeader& header);
    /// Signature of the Rx trace source. @param header of the packet @param delay since it was sent
    typedef void (*RxTracedCallback)(const FlowHeader& header, Time delay);

  protected:
    void DoDispose() override;

  private:
    /// One flow.
    struct Flow
    {
        uint32_t id{0};       //!< number carried in its packets
        Address peer;         //!< address and port of the receiver
        uint32_t sequence{0}; //!< number of the next packet
        Ptr<EventImpl> send;  //!< sends the next packet, in every event; null once removed
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Create the packet source of one more flow.
    void AddSource();

    /// Schedule a flow's next packet or burst. @param index the flow  @param gap in time steps
    void ScheduleNext(std::size_t index, int64_t gap);

    /// Send a flow's next packet or burst. @param index the flow
    void Send(std::size_t index);

    /// Read received packets. @param socket the socket
    void Receive(Ptr<Socket> socket);

    uint16_t m_port;                     //!< UDP port of all servers
    uint32_t m_packetSize;               //!< bytes of an IPv4 packet
    int64_t m_firstStream{-1};           //!< stream of the first flow; -1 for automatic
    Ptr<Socket> m_socket;                //!< sends and receives
    std::vector<Flow> m_flows;           //!< flows by place
    std::vector<std::size_t> m_free;     //!< places of removed flows
    std::vector<PacketSource> m_sources; //!< packet sources by flow index, kept over ClearFlows()
    Ptr<RandomVariableStream> m_sizeVariable;          //!< prototype of packet sizes, or null
    Ptr<RandomVariableStream> m_burstVariable;         //!< prototype of burst lengths, or null
    PacketLaw::Arrivals m_arrivals{};                  //!< arrival process
    Time m_onTime;                                     //!< mean on period
    Time m_offTime;                                    //!< mean off period
    std::string m_traceFile;                           //!< file name of a packet trace, for TRACE
    TracedCallback<const FlowHeader&> m_txTrace;       //!< trace source Tx
    TracedCallback<const FlowHeader&, Time> m_rxTrace; //!< trace source Rx
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_FLOW_APPLICATION_H */
