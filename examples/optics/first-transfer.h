// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef FIRST_TRANSFER_H
#define FIRST_TRANSFER_H

/**
 * @file
 * The TCP transfer of ocs-first and otn-first: applications of ns-3, and what their user sees.
 */

#include "ns3/bulk-send-application.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ocs-device-helper.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-given-attributes.h"
#include "ns3/odcn-pcap-trace.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-tcp-flow-transport.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <iomanip>
#include <iostream>
#include <string>

using namespace ns3;

/// @return standard output, after the simulated time
inline std::ostream&
Log()
{
    const double ms = Simulator::Now().GetSeconds() * 1000;
    return std::cout << std::setw(9) << odcn::FormatFixed(ms, 3) << " ms  ";
}

/// A file that one node sends to another over TCP.
class FirstTransfer
{
  public:
    uint64_t wanted;            //!< bytes to transfer
    uint64_t received{0};       //!< bytes received
    Time last;                  //!< when the last of them arrived
    Time silence;               //!< longest time without reception
    uint64_t segments{0};       //!< TCP segments with data, including retransmissions
    uint64_t again{0};          //!< retransmitted segments
    SequenceNumber32 sentTo{0}; //!< end of the data sent so far

    /// @param from sender
    /// @param to receiver
    /// @param address of the receiver
    /// @param megabytes size of the file
    /// @param start when the sender starts
    FirstTransfer(Ptr<Node> from,
                  Ptr<Node> to,
                  Ipv4Address address,
                  uint32_t megabytes,
                  Time start = Time(0))
        : wanted(uint64_t(megabytes) * 1000000),
          last(start),
          m_node(from),
          m_address(address)
    {
        // Applications of ns-3.
        const InetSocketAddress any(Ipv4Address::GetAny(), 48700);
        BulkSendHelper send("ns3::TcpSocketFactory", InetSocketAddress(address, 48700));
        send.SetAttribute("MaxBytes", UintegerValue(wanted));
        send.SetAttribute("SendSize", UintegerValue(14480));
        ApplicationContainer sender = send.Install(from);
        sender.Start(start);
        Ptr<Application> sink = PacketSinkHelper("ns3::TcpSocketFactory", any).Install(to).Get(0);
        // Observed by trace sources; the socket exists once the sender has started.
        sink->TraceConnectWithoutContext("Rx", MakeCallback(&FirstTransfer::Receive, this));
        Simulator::Schedule(start + NanoSeconds(1), &FirstTransfer::Watch, this, sender.Get(0));
    }

    /// Record the packets of all devices.
    /// @param helper knows them
    /// @param prefix of the files' names; empty for none
    static void EnablePcap(odcn::OcsDeviceHelper& helper, const std::string& prefix)
    {
        if (!prefix.empty())
        {
            helper.EnablePcapAll(prefix);
        }
    }

    /// Run until all bytes have arrived.
    /// @param path what they go over
    /// @param obstacle what is in their way when the run has ended without them, or ""
    /// @throws OdcnError when they have not after 600 s
    void Run(const std::string& path, const std::function<std::string()>& obstacle)
    {
        const Time limit = Seconds(600);
        Log() << wanted / 1000000 << " MB go from "
              << m_node->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal() << " to " << m_address
              << " over " << path << "\n";
        Simulator::Stop(limit);
        Simulator::Run();
        odcn::PcapTrace::FinishAll(); // throws if a packet could not be written
        if (received < wanted)
        {
            const Time end = Simulator::Now();
            const std::string why = obstacle();
            throw odcn::OdcnError("the transfer did not complete: " + std::to_string(received) +
                                  " of " + std::to_string(wanted) + " bytes had arrived after " +
                                  odcn::FormatFixed(end.GetSeconds(), 3) + " s of simulated time" +
                                  (end < limit ? ", when nothing was left to happen" : "") +
                                  (why.empty() ? "" : "; " + why));
        }
    }

    /// Set ns-3's TCP for 100 Gb/s x 1 ms, with a large initial window.
    static void SetLongTcp()
    {
        odcn::GivenAttributes::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
        odcn::GivenAttributes::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(500));
        odcn::GivenAttributes::SetDefault("ns3::TcpSocket::DelAckTimeout",
                                          TimeValue(MicroSeconds(100)));
        odcn::GivenAttributes::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(8000000));
        odcn::GivenAttributes::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(8000000));
        odcn::GivenAttributes::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(2)));
        // A repair may take longer than ns-3's six retries.
        for (const char* name : {"ns3::TcpSocket::ConnCount", "ns3::TcpSocket::DataRetries"})
        {
            odcn::GivenAttributes::SetDefault(name, UintegerValue(odcn::TcpFlowTransport::RETRIES));
        }
        odcn::GivenAttributes::SetDefault("ns3::TcpSocketBase::ClockGranularity",
                                          TimeValue(MicroSeconds(10)));
    }

  private:
    /// A packet has arrived.
    void Receive(Ptr<const Packet> packet, const Address&)
    {
        received += packet->GetSize();
        silence = std::max(silence, Simulator::Now() - last);
        last = Simulator::Now();
        if (received >= wanted)
        {
            Log() << "all bytes have arrived\n";
            Simulator::Stop();
        }
    }

    /// The sender has a socket.
    void Watch(Ptr<Application> sender)
    {
        const Ptr<Socket> socket = DynamicCast<BulkSendApplication>(sender)->GetSocket();
        socket->TraceConnectWithoutContext("Tx", MakeCallback(&FirstTransfer::Send, this));
    }

    /// A segment with this payload leaves.
    void Send(Ptr<const Packet> data, const TcpHeader& header, Ptr<const TcpSocketBase>)
    {
        if (data->GetSize() > 0)
        {
            ++segments;
            again += header.GetSequenceNumber() < sentTo ? 1 : 0;
            sentTo = std::max(sentTo, header.GetSequenceNumber() + data->GetSize());
        }
    }

    Ptr<Node> m_node;      //!< sender
    Ipv4Address m_address; //!< of the receiver
};

#endif /* FIRST_TRANSFER_H */
