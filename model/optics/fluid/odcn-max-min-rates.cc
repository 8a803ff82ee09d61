// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-max-min-rates.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Keys of links whose share is not exact are lower by this, so that rounding does not matter.
constexpr double SLACK = 1 - 1e-12;

} // namespace

uint32_t
MaxMinRates::AddLink(double capacity)
{
    m_links.emplace_back().capacity = capacity;
    return static_cast<uint32_t>(m_links.size() - 1);
}

bool
MaxMinRates::SetCapacity(uint32_t link, double capacity)
{
    if (m_links[link].capacity == capacity)
    {
        return false;
    }
    m_links[link].capacity = capacity;
    Touch(link);
    return true;
}

void
MaxMinRates::Touch(uint32_t link)
{
    if (!m_links[link].isTouched)
    {
        m_links[link].isTouched = true;
        m_touched.push_back(link);
    }
}

std::vector<uint32_t>
MaxMinRates::GetFlows(uint32_t link) const
{
    std::vector<uint32_t> flows = m_links[link].flows;
    std::sort(flows.begin(), flows.end());
    return flows;
}

MaxMinRates::Place&
MaxMinRates::GetPlace(uint32_t flow, uint32_t link)
{
    Place* place = m_places.data() + m_flows[flow].first;
    while (place->link != link)
    {
        ++place;
    }
    return *place;
}

void
MaxMinRates::AddFlow(uint32_t flow, const std::vector<uint32_t>& links)
{
    if (flow >= m_flows.size())
    {
        m_flows.resize(flow + 1);
    }
    const auto n = static_cast<uint32_t>(links.size());
    m_unused.resize(std::max<std::size_t>(m_unused.size(), n + 1), NO_PLACE);
    uint32_t first = m_unused[n];
    if (first == NO_PLACE)
    {
        first = static_cast<uint32_t>(m_places.size());
        m_places.resize(m_places.size() + n);
    }
    else
    {
        m_unused[n] = m_places[first].position;
    }
    m_flows[flow].first = first;
    m_flows[flow].nPlaces = n;
    const std::span<Place> places = GetPlaces(flow);
    for (uint32_t i = 0; i < n; ++i)
    {
        auto& flows = m_links[links[i]].flows;
        flows.push_back(flow);
        places[i] = {links[i], static_cast<uint32_t>(flows.size() - 1), NONE};
        Touch(links[i]);
    }
}

void
MaxMinRates::RemoveFlow(uint32_t flow)
{
    for (const Place& place : GetPlaces(flow))
    {
        auto& flows = m_links[place.link].flows;
        flows[place.position] = flows.back();
        flows.pop_back();
        if (place.position < flows.size())
        {
            GetPlace(flows[place.position], place.link).position = place.position;
        }
        Touch(place.link);
    }
    Flow& own = m_flows[flow];
    if (own.nPlaces > 0)
    {
        m_places[own.first].position = std::exchange(m_unused[own.nPlaces], own.first);
        own.nPlaces = 0;
    }
}

void
MaxMinRates::FreeMemory()
{
    std::vector<Flow>().swap(m_flows);
    std::vector<Place>().swap(m_places);
    m_unused.clear();
    for (Link& link : m_links)
    {
        std::vector<uint32_t>().swap(link.flows);
    }
}

double
MaxMinRates::GetRate(uint32_t flow) const
{
    double rate = NONE;
    const Flow& own = m_flows[flow];
    for (uint32_t i = own.first; i < own.first + own.nPlaces; ++i)
    {
        rate = std::min(rate, m_links[m_places[i].link].level);
    }
    return rate;
}

void
MaxMinRates::Queue(uint32_t link, double key)
{
    if (key < m_links[link].key)
    {
        m_links[link].key = key;
        m_queue.emplace(key, link);
    }
}

void
MaxMinRates::FindShare(uint32_t index)
{
    Link& link = m_links[index];
    m_limits.clear();
    for (const uint32_t flow : link.flows)
    {
        double limit = NONE;
        for (const Place& place : GetPlaces(flow))
        {
            limit = place.link == index ? limit : std::min(limit, m_links[place.link].level);
        }
        m_limits.push_back(limit);
    }
    const auto n = static_cast<uint32_t>(link.flows.size());
    double share = n > 0 ? link.capacity / n : NONE;
    double below = 0; // flows with a limit below this are limited elsewhere
    link.free = link.capacity;
    link.nOpen = n;
    for (bool grows = n > 0; grows;)
    {
        uint32_t open = n;
        double sum = 0;
        for (const double limit : m_limits)
        {
            open -= limit < share;
            sum += limit < share ? limit : 0;
        }
        grows = open < link.nOpen;
        if (grows)
        {
            below = share;
            link.nOpen = open;
            link.free = std::max(0.0, link.capacity - sum);
            share = open > 0 ? link.free / open : NONE;
            grows = open > 0;
        }
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        GetPlace(link.flows[i], index).limit = m_limits[i] < below ? m_limits[i] : NONE;
    }
    link.share = share;
    link.isExact = true;
}

