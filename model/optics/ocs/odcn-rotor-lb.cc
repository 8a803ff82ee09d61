// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rotor-lb.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Bytes that a circuit without an end can carry.
constexpr double ENDLESS = 1e15;

/// @param a a number
/// @param b another
/// @return a - b, or 0 if it is negative
uint64_t
Less(uint64_t a, uint64_t b)
{
    return a - std::min(a, b);
}

/// @param bytes a number of bytes
/// @return as much of it as a message can say
uint64_t
Limit(uint64_t bytes)
{
    return std::min<uint64_t>(bytes, UINT32_MAX);
}

} // namespace

RotorLb::RotorLb(RotorLbSwitch& tor, double limit)
    : m_tor(tor),
      m_limit(limit)
{
}

RotorLb::Uplink&
RotorLb::Find(uint32_t port)
{
    m_uplinks.resize(m_tor.GetNUplinks());
    return m_uplinks[port];
}

void
RotorLb::Relay(uint32_t port, RackId destination, uint32_t bytes)
{
    auto& reserved = Find(port).reserved;
    if (const auto found = reserved.find(destination); found != reserved.end())
    {
        found->second = Less(found->second, bytes);
    }
}

void
RotorLb::CircuitUp(uint32_t port, RackId peer, Time until)
{
    Uplink& uplink = Find(port);
    uplink.until = until;
    uplink.capacity = until == Time::Max() ? 0 : GetLeft(port);
    uplink.messages.clear();
    uplink.accepted.clear();
    uplink.reserved.clear();
    if (uplink.offer.sender != peer) // else the clock of the peer is ahead of ours
    {
        uplink.offer = {};
    }
    // Other circuits come up at the same time, and what they can carry is not offered.
    uplink.isOpening = true;
    m_tor.CallOpened(port);
}

void
RotorLb::Forget()
{
    for (Uplink& uplink : m_uplinks)
    {
        uplink.messages.clear();
        uplink.offer = {};
        uplink.accepted.clear();
        uplink.reserved.clear();
    }
}

uint64_t
RotorLb::GetLeft(uint32_t port) const
{
    const Time left = m_uplinks[port].until - m_tor.Now();
    const double bytes = m_tor.GetRate(port) * left.GetSeconds() / 8;
    return bytes < 0 ? 0 : static_cast<uint64_t>(std::min(bytes, ENDLESS));
}

uint64_t
RotorLb::FindExcess(RackId rack) const
{
    uint64_t direct = 0;
    uint64_t agreed = 0;
    for (uint32_t p = 0; p < m_uplinks.size(); ++p)
    {
        direct += m_tor.GetCircuit(p) == rack ? GetLeft(p) : 0;
        for (const Share& share : m_uplinks[p].accepted)
        {
            agreed += share.rack == rack ? share.bytes : 0;
        }
    }
    return Less(m_tor.GetBytes({TorQueueKind::LOCAL, rack}),
                Less(direct, m_tor.GetBytes({TorQueueKind::RELAY, rack})) + agreed);
}

void
RotorLb::Opened(uint32_t port)
{
    Uplink& uplink = Find(port);
    uplink.isOpening = false;
    const RackId peer = m_tor.GetCircuit(port);
    if (peer == NO_RACK)
    {
        return;
    }
    RotorLbMessage offer;
    offer.sender = m_tor.GetRack();
    offer.room = Limit(Less(uplink.capacity,
                            m_tor.GetBytes({TorQueueKind::RELAY, peer}) +
                                m_tor.GetBytes({TorQueueKind::LOCAL, peer})));
    for (const RackId rack : m_tor.GetBusy())
    {
        const uint64_t bytes = rack == peer ? 0 : FindExcess(rack);
        if (bytes > 0)
        {
            offer.shares.push_back({rack, Limit(bytes)});
        }
    }
    if (offer.room > 0 && !offer.shares.empty())
    {
        uplink.messages.push_front(std::move(offer));
    }
    if (uplink.offer.sender == peer)
    {
        Answer(port);
    }
    if (m_tor.IsIdle(port))
    {
        Serve(port, peer);
    }
}

