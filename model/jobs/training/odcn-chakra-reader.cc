// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-readers.h"

// In a build without protobuf, odcn-chakra-refusal.cc is compiled instead.

#include "odcn-chakra-stream.h"
#include "odcn-chakra.pb.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-json-file.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <google/protobuf/io/coded_stream.h>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Types of nodes in the schema.
enum ChakraType : uint32_t
{
    CHAKRA_INVALID = 0,
    CHAKRA_METADATA = 1,
    CHAKRA_MEM_LOAD = 2,
    CHAKRA_MEM_STORE = 3,
    CHAKRA_COMP = 4,
    CHAKRA_COMM_SEND = 5,
    CHAKRA_COMM_RECV = 6,
    CHAKRA_COMM_COLL = 7
};

/// A node, as read.
struct ChakraNode
{
    uint64_t id{0};                       //!< its id
    TrainingProgram::Operation operation; //!< what it does
    std::string name;                     //!< what it is for
    std::vector<uint64_t> after;          //!< ids of dependencies
};

/// Attributes of a node that are read.
struct ChakraAttributes
{
    std::map<std::string, int64_t> numbers; //!< whole numbers by name
    bool isProcessor{false};                //!< is_cpu_op
    std::string group;                      //!< pg_name
    double operations{0};                   //!< num_ops
    double tensor{0};                       //!< tensor_size
    bool hasDimensions{false};              //!< whether involved_dim has a false
};

/// Reads a trace.
class ChakraReader
{
  public:
    /// @param prefix of the files
    /// @param options how to read
    /// @param report counts
    ChakraReader(const std::string& prefix,
                 const TrainingReadOptions& options,
                 TrainingReadReport& report)
        : m_prefix(prefix),
          m_options(options),
          m_report(report)
    {
    }

    /// @return the job
    TrainingJob Read();

  private:
    using Group = std::vector<uint32_t>; //!< ranks in the order of a ring

    /// Set m_ranks by the files that there are.
    void CountRanks();

    /// Read the JSON file of groups, if there is one.
    void ReadGroups();

    /**
     * Read a file.
     * @param rank of the file
     * @param job gets its program
     */
    void ReadRank(uint32_t rank, TrainingJob& job);

    /**
     * @param stream at the node
     * @param node the message
     * @param rank of the file
     * @return what the node does
     */
    ChakraNode ReadNode(const ChakraStream& stream, const chakra::Node& node, uint32_t rank);

    /**
     * @param stream at the node
     * @param node the message
     * @return its attributes
     */
    ChakraAttributes ReadAttributes(const ChakraStream& stream, const chakra::Node& node) const;

    /**
     * @param stream at the node
     * @param attributes of the node
     * @param rank of the file
     * @param [in,out] read gets the collective
     */
    void ReadCollective(const ChakraStream& stream,
                        const ChakraAttributes& attributes,
                        uint32_t rank,
                        ChakraNode& read);

    /**
     * @param stream at the node
     * @param attributes of the node
     * @param rank of the file
     * @param [in,out] read a send or a receive, gets the message
     */
    void ReadMessage(const ChakraStream& stream,
                     const ChakraAttributes& attributes,
                     uint32_t rank,
                     ChakraNode& read);

    /**
     * Read the groups that a node of type METADATA may define.
     * @param node the message
     */
    void ReadDefinitions(const chakra::Node& node);

    /**
     * @param stream at the node
     * @param name of a group
     * @param rank of the file, which must be in the group
     * @param id of the node
     * @return the ranks of the group
     */
    const Group& FindGroup(const ChakraStream& stream,
                           const std::string& name,
                           uint32_t rank,
                           uint64_t id);

    /**
     * @param stream at the node
     * @param node the message
     * @param attributes of the node
     * @return how long the node computes, 1 ns or more
     */
    Time GetDuration(const ChakraStream& stream,
                     const chakra::Node& node,
                     const ChakraAttributes& attributes);

