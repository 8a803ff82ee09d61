// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-checkpoint.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3
{
namespace odcn
{

namespace
{

constexpr std::size_t MAGIC_SIZE = 8;
constexpr char MAGIC[MAGIC_SIZE + 1] = "ODCN-NN\n";
constexpr uint32_t VERSION = 1;
constexpr std::size_t PREFIX = MAGIC_SIZE + 4 + 4 + 8 + 4;

/// @param out appended to  @param value written little-endian in sizeof(T) bytes
template <typename T>
void
Put(std::string& out, T value)
{
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
        out += static_cast<char>((value >> (8 * i)) & 0xff);
    }
}

/// @param in bytes  @return an integer read little-endian from the first sizeof(T)
template <typename T>
T
Get(const char* in)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
        value |= static_cast<T>(static_cast<unsigned char>(in[i])) << (8 * i);
    }
    return value;
}

/// @param text bytes  @param begin where to start  @return CRC-32 (IEEE) of the rest
uint32_t
Crc32(const std::string& text, std::size_t begin)
{
    static const auto TABLE = []
    {
        std::array<uint32_t, 256> table{};
        for (uint32_t i = 0; i < 256; ++i)
        {
            uint32_t c = i;
            for (int k = 0; k < 8; ++k)
            {
                c = (c & 1) ? 0xedb88320U ^ (c >> 1) : c >> 1;
            }
            table[i] = c;
        }
        return table;
    }();
    uint32_t crc = 0xffffffffU;
    for (std::size_t i = begin; i < text.size(); ++i)
    {
        crc = TABLE[(crc ^ static_cast<unsigned char>(text[i])) & 0xff] ^ (crc >> 8);
    }
    return crc ^ 0xffffffffU;
}

/// @param path a file  @return all its bytes
std::string
ReadAll(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in)
    {
        throw OdcnError(path + ": cannot be read: " + std::strerror(errno));
    }
    // Not by iterators: those throw on a folder, which opens like a file.
    std::ostringstream bytes;
    if (in.peek() != std::ifstream::traits_type::eof())
    {
        bytes << in.rdbuf();
    }
    if (in.bad())
    {
        throw OdcnError(path + ": cannot be read");
    }
    return bytes.str();
}

/// @param sizes dimensions  @return "2x16"
std::string
Times(const std::vector<uint32_t>& sizes)
{
    std::string out;
    for (uint32_t s : sizes)
    {
        out += (out.empty() ? "" : "x") + std::to_string(s);
    }
    return out;
}

} // namespace

OdcnCheckpoint
OdcnCheckpoint::Of(const OdcnNetwork& network)
{
    OdcnCheckpoint c;
    c.networkType = network.GetInstanceTypeId().GetName();
    c.networkAttributes = network.GetAttributes();
    c.observationShape = network.GetObservationShape();
    c.nActions = network.GetNActions();
    c.signature = network.GetSignature();
    const auto p = network.GetParameters();
    c.arrays[PARAMETERS].assign(p.begin(), p.end());
    return c;
}

void
OdcnCheckpoint::Save(const std::string& path) const
{
    nlohmann::json header;
    header["network"] = {{"type", networkType}, {"attributes", networkAttributes}};
    header["observation_shape"] = observationShape;
    header["actions"] = nActions;
    header["signature"] = signature;
    header["provenance"] = provenance;
    header["counters"] = counters;
    header["numbers"] = numbers;
    header["arrays"] = nlohmann::json::array();
    uint64_t floats = 0;
    for (const auto& [name, values] : arrays)
    {
        header["arrays"].push_back({{"name", name}, {"size", values.size()}});
        floats += values.size();
    }
    // Provenance may hold a command line in any encoding: never let it spoil the file.
    const std::string text =
        header.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    std::string body = text;
    body.reserve(text.size() + 4 * floats);
    for (const auto& [name, values] : arrays)
    {
        for (float f : values)
        {
            Put(body, std::bit_cast<uint32_t>(f));
        }
    }
    std::string bytes(MAGIC, MAGIC_SIZE);
    Put(bytes, VERSION);
    Put(bytes, static_cast<uint32_t>(text.size()));
    Put(bytes, floats);
    Put(bytes, Crc32(body, 0));
    bytes += body;
    OdcnAtomicFile file(path);
    file.Stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.Commit();
}

