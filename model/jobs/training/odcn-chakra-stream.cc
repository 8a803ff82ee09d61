// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-chakra-stream.h"

// In a build without protobuf, odcn-chakra-refusal.cc is compiled instead.

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

namespace ns3::odcn
{

ChakraStream::ChakraStream(const std::string& path)
    : m_path(path),
      m_buffer(65536)
{
    RequireFile(path);
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
    {
        throw OdcnError(path + ": cannot be read: " + std::strerror(errno));
    }
    std::array<unsigned char, 2> magic{};
    m_size = lseek(descriptor, 0, SEEK_END);
    m_isGzip = pread(descriptor, magic.data(), magic.size(), 0) == 2 && magic[0] == 0x1f &&
               magic[1] == 0x8b;
    if (m_isGzip)
    {
        std::array<unsigned char, 4> last{};
        const auto read = m_size < 4 ? 0 : pread(descriptor, last.data(), 4, m_size - 4);
        m_unpacked = read != 4 ? 0
                               : last[0] | uint32_t{last[1]} << 8 | uint32_t{last[2]} << 16 |
                                     uint32_t{last[3]} << 24;
    }
    lseek(descriptor, 0, SEEK_SET);
    m_file = gzdopen(descriptor, "rb"); // reads what is not compressed as it is
    if (!m_file)
    {
        close(descriptor);
        throw OdcnError(path + ": cannot be read: no memory");
    }
}

ChakraStream::~ChakraStream()
{
    gzclose(m_file);
}

bool
ChakraStream::Next(std::string& message)
{
    ++m_number;
    m_begin = m_position;
    uint64_t length = 0;
    constexpr int MAX_LENGTH_BYTES = 5;
    for (int i = 0;; ++i)
    {
        if (m_left == 0 && !Fill())
        {
            if (i > 0)
            {
                Refuse("a length cut off after " + std::to_string(i) + " bytes", "5 or less");
            }
            CheckEnd();
            return false;
        }
        const uint8_t byte = *m_data;
        Skip(1);
        length |= uint64_t{byte & 0x7fU} << (7 * i);
        if (byte < 0x80)
        {
            break;
        }
        if (i + 1 == MAX_LENGTH_BYTES)
        {
            Refuse("a length of more than 5 bytes", "a Chakra trace");
        }
    }
    if (length > INT32_MAX || (!m_isGzip && static_cast<int64_t>(length) > m_size - m_position))
    {
        Refuse(std::to_string(length) + " bytes announced",
               m_isGzip ? "less than 2 GiB"
                        : std::to_string(m_size - m_position) + " or fewer, which are left");
    }
    message.clear();
    while (message.size() < length)
    {
        if (m_left == 0 && !Fill())
        {
            CheckEnd();
            Refuse(std::to_string(length) + " bytes announced",
                   std::to_string(message.size()) + " or fewer, which are left");
        }
        const std::size_t part = std::min<std::size_t>(m_left, length - message.size());
        message.append(reinterpret_cast<const char*>(m_data), part);
        Skip(part);
    }
    return true;
}

void
ChakraStream::Refuse(const std::string& value,
                     const std::string& expected,
                     const uint64_t* id) const
{
    throw OdcnError(m_path + ": message " + std::to_string(m_number) + " at byte " +
                    std::to_string(m_begin) + (id ? ", id " + std::to_string(*id) : "") +
                    ": found " + MakePrintable(value) + ", expected " + expected);
}

std::string
ChakraStream::MakePrintable(const std::string& text)
{
    constexpr std::size_t MOST = 80;
    std::string printable = text.substr(0, MOST);
    for (char& c : printable)
    {
        c = c >= 0x20 && c < 0x7f ? c : '?';
    }
    return printable;
}

bool
ChakraStream::Fill()
{
    const int read = gzread(m_file, m_buffer.data(), static_cast<unsigned>(m_buffer.size()));
    m_data = m_buffer.data();
    m_left = static_cast<std::size_t>(std::max(read, 0));
    return read > 0;
}

void
ChakraStream::Skip(std::size_t bytes)
{
    m_data += bytes;
    m_left -= bytes;
    m_position += static_cast<int64_t>(bytes);
}

void
ChakraStream::CheckEnd() const
{
    int error = Z_OK;
    gzerror(m_file, &error);
    if (error == Z_ERRNO)
    {
        throw OdcnError(m_path + ": cannot be read: " + std::strerror(errno));
    }
    // A file that was cut off looks as one that ends.
    if (m_isGzip && (error < 0 || static_cast<uint32_t>(m_position) != m_unpacked))
    {
        throw OdcnError(m_path + ": damaged after " + std::to_string(m_position) +
                        " uncompressed bytes, expected one whole gzip stream");
    }
}

} // namespace ns3::odcn
