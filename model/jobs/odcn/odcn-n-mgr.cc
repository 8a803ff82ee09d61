// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-n-mgr.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OdcnNMgr");
NS_OBJECT_ENSURE_REGISTERED(NMgr);

namespace
{

/**
 * @param option name of the Attribute
 * @param text rates between commas, see ParseRepeated(); empty for none
 * @return the rates, bit/s
 * @throws OdcnError when the text is something else
 */
std::vector<BitRate>
ParseRates(const std::string& option, const std::string& text)
{
    std::vector<BitRate> rates;
    if (text.empty())
    {
        return rates;
    }
    const auto items = ParseRepeated(text);
    for (std::string_view item : items.value_or(std::vector<std::string_view>{""}))
    {
        DataRateValue rate;
        if (!rate.DeserializeFromString(std::string(item), MakeDataRateChecker()) ||
            rate.Get().GetBitRate() == 0)
        {
            throw OdcnError::InOption(option, text, "rates above 0, as in 8*100Gbps,8*40Gbps");
        }
        rates.push_back(static_cast<BitRate>(rate.Get().GetBitRate()));
    }
    return rates;
}

/// @param attribute list for the racks  @param n its length  @param racks number of racks
/// @throws OdcnError when they differ
void
CheckRacks(const std::string& attribute, std::size_t n, uint32_t racks)
{
    if (n != racks)
    {
        throw OdcnError::InOption(attribute,
                                  std::to_string(n) + " racks",
                                  std::to_string(racks) + " racks");
    }
}

} // namespace

TypeId
NMgr::GetTypeId()
{
    using T = NMgr;
    static TypeId tid =
        TypeIdOf<NMgr, Object>("ns3::odcn::NMgr")
            .Add(Attribute("Racks", &T::m_nRacks, 16, 1, 65535),
                 "Number of racks |V|, each with one ToR switch.")
            .Add(Attribute("PortsPerTor", &T::m_ports, 0, 0, 65535),
                 "Output ports, and as many input ports, of each ToR; 0 for |V| - 1.")
            .Add(Attribute("OcsCount", &T::m_nOcs, 3, 1, 65535),
                 "Number of optical circuit switches |W|, limited to the number of ports; "
                 "port p of every ToR is connected to OCS p mod |W|.")
            .Add(Attribute("PortRate", &T::m_portRate, DataRate("40Gbps")),
                 "Capacity B of a port and of a circuit.")
            .Add(Attribute("PortsByTor", &T::SetPortsByTor, &T::GetPortsByTor, ""),
                 "Output ports, and as many input ports, of each ToR in turn where they "
                 "differ, e.g. 8*15,8*7; empty for PortsPerTor.")
            .Add(Attribute("PortRateByTor", &T::SetPortRateByTor, &T::GetPortRateByTor, ""),
                 "Capacity B of the ports of each ToR in turn where they differ, e.g. "
                 "8*100Gbps,8*40Gbps; empty for PortRate. A circuit has the lower "
                 "capacity of its two ports.")
            .Add(Attribute("Sharing",
                           &T::m_sharing,
                           Sharing::POOLED,
                           {{Sharing::POOLED, "Pooled"}, {Sharing::PINNED, "Pinned"}}),
                 "How the demands of a rack pair share its circuits.")
            .Add(Attribute("Reconfigurable", &T::m_reconfigurable, true),
                 "Whether a failed grant tries a reconfiguration; false is a fixed "
                 "all-to-all interconnect.")
            .Add(Attribute("Victim",
                           &T::m_victim,
                           Victim::LEAST_USED,
                           {{Victim::LEAST_USED, "LeastUsed"}, {Victim::MOST_SPARE, "MostSpare"}}),
                 "Which circuit is moved to another pair: of the pair with least load per "
                 "circuit (LeastUsed), or of the pair with most unused bandwidth "
                 "(MostSpare).")
            .Add(Attribute("PacketSize", &T::m_packetSize, 296, 1),
                 "Packet size of the latency estimate, bytes.")
            .Add(Attribute("BufferPackets",
                           &T::m_bufferPackets,
                           15,
                           1,
                           QueueTable::MAX_CAPACITY - 1),
                 "Packets that can wait for a circuit, besides the one being sent.");
    return tid;
}

