// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The collectives of Collective::Make().
 */

#include "odcn-collective.h"
#include "odcn-message-plane.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace ns3::odcn
{

/// Adds steps to a collective.
class CollectiveBuilder
{
  public:
    using Operation = Collective::Operation; //!< what the ranks compute
    using Steps = std::vector<uint32_t>;     //!< numbers of steps

    /// No step.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// @param ranks number of ranks
    /// @param bytes size of a rank's vector
    /// @param parts blocks of a vector; 0 if unknown
    /// @param vectors number of vectors that have blocks of their own
    CollectiveBuilder(uint32_t ranks, uint64_t bytes, uint32_t parts, uint32_t vectors = 1)
        : m_n(ranks),
          m_bytes(bytes),
          m_nParts(parts)
    {
        m_collective.m_ranks = ranks;
        m_collective.m_blocks = parts * vectors;
    }

    /// @return the collective
    Collective Take()
    {
        return std::move(m_collective);
    }

    /**
     * Add a step.
     * @param from rank
     * @param to rank
     * @param block first block
     * @param nBlocks number of blocks
     * @param reduce whether the receiver adds them
     * @param after steps before it; NONE is ignored
     * @return its number
     */
    uint32_t Add(uint32_t from,
                 uint32_t to,
                 uint32_t block,
                 uint32_t nBlocks,
                 bool reduce,
                 const Steps& after)
    {
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < nBlocks; ++i)
        {
            bytes += GetSize(block + i);
        }
        return Add({from, to, bytes, block % m_collective.m_blocks, nBlocks, reduce}, after);
    }

    /// @param step the step
    /// @param after steps before it; NONE is ignored
    /// @return its number
    uint32_t Add(Collective::Step step, const Steps& after)
    {
        step.after = static_cast<uint32_t>(m_collective.m_after.size());
        for (const uint32_t before : after)
        {
            if (before != NONE)
            {
                m_collective.m_after.push_back(before);
            }
        }
        step.nAfter = static_cast<uint32_t>(m_collective.m_after.size()) - step.after;
        m_collective.m_steps.push_back(step);
        return static_cast<uint32_t>(m_collective.m_steps.size() - 1);
    }

    /// Each rank sends to the next one. In step s, rank r sends block r - s - 1 while blocks are
    /// reduced, and block r - s while they are gathered.
    /// @param scatter whether blocks are reduced
    /// @param gather whether blocks are gathered
    void Ring(bool scatter, bool gather)
    {
        Steps last(m_n, NONE); // received by each rank
        for (const bool reduce : {true, false})
        {
            for (uint32_t s = 0; s + 1 < m_n && (reduce ? scatter : gather); ++s)
            {
                Steps now(m_n);
                for (uint32_t r = 0; r < m_n; ++r)
                {
                    const uint32_t block = (2 * m_n + r - s - (reduce ? 1 : 0)) % m_n;
                    now[(r + 1) % m_n] = Add(r, (r + 1) % m_n, block, 1, reduce, {last[r]});
                }
                last = now;
            }
        }
    }

    /// Recursive halving, then recursive doubling. What a rank sends has parts of all that it has
    /// received before, and receptions may come in any order: so each step waits for all of them.
    /// @param scatter whether blocks are reduced
    /// @param gather whether blocks are gathered
    void HalvingDoubling(bool scatter, bool gather)
    {
        std::vector<Steps> received(m_n); // by each rank
        const auto exchange = [&](uint32_t distance, bool reduce)
        {
            Steps now(m_n);
            for (uint32_t r = 0; r < m_n; ++r)
            {
                const uint32_t peer = r ^ distance;
                const uint32_t first = (reduce ? peer : r) & ~(distance - 1);
                now[peer] = Add(r, peer, first, distance, reduce, received[r]);
            }
            for (uint32_t r = 0; r < m_n; ++r)
            {
                received[r].push_back(now[r]);
            }
        };
        for (uint32_t d = m_n / 2; d > 0 && scatter; d /= 2)
        {
            exchange(d, true);
        }
        for (uint32_t d = 1; d < m_n && gather; d *= 2)
        {
            exchange(d, false);
        }
    }

    /// All to all others at once.
    /// @param operation the operation
    void Direct(Operation operation)
    {
        std::vector<Steps> received(m_n);
        const bool reduces =
            operation == Operation::ALL_REDUCE || operation == Operation::REDUCE_SCATTER;
        for (uint32_t k = 1; k < m_n && reduces; ++k)
        {
            for (uint32_t r = 0; r < m_n; ++r)
            {
                const uint32_t peer = (r + k) % m_n;
                received[peer].push_back(Add(r, peer, peer, 1, true, {}));
            }
        }
        for (uint32_t k = 1; k < m_n && operation != Operation::REDUCE_SCATTER; ++k)
        {
            for (uint32_t r = 0; r < (operation == Operation::BROADCAST ? 1 : m_n); ++r)
            {
                const uint32_t peer = (r + k) % m_n;
                const uint32_t block = operation == Operation::BROADCAST    ? 0
                                       : operation == Operation::ALL_TO_ALL ? r * m_n + peer
                                                                            : r;
                Add(r, peer, block, 1, false, received[r]);
            }
        }
    }

    /// Chunks one after the other along a chain.
    /// @param chunks number of chunks
    void Pipeline(uint32_t chunks)
    {
        for (uint32_t chunk = 0; chunk < chunks; ++chunk)
        {
            uint32_t last = NONE;
            for (uint32_t r = 0; r + 1 < m_n; ++r)
            {
                last = Add(r, r + 1, chunk, 1, false, {last});
            }
        }
    }

    /// Two trees.
    /// @param chunks of each tree
    /// @param reduce whether to reduce before
    void Trees(uint32_t chunks, bool reduce)
    {
        for (uint32_t chunk = 0; chunk < chunks; ++chunk)
        {
            for (const bool mirrored : {false, true})
            {
                Tree(chunk * 2 + mirrored, mirrored, reduce);
            }
        }
    }

  private:
    /// @param block its number
    /// @return its size in bytes: sizes differ by one at most
    uint64_t GetSize(uint32_t block) const
    {
        // bytes x (part + 1) / parts - bytes x part / parts, without products above 2^64
        const uint64_t part = block % m_nParts;
        const uint64_t rest = m_bytes % m_nParts;
        return m_bytes / m_nParts + rest * (part + 1) / m_nParts - rest * part / m_nParts;
    }

    /// @param r a rank other than 0
    /// @return its parent in a tree in which odd ranks are leaves
    uint32_t GetParent(uint32_t r) const
    {
        const uint32_t bit = r & -r;
        const uint32_t up = (r ^ bit) | bit << 1;
        return up < m_n ? up : r ^ bit;
    }

    /// One block over a tree: to the root, and back.
    /// @param block its number
    /// @param mirrored whether odd ranks are inner ones
    /// @param reduce whether to reduce before; else rank 0 has it
    void Tree(uint32_t block, bool mirrored, bool reduce)
    {
        const auto rank = [&](uint32_t position)
        { return mirrored ? GetOtherRank(position, reduce) : position; };
        std::vector<Steps> children(m_n);
        for (uint32_t r = 1; r < m_n; ++r)
        {
            children[GetParent(r)].push_back(r);
        }
        Steps order{0}; // parents before children
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            order.insert(order.end(), children[order[i]].begin(), children[order[i]].end());
        }
        std::vector<Steps> received(m_n);
        for (std::size_t i = order.size() - 1; i > 0 && reduce; --i)
        {
            const uint32_t r = order[i];
            const uint32_t parent = GetParent(r);
            received[parent].push_back(Add(rank(r), rank(parent), block, 1, true, received[r]));
        }
        for (std::size_t i = 1; i < order.size(); ++i)
        {
            const uint32_t r = order[i];
            const uint32_t parent = GetParent(r);
            received[r] = {Add(rank(parent), rank(r), block, 1, false, received[parent])};
        }
    }

    /// Even positions of a tree are inner ones, except perhaps the last.
    /// @param position in the second tree
    /// @param reduce whether any rank may be its root; else rank 0 is
    /// @return its rank, such that inner positions have odd ranks
    uint32_t GetOtherRank(uint32_t position, bool reduce) const
    {
        if (!reduce)
        {
            return position == 0         ? 0
                   : m_n % 2 == 1        ? m_n - position
                   : position == m_n - 1 ? 1
                                         : position + 1;
        }
        // Leaves are two ranks further on: so no rank sends to the same one up the first tree and
        // down the second, where one message would wait for the other.
        const uint32_t further = m_n % 2 == 0 && m_n > 2 && position % 2 == 1 ? 2 : 0;
        return (position + 1 + further) % m_n;
    }

    uint32_t m_n;            //!< number of ranks
    uint64_t m_bytes;        //!< size of a rank's vector
    uint32_t m_nParts;       //!< blocks of a vector; 0 if unknown
    Collective m_collective; //!< the collective so far
};

