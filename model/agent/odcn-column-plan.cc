// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-column-plan.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace odcn
{

namespace
{

/// Numbers of the widest vector: rows of as many, or of a multiple, leave none over.
constexpr uint32_t LANES = 16;
/// Slots of an empty table, and what stands in a free one.
constexpr std::size_t FEWEST_SLOTS = 1024;
constexpr uint32_t FREE = UINT32_MAX;

/// @param n number  @return the next multiple of LANES
uint32_t
RoundUp(uint32_t n)
{
    return (n + LANES - 1) / LANES * LANES;
}

} // namespace

void
OdcnColumnPlan::Build(std::span<const OdcnImageLayer> layers,
                      std::span<const OdcnDenseLayer> readers)
{
    NS_ASSERT_MSG(!layers.empty(), "a plan has a layer");
    m_stages.clear();
    m_readers.assign(readers.begin(), readers.end());
    const auto& first = layers.front();
    Stage image{};
    image.channels = first.in;
    image.height = first.height;
    image.width = first.width;
    m_stages.push_back(image);
    std::size_t packed = 0;
    std::size_t turned = 0;
    for (const auto& layer : layers)
    {
        const bool filters = layer.kind == OdcnImageLayer::CONVOLUTION;
        m_stages.back().above = filters ? layer.kernel / 2 : 0;
        Stage stage{};
        stage.layer = layer;
        stage.channels = layer.out;
        stage.height = filters ? layer.height : layer.height / layer.kernel;
        stage.width = filters ? layer.width : layer.width / layer.kernel;
        if (filters)
        {
            stage.lanes = RoundUp(layer.out);
            stage.window = layer.kernel * layer.in;
            stage.windowLanes = RoundUp(stage.window);
            stage.weight = packed;
            stage.bias = packed + std::size_t(layer.kernel) * stage.window * stage.lanes;
            stage.turned = turned;
            packed = stage.bias + stage.lanes;
            turned += std::size_t(layer.kernel) * layer.out * stage.windowLanes;
        }
        m_stages.push_back(stage);
    }
    for (auto& stage : m_stages)
    {
        stage.size = std::size_t(stage.height + 2 * stage.above) * stage.channels;
    }
    m_outputs = 0;
    for (const auto& reader : m_readers)
    {
        m_outputs += reader.out;
    }
    const auto& last = m_stages.back();
    m_lanes = RoundUp(m_outputs);
    m_features = last.height * last.channels;
    m_readWeight = packed;
    m_readBias = packed + std::size_t(last.width) * m_features * m_lanes;
    m_packed.assign(m_readBias + m_lanes, 0.0F);
    m_turned.assign(turned, 0.0F);
}

template <typename F>
void
OdcnColumnPlan::ForParameters(F body) const
{
    for (const auto& stage : m_stages)
    {
        if (stage.lanes == 0)
        {
            continue;
        }
        const auto& layer = stage.layer;
        const uint32_t kernel = layer.kernel;
        std::size_t at = layer.filter.weight;
        for (uint32_t o = 0; o < layer.out; ++o)
        {
            for (uint32_t c = 0; c < layer.in; ++c)
            {
                for (uint32_t i = 0; i < kernel; ++i)
                {
                    for (uint32_t k = 0; k < kernel; ++k, ++at)
                    {
                        const std::size_t term = k * stage.window + i * layer.in + c;
                        body(stage.weight + term * stage.lanes + o, at);
                    }
                }
            }
            body(stage.bias + o, layer.filter.bias + o);
        }
    }
    const auto& last = m_stages.back();
    uint32_t first = 0;
    for (const auto& reader : m_readers)
    {
        std::size_t at = reader.weight;
        for (uint32_t c = 0; c < last.channels; ++c)
        {
            for (uint32_t y = 0; y < last.height; ++y)
            {
                for (uint32_t x = 0; x < last.width; ++x)
                {
                    const std::size_t row = std::size_t(x) * m_features + y * last.channels + c;
                    const std::size_t to = m_readWeight + row * m_lanes + first;
                    for (uint32_t o = 0; o < reader.out; ++o, ++at)
                    {
                        body(to + o, at);
                    }
                }
            }
        }
        for (uint32_t o = 0; o < reader.out; ++o)
        {
            body(m_readBias + first + o, reader.bias + o);
        }
        first += reader.out;
    }
}

void
OdcnColumnPlan::Pack(const float* parameters, bool learning)
{
    ForParameters([&](std::size_t to, std::size_t from) { m_packed[to] = parameters[from]; });
    if (!learning)
    {
        return;
    }
    for (const auto& stage : m_stages)
    {
        for (uint32_t k = 0; stage.lanes > 0 && k < stage.layer.kernel; ++k)
        {
            const float* from =
                m_packed.data() + stage.weight + std::size_t(k) * stage.window * stage.lanes;
            float* to = m_turned.data() + stage.turned +
                        std::size_t(k) * stage.channels * stage.windowLanes;
            for (uint32_t o = 0; o < stage.channels; ++o)
            {
                for (uint32_t i = 0; i < stage.window; ++i)
                {
                    to[std::size_t(o) * stage.windowLanes + i] =
                        from[std::size_t(i) * stage.lanes + o];
                }
            }
        }
    }
    const uint32_t width = m_stages.back().width;
    m_readTurned.resize(std::size_t(width) * m_lanes * m_features);
    for (uint32_t x = 0; x < width; ++x)
    {
        OdcnTranspose(m_packed.data() + m_readWeight + std::size_t(x) * m_features * m_lanes,
                      m_features,
                      m_lanes,
                      m_readTurned.data() + std::size_t(x) * m_lanes * m_features);
    }
}

void
OdcnColumnPlan::AddUp(const float* packed, float* gradient) const
{
    ForParameters([&](std::size_t from, std::size_t to) { gradient[to] += packed[from]; });
}

void
OdcnColumnTable::Begin(uint32_t words)
{
    m_words = words;
    m_n = 0;
    m_keys.clear();
    m_slots.assign(std::max(FEWEST_SLOTS, m_slots.size()), FREE);
}

std::size_t
OdcnColumnTable::Hash(const uint32_t* key) const
{
    uint64_t hash = m_words;
    for (uint32_t i = 0; i < m_words; ++i)
    {
        hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 29;
    }
    return hash & (m_slots.size() - 1);
}

uint32_t
OdcnColumnTable::Find(const uint32_t* key)
{
    const auto next = [this](std::size_t slot) { return (slot + 1) & (m_slots.size() - 1); };
    std::size_t slot = Hash(key);
    for (; m_slots[slot] != FREE; slot = next(slot))
    {
        if (std::equal(key, key + m_words, GetKey(m_slots[slot])))
        {
            return m_slots[slot];
        }
    }
    m_slots[slot] = m_n;
    m_keys.insert(m_keys.end(), key, key + m_words);
    if (2 * ++m_n > m_slots.size())
    {
        m_slots.assign(2 * m_slots.size(), FREE);
        for (uint32_t number = 0; number < m_n; ++number)
        {
            std::size_t free = Hash(GetKey(number));
            while (m_slots[free] != FREE)
            {
                free = next(free);
            }
            m_slots[free] = number;
        }
    }
    return m_n - 1;
}

} // namespace odcn
} // namespace ns3