    std::string m_prefix;                      //!< of the files
    const TrainingReadOptions& m_options;      //!< how to read
    TrainingReadReport& m_report;              //!< counts
    uint32_t m_ranks{0};                       //!< of the job
    Group m_all;                               //!< all ranks
    std::map<std::string, Group> m_given;      //!< groups of the JSON file
    std::map<std::string, Group> m_defined;    //!< groups of the rank's METADATA nodes
    std::vector<std::string> m_names;          //!< of communicators, in the order of their use
    std::map<std::string, uint32_t> m_indexOf; //!< of m_names
    std::vector<std::vector<Group>> m_used;    //!< groups of each communicator
};

void
ChakraReader::CountRanks()
{
    const std::filesystem::path prefix(m_prefix);
    const std::string begin = prefix.filename().string() + ".";
    const auto folder =
        prefix.has_parent_path() ? prefix.parent_path() : std::filesystem::path(".");
    std::error_code error;
    uint64_t files = 0;
    uint64_t last = 0;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
    {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(begin) || !name.ends_with(".et"))
        {
            continue;
        }
        const auto rank =
            ParseCount(std::string_view(name).substr(begin.size(), name.size() - begin.size() - 3));
        if (rank && name == begin + std::to_string(*rank) + ".et")
        {
            ++files;
            last = std::max(last, *rank);
        }
    }
    if (error)
    {
        throw OdcnError(folder.string() + ": cannot be read: " + error.message());
    }
    uint64_t expected = m_options.ranks != 0 ? m_options.ranks : files == 0 ? 1 : last + 1;
    if (files != expected || last + 1 != expected)
    {
        uint64_t missing = 0;
        while (missing < expected &&
               std::filesystem::exists(m_prefix + "." + std::to_string(missing) + ".et", error))
        {
            ++missing;
        }
        throw OdcnError(
            m_prefix + ".RANK.et: found " + std::to_string(files) +
            (files == 1 ? " file" : " files") + ", expected one for each of " +
            std::to_string(expected) + " ranks" +
            (missing < expected ? "; rank " + std::to_string(missing) + " has none" : ""));
    }
    if (expected > MAX_TRAINING_RANKS)
    {
        throw OdcnError(m_prefix + ".RANK.et: found " + std::to_string(files) +
                        " files, expected at most " + std::to_string(MAX_TRAINING_RANKS));
    }
    m_ranks = static_cast<uint32_t>(expected);
    m_all.resize(m_ranks);
    std::iota(m_all.begin(), m_all.end(), 0U);
}

/// @param json list of ranks
/// @param most their number
/// @param [out] group gets them
/// @return whether it is one
bool
ReadChakraGroup(const nlohmann::json& json, uint32_t most, std::vector<uint32_t>& group)
{
    if (!json.is_array())
    {
        return false;
    }
    for (const auto& rank : json)
    {
        if (!rank.is_number_unsigned() || rank.get<uint64_t>() >= most)
        {
            return false;
        }
        group.push_back(rank.get<uint32_t>());
    }
    return true;
}

/// @param name of a group
/// @return its leading number, which is all that astra-sim reads, or itself
std::string
GetChakraKey(const std::string& name)
{
    const std::size_t end = name.find_first_not_of("0123456789");
    return end == 0 ? name : name.substr(0, end);
}

void
ChakraReader::ReadGroups()
{
    if (m_options.groups.empty())
    {
        return;
    }
    const std::string expected =
        "ranks of each group, less than " + std::to_string(m_ranks) + ", as {\"1\": [0, 1]}";
    const auto json =
        ParseFlatJson(ReadJsonFile(m_options.groups, expected), m_options.groups, expected);
    if (!json.is_object())
    {
        throw OdcnError(m_options.groups + ": found no JSON object, expected " + expected);
    }
    for (const auto& [name, ranks] : json.items())
    {
        Group group;
        if (!ReadChakraGroup(ranks, m_ranks, group) || group.empty())
        {
            throw OdcnError::InFile(m_options.groups, 0, "group " + name, expected);
        }
        m_given[GetChakraKey(name)] = group;
    }
}

