// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_COLLECTIVE_BUILDER_H
#define ODCN_COLLECTIVE_BUILDER_H

#include "odcn-collective.h"
#include "odcn-message-plane.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Adds steps to a collective, for algorithms of one's own, as for those of the library.
 *
 * @code
 *   // All-to-all in n - 1 rounds: in round k, each rank sends to the one k further on.
 *   void AddRounds(CollectiveBuilder& builder)
 *   {
 *       const uint32_t n = builder.GetNRanks();
 *       CollectiveBuilder::Steps last(n, CollectiveBuilder::NONE); // received by each rank
 *       for (uint32_t k = 1; k < n; ++k)
 *       {
 *           CollectiveBuilder::Steps now(n);
 *           for (uint32_t r = 0; r < n; ++r)
 *           {
 *               const uint32_t peer = (r + k) % n;
 *               now[peer] = builder.Add(r, peer, r * n + peer, 1, false, {last[r]});
 *           }
 *           last = now;
 *       }
 *   }
 *
 *   ODCN_REGISTER_COLLECTIVE(AddRounds, "all-to-all:rounds")
 * @endcode
 *
 * After that, "all-to-all:rounds" is a name for Collective::Make() and for the programs.
 *
 * A rank's vector has n blocks; that of a broadcast or a send one. SetNBlocks() gives it another
 * number where the operation leaves the choice. The sizes of blocks differ by one byte at most. In
 * an all-to-all, block r x n + s goes from rank r to rank s.
 */
class CollectiveBuilder
{
  public:
    using Operation = Collective::Operation; //!< what the ranks compute
    using Steps = std::vector<uint32_t>;     //!< numbers of steps
    /// Adds all steps of an operation.
    using Algorithm = std::function<void(CollectiveBuilder&)>;

    /// No step.
    static constexpr uint32_t NONE = UINT32_MAX;
    /// Most steps, and most steps before steps together.
    static constexpr uint64_t MAX_STEPS = uint64_t{1} << 31;
    /// Most bytes of a vector or a step.
    static constexpr uint64_t MAX_STEP = Message::MAX_BYTES;
    /// Most bytes of all steps together.
    static constexpr uint64_t MAX_TOTAL = uint64_t{1} << 62;

    /**
     * Give an algorithm names for Collective::Make(); see ODCN_REGISTER_COLLECTIVE.
     * @param names OPERATION:NAME each; OPERATION:NAME:WORD=DEFAULT if a number may follow, which
     * is GetNumber(), from 1 to 2^20
     * @param algorithm adds the steps
     * @return true
     * @throws OdcnError when there is no such operation, or the name is taken
     */
    static bool Register(const std::vector<std::string>& names, Algorithm algorithm);

    /**
     * Make a collective; see Collective::Make().
     * @param text name of an algorithm, and a number if it takes one
     * @param ranks their number
     * @param bytes size of a rank's vector
     * @return the collective
     * @throws OdcnError as Collective::Make()
     */
    static Collective Make(const std::string& text, uint32_t ranks, uint64_t bytes);

    /// @param hasNumbers whether to write the numbers that may follow, as [:WORD]
    /// @return all names
    static std::vector<std::string> GetNames(bool hasNumbers);

    /// Build a collective whose blocks are not known, by steps with bytes. @param ranks their
    /// number
    explicit CollectiveBuilder(uint32_t ranks);

    /// @return what the ranks compute
    Operation GetOperation() const
    {
        return m_operation;
    }

    /// @return number n of ranks
    uint32_t GetNRanks() const
    {
        return m_collective.m_ranks;
    }

    /// @return size of a rank's vector in bytes
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return the number after the name, or its default
    uint32_t GetNumber() const
    {
        return m_number;
    }

    /// @return whether blocks are added first: all-reduce and reduce-scatter
    bool Reduces() const
    {
        return m_operation == Operation::ALL_REDUCE || m_operation == Operation::REDUCE_SCATTER;
    }

    /// @return whether all ranks get all blocks at the end: all-reduce and all-gather
    bool Gathers() const
    {
        return m_operation == Operation::ALL_REDUCE || m_operation == Operation::ALL_GATHER;
    }

    /**
     * Divide each rank's vector otherwise, before the first step.
     * @param blocks their number, 1 or more
     * @throws OdcnError when there are steps, or the operation is none of all-reduce, broadcast and
     * send, in which ranks have blocks of their own
     */
    void SetNBlocks(uint32_t blocks);

    /**
     * Say how many steps there will be, so that too many are refused before the first.
     * @param most steps, or steps before steps if these are more
     * @throws OdcnError when they are more than MAX_STEPS
     */
    void ExpectSteps(double most) const;

    /**
     * Add a step that sends consecutive blocks.
     * @param from rank that sends
     * @param to another rank
     * @param block first block, modulo their number
     * @param nBlocks number of blocks
     * @param reduce whether the receiver adds them to its own; else it stores them
     * @param after steps before it, which the sender receives; NONE is ignored
     * @return its number, from 0
     * @throws OdcnError when a rank, a block or a step before it does not exist or does not fit, or
     * there are too many steps or bytes
     */
    uint32_t Add(uint32_t from,
                 uint32_t to,
                 uint32_t block,
                 uint32_t nBlocks,
                 bool reduce,
                 const Steps& after);

    /**
     * Add a step of a given size, after any earlier ones.
     * @param step the step, with its blocks where they are known
     * @param after steps before it; NONE is ignored
     * @return its number, from 0
     * @throws OdcnError as above
     */
    uint32_t Add(Collective::Step step, const Steps& after);

    /// @return bytes of all steps so far
    uint64_t GetTotal() const
    {
        return m_total;
    }

    /// @return the collective
    Collective Take()
    {
        return std::move(m_collective);
    }

  private:
    /// @param block its number
    /// @return its size in bytes
    uint64_t GetSize(uint32_t block) const;
    /// @param text what is wrong with the next step
    /// @param expected what was expected
    [[noreturn]] void Refuse(const std::string& text, const std::string& expected) const;

    std::string m_name{"Collective"};       //!< for errors
    Operation m_operation{Operation::SEND}; //!< what the ranks compute
    uint64_t m_bytes{0};                    //!< size of a rank's vector
    uint32_t m_number{0};                   //!< the number after the name
    uint32_t m_nParts{0};                   //!< blocks of a vector; 0 if unknown
    uint64_t m_total{0};                    //!< bytes of all steps so far
    Collective m_collective;                //!< the collective so far
};

} // namespace ns3::odcn

/**
 * @ingroup odcn
 *
 * Register an algorithm for collectives, for Collective::Make() and programs.
 * @param function void (ns3::odcn::CollectiveBuilder&)
 * @param ... its names; see CollectiveBuilder::Register()
 */
#define ODCN_REGISTER_COLLECTIVE(function, ...)                                                    \
    [[maybe_unused]] static const bool g_registered##function =                                    \
        ::ns3::odcn::CollectiveBuilder::Register({__VA_ARGS__}, function);

#endif /* ODCN_COLLECTIVE_BUILDER_H */
