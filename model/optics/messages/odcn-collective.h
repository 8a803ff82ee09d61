// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_COLLECTIVE_H
#define ODCN_COLLECTIVE_H

#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-traffic.h"
#include "ns3/odcn-units.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A collective operation of n ranks, as a directed acyclic graph of steps: a step sends bytes from
 * one rank to another, after certain other steps have been received.
 *
 * Data are divided into blocks, which are numbered: blocks of a rank's vector (n, or chunks), or
 * for all-to-all n x n blocks, sender by sender. A step carries consecutive blocks, modulo their
 * number, which the receiver adds to its own (reduce) or stores. Steps that are not ordered by
 * GetAfter() may be sent and received in any order.
 */
class Collective
{
  public:
    /// What the ranks compute together; S is the parameter bytes of Make().
    enum class Operation : uint8_t
    {
        ALL_REDUCE,     //!< all get the sum of all vectors of S bytes
        REDUCE_SCATTER, //!< rank i gets block i of the sum of all vectors of S bytes
        ALL_GATHER,     //!< all get a vector of S bytes, of which rank i had block i
        ALL_TO_ALL,     //!< rank i gets block i of all vectors of S bytes
        BROADCAST,      //!< all get the S bytes of rank 0
        SEND            //!< rank 1 gets the S bytes of rank 0
    };

    /// Sends bytes.
    struct Step
    {
        uint32_t from;      //!< rank that sends
        uint32_t to;        //!< rank that receives
        uint64_t bytes;     //!< size in bytes; 0 if the blocks are empty
        uint32_t block;     //!< number of the first block
        uint32_t nBlocks;   //!< number of blocks
        bool reduce;        //!< whether they are added to the receiver's
        uint32_t after{0};  //!< first of GetAfter()
        uint32_t nAfter{0}; //!< number of GetAfter()
    };

    /**
     * Make a collective by name, such as "all-reduce:ring".
     *
     * - ring: all-reduce, reduce-scatter, all-gather (Patarasuk and Yuan, JPDC 2009).
     *   all-to-all: each block takes one hop after the other, so that n (n - 1) / 2 blocks leave
     *   each rank; for comparison with astra-sim.
     * - halving-doubling: the first three (Thakur et al., IJHPCA 2005). If n is no power of two,
     *   ranks too many give their data to a neighbour first, and get the result from it.
     * - direct: each rank sends to all others at once: all of these, all-to-all, broadcast, send.
     * - double-binary-tree:CHUNKS: all-reduce, broadcast; two trees of which each carries half
     *   of the vector in as many chunks (Sanders et al., Parallel Computing 2009).
     * - pipeline:CHUNKS: broadcast along a chain.
     * - what was registered by ODCN_REGISTER_COLLECTIVE; see CollectiveBuilder.
     *
     * @param text operation:algorithm, with :CHUNKS (8) where there are chunks
     * @param ranks their number n, at least 2
     * @param bytes size S of a rank's vector, 1 to 2^53; blocks differ by one byte at most, so that
     * some are empty if there are fewer bytes than blocks
     * @return the collective
     * @throws OdcnError when there is none such, it has more than 2^31 steps, or these more than
     * 2^62 bytes together
     */
    static Collective Make(const std::string& text, uint32_t ranks, uint64_t bytes);

    /**
     * An all-to-all of unequal parts, all sent at once.
     * @param bytes from rank to rank, rounded; nothing is sent for 0
     * @return the collective
     * @throws OdcnError when there are too many bytes, as for Make()
     */
    static Collective MakeAllToAll(const DemandMatrix& bytes);

    /**
     * Read a collective from a file: a line "ranks N", then a line a step: sender, receiver, bytes,
     * and the numbers of the steps before it, which count from 0 in the order of the file. Text
     * after # is ignored. Its steps carry no known blocks.
     * @param path file name
     * @return the collective
     * @throws OdcnError with file and line
     */
    static Collective Read(const std::string& path);

    /// @return names for Make(), without chunks
    static std::vector<std::string> GetNames();

    /// @return number of ranks
    uint32_t GetNRanks() const
    {
        return m_ranks;
    }

    /// @return number of blocks; 0 if unknown
    uint32_t GetNBlocks() const
    {
        return m_blocks;
    }

    /// @return all steps; each has a higher number than those before it
    const std::vector<Step>& GetSteps() const
    {
        return m_steps;
    }

    /// @param step a step
    /// @return numbers of the steps that must be received before it is sent
    std::span<const uint32_t> GetAfter(const Step& step) const
    {
        return {m_after.data() + step.after, step.nAfter};
    }

    /// @return bytes of all steps
    uint64_t GetBytes() const;

    /**
     * @param racks rack of each rank
     * @param nRacks number of racks
     * @return bytes between racks, of all steps
     */
    DemandMatrix GetTraffic(const std::vector<RackId>& racks, uint32_t nRacks) const;

    /**
     * @param places end point of each rank, all different; empty for rank i at end point i
     * @return all steps as messages with the same indices, from time 0 on
     * @throws OdcnError when there are not as many different places as ranks
     */
    Traffic GetMessages(const std::vector<uint32_t>& places = {}) const&;

    /// As the other one, of a collective that is not needed afterwards: it loses its steps.
    /// @param places as there
    /// @return as there
    Traffic GetMessages(const std::vector<uint32_t>& places = {}) &&;

    /// A rank's own link to a network without contention.
    struct Link
    {
        double alpha;        //!< time of an empty message in seconds
        double rate;         //!< in each direction in bit/s
        uint32_t payload{1}; //!< application data in a full packet, bytes
        uint32_t headers{0}; //!< headers in each packet, bytes

        /// @param bytes application data
        /// @return time of them and their headers on the link, without alpha, in seconds
        double GetTime(uint64_t bytes) const
        {
            const auto data = static_cast<double>(bytes);
            return 8 * (data + std::ceil(data / payload) * headers) / rate;
        }
    };

    /**
     * Least time by the alpha-beta model, in which m bytes take alpha + m / rate, and no bytes no
     * time: the longest chain of steps, or the busiest link and one alpha, whichever is longer. The
     * steps that one waits for share the link of its sender. For ring, halving-doubling of a power
     * of two and direct all-to-all that is the time in the textbooks.
     * @param link of each rank
     * @return the time in seconds
     */
    double GetLeastTime(const Link& link) const;

  private:
    friend class CollectiveBuilder;

    uint32_t m_ranks{0};           //!< number of ranks
    uint32_t m_blocks{0};          //!< number of blocks
    std::vector<Step> m_steps;     //!< in an order that respects GetAfter()
    std::vector<uint32_t> m_after; //!< of all steps
};

} // namespace ns3::odcn

#endif /* ODCN_COLLECTIVE_H */
