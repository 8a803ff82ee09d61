// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_LEDGER_H
#define CLUSTER_LEDGER_H

#include "cluster-job.h"

#include "ns3/assert.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The free units of equal machines in each of the time slots ahead (the leftmost part of Fig. 2 of
 * the DeepRM_Plus paper). Row 0 is the present slot. A job holds its demand on one machine for
 * consecutive rows.
 *
 * As in DeepRM's code a job has to end before the last row begins, so the last row is always free
 * and a job has horizon - 1 slots at most.
 *
 * A machine that has failed (SetFailed()) has nothing free in any row.
 *
 * A row is one machine word: each kind of resource has a lane, and a demand fits if no lane
 * borrows. A value type.
 */
class ClusterLedger
{
  public:
    /// Where and when a job can run.
    struct Place
    {
        uint32_t start{0};   //!< first row
        uint32_t machine{0}; //!< index of the machine

        /// @param o other  @return whether both are equal
        bool operator==(const Place& o) const = default;
    };

    ClusterLedger() = default;

    /// @param machines number of machines  @param capacity units of each machine
    /// @param horizon number of rows, at least 2
    ClusterLedger(uint32_t machines, const ClusterDemand& capacity, uint32_t horizon)
        : m_capacity(capacity),
          m_machines(machines),
          m_horizon(horizon),
          m_whole(machines, Pack(capacity)),
          m_rows(std::size_t{2} * machines * horizon, Pack(capacity))
    {
    }

    /**
     * @param demand demand of a job  @param slots its duration in slots
     * @return the earliest place where it fits; the lowest machine among equals
     */
    std::optional<Place> Find(const ClusterDemand& demand, uint32_t slots) const
    {
        // A start from here on is too late.
        uint32_t limit = slots < m_horizon ? m_horizon - slots : 0;
        std::optional<Place> best;
        for (uint32_t machine = 0; machine < m_machines && limit > 0; ++machine)
        {
            const uint32_t start = FindOn(machine, Pack(demand), slots, limit);
            if (start < limit)
            {
                best = Place{start, machine};
                limit = start;
            }
        }
        return best;
    }

    /**
     * @param demand demand of a job  @param slots its duration in slots
     * @return the lowest machine where it can start in row 0, GetNMachines() if there is none
     */
    uint32_t FindNow(const ClusterDemand& demand, uint32_t slots) const
    {
        uint32_t machine = 0;
        while (machine < m_machines &&
               (slots >= m_horizon || FindOn(machine, Pack(demand), slots, 1) != 0))
        {
            ++machine;
        }
        return machine;
    }

    /**
     * Reserve the earliest place, if there is one.
     * @param demand demand of a job  @param slots its duration in slots
     * @return the place; without one nothing has changed
     */
    std::optional<Place> Reserve(const ClusterDemand& demand, uint32_t slots)
    {
        const auto place = Find(demand, slots);
        if (place)
        {
            uint64_t* row = &m_rows[GetIndex(place->machine, place->start)];
            for (uint32_t i = 0; i < slots; ++i)
            {
                // No lane borrows: Find() has checked that it fits.
                row[i] -= Pack(demand);
            }
        }
        return place;
    }

    /// A time slot has passed: row 1 becomes row 0, and a free row is appended.
    void Advance()
    {
        if (++m_head <= m_horizon)
        {
            return;
        }
        // The window has reached the end of its buffer: move it back to the front.
        for (uint32_t machine = 0; machine < m_machines; ++machine)
        {
            const auto rows = m_rows.begin() + std::ptrdiff_t{2} * machine * m_horizon;
            std::copy(rows + m_head, rows + 2 * m_horizon, rows);
            std::fill(rows + (2 * m_horizon - m_head), rows + 2 * m_horizon, m_whole[machine]);
        }
        m_head = 0;
    }

    /**
     * Take everything from a machine on which no job has a place any more, or give it back.
     * @param machine a machine  @param failed whether it fails
     */
    void SetFailed(uint32_t machine, bool failed)
    {
        m_whole[machine] = failed ? 0 : Pack(m_capacity);
        const auto rows = m_rows.begin() + std::ptrdiff_t{2} * machine * m_horizon;
        std::fill(rows + m_head, rows + 2 * m_horizon, m_whole[machine]);
    }

    /// @param machine a machine  @return whether it has failed
    bool IsFailed(uint32_t machine) const
    {
        return m_whole[machine] == 0;
    }

    /// @param machine a machine  @param row a row  @return its free units
    ClusterDemand GetFree(uint32_t machine, uint32_t row) const
    {
        return std::bit_cast<ClusterDemand>(m_rows[GetIndex(machine, row)]);
    }

    /// @param demand demand of a job  @param slots its duration in slots
    /// @return whether it fits on an empty cluster
    bool CanEver(const ClusterDemand& demand, uint32_t slots) const
    {
        return slots < m_horizon && Fits(Pack(m_capacity), Pack(demand));
    }

    /// @return units of a machine
    const ClusterDemand& GetCapacity() const
    {
        return m_capacity;
    }

    /// @return number of machines
    uint32_t GetNMachines() const
    {
        return m_machines;
    }

    /// @return number of rows
    uint32_t GetHorizon() const
    {
        return m_horizon;
    }

  private:
    /// The highest bit of each lane; numbers of units do not use it.
    static constexpr uint64_t BORROW = 0x8000800080008000;

    /// @param units units of each kind  @return them, packed into a row
    static uint64_t Pack(const ClusterDemand& units)
    {
        return std::bit_cast<uint64_t>(units);
    }

    /// @param free a row  @param demand packed demand  @return whether it fits in each lane
    static bool Fits(uint64_t free, uint64_t demand)
    {
        return (((free | BORROW) - demand) & BORROW) == BORROW;
    }

    /// @param machine a machine  @param row a row  @return its index in m_rows
    std::size_t GetIndex(uint32_t machine, uint32_t row) const
    {
        NS_ASSERT_MSG(machine < m_machines && row < m_horizon, "no such row");
        return std::size_t{2} * machine * m_horizon + m_head + row;
    }

    /**
     * @param machine a machine  @param demand packed  @param slots duration, below the horizon
     * @param limit first row that is too late for a start
     * @return the earliest start, @p limit if there is none
     */
    uint32_t FindOn(uint32_t machine, uint64_t demand, uint32_t slots, uint32_t limit) const
    {
        const uint64_t* row = &m_rows[GetIndex(machine, 0)];
        uint32_t start = 0;
        for (uint32_t i = 0; i < start + slots; ++i)
        {
            if (!Fits(row[i], demand))
            {
                start = i + 1;
                if (start >= limit)
                {
                    return limit;
                }
            }
        }
        return start;
    }

    ClusterDemand m_capacity{};    //!< units of a machine
    uint32_t m_machines{0};        //!< number of machines
    uint32_t m_horizon{0};         //!< number of rows
    uint32_t m_head{0};            //!< position of row 0 in the buffer of a machine
    std::vector<uint64_t> m_whole; //!< [machine]: units beyond the horizon, packed; 0 if it failed
    std::vector<uint64_t> m_rows;  //!< [machine][2 x horizon], packed; all free beyond the horizon
};

} // namespace ns3::odcn

#endif /* CLUSTER_LEDGER_H */
