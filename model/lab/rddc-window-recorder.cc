// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-window-recorder.h"

#include "ns3/ocs-net-device.h"
#include "ns3/odcn-object-text.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ns3::odcn
{

const char*
RddcWindowRecorder::GetName(Carrier carrier)
{
    static const std::array<const char*, CARRIERS> NAMES{"circuits", "trunks", "ports"};
    return NAMES[carrier];
}

RddcWindowRecorder::RddcWindowRecorder(Ptr<AllocationScheduler> scheduler,
                                       const std::vector<Ptr<JobFlowApplication>>& flows,
                                       uint32_t switchQueue,
                                       Time switchDelay)
    : m_scheduler(scheduler),
      m_packetSize(
          static_cast<uint32_t>(GetAttributeOf<UintegerValue>(*flows.front(), "PacketSize")))
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
    scheduler->TraceConnectWithoutContext("WindowOpened",
                                          MakeCallback(&RddcWindowRecorder::Opened, this));
    scheduler->TraceConnectWithoutContext("WindowClosed",
                                          MakeCallback(&RddcWindowRecorder::Closed, this));
    for (const auto& flow : flows)
    {
        // Before the recorder, which needs to know the flow.
        flow->TraceConnectWithoutContext("Tx", MakeCallback(&RddcWindowRecorder::Sent, this));
    }
    m_packets[CIRCUITS].Connect(flows);
}

void
RddcWindowRecorder::Opened(const RddcWindow& window)
{
    m_window = &window;
    m_sent.clear();
    const Time end = window.measureFrom + GetAttributeOf<TimeValue>(*m_scheduler, "WindowLength");
    for (PacketRecorder& packets : m_packets)
    {
        packets.Open(static_cast<uint64_t>(window.opened.GetPicoSeconds()),
                     static_cast<uint64_t>(window.measureFrom.GetPicoSeconds()),
                     static_cast<uint64_t>(end.GetPicoSeconds()));
    }
}

void
RddcWindowRecorder::AddFlows()
{
    for (PacketRecorder& packets : m_packets)
    {
        for (std::size_t i = packets.GetNFlows(); i < m_window->flows.size(); ++i)
        {
            packets.AddFlow(m_window->flows[i].tier, m_window->flows[i].request);
        }
    }
}

void
RddcWindowRecorder::Sent(const FlowHeader& header)
{
    if (header.GetFlow() >= m_packets[CIRCUITS].GetNFlows())
    {
        // A request connected in the middle of a window adds flows to it.
        AddFlows();
    }
    m_sent.push_back({header.GetSent().GetPicoSeconds(), header.GetFlow(), m_packetSize});
}

void
RddcWindowRecorder::Closed(const RddcWindow& window)
{
    AddFlows();
    std::vector<RddcLightpath> lightpaths;
    std::map<uint64_t, std::size_t> rows;
    std::set<std::pair<uint64_t, ServerId>> senders;
    // Every server of a request sends at least one flow.
    for (const auto& flow : window.flows)
    {
        lightpaths.push_back(flow.lightpath);
        const auto [row, isNew] = rows.emplace(flow.request, m_rows.size());
        if (isNew)
        {
            m_rows.push_back({window.index, flow.request});
        }
        RequestRow& request = m_rows[row->second];
        request.highestTier = std::max(request.highestTier, flow.tier + 1);
        request.servers += senders.emplace(flow.request, flow.lightpath.from).second;
    }
    for (std::size_t carrier = 0; carrier < CARRIERS; ++carrier)
    {
        if (carrier != CIRCUITS)
        {
            m_packets[carrier].Take(0,
                                    RunPacketTree(*m_scheduler->GetFabric()->GetNetwork(),
                                                  m_trees[carrier],
                                                  lightpaths,
                                                  m_sent));
        }
        const WindowPackets& packets = m_packets[carrier].Close();
        for (const auto& [request, row] : rows)
        {
            m_rows[row].packets[carrier] = packets.jobs.at(request);
        }
    }
}

} // namespace ns3::odcn