ChakraAttributes
ChakraReader::ReadAttributes(const ChakraStream& stream, const chakra::Node& node) const
{
    using chakra::Attribute;
    const uint64_t id = node.id();
    ChakraAttributes read;
    for (const Attribute& attribute : node.attributes())
    {
        const std::string& name = attribute.name();
        std::optional<int64_t> whole;
        std::optional<double> real;
        switch (attribute.value_case())
        {
        case Attribute::kDoubleValue:
            real = attribute.double_value();
            break;
        case Attribute::kFloatValue:
            real = attribute.float_value();
            break;
        case Attribute::kInt32Value:
            whole = attribute.int32_value();
            break;
        case Attribute::kInt64Value:
            whole = attribute.int64_value();
            break;
        case Attribute::kUint32Value:
            whole = attribute.uint32_value();
            break;
        case Attribute::kUint64Value:
            whole = static_cast<int64_t>(std::min<uint64_t>(attribute.uint64_value(), INT64_MAX));
            break;
        case Attribute::kSint32Value:
            whole = attribute.sint32_value();
            break;
        case Attribute::kSint64Value:
            whole = attribute.sint64_value();
            break;
        case Attribute::kFixed32Value:
            whole = attribute.fixed32_value();
            break;
        case Attribute::kFixed64Value:
            whole = static_cast<int64_t>(std::min<uint64_t>(attribute.fixed64_value(), INT64_MAX));
            break;
        case Attribute::kSfixed32Value:
            whole = attribute.sfixed32_value();
            break;
        case Attribute::kSfixed64Value:
            whole = attribute.sfixed64_value();
            break;
        case Attribute::kBoolValue:
            whole = attribute.bool_value();
            break;
        default:
            break;
        }
        const auto require = [&](bool isValid, const char* expected)
        {
            if (!isValid)
            {
                stream.Refuse(name + " with another value", expected, &id);
            }
        };
        if (name == "is_cpu_op")
        {
            require(whole && (*whole == 0 || *whole == 1), "true or false");
            read.isProcessor = *whole == 1;
        }
        else if (name == "pg_name")
        {
            require(attribute.value_case() == Attribute::kStringValue, "a text");
            read.group = attribute.string_value();
        }
        else if (name == "involved_dim")
        {
            require(attribute.value_case() == Attribute::kBoolsValue, "a list of true");
            const auto& dimensions = attribute.bools_value().values();
            read.hasDimensions =
                std::find(dimensions.begin(), dimensions.end(), false) != dimensions.end();
        }
        else if (name == "num_ops" || name == "tensor_size")
        {
            const double value = whole ? static_cast<double>(*whole) : real.value_or(-1);
            require(value >= 0 && std::isfinite(value), "a number of 0 or more");
            (name == "num_ops" ? read.operations : read.tensor) = value;
        }
        else if (name == "comm_type" || name == "comm_size" || name == "comm_src" ||
                 name == "comm_dst" || name == "comm_tag")
        {
            require(whole.has_value(), "a whole number");
            read.numbers[name] = *whole;
        }
    }
    return read;
}

Time
ChakraReader::GetDuration(const ChakraStream& stream,
                          const chakra::Node& node,
                          const ChakraAttributes& attributes)
{
    const uint64_t id = node.id();
    uint64_t nanoseconds = 0;
    const auto refuse = [&](const std::string& value)
    {
        stream.Refuse(value,
                      "at most " + std::to_string(MAX_TRAINING_NANOSECONDS / 1000) + " us",
                      &id);
    };
    if (node.duration_micros() > MAX_TRAINING_NANOSECONDS / 1000)
    {
        refuse(std::to_string(node.duration_micros()) + " us");
    }
    nanoseconds = node.duration_micros() * 1000;
    if (nanoseconds == 0 && m_options.peakFlops > 0 && attributes.operations > 0)
    {
        const double byMemory =
            m_options.memoryBandwidth > 0 ? attributes.tensor / m_options.memoryBandwidth : 0;
        const double seconds = std::max(attributes.operations / m_options.peakFlops, byMemory);
        if (seconds * 1e9 > static_cast<double>(MAX_TRAINING_NANOSECONDS))
        {
            refuse(FormatNumber(seconds) + " s");
        }
        nanoseconds = static_cast<uint64_t>(seconds * 1e9);
        m_report.Add("computations by num_ops");
    }
    if (nanoseconds == 0)
    {
        // The format counts whole microseconds; astra-sim takes 1 ns, too.
        nanoseconds = 1;
        m_report.Add("computations without a duration, taken as 1 ns");
    }
    return NanoSeconds(nanoseconds);
}

