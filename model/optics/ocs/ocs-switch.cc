// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-switch.h"

#include "ocs-fiber.h"

#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OcsSwitch");

NS_OBJECT_ENSURE_REGISTERED(OcsSwitch);

TypeId
OcsSwitch::GetTypeId()
{
    using T = OcsSwitch;
    static TypeId tid =
        TypeIdOf<OcsSwitch, Object>("ns3::odcn::OcsSwitch")
            .Add(Attribute("Ports", &T::SetNPorts, &T::GetNPorts, 0, 0, 1 << 20),
                 "Number of ports, each with an input and an output")
            .Add(Attribute("ReconfigurationTime",
                           &T::m_reconfigurationTime,
                           MilliSeconds(10),
                           Time(0)),
                 "Dark time of a circuit that is changed")
            .Add(Attribute("InFlight",
                           &T::m_inFlightPolicy,
                           IN_FLIGHT_DROP,
                           {{IN_FLIGHT_DROP, "Drop"}, {IN_FLIGHT_DELIVER, "Deliver"}}),
                 "Treatment of a packet that is crossing when its circuit is changed")
            .Add(Trace("ReconfigurationStart", &T::m_startTrace, "ReconfigurationTracedCallback"),
                 "Circuits go dark: those that change, with their new outputs")
            .Add(Trace("ReconfigurationDone", &T::m_doneTrace, "ReconfigurationTracedCallback"),
                 "A batch is over: those of its changes that are completed")
            .Add(Trace("Drop", &T::m_dropTrace, "DropTracedCallback"),
                 "A packet was lost: the packet, its input port and the cause");
    return tid;
}

OcsSwitch::OcsSwitch() = default;
OcsSwitch::~OcsSwitch() = default;

void
OcsSwitch::DoDispose()
{
    // The ports stay: fibres may still bring packets.
    for (Port& port : m_ports)
    {
        port.fiber = nullptr;
        port.crossing = nullptr;
    }
    Object::DoDispose();
}

void
OcsSwitch::SetNPorts(uint32_t n)
{
    if (n < m_ports.size())
    {
        throw OdcnError::InOption("OcsSwitch::Ports",
                                  std::to_string(n),
                                  "no less than the present " + std::to_string(m_ports.size()));
    }
    m_ports.resize(n);
    m_outputs.resize(n, OCS_NO_PORT);
    m_inputs.resize(n, OCS_NO_PORT);
}

void
OcsSwitch::CheckPort(uint32_t port, const char* what) const
{
    if (port >= m_ports.size())
    {
        throw OdcnError::InOption(what,
                                  std::to_string(port),
                                  "a port below " + std::to_string(m_ports.size()));
    }
}

void
OcsSwitch::Check(const std::vector<OcsPortChange>& changes) const
{
    constexpr uint32_t UNTOUCHED = OCS_NO_PORT - 1;
    std::vector<uint32_t> wanted(m_ports.size(), UNTOUCHED);
    for (const OcsPortChange& c : changes)
    {
        CheckPort(c.input, "OCS input");
        if (c.output != OCS_NO_PORT)
        {
            CheckPort(c.output, "OCS output");
        }
        if (wanted[c.input] != UNTOUCHED)
        {
            throw OdcnError::InOption("OCS input", std::to_string(c.input), "each input once");
        }
        wanted[c.input] = c.output;
    }
    std::vector<bool> taken(m_ports.size(), false);
    for (const OcsPortChange& c : changes)
    {
        if (c.output == OCS_NO_PORT)
        {
            continue;
        }
        const uint32_t now = m_inputs[c.output];
        const bool stays = now != OCS_NO_PORT && wanted[now] == UNTOUCHED;
        if (taken[c.output] || stays)
        {
            throw OdcnError::InOption("OCS output",
                                      std::to_string(c.output),
                                      "an output that no other input feeds");
        }
        taken[c.output] = true;
    }
}

OcsPortChange
OcsSwitch::Obey(const OcsPortChange& change) const
{
    const Port& in = m_ports[change.input];
    if (in.mirror == OcsMirror::STUCK || in.output == change.output || change.output == OCS_NO_PORT)
    {
        return {change.input, in.mirror == OcsMirror::STUCK ? in.output : change.output};
    }
    const uint32_t holder = m_ports[change.output].input;
    const bool held = holder != OCS_NO_PORT && m_ports[holder].mirror == OcsMirror::STUCK;
    return {change.input, held || in.mirror == OcsMirror::LOSES ? OCS_NO_PORT : change.output};
}

std::vector<OcsPortChange>
OcsSwitch::Command(const std::vector<OcsPortChange>& changes)
{
    for (const OcsPortChange& c : changes)
    {
        if (m_outputs[c.input] != OCS_NO_PORT)
        {
            m_inputs[m_outputs[c.input]] = OCS_NO_PORT;
        }
    }
    std::vector<OcsPortChange> obeyed;
    for (const OcsPortChange& c : changes)
    {
        m_outputs[c.input] = c.output;
        if (c.output != OCS_NO_PORT)
        {
            m_inputs[c.output] = c.input;
        }
        obeyed.push_back(Obey(c));
    }
    return obeyed;
}

