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

uint32_t
ReadBigEndian(const uint8_t* bytes)
{
    return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
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
    constexpr uint32_t IPV4 = 20;
    constexpr uint32_t IPV4_MAX = 60;
    uint8_t bytes[IPV4_MAX + 4];
    const uint32_t n = packet->CopyData(bytes, withFlow ? sizeof(bytes) : IPV4);
    if (n < IPV4 || bytes[0] >> 4 != 4)
    {
        return false;
    }
    destination = ReadBigEndian(bytes + 16);
    tos = bytes[1];
    if (withFlow)
    {
        const uint32_t length = (bytes[0] & 0x0f) * 4;
        const uint8_t protocol = bytes[9];
        // Only the first fragment has the ports, so fragments are hashed without ports.
        const bool fragment = (bytes[6] & 0x3f) != 0 || bytes[7] != 0;
        const bool hasPorts =
            !fragment && (protocol == PROTOCOL_TCP || protocol == PROTOCOL_UDP) && n >= length + 4;
        flow = HashFlow(ReadBigEndian(bytes + 12),
                        destination,
                        protocol,
                        hasPorts ? ReadBigEndian(bytes + length) : 0);
    }
    return true;
}

} // namespace ns3::odcn