const ChakraReader::Group&
ChakraReader::FindGroup(const ChakraStream& stream,
                        const std::string& name,
                        uint32_t rank,
                        uint64_t id)
{
    const Group* group = nullptr;
    if (name.empty() || name == "0")
    {
        group = &m_all;
    }
    else if (const auto defined = m_defined.find(name); defined != m_defined.end())
    {
        group = &defined->second;
    }
    else if (const auto given = m_given.find(GetChakraKey(name)); given != m_given.end())
    {
        group = &given->second;
    }
    if (!group)
    {
        stream.Refuse("group '" + name + "'",
                      "a group of the file of groups or of a METADATA node",
                      &id);
    }
    if (std::find(group->begin(), group->end(), rank) == group->end())
    {
        stream.Refuse("group '" + name + "'",
                      "a group with this rank, " + std::to_string(rank),
                      &id);
    }
    return *group;
}

void
ChakraReader::ReadCollective(const ChakraStream& stream,
                             const ChakraAttributes& attributes,
                             uint32_t rank,
                             ChakraNode& read)
{
    static const std::map<int64_t, Collective::Operation> SUPPORTED{
        {0, Collective::Operation::ALL_REDUCE},
        {2, Collective::Operation::ALL_GATHER},
        {5, Collective::Operation::BROADCAST},
        {6, Collective::Operation::ALL_TO_ALL},
        {7, Collective::Operation::REDUCE_SCATTER}};
    static const std::map<int64_t, const char*> OTHERS{{1, "REDUCE"},
                                                       {3, "GATHER"},
                                                       {4, "SCATTER"},
                                                       {8, "REDUCE_SCATTER_BLOCK"},
                                                       {9, "BARRIER"}};
    const auto type = attributes.numbers.find("comm_type");
    const auto size = attributes.numbers.find("comm_size");
    if (type == attributes.numbers.end() || size == attributes.numbers.end())
    {
        stream.Refuse(std::string("a collective without ") +
                          (type == attributes.numbers.end() ? "comm_type" : "comm_size"),
                      "both",
                      &read.id);
    }
    const auto what = SUPPORTED.find(type->second);
    if (what == SUPPORTED.end())
    {
        const auto other = OTHERS.find(type->second);
        stream.Refuse("comm_type " + std::to_string(type->second) +
                          (other == OTHERS.end() ? "" : std::string(" (") + other->second + ")"),
                      "ALL_REDUCE, ALL_GATHER, BROADCAST, ALL_TO_ALL or REDUCE_SCATTER",
                      &read.id);
    }
    const Group& group = FindGroup(stream, attributes.group, rank, read.id);
    // The size of an all-gather is the part of one rank.
    const uint64_t parts =
        what->second == Collective::Operation::ALL_GATHER ? group.size() : uint64_t{1};
    if (size->second < 0 || static_cast<uint64_t>(size->second) > MAX_TRAINING_BYTES / parts)
    {
        stream.Refuse("comm_size " + std::to_string(size->second),
                      "0 to " + std::to_string(MAX_TRAINING_BYTES / parts),
                      &read.id);
    }
    const bool isAll = attributes.group.empty() || attributes.group == "0";
    if (attributes.hasDimensions && isAll)
    {
        stream.Refuse("involved_dim with false",
                      "a group by pg_name instead: dimensions are not supported",
                      &read.id);
    }
    m_report.Add("involved_dim beside a group, left out", attributes.hasDimensions ? 1 : 0);
    const std::string name = isAll ? "all" : attributes.group;
    const auto [known, isNew] = m_indexOf.try_emplace(name, static_cast<uint32_t>(m_names.size()));
    if (isNew)
    {
        m_names.push_back(ChakraStream::MakePrintable(name));
        m_used.emplace_back();
    }
    auto& used = m_used[known->second];
    if (std::find(used.begin(), used.end(), group) == used.end())
    {
        used.push_back(group);
    }
    read.operation.kind = TrainingProgram::Kind::COLLECTIVE;
    read.operation.what = what->second;
    read.operation.communicator = known->second;
    read.operation.bytes = static_cast<uint64_t>(size->second) * parts;
    m_report.Add("collectives");
    m_report.Add("collectives of 0 bytes", size->second == 0 ? 1 : 0);
}

