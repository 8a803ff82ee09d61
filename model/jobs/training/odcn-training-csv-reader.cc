// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-readers.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Columns of a file.
enum TrainingColumn : std::size_t
{
    COLUMN_RANKS,
    COLUMN_OPERATION,
    COLUMN_ID,
    COLUMN_DURATION,
    COLUMN_BYTES,
    COLUMN_GROUP,
    COLUMN_PEER,
    COLUMN_TAG,
    COLUMN_AFTER,
    COLUMN_NAME
};

/// First and last of consecutive ranks.
using RankInterval = std::pair<uint32_t, uint32_t>;

/// A line.
struct TrainingRow
{
    std::vector<RankInterval> ranks;      //!< those that run it; none for all
    TrainingProgram::Operation operation; //!< with the line as id; its communicator is one of texts
    std::optional<uint32_t> peer;         //!< absolute rank of a message
    std::vector<uint32_t> after;          //!< rows
    std::string name;                     //!< what it is for
};

/// Reads a file.
class TrainingCsvReader
{
  public:
    /// @param path file name
    /// @param options how to read
    /// @param report counts
    TrainingCsvReader(const std::string& path,
                      const TrainingReadOptions& options,
                      TrainingReadReport& report)
        : m_path(path),
          m_options(options),
          m_report(report),
          m_rows(path)
    {
    }

    /// @return the job
    TrainingJob Read();

  private:
    /**
     * @param column of the text
     * @param text a rank
     * @return the rank, for which m_ranks has room afterwards
     */
    uint32_t ParseRank(std::size_t column, std::string_view text);

    /**
     * @param column of the text
     * @param text ranks, as in 0-3 8
     * @return them
     */
    std::vector<RankInterval> ParseRanks(std::size_t column, std::string_view text);

    /// Append the row to m_lines.
    void ReadRow();

    /// @return duration of the row
    Time ParseDuration() const;

    /**
     * @param text of the column group
     * @return ranks of each group; none if the text is not valid
     */
    std::vector<std::vector<uint32_t>> MakeGroups(const std::string& text) const;

    /// @return by rank: index of the class of those that have the same lines
    std::vector<uint32_t> DivideRanks() const;

    std::string m_path;                                     //!< file name
    const TrainingReadOptions& m_options;                   //!< how to read
    TrainingReadReport& m_report;                           //!< counts
    RowReader m_rows;                                       //!< of the file
    std::vector<TrainingRow> m_lines;                       //!< of the file
    std::unordered_map<std::string, uint32_t> m_rowOf;      //!< by id
    std::vector<std::pair<std::string, uint64_t>> m_groups; //!< texts, and their first lines
    uint32_t m_ranks{0};                                    //!< of the job
};

uint32_t
TrainingCsvReader::ParseRank(std::size_t column, std::string_view text)
{
    const uint64_t most = m_options.ranks != 0 ? m_options.ranks : MAX_TRAINING_RANKS;
    const auto rank = ParseCount(text);
    if (!rank || *rank >= most)
    {
        m_rows.RefuseField(column, "ranks less than " + std::to_string(most) + ", as in 0-3 8");
    }
    m_ranks = std::max(m_ranks, static_cast<uint32_t>(*rank) + 1);
    return static_cast<uint32_t>(*rank);
}

std::vector<RankInterval>
TrainingCsvReader::ParseRanks(std::size_t column, std::string_view text)
{
    std::vector<RankInterval> intervals;
    for (const std::string_view word : SplitWords(text))
    {
        const std::size_t dash = word.find('-');
        const uint32_t first = ParseRank(column, word.substr(0, dash));
        const uint32_t last =
            dash == std::string_view::npos ? first : ParseRank(column, word.substr(dash + 1));
        if (last < first || (!intervals.empty() && first <= intervals.back().second))
        {
            m_rows.RefuseField(column, "rising ranks, as in 0-3 8");
        }
        intervals.emplace_back(first, last);
    }
    if (intervals.empty())
    {
        m_rows.RefuseField(column, "ranks, as in 0-3 8");
    }
    return intervals;
}

