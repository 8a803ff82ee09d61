// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-scheduler.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TrainingScheduler);

namespace
{

/// Length of a request or a report, bytes.
constexpr uint32_t PLAIN_MESSAGE = 32;
/// Bytes of a command for a rank or a port: its number, and its end point or receiver.
constexpr uint32_t FIELDS = 8;

} // namespace

TypeId
TrainingScheduler::GetTypeId()
{
    using T = TrainingScheduler;
    static TypeId tid =
        TypeIdOf<TrainingScheduler, Application>("ns3::odcn::TrainingScheduler")
            .Add(Attribute("DecisionTime", &T::m_decisionTime, Time(0), Time(0)),
                 "Time of a decision on jobs or circuits; decisions are made one after another.");
    return tid;
}

TrainingScheduler::TrainingScheduler()
    : m_management(ManagementNetwork::MakeIdeal())
{
}

TrainingScheduler::~TrainingScheduler() = default;

void
TrainingScheduler::DoDispose()
{
    StopApplication();
    if (m_management)
    {
        m_management->Dispose();
    }
    m_management = nullptr;
    m_traffic = nullptr;
    Application::DoDispose();
}

void
TrainingScheduler::SetManagement(Ptr<ManagementNetwork> management)
{
    m_management = management;
}

void
TrainingScheduler::Control(Ptr<TrainingCluster> cluster, Ptr<PlaneTraffic> traffic)
{
    m_traffic = traffic;
    cluster->SetScheduler([self = Ptr<TrainingScheduler>(this)](TrainingCluster::Change change,
                                                                uint32_t count,
                                                                const Message& answer)
                          { return self->Ask(change, count, answer); });
}

void
TrainingScheduler::StartApplication()
{
    m_isRunning = true;
    for (const std::function<void()>& begin : std::exchange(m_waiting, {}))
    {
        begin();
    }
}

void
TrainingScheduler::StopApplication()
{
    m_isRunning = false;
    m_hasStopped = true;
    m_waiting.clear();
}

bool
TrainingScheduler::Ask(TrainingCluster::Change change, uint32_t count, const Message& answer)
{
    /// Shared with the change, which may happen at once or later.
    struct Asked
    {
        bool isNow{true};     //!< whether Ask() has not returned
        bool isAtOnce{false}; //!< whether it has happened meanwhile
    };

    const auto asked = std::make_shared<Asked>();
    const auto carryOut = [self = Ptr<TrainingScheduler>(this), asked, answer]()
    {
        if (asked->isNow)
        {
            asked->isAtOnce = true;
        }
        else if (self->m_traffic)
        {
            self->m_traffic->Tell(answer);
        }
    };
    Begin(change, count, carryOut);
    asked->isNow = false;
    return asked->isAtOnce;
}

void
TrainingScheduler::Begin(TrainingCluster::Change change,
                         uint32_t count,
                         std::function<void()> carryOut)
{
    if (!m_isRunning)
    {
        if (!m_hasStopped)
        {
            m_waiting.emplace_back([this, change, count, carryOut = std::move(carryOut)]()
                                   { Begin(change, count, carryOut); });
        }
        return;
    }
    const auto command = [this, count, carryOut]()
    { Send(ManagementNetwork::COMMAND, FIELDS * count, carryOut); };
    switch (change)
    {
    case TrainingCluster::ARRIVAL:
        Send(ManagementNetwork::REQUEST, PLAIN_MESSAGE, [this, carryOut]() { Decide(carryOut); });
        break;
    case TrainingCluster::START:
        command();
        break;
    case TrainingCluster::END:
        Send(ManagementNetwork::REPORT, PLAIN_MESSAGE, [this, carryOut]() { Decide(carryOut); });
        break;
    case TrainingCluster::CIRCUITS:
        Send(ManagementNetwork::REPORT, PLAIN_MESSAGE, [this, command]() { Decide(command); });
    }
}

void
TrainingScheduler::Send(ManagementNetwork::Kind kind,
                        uint32_t bytes,
                        std::function<void()> received)
{
    m_management->Send(kind,
                       bytes,
                       [self = Ptr<TrainingScheduler>(this), received = std::move(received)]()
                       {
                           if (self->m_isRunning)
                           {
                               received();
                           }
                       });
}

void
TrainingScheduler::Decide(std::function<void()> decided)
{
    ++m_nDecisions;
    const Time begin = std::max(m_busyUntil, Simulator::Now());
    m_busyUntil = begin + std::min(m_decisionTime, Time::Max() - begin);
    if (m_busyUntil == Simulator::Now())
    {
        decided();
        return;
    }
    CompatSchedule(m_busyUntil - Simulator::Now(),
                   [self = Ptr<TrainingScheduler>(this), decided = std::move(decided)]()
                   {
                       if (self->m_isRunning)
                       {
                           decided();
                       }
                   });
}

} // namespace ns3::odcn
