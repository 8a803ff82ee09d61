// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TORUS_H
#define ODCN_TORUS_H

#include "odcn-circuit-schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A torus of any number of dimensions, twisted or not. Node (x, y, z) has the number
 * x + X (y + Y z): the first dimension varies fastest.
 *
 * A twisted torus has sides of two lengths, k and 2k. The link that closes a ring of length k leads
 * to the node that is k further along each dimension of length 2k: k x 2k, k x k x 2k and
 * k x 2k x 2k (Camara et al., "Twisted torus topologies for enhanced interconnection networks",
 * IEEE TPDS 21(12), 2010), as in TPU v4 (Jouppi et al., ISCA 2023). All nodes are alike, and so are
 * all links.
 */
class Torus
{
  public:
    /**
     * @param shape sides, such as "4x4x8", each 1 or more
     * @param twisted whether it is twisted
     * @throws OdcnError when these are no sides, there are more than 2^20 nodes, or a twisted torus
     * has other sides than k and 2k
     */
    explicit Torus(const std::string& shape, bool twisted = false);

    /// @return the sides
    const std::vector<uint32_t>& GetShape() const
    {
        return m_shape;
    }

    /// @return whether it is twisted
    bool IsTwisted() const
    {
        return m_twisted;
    }

    /// @return the sides as text, such as "4x4x8"
    std::string GetText() const;

    /// @return number of nodes
    uint32_t GetNNodes() const;

    /// @return number of directions: + and - of each dimension
    uint32_t GetNDirections() const
    {
        return static_cast<uint32_t>(2 * m_shape.size());
    }

    /// @param node its number
    /// @return its coordinates
    std::vector<uint32_t> GetCoordinates(uint32_t node) const;

    /// @param coordinates of a node
    /// @return its number
    uint32_t GetNode(const std::vector<uint32_t>& coordinates) const;

    /**
     * @param node its number
     * @param direction 2d for + and 2d + 1 for - of dimension d
     * @return the node in that direction; itself if the side is 1
     */
    uint32_t GetNeighbour(uint32_t node, uint32_t direction) const;

  private:
    std::vector<uint32_t> m_shape; //!< sides
    bool m_twisted;                //!< whether it is twisted
};

/**
 * @ingroup odcn
 *
 * The static circuits of a Torus: its nodes are racks, and uplink 2d leads to the neighbour in
 * direction + of dimension d, uplink 2d + 1 to that in direction -. Where a side is 2 both lead to
 * the same rack; where it is 1 there is no circuit.
 */
class TorusSchedule : public CircuitSchedule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the torus
    /// @throws OdcnError when there is none such
    Torus GetTorus() const
    {
        return Torus(m_shape, m_twisted);
    }

  protected:
    std::vector<Plane> DoBuild(uint32_t racks, uint32_t planes) override;

  private:
    std::string m_shape; //!< Shape
    bool m_twisted;      //!< Twisted
};

} // namespace ns3::odcn

#endif /* ODCN_TORUS_H */