Time
TrainingCsvReader::ParseDuration() const
{
    static constexpr std::array<std::pair<std::string_view, double>, 5> UNITS{
        {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"ps", 1e-3}, {"s", 1e9}}};
    const std::string_view text = m_rows[COLUMN_DURATION];
    for (const auto& [unit, nanoseconds] : UNITS)
    {
        if (!text.ends_with(unit))
        {
            continue;
        }
        const auto number = ParseFinite(text.substr(0, text.size() - unit.size()));
        if (!number || *number < 0 ||
            *number * nanoseconds > static_cast<double>(MAX_TRAINING_NANOSECONDS))
        {
            break;
        }
        return Time::FromDouble(*number * nanoseconds, Time::NS);
    }
    m_rows.RefuseField(COLUMN_DURATION, "a time from 0 to 1000000s with its unit, as in 12.5us");
}

void
TrainingCsvReader::ReadRow()
{
    static const std::map<std::string_view, Collective::Operation> COLLECTIVES{
        {"all-reduce", Collective::Operation::ALL_REDUCE},
        {"reduce-scatter", Collective::Operation::REDUCE_SCATTER},
        {"all-gather", Collective::Operation::ALL_GATHER},
        {"all-to-all", Collective::Operation::ALL_TO_ALL},
        {"broadcast", Collective::Operation::BROADCAST}};
    const auto index = static_cast<uint32_t>(m_lines.size());
    TrainingRow row;
    auto& operation = row.operation;
    operation.id = m_rows.GetLineNumber();
    if (m_rows[COLUMN_RANKS] != "all")
    {
        row.ranks = ParseRanks(COLUMN_RANKS, m_rows[COLUMN_RANKS]);
    }
    const std::string_view word = m_rows[COLUMN_OPERATION];
    const bool isComputation = word == "compute" || word == "compute-cpu";
    if (!isComputation && word != "send" && word != "receive" && !COLLECTIVES.contains(word))
    {
        m_rows.RefuseField(COLUMN_OPERATION,
                           "compute, compute-cpu, all-reduce, reduce-scatter, all-gather, "
                           "all-to-all, broadcast, send or receive");
    }
    std::vector<std::size_t> unused;
    if (isComputation)
    {
        operation.duration = ParseDuration();
        operation.unit = word == "compute" ? TrainingProgram::Unit::ACCELERATOR
                                           : TrainingProgram::Unit::PROCESSOR;
        m_report.Add("lines of computations");
        unused = {COLUMN_BYTES, COLUMN_GROUP, COLUMN_PEER, COLUMN_TAG};
    }
    else
    {
        operation.bytes = m_rows.Count(COLUMN_BYTES, 0, MAX_TRAINING_BYTES);
        if (const auto what = COLLECTIVES.find(word); what != COLLECTIVES.end())
        {
            operation.kind = TrainingProgram::Kind::COLLECTIVE;
            operation.what = what->second;
            const std::string group(m_rows[COLUMN_GROUP].empty() ? "all" : m_rows[COLUMN_GROUP]);
            const auto known =
                std::find_if(m_groups.begin(),
                             m_groups.end(),
                             [&](const auto& other) { return other.first == group; });
            operation.communicator = static_cast<uint32_t>(known - m_groups.begin());
            if (known == m_groups.end())
            {
                m_groups.emplace_back(group, m_rows.GetLineNumber());
            }
            if (group.find(':') == std::string::npos && group != "all")
            {
                std::vector<std::string_view> parts;
                SplitText(group, '|', parts);
                for (const std::string_view part : parts)
                {
                    ParseRanks(COLUMN_GROUP, part);
                }
            }
            m_report.Add("lines of collectives");
            unused = {COLUMN_DURATION, COLUMN_PEER, COLUMN_TAG};
        }
        else
        {
            operation.kind =
                word == "send" ? TrainingProgram::Kind::SEND : TrainingProgram::Kind::RECEIVE;
            const std::string_view peer = m_rows[COLUMN_PEER];
            if (peer.starts_with('+') || peer.starts_with('-'))
            {
                const auto distance = ParseCount(peer.substr(1));
                if (!distance || *distance == 0 || *distance >= MAX_TRAINING_RANKS)
                {
                    m_rows.RefuseField(COLUMN_PEER, "a rank, or +1, -1 and so on");
                }
                operation.peer = static_cast<int32_t>(*distance) * (peer[0] == '+' ? 1 : -1);
            }
            else
            {
                row.peer = ParseRank(COLUMN_PEER, peer);
            }
            operation.tag = m_rows[COLUMN_TAG].empty()
                                ? 0
                                : static_cast<uint32_t>(m_rows.Count(COLUMN_TAG, 0, UINT32_MAX));
            m_report.Add("lines of messages");
            unused = {COLUMN_DURATION, COLUMN_GROUP};
        }
    }
    for (const std::size_t column : unused)
    {
        if (!m_rows[column].empty())
        {
            m_rows.RefuseField(column, "nothing for the operation " + std::string(word));
        }
    }
    for (const std::string_view id : SplitWords(m_rows[COLUMN_AFTER]))
    {
        const auto found = m_rowOf.find(std::string(id));
        if (found == m_rowOf.end())
        {
            m_rows.RefuseField(COLUMN_AFTER, "ids of lines above");
        }
        row.after.push_back(found->second);
    }
    std::sort(row.after.begin(), row.after.end());
    row.after.erase(std::unique(row.after.begin(), row.after.end()), row.after.end());
    if (const std::string id(m_rows[COLUMN_ID]); !id.empty())
    {
        if (SplitWords(id).size() != 1 || !m_rowOf.emplace(id, index).second)
        {
            m_rows.RefuseField(COLUMN_ID, "a word that is in no line above");
        }
    }
    row.name = m_rows[COLUMN_NAME];
    m_lines.push_back(std::move(row));
}

