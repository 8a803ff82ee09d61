// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-bulk-migration-application.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/odcn-attributes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("BulkMigrationApplication");

NS_OBJECT_ENSURE_REGISTERED(BulkMigrationApplication);

namespace
{

/// Kinds of messages between the two places.
enum Kind : uint32_t
{
    WORKER, //!< data and parameters, to the new place
    READY,  //!< the GPU is on, to the old place; value: how long the transfer took
    WORK,   //!< confirmation: start to work, to the new place
};

} // namespace

Time
BulkMigration::GetUnscaled() const
{
    return UnscaledTime(GetDowntime(), transfer, scale);
}

TypeId
BulkMigrationApplication::GetTypeId()
{
    using T = BulkMigrationApplication;
    static TypeId tid =
        TypeIdOf<BulkMigrationApplication, Application>("ns3::odcn::BulkMigrationApplication")
            .Add(Attribute("Port", &T::m_port, 49300, 1), "TCP port of both places.")
            .AddAttribute("Peer",
                          "Address of the new place; 0.0.0.0: this is the new place.",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&T::m_peer),
                          MakeIpv4AddressChecker())
            .Add(Attribute("Data", &T::m_data, 0), "Training data of the worker in bytes (D).")
            .Add(Attribute("Parameters", &T::m_parameters, 100000000000),
                 "Parameters of the worker in bytes (Omega).")
            .Add(Attribute("Scale", &T::m_scale, 1, 1e-12, 1), "Share of the bytes that is sent.")
            .Add(Attribute("GpuSwitchTime", &T::m_gpuSwitchTime, MilliSeconds(50), Time(0)),
                 "From the last byte until the new GPU works (t_GPU).")
            .Add(Attribute("Timeout", &T::m_timeout, Time(0), Time(0)),
                 "Time until the old place abandons a migration; 0 for no limit.")
            .Add(Attribute("Window", &T::m_window, 1U << 24, 1U << 16),
                 "Largest number of bytes in flight.")
            .Add(Trace("Done", &T::m_doneTrace, "MigrationTracedCallback"),
                 "The worker is at the new place; fired at the old one.")
            .Add(Trace("Abandoned", &T::m_abandonedTrace, "MigrationTracedCallback"),
                 "The worker stays at the old place; fired there.")
            .Add(Trace("Arrived", &T::m_arrivedTrace, "ResumedTracedCallback"),
                 "New place: data and parameters have arrived, the GPU is switched on.")
            .Add(Trace("Resumed", &T::m_resumedTrace, "ResumedTracedCallback"),
                 "The worker works at the new place; fired there.");
    return tid;
}

void
BulkMigrationApplication::DoDispose()
{
    CloseAll();
    Application::DoDispose();
}

void
BulkMigrationApplication::CloseAll()
{
    m_giveUp.Cancel();
    Forget();
    if (m_stream)
    {
        m_stream->Close();
        m_stream = nullptr;
    }
    MessageStream::StopListening(m_listener);
}

uint64_t
BulkMigrationApplication::GetBytes() const
{
    const double bytes = static_cast<double>(m_data + m_parameters) * m_scale;
    return std::max<uint64_t>(StreamMessage::HEADER, static_cast<uint64_t>(std::ceil(bytes)));
}

BulkMigrationApplication::State
BulkMigrationApplication::GetState() const
{
    return m_state;
}

uint32_t
BulkMigrationApplication::GetResumed() const
{
    return m_resumed;
}

void
BulkMigrationApplication::StartApplication()
{
    if (m_peer != Ipv4Address::GetAny())
    {
        Open();
        return;
    }
    m_listener = MessageStream::Listen(GetNode(),
                                       m_window,
                                       m_port,
                                       MakeCallback(&BulkMigrationApplication::Accept, this));
}

void
BulkMigrationApplication::StopApplication()
{
    Abandon();
    CloseAll();
}

void
BulkMigrationApplication::Open()
{
    m_stream = Create<MessageStream>(*this);
    m_stream->Open([this] { return MessageStream::CreateSocket(GetNode(), m_window); },
                   InetSocketAddress(m_peer, m_port));
}

void
BulkMigrationApplication::Accept(Ptr<Socket> socket, const Address&)
{
    // A new connection: the old place has abandoned the previous migration.
    Forget();
    if (m_stream)
    {
        m_stream->Close();
    }
    m_stream = Create<MessageStream>(*this);
    m_stream->Adopt(socket);
}

bool
BulkMigrationApplication::Migrate()
{
    if (m_state != HERE || !m_stream)
    {
        return false;
    }
    NS_LOG_FUNCTION(this << m_migration.number);
    CheckScale("BulkMigrationApplication::Scale", m_scale, GetBytes(), GetNode());
    m_state = MOVING;
    m_migration.bytes = GetBytes();
    m_migration.scale = m_scale;
    m_migration.begun = Simulator::Now();
    m_stream->Send(WORKER, m_migration.number, m_migration.bytes);
    if (m_timeout.IsStrictlyPositive())
    {
        m_giveUp = Simulator::Schedule(m_timeout, &BulkMigrationApplication::Abandon, this);
    }
    return true;
}

bool
BulkMigrationApplication::Abandon()
{
    if (m_state != MOVING)
    {
        return false;
    }
    NS_LOG_FUNCTION(this << m_migration.number);
    m_giveUp.Cancel();
    m_state = HERE;
    // A new connection, so that bytes still in flight are not taken for the worker.
    m_stream->Close();
    Open();
    m_migration.done = Simulator::Now();
    const BulkMigration given = m_migration;
    ++m_migration.number;
    m_abandonedTrace(given);
    return true;
}

void
BulkMigrationApplication::MessageReceived(MessageStream& stream, const StreamMessage& message)
{
    NS_LOG_FUNCTION(this << message.kind << message.number);
    if (message.kind == WORKER)
    {
        const int64_t transfer = message.transfer.GetTimeStep();
        m_switch = Simulator::Schedule(m_gpuSwitchTime,
                                       &BulkMigrationApplication::Switched,
                                       this,
                                       message.number,
                                       transfer);
        m_arrivedTrace(message.number);
    }
    else if (message.kind == READY && m_state == MOVING && message.number == m_migration.number)
    {
        m_giveUp.Cancel();
        m_state = MOVED;
        stream.Send(WORK, message.number, StreamMessage::HEADER);
        m_migration.ready = message.sent;
        m_migration.done = Simulator::Now();
        m_migration.transfer = TimeStep(static_cast<uint64_t>(message.value));
        m_doneTrace(m_migration);
    }
    else if (message.kind == WORK && m_ready)
    {
        m_ready = false;
        ++m_resumed;
        m_resumedTrace(message.number);
    }
}

void
BulkMigrationApplication::Switched(uint32_t number, int64_t transfer)
{
    m_ready = true;
    m_stream->Send(READY, number, StreamMessage::HEADER, transfer);
}

void
BulkMigrationApplication::Forget()
{
    m_switch.Cancel();
    m_ready = false;
}

void
BulkMigrationApplication::StreamClosed(MessageStream&)
{
    if (m_listener)
    {
        Forget();
    }
    else if (m_state == MOVING)
    {
        Abandon();
    }
    else if (m_state == HERE)
    {
        Open();
    }
}

} // namespace ns3::odcn
