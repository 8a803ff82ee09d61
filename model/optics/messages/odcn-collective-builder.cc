// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-collective-builder.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Largest number after a name.
constexpr uint64_t MAX_NUMBER = 1U << 20;

/// Operations by name.
constexpr std::array<std::pair<const char*, Collective::Operation>, 6> OPERATIONS{
    {{"all-reduce", Collective::Operation::ALL_REDUCE},
     {"reduce-scatter", Collective::Operation::REDUCE_SCATTER},
     {"all-gather", Collective::Operation::ALL_GATHER},
     {"all-to-all", Collective::Operation::ALL_TO_ALL},
     {"broadcast", Collective::Operation::BROADCAST},
     {"send", Collective::Operation::SEND}}};

/// A registered name.
struct Kind
{
    std::string name;                       //!< OPERATION:NAME
    Collective::Operation operation;        //!< what the ranks compute
    std::string word;                       //!< for the number that may follow; empty for none
    uint32_t number;                        //!< its default
    CollectiveBuilder::Algorithm algorithm; //!< adds the steps
};

/// @return all names, in the order of their registration
std::vector<Kind>&
GetKinds()
{
    static std::vector<Kind> kinds;
    return kinds;
}

/// @param name OPERATION:NAME
/// @return its kind; null if there is none
const Kind*
FindKind(const std::string& name)
{
    for (const Kind& kind : GetKinds())
    {
        if (kind.name == name)
        {
            return &kind;
        }
    }
    return nullptr;
}

} // namespace

bool
CollectiveBuilder::Register(const std::vector<std::string>& names, Algorithm algorithm)
{
    for (const std::string& text : names)
    {
        std::vector<std::string_view> words;
        SplitText(text, ':', words);
        const auto found = std::find_if(OPERATIONS.begin(),
                                        OPERATIONS.end(),
                                        [&](const auto& item) { return item.first == words[0]; });
        Kind kind{text, Operation::SEND, "", 0, algorithm};
        bool isRight = found != OPERATIONS.end() && words.size() >= 2 && words.size() <= 3 &&
                       !words[1].empty() && !words.back().empty();
        if (isRight && words.size() == 3)
        {
            const std::size_t equal = std::min(words[2].find('='), words[2].size() - 1);
            const uint64_t number = ParseCount(words[2].substr(equal + 1)).value_or(0);
            isRight = equal > 0 && number > 0 && number <= MAX_NUMBER;
            kind.word = words[2].substr(0, equal);
            kind.number = static_cast<uint32_t>(number);
            kind.name = text.substr(0, text.rfind(':'));
        }
        if (!isRight || FindKind(kind.name))
        {
            throw OdcnError("a collective is registered as '" + text +
                            "', expected OPERATION:NAME or OPERATION:NAME:WORD=DEFAULT, once");
        }
        kind.operation = found->second;
        GetKinds().push_back(std::move(kind));
    }
    return true;
}

std::vector<std::string>
CollectiveBuilder::GetNames(bool hasNumbers)
{
    std::vector<std::string> names;
    for (const auto& [name, operation] : OPERATIONS)
    {
        for (const Kind& kind : GetKinds())
        {
            if (kind.operation == operation)
            {
                const bool hasNumber = hasNumbers && !kind.word.empty();
                names.push_back(kind.name + (hasNumber ? "[:" + kind.word + "]" : ""));
            }
        }
    }
    return names;
}

Collective
CollectiveBuilder::Make(const std::string& text, uint32_t ranks, uint64_t bytes)
{
    std::vector<std::string_view> words;
    SplitText(text, ':', words);
    const Kind* kind =
        words.size() < 2 ? nullptr : FindKind(std::string(words[0]) + ":" + std::string(words[1]));
    std::optional<uint64_t> number = kind ? kind->number : 0;
    if (kind && words.size() > 2)
    {
        number = kind->word.empty() ? std::nullopt : ParseCount(words[2]);
    }
    if (!kind || words.size() > 3 || !number ||
        (!kind->word.empty() && (*number == 0 || *number > MAX_NUMBER)))
    {
        throw OdcnError::InOption("collective", text, "one of " + JoinWords(GetNames(true)));
    }
    if (ranks < 2 || (kind->operation == Operation::SEND && ranks != 2))
    {
        throw OdcnError::InOption("collective",
                                  text + " of " + std::to_string(ranks) + " ranks",
                                  "2 or more; 2 for send");
    }
    // Ranks send each byte twice.
    const uint64_t most = std::min(MAX_STEP, MAX_TOTAL / 2 / ranks);
    if (bytes == 0 || bytes > most)
    {
        throw OdcnError::InOption("collective",
                                  text + " of " + std::to_string(bytes) + " bytes",
                                  "1 to " + std::to_string(most) + " for " + std::to_string(ranks) +
                                      " ranks");
    }
    CollectiveBuilder builder(ranks);
    builder.m_name = text;
    builder.m_operation = kind->operation;
    builder.m_bytes = bytes;
    builder.m_number = static_cast<uint32_t>(*number);
    const bool isAllToAll = kind->operation == Operation::ALL_TO_ALL;
    const bool isWhole =
        kind->operation == Operation::BROADCAST || kind->operation == Operation::SEND;
    builder.m_nParts = isWhole ? 1 : ranks;
    if (isAllToAll)
    {
        builder.ExpectSteps(2.0 * ranks * ranks); // before n x n blocks are numbered by 32 bits
    }
    builder.m_collective.m_blocks = builder.m_nParts * (isAllToAll ? ranks : 1);
    kind->algorithm(builder);
    return builder.Take();
}

