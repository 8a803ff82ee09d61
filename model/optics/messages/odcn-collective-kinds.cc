// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The algorithms of the library for Collective::Make(), and collectives from matrices and files.
 */

#include "odcn-collective-builder.h"
#include "odcn-message-plane.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3::odcn
{

namespace
{

using Operation = Collective::Operation;
using Steps = CollectiveBuilder::Steps;

/// Each rank sends to the next one. In step s, rank r sends block r - s - 1 while blocks are
/// reduced, and block r - s while they are gathered.
/// @param builder the builder
void
AddRing(CollectiveBuilder& builder)
{
    const uint32_t n = builder.GetNRanks();
    builder.ExpectSteps(2.0 * n * n);
    Steps last(n, CollectiveBuilder::NONE); // received by each rank
    Steps now(n);
    Steps after(1); // of one step, without memory for each
    for (const bool reduce : {true, false})
    {
        for (uint32_t s = 0; s + 1 < n && (reduce ? builder.Reduces() : builder.Gathers()); ++s)
        {
            for (uint32_t r = 0; r < n; ++r)
            {
                const uint32_t block = (2 * n + r - s - (reduce ? 1 : 0)) % n;
                after[0] = last[r];
                now[(r + 1) % n] = builder.Add(r, (r + 1) % n, block, 1, reduce, after);
            }
            std::swap(last, now);
        }
    }
}

/// Recursive halving, then recursive doubling, for any number of ranks.
///
/// These are for a power of two, the core. As in MPICH, of the first ranks as many pairs as there
/// are ranks too many have one in the core, the odd one. The even one gives it its data first, and
/// gets the result at the end (Thakur et al., section 4.5). Ranks that have no pair begin earlier
/// than others. As in MPI's rendezvous, they send to a rank when it is ready for the round: a step
/// without bytes, which takes no time, says so. Else what comes early would delay what is due.
class HalvingDoubling
{
  public:
    /// @param builder the builder
    explicit HalvingDoubling(CollectiveBuilder& builder)
        : m_builder(builder),
          m_core(std::bit_floor(builder.GetNRanks())),
          m_pairs(builder.GetNRanks() - m_core),
          m_received(builder.GetNRanks())
    {
        const double rounds = 2 * std::log2(m_core) + (m_pairs > 0 ? 3 : 0);
        builder.ExpectSteps(builder.GetNRanks() * rounds * std::max(1.0, rounds / 2) *
                            (m_pairs > 0 ? 2 : 1));
        if (m_builder.GetOperation() == Operation::ALL_REDUCE)
        {
            builder.SetNBlocks(m_core); // equal halves in each round
        }
    }

    /// Add all steps.
    void AddSteps()
    {
        FoldIn();
        for (uint32_t d = m_core / 2; d > 0 && m_builder.Reduces(); d /= 2)
        {
            Exchange(d, true);
        }
        for (uint32_t d = 1; d < m_core && m_builder.Gathers(); d *= 2)
        {
            Exchange(d, false);
        }
        FoldOut();
    }

  private:
    /// @param position in the core
    /// @return its rank
    uint32_t GetRank(uint32_t position) const
    {
        return position < m_pairs ? 2 * position + 1 : position + m_pairs;
    }

    /// @param position in the core, or the number of positions
    /// @return the first block that is its own; those of a pair are two, but for all-reduce
    uint32_t GetBlock(uint32_t position) const
    {
        return m_builder.GetOperation() == Operation::ALL_REDUCE ? position
               : position < m_pairs                              ? 2 * position
                                                                 : position + m_pairs;
    }

    /// Even ranks of pairs give their data to odd ones.
    void FoldIn()
    {
        for (uint32_t pair = 0; pair < m_pairs; ++pair)
        {
            const uint32_t even = 2 * pair;
            const bool reduce = m_builder.Reduces();
            m_received[even + 1].push_back(m_builder.Add(even,
                                                         even + 1,
                                                         reduce ? 0 : even,
                                                         reduce ? GetBlock(m_core) : 1,
                                                         reduce,
                                                         {}));
        }
    }

    /// Positions of the core exchange blocks. What one sends has parts of all that it has received
    /// before, and receptions may come in any order: so each step waits for all of them.
    /// @param distance of the positions
    /// @param reduce whether blocks are reduced
    void Exchange(uint32_t distance, bool reduce)
    {
        Steps now(m_core);
        for (uint32_t p = 0; p < m_core; ++p)
        {
            const uint32_t peer = p ^ distance;
            const uint32_t first = (reduce ? peer : p) & ~(distance - 1);
            const uint32_t block = GetBlock(first);
            Steps before = m_received[GetRank(p)];
            if (m_pairs > 0)
            {
                const Steps& ready = m_received[GetRank(peer)];
                before.push_back(m_builder.Add(GetRank(peer), GetRank(p), 0, 0, false, ready));
            }
            now[peer] = m_builder.Add(GetRank(p),
                                      GetRank(peer),
                                      block,
                                      GetBlock(first + distance) - block,
                                      reduce,
                                      before);
        }
        for (uint32_t p = 0; p < m_core; ++p)
        {
            m_received[GetRank(p)].push_back(now[p]);
        }
    }

    /// Even ranks of pairs get what they lack.
    void FoldOut()
    {
        const uint32_t all = GetBlock(m_core);
        for (uint32_t pair = 0; pair < m_pairs; ++pair)
        {
            const uint32_t even = 2 * pair;
            const bool isOwn = m_builder.GetOperation() == Operation::REDUCE_SCATTER;
            const bool isGather = m_builder.GetOperation() == Operation::ALL_GATHER;
            m_builder.Add(even + 1,
                          even,
                          isOwn      ? even
                          : isGather ? even + 1
                                     : 0,
                          isOwn      ? 1
                          : isGather ? all - 1
                                     : all,
                          false,
                          m_received[even + 1]);
        }
    }

    CollectiveBuilder& m_builder;  //!< the builder
    uint32_t m_core;               //!< ranks in the core, a power of two
    uint32_t m_pairs;              //!< ranks that are not
    std::vector<Steps> m_received; //!< by each rank
};

/// As HalvingDoubling.
/// @param builder the builder
void
AddHalvingDoubling(CollectiveBuilder& builder)
{
    HalvingDoubling(builder).AddSteps();
}

/// Chunks of two halves of the vector, each over a tree of its own, in which inner ranks are leaves
/// of the other (Sanders et al., section 4).
class DoubleBinaryTree
{
  public:
    /// @param builder the builder
    explicit DoubleBinaryTree(CollectiveBuilder& builder)
        : m_builder(builder),
          m_n(builder.GetNRanks()),
          m_chunks(builder.GetNumber()),
          m_children(m_n)
    {
        builder.ExpectSteps(8.0 * m_n * m_chunks);
        builder.SetNBlocks(2 * m_chunks);
        for (uint32_t position = 1; position < m_n; ++position)
        {
            m_children[GetParent(position)].push_back(position);
        }
        for (std::size_t i = 0; i < m_order.size(); ++i)
        {
            const Steps& below = m_children[m_order[i]];
            m_order.insert(m_order.end(), below.begin(), below.end());
        }
    }

    /// Add all steps.
    void AddSteps()
    {
        const uint32_t window = GetWindow();
        std::vector<Steps> down(2 * window); // received by each position, of the last chunks
        for (uint32_t chunk = 0; chunk < m_chunks; ++chunk)
        {
            for (const bool other : {false, true})
            {
                AddChunk(2 * chunk + other, other, down[2 * (chunk % window) + other]);
            }
        }
    }

  private:
    /**
     * Most chunks of a leaf that are on their way to the root and back. Without a limit, leaves
     * send all their data at once. That fills the queues to inner ranks, where what comes back from
     * the root waits behind it.
     *
     * Four streams share the port of a rank, so that a chunk takes four times its own time for each
     * level, up and down at the same time. Of small chunks there are more, for the latency. Fewer
     * than six ranks have no limit: there, both trees have messages from one rank to another one
     * (see GetOtherRank()), which wait for each other the longer the fewer there are.
     * @return their number, 1 or more
     */
    uint32_t GetWindow() const
    {
        constexpr uint64_t LEAST = 16384; // bytes for each of them
        const uint64_t levels = std::bit_width(m_n - 1);
        const uint64_t size = std::max<uint64_t>(1, m_builder.GetBytes() / (2 * m_chunks));
        const uint64_t window = 4 * levels * ((std::max(size, LEAST) + size - 1) / size);
        return m_n < 6 ? m_chunks : static_cast<uint32_t>(std::min<uint64_t>(window, m_chunks));
    }

    /// @param position other than 0
    /// @return its parent in a tree in which odd positions are leaves
    uint32_t GetParent(uint32_t position) const
    {
        const uint32_t bit = position & -position;
        const uint32_t up = (position ^ bit) | bit << 1;
        return up < m_n ? up : position ^ bit;
    }

    /// One chunk over a tree: to the root if it is reduced, and back.
    /// @param block its number
    /// @param other whether it is the second tree
    /// @param down by position: its step down the tree, of the chunk a window before, and then of
    /// this one; empty for none
    void AddChunk(uint32_t block, bool other, Steps& down)
    {
        const bool reduces = m_builder.Reduces();
        const auto rank = [&](uint32_t position)
        { return other ? GetOtherRank(position, reduces) : position; };
        std::vector<Steps> received(m_n);
        for (std::size_t i = m_order.size() - 1; i > 0 && reduces; --i)
        {
            const uint32_t position = m_order[i];
            const uint32_t parent = GetParent(position);
            Steps& before = received[position];
            if (before.empty() && !down.empty())
            {
                before.push_back(down[position]);
            }
            received[parent].push_back(
                m_builder.Add(rank(position), rank(parent), block, 1, true, before));
        }
        down.resize(m_n);
        for (std::size_t i = 1; i < m_order.size(); ++i)
        {
            const uint32_t position = m_order[i];
            const uint32_t parent = GetParent(position);
            down[position] =
                m_builder.Add(rank(parent), rank(position), block, 1, false, received[parent]);
            received[position] = {down[position]};
        }
    }

    /**
     * Even positions of a tree are inner ones, except perhaps the last. So with an odd number of
     * ranks, one is an inner one of both trees: rank 0, with one child in each.
     *
     * The second tree is the first one, one rank further on, and its leaves two more: so from six
     * ranks on, none sends to the same one up the first tree and down the second, where one message
     * would wait for the other.
     * @param position in the second tree
     * @param reduce whether any rank may be its root; else rank 0 is
     * @return its rank, such that inner positions have odd ranks
     */
    uint32_t GetOtherRank(uint32_t position, bool reduce) const
    {
        if (!reduce)
        {
            return position == 0         ? 0
                   : m_n % 2 == 1        ? m_n - position
                   : position == m_n - 1 ? 1
                                         : position + 1;
        }
        const bool isLeaf = position % 2 == 1;
        const uint32_t further = position + (isLeaf && m_n > 2 ? 3 : 1);
        // Ranks of leaves are even ones; 0 is none of them if their number is odd.
        return further < m_n ? further : isLeaf && m_n % 2 == 1 ? 2 : further - m_n;
    }

    CollectiveBuilder& m_builder;  //!< the builder
    uint32_t m_n;                  //!< number of ranks
    uint32_t m_chunks;             //!< of each tree
    std::vector<Steps> m_children; //!< by position
    Steps m_order{0};              //!< positions, parents before children
};

/// As DoubleBinaryTree.
/// @param builder the builder
void
AddTrees(CollectiveBuilder& builder)
{
    DoubleBinaryTree(builder).AddSteps();
}

/// Chunks one after the other along a chain.
/// @param builder the builder
void
AddPipeline(CollectiveBuilder& builder)
{
    builder.ExpectSteps(8.0 * builder.GetNRanks() * builder.GetNumber());
    builder.SetNBlocks(builder.GetNumber());
    for (uint32_t chunk = 0; chunk < builder.GetNumber(); ++chunk)
    {
        uint32_t last = CollectiveBuilder::NONE;
        for (uint32_t r = 0; r + 1 < builder.GetNRanks(); ++r)
        {
            last = builder.Add(r, r + 1, chunk, 1, false, {last});
        }
    }
}

/// All to all others at once.
/// @param builder the builder
void
AddDirect(CollectiveBuilder& builder)
{
    const uint32_t n = builder.GetNRanks();
    const Operation operation = builder.GetOperation();
    builder.ExpectSteps(double(n) * n * (operation == Operation::ALL_REDUCE ? n : 1));
    std::vector<Steps> received(n);
    for (uint32_t k = 1; k < n && builder.Reduces(); ++k)
    {
        for (uint32_t r = 0; r < n; ++r)
        {
            const uint32_t peer = (r + k) % n;
            received[peer].push_back(builder.Add(r, peer, peer, 1, true, {}));
        }
    }
    const bool isWhole = operation == Operation::BROADCAST || operation == Operation::SEND;
    for (uint32_t k = 1; k < n && operation != Operation::REDUCE_SCATTER; ++k)
    {
        for (uint32_t r = 0; r < (isWhole ? 1 : n); ++r)
        {
            const uint32_t peer = (r + k) % n;
            const uint32_t block = isWhole                              ? 0
                                   : operation == Operation::ALL_TO_ALL ? r * n + peer
                                                                        : r;
            builder.Add(r, peer, block, 1, false, received[r]);
        }
    }
}

/// All-to-all over a ring, as in astra-sim: the block for the rank d further on takes d steps, and
/// blocks follow each other, the nearest first. Each rank sends n (n - 1) / 2 blocks.
/// @param builder the builder
void
AddRingAllToAll(CollectiveBuilder& builder)
{
    const uint32_t n = builder.GetNRanks();
    builder.ExpectSteps(0.5 * n * n * (n - 1));
    Steps last(n, CollectiveBuilder::NONE); // received by each rank
    for (uint32_t distance = 1; distance < n; ++distance)
    {
        for (uint32_t step = 0; step < distance; ++step)
        {
            Steps now(n);
            for (uint32_t r = 0; r < n; ++r)
            {
                const uint32_t first = (r + n - step) % n;
                const uint32_t block = first * n + (first + distance) % n;
                now[(r + 1) % n] = builder.Add(r, (r + 1) % n, block, 1, false, {last[r]});
            }
            last = now;
        }
    }
}

ODCN_REGISTER_COLLECTIVE(AddRingAllToAll, "all-to-all:ring")
ODCN_REGISTER_COLLECTIVE(AddRing, "all-reduce:ring", "reduce-scatter:ring", "all-gather:ring")
ODCN_REGISTER_COLLECTIVE(AddHalvingDoubling,
                         "all-reduce:halving-doubling",
                         "reduce-scatter:halving-doubling",
                         "all-gather:halving-doubling")
ODCN_REGISTER_COLLECTIVE(AddTrees,
                         "all-reduce:double-binary-tree:CHUNKS=8",
                         "broadcast:double-binary-tree:CHUNKS=8")
ODCN_REGISTER_COLLECTIVE(AddPipeline, "broadcast:pipeline:CHUNKS=8")
ODCN_REGISTER_COLLECTIVE(AddDirect,
                         "all-reduce:direct",
                         "reduce-scatter:direct",
                         "all-gather:direct",
                         "all-to-all:direct",
                         "broadcast:direct",
                         "send:direct")

} // namespace

std::vector<std::string>
Collective::GetNames()
{
    return CollectiveBuilder::GetNames(false);
}

Collective
Collective::Make(const std::string& text, uint32_t ranks, uint64_t bytes)
{
    return CollectiveBuilder::Make(text, ranks, bytes);
}

Collective
Collective::MakeAllToAll(const DemandMatrix& bytes)
{
    const uint32_t n = bytes.GetNRacks();
    CollectiveBuilder builder(n);
    double total = 0;
    for (uint32_t k = 1; k < n; ++k)
    {
        for (uint32_t r = 0; r < n; ++r)
        {
            const uint32_t peer = (r + k) % n;
            const double wanted = bytes.Get(r, peer);
            total += wanted;
            if (!(wanted <= CollectiveBuilder::MAX_STEP && total <= CollectiveBuilder::MAX_TOTAL))
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
    Collective collective = builder.Take();
    collective.m_blocks = n * n;
    return collective;
}

Collective
Collective::Read(const std::string& path)
{
    TextReader reader(path);
    std::vector<std::string_view> fields;
    std::optional<CollectiveBuilder> builder;
    uint32_t ranks = 0;
    uint32_t steps = 0;
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
            builder.emplace(ranks);
            continue;
        }
        Step step{};
        step.from = static_cast<uint32_t>(number(0, 0, ranks - 1));
        step.to = static_cast<uint32_t>(number(1, 0, ranks - 1));
        step.bytes = number(2,
                            1,
                            std::min(CollectiveBuilder::MAX_STEP,
                                     CollectiveBuilder::MAX_TOTAL - builder->GetTotal()));
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