std::vector<std::vector<uint32_t>>
TrainingCsvReader::MakeGroups(const std::string& text) const
{
    std::vector<std::vector<uint32_t>> groups;
    if (text == "all")
    {
        groups.emplace_back(m_ranks);
        std::iota(groups.front().begin(), groups.front().end(), 0U);
        return groups;
    }
    if (text.find(':') != std::string::npos)
    {
        const bool isBlocks = text.starts_with("blocks:");
        const uint64_t number = ParseCount(text.substr(text.find(':') + 1)).value_or(0);
        if ((!isBlocks && !text.starts_with("stride:")) || number == 0 || m_ranks % number != 0)
        {
            return groups;
        }
        // blocks:N are groups of N; stride:N are N groups.
        groups.resize(isBlocks ? m_ranks / number : number);
        for (uint32_t rank = 0; rank < m_ranks; ++rank)
        {
            groups[isBlocks ? rank / number : rank % number].push_back(rank);
        }
        return groups;
    }
    std::vector<std::string_view> parts;
    SplitText(text, '|', parts);
    for (const std::string_view part : parts)
    {
        auto& group = groups.emplace_back();
        for (const std::string_view word : SplitWords(part))
        {
            const std::size_t dash = word.find('-');
            const uint64_t first = *ParseCount(word.substr(0, dash));
            const uint64_t last =
                dash == std::string_view::npos ? first : *ParseCount(word.substr(dash + 1));
            for (uint64_t rank = first; rank <= last; ++rank)
            {
                group.push_back(static_cast<uint32_t>(rank));
            }
        }
    }
    return groups;
}

std::vector<uint32_t>
TrainingCsvReader::DivideRanks() const
{
    // Each line divides the classes into ranks that run it and others.
    constexpr uint64_t MOST = 20'000'000;
    uint64_t work = 0;
    std::vector<uint32_t> classOf(m_ranks, 0);
    uint32_t classes = 1;
    for (const TrainingRow& row : m_lines)
    {
        const std::vector<RankInterval> all{{0, m_ranks - 1}};
        if (row.ranks.empty() && !row.peer)
        {
            continue;
        }
        std::unordered_map<uint32_t, uint32_t> parts;
        for (const auto& [first, last] : row.ranks.empty() ? all : row.ranks)
        {
            work += last - first + 1;
            if (work > MOST)
            {
                throw OdcnError::InFile(m_path,
                                        row.operation.id,
                                        "too many ranks in all lines together",
                                        "at most " + std::to_string(MOST));
            }
            for (uint32_t rank = first; rank <= last; ++rank)
            {
                if (row.peer)
                {
                    classOf[rank] = classes++;
                    continue;
                }
                const auto [part, isNew] = parts.try_emplace(classOf[rank], classes);
                classes += isNew ? 1 : 0;
                classOf[rank] = part->second;
            }
        }
    }
    return classOf;
}