std::vector<OcsPortChange>
OcsSwitch::Move(const std::vector<OcsPortChange>& changes,
                const Time& dark,
                std::vector<uint64_t>& moves)
{
    std::vector<OcsPortChange> moved;
    std::vector<uint32_t> cut;
    for (const OcsPortChange& c : changes)
    {
        if (m_ports[c.input].output != c.output)
        {
            moved.push_back(c);
        }
    }
    // Remove all before setting any: an output may move from one input of the batch to another.
    for (const OcsPortChange& c : moved)
    {
        Port& in = m_ports[c.input];
        if (in.output != OCS_NO_PORT)
        {
            if (m_inFlightPolicy == IN_FLIGHT_DROP)
            {
                cut.push_back(c.input);
            }
            m_ports[in.output].input = OCS_NO_PORT;
        }
    }
    const Time upFrom = Simulator::Now() + dark;
    for (const OcsPortChange& c : moved)
    {
        Port& in = m_ports[c.input];
        in.output = c.output;
        in.upFrom = upFrom;
        moves.push_back(++in.moves);
        if (c.output != OCS_NO_PORT)
        {
            m_ports[c.output].input = c.input;
        }
    }
    // Last, since a sink of the trace Drop may change circuits, too.
    for (const uint32_t input : cut)
    {
        Cut(input, OcsDropCause::CUT);
    }
    return moved;
}

uint32_t
OcsSwitch::Reconfigure(const std::vector<OcsPortChange>& changes)
{
    NS_LOG_FUNCTION(this << changes.size());
    Check(changes);
    return StartChanges(Command(changes));
}

uint32_t
OcsSwitch::StartChanges(const std::vector<OcsPortChange>& changes)
{
    const Time dark = m_reconfigurationTime;
    std::vector<uint64_t> moves;
    std::vector<OcsPortChange> moved = Move(changes, dark, moves);
    const auto n = static_cast<uint32_t>(moved.size());
    if (n == 0)
    {
        return 0;
    }
    m_startTrace(moved);
    if (dark.IsZero())
    {
        Done(std::move(moved), std::move(moves));
    }
    else
    {
        Simulator::Schedule(dark,
                            &OcsSwitch::Done,
                            Ptr<OcsSwitch>(this),
                            std::move(moved),
                            std::move(moves));
    }
    return n;
}

void
OcsSwitch::Preset(const std::vector<OcsPortChange>& changes)
{
    NS_LOG_FUNCTION(this << changes.size());
    Check(changes);
    std::vector<uint64_t> moves;
    Move(Command(changes), Time(0), moves);
}

void
OcsSwitch::Done(std::vector<OcsPortChange> changes, std::vector<uint64_t> moves)
{
    NS_LOG_FUNCTION(this << changes.size());
    std::vector<OcsPortChange> up;
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        if (m_ports[changes[i].input].moves == moves[i])
        {
            up.push_back(changes[i]);
        }
    }
    m_doneTrace(up);
}

uint32_t
OcsSwitch::GetOutput(uint32_t input) const
{
    CheckPort(input, "OCS input");
    return m_ports[input].output;
}

uint32_t
OcsSwitch::GetInput(uint32_t output) const
{
    CheckPort(output, "OCS output");
    return m_ports[output].input;
}

bool
OcsSwitch::IsDark(uint32_t input) const
{
    CheckPort(input, "OCS input");
    const Port& in = m_ports[input];
    return in.output != OCS_NO_PORT && Simulator::Now() < in.upFrom;
}

void
OcsSwitch::FailPort(uint32_t port, OcsPortSide side, OcsDropCause cause)
{
    NS_LOG_FUNCTION(this << port << cause);
    CheckPort(port, "OCS port");
    m_ports[port].failure = cause;
    if (side != OcsPortSide::OUTPUT)
    {
        m_ports[port].inputFailed = true;
        Cut(port, cause);
    }
    if (side != OcsPortSide::INPUT)
    {
        m_ports[port].outputFailed = true;
        // Check all inputs: with InFlight=Deliver a packet of an earlier circuit may still cross.
        for (uint32_t i = 0; i < m_ports.size(); ++i)
        {
            if (m_ports[i].crossing && m_ports[i].crossingTo == port)
            {
                Cut(i, cause);
            }
        }
    }
}

void
OcsSwitch::RepairPort(uint32_t port, OcsPortSide side)
{
    NS_LOG_FUNCTION(this << port);
    CheckPort(port, "OCS port");
    if (side != OcsPortSide::OUTPUT)
    {
        m_ports[port].inputFailed = false;
    }
    if (side != OcsPortSide::INPUT)
    {
        m_ports[port].outputFailed = false;
    }
}