void
NMgr::SetPortsByTor(const std::string& text)
{
    m_portsByTor = ParseCounts("PortsByTor", text);
    m_portsText = text;
}

std::string
NMgr::GetPortsByTor() const
{
    return m_portsText;
}

void
NMgr::SetPortRateByTor(const std::string& text)
{
    m_portRateByTor = ParseRates("PortRateByTor", text);
    m_portRateText = text;
}

std::string
NMgr::GetPortRateByTor() const
{
    return m_portRateText;
}

void
NMgr::Reset()
{
    auto ports = m_portsByTor;
    if (ports.empty())
    {
        ports.assign(m_nRacks, m_ports ? m_ports : m_nRacks - 1);
    }
    auto rates = m_portRateByTor;
    if (rates.empty())
    {
        rates.assign(m_nRacks, static_cast<BitRate>(m_portRate.GetBitRate()));
    }
    CheckRacks("PortsByTor", ports.size(), m_nRacks);
    CheckRacks("PortRateByTor", rates.size(), m_nRacks);
    const uint32_t most = *std::max_element(ports.begin(), ports.end());
    m_circuits =
        OdcnCircuitLedger(std::move(ports), std::min(m_nOcs, std::max(most, 1U)), std::move(rates));
    std::vector<OdcnCircuitLedger::End> fixed;
    for (RackId u = 0; u < m_nRacks; ++u)
    {
        for (uint32_t p = 0; p < m_circuits.GetPorts(); ++p)
        {
            fixed.push_back(m_circuits.GetOut(u, p));
        }
    }
    m_fixed = std::make_shared<const std::vector<OdcnCircuitLedger::End>>(std::move(fixed));
    ++m_version;
    if (!m_queue || m_queue->GetCapacity() != m_bufferPackets + 1)
    {
        m_queue = std::make_shared<const QueueTable>(m_bufferPackets + 1);
    }
    m_loads.Clear();
    m_staged.clear();
    m_changes.clear();
}

uint32_t
NMgr::FindPin(RackId from, RackId to, BitRate rate) const
{
    uint32_t best = NO_PORT;
    BitRate most = -1;
    const BitRate circuitRate = m_circuits.GetCircuitRate(from, to);
    for (uint32_t p = 0; p < m_circuits.GetPorts(); ++p)
    {
        const BitRate pinned = m_circuits.GetPinned(from, p);
        if (m_circuits.GetOut(from, p).rack == to && pinned > most && pinned + rate <= circuitRate)
        {
            most = pinned;
            best = p;
        }
    }
    return best;
}

void
NMgr::Pin(PairLoad& load)
{
    load.port = FindPin(load.from, load.to, load.rate);
    if (load.port != NO_PORT)
    {
        m_circuits.Pin(load.from, load.port, load.rate);
    }
}

bool
NMgr::Fits(RackId from, RackId to, BitRate rate) const
{
    return m_sharing == Sharing::POOLED ? m_circuits.GetResidual(from, to) >= rate
                                        : FindPin(from, to, rate) != NO_PORT;
}

void
NMgr::Stage(RackId from, RackId to, BitRate rate)
{
    if (from == to || rate == 0)
    {
        return;
    }
    ++m_version;
    m_circuits.Add(from, to, rate);
    if (m_sharing == Sharing::PINNED)
    {
        m_staged.push_back({from, to, rate, NO_PORT});
        Pin(m_staged.back());
        return;
    }
    for (auto& load : m_staged)
    {
        if (load.from == from && load.to == to)
        {
            load.rate += rate;
            return;
        }
    }
    m_staged.push_back({from, to, rate, 0});
}

void
NMgr::Unstage()
{
    Release(m_staged);
    m_staged.clear();
}

bool
NMgr::StagedFit() const
{
    return std::all_of(m_staged.begin(),
                       m_staged.end(),
                       [this](const PairLoad& load)
                       {
                           return m_sharing == Sharing::POOLED
                                      ? m_circuits.GetResidual(load.from, load.to) >= 0
                                      : load.port != NO_PORT;
                       });
}

