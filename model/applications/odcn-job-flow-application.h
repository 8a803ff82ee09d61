// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_FLOW_APPLICATION_H
#define ODCN_JOB_FLOW_APPLICATION_H

#include "odcn-flow-header.h"

#include "ns3/application.h"
#include "ns3/event-impl.h"
#include "ns3/ipv4-address.h"
#include "ns3/odcn-packet-law.h"
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
 * What the VMs on one server send to those on others: any number of flows of UDP packets, each at
 * its own mean rate, and the sink for what the others send here. How packets are spaced, of which
 * sizes they are and how many leave at once is set by Attributes; see PacketSource.
 *
 * The n-th flow added since ClearFlows() draws from the n-th random stream and those that belong to
 * it, so what a flow sends depends on no other flow. PacketFabric sends the same packets
 * without events.
 */
class JobFlowApplication : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    JobFlowApplication();

    /**
     * Add a flow; it starts sending at once, its first packet after a first gap.
     *
     * @param id number that its packets carry
     * @param peer address of the receiving server
     * @param rate mean rate in bit/s of IPv4 packets of PacketSize
     */
    void AddFlow(uint32_t id, Ipv4Address peer, BitRate rate);

    /// Stop and forget all flows. What is under way still arrives.
    void ClearFlows();

    /**
     * @param mtu largest packet that the server's devices take, bytes
     * @return what flows send, as the Attributes say
     * @throws OdcnError when they contradict each other, or a packet may exceed @p mtu
     */
    PacketLaw GetLaw(uint32_t mtu) const;

    /**
     * @param stream first stream number to use
     * @return how many were used, MAX_FLOWS; those of sizes and bursts lie far behind all of these
     */
    int64_t AssignStreams(int64_t stream);

    /// Most flows at a time.
    static constexpr uint32_t MAX_FLOWS = 4096;

    /// Smallest packet in bytes: IPv4, UDP and FlowHeader.
    static constexpr uint32_t LEAST_SIZE = 28 + FlowHeader::SIZE;

    /// Signature of the Tx trace source. @param header what the packet carries
    typedef void (*TxTracedCallback)(const FlowHeader& header);
    /// Signature of the Rx trace source. @param header as above @param delay since it was sent
    typedef void (*RxTracedCallback)(const FlowHeader& header, Time delay);

  protected:
    void DoDispose() override;

  private:
    /// One flow.
    struct Flow
    {
        uint32_t id{0};       //!< number
        Address peer;         //!< where to
        uint32_t sequence{0}; //!< of the next packet
        Ptr<EventImpl> send;  //!< the next packet; one event object for all of them
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Make what one more flow draws from.
    void AddSource();

    /// Schedule what a flow sends next. @param index the flow  @param gap time steps until then
    void ScheduleNext(std::size_t index, int64_t gap);

    /// Send a flow's next packet or burst. @param index the flow
    void Send(std::size_t index);

    /// Packets have come. @param socket the socket
    void Receive(Ptr<Socket> socket);

    uint16_t m_port;                             //!< UDP port of all servers
    uint32_t m_packetSize;                       //!< bytes of an IPv4 packet
    int64_t m_firstStream{-1};                   //!< stream of the first flow; -1 for automatic
    Ptr<Socket> m_socket;                        //!< sends and receives
    std::vector<Flow> m_flows;                   //!< flows now
    std::vector<PacketSource> m_sources;         //!< by flow index, kept over ClearFlows()
    Ptr<RandomVariableStream> m_sizeVariable;    //!< pattern
    Ptr<RandomVariableStream> m_burstVariable;   //!< pattern
    PacketLaw::Arrivals m_arrivals{};            //!< how packets are spaced
    Time m_onTime;                               //!< mean on period
    Time m_offTime;                              //!< mean off period
    std::string m_traceFile;                     //!< file name of a packet trace
    TracedCallback<const FlowHeader&> m_txTrace; //!< sent
    TracedCallback<const FlowHeader&, Time> m_rxTrace; //!< received
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_FLOW_APPLICATION_H */
