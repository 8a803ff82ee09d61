// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-mpi-ranks.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/collectives/all_gatherv.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <cstring>
#include <limits>
#include <numeric>

namespace ns3::odcn
{

namespace
{

namespace mpi = boost::mpi;

/// Ranks by MPI.
class MpiRanks : public Ranks
{
  public:
    std::size_t GetRank() const override
    {
        return static_cast<std::size_t>(m_world.rank());
    }

    std::size_t GetSize() const override
    {
        return static_cast<std::size_t>(m_world.size());
    }

    std::vector<float> SumInOrder(const std::vector<float>& own,
                                  std::size_t n,
                                  std::size_t length) override
    {
        // Each rank adds up one piece of all vectors, in their order.
        const std::size_t ranks = GetSize();
        const std::size_t piece = (length + ranks - 1) / ranks;
        const std::size_t most = (n + ranks - 1) / ranks;
        const auto [begin, end] = GetShare(n);
        const std::size_t block = most * piece;
        std::vector<float> out(ranks * block);
        std::vector<float> in(ranks * block);
        for (std::size_t k = 0; k < end - begin; ++k)
        {
            for (std::size_t to = 0; to < ranks; ++to)
            {
                const std::size_t first = std::min(to * piece, length);
                const std::size_t last = std::min(first + piece, length);
                std::copy(own.data() + k * length + first,
                          own.data() + k * length + last,
                          out.data() + to * block + k * piece);
            }
        }
        mpi::all_to_all(m_world, out.data(), ToCount(block), in.data());
        std::vector<float> sum;
        for (std::size_t from = 0; from < ranks; ++from)
        {
            const auto [first, last] = GetShare(n, from);
            for (std::size_t k = 0; k < last - first; ++k)
            {
                const float* part = in.data() + from * block + k * piece;
                if (sum.empty())
                {
                    sum.assign(part, part + piece);
                    continue;
                }
                std::transform(sum.begin(), sum.end(), part, sum.begin(), std::plus<>());
            }
        }
        std::vector<float> all;
        mpi::all_gather(m_world, sum.data(), ToCount(piece), all);
        all.resize(length);
        return all;
    }

  protected:
    std::vector<std::string> Gather(const std::string& own) override
    {
        // MPI counts in int: 8 bytes at a time, at most 16 GiB.
        const auto count = [](std::size_t bytes) { return (bytes + 7) / 8; };
        std::vector<std::size_t> bytes;
        mpi::all_gather(m_world, own.size(), bytes);
        std::vector<int> counts;
        std::size_t total = 0;
        for (const std::size_t n : bytes)
        {
            total += count(n);
            counts.push_back(ToCount(count(n)));
        }
        ToCount(total);
        std::vector<uint64_t> words(count(own.size()));
        std::memcpy(words.data(), own.data(), own.size());
        std::vector<uint64_t> all(total);
        mpi::all_gatherv(m_world, words.data(), all.data(), counts);
        std::vector<std::string> parts;
        const uint64_t* at = all.data();
        for (const std::size_t n : bytes)
        {
            parts.emplace_back(reinterpret_cast<const char*>(at), n);
            at += count(n);
        }
        return parts;
    }

  private:
    /// @param n number of values  @return MPI's count  @throws OdcnError when there are too many
    static int ToCount(std::size_t n)
    {
        if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        {
            throw OdcnError("ranks: an update is too large for MPI: fewer samples or problems");
        }
        return static_cast<int>(n);
    }

    // Only the main thread calls MPI. An error of this rank has been passed to the others.
    mpi::environment m_environment{mpi::threading::funneled, false}; //!< of the process
    mpi::communicator m_world;                                       //!< all ranks
};

std::unique_ptr<Ranks>
ConnectByMpi()
{
    if (mpi::environment::initialized())
    {
        throw OdcnError("ranks: a program started as several processes trains once; start it as "
                        "one process");
    }
    return std::make_unique<MpiRanks>();
}

/// MakeRanks() finds it, where this file is compiled.
const bool g_connects = SetMpi(ConnectByMpi);

} // namespace

} // namespace ns3::odcn
