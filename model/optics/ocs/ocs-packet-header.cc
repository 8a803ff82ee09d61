// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-packet-header.h"

namespace ns3::odcn
{

namespace
{

constexpr uint8_t PROTOCOL_TCP = 6;
constexpr uint8_t PROTOCOL_UDP = 17;
/// Bytes of an IPv4 header without options.
constexpr uint32_t IPV4 = 20;
/// Bytes of the longest IPv4 header, with the ports after it.
constexpr uint32_t IPV4_AND_PORTS = 64;

uint32_t
ReadBigEndian(const uint8_t* bytes)
{
    return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
}

/// @param bytes of an IPv4 packet  @param n their number, at least that of the header
/// @return source port x 65536 + destination port; none without UDP or TCP, and in fragments, of
/// which only the first has them
std::optional<uint32_t>
FindPorts(const uint8_t* bytes, uint32_t n)
{
    const uint32_t length = (bytes[0] & 0x0f) * 4;
    const uint8_t protocol = bytes[9];
    const bool fragment = (bytes[6] & 0x3f) != 0 || bytes[7] != 0;
    if (fragment || (protocol != PROTOCOL_TCP && protocol != PROTOCOL_UDP) || n < length + 4)
    {
        return std::nullopt;
    }
    return ReadBigEndian(bytes + length);
}

} // namespace

uint32_t
OcsPacketHeader::HashFlow(uint32_t source, uint32_t destination, uint8_t protocol, uint32_t ports)
{
    uint64_t h = (uint64_t(source) << 32 | destination) ^
                 (uint64_t(ports) * 0x9e3779b97f4a7c15ULL) ^ (uint64_t(protocol) << 56);
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<uint32_t>((h ^ (h >> 31)) >> 32);
}

bool
OcsPacketHeader::Read(const Ptr<Packet>& packet, bool withFlow)
{
    // Deserialising an Ipv4Header would take several times as long as this copy.
    uint8_t bytes[IPV4_AND_PORTS];
    const uint32_t n = packet->CopyData(bytes, withFlow ? sizeof(bytes) : IPV4);
    if (n < IPV4 || bytes[0] >> 4 != 4)
    {
        return false;
    }
    destination = ReadBigEndian(bytes + 16);
    tos = bytes[1];
    if (withFlow)
    {
        // All fragments of a packet are hashed without ports.
        flow = HashFlow(ReadBigEndian(bytes + 12),
                        destination,
                        bytes[9],
                        FindPorts(bytes, n).value_or(0));
    }
    return true;
}

uint64_t
OcsPacketHeader::ReadPair(const Ptr<const Packet>& packet)
{
    uint8_t bytes[IPV4];
    if (packet->CopyData(bytes, sizeof(bytes)) < IPV4 || bytes[0] >> 4 != 4)
    {
        return 0;
    }
    return uint64_t(ReadBigEndian(bytes + 12)) << 32 | ReadBigEndian(bytes + 16);
}

std::optional<uint16_t>
OcsPacketHeader::ReadDestinationPort(const Ptr<Packet>& packet)
{
    uint8_t bytes[IPV4_AND_PORTS];
    const uint32_t n = packet->CopyData(bytes, sizeof(bytes));
    const auto ports = n < IPV4 ? std::nullopt : FindPorts(bytes, n);
    return ports ? std::optional(static_cast<uint16_t>(*ports)) : std::nullopt;
}

} // namespace ns3::odcn