NMgr::Grant
NMgr::Commit(std::vector<PairLoad>& granted)
{
    Grant grant = Grant::DIRECT;
    if (!StagedFit())
    {
        grant = m_reconfigurable && Reconfigure() ? Grant::RECONFIGURED : Grant::REFUSED;
    }
    if (grant == Grant::REFUSED)
    {
        Unstage();
        granted.clear();
        return grant;
    }
    granted.assign(m_staged.begin(), m_staged.end());
    m_staged.clear();
    return grant;
}

void
NMgr::Release(const std::vector<PairLoad>& granted)
{
    ++m_version;
    for (const auto& load : granted)
    {
        m_circuits.Add(load.from, load.to, -load.rate);
        if (m_sharing == Sharing::PINNED && load.port != NO_PORT)
        {
            m_circuits.Pin(load.from, load.port, -load.rate);
        }
    }
}

void
NMgr::DoConnect(RackId u, uint32_t p, RackId v, uint32_t q)
{
    m_circuits.Connect(u, p, v, q);
    m_steps.push_back({true, u, p, {v, q}});
}

void
NMgr::DoDisconnect(RackId u, uint32_t p)
{
    m_steps.push_back({false, u, p, m_circuits.GetOut(u, p)});
    m_circuits.Disconnect(u, p);
}

void
NMgr::Undo()
{
    for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step)
    {
        if (step->connect)
        {
            m_circuits.Disconnect(step->u, step->p);
        }
        else
        {
            m_circuits.Connect(step->u, step->p, step->other.rack, step->other.port);
        }
    }
    m_steps.clear();
}

NMgr::FreeEnd
NMgr::FindEnd(RackId rack, RackId avoid, uint32_t ocs, bool output) const
{
    FreeEnd best;
    for (uint32_t p = ocs; p < m_circuits.GetPorts(); p += m_circuits.GetNOcs())
    {
        if (m_circuits.IsFailed(rack, p, output))
        {
            continue;
        }
        const auto& end = output ? m_circuits.GetOut(rack, p) : m_circuits.GetIn(rack, p);
        const bool idle = end.rack == NO_RACK;
        const RackId u = output ? rack : end.rack;
        const RackId v = output ? end.rack : rack;
        if ((output || !idle) && m_circuits.GetPinned(u, output ? p : end.port) > 0)
        {
            continue;
        }
        double cost = -1;
        if (!idle)
        {
            if (end.rack == avoid || m_circuits.GetResidual(u, v) < m_circuits.GetCircuitRate(u, v))
            {
                continue;
            }
            const BitRate all = m_circuits.GetPorts() * m_circuits.GetPortRate();
            cost =
                m_victim == Victim::LEAST_USED
                    ? static_cast<double>(m_circuits.GetUsed(u, v)) / m_circuits.GetCircuits(u, v)
                    : static_cast<double>(all - m_circuits.GetResidual(u, v));
        }
        if (!best.found || cost < best.cost)
        {
            best = {true, p, cost};
        }
    }
    return best;
}

bool
NMgr::Augment(RackId u, RackId v)
{
    FreeEnd bestOut;
    FreeEnd bestIn;
    for (uint32_t ocs = 0; ocs < m_circuits.GetNOcs(); ++ocs)
    {
        const FreeEnd out = FindEnd(u, v, ocs, true);
        const FreeEnd in = FindEnd(v, u, ocs, false);
        if (out.found && in.found &&
            (!bestOut.found || out.cost + in.cost < bestOut.cost + bestIn.cost))
        {
            bestOut = out;
            bestIn = in;
        }
    }
    if (!bestOut.found)
    {
        return false;
    }
    const auto freedIn = m_circuits.GetOut(u, bestOut.port);
    const auto freedOut = m_circuits.GetIn(v, bestIn.port);
    if (freedIn.rack != NO_RACK)
    {
        DoDisconnect(u, bestOut.port);
    }
    if (freedOut.rack != NO_RACK)
    {
        DoDisconnect(freedOut.rack, freedOut.port);
    }
    DoConnect(u, bestOut.port, v, bestIn.port);
    if (freedIn.rack != NO_RACK && freedOut.rack != NO_RACK && freedIn.rack != freedOut.rack)
    {
        DoConnect(freedOut.rack, freedOut.port, freedIn.rack, freedIn.port);
    }
    return true;
}