namespace
{

using Operation = Collective::Operation;

/// Most bytes of a vector or a step.
constexpr uint64_t MAX_STEP = Message::MAX_BYTES;
/// Most bytes of all steps together.
constexpr uint64_t MAX_TOTAL = uint64_t{1} << 62;

/// Operations by name.
const std::array<std::pair<const char*, Operation>, 6> OPERATIONS{
    {{"all-reduce", Operation::ALL_REDUCE},
     {"reduce-scatter", Operation::REDUCE_SCATTER},
     {"all-gather", Operation::ALL_GATHER},
     {"all-to-all", Operation::ALL_TO_ALL},
     {"broadcast", Operation::BROADCAST},
     {"send", Operation::SEND}}};

/// @param operation an operation
/// @param algorithm an algorithm
/// @return whether the algorithm serves the operation
bool
Serves(Operation operation, const std::string& algorithm)
{
    const bool scattered = operation == Operation::ALL_REDUCE ||
                           operation == Operation::REDUCE_SCATTER ||
                           operation == Operation::ALL_GATHER;
    if (algorithm == "ring" || algorithm == "halving-doubling")
    {
        return scattered;
    }
    if (algorithm == "double-binary-tree")
    {
        return operation == Operation::ALL_REDUCE || operation == Operation::BROADCAST;
    }
    return algorithm == "direct" || (algorithm == "pipeline" && operation == Operation::BROADCAST);
}

/**
 * @param operation an operation
 * @param algorithm one that serves it
 * @param ranks number of ranks
 * @param chunks of trees and pipelines
 * @return steps, or entries of Collective::GetAfter() if there are more of them, at most
 */
double
CountSteps(Operation operation, const std::string& algorithm, double ranks, double chunks)
{
    if (algorithm == "halving-doubling")
    {
        const double rounds = 2 * std::log2(ranks);
        return ranks * rounds * std::max(1.0, rounds / 2);
    }
    if (algorithm == "ring" || operation == Operation::ALL_TO_ALL)
    {
        return 2 * ranks * ranks;
    }
    if (algorithm == "direct")
    {
        return operation == Operation::ALL_REDUCE ? ranks * ranks * ranks : ranks * ranks;
    }
    return 8 * ranks * chunks;
}

} // namespace

