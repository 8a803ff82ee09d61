// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-topology-drawing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <utility>
#include <vector>

namespace ns3::odcn
{

std::vector<uint32_t>
TopologyDrawing::FindTiers() const
{
    std::vector<std::vector<uint32_t>> neighbours(m_places.size());
    for (const Line& line : m_lines)
    {
        neighbours[line.a].push_back(line.b);
        neighbours[line.b].push_back(line.a);
    }
    std::vector<uint32_t> tiers(m_places.size(), UINT32_MAX);
    std::queue<uint32_t> waiting;
    for (const uint32_t host : FindPlaces(Kind::HOST))
    {
        tiers[host] = 0;
        waiting.push(host);
    }
    for (; !waiting.empty(); waiting.pop())
    {
        for (const uint32_t neighbour : neighbours[waiting.front()])
        {
            if (tiers[neighbour] == UINT32_MAX)
            {
                tiers[neighbour] = tiers[waiting.front()] + 1;
                waiting.push(neighbour);
            }
        }
    }
    for (std::size_t i = 0; i < tiers.size(); ++i)
    {
        tiers[i] = tiers[i] == UINT32_MAX ? (m_places[i].kind == Kind::HOST ? 0 : 1) : tiers[i];
    }
    return tiers;
}

void
TopologyDrawing::ArrangeTiers(const std::vector<uint32_t>& tiers)
{
    std::map<uint32_t, std::vector<uint32_t>> rows;
    double width = 6;
    for (uint32_t i = 0; i < m_places.size(); ++i)
    {
        rows[tiers[i]].push_back(i);
    }
    for (const auto& [tier, row] : rows)
    {
        width = std::max(width, double(row.size()) * (tier == 0 ? 0.3 : 1.05));
    }
    for (const auto& [tier, row] : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            m_places[row[i]].x = (double(i) + 0.5) * width / double(row.size());
            // Long rows are staggered to make room for names.
            const std::size_t levels = tier == 0 ? 1 : 1 + row.size() / 24;
            m_places[row[i]].y =
                tier * std::max(1.2, width / 9) + 0.012 * width * double(i % levels);
        }
    }
}

void
TopologyDrawing::ArrangeRing(const std::vector<uint32_t>& tiers)
{
    const std::vector<uint32_t> racks = FindPlaces(Kind::RACK_SWITCH);
    const double step = 2 * M_PI / double(racks.size());
    const double turn = racks.size() == 2 ? -M_PI / 2 : 0; // two side by side
    const double radius = std::max(2.2, double(racks.size()) * 0.95 / (2 * M_PI));
    std::vector<uint32_t> rackOf(m_places.size(), UINT32_MAX);
    std::vector<std::vector<uint32_t>> hosts(racks.size());
    const auto set = [this, turn](uint32_t place, double angle, double distance)
    {
        m_places[place].x = distance * std::sin(angle + turn);
        m_places[place].y = distance * std::cos(angle + turn);
    };
    for (uint32_t r = 0; r < racks.size(); ++r)
    {
        rackOf[racks[r]] = r;
        set(racks[r], step * r, radius);
    }
    for (const Line& line : m_lines)
    {
        for (const auto& [a, b] : {std::pair(line.a, line.b), std::pair(line.b, line.a)})
        {
            if (rackOf[a] != UINT32_MAX && m_places[b].kind == Kind::HOST)
            {
                hosts[rackOf[a]].push_back(b);
            }
        }
    }
    for (uint32_t r = 0; r < racks.size(); ++r)
    {
        // Rows behind the rack, as wide as its part of the ring.
        const double room = 0.85 * std::min(step, 0.6) * (radius + 0.8);
        const auto columns = std::max<std::size_t>(1, std::size_t(room / 0.25));
        for (std::size_t h = 0; h < hosts[r].size(); ++h)
        {
            const std::size_t row = h / columns;
            const std::size_t inRow = std::min(columns, hosts[r].size() - row * columns);
            const double distance = radius + 0.75 + 0.28 * double(row);
            const double shift = (double(h % columns) - double(inRow - 1) / 2) * 0.25 / distance;
            set(hosts[r][h], step * r + shift, distance);
        }
    }
    std::vector<uint32_t> inner;
    for (uint32_t i = 0; i < m_places.size(); ++i)
    {
        if (tiers[i] > 1)
        {
            inner.push_back(i);
        }
    }
    for (std::size_t i = 0; i < inner.size(); ++i)
    {
        set(inner[i],
            2 * M_PI * (double(i) + 0.5) / double(inner.size()),
            inner.size() > 1 ? std::max(radius * 0.4, 0.16 * double(inner.size())) : 0);
    }
}

void
TopologyDrawing::Arrange()
{
    if (!m_arranged && m_layout == Layout::TIERS)
    {
        ArrangeTiers(FindTiers());
    }
    else if (!m_arranged && m_layout == Layout::RING)
    {
        ArrangeRing(FindTiers());
    }
    m_arranged = true;
}

} // namespace ns3::odcn
