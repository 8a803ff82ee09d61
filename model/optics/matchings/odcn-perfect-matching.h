// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PERFECT_MATCHING_H
#define ODCN_PERFECT_MATCHING_H

#include "ns3/odcn-units.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// Perfect matchings of the allowed entries of a square matrix, by augmenting paths.
class PerfectMatching
{
  public:
    /// @param size number of rows and of columns
    explicit PerfectMatching(uint32_t size)
        : m_columnOf(size, NO_RACK),
          m_rowOf(size, NO_RACK)
    {
    }

    /**
     * Keep what is still allowed of the matching of the call before, and extend it.
     * @param allowed called with a row and a column
     * @return whether all rows are matched
     */
    template <typename Allowed>
    bool Find(const Allowed& allowed)
    {
        const auto size = static_cast<uint32_t>(m_columnOf.size());
        for (uint32_t row = 0; row < size; ++row)
        {
            if (m_columnOf[row] != NO_RACK && !allowed(row, m_columnOf[row]))
            {
                m_rowOf[m_columnOf[row]] = NO_RACK;
                m_columnOf[row] = NO_RACK;
            }
        }
        for (uint32_t row = 0; row < size; ++row)
        {
            if (m_columnOf[row] == NO_RACK && !Augment(row, allowed))
            {
                return false;
            }
        }
        return true;
    }

    /// @return column of each row after Find() returned true
    const std::vector<uint32_t>& GetColumns() const
    {
        return m_columnOf;
    }

    /// @return the matching as circuits: a rack does not send to itself
    std::vector<RackId> GetReceivers() const
    {
        auto to = m_columnOf;
        for (RackId rack = 0; rack < to.size(); ++rack)
        {
            to[rack] = to[rack] == rack ? NO_RACK : to[rack];
        }
        return to;
    }

  private:
    /// Match one more row. @param start the row  @param allowed see Find()  @return whether
    /// possible
    template <typename Allowed>
    bool Augment(uint32_t start, const Allowed& allowed)
    {
        const auto size = static_cast<uint32_t>(m_columnOf.size());
        std::vector<uint32_t> reachedFrom(size, NO_RACK); // by column: the row
        std::vector<uint32_t> rows{start};
        for (std::size_t next = 0; next < rows.size(); ++next)
        {
            for (uint32_t column = 0; column < size; ++column)
            {
                if (reachedFrom[column] != NO_RACK || !allowed(rows[next], column))
                {
                    continue;
                }
                reachedFrom[column] = rows[next];
                if (m_rowOf[column] != NO_RACK)
                {
                    rows.push_back(m_rowOf[column]);
                    continue;
                }
                for (uint32_t free = column; free != NO_RACK;)
                {
                    const uint32_t row = reachedFrom[free];
                    m_rowOf[free] = row;
                    std::swap(m_columnOf[row], free);
                    if (row == start)
                    {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    std::vector<uint32_t> m_columnOf; //!< by row, or NO_RACK
    std::vector<uint32_t> m_rowOf;    //!< by column, or NO_RACK
};

/**
 * Increase entries of a square matrix until all rows and columns have the same sum: QuickStuff of
 * Solstice. Entries above zero come first, so that few become so.
 * @tparam T type of the entries
 * @param [in,out] matrix by [row x size + column]
 * @param size number of rows  @param sum the sum, at least that of any row and column
 */
template <typename T>
void
Stuff(std::vector<T>& matrix, uint32_t size, T sum)
{
    std::vector<T> rowRoom(size, sum);
    std::vector<T> columnRoom(size, sum);
    for (std::size_t i = 0; i < matrix.size(); ++i)
    {
        rowRoom[i / size] -= matrix[i];
        columnRoom[i % size] -= matrix[i];
    }
    for (const bool all : {false, true})
    {
        for (std::size_t i = 0; i < matrix.size(); ++i)
        {
            const T room = std::min(rowRoom[i / size], columnRoom[i % size]);
            if ((all || matrix[i] > 0) && room > 0)
            {
                matrix[i] += room;
                rowRoom[i / size] -= room;
                columnRoom[i % size] -= room;
            }
        }
    }
}

} // namespace ns3::odcn

#endif /* ODCN_PERFECT_MATCHING_H */