bool
NMgr::RestorePooled()
{
    m_deficits.clear();
    for (const auto& load : m_staged)
    {
        const BitRate residual = m_circuits.GetResidual(load.from, load.to);
        if (residual < 0)
        {
            m_deficits.push_back({load.from, load.to, -residual, 0});
        }
    }
    std::stable_sort(m_deficits.begin(),
                     m_deficits.end(),
                     [](const PairLoad& a, const PairLoad& b) { return a.rate > b.rate; });
    for (const auto& deficit : m_deficits)
    {
        while (m_circuits.GetResidual(deficit.from, deficit.to) < 0)
        {
            if (!Augment(deficit.from, deficit.to))
            {
                return false;
            }
        }
    }
    return true;
}

bool
NMgr::RestorePinned()
{
    while (true)
    {
        PairLoad* worst = nullptr;
        for (auto& load : m_staged)
        {
            if (load.port == NO_PORT && (!worst || load.rate > worst->rate))
            {
                worst = &load;
            }
        }
        if (!worst)
        {
            return true;
        }
        // The circuit added for the previous demand may have room for this one too.
        Pin(*worst);
        if (worst->port == NO_PORT)
        {
            if (worst->rate > m_circuits.GetCircuitRate(worst->from, worst->to) ||
                !Augment(worst->from, worst->to))
            {
                return false;
            }
            Pin(*worst);
        }
    }
}

bool
NMgr::Reconfigure()
{
    ++m_version;
    m_steps.clear();
    if (!(m_sharing == Sharing::POOLED ? RestorePooled() : RestorePinned()))
    {
        Undo();
        return false;
    }
    SumUpChanges();
    NS_LOG_INFO("reconfigured " << m_changes.size() << " circuits");
    return true;
}

void
NMgr::SumUpChanges()
{
    m_changes.clear();
    for (const auto& step : m_steps)
    {
        auto change =
            std::find_if(m_changes.begin(),
                         m_changes.end(),
                         [&](const auto& c) { return c.from == step.u && c.outPort == step.p; });
        if (change == m_changes.end())
        {
            OdcnCircuitChange fresh;
            fresh.from = step.u;
            fresh.outPort = step.p;
            if (!step.connect)
            {
                fresh.oldTo = step.other.rack;
                fresh.oldInPort = step.other.port;
            }
            change = m_changes.insert(m_changes.end(), fresh);
        }
        change->newTo = step.connect ? step.other.rack : NO_RACK;
        change->newInPort = step.connect ? step.other.port : 0;
    }
    m_steps.clear();
    // clang-format off
    m_changes.erase(std::remove_if(m_changes.begin(),
                                   m_changes.end(),
                                   [](const OdcnCircuitChange& c) {
                                       return c.oldTo == c.newTo &&
                                              (c.newTo == NO_RACK || c.oldInPort == c.newInPort);
                                   }),
                    m_changes.end());
    // clang-format on
}

OdcnCircuitChange
NMgr::SetPortFailed(RackId rack, uint32_t port, bool output, bool failed)
{
    // A staged demand of a pool is compared with what is left; a pinned one stays at its port.
    NS_ASSERT_MSG(m_staged.empty() || m_sharing == Sharing::POOLED, "a job is being placed");
    if (rack >= m_circuits.GetNRacks() || port >= m_circuits.GetPorts(rack))
    {
        throw OdcnError::InOption("port",
                                  std::to_string(port) + " of rack " + std::to_string(rack),
                                  "a port of a ToR switch, counted from 0");
    }
    ++m_version;
    const OdcnCircuitChange lost = m_circuits.SetFailed(rack, port, output, failed);
    return failed || m_reconfigurable ? lost : Rejoin(rack, port, output);
}

