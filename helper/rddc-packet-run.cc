// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-packet-run.h"

#include "ns3/data-rate.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace ns3
{
namespace odcn
{

namespace
{

/// How often a window looks whether all packets are gone.
const int64_t DRAIN_STEP_PS = 10000000;

/// A window does not wait longer than this many steps: one second.
constexpr int DRAIN_STEPS = 100000;

} // namespace

const char*
RddcPacketRun::GetName(Carrier carrier)
{
    static const std::array<const char*, CARRIERS> NAMES{"circuits", "trunks", "ports"};
    return NAMES[carrier];
}

OdcnEstimate
RddcPacketRun::Figures::GetMean() const
{
    return OdcnMeanOfReplications(means);
}

RddcPacketRun::RddcPacketRun(const RddcFabricHelper& fabrics,
                             Ptr<RddcAllocation> problem,
                             const RddcPacketOptions& options)
    : m_options(options),
      m_manager(problem->GetManager())
{
    if (!(options.load > 0 && options.load <= 100))
    {
        throw OdcnError::InOption("packet load",
                                  std::to_string(options.load),
                                  "above 0, 100 at most");
    }
    if (!options.window.IsStrictlyPositive())
    {
        throw OdcnError::InOption("packet window",
                                  std::to_string(options.window.GetSeconds()) + " s",
                                  "a time above 0");
    }
    const auto network = m_manager->GetChannels().GetNetwork();
    m_fabric = fabrics.Build(network);
    fabrics.InstallServers(m_fabric);
    const Ptr<OcsNetDevice> card = m_fabric->GetCard(0, 0);
    m_rate = static_cast<BitRate>(card->GetDataRate().GetBitRate());
    TimeValue dark;
    m_fabric->GetSwitch(network->GetNServers())->GetAttribute("ReconfigurationTime", dark);
    m_dark = dark.Get();
    m_trees[TRUNKS].form = RddcTreeModel::TRUNKS;
    m_trees[PORTS].form = RddcTreeModel::PORTS;
    for (auto& tree : m_trees)
    {
        tree.channelRate = m_rate;
        tree.cardQueue = card->GetQueue()->GetMaxSize().GetValue();
        tree.switchQueue = options.switchQueue;
        tree.switchDelay = options.switchDelay.GetPicoSeconds();
        for (std::size_t tier = 0; tier < RddcNetwork::TIERS; ++tier)
        {
            tree.fibreDelay[tier] = m_fabric->GetDelay(tier).GetPicoSeconds();
        }
    }
    for (ServerId server = 0; server < network->GetNServers(); ++server)
    {
        auto application = CreateObject<OdcnJobFlowApplication>();
        application->SetAttribute("PacketSize", UintegerValue(options.packetSize));
        application->TraceConnectWithoutContext("Tx", MakeCallback(&RddcPacketRun::Sent, this));
        application->TraceConnectWithoutContext("Rx", MakeCallback(&RddcPacketRun::Received, this));
        m_fabric->GetServers().Get(server)->AddApplication(application);
        m_applications.push_back(application);
    }
    m_manager->TraceConnectWithoutContext("Granted", MakeCallback(&RddcPacketRun::Granted, this));
    m_manager->TraceConnectWithoutContext("Released", MakeCallback(&RddcPacketRun::Released, this));
}

RddcPacketRun::~RddcPacketRun()
{
    m_manager->TraceDisconnectWithoutContext("Granted",
                                             MakeCallback(&RddcPacketRun::Granted, this));
    m_manager->TraceDisconnectWithoutContext("Released",
                                             MakeCallback(&RddcPacketRun::Released, this));
    for (const auto& application : m_applications)
    {
        application->TraceDisconnectWithoutContext("Tx", MakeCallback(&RddcPacketRun::Sent, this));
        application->TraceDisconnectWithoutContext("Rx",
                                                   MakeCallback(&RddcPacketRun::Received, this));
    }
}

int64_t
RddcPacketRun::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& application : m_applications)
    {
        used += application->AssignStreams(stream + used);
    }
    return used;
}

void
RddcPacketRun::Granted(const RddcGrant& grant)
{
    m_held[grant.request.id] = m_fabric->Connect(grant.lightpaths);
}

void
RddcPacketRun::Released(const RddcGrant& grant)
{
    const auto held = m_held.find(grant.request.id);
    // What was granted before this run began has no circuits.
    if (held != m_held.end())
    {
        m_fabric->Disconnect(held->second);
        m_held.erase(held);
    }
}

