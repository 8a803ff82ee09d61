// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_CIRCUIT_TABLE_H
#define OCS_CIRCUIT_TABLE_H

#include "ns3/odcn-units.h"
#include "ns3/simple-ref-count.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * e_uv: number of working circuits from rack u to rack v that the ToR switches use. All ToR
 * switches share one table, so that each can find transit racks for a detour.
 */
class OcsCircuitTable : public SimpleRefCount<OcsCircuitTable>
{
  public:
    /// @param racks number of racks
    explicit OcsCircuitTable(uint32_t racks)
        : m_racks(racks),
          m_circuits(std::size_t(racks) * racks, 0)
    {
    }

    /// @return number of racks
    uint32_t GetNRacks() const
    {
        return m_racks;
    }

    /// @param u sending rack  @param v receiving rack  @return number of circuits
    uint32_t Get(RackId u, RackId v) const
    {
        return u < m_racks && v < m_racks ? m_circuits[std::size_t(u) * m_racks + v] : 0;
    }

    /// @param u sending rack  @param v receiving rack  @param n number of circuits
    void Set(RackId u, RackId v, uint32_t n)
    {
        m_circuits.at(std::size_t(u) * m_racks + v) = n;
    }

  private:
    uint32_t m_racks;                 //!< number of racks
    std::vector<uint32_t> m_circuits; //!< [u][v]: number of circuits
};

} // namespace ns3::odcn

#endif /* OCS_CIRCUIT_TABLE_H */
