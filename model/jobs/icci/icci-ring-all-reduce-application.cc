// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-ring-all-reduce-application.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("RingAllReduceApplication");

NS_OBJECT_ENSURE_REGISTERED(RingAllReduceApplication);

Time
RingIteration::GetUnscaled() const
{
    return UnscaledTime(GetCommunication(), transfer, scale);
}

TypeId
RingAllReduceApplication::GetTypeId()
{
    using T = RingAllReduceApplication;
    static TypeId tid =
        TypeIdOf<RingAllReduceApplication, Application>("ns3::odcn::RingAllReduceApplication")
            .Add(Attribute("Port", &T::m_port, 49200, 1), "TCP port of all workers of the ring.")
            .AddAttribute("Next",
                          "Address of the next worker.",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&T::m_next),
                          MakeIpv4AddressChecker())
            .Add(Attribute("Workers", &T::m_workers, 2, 2), "Number of workers of the ring (N).")
            .Add(Attribute("Bytes", &T::m_bytes, 1000000000, 1),
                 "Size of all gradients in bytes (P).")
            .Add(Attribute("Scale", &T::m_scale, 1, 1e-12, 1), "Share of the bytes that is sent.")
            .Add(Attribute("ComputeTime", &T::m_computeTime, MilliSeconds(100), Time(0)),
                 "How long a worker computes in an iteration (T_com).")
            .Add(Attribute("Iterations", &T::m_limit, 0),
                 "Number of iterations (It); 0 for no limit.")
            .AddAttribute("First",
                          "Index of the first iteration; not 0 for a worker that takes over.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&T::SetFirst),
                          MakeUintegerChecker<uint32_t>())
            .Add(Attribute("Window", &T::m_window, 1U << 24, 1U << 16),
                 "Largest number of bytes in flight to the next worker.")
            .Add(Trace("Iteration", &T::m_iterationTrace, "IterationTracedCallback"),
                 "An iteration is done.")
            .Add(Trace("Paused", &T::m_pausedTrace, "PausedTracedCallback"),
                 "The worker waits between two iterations, after Pause().");
    return tid;
}

void
RingAllReduceApplication::DoDispose()
{
    CloseAll();
    Application::DoDispose();
}

void
RingAllReduceApplication::CloseAll()
{
    m_compute.Cancel();
    if (m_out)
    {
        m_out->Close();
        m_out = nullptr;
    }
    for (const auto& stream : m_in)
    {
        stream->Close();
    }
    m_in.clear();
    MessageStream::StopListening(m_listener);
}

uint64_t
RingAllReduceApplication::GetChunk() const
{
    const double bytes = static_cast<double>(m_bytes) * m_scale / m_workers;
    return std::max<uint64_t>(StreamMessage::HEADER, static_cast<uint64_t>(std::ceil(bytes)));
}

uint32_t
RingAllReduceApplication::GetIterations() const
{
    return m_iteration.number;
}

void
RingAllReduceApplication::StartApplication()
{
    if (m_next == Ipv4Address::GetAny())
    {
        throw OdcnError::InOption("RingAllReduceApplication::Next", "0.0.0.0", "a worker");
    }
    CheckScale("RingAllReduceApplication::Scale", m_scale, GetChunk(), GetNode());
    m_listener = MessageStream::Listen(GetNode(),
                                       m_window,
                                       m_port,
                                       MakeCallback(&RingAllReduceApplication::Accept, this));
    Open();
    BeginIteration();
}

void
RingAllReduceApplication::StopApplication()
{
    CloseAll();
    m_running = false;
}

void
RingAllReduceApplication::Open()
{
    m_out = Create<MessageStream>(*this);
    m_out->Open([this] { return MessageStream::CreateSocket(GetNode(), m_window); },
                InetSocketAddress(m_next, m_port));
}

void
RingAllReduceApplication::Accept(Ptr<Socket> socket, const Address&)
{
    m_in.push_back(Create<MessageStream>(*this));
    m_in.back()->Adopt(socket);
}

void
RingAllReduceApplication::StreamClosed(MessageStream& stream)
{
    std::erase_if(m_in, [&](const auto& in) { return PeekPointer(in) == &stream; });
}

void
RingAllReduceApplication::Pause()
{
    m_pause = true;
}

void
RingAllReduceApplication::Resume()
{
    m_pause = false;
    if (!m_running && m_listener)
    {
        BeginIteration();
    }
}

void
RingAllReduceApplication::Leave()
{
    NS_ABORT_MSG_IF(m_running, "a ring changes only between two iterations");
    CloseAll();
}

void
RingAllReduceApplication::SetFirst(uint32_t number)
{
    m_iteration.number = number;
}

bool
RingAllReduceApplication::IsPaused() const
{
    return m_pause && !m_running;
}

void
RingAllReduceApplication::SetNext(Ipv4Address next)
{
    NS_ABORT_MSG_IF(m_running, "a ring changes only between two iterations");
    if (next == m_next)
    {
        return;
    }
    m_next = next;
    if (m_out)
    {
        m_out->Close();
        m_out = nullptr;
    }
    if (m_listener && m_next != Ipv4Address::GetAny())
    {
        Open();
    }
}

Ipv4Address
RingAllReduceApplication::GetNext() const
{
    return m_next;
}

void
RingAllReduceApplication::BeginIteration()
{
    m_running = false;
    if (m_limit > 0 && m_iteration.number >= m_limit)
    {
        return;
    }
    if (m_pause)
    {
        m_pausedTrace(m_iteration.number);
        return;
    }
    m_running = true;
    m_hasComputed = false;
    m_sent = 0;
    m_iteration.begun = Simulator::Now();
    m_iteration.scale = m_scale;
    m_compute = Simulator::Schedule(m_computeTime, &RingAllReduceApplication::Computed, this);
}

void
RingAllReduceApplication::Computed()
{
    NS_LOG_FUNCTION(this << m_iteration.number);
    m_hasComputed = true;
    m_iteration.computed = Simulator::Now();
    SendSteps();
}

void
RingAllReduceApplication::SendSteps()
{
    // Step s sends what was received in step s - 1.
    const uint32_t steps = 2 * (m_workers - 1);
    while (m_hasComputed && m_sent < steps && m_sent <= m_received)
    {
        m_out->Send(m_iteration.number, m_sent++, GetChunk());
    }
    if (m_hasComputed && m_sent == steps && m_received == steps)
    {
        m_received = 0;
        m_iteration.done = Simulator::Now();
        const RingIteration done = m_iteration;
        // Other workers may be ahead: their messages from now on belong to the next iteration.
        ++m_iteration.number;
        m_iteration.latency = Time();
        m_iteration.transfer = Time();
        m_iterationTrace(done);
        BeginIteration();
    }
}

void
RingAllReduceApplication::MessageReceived(MessageStream&, const StreamMessage& message)
{
    NS_LOG_FUNCTION(this << message.kind << message.number);
    NS_ABORT_MSG_IF(message.kind != m_iteration.number || message.number != m_received,
                    "worker at node " << GetNode()->GetId() << " is in step " << m_received
                                      << " of iteration " << m_iteration.number << ", got step "
                                      << message.number << " of " << message.kind);
    ++m_received;
    m_iteration.latency += message.first - message.sent;
    m_iteration.transfer += message.transfer;
    SendSteps();
}

} // namespace ns3::odcn
