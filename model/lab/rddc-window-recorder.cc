// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-window-recorder.h"

#include "ns3/ocs-net-device.h"
#include "ns3/odcn-object-text.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::odcn
{

const char*
RddcWindowRecorder::GetName(Carrier carrier)
{
    static const std::array<const char*, CARRIERS> NAMES{"circuits", "trunks", "ports"};
    return NAMES[carrier];
}

Estimate
RddcWindowRecorder::Figures::GetMean() const
{
    return MeanOfReplications(means);
}

RddcWindowRecorder::RddcWindowRecorder(Ptr<AllocationScheduler> scheduler,
                                       std::vector<Ptr<JobFlowApplication>> flows,
                                       uint32_t switchQueue,
                                       Time switchDelay)
    : m_scheduler(scheduler),
      m_apps(std::move(flows))
{
    const auto fabric = scheduler->GetFabric();
    m_trees[TRUNKS].form = RddcTreeModel::TRUNKS;
    m_trees[PORTS].form = RddcTreeModel::PORTS;
    for (auto& tree : m_trees)
    {
        tree.channelRate = scheduler->GetRate();
        tree.cardQueue = fabric->GetCard(0, 0)->GetQueue()->GetMaxSize().GetValue();
        tree.switchQueue = switchQueue;
        tree.switchDelay = switchDelay.GetPicoSeconds();
        for (std::size_t tier = 0; tier < RddcNetwork::TIERS; ++tier)
        {
            tree.fibreDelay[tier] = fabric->GetDelay(tier).GetPicoSeconds();
        }
    }
    m_packetSize =
        static_cast<uint32_t>(GetAttributeOf<UintegerValue>(*m_apps.front(), "PacketSize"));
    Trace(true);
}

RddcWindowRecorder::~RddcWindowRecorder()
{
    Trace(false);
}

void
RddcWindowRecorder::Trace(bool connect)
{
    const auto trace = [connect](const Ptr<Object>& object, const char* name, const auto& sink)
    {
        connect ? object->TraceConnectWithoutContext(name, sink)
                : object->TraceDisconnectWithoutContext(name, sink);
    };
    trace(m_scheduler, "WindowOpened", MakeCallback(&RddcWindowRecorder::Opened, this));
    trace(m_scheduler, "WindowClosed", MakeCallback(&RddcWindowRecorder::Closed, this));
    for (const auto& app : m_apps)
    {
        trace(app, "Tx", MakeCallback(&RddcWindowRecorder::Sent, this));
        trace(app, "Rx", MakeCallback(&RddcWindowRecorder::Received, this));
    }
}

void
RddcWindowRecorder::Opened(const RddcWindow& window)
{
    m_measureFrom = window.measureFrom;
    m_packets.clear();
    m_flows = std::vector<Flow>(window.flows.size());
}

void
RddcWindowRecorder::Sent(const FlowHeader& header)
{
    // A request connected in the middle of a window adds flows to it.
    m_flows.resize(std::max<std::size_t>(m_flows.size(), header.GetFlow() + 1));
    m_flows[header.GetFlow()].sent += Simulator::Now() >= m_measureFrom;
    m_packets.push_back({Simulator::Now().GetPicoSeconds(), header.GetFlow(), m_packetSize});
}

void
RddcWindowRecorder::Received(const FlowHeader& header, Time delay)
{
    if (header.GetSent() >= m_measureFrom)
    {
        m_flows[header.GetFlow()].got[CIRCUITS].Add(static_cast<uint64_t>(delay.GetPicoSeconds()));
    }
}

void
RddcWindowRecorder::RunTrees(const RddcWindow& window)
{
    std::vector<RddcLightpath> flows;
    flows.reserve(window.flows.size());
    for (const auto& flow : window.flows)
    {
        flows.push_back(flow.lightpath);
    }
    const RddcNetwork& network = *m_scheduler->GetFabric()->GetNetwork();
    for (const auto carrier : {TRUNKS, PORTS})
    {
        for (const PacketFate& fate : RunPacketTree(network, m_trees[carrier], flows, m_packets))
        {
            if (fate.received && fate.sent >= m_measureFrom.GetPicoSeconds())
            {
                m_flows[fate.flow].got[carrier].Add(static_cast<uint64_t>(fate.ended - fate.sent));
            }
        }
    }
}

std::vector<std::size_t>
RddcWindowRecorder::AddRows(const RddcWindow& window)
{
    // Every server of a request sends at least one flow.
    std::map<uint64_t, std::size_t> rows;
    std::map<uint64_t, std::vector<ServerId>> servers;
    std::vector<std::size_t> rowOf;
    for (const auto& flow : window.flows)
    {
        const auto [row, isNew] = rows.emplace(flow.request, m_rows.size());
        if (isNew)
        {
            m_rows.emplace_back();
            m_rows.back().window = window.index;
            m_rows.back().request = flow.request;
        }
        auto& highest = m_rows[row->second].highestTier;
        highest = std::max(highest, flow.tier + 1);
        auto& senders = servers[flow.request];
        if (std::find(senders.begin(), senders.end(), flow.lightpath.from) == senders.end())
        {
            senders.push_back(flow.lightpath.from);
        }
        rowOf.push_back(row->second);
    }
    for (const auto& [request, row] : rows)
    {
        m_rows[row].servers = static_cast<uint32_t>(servers[request].size());
    }
    return rowOf;
}

void
RddcWindowRecorder::Closed(const RddcWindow& window)
{
    m_flows.resize(window.flows.size());
    RunTrees(window);
    const auto rowOf = AddRows(window);
    for (int carrier = 0; carrier < CARRIERS; ++carrier)
    {
        std::array<LatencyHistogram, RddcNetwork::TIERS> byTier;
        std::map<std::size_t, LatencyHistogram> byRow;
        for (std::size_t i = 0; i < m_flows.size(); ++i)
        {
            const Flow& flow = m_flows[i];
            const uint32_t tier = window.flows[i].tier;
            RequestRow& row = m_rows[rowOf[i]];
            row.sent += carrier == CIRCUITS ? flow.sent : 0;
            row.lost[carrier] += flow.sent - flow.got[carrier].GetCount();
            byRow[rowOf[i]].Merge(flow.got[carrier]);
            byTier[tier].Merge(flow.got[carrier]);
            m_figures[carrier][tier].sent += flow.sent;
        }
        for (const auto& [index, latency] : byRow)
        {
            m_rows[index].meanNs[carrier] = latency.GetMeanNs();
            m_rows[index].greatestNs[carrier] = latency.GetMaxNs();
        }
        for (std::size_t tier = 0; tier < RddcNetwork::TIERS; ++tier)
        {
            Figures& figures = m_figures[carrier][tier];
            figures.latency.Merge(byTier[tier]);
            if (byTier[tier].GetCount() > 0)
            {
                figures.means.push_back(byTier[tier].GetMeanNs());
            }
        }
    }
}

} // namespace ns3::odcn