void
OcsSwitch::SetMirror(uint32_t input, OcsMirror mirror)
{
    NS_LOG_FUNCTION(this << input << int(mirror));
    CheckPort(input, "OCS input");
    m_ports[input].mirror = mirror;
    std::vector<OcsPortChange> changes;
    for (uint32_t i = 0; mirror != OcsMirror::STUCK && i < m_ports.size(); ++i)
    {
        const OcsPortChange change = Obey({i, m_outputs[i]});
        // An input whose mirrors have missed waits for its next command.
        if (i == input || m_ports[i].mirror != OcsMirror::LOSES)
        {
            changes.push_back(change);
        }
    }
    StartChanges(changes);
}

bool
OcsSwitch::IsFailed(uint32_t port, OcsPortSide side) const
{
    CheckPort(port, "OCS port");
    const Port& p = m_ports[port];
    return (side != OcsPortSide::OUTPUT && p.inputFailed) ||
           (side != OcsPortSide::INPUT && p.outputFailed);
}

void
OcsSwitch::Plug(uint32_t port, Ptr<OcsFiber> fiber, uint32_t end, bool fromSwitch)
{
    CheckPort(port, "OCS port");
    if (m_ports[port].fiber)
    {
        throw OdcnError::InOption("OCS port", std::to_string(port), "a port without a fibre");
    }
    m_ports[port].fiber = fiber;
    m_ports[port].end = static_cast<uint16_t>(end);
    m_ports[port].fromSwitch = fromSwitch;
}

uint32_t
OcsSwitch::FirstBit(uint32_t input, const Ptr<Packet>& packet, const Time& txTime)
{
    ++m_received;
    Port& in = m_ports[input];
    if (in.inputFailed)
    {
        return LoseHead(packet, input, txTime, in.failure);
    }
    if (in.output == OCS_NO_PORT)
    {
        return LoseHead(packet, input, txTime, OcsDropCause::NO_CIRCUIT);
    }
    const Time now = Simulator::Now();
    if (now < in.upFrom || in.crossing)
    {
        return LoseHead(packet, input, txTime, OcsDropCause::DARK);
    }
    const Port& out = m_ports[in.output];
    if (out.outputFailed || !out.fiber)
    {
        return LoseHead(packet,
                        input,
                        txTime,
                        out.outputFailed ? out.failure : OcsDropCause::PORT_FAILED);
    }
    ++m_inFlight;
    in.crossing = packet;
    in.crossingTo = in.output;
    in.lastBit = now + txTime;
    return out.fiber->FirstBitFromSwitch(out.end, packet, txTime);
}

uint32_t
OcsSwitch::LoseHead(const Ptr<Packet>& packet,
                    uint32_t input,
                    const Time& txTime,
                    OcsDropCause cause)
{
    Port& in = m_ports[input];
    if (in.fromSwitch && !in.crossing)
    {
        ++m_inFlight;
        in.crossing = packet;
        in.lastBit = Simulator::Now() + txTime;
        in.lost = true;
        in.cause = cause;
    }
    else
    {
        Drop(packet, input, cause);
    }
    return OcsFiber::NO_CONTEXT;
}

void
OcsSwitch::LastBit(uint32_t input, const Ptr<Packet>& packet, bool whole)
{
    Port& in = m_ports[input];
    if (in.crossing != packet)
    {
        return; // lost meanwhile
    }
    if (in.lost || !whole)
    {
        const OcsDropCause cause = in.lost ? in.cause : OcsDropCause::PORT_FAILED;
        Drop(TakeOut(input), input, cause);
        return;
    }
    in.crossing = nullptr;
    --m_inFlight;
    ++m_forwarded;
    const Port& out = m_ports[in.crossingTo];
    const Ptr<OcsFiber> fiber = out.fiber;
    fiber->LastBitFromSwitch(out.end, packet);
}

void
OcsSwitch::LoseTail(uint32_t input, const Ptr<Packet>& packet)
{
    if (m_ports[input].crossing == packet)
    {
        TakeOut(input);
        ++m_cutShort;
    }
}

Ptr<Packet>
OcsSwitch::TakeOut(uint32_t input)
{
    Port& in = m_ports[input];
    const Ptr<Packet> packet = in.crossing;
    in.crossing = nullptr;
    --m_inFlight;
    if (!in.lost)
    {
        const Port& out = m_ports[in.crossingTo];
        out.fiber->LoseTailFromSwitch(out.end, packet);
    }
    in.lost = false;
    return packet;
}

void
OcsSwitch::Cut(uint32_t input, OcsDropCause cause)
{
    Port& in = m_ports[input];
    if (!in.crossing || in.lost || Simulator::Now() >= in.lastBit)
    {
        return;
    }
    if (!in.fromSwitch)
    {
        Drop(TakeOut(input), input, cause);
        return;
    }
    const Port& out = m_ports[in.crossingTo];
    out.fiber->LoseTailFromSwitch(out.end, in.crossing);
    in.lost = true;
    in.cause = cause;
}

void
OcsSwitch::Drop(const Ptr<Packet>& packet, uint32_t input, OcsDropCause cause)
{
    NS_LOG_LOGIC("lost at input " << input << ": " << cause);
    ++m_dropped[cause];
    m_dropTrace(packet, input, cause);
}

} // namespace ns3::odcn