OdcnCheckpoint
OdcnCheckpoint::Load(const std::string& path)
{
    const std::string bytes = ReadAll(path);
    if (bytes.compare(0, MAGIC_SIZE, MAGIC) != 0)
    {
        throw OdcnError(path + ": not an odcn checkpoint");
    }
    if (bytes.size() < PREFIX)
    {
        throw OdcnError(path + ": the checkpoint is cut short");
    }
    const char* at = bytes.data() + MAGIC_SIZE;
    const auto version = Get<uint32_t>(at);
    const auto headerSize = Get<uint32_t>(at + 4);
    const auto floats = Get<uint64_t>(at + 8);
    const auto crc = Get<uint32_t>(at + 16);
    if (version != VERSION)
    {
        throw OdcnError(path + ": checkpoint of version " + std::to_string(version) +
                        ", this odcn reads version " + std::to_string(VERSION));
    }
    const uint64_t rest = bytes.size() - PREFIX;
    if (headerSize > rest || floats > (rest - headerSize) / 4)
    {
        throw OdcnError(path + ": the checkpoint is cut short");
    }
    if (rest != headerSize + 4 * floats || Crc32(bytes, PREFIX) != crc)
    {
        throw OdcnError(path + ": the checkpoint is damaged");
    }
    OdcnCheckpoint c;
    try
    {
        const auto header =
            nlohmann::json::parse(bytes.data() + PREFIX, bytes.data() + PREFIX + headerSize);
        header.at("network").at("type").get_to(c.networkType);
        header.at("network").at("attributes").get_to(c.networkAttributes);
        header.at("observation_shape").get_to(c.observationShape);
        header.at("actions").get_to(c.nActions);
        c.signature = header.value("signature", c.signature);
        header.at("provenance").get_to(c.provenance);
        header.at("counters").get_to(c.counters);
        header.at("numbers").get_to(c.numbers);
        const char* in = bytes.data() + PREFIX + headerSize;
        uint64_t left = floats;
        for (const auto& array : header.at("arrays"))
        {
            const auto n = array.at("size").get<uint64_t>();
            if (n > left)
            {
                throw OdcnError(path + ": the checkpoint is damaged");
            }
            auto& values = c.arrays[array.at("name").get<std::string>()];
            for (uint64_t i = 0; i < n; ++i, in += 4)
            {
                values.push_back(std::bit_cast<float>(Get<uint32_t>(in)));
            }
            left -= n;
        }
    }
    catch (const nlohmann::json::exception&)
    {
        throw OdcnError(path + ": the header of the checkpoint is not what odcn writes");
    }
    return c;
}

Ptr<OdcnNetwork>
OdcnCheckpoint::MakeNetwork(const std::string& path,
                            const std::vector<uint32_t>& shape,
                            uint32_t actions,
                            const OdcnGraphObservation* graph) const
{
    auto network = OdcnNetwork::Create(networkType, networkAttributes);
    network->Build(shape, actions, graph);
    auto trained = signature;
    if (trained.empty())
    {
        // A file of before signatures: ask the network as it was trained.
        auto old = OdcnNetwork::Create(networkType, networkAttributes);
        old->Build(observationShape, nActions);
        trained = old->GetSignature();
    }
    if (network->GetSignature() != trained)
    {
        throw OdcnError(path + ": trained for observations of " + Times(observationShape) +
                        " and " + std::to_string(nActions) + " actions, the problem has " +
                        Times(shape) + " and " + std::to_string(actions));
    }
    const auto found = arrays.find(PARAMETERS);
    if (found == arrays.end() || found->second.size() != network->GetParameters().size())
    {
        throw OdcnError(path + ": the checkpoint's parameters do not fit its network");
    }
    std::copy(found->second.begin(), found->second.end(), network->GetMutableParameters().begin());
    return network;
}

} // namespace odcn
} // namespace ns3