void
RddcPacketRun::Sent(const OdcnFlowHeader& header)
{
    ++m_flows[header.GetFlow()].sent;
    m_packets.push_back(
        {Simulator::Now().GetPicoSeconds(), header.GetFlow(), m_options.packetSize});
}

void
RddcPacketRun::Received(const OdcnFlowHeader& header, Time delay)
{
    m_flows[header.GetFlow()].got[CIRCUITS].Add(static_cast<uint64_t>(delay.GetPicoSeconds()));
}

void
RddcPacketRun::RunFor(const Time& time)
{
    Simulator::Stop(time);
    Simulator::Run();
}

void
RddcPacketRun::OpenFlows()
{
    m_flows.clear();
    m_packets.clear();
    const auto rate = static_cast<BitRate>(m_options.load * static_cast<double>(m_rate));
    const RddcNetwork& network = *m_fabric->GetNetwork();
    for (const auto& [request, group] : m_held)
    {
        const auto& circuits = m_fabric->GetCircuits(group);
        RequestRow row;
        row.window = m_window;
        row.request = request;
        std::vector<ServerId> servers;
        for (const auto& circuit : circuits)
        {
            const RddcLightpath& l = circuit.lightpath;
            servers.insert(servers.end(), {l.from, l.to});
            std::size_t tier = 0;
            for (LinkId link : circuit.links)
            {
                tier = std::max(tier, network.GetTier(link));
            }
            row.highestTier = std::max(row.highestTier, static_cast<uint32_t>(tier) + 1);
            for (const bool back : {false, true})
            {
                Flow flow;
                flow.lightpath = back ? RddcLightpath{l.to, l.from, l.path} : l;
                flow.tier = tier;
                flow.row = m_rows.size();
                const ServerId to = flow.lightpath.to;
                const uint32_t card = back ? circuit.GetFromCard() : circuit.GetToCard();
                m_applications[flow.lightpath.from]->AddFlow(static_cast<uint32_t>(m_flows.size()),
                                                             m_fabric->GetAddress(to, card),
                                                             rate);
                m_flows.push_back(flow);
            }
        }
        std::sort(servers.begin(), servers.end());
        row.servers =
            static_cast<uint32_t>(std::unique(servers.begin(), servers.end()) - servers.begin());
        // A server alone has nobody to talk to.
        if (row.servers > 0)
        {
            m_rows.push_back(row);
        }
    }
}

void
RddcPacketRun::RunWindow()
{
    // A first moment, too, in which applications start.
    RunFor(m_dark + NanoSeconds(1));
    OpenFlows();
    RunFor(m_options.window);
    for (const auto& application : m_applications)
    {
        application->ClearFlows();
    }
    int steps = 0;
    while (m_fabric->Count().inFlight > 0)
    {
        if (++steps > DRAIN_STEPS)
        {
            throw OdcnError("packets are neither received nor lost with a cause");
        }
        RunFor(PicoSeconds(DRAIN_STEP_PS));
    }
    RunTrees();
    AddFigures();
    ++m_window;
}

void
RddcPacketRun::RunTrees()
{
    std::vector<RddcLightpath> flows;
    for (const auto& flow : m_flows)
    {
        flows.push_back(flow.lightpath);
    }
    std::vector<int64_t> arrivals;
    for (const auto carrier : {TRUNKS, PORTS})
    {
        const RddcPacketTree tree(m_fabric->GetNetwork(), m_trees[carrier]);
        tree.Run(flows, m_packets, arrivals);
        for (std::size_t i = 0; i < arrivals.size(); ++i)
        {
            if (arrivals[i] != RddcPacketTree::LOST)
            {
                m_flows[m_packets[i].flow].got[carrier].Add(
                    static_cast<uint64_t>(arrivals[i] - m_packets[i].time));
            }
        }
    }
}

void
RddcPacketRun::AddFigures()
{
    for (int carrier = 0; carrier < CARRIERS; ++carrier)
    {
        std::array<OdcnLatencyHistogram, RddcNetwork::TIERS> byTier;
        std::map<std::size_t, OdcnLatencyHistogram> byRow;
        for (const Flow& flow : m_flows)
        {
            RequestRow& row = m_rows[flow.row];
            row.sent += carrier == CIRCUITS ? flow.sent : 0;
            row.lost[carrier] += flow.sent - flow.got[carrier].GetCount();
            byRow[flow.row].Merge(flow.got[carrier]);
            byTier[flow.tier].Merge(flow.got[carrier]);
            m_figures[carrier][flow.tier].sent += flow.sent;
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

} // namespace odcn
} // namespace ns3
