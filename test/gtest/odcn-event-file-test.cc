// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/odcn-event-file.h"

#include <bit>
#include <boost/crc.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using ns3::odcn::EventFile;

namespace
{

/// @param bytes text  @param from offset  @return the number of T there, lowest byte first
template <typename T>
T
Read(const std::string& bytes, std::size_t from)
{
    T value{};
    std::memcpy(&value, bytes.data() + from, sizeof value);
    return value;
}

/// @param bytes text  @return its CRC-32C as records store it
uint32_t
Masked(const std::string& bytes)
{
    boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
    crc.process_bytes("123456789", 9);
    // The check value of CRC-32C.
    EXPECT_EQ(crc.checksum(), 0xE3069283U);
    crc.reset();
    crc.process_bytes(bytes.data(), bytes.size());
    const auto sum = static_cast<uint32_t>(crc.checksum());
    return (sum >> 15 | sum << 17) + 0xa282ead8U;
}

} // namespace

TEST(EventFile, WritesRecordsThatTensorBoardReads)
{
    const auto path = std::filesystem::temp_directory_path() / "odcn-event-file-test";
    {
        EventFile file(path.string());
        file.Add("entropy", 300, 0.5);
        EXPECT_FALSE(std::filesystem::exists(path));
        file.Commit();
    }
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    std::filesystem::remove(path);
    std::vector<std::string> events;
    for (std::size_t at = 0; at < bytes.size();)
    {
        const auto length = Read<uint64_t>(bytes, at);
        EXPECT_EQ(Read<uint32_t>(bytes, at + 8), Masked(bytes.substr(at, 8)));
        events.push_back(bytes.substr(at + 12, length));
        EXPECT_EQ(Read<uint32_t>(bytes, at + 12 + length), Masked(events.back()));
        at += 16 + length;
    }
    ASSERT_EQ(events.size(), 2U);
    const std::string time = std::string("\x09", 1) + std::string(8, '\0');
    EXPECT_EQ(events[0], time + "\x1a\x0d" + "brain.Event:2");
    // Step 300 as a varint; a summary of one value with its tag and a float.
    const std::string value =
        std::string("\x0a\x07", 2) + "entropy" + "\x15" + std::string("\x00\x00\x00\x3f", 4);
    EXPECT_EQ(events[1], time + "\x10\xac\x02" + "\x2a\x10" + "\x0a\x0e" + value);
}