void
RotorLb::Receive(uint32_t port, RotorLbMessage message)
{
    Uplink& uplink = Find(port);
    const RackId peer = m_tor.GetCircuit(port);
    const bool isFromPeer = message.sender == peer;
    if (!message.isOffer)
    {
        if (isFromPeer)
        {
            uplink.accepted = std::move(message.shares);
        }
    }
    else if (isFromPeer || peer == NO_RACK)
    {
        uplink.offer = std::move(message);
        if (isFromPeer)
        {
            Answer(port);
        }
    }
    if (m_tor.IsIdle(port))
    {
        Serve(port, peer);
    }
}

void
RotorLb::Answer(uint32_t port)
{
    Uplink& uplink = m_uplinks[port];
    const RotorLbMessage offer = std::exchange(uplink.offer, {});
    uplink.reserved.clear();
    const auto limit = static_cast<uint64_t>(m_limit * uplink.capacity);
    std::vector<Share> wanted;
    for (const Share& share : offer.shares)
    {
        if (m_tor.IsCutOff(share.rack))
        {
            continue;
        }
        uint64_t backlog = m_tor.GetBytes({TorQueueKind::RELAY, share.rack}) +
                           m_tor.GetBytes({TorQueueKind::LOCAL, share.rack});
        for (const Uplink& other : m_uplinks)
        {
            const auto found = other.reserved.find(share.rack);
            backlog += found == other.reserved.end() ? 0 : found->second;
        }
        const uint64_t bytes = std::min(share.bytes, Less(limit, backlog));
        if (bytes > 0)
        {
            wanted.push_back({share.rack, bytes});
        }
    }
    if (wanted.empty())
    {
        return;
    }
    std::rotate(wanted.begin(), wanted.begin() + m_turn++ % wanted.size(), wanted.end());
    RotorLbMessage accept;
    accept.isOffer = false;
    accept.sender = m_tor.GetRack();
    accept.shares = Divide(offer.room, std::move(wanted), m_tor.GetMtu(port));
    for (const Share& share : accept.shares)
    {
        uplink.reserved[share.rack] = share.bytes;
    }
    uplink.messages.push_back(std::move(accept));
}

std::vector<RotorLb::Share>
RotorLb::Divide(uint64_t total, std::vector<Share> wanted, uint64_t unit)
{
    std::vector<Share> given(wanted.size());
    for (bool more = true; more && total > 0;)
    {
        more = false;
        for (std::size_t i = 0; i < wanted.size(); ++i)
        {
            const uint64_t part = std::min({unit, total, wanted[i].bytes - given[i].bytes});
            given[i] = {wanted[i].rack, given[i].bytes + part};
            total -= part;
            more = more || part > 0;
        }
    }
    given.erase(std::remove_if(given.begin(),
                               given.end(),
                               [](const Share& share) { return share.bytes == 0; }),
                given.end());
    return given;
}

void
RotorLb::Serve(uint32_t port, RackId peer)
{
    constexpr uint64_t ANY = UINT64_MAX;
    Uplink& uplink = Find(port);
    if (uplink.isOpening)
    {
        return;
    }
    while (!uplink.messages.empty())
    {
        const RotorLbMessage message = std::move(uplink.messages.front());
        uplink.messages.pop_front();
        if (m_tor.SendMessage(port, message))
        {
            return;
        }
    }
    if (m_tor.SendHeld(port, {TorQueueKind::RELAY, peer}, ANY) > 0 ||
        m_tor.SendHeld(port, {TorQueueKind::LOCAL, peer}, ANY) > 0)
    {
        return;
    }
    for (std::size_t i = 0; i < uplink.accepted.size(); ++i)
    {
        Share& share = uplink.accepted[uplink.turn++ % uplink.accepted.size()];
        if (const uint32_t size =
                m_tor.SendHeld(port, {TorQueueKind::LOCAL, share.rack}, share.bytes))
        {
            share.bytes -= size;
            return;
        }
    }
}

} // namespace ns3::odcn