void
ChakraReader::ReadMessage(const ChakraStream& stream,
                          const ChakraAttributes& attributes,
                          uint32_t rank,
                          ChakraNode& read)
{
    const bool isSend = read.operation.kind == TrainingProgram::Kind::SEND;
    const auto number = [&](const char* name, int64_t least, int64_t most) -> int64_t
    {
        const auto found = attributes.numbers.find(name);
        if (found == attributes.numbers.end())
        {
            stream.Refuse(std::string(isSend ? "a send" : "a receive") + " without " + name,
                          "comm_size, comm_tag and " +
                              std::string(isSend ? "comm_dst" : "comm_src"),
                          &read.id);
        }
        if (found->second < least || found->second > most)
        {
            stream.Refuse(std::string(name) + " " + std::to_string(found->second),
                          std::to_string(least) + " to " + std::to_string(most),
                          &read.id);
        }
        return found->second;
    };
    const char* own = isSend ? "comm_src" : "comm_dst";
    if (attributes.numbers.contains(own) && attributes.numbers.at(own) != rank)
    {
        stream.Refuse(std::string(own) + " " + std::to_string(attributes.numbers.at(own)),
                      "the rank of the file, " + std::to_string(rank),
                      &read.id);
    }
    const int64_t other = number(isSend ? "comm_dst" : "comm_src", 0, m_ranks - 1);
    if (other == rank)
    {
        stream.Refuse("a message to itself", "another rank", &read.id);
    }
    read.operation.peer = static_cast<int32_t>(other - rank);
    read.operation.tag = static_cast<uint32_t>(number("comm_tag", INT32_MIN, UINT32_MAX));
    read.operation.bytes =
        static_cast<uint64_t>(number("comm_size", 0, static_cast<int64_t>(MAX_TRAINING_BYTES)));
    m_report.Add(isSend ? "sends" : "receives");
}

void
ChakraReader::ReadDefinitions(const chakra::Node& node)
{
    // [' JSON '], where JSON is a list of {"pg_name": "7", "ranks": [0, 1]}.
    constexpr std::size_t AROUND = 2;
    const std::string& text = node.inputs().values();
    if (text.size() < 2 * AROUND)
    {
        return;
    }
    const auto json = ParseFlatJson(std::string_view(text).substr(AROUND, text.size() - 2 * AROUND),
                                    m_prefix,
                                    "groups of ranks");
    if (!json.is_array())
    {
        return;
    }
    for (const auto& item : json)
    {
        Group group;
        if (!item.is_object() || !item.contains("pg_name") || !item["pg_name"].is_string() ||
            !item.contains("ranks") || !ReadChakraGroup(item["ranks"], m_ranks, group))
        {
            m_report.Add("groups of METADATA nodes left out");
            continue;
        }
        m_defined[item["pg_name"].get<std::string>()] = group.empty() ? m_all : group;
    }
}

