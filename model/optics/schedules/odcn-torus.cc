// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-torus.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <string_view>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TorusSchedule);

Torus::Torus(const std::string& shape, bool twisted)
    : m_twisted(twisted)
{
    constexpr uint64_t MOST = 1 << 20;
    std::vector<std::string_view> sides;
    SplitText(shape, 'x', sides);
    uint64_t nodes = 1;
    for (const std::string_view side : sides)
    {
        const uint64_t n = ParseCount(side).value_or(0);
        nodes = n > MOST ? 0 : nodes * n;
        if (nodes == 0 || nodes > MOST)
        {
            throw OdcnError::InOption("shape of a torus",
                                      shape,
                                      "sides such as 4x4x8, of 1 to 1048576 nodes together");
        }
        m_shape.push_back(static_cast<uint32_t>(n));
    }
    const auto [shortest, longest] = std::minmax_element(m_shape.begin(), m_shape.end());
    const bool isTwistable =
        *longest == 2 * *shortest &&
        std::all_of(m_shape.begin(),
                    m_shape.end(),
                    [a = *shortest, b = *longest](uint32_t n) { return n == a || n == b; });
    if (twisted && !isTwistable)
    {
        throw OdcnError::InOption("shape of a twisted torus", shape, "sides k and 2k, as of 4x4x8");
    }
}

std::string
Torus::GetText() const
{
    std::string text;
    for (const uint32_t side : m_shape)
    {
        text += (text.empty() ? "" : "x") + std::to_string(side);
    }
    return text;
}

uint32_t
Torus::GetNNodes() const
{
    uint32_t nodes = 1;
    for (const uint32_t side : m_shape)
    {
        nodes *= side;
    }
    return nodes;
}

std::vector<uint32_t>
Torus::GetCoordinates(uint32_t node) const
{
    std::vector<uint32_t> coordinates;
    for (const uint32_t side : m_shape)
    {
        coordinates.push_back(node % side);
        node /= side;
    }
    return coordinates;
}

uint32_t
Torus::GetNode(const std::vector<uint32_t>& coordinates) const
{
    uint32_t node = 0;
    for (std::size_t d = m_shape.size(); d-- > 0;)
    {
        node = node * m_shape[d] + coordinates.at(d);
    }
    return node;
}

uint32_t
Torus::GetNeighbour(uint32_t node, uint32_t direction) const
{
    const uint32_t dimension = direction / 2;
    const bool isForwards = direction % 2 == 0;
    std::vector<uint32_t> at = GetCoordinates(node);
    const uint32_t side = m_shape.at(dimension);
    const bool wraps = at[dimension] == (isForwards ? side - 1 : 0);
    at[dimension] = (at[dimension] + (isForwards ? 1 : side - 1)) % side;
    for (std::size_t d = 0; m_twisted && wraps && d < at.size(); ++d)
    {
        if (m_shape[d] == 2 * side)
        {
            at[d] = (at[d] + side) % m_shape[d];
        }
    }
    return GetNode(at);
}

TypeId
TorusSchedule::GetTypeId()
{
    using T = TorusSchedule;
    static TypeId tid =
        TypeIdOf<TorusSchedule, CircuitSchedule>("ns3::odcn::TorusSchedule")
            .Add(Attribute("Shape", &T::m_shape, "4x4x4"), "Sides of the torus, such as 4x4x8")
            .Add(Attribute("Twisted", &T::m_twisted, false),
                 "Whether links that close a ring of k nodes lead k further along the sides of 2k");
    return tid;
}

std::vector<CircuitSchedule::Plane>
TorusSchedule::DoBuild(uint32_t racks, uint32_t planes)
{
    const Torus torus = GetTorus();
    if (racks != torus.GetNNodes() || planes != torus.GetNDirections())
    {
        throw OdcnError::InOption("torus of " + torus.GetText(),
                                  std::to_string(racks) + " racks, " + std::to_string(planes) +
                                      " planes",
                                  std::to_string(torus.GetNNodes()) + " racks, " +
                                      std::to_string(torus.GetNDirections()) + " planes");
    }
    SetReconfigurationTime(Time(0));
    std::vector<Plane> built;
    for (uint32_t direction = 0; direction < planes; ++direction)
    {
        Matching to(racks);
        for (RackId rack = 0; rack < racks; ++rack)
        {
            const RackId next = torus.GetNeighbour(rack, direction);
            to[rack] = next == rack ? NO_RACK : next;
        }
        built.push_back({Time(0), {{MilliSeconds(1), to}}}); // any time, since nothing changes
    }
    return built;
}

} // namespace ns3::odcn
