// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-network.h"

#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OtnNetwork");

NS_OBJECT_ENSURE_REGISTERED(OtnNetwork);

TypeId
OtnNetwork::GetTypeId()
{
    using T = OtnNetwork;
    static TypeId tid =
        TypeIdOf<OtnNetwork, Object>("ns3::odcn::OtnNetwork")
            .Add(Attribute("SetUpTime", &T::m_setUpTime, MilliSeconds(10), Time(0)),
                 "Time from the command to set up a lightpath until it carries packets")
            .Add(Attribute("WavelengthRate", &T::m_wavelengthRate, DataRate("100Gbps")),
                 "Rate of a wavelength (chi)")
            .Add(Trace("LightpathUp", &T::m_upTrace, "UpTracedCallback"),
                 "A lightpath now carries packets")
            .Add(Trace("LightpathDown", &T::m_downTrace, "DownTracedCallback"),
                 "A lightpath no longer carries packets: the lightpath and the cause")
            .Add(Trace("LinkChanged", &T::m_linkTrace, "LinkTracedCallback"),
                 "A link was cut or repaired; fired before its lightpaths go down or up");
    return tid;
}

OtnNetwork::OtnNetwork() = default;

OtnNetwork::~OtnNetwork() = default;

void
OtnNetwork::DoDispose()
{
    for (Entry& entry : m_entries)
    {
        entry.lightpath->Dispose();
    }
    m_entries.clear();
    m_index.clear();
    Object::DoDispose();
}

void
OtnNetwork::Start(std::shared_ptr<const OtnMesh> mesh,
                  const std::vector<Ptr<Node>>& sites,
                  const std::vector<Ptr<OtnNode>>& nodes,
                  const std::vector<Ptr<OtnFiber>>& fibers,
                  const ObjectFactory& device,
                  const ObjectFactory& queue)
{
    m_mesh = std::move(mesh);
    m_sites = sites;
    m_nodes = nodes;
    m_fibers = fibers;
    m_device = device;
    m_queue = queue;
}

void
OtnNetwork::Divide()
{
    m_divided = true;
}

Ptr<OtnLightpath>
OtnNetwork::AddLightpath(uint32_t from, uint32_t to)
{
    const uint32_t n = m_mesh->GetNSites();
    if (from >= n || to >= n || from == to)
    {
        throw OdcnError::InOption("lightpath",
                                  std::to_string(from) + "-" + std::to_string(to),
                                  "two different sites below " + std::to_string(n));
    }
    m_nodes[from]->CheckRoom();
    m_nodes[to]->CheckRoom();
    Entry entry{CreateObject<OtnLightpath>(), {from, to}, {}, {}, {}};
    Ptr<OcsNetDevice> devices[2];
    for (uint32_t end = 0; end < 2; ++end)
    {
        const uint32_t site = entry.sites[end];
        devices[end] = m_device.Create<OcsNetDevice>();
        devices[end]->SetQueue(m_queue.Create<Queue<Packet>>());
        devices[end]->SetAddress(Mac48Address::Allocate());
        entry.transponders[end] = m_nodes[site]->AddTransponder(devices[end]);
        m_sites[site]->AddDevice(devices[end]);
    }
    entry.lightpath->Connect(devices[0], devices[1]);
    if (m_divided)
    {
        entry.lightpath->Divide();
    }
    m_index.emplace(PeekPointer(entry.lightpath), m_entries.size());
    m_entries.push_back(entry);
    return entry.lightpath;
}

OtnNetwork::Entry&
OtnNetwork::Find(Ptr<const OtnLightpath> lightpath)
{
    return const_cast<Entry&>(std::as_const(*this).Find(lightpath));
}

const OtnNetwork::Entry&
OtnNetwork::Find(Ptr<const OtnLightpath> lightpath) const
{
    const auto found = m_index.find(PeekPointer(lightpath));
    if (found == m_index.end())
    {
        throw OdcnError("a lightpath was used that is not of this network");
    }
    return m_entries[found->second];
}

void
OtnNetwork::Cross(Entry& entry, uint32_t end, const std::vector<OtnPort>& ports)
{
    Crossing crossing{entry.sites[end], {OtnPort::TRANSPONDER, entry.transponders[end]}, {}};
    const auto connect = [&]
    {
        m_nodes[crossing.site]->Connect(crossing.in, crossing.out);
        entry.crossings.push_back(crossing);
    };
    for (const OtnPort& port : ports)
    {
        m_fibers.at(port.fiber)->Light(port.index, PeekPointer(entry.lightpath));
        entry.lit.push_back(port);
        crossing.out = port;
        connect();
        crossing.site = m_mesh->GetTo(port.fiber);
        crossing.in = port;
    }
    crossing.out = {OtnPort::TRANSPONDER, entry.transponders[1 - end]};
    connect();
}