ChakraNode
ChakraReader::ReadNode(const ChakraStream& stream, const chakra::Node& node, uint32_t rank)
{
    ChakraNode read;
    read.id = node.id();
    read.name = node.name();
    read.operation.id = read.id;
    const ChakraAttributes attributes = ReadAttributes(stream, node);
    read.operation.unit = attributes.isProcessor ? TrainingProgram::Unit::PROCESSOR
                                                 : TrainingProgram::Unit::ACCELERATOR;
    switch (node.type())
    {
    case CHAKRA_INVALID:
    case CHAKRA_METADATA:
        m_report.Add("nodes that take no time");
        break;
    case CHAKRA_COMP:
        read.operation.duration = GetDuration(stream, node, attributes);
        m_report.Add("computations");
        break;
    case CHAKRA_COMM_SEND:
    case CHAKRA_COMM_RECV:
        read.operation.kind = node.type() == CHAKRA_COMM_SEND ? TrainingProgram::Kind::SEND
                                                              : TrainingProgram::Kind::RECEIVE;
        ReadMessage(stream, attributes, rank, read);
        break;
    case CHAKRA_COMM_COLL:
        if (attributes.isProcessor && !attributes.numbers.contains("comm_type"))
        {
            // The call on the host; the accelerator's node has the collective.
            read.operation.duration = GetDuration(stream, node, attributes);
            m_report.Add("calls of collectives on the CPU, taken as computations");
            break;
        }
        ReadCollective(stream, attributes, rank, read);
        break;
    case CHAKRA_MEM_LOAD:
    case CHAKRA_MEM_STORE:
        stream.Refuse(node.type() == CHAKRA_MEM_LOAD ? "a node of type MEM_LOAD"
                                                     : "a node of type MEM_STORE",
                      "no memory operations: they are not supported",
                      &read.id);
    default:
        stream.Refuse("a node of type " + std::to_string(node.type()), "0 to 7", &read.id);
    }
    read.after.assign(node.data_dependencies().begin(), node.data_dependencies().end());
    return read;
}

/// @param message a message
/// @return whether its fields are none of the old kind called groups
bool
HasNoOldGroups(const std::string& message)
{
    google::protobuf::io::CodedInputStream input(reinterpret_cast<const uint8_t*>(message.data()),
                                                 static_cast<int>(message.size()));
    while (const uint32_t tag = input.ReadTag())
    {
        uint64_t ignored = 0;
        uint32_t length = 0;
        bool isRead = false;
        switch (tag & 7U)
        {
        case 0:
            isRead = input.ReadVarint64(&ignored);
            break;
        case 1:
            isRead = input.Skip(8);
            break;
        case 2:
            isRead = input.ReadVarint32(&length) && length <= INT32_MAX &&
                     input.Skip(static_cast<int>(length));
            break;
        case 5:
            isRead = input.Skip(4);
            break;
        default:
            break;
        }
        if (!isRead)
        {
            return false;
        }
    }
    return true;
}