std::vector<std::string>
Collective::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, operation] : OPERATIONS)
    {
        for (const std::string algorithm :
             {"ring", "halving-doubling", "double-binary-tree", "pipeline", "direct"})
        {
            if (Serves(operation, algorithm))
            {
                names.push_back(std::string(name) + ":" + algorithm);
            }
        }
    }
    return names;
}

Collective
Collective::Make(const std::string& text, uint32_t ranks, uint64_t bytes)
{
    constexpr uint64_t MAX_CHUNKS = 1U << 20;
    constexpr double MAX_STEPS = uint64_t{1} << 31; // they are numbered by 32 bits
    std::vector<std::string_view> words;
    SplitText(text, ':', words);
    const std::string algorithm(words.size() > 1 ? words[1] : "");
    const Operation* operation = nullptr;
    for (const auto& [name, value] : OPERATIONS)
    {
        operation = words[0] == name ? &value : operation;
    }
    const bool hasChunks = algorithm == "double-binary-tree" || algorithm == "pipeline";
    std::optional<uint64_t> chunks = 8;
    if (words.size() > 2)
    {
        chunks = ParseCount(words[2]);
    }
    if (!operation || !Serves(*operation, algorithm) || words.size() > (hasChunks ? 3 : 2) ||
        !chunks || *chunks == 0 || *chunks > MAX_CHUNKS)
    {
        throw OdcnError::InOption("collective",
                                  text,
                                  "one of " + JoinWords(GetNames()) +
                                      ", with :CHUNKS after trees and pipelines");
    }
    if (ranks < 2 || (*operation == Operation::SEND && ranks != 2) ||
        (algorithm == "halving-doubling" && !std::has_single_bit(ranks)))
    {
        throw OdcnError::InOption("collective",
                                  text + " of " + std::to_string(ranks) + " ranks",
                                  "2 or more; 2 for send; a power of two for halving-doubling");
    }
    const bool isWhole = *operation == Operation::BROADCAST || *operation == Operation::SEND;
    const auto nChunks = static_cast<uint32_t>(*chunks);
    const uint32_t blocks = algorithm == "double-binary-tree" ? 2 * nChunks
                            : algorithm == "pipeline"         ? nChunks
                            : isWhole                         ? 1
                                                              : ranks;
    const uint64_t most = std::min(MAX_STEP, MAX_TOTAL / 2 / ranks); // ranks send each byte twice
    if (bytes == 0 || bytes > most)
    {
        throw OdcnError::InOption("collective",
                                  text + " of " + std::to_string(bytes) + " bytes",
                                  "1 to " + std::to_string(most) + " for " + std::to_string(ranks) +
                                      " ranks");
    }
    if (CountSteps(*operation, algorithm, ranks, static_cast<double>(nChunks)) > MAX_STEPS)
    {
        throw OdcnError::InOption("collective",
                                  text + " of " + std::to_string(ranks) + " ranks",
                                  "fewer ranks or chunks: it has more than 2^31 steps");
    }
    const bool scatter =
        *operation == Operation::ALL_REDUCE || *operation == Operation::REDUCE_SCATTER;
    const bool gather = *operation == Operation::ALL_REDUCE || *operation == Operation::ALL_GATHER;
    const bool isAllToAll = *operation == Operation::ALL_TO_ALL;
    CollectiveBuilder builder(ranks, bytes, blocks, isAllToAll ? ranks : 1);
    if (algorithm == "ring")
    {
        builder.Ring(scatter, gather);
    }
    else if (algorithm == "halving-doubling")
    {
        builder.HalvingDoubling(scatter, gather);
    }
    else if (algorithm == "double-binary-tree")
    {
        builder.Trees(nChunks, scatter);
    }
    else if (algorithm == "pipeline")
    {
        builder.Pipeline(nChunks);
    }
    else if (*operation == Operation::SEND)
    {
        builder.Add(0, 1, 0, 1, false, {});
    }
    else
    {
        builder.Direct(*operation);
    }
    return builder.Take();
}