OtnLightpath::Way
OtnNetwork::Follow(const Entry& entry, uint32_t end, const OtnPort& first) const
{
    OtnLightpath::Way way;
    way.latency = m_nodes[entry.sites[end]]->GetOeoTime();
    OtnPort port = first;
    while (true)
    {
        way.latency += m_fibers[port.fiber]->GetDelay();
        way.fibers.push_back(port.fiber);
        way.passed.push_back(way.latency);
        const Ptr<OtnNode> node = m_nodes[m_mesh->GetTo(port.fiber)];
        const OtnPort next = node->GetOutput(port);
        // O-E-O at the far end and where the wavelength is converted.
        if (next.fiber == OtnPort::TRANSPONDER || next.index != port.index)
        {
            way.latency += node->GetOeoTime();
        }
        if (next.fiber == OtnPort::TRANSPONDER)
        {
            return way;
        }
        port = next;
    }
}

void
OtnNetwork::SetUp(Ptr<OtnLightpath> lightpath, const OtnGrant& grant)
{
    NS_LOG_FUNCTION(this << lightpath);
    TearDown(lightpath);
    if (!m_index.contains(PeekPointer(lightpath)))
    {
        return; // disposed of by a sink of LightpathDown
    }
    // Not before: a sink may add lightpaths, or set this one up, which ends here.
    Entry& entry = Find(lightpath);
    Undo(entry);
    lightpath->Stop();
    const uint32_t count = grant.GetCount();
    if (grant.path.empty() || count == 0 || !grant.bothWays ||
        m_mesh->GetFrom(grant.path.front()) != entry.sites[0] ||
        m_mesh->GetTo(grant.path.back()) != entry.sites[1])
    {
        throw OdcnError("a lightpath needs wavelengths between its two sites, both ways");
    }
    // The n-th granted wavelength of each fibre forms the n-th channel.
    OtnLightpath::Way ways[2];
    try
    {
        std::vector<OtnWavelengths> left = grant.wavelengths;
        for (uint32_t n = 0; n < count; ++n)
        {
            std::vector<OtnPort> there;
            std::vector<OtnPort> back;
            for (std::size_t i = 0; i < grant.path.size(); ++i)
            {
                const auto w = static_cast<uint32_t>(left[i]._Find_first());
                left[i].reset(w);
                there.push_back({grant.path[i], w});
                back.insert(back.begin(), {OtnMesh::GetOpposite(grant.path[i]), w});
            }
            Cross(entry, 0, there);
            Cross(entry, 1, back);
            // The slowest wavelength determines the latency of the lightpath.
            for (uint32_t end = 0; end < 2; ++end)
            {
                auto way = Follow(entry, end, end == 0 ? there.front() : back.front());
                if (n == 0 || way.latency > ways[end].latency)
                {
                    ways[end] = std::move(way);
                }
            }
        }
    }
    catch (const OdcnError&)
    {
        Undo(entry);
        throw;
    }
    for (uint32_t end = 0; end < 2; ++end)
    {
        lightpath->GetTransponder(end)->SetDataRate(
            DataRate(m_wavelengthRate.GetBitRate() * count));
    }
    lightpath->Prepare(ways[0], ways[1]);
    ++entry.setUps;
    if (const auto cuts = FindCuts(entry); !cuts.empty())
    {
        lightpath->Cut(cuts);
        return;
    }
    Simulator::Schedule(m_setUpTime,
                        &OtnNetwork::Ready,
                        Ptr<OtnNetwork>(this),
                        lightpath,
                        entry.setUps);
}

void
OtnNetwork::Ready(Ptr<OtnLightpath> lightpath, uint64_t setUps)
{
    if (m_index.contains(PeekPointer(lightpath)) && Find(lightpath).setUps == setUps &&
        lightpath->Light() && IsUp(lightpath))
    {
        m_upTrace(lightpath);
    }
}

void
OtnNetwork::Undo(Entry& entry)
{
    for (const Crossing& c : entry.crossings)
    {
        m_nodes[c.site]->Disconnect(c.in, c.out);
    }
    for (const OtnPort& port : entry.lit)
    {
        m_fibers[port.fiber]->Darken(port.index);
    }
    entry.crossings.clear();
    entry.lit.clear();
}

