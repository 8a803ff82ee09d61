// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RANKS_H
#define ODCN_RANKS_H

#include "odcn-parallel.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Values that a rank passes to the others. The same calls of Pass() fill a new parcel and read a
 * parcel made of bytes.
 */
class Parcel
{
  public:
    Parcel() = default;

    /// @param bytes content to be read
    explicit Parcel(std::string bytes)
        : m_isRead(true),
          m_bytes(std::move(bytes))
    {
    }

    /// @return whether values are read from it
    bool IsRead() const
    {
        return m_isRead;
    }

    /// @param [in,out] values numbers, or structures of numbers, that are added, or replaced by
    /// those read
    /// @param n their count
    template <typename T>
    void PassAll(T* values, std::size_t n)
    {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
        if (!m_isRead)
        {
            m_bytes.append(reinterpret_cast<const char*>(values), n * sizeof(T));
        }
        else if (n > 0)
        {
            std::memcpy(values, m_bytes.data() + m_at, n * sizeof(T));
            m_at += n * sizeof(T);
        }
    }

    /// @param [in,out] values each as PassAll()
    template <typename... T>
    void Pass(T&... values)
    {
        (PassAll(&values, 1), ...);
    }

    /**
     * Pass a list and its length.
     * @param [in,out] list a std::vector of what PassAll() takes or a std::string; what is read is
     * appended
     * @param first index of the first value to be added
     */
    template <typename C>
    void PassList(C& list, std::size_t first = 0)
    {
        uint64_t n = m_isRead ? 0 : list.size() - first;
        Pass(n);
        if (m_isRead)
        {
            first = list.size();
            list.resize(first + n);
        }
        PassAll(list.data() + first, n);
    }

    /// @return all bytes
    const std::string& GetBytes() const
    {
        return m_bytes;
    }

  private:
    bool m_isRead{false}; //!< see IsRead()
    std::string m_bytes;  //!< content
    std::size_t m_at{0};  //!< next byte to be read
};

/**
 * @ingroup odcn
 *
 * The processes that work on one training or simulation, each with its rank from 0. This class is a
 * process alone; several processes are made by MakeRanks() and MakeSimulatorRanks().
 *
 * All ranks call Exchange() equally often, in the same order. When one fails, all throw its error
 * in the same call, so none waits for another for ever, and only rank 0 need report it.
 */
class Ranks
{
  public:
    Ranks() = default;
    virtual ~Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    /// @return a process alone
    static Ranks& Alone();

    /// @return rank of this process and number of processes, as the launcher (Open MPI, MPICH or
    /// Slurm) says in the environment; {0, 1} without one
    static std::pair<uint32_t, uint32_t> GetLaunched();

    /**
     * @param connect connects the processes that were launched; it is told what to begin an error
     * with
     * @return the ranks; a process alone if only one was launched
     * @throws OdcnError when they are not as many as were launched
     */
    static std::unique_ptr<Ranks> Connect(
        const std::function<std::unique_ptr<Ranks>(const std::string& launched)>& connect);

    /// @return rank of this process
    virtual std::size_t GetRank() const;

    /// @return number of processes
    virtual std::size_t GetSize() const;

    /// @return whether there is no other process
    bool IsAlone() const
    {
        return GetSize() == 1;
    }

    /// @return whether this is rank 0, which writes files and progress
    bool IsFirst() const
    {
        return GetRank() == 0;
    }

    /// @param n number of tasks  @return first task of this rank, and one past its last; each task
    /// is one rank's, in the order of ranks
    std::pair<std::size_t, std::size_t> GetShare(std::size_t n) const
    {
        return GetShare(n, GetRank());
    }

    /// @param n number of tasks  @param rank a rank  @return GetShare() of that rank
    std::pair<std::size_t, std::size_t> GetShare(std::size_t n, std::size_t rank) const
    {
        return {n * rank / GetSize(), n * (rank + 1) / GetSize()};
    }

    /**
     * Do this rank's work and pass the result to all ranks.
     * @param work adds its result to the parcel
     * @return the parcels of all ranks, to be read
     * @throws OdcnError or Interruption, on all ranks alike, when the work of any of them threw
     */
    std::vector<Parcel> Exchange(const std::function<void(Parcel&)>& work);

    /**
     * Do tasks, of which each rank does GetShare(n), so that all ranks have all results.
     * @param n number of tasks
     * @param threads of each rank
     * @param work does a task: work(task, worker), as ParallelFor()
     * @param pass passes the results of a task, pass(parcel, task); not called in a process alone
     * @throws OdcnError or Interruption as Exchange()
     */
    template <typename Work, typename Pass>
    void Share(std::size_t n, uint32_t threads, const Work& work, const Pass& pass)
    {
        auto parcels = Exchange(
            [&](Parcel& own)
            {
                const auto [first, last] = GetShare(n);
                ParallelFor(threads,
                            last - first,
                            [&, first = first](std::size_t task, std::size_t worker)
                            { work(first + task, worker); });
                for (std::size_t task = first; task < last && !IsAlone(); ++task)
                {
                    pass(own, task);
                }
            });
        for (std::size_t rank = 0; rank < parcels.size(); ++rank)
        {
            const auto [first, last] = GetShare(n, rank);
            for (std::size_t task = first; task < last && rank != GetRank(); ++task)
            {
                pass(parcels[rank], task);
            }
        }
    }

    /**
     * Add up vectors, in the order of their indices whatever the number of ranks, so that all ranks
     * get the same bytes as a process alone. Comes right after an Exchange().
     * @param own the vectors of GetShare(n), one after the other
     * @param n number of vectors, 1 or more
     * @param length of each
     * @return the sum, on all ranks
     */
    virtual std::vector<float> SumInOrder(const std::vector<float>& own,
                                          std::size_t n,
                                          std::size_t length);

    /// Leave the common work: the others throw this error in their next Exchange(), unless it came
    /// from one. @param error of this rank
    void Fail(const std::exception_ptr& error);

  protected:
    /// @param own bytes of this rank  @return those of all ranks
    virtual std::vector<std::string> Gather(const std::string& own);

  private:
    bool m_failed{false}; //!< whether Exchange() threw on all ranks
};

} // namespace ns3::odcn

#endif /* ODCN_RANKS_H */