Collective
Collective::MakeAllToAll(const DemandMatrix& bytes)
{
    const uint32_t n = bytes.GetNRacks();
    CollectiveBuilder builder(n, 0, n, n);
    double total = 0;
    for (uint32_t k = 1; k < n; ++k)
    {
        for (uint32_t r = 0; r < n; ++r)
        {
            const uint32_t peer = (r + k) % n;
            const double wanted = bytes.Get(r, peer);
            total += wanted;
            if (!(wanted <= MAX_STEP && total <= MAX_TOTAL))
            {
                throw OdcnError("Collective: an all-to-all with " + std::to_string(wanted) +
                                " bytes from " + std::to_string(r) + " to " + std::to_string(peer) +
                                ", expected at most 2^53, and 2^62 of all together");
            }
            const auto size = static_cast<uint64_t>(std::llround(wanted));
            if (size > 0)
            {
                builder.Add({r, peer, size, r * n + peer, 1, false}, {});
            }
        }
    }
    return builder.Take();
}

Collective
Collective::Read(const std::string& path)
{
    TextReader reader(path);
    std::vector<std::string_view> fields;
    std::optional<CollectiveBuilder> builder;
    uint32_t ranks = 0;
    uint32_t steps = 0;
    uint64_t total = 0; // bytes
    while (reader.NextLine())
    {
        std::string_view line = reader.GetLine();
        line = line.substr(0, line.find('#'));
        SplitText(line, ' ', fields);
        std::erase_if(fields, [](std::string_view field) { return field.empty(); });
        if (fields.empty())
        {
            continue;
        }
        const auto number = [&](std::size_t i, uint64_t least, uint64_t most)
        {
            const auto value =
                i < fields.size() ? ParseCount(fields[i]) : std::optional<uint64_t>();
            if (!value || *value < least || *value > most)
            {
                reader.Refuse(i < fields.size() ? fields[i] : line,
                              (!builder ? "\"ranks N\", a number from "
                                        : "a step, \"SENDER RECEIVER BYTES STEP...\", with "
                                          "numbers from ") +
                                  std::to_string(least) + " to " + std::to_string(most));
            }
            return *value;
        };
        if (!builder)
        {
            ranks = static_cast<uint32_t>(number(fields[0] == "ranks" ? 1 : 0, 2, 1U << 20));
            builder.emplace(ranks, 0, 0);
            continue;
        }
        Step step{};
        step.from = static_cast<uint32_t>(number(0, 0, ranks - 1));
        step.to = static_cast<uint32_t>(number(1, 0, ranks - 1));
        step.bytes = number(2, 1, std::min(MAX_STEP, MAX_TOTAL - total));
        total += step.bytes;
        if (step.from == step.to)
        {
            reader.Refuse(fields[1], "another rank than the sender");
        }
        std::vector<uint32_t> after;
        for (std::size_t i = 3; i < fields.size(); ++i)
        {
            if (steps == 0)
            {
                reader.Refuse(fields[i], "no step before the first one");
            }
            after.push_back(static_cast<uint32_t>(number(i, 0, steps - 1)));
        }
        builder->Add(step, after);
        ++steps;
    }
    if (steps == 0)
    {
        throw OdcnError::InFile(path, 1, "no steps", "\"ranks N\" and at least one step");
    }
    return builder->Take();
}

} // namespace ns3::odcn