void
OtnNetwork::TearDown(Ptr<OtnLightpath> lightpath)
{
    NS_LOG_FUNCTION(this << lightpath);
    Entry& entry = Find(lightpath);
    const bool wasUp = lightpath->GetState() == OtnLightpath::UP;
    Undo(entry);
    lightpath->Stop();
    if (wasUp)
    {
        m_downTrace(lightpath, OcsDropCause::CUT);
    }
}

std::vector<uint32_t>
OtnNetwork::FindCuts(const Entry& entry) const
{
    std::vector<uint32_t> cuts;
    for (const OtnPort& port : entry.lit)
    {
        if (m_fibers[port.fiber]->IsCut())
        {
            cuts.push_back(port.fiber);
        }
    }
    return cuts;
}

void
OtnNetwork::CutLink(uint32_t link)
{
    NS_LOG_FUNCTION(this << link);
    m_fibers.at(2 * link)->SetCut(true);
    m_fibers[2 * link + 1]->SetCut(true);
    m_linkTrace(link, true);
    // By index, since trace sinks may add lightpaths.
    for (std::size_t i = 0; i < m_entries.size(); ++i)
    {
        const Ptr<OtnLightpath> lightpath = m_entries[i].lightpath;
        const auto& fibers = lightpath->GetFibers(0);
        if (std::any_of(fibers.begin(), fibers.end(), [&](uint32_t f) { return f / 2 == link; }))
        {
            const bool first = lightpath->GetState() != OtnLightpath::CUT;
            lightpath->Cut(FindCuts(m_entries[i]));
            if (first)
            {
                m_downTrace(lightpath, OcsDropCause::FIBER_CUT);
            }
        }
    }
}

void
OtnNetwork::RepairLink(uint32_t link)
{
    NS_LOG_FUNCTION(this << link);
    m_fibers.at(2 * link)->SetCut(false);
    m_fibers[2 * link + 1]->SetCut(false);
    m_linkTrace(link, false);
    for (std::size_t i = 0; i < m_entries.size(); ++i)
    {
        const Ptr<OtnLightpath> lightpath = m_entries[i].lightpath;
        if (lightpath->GetState() != OtnLightpath::CUT || !FindCuts(m_entries[i]).empty())
        {
            continue;
        }
        if (!lightpath->Mend())
        {
            const uint64_t setUps = ++m_entries[i].setUps;
            Simulator::Schedule(m_setUpTime,
                                &OtnNetwork::Ready,
                                Ptr<OtnNetwork>(this),
                                lightpath,
                                setUps);
        }
        else if (IsUp(lightpath))
        {
            m_upTrace(lightpath);
        }
    }
}

void
OtnNetwork::FailTransponder(Ptr<OtnLightpath> lightpath, uint32_t end)
{
    const bool wasUp = IsUp(lightpath);
    lightpath->GetTransponder(end)->Fail();
    if (wasUp)
    {
        m_downTrace(lightpath, OcsDropCause::PORT_FAILED);
    }
}

void
OtnNetwork::RepairTransponder(Ptr<OtnLightpath> lightpath, uint32_t end)
{
    const bool wasUp = IsUp(lightpath);
    lightpath->GetTransponder(end)->Repair();
    if (!wasUp && IsUp(lightpath))
    {
        m_upTrace(lightpath);
    }
}

bool
OtnNetwork::IsUp(Ptr<const OtnLightpath> lightpath) const
{
    return lightpath->GetState() == OtnLightpath::UP && !lightpath->GetTransponder(0)->IsFailed() &&
           !lightpath->GetTransponder(1)->IsFailed();
}

uint32_t
OtnNetwork::GetSiteOf(Ptr<const OtnLightpath> lightpath, uint32_t end) const
{
    return Find(lightpath).sites[end];
}

PacketCounts
OtnNetwork::Count() const
{
    PacketCounts counts;
    for (const Entry& entry : m_entries)
    {
        for (uint32_t end = 0; end < 2; ++end)
        {
            const auto device = entry.lightpath->GetTransponder(end);
            if (!device)
            {
                continue; // disposed of
            }
            counts.sent += device->GetOffered() - device->GetTakenBack();
            counts.received += device->GetReceived();
            counts.inFlight += device->GetWaiting();
            counts.dropped += device->GetTxDropped();
            counts.dropped += device->GetRxDropped();
        }
        counts.inFlight += entry.lightpath->GetInFlight();
        counts.dropped += entry.lightpath->GetDropped();
    }
    return counts;
}

} // namespace ns3::odcn