void
MaxMinRates::SetLevel(uint32_t index, double level)
{
    const double before = m_links[index].level;
    m_links[index].level = level;
    Touch(index);
    for (const uint32_t flow : m_links[index].flows)
    {
        for (Place& place : GetPlaces(flow))
        {
            if (place.link != index &&
                (level == NONE ? place.limit == before
                               : level < std::min(place.limit, m_links[place.link].share)))
            {
                SetLimit(place, level);
            }
        }
    }
}

void
MaxMinRates::SetLimit(Place& place, double limit)
{
    Link& link = m_links[place.link];
    if (place.limit != NONE)
    {
        link.free += place.limit;
        ++link.nOpen;
    }
    if (limit != NONE)
    {
        link.free -= limit;
        --link.nOpen;
    }
    place.limit = limit;
    // Flows whose limit is no longer below the share only make this too small.
    link.share = link.nOpen > 0 ? std::max(0.0, link.free) / link.nOpen : NONE;
    link.isExact = false;
    Queue(place.link, std::max(m_floor, std::min(link.share * SLACK, link.level)));
}

void
MaxMinRates::Settle(uint32_t index)
{
    Link& link = m_links[index];
    if (!link.isExact)
    {
        FindShare(index);
        link.share = std::max(link.share, m_floor);
    }
    if (link.share == link.level || link.level < m_floor)
    {
        link.share = link.level;
        return;
    }
    const double key = std::min(link.share, link.level);
    if (key > m_floor)
    {
        Queue(index, key);
        return;
    }
    SetLevel(index, link.share < link.level ? link.share : NONE);
    if (link.share != link.level)
    {
        Queue(index, link.share);
    }
}

bool
MaxMinRates::SettleAlone(uint32_t index)
{
    const std::vector<uint32_t>& flows = m_links[index].flows;
    if (flows.empty())
    {
        SetAlone(m_links[index], NONE);
        return true;
    }
    if (flows.size() > 1)
    {
        return false;
    }
    const std::span<Place> places = GetPlaces(flows.front());
    double rate = NONE;
    for (const Place& place : places)
    {
        const Link& link = m_links[place.link];
        if (link.flows.size() > 1)
        {
            return false;
        }
        rate = std::min(rate, link.capacity);
    }
    if (places.front().link != index && m_links[places.front().link].isTouched)
    {
        return true; // the first link of the path settles all of them
    }
    for (Place& place : places)
    {
        Link& link = m_links[place.link];
        SetAlone(link, rate);
        place.limit = link.nOpen > 0 ? NONE : rate;
    }
    return true;
}

void
MaxMinRates::SetAlone(Link& link, double rate)
{
    const bool limits = link.capacity == rate;
    link.level = limits ? rate : NONE;
    link.share = link.level;
    link.free = limits || rate == NONE ? link.capacity : link.capacity - rate;
    link.nOpen = limits ? 1 : 0;
    link.isExact = true;
}

void
MaxMinRates::FindLevels()
{
    m_floor = 0;
    for (const uint32_t index : m_touched)
    {
        if (SettleAlone(index))
        {
            continue;
        }
        Link& link = m_links[index];
        FindShare(index);
        if (link.share != link.level)
        {
            Queue(index, std::min(link.share, link.level));
        }
    }
    while (!m_queue.empty())
    {
        const auto [key, index] = m_queue.top();
        m_queue.pop();
        if (key == m_links[index].key)
        {
            m_links[index].key = NONE;
            m_floor = std::max(m_floor, key);
            Settle(index);
        }
    }
}

void
MaxMinRates::ForgetChanges()
{
    for (const uint32_t link : m_touched)
    {
        m_links[link].isTouched = false;
        for (const uint32_t flow : m_links[link].flows)
        {
            m_flows[flow].isVisited = false;
        }
    }
    m_touched.clear();
}

} // namespace ns3::odcn
