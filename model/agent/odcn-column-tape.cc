// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-column-tape.h"

#include <algorithm>
#include <bit>

namespace ns3
{
namespace odcn
{

namespace
{

/// Stands for a column outside of the image.
constexpr uint32_t NONE = UINT32_MAX;
/// Columns of a stage, or readings, that are remembered before all is forgotten.
constexpr uint32_t MOST_KEPT = 16384;
/// Images of a call that the next call's are compared with.
constexpr std::size_t MOST_BEFORE = 64;

/// @param sum added to  @param more numbers  @param n how many
void
AddTo(float* sum, const float* more, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i)
    {
        sum[i] += more[i];
    }
}

} // namespace

void
OdcnColumnTape::Begin(const OdcnColumnPlan& plan)
{
    m_plan = &plan;
    const auto& stages = plan.m_stages;
    m_tables.resize(stages.size() + 1);
    m_kept.resize(stages.size());
    m_slopes.resize(stages.size());
    m_made.assign(stages.size() + 1, 0);
    m_at.assign(1, 0);
    std::size_t key = 2;
    std::size_t most = 0;
    for (std::size_t s = 0; s < stages.size(); ++s)
    {
        const auto& stage = stages[s];
        const auto words = s == 0 ? stage.height * stage.channels : stage.layer.kernel;
        m_tables[s].Begin(words);
        m_kept[s].clear();
        m_at.push_back(m_at.back() + stage.width);
        key = std::max<std::size_t>(key, words);
        most = std::max<std::size_t>(most, std::size_t(stage.height) * stage.lanes);
        most = std::max<std::size_t>(most, std::size_t(stage.height) * stage.windowLanes);
    }
    // Last the readings: a place and the column there.
    m_tables.back().Begin(2);
    m_at.push_back(m_at.back() + stages.back().width);
    m_key.resize(key);
    m_scratch.resize(2 * most);
    m_readings.clear();
    m_before.clear();
    m_imagesBefore.clear();
}

bool
OdcnColumnTape::IsFull() const
{
    return std::any_of(m_tables.begin(),
                       m_tables.end(),
                       [](const auto& table) { return table.GetN() > MOST_KEPT; });
}

float*
OdcnColumnTape::Pixels(std::size_t s, uint32_t id)
{
    const auto& stage = m_plan->m_stages[s];
    return m_kept[s].data() + id * stage.size + std::size_t(stage.above) * stage.channels;
}

float*
OdcnColumnTape::Slopes(std::size_t s, uint32_t id)
{
    const auto& stage = m_plan->m_stages[s];
    return m_slopes[s].data() + id * stage.size + std::size_t(stage.above) * stage.channels;
}

void
OdcnColumnTape::Identify(const float* image,
                         const float* other,
                         const uint32_t* otherIds,
                         uint32_t* ids)
{
    const auto& stages = m_plan->m_stages;
    const auto& first = stages.front();
    const std::size_t rows = std::size_t(first.channels) * first.height;
    m_changed.assign(first.width, other ? 0 : 1);
    for (std::size_t r = 0; other && r < rows; ++r)
    {
        const float* a = image + r * first.width;
        const float* b = other + r * first.width;
        for (uint32_t x = 0; x < first.width; ++x)
        {
            m_changed[x] |= std::bit_cast<uint32_t>(a[x]) ^ std::bit_cast<uint32_t>(b[x]);
        }
    }
    for (uint32_t x = 0; x < first.width; ++x)
    {
        if (!m_changed[x])
        {
            ids[x] = otherIds[x];
            continue;
        }
        uint32_t* to = m_key.data();
        for (uint32_t y = 0; y < first.height; ++y)
        {
            for (uint32_t c = 0; c < first.channels; ++c)
            {
                const std::size_t row = std::size_t(c) * first.height + y;
                *to++ = std::bit_cast<uint32_t>(image[row * first.width + x]);
            }
        }
        ids[x] = m_tables[0].Find(m_key.data());
    }
    for (std::size_t s = 1; s < stages.size(); ++s)
    {
        const auto& stage = stages[s];
        const bool filters = stage.layer.kind == OdcnImageLayer::CONVOLUTION;
        const int64_t kernel = stage.layer.kernel;
        const int64_t width = stage.layer.width;
        const int64_t step = filters ? 1 : kernel;
        const int64_t reach = filters ? kernel / 2 : 0;
        const uint32_t* in = ids + m_at[s - 1];
        const uint32_t* otherIn = other ? otherIds + m_at[s - 1] : nullptr;
        for (int64_t x = 0; x < stage.width; ++x)
        {
            const int64_t from = x * step - reach;
            const int64_t begin = std::max<int64_t>(from, 0);
            const int64_t end = std::min(from + kernel, width);
            const auto at = m_at[s] + static_cast<std::size_t>(x);
            if (other && std::equal(in + begin, in + end, otherIn + begin))
            {
                ids[at] = otherIds[at];
                continue;
            }
            for (int64_t k = 0; k < kernel; ++k)
            {
                const int64_t column = from + k;
                m_key[k] = column >= begin && column < end ? in[column] : NONE;
            }
            ids[at] = m_tables[s].Find(m_key.data());
        }
    }
    const std::size_t last = stages.size() - 1;
    for (uint32_t x = 0; x < stages[last].width; ++x)
    {
        const uint32_t id = ids[m_at[last] + x];
        const std::size_t at = m_at[last + 1] + x;
        if (other && id == otherIds[m_at[last] + x])
        {
            ids[at] = otherIds[at];
            continue;
        }
        const uint32_t key[2] = {x, id};
        ids[at] = m_tables.back().Find(key);
    }
}

void
OdcnColumnTape::Convolve(std::size_t s, uint32_t id, float* y)
{
    const auto& stage = m_plan->m_stages[s];
    const auto& below = m_plan->m_stages[s - 1];
    const float* packed = m_plan->m_packed.data();
    const uint32_t* from = m_tables[s].GetKey(id);
    const bool whole = stage.lanes == stage.channels;
    float* sums = whole ? y : m_scratch.data();
    const float* start = packed + stage.bias;
    for (uint32_t k = 0; k < stage.layer.kernel; ++k)
    {
        if (from[k] != NONE)
        {
            OdcnMultiply({m_kept[s - 1].data() + from[k] * below.size,
                          below.channels,
                          1,
                          packed + stage.weight + std::size_t(k) * stage.window * stage.lanes,
                          stage.lanes,
                          start,
                          sums,
                          stage.lanes,
                          stage.height,
                          stage.window,
                          stage.lanes},
                         true);
            start = nullptr;
        }
    }
    for (uint32_t r = 0; !whole && r < stage.height; ++r)
    {
        std::copy_n(sums + std::size_t(r) * stage.lanes,
                    stage.channels,
                    y + std::size_t(r) * stage.channels);
    }
    OdcnActivate(stage.layer.activation, y, std::size_t(stage.height) * stage.channels);
}

void
OdcnColumnTape::MakeColumns(std::size_t s)
{
    const auto& stage = m_plan->m_stages[s];
    const uint32_t n = m_tables[s].GetN();
    // What lies above and below stays 0.
    m_kept[s].resize(n * stage.size, 0.0F);
    for (uint32_t& id = m_made[s]; id < n; ++id)
    {
        const uint32_t* key = m_tables[s].GetKey(id);
        float* y = Pixels(s, id);
        if (s == 0)
        {
            std::transform(key,
                           key + std::size_t(stage.height) * stage.channels,
                           y,
                           [](uint32_t word) { return std::bit_cast<float>(word); });
            continue;
        }
        const auto& layer = stage.layer;
        if (layer.kind == OdcnImageLayer::CONVOLUTION)
        {
            Convolve(s, id, y);
            continue;
        }
        const bool mean = layer.kind == OdcnImageLayer::AVERAGE;
        const auto pixels = static_cast<float>(layer.kernel * layer.kernel);
        for (uint32_t r = 0; r < stage.height; ++r, y += stage.channels)
        {
            const std::size_t top = std::size_t(r) * layer.kernel * stage.channels;
            std::copy_n(Pixels(s - 1, key[0]) + top, stage.channels, y);
            for (uint32_t p = 1; p < layer.kernel * layer.kernel; ++p)
            {
                const float* pixel = Pixels(s - 1, key[p % layer.kernel]) + top +
                                     std::size_t(p / layer.kernel) * stage.channels;
                for (uint32_t c = 0; c < stage.channels; ++c)
                {
                    y[c] = mean ? y[c] + pixel[c] : std::max(y[c], pixel[c]);
                }
            }
            for (uint32_t c = 0; mean && c < stage.channels; ++c)
            {
                y[c] /= pixels;
            }
        }
    }
}

void
OdcnColumnTape::SortReadings()
{
    const auto& table = m_tables.back();
    const uint32_t first = m_made.back();
    m_place.assign(m_plan->m_stages.back().width + 1, 0);
    for (uint32_t i = first; i < table.GetN(); ++i)
    {
        ++m_place[table.GetKey(i)[0] + 1];
    }
    for (std::size_t x = 1; x < m_place.size(); ++x)
    {
        m_place[x] += m_place[x - 1];
    }
    m_order.resize(table.GetN() - first);
    auto next = m_place;
    for (uint32_t i = first; i < table.GetN(); ++i)
    {
        m_order[next[table.GetKey(i)[0]]++] = i;
    }
}

void
OdcnColumnTape::MakeReadings()
{
    const auto& table = m_tables.back();
    const std::size_t last = m_plan->m_stages.size() - 1;
    const std::size_t features = m_plan->m_features;
    const std::size_t lanes = m_plan->m_lanes;
    SortReadings();
    m_readings.resize(table.GetN() * lanes);
    const std::vector<float> zeros(lanes, 0.0F);
    for (std::size_t x = 0; x + 1 < m_place.size(); ++x)
    {
        const std::size_t n = m_place[x + 1] - m_place[x];
        if (n == 0)
        {
            continue;
        }
        m_gathered.resize(n * features);
        m_gathered2.resize(n * lanes);
        const uint32_t* readings = m_order.data() + m_place[x];
        for (std::size_t i = 0; i < n; ++i)
        {
            std::copy_n(Pixels(last, table.GetKey(readings[i])[1]),
                        features,
                        m_gathered.data() + i * features);
        }
        OdcnMultiply({m_gathered.data(),
                      features,
                      1,
                      m_plan->m_packed.data() + m_plan->m_readWeight + x * features * lanes,
                      lanes,
                      zeros.data(),
                      m_gathered2.data(),
                      lanes,
                      n,
                      features,
                      lanes},
                     true);
        for (std::size_t i = 0; i < n; ++i)
        {
            std::copy_n(m_gathered2.data() + i * lanes,
                        lanes,
                        m_readings.data() + readings[i] * lanes);
        }
    }
    m_made.back() = table.GetN();
}

void
OdcnColumnTape::Forward(const float* images, uint32_t n, float* y)
{
    const auto& stages = m_plan->m_stages;
    const auto& first = stages.front();
    const std::size_t size = std::size_t(first.channels) * first.height * first.width;
    const std::size_t row = m_at.back();
    const std::size_t before = m_imagesBefore.size() / size;
    m_ids.resize(n * row);
    for (std::size_t i = 0; i < n; ++i)
    {
        const float* image = images + i * size;
        uint32_t* ids = m_ids.data() + i * row;
        if (i < before)
        {
            Identify(image, m_imagesBefore.data() + i * size, m_before.data() + i * row, ids);
        }
        else
        {
            Identify(image, i ? image - size : nullptr, i ? ids - row : nullptr, ids);
        }
    }
    const std::size_t remembered = std::max(before, std::min<std::size_t>(n, MOST_BEFORE));
    m_imagesBefore.resize(remembered * size);
    m_before.resize(remembered * row);
    const std::size_t fresh = std::min<std::size_t>(n, remembered);
    std::copy_n(images, fresh * size, m_imagesBefore.begin());
    std::copy_n(m_ids.begin(), fresh * row, m_before.begin());

    for (std::size_t s = 0; s < stages.size(); ++s)
    {
        MakeColumns(s);
    }
    MakeReadings();
    const std::size_t lanes = m_plan->m_lanes;
    std::vector<float> sum(lanes);
    for (std::size_t i = 0; i < n; ++i, y += m_plan->m_outputs)
    {
        std::copy_n(m_plan->m_packed.data() + m_plan->m_readBias, lanes, sum.data());
        const uint32_t* readings = m_ids.data() + i * row + m_at[stages.size()];
        for (uint32_t x = 0; x < stages.back().width; ++x)
        {
            AddTo(sum.data(), m_readings.data() + readings[x] * lanes, lanes);
        }
        std::copy_n(sum.data(), m_plan->m_outputs, y);
    }
}

void
OdcnColumnTape::Backward(const float* dy, float* gradient)
{
    const auto& stages = m_plan->m_stages;
    for (std::size_t s = 1; s < stages.size(); ++s)
    {
        m_slopes[s].assign(m_kept[s].size(), 0.0F);
    }
    DeriveReadings(dy, gradient);
    for (std::size_t s = stages.size() - 1; s > 0; --s)
    {
        if (stages[s].layer.kind == OdcnImageLayer::CONVOLUTION)
        {
            DeriveConvolution(s, gradient);
        }
        else if (s > 1)
        {
            DerivePool(s);
        }
    }
}

void
OdcnColumnTape::DeriveReadings(const float* dy, float* gradient)
{
    const auto& stages = m_plan->m_stages;
    const std::size_t last = stages.size() - 1;
    const std::size_t features = m_plan->m_features;
    const std::size_t lanes = m_plan->m_lanes;
    const auto& table = m_tables.back();
    std::vector<float> slopes(table.GetN() * lanes, 0.0F);
    std::vector<float> own(lanes, 0.0F);
    const std::size_t row = m_at.back();
    for (std::size_t i = 0; i < m_ids.size() / row; ++i, dy += m_plan->m_outputs)
    {
        std::copy_n(dy, m_plan->m_outputs, own.begin());
        AddTo(gradient + m_plan->m_readBias, own.data(), lanes);
        const uint32_t* readings = m_ids.data() + i * row + m_at[last + 1];
        for (uint32_t x = 0; x < stages[last].width; ++x)
        {
            AddTo(slopes.data() + readings[x] * lanes, own.data(), lanes);
        }
    }
    m_made.back() = 0;
    SortReadings();
    const std::vector<float> zeros(features, 0.0F);
    std::vector<float> derived;
    for (std::size_t x = 0; x + 1 < m_place.size(); ++x)
    {
        const std::size_t n = m_place[x + 1] - m_place[x];
        const uint32_t* readings = m_order.data() + m_place[x];
        m_gathered.resize(n * features);
        m_gathered2.resize(n * lanes);
        derived.resize(n * features);
        for (std::size_t i = 0; i < n; ++i)
        {
            std::copy_n(Pixels(last, table.GetKey(readings[i])[1]),
                        features,
                        m_gathered.data() + i * features);
            std::copy_n(slopes.data() + readings[i] * lanes, lanes, m_gathered2.data() + i * lanes);
        }
        OdcnMultiply({m_gathered.data(),
                      1,
                      features,
                      m_gathered2.data(),
                      lanes,
                      nullptr,
                      gradient + m_plan->m_readWeight + x * features * lanes,
                      lanes,
                      features,
                      n,
                      lanes},
                     true);
        OdcnMultiply({m_gathered2.data(),
                      lanes,
                      1,
                      m_plan->m_readTurned.data() + x * lanes * features,
                      features,
                      zeros.data(),
                      derived.data(),
                      features,
                      n,
                      m_plan->m_outputs,
                      features},
                     true);
        for (std::size_t i = 0; i < n; ++i)
        {
            AddTo(Slopes(last, table.GetKey(readings[i])[1]),
                  derived.data() + i * features,
                  features);
        }
    }
}

void
OdcnColumnTape::DeriveConvolution(std::size_t s, float* gradient)
{
    const auto& stage = m_plan->m_stages[s];
    const auto& below = m_plan->m_stages[s - 1];
    const std::size_t numbers = std::size_t(stage.height) * stage.channels;
    const bool whole = stage.lanes == stage.channels;
    float* wide = m_scratch.data();
    float* windows = m_scratch.data() + m_scratch.size() / 2;
    if (!whole)
    {
        std::fill_n(wide, std::size_t(stage.height) * stage.lanes, 0.0F);
    }
    const std::vector<float> zeros(stage.windowLanes, 0.0F);
    for (uint32_t id = 0; id < m_made[s]; ++id)
    {
        float* d = Slopes(s, id);
        OdcnDerive(stage.layer.activation, d, Pixels(s, id), numbers);
        for (uint32_t r = 0; r < stage.height; ++r)
        {
            const float* pixel = d + std::size_t(r) * stage.channels;
            AddTo(gradient + stage.bias, pixel, stage.channels);
            if (!whole)
            {
                std::copy_n(pixel, stage.channels, wide + std::size_t(r) * stage.lanes);
            }
        }
        const uint32_t* from = m_tables[s].GetKey(id);
        for (uint32_t k = 0; k < stage.layer.kernel; ++k)
        {
            if (from[k] == NONE)
            {
                continue;
            }
            OdcnMultiply({m_kept[s - 1].data() + from[k] * below.size,
                          1,
                          below.channels,
                          whole ? d : wide,
                          stage.lanes,
                          nullptr,
                          gradient + stage.weight + std::size_t(k) * stage.window * stage.lanes,
                          stage.lanes,
                          stage.window,
                          stage.height,
                          stage.lanes},
                         true);
            if (s == 1)
            {
                continue;
            }
            OdcnMultiply({d,
                          stage.channels,
                          1,
                          m_plan->m_turned.data() + stage.turned +
                              std::size_t(k) * stage.channels * stage.windowLanes,
                          stage.windowLanes,
                          zeros.data(),
                          windows,
                          stage.windowLanes,
                          stage.height,
                          stage.channels,
                          stage.windowLanes},
                         true);
            float* to = m_slopes[s - 1].data() + from[k] * below.size;
            for (uint32_t r = 0; r < stage.height; ++r)
            {
                AddTo(to + std::size_t(r) * below.channels,
                      windows + std::size_t(r) * stage.windowLanes,
                      stage.window);
            }
        }
    }
}

void
OdcnColumnTape::DerivePool(std::size_t s)
{
    const auto& stage = m_plan->m_stages[s];
    const auto& layer = stage.layer;
    const bool mean = layer.kind == OdcnImageLayer::AVERAGE;
    const uint32_t pixels = layer.kernel * layer.kernel;
    for (uint32_t id = 0; id < m_made[s]; ++id)
    {
        const uint32_t* key = m_tables[s].GetKey(id);
        const float* d = Slopes(s, id);
        const float* y = Pixels(s, id);
        for (uint32_t r = 0; r < stage.height; ++r, d += stage.channels, y += stage.channels)
        {
            const auto place = [&](uint32_t p)
            { return (std::size_t(r) * layer.kernel + p / layer.kernel) * stage.channels; };
            for (uint32_t p = 0; mean && p < pixels; ++p)
            {
                float* to = Slopes(s - 1, key[p % layer.kernel]) + place(p);
                for (uint32_t c = 0; c < stage.channels; ++c)
                {
                    to[c] += d[c] / static_cast<float>(pixels);
                }
            }
            for (uint32_t c = 0; !mean && c < stage.channels; ++c)
            {
                // The first of equal ones takes it all.
                uint32_t p = 0;
                while (Pixels(s - 1, key[p % layer.kernel])[place(p) + c] != y[c] && p + 1 < pixels)
                {
                    ++p;
                }
                Slopes(s - 1, key[p % layer.kernel])[place(p) + c] += d[c];
            }
        }
    }
}

} // namespace odcn
} // namespace ns3
