// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-event-file.h"

#include <bit>
#include <boost/crc.hpp>

namespace ns3::odcn
{

namespace
{

// Field numbers and wire types of Protocol Buffers: Event { wall_time 1, step 2, file_version 3,
// summary 5 }, Summary { value 1 }, Value { tag 1, simple_value 2 }.
constexpr uint8_t EVENT_TIME = 1 << 3 | 1;
constexpr uint8_t EVENT_STEP = 2 << 3 | 0;
constexpr uint8_t EVENT_VERSION = 3 << 3 | 2;
constexpr uint8_t EVENT_SUMMARY = 5 << 3 | 2;
constexpr uint8_t SUMMARY_VALUE = 1 << 3 | 2;
constexpr uint8_t VALUE_TAG = 1 << 3 | 2;
constexpr uint8_t VALUE_SIMPLE = 2 << 3 | 5;

/// @param value any  @param bytes how many  @return its lowest bytes, the lowest first
std::string
Fixed(uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
    {
        text += static_cast<char>(value >> (8 * i) & 0xff);
    }
    return text;
}

/// @param value any  @return groups of seven bits, the lowest first
std::string
Varint(uint64_t value)
{
    std::string text;
    for (; value > 0x7f; value >>= 7)
    {
        text += static_cast<char>((value & 0x7f) | 0x80);
    }
    return text + static_cast<char>(value);
}

/// @param key field and type  @param bytes content  @return a field of bytes, text or a message
std::string
Field(uint8_t key, const std::string& bytes)
{
    return static_cast<char>(key) + Varint(bytes.size()) + bytes;
}

/// @param bytes any  @return CRC-32C, rotated and shifted as records store it, in four bytes
std::string
Checksum(const std::string& bytes)
{
    boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return Fixed(std::rotr(static_cast<uint32_t>(crc.checksum()), 15) + 0xa282ead8U, 4);
}

/// @return the field of the time, 0
std::string
ZeroTimeField()
{
    return static_cast<char>(EVENT_TIME) + Fixed(0, 8);
}

} // namespace

EventFile::EventFile(const std::string& path)
    : m_file(path)
{
    Write(ZeroTimeField() + Field(EVENT_VERSION, "brain.Event:2"));
}

void
EventFile::Add(const std::string& tag, uint64_t step, double value)
{
    const std::string number = Fixed(std::bit_cast<uint32_t>(static_cast<float>(value)), 4);
    const std::string scalar = Field(VALUE_TAG, tag) + static_cast<char>(VALUE_SIMPLE) + number;
    Write(ZeroTimeField() + static_cast<char>(EVENT_STEP) + Varint(step) +
          Field(EVENT_SUMMARY, Field(SUMMARY_VALUE, scalar)));
}

void
EventFile::Commit()
{
    m_file.Commit();
}

void
EventFile::Write(const std::string& event)
{
    const std::string length = Fixed(event.size(), 8);
    m_file.Stream() << length << Checksum(length) << event << Checksum(event);
}

} // namespace ns3::odcn