TrainingJob
TrainingCsvReader::Read()
{
    m_rows.SetComments(true);
    m_rows.ReadHeader({{"ranks"},
                       {"operation"},
                       {"id", true},
                       {"duration", true},
                       {"bytes", true},
                       {"group", true},
                       {"peer", true},
                       {"tag", true},
                       {"after", true},
                       {"name", true}});
    m_ranks = m_options.ranks;
    while (m_rows.NextRow())
    {
        m_rows.CheckWidth();
        ReadRow();
    }
    if (m_lines.empty() || m_ranks == 0)
    {
        throw OdcnError(m_path + (m_lines.empty() ? ": found no operation, expected one or more"
                                                  : ": found no number of a rank, expected the "
                                                    "number of ranks as the option ranks"));
    }
    TrainingJob job(m_path, m_ranks);
    for (const auto& [text, line] : m_groups)
    {
        auto groups = MakeGroups(text);
        if (groups.empty())
        {
            throw OdcnError::InFile(m_path,
                                    line,
                                    text,
                                    "all, blocks:N or stride:N where N divides " +
                                        std::to_string(m_ranks) + ", or ranks as in 0-3|4-7");
        }
        job.AddCommunicator(text, std::move(groups));
    }
    const auto classOf = DivideRanks();
    std::map<uint32_t, std::vector<uint32_t>> members;
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        members[classOf[rank]].push_back(rank);
    }
    constexpr uint64_t MOST = 100'000'000;
    if (members.size() * m_lines.size() > MOST)
    {
        throw OdcnError(m_path + ": found " + std::to_string(members.size()) +
                        " ranks that differ and " + std::to_string(m_lines.size()) +
                        " lines, expected a product of at most " + std::to_string(MOST));
    }
    for (const auto& entry : members)
    {
        const uint32_t rank = entry.second.front();
        TrainingProgram program;
        std::vector<uint32_t> indices(m_lines.size(), UINT32_MAX);
        std::vector<uint32_t> last;
        for (std::size_t i = 0; i < m_lines.size(); ++i)
        {
            const TrainingRow& row = m_lines[i];
            const auto interval =
                std::lower_bound(row.ranks.begin(),
                                 row.ranks.end(),
                                 rank,
                                 [](const RankInterval& a, uint32_t b) { return a.second < b; });
            if (!row.ranks.empty() && (interval == row.ranks.end() || interval->first > rank))
            {
                continue;
            }
            std::vector<uint32_t> after;
            for (const uint32_t before : row.after)
            {
                if (indices[before] == UINT32_MAX)
                {
                    throw OdcnError::InFile(m_path,
                                            row.operation.id,
                                            "after line " +
                                                std::to_string(m_lines[before].operation.id),
                                            "a line of rank " + std::to_string(rank) + ", too");
                }
                after.push_back(indices[before]);
            }
            TrainingProgram::Operation operation = row.operation;
            if (row.peer)
            {
                operation.peer = static_cast<int32_t>(int64_t{*row.peer} - rank);
            }
            indices[i] = program.Add(operation, m_rows.Has(COLUMN_AFTER) ? after : last, row.name);
            last = {indices[i]};
        }
        if (last.empty())
        {
            throw OdcnError(m_path + ": found no line of rank " + std::to_string(rank) +
                            ", expected an operation of each rank");
        }
        job.AddProgram(std::move(program), entry.second);
    }
    return job;
}

} // namespace

TrainingJob
ReadTrainingCsv(const std::string& path,
                const TrainingReadOptions& options,
                TrainingReadReport& report)
{
    return TrainingCsvReader(path, options, report).Read();
}

} // namespace ns3::odcn