CollectiveBuilder::CollectiveBuilder(uint32_t ranks)
{
    m_collective.m_ranks = ranks;
}

void
CollectiveBuilder::Refuse(const std::string& text, const std::string& expected) const
{
    throw OdcnError(m_name + ": step " + std::to_string(m_collective.m_steps.size()) + " " + text +
                    ", expected " + expected);
}

void
CollectiveBuilder::SetNBlocks(uint32_t blocks)
{
    const bool isFree = m_operation == Operation::ALL_REDUCE ||
                        m_operation == Operation::BROADCAST || m_operation == Operation::SEND;
    if (blocks == 0 || !m_collective.m_steps.empty() || m_nParts == 0 || !isFree)
    {
        throw OdcnError(m_name + ": " + std::to_string(blocks) +
                        " blocks, expected 1 or more, before the first step of an all-reduce, a "
                        "broadcast or a send");
    }
    m_nParts = blocks;
    m_collective.m_blocks = blocks;
}

void
CollectiveBuilder::ExpectSteps(double most) const
{
    if (most > MAX_STEPS)
    {
        throw OdcnError::InOption("collective",
                                  m_name + " of " + std::to_string(GetNRanks()) + " ranks",
                                  "fewer ranks or smaller numbers: it has more than 2^31 steps");
    }
}

uint64_t
CollectiveBuilder::GetSize(uint32_t block) const
{
    // bytes x (part + 1) / parts - bytes x part / parts, without products above 2^64
    const uint64_t part = block % m_nParts;
    const uint64_t rest = m_bytes % m_nParts;
    return m_bytes / m_nParts + rest * (part + 1) / m_nParts - rest * part / m_nParts;
}

uint32_t
CollectiveBuilder::Add(uint32_t from,
                       uint32_t to,
                       uint32_t block,
                       uint32_t nBlocks,
                       bool reduce,
                       const Steps& after)
{
    if (nBlocks > m_collective.m_blocks)
    {
        Refuse("has " + std::to_string(nBlocks) + " blocks",
               "at most " + std::to_string(m_collective.m_blocks));
    }
    for (const uint32_t before : after)
    {
        if (before < m_collective.m_steps.size() && m_collective.m_steps[before].to != from)
        {
            Refuse("from rank " + std::to_string(from) + " is after step " +
                       std::to_string(before) + " to rank " +
                       std::to_string(m_collective.m_steps[before].to),
                   "only steps to its sender, who notices no others");
        }
    }
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < nBlocks; ++i)
    {
        bytes += GetSize((block + i) % m_collective.m_blocks);
    }
    return Add({from, to, bytes, nBlocks > 0 ? block % m_collective.m_blocks : 0, nBlocks, reduce},
               after);
}

uint32_t
CollectiveBuilder::Add(Collective::Step step, const Steps& after)
{
    auto& steps = m_collective.m_steps;
    auto& all = m_collective.m_after;
    if (step.from >= GetNRanks() || step.to >= GetNRanks() || step.from == step.to)
    {
        Refuse("is from rank " + std::to_string(step.from) + " to rank " + std::to_string(step.to),
               "two different ones below " + std::to_string(GetNRanks()));
    }
    if (step.bytes > MAX_STEP || step.bytes > MAX_TOTAL - m_total)
    {
        Refuse("has " + std::to_string(step.bytes) + " bytes",
               "at most 2^53, and 2^62 of all together");
    }
    if (steps.size() >= MAX_STEPS || all.size() + after.size() > MAX_STEPS)
    {
        Refuse("is one of more than 2^31, or of steps before them", "fewer");
    }
    for (const uint32_t before : after)
    {
        if (before != NONE && before >= steps.size())
        {
            Refuse("is after step " + std::to_string(before), "an earlier one");
        }
    }
    m_total += step.bytes;
    step.after = static_cast<uint32_t>(all.size());
    for (const uint32_t before : after)
    {
        if (before != NONE)
        {
            all.push_back(before);
        }
    }
    step.nAfter = static_cast<uint32_t>(all.size()) - step.after;
    steps.push_back(step);
    return static_cast<uint32_t>(steps.size() - 1);
}

} // namespace ns3::odcn