OdcnCircuitChange
NMgr::Rejoin(RackId rack, uint32_t port, bool output)
{
    const uint32_t ports = m_circuits.GetPorts();
    auto from = static_cast<std::size_t>(rack) * ports + port;
    if (!output)
    {
        const OdcnCircuitLedger::End end{rack, port};
        from = static_cast<std::size_t>(std::find(m_fixed->begin(), m_fixed->end(), end) -
                                        m_fixed->begin());
    }
    OdcnCircuitChange change;
    const auto [to, inPort] = from < m_fixed->size() ? (*m_fixed)[from] : OdcnCircuitLedger::End{};
    const auto u = static_cast<RackId>(from / ports);
    const auto p = static_cast<uint32_t>(from % ports);
    if (to != NO_RACK && m_circuits.GetOut(u, p).rack == NO_RACK &&
        m_circuits.GetIn(to, inPort).rack == NO_RACK && !m_circuits.IsFailed(u, p, true) &&
        !m_circuits.IsFailed(to, inPort, false))
    {
        m_circuits.Connect(u, p, to, inPort);
        change.from = u;
        change.outPort = p;
        change.newTo = to;
        change.newInPort = inPort;
    }
    return change;
}

double
NMgr::GetTransmissionNs() const
{
    const auto rate = m_portRateByTor.empty()
                          ? static_cast<BitRate>(m_portRate.GetBitRate())
                          : *std::max_element(m_portRateByTor.begin(), m_portRateByTor.end());
    return 8e9 * m_packetSize / static_cast<double>(rate);
}

template <typename F>
void
NMgr::ForEachLoad(F visit) const
{
    for (RackId u = 0; u < m_circuits.GetNRacks(); ++u)
    {
        if (m_sharing == Sharing::POOLED)
        {
            for (RackId v = 0; v < m_circuits.GetNRacks(); ++v)
            {
                visit(m_circuits.GetUsed(u, v),
                      m_circuits.GetCapacity(u, v),
                      m_circuits.GetSlowness(u, v));
            }
            continue;
        }
        for (uint32_t p = 0; p < m_circuits.GetPorts(); ++p)
        {
            const RackId v = m_circuits.GetOut(u, p).rack;
            const bool joined = v != NO_RACK;
            visit(m_circuits.GetPinned(u, p),
                  joined ? m_circuits.GetCircuitRate(u, v) : 0,
                  joined ? m_circuits.GetSlowness(u, v) : 1.0);
        }
    }
}

template <typename F>
double
NMgr::MeanLatencyNs(F queue) const
{
    double weighted = 0;
    double total = 0;
    std::size_t place = 0;
    ForEachLoad(
        [&](BitRate used, BitRate capacity, double slowness)
        {
            if (used > 0 && capacity > 0)
            {
                const auto load = static_cast<double>(used);
                const auto entry = queue(place, load / static_cast<double>(capacity));
                weighted += load * (1 - entry.loss) * entry.sojourn * slowness;
                total += load * (1 - entry.loss);
            }
            ++place;
        });
    return GetTransmissionNs() * (total > 0 ? weighted / total : 1.0);
}

double
NMgr::GetMeanLatencyNs() const
{
    return MeanLatencyNs([this](std::size_t, double rho) { return m_queue->Get(rho); });
}

double
NMgr::GetMeanLatencyNs(SampledQueue& queue) const
{
    return MeanLatencyNs([&](std::size_t place, double rho) { return queue.Get(place, rho); });
}

CircuitLoads::Range
NMgr::GetMeanLatencyBoundsNs() const
{
    if (m_sharing == Sharing::PINNED)
    {
        const double exact = GetMeanLatencyNs();
        return {exact, exact};
    }
    const auto sojourn = GetLoads().GetMeanSojourn();
    return {GetTransmissionNs() * sojourn.low, GetTransmissionNs() * sojourn.high};
}

double
NMgr::GetMeanLoss() const
{
    double weighted = 0;
    double total = 0;
    ForEachLoad(
        [&](BitRate used, BitRate capacity, double)
        {
            if (used > 0)
            {
                const auto load = static_cast<double>(used);
                weighted +=
                    load *
                    (capacity > 0 ? m_queue->Get(load / static_cast<double>(capacity)).loss : 1.0);
                total += load;
            }
        });
    return total > 0 ? weighted / total : 0.0;
}

Ptr<NMgr>
NMgr::Clone() const
{
    return CopyObject<NMgr>(Ptr<const NMgr>(this));
}

} // namespace ns3::odcn
