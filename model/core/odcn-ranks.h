// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RANKS_H
#define ODCN_RANKS_H

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
 * Values that a rank passes to the others; read in the order in which they were added.
 */
class Parcel
{
  public:
    /// @param bytes content
    explicit Parcel(std::string bytes = "")
        : m_bytes(std::move(bytes))
    {
    }

    /// @tparam T a number  @param value to be added
    template <typename T>
    void Add(T value)
    {
        AddAll(&value, 1);
    }

    /// @tparam T char or a number  @param values to be added  @param n their number
    template <typename T>
    void AddAll(const T* values, std::size_t n)
    {
        static_assert(std::is_arithmetic_v<T>);
        m_bytes.append(reinterpret_cast<const char*>(values), n * sizeof(T));
    }

    /// @param values to be added, with their number: a std::vector of numbers, or a std::string
    /// @param first index of the first to be added
    template <typename C>
    void AddList(const C& values, std::size_t first = 0)
    {
        Add<uint64_t>(values.size() - first);
        AddAll(values.data() + first, values.size() - first);
    }

    /// @tparam T as added  @return the next value
    template <typename T>
    T Take()
    {
        T value;
        TakeAll(&value, 1);
        return value;
    }

    /// @tparam T as added  @param [out] values destination  @param n their number
    template <typename T>
    void TakeAll(T* values, std::size_t n)
    {
        if (n > 0)
        {
            std::memcpy(values, m_bytes.data() + m_at, n * sizeof(T));
            m_at += n * sizeof(T);
        }
    }

    /// @param [in,out] values the list of AddList() is appended
    template <typename C>
    void TakeList(C& values)
    {
        const auto n = static_cast<std::size_t>(Take<uint64_t>());
        values.resize(values.size() + n);
        TakeAll(values.data() + values.size() - n, n);
    }

    /// @return all bytes
    const std::string& GetBytes() const
    {
        return m_bytes;
    }

  private:
    std::string m_bytes; //!< content
    std::size_t m_at{0}; //!< next byte to be read
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
     * @return the parcels of all ranks
     * @throws OdcnError or Interruption, on all ranks alike, when the work of any of them threw
     */
    std::vector<Parcel> Exchange(const std::function<void(Parcel&)>& work);

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
