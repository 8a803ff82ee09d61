// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-run.h"

#include "odcn-training-engine.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <set>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TrainingRun);

TypeId
TrainingRun::GetTypeId()
{
    using T = TrainingRun;
    static TypeId tid =
        TypeIdOf<TrainingRun, Object>("ns3::odcn::TrainingRun")
            .Add(Attribute("AllReduce", &T::m_allReduce, "ring"),
                 "Algorithm of all-reduces, as in Collective::Make().")
            .Add(Attribute("ReduceScatter", &T::m_reduceScatter, "ring"),
                 "Algorithm of reduce-scatters.")
            .Add(Attribute("AllGather", &T::m_allGather, "ring"), "Algorithm of all-gathers.")
            .Add(Attribute("AllToAll", &T::m_allToAll, "direct"), "Algorithm of all-to-alls.")
            .Add(Attribute("Broadcast", &T::m_broadcast, "pipeline"), "Algorithm of broadcasts.")
            .Add(Attribute("Communications", &T::m_communications, 1, 1),
                 "Collectives and sends of a rank at a time.")
            .Add(Attribute("MessageOverhead", &T::m_messageOverhead, Time(0), Time(0)),
                 "Time at the receiver of each message of a collective, and before its first one.")
            .Add(Attribute("ReductionRate", &T::m_reductionRate, DataRate(0)),
                 "Rate of the memory in which a rank adds data: it reads twice and writes once, "
                 "each in whole nanoseconds. 0 for no time.")
            .Add(Attribute("Splits", &T::m_splits, 1, 1, 1 << 20),
                 "Collectives of equal parts into which each one is split.")
            .Add(Attribute("ActiveSplits", &T::m_activeSplits, 1, 1),
                 "Of Splits, how many of a collective a rank runs at a time.")
            .Add(Attribute("RingRounds", &T::m_ringRounds, 0),
                 "Most rounds of a ring. Where it has more, several are one message of all their "
                 "bytes, which is an approximation: what they have waited for each other is lost. "
                 "0 for all rounds.")
            .Add(Attribute("RoundTime", &T::m_roundTime, Time(0), Time(0)),
                 "Time for each round that RingRounds leaves out, such as the propagation.")
            .Add(Attribute("Symmetric", &T::m_symmetric, false),
                 "Rank 0 stands for all ranks if all of them act at the same times. Exact where "
                 "messages share nothing but ports of end points.")
            .Add(Attribute("PathIterations", &T::m_pathIterations, 0),
                 "Iterations, from the first on, of which the critical path is kept.")
            .Add(Attribute("Jitter", &T::m_jitter),
                 "Factor of the time of each computation; none for 1.")
            .Add(Attribute("Straggling", &T::m_straggling),
                 "Factor of the times of all computations of a rank; none for 1.");
    return tid;
}

TrainingRun::TrainingRun() = default;

TrainingRun::~TrainingRun() = default;

void
TrainingRun::DoDispose()
{
    m_explain = nullptr;
    m_jitter = nullptr;
    m_straggling = nullptr;
    m_engine = nullptr;
    Object::DoDispose();
}

void
TrainingRun::SetJob(std::shared_ptr<const TrainingJob> job,
                    std::vector<uint32_t> places,
                    uint64_t tag)
{
    const uint32_t ranks = job->GetNRanks();
    for (uint32_t rank = places.size(); places.size() < ranks && places.size() == rank; ++rank)
    {
        places.push_back(rank);
    }
    const std::set<uint32_t> different(places.begin(), places.end());
    if (m_job || places.size() != ranks || different.size() != ranks)
    {
        throw OdcnError("TrainingRun: job " + job->GetName() + " of " + std::to_string(ranks) +
                        " ranks at " + std::to_string(different.size()) +
                        " places: expected one end point for each, and one job");
    }
    TrainingEngine::Settings settings;
    settings.algorithms = GetAlgorithms();
    settings.communications = m_communications;
    settings.messageOverhead = m_messageOverhead;
    settings.reductionRate = static_cast<double>(m_reductionRate.GetBitRate()) / 8e9;
    settings.splits = m_splits;
    settings.activeSplits = m_activeSplits;
    settings.ringRounds = m_ringRounds;
    settings.roundTime = m_roundTime;
    settings.symmetric = m_symmetric;
    settings.pathIterations = m_pathIterations;
    settings.jitter = m_jitter;
    settings.straggling = m_straggling;
    settings.explain = m_explain;
    settings.first = m_first;
    settings.iterations = m_iterations;
    auto engine = std::make_unique<TrainingEngine>(*job, places, tag, std::move(settings));
    m_job = std::move(job);
    m_places = std::move(places);
    m_engine = std::move(engine);
}

TrainingRun::Algorithms
TrainingRun::GetAlgorithms() const
{
    using Operation = Collective::Operation;
    return {{Operation::ALL_REDUCE, "all-reduce:" + m_allReduce},
            {Operation::REDUCE_SCATTER, "reduce-scatter:" + m_reduceScatter},
            {Operation::ALL_GATHER, "all-gather:" + m_allGather},
            {Operation::ALL_TO_ALL, "all-to-all:" + m_allToAll},
            {Operation::BROADCAST, "broadcast:" + m_broadcast}};
}

int64_t
TrainingRun::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const Ptr<RandomVariableStream>& factor : {m_jitter, m_straggling})
    {
        if (factor)
        {
            factor->SetStream(stream + used++);
        }
    }
    return used;
}

void
TrainingRun::Start(std::vector<Message>& send)
{
    Begin(Time(0), Time(0), send);
}

void
TrainingRun::Begin(Time now, Time queued, std::vector<Message>& send)
{
    if (!m_engine)
    {
        throw OdcnError("TrainingRun: started without a job, expected SetJob() before");
    }
    m_engine->Begin(now, queued, send);
}

void
TrainingRun::Receive(const Message& message, Time now, std::vector<Message>& send)
{
    if (m_engine)
    {
        m_engine->Receive(message, now, send);
    }
}

bool
TrainingRun::IsDone() const
{
    return m_engine && m_engine->IsDone();
}

Time
TrainingRun::GetTime() const
{
    return m_engine ? m_engine->GetTime() : Time(0);
}

std::vector<Time>
TrainingRun::GetIterationEnds() const
{
    return m_engine ? m_engine->GetIterationEnds() : std::vector<Time>();
}

TrainingTimes
TrainingRun::GetTimes() const
{
    return m_engine ? m_engine->GetTimes() : TrainingTimes();
}

TrainingRun::Purpose
TrainingRun::GetPurpose(const Message& message) const
{
    return m_engine ? m_engine->GetPurpose(message) : Purpose();
}

std::vector<TrainingPath>
TrainingRun::GetPaths() const
{
    return m_engine ? m_engine->GetPaths() : std::vector<TrainingPath>();
}

bool
TrainingRun::IsSymmetric() const
{
    return m_engine && m_engine->IsSymmetric();
}

uint64_t
TrainingRun::GetNMessages() const
{
    return m_engine ? m_engine->GetNMessages() : 0;
}

uint64_t
TrainingRun::CountUnderWay() const
{
    return m_engine ? m_engine->CountUnderWay() : 0;
}

std::string
TrainingRun::DescribeUnfinished() const
{
    return m_engine ? m_engine->DescribeUnfinished() : "no job has been set";
}

} // namespace ns3::odcn