void
ChakraReader::ReadRank(uint32_t rank, TrainingJob& job)
{
    ChakraStream stream(m_prefix + "." + std::to_string(rank) + ".et");
    std::string message;
    chakra::Metadata metadata;
    if (!stream.Next(message))
    {
        stream.Refuse("an empty file", "the message GlobalMetadata");
    }
    if (!metadata.ParseFromString(message))
    {
        stream.Refuse("no message GlobalMetadata", "a Chakra trace");
    }
    m_defined.clear();
    std::vector<ChakraNode> nodes;
    std::unordered_map<uint64_t, uint32_t> indexOf;
    chakra::Node node;
    while (stream.Next(message))
    {
        if (message.empty())
        {
            stream.Refuse("a message of 0 bytes", "a node");
        }
        if (!HasNoOldGroups(message) || !node.ParseFromString(message))
        {
            stream.Refuse("no message Node", "the fields of a Chakra trace");
        }
        if (node.type() == CHAKRA_METADATA)
        {
            ReadDefinitions(node);
        }
        const uint64_t id = node.id();
        if (!indexOf.emplace(id, static_cast<uint32_t>(nodes.size())).second)
        {
            stream.Refuse("id " + std::to_string(id) + " twice", "one node for each id");
        }
        ChakraNode read = ReadNode(stream, node, rank);
        if (m_options.controlDependencies)
        {
            for (const uint64_t before : node.control_dependencies())
            {
                if (before == id)
                {
                    m_report.Add("control dependencies of a node on itself left out");
                    continue;
                }
                // Marked, since what it names may come later or not at all.
                read.after.push_back(before);
            }
            read.operation.nAfter = static_cast<uint32_t>(node.data_dependencies_size());
        }
        else
        {
            m_report.Add("control dependencies left out",
                         static_cast<uint64_t>(node.control_dependencies_size()));
            read.operation.nAfter = static_cast<uint32_t>(read.after.size());
        }
        nodes.push_back(std::move(read));
    }
    if (nodes.empty())
    {
        stream.Refuse("no node", "one or more after GlobalMetadata");
    }

    // By index instead of id.
    std::vector<std::vector<uint32_t>> after(nodes.size());
    std::vector<std::vector<uint32_t>> next(nodes.size());
    std::vector<std::size_t> waits(nodes.size());
    for (uint32_t i = 0; i < nodes.size(); ++i)
    {
        for (std::size_t k = 0; k < nodes[i].after.size(); ++k)
        {
            const auto found = indexOf.find(nodes[i].after[k]);
            const bool isControl = k >= nodes[i].operation.nAfter;
            if (found != indexOf.end())
            {
                after[i].push_back(found->second);
                m_report.Add(isControl ? "control dependencies" : "data dependencies");
            }
            else if (isControl)
            {
                m_report.Add("control dependencies on no node left out");
            }
            else
            {
                throw OdcnError(stream.GetPath() + ": id " + std::to_string(nodes[i].id) +
                                ": found a data dependency on id " +
                                std::to_string(nodes[i].after[k]) +
                                ", expected the id of a node of this file");
            }
        }
        std::sort(after[i].begin(), after[i].end());
        after[i].erase(std::unique(after[i].begin(), after[i].end()), after[i].end());
        waits[i] = after[i].size();
        for (const uint32_t before : after[i])
        {
            next[before].push_back(i);
        }
        nodes[i].after.clear();
        nodes[i].after.shrink_to_fit();
    }
    // An order of execution: the lowest id first among those that are free. What is left waits for
    // itself, which TrainingJob::Check() refuses.
    using Free = std::pair<uint64_t, uint32_t>;
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < nodes.size(); ++i)
    {
        if (waits[i] == 0)
        {
            free.emplace(nodes[i].id, i);
        }
    }
    while (!free.empty())
    {
        const uint32_t i = free.top().second;
        free.pop();
        order.push_back(i);
        for (const uint32_t waiting : next[i])
        {
            if (--waits[waiting] == 0)
            {
                free.emplace(nodes[waiting].id, waiting);
            }
        }
    }
    for (uint32_t i = 0; i < nodes.size(); ++i)
    {
        if (waits[i] > 0)
        {
            order.push_back(i);
        }
    }
    std::vector<uint32_t> place(nodes.size());
    for (uint32_t k = 0; k < order.size(); ++k)
    {
        place[order[k]] = k;
    }
    TrainingProgram program;
    for (const uint32_t i : order)
    {
        for (uint32_t& before : after[i])
        {
            before = place[before];
        }
        program.Add(nodes[i].operation, after[i], nodes[i].name);
    }
    const uint32_t ranks[]{rank};
    job.AddProgram(std::move(program), ranks);
    m_report.Add("nodes", nodes.size());
}

TrainingJob
ChakraReader::Read()
{
    CountRanks();
    ReadGroups();
    TrainingJob job(m_prefix, m_ranks);
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        ReadRank(rank, job);
    }
    for (std::size_t i = 0; i < m_names.size(); ++i)
    {
        job.AddCommunicator(m_names[i], m_used[i]);
    }
    return job;
}

} // namespace

TrainingJob
ReadChakraTrace(const std::string& prefix,
                const TrainingReadOptions& options,
                TrainingReadReport& report)
{
    return ChakraReader(prefix, options, report).Read();
}

} // namespace ns3::odcn
