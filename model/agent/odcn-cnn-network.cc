// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-cnn-network.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/string.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnCnnNetwork);

namespace
{

/// Pixels that a convolution makes at once, about: what it gathers for them stays in the cache.
constexpr uint32_t STRIP = 256;
/// Images of a shard in learning: what LibTorch keeps of them is a few MiB.
constexpr uint32_t SHARD = 16;
/// Numbers that a layer may make of an image.
constexpr std::size_t MOST_FEATURES = std::size_t(1) << 28;

/// @param text what is read from  @param [out] value a number from 1 on  @return whether it begins
/// with one, which is then taken away
bool
TakeNumber(std::string_view& text, uint32_t& value)
{
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(stop - text.data());
    return error == std::errc() && value > 0;
}

/// @param text what is read from  @param word expected  @return whether it was there and is taken
bool
TakeWord(std::string_view& text, std::string_view word)
{
    const bool there = text.substr(0, word.size()) == word;
    text.remove_prefix(there ? word.size() : 0);
    return there;
}

/**
 * Mean or greatest of squares.
 * @param in image, [channels][height][width]
 * @param channels of it
 * @param height of it
 * @param width of it
 * @param kernel pixels of a square each way
 * @param mean whether the mean
 * @param [out] out [channels][height / kernel][width / kernel]
 */
void
Pool(const float* in,
     uint32_t channels,
     uint32_t height,
     uint32_t width,
     uint32_t kernel,
     bool mean,
     float* out)
{
    const uint32_t rows = height / kernel;
    const uint32_t columns = width / kernel;
    const float pixels = static_cast<float>(kernel * kernel);
    for (uint32_t c = 0; c < channels; ++c, in += std::size_t(height) * width)
    {
        for (uint32_t y = 0; y < rows; ++y)
        {
            for (uint32_t x = 0; x < columns; ++x)
            {
                const float* corner = in + std::size_t(y) * kernel * width + x * kernel;
                float sum = mean ? 0.0F : corner[0];
                for (uint32_t i = 0; i < kernel; ++i)
                {
                    const float* row = corner + std::size_t(i) * width;
                    for (uint32_t k = 0; k < kernel; ++k)
                    {
                        sum = mean ? sum + row[k] : std::max(sum, row[k]);
                    }
                }
                *out++ = mean ? sum / pixels : sum;
            }
        }
    }
}

} // namespace

TypeId
OdcnCnnNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnCnnNetwork")
            .SetParent<OdcnNetwork>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnCnnNetwork>()
            .AddAttribute("Layers",
                          "ConvK-C (C filters of KxK), AvgPoolK and MaxPoolK, between commas; "
                          "empty for none.",
                          StringValue("Conv5-8,AvgPool2,Conv5-16,AvgPool2"),
                          MakeStringAccessor(&OdcnCnnNetwork::m_layers),
                          MakeStringChecker())
            .AddAttribute("Hidden",
                          "Outputs of each fully connected hidden layer, between commas; empty "
                          "for none.",
                          StringValue("69"),
                          MakeStringAccessor(&OdcnCnnNetwork::m_hidden),
                          MakeStringChecker())
            .AddAttribute("Activation",
                          "Activation of the convolutions.",
                          CompatEnumValue<OdcnActivation>(ODCN_RELU),
                          CompatEnumAccessor<OdcnActivation>(&OdcnCnnNetwork::m_activation),
                          MakeEnumChecker(ODCN_ELU, "Elu", ODCN_RELU, "Relu", ODCN_TANH, "Tanh"))
            .AddAttribute("HiddenActivation",
                          "Activation of the hidden layers.",
                          CompatEnumValue<OdcnActivation>(ODCN_TANH),
                          CompatEnumAccessor<OdcnActivation>(&OdcnCnnNetwork::m_hiddenActivation),
                          MakeEnumChecker(ODCN_ELU, "Elu", ODCN_RELU, "Relu", ODCN_TANH, "Tanh"))
            .AddAttribute("Value",
                          "Where the value comes from: a network of its own, the policy's last "
                          "hidden layer, or none (it is 0).",
                          CompatEnumValue<ValueKind>(OWN),
                          CompatEnumAccessor<ValueKind>(&OdcnCnnNetwork::m_valueKind),
                          MakeEnumChecker(OWN, "Own", SHARED, "Shared", NONE, "None"));
    return tid;
}

std::vector<uint32_t>
OdcnCnnNetwork::GetSignature() const
{
    return {m_channels, m_height, m_width, GetNActions()};
}

std::size_t
OdcnCnnNetwork::GetPolicySize() const
{
    const auto& last = m_policy.head.layers.back();
    return last.bias + last.out;
}

uint32_t
OdcnCnnNetwork::GetShardRows() const
{
    return SHARD;
}

void
OdcnCnnNetwork::DoBuild()
{
    const auto& shape = GetObservationShape();
    if (shape.size() < 2 || shape.size() > 3)
    {
        throw OdcnError("OdcnCnnNetwork reads images, {channels, height, width} or {height, "
                        "width}; this problem's observations have " +
                        std::to_string(shape.size()) + " dimension(s)");
    }
    m_channels = shape.size() == 3 ? shape.front() : 1;
    m_height = shape[shape.size() - 2];
    m_width = shape.back();
    m_policy = AddBody(GetNActions());
    if (m_valueKind == OWN)
    {
        m_value = AddBody(1);
    }
    else if (m_valueKind == SHARED)
    {
        m_value.head = AddStack(m_policy.head.GetInputs(), {}, 1, m_hiddenActivation);
    }
}

OdcnCnnNetwork::Body
OdcnCnnNetwork::AddBody(uint32_t outputs)
{
    const auto complain = [this](const std::string& expected)
    { throw OdcnError::InOption("Layers", m_layers, expected); };
    Body body;
    Layer next{CONVOLUTION, 0, m_channels, 0, m_height, m_width, {}};
    for (std::string_view text = m_layers; !text.empty();)
    {
        const bool convolution = TakeWord(text, "Conv");
        const bool average = !convolution && TakeWord(text, "AvgPool");
        const bool known = convolution || average || TakeWord(text, "MaxPool");
        next.kind = convolution ? CONVOLUTION : average ? AVERAGE : GREATEST;
        next.out = next.in;
        if (!known || !TakeNumber(text, next.kernel) ||
            (convolution && (!TakeWord(text, "-") || !TakeNumber(text, next.out))) ||
            (!text.empty() && (!TakeWord(text, ",") || text.empty())))
        {
            complain("layers as in Conv5-8,AvgPool2,MaxPool2");
        }
        if (convolution && (next.kernel % 2 == 0 || next.kernel > 99 || next.out > 65536))
        {
            complain("filters of an odd size up to 99, at most 65536 of them");
        }
        if (!convolution && (next.kernel > next.height || next.kernel > next.width))
        {
            complain("pools no larger than the image, here " + std::to_string(next.height) + "x" +
                     std::to_string(next.width));
        }
        if (std::size_t(next.out) * next.height * next.width > MOST_FEATURES)
        {
            complain("images of at most 2^28 numbers between layers");
        }
        if (convolution)
        {
            next.filter = AddStack(next.in * next.kernel * next.kernel, {}, next.out, m_activation);
        }
        body.layers.push_back(next);
        next.in = next.out;
        next.height /= convolution ? 1 : next.kernel;
        next.width /= convolution ? 1 : next.kernel;
    }
    const std::size_t pixels = std::size_t(next.height) * next.width;
    auto features = static_cast<uint32_t>(next.in * pixels);
    auto hidden = OdcnParseSizes("Hidden", m_hidden);
    if (!hidden.empty())
    {
        const uint32_t last = hidden.back();
        hidden.pop_back();
        body.hidden = AddStack(features, hidden, last, m_hiddenActivation);
        features = last;
    }
    body.head = AddStack(features, {}, outputs, m_hiddenActivation);
    return body;
}

void
OdcnCnnNetwork::Convolve(const Layer& layer,
                         const float* in,
                         float* out,
                         std::vector<float>& columns) const
{
    const auto& filter = layer.filter.layers.front();
    const float* bias = GetParameters().data() + filter.bias;
    const std::size_t plane = std::size_t(layer.height) * layer.width;
    for (uint32_t c = 0; c < layer.out; ++c)
    {
        std::fill_n(out + c * plane, plane, bias[c]);
    }
    const int64_t height = layer.height;
    const int64_t width = layer.width;
    const int64_t around = layer.kernel / 2;
    const uint32_t strip = std::max(1U, STRIP / layer.width);
    columns.resize(std::size_t(filter.in) * strip * layer.width);
    for (uint32_t top = 0; top < layer.height; top += strip)
    {
        // One line for each weight of a filter: the pixels that it meets, row after row.
        const uint32_t rows = std::min(strip, layer.height - top);
        float* to = columns.data();
        for (uint32_t c = 0; c < layer.in; ++c)
        {
            for (int64_t i = -around; i <= around; ++i)
            {
                for (int64_t k = -around; k <= around; ++k)
                {
                    const int64_t first = std::clamp<int64_t>(-k, 0, width);
                    const int64_t end = std::clamp<int64_t>(width - k, first, width);
                    for (int64_t y = top + i; y < top + i + rows; ++y, to += width)
                    {
                        if (y < 0 || y >= height)
                        {
                            std::fill_n(to, width, 0.0F);
                            continue;
                        }
                        const float* row = in + c * plane + y * width;
                        std::fill(to, to + first, 0.0F);
                        std::copy(row + first + k, row + end + k, to + first);
                        std::fill(to + end, to + width, 0.0F);
                    }
                }
            }
        }
        const std::size_t pixels = std::size_t(rows) * layer.width;
        OdcnMultiply({GetParameters().data() + filter.weight,
                      filter.in,
                      1,
                      columns.data(),
                      pixels,
                      nullptr,
                      out + std::size_t(top) * layer.width,
                      plane,
                      layer.out,
                      filter.in,
                      pixels},
                     true);
    }
    OdcnActivate(m_activation, out, layer.out * plane);
}

const float*
OdcnCnnNetwork::Describe(const Body& body,
                         const float* observations,
                         uint32_t n,
                         Scratch& scratch) const
{
    // Images before and after a layer, columns of a convolution; then the flat rows of all.
    const auto features = [](const Layer& layer)
    {
        const std::size_t kernel = layer.kind == CONVOLUTION ? 1 : layer.kernel;
        return std::size_t(layer.out) * (layer.height / kernel) * (layer.width / kernel);
    };
    std::size_t most = GetObservationSize();
    for (const auto& layer : body.layers)
    {
        most = std::max(most, features(layer));
    }
    const std::size_t flat = body.layers.empty() ? most : features(body.layers.back());
    scratch.images.resize(2 * most);
    scratch.inputs.resize(n * flat);
    for (uint32_t i = 0; i < n; ++i)
    {
        const float* in = observations + std::size_t(i) * GetObservationSize();
        float* out = scratch.images.data();
        float* other = out + most;
        for (const auto& layer : body.layers)
        {
            if (layer.kind == CONVOLUTION)
            {
                Convolve(layer, in, out, scratch.layers);
            }
            else
            {
                Pool(in,
                     layer.in,
                     layer.height,
                     layer.width,
                     layer.kernel,
                     layer.kind == AVERAGE,
                     out);
            }
            in = out;
            std::swap(out, other);
        }
        std::copy_n(in, flat, scratch.inputs.data() + i * flat);
    }
    if (body.hidden.layers.empty())
    {
        return scratch.inputs.data();
    }
    const std::size_t hidden = std::size_t(n) * body.hidden.GetOutputs();
    scratch.images.resize(std::max(scratch.images.size(), hidden));
    OdcnDenseForward(body.hidden,
                     GetParameters().data(),
                     scratch.inputs.data(),
                     n,
                     scratch.images.data(),
                     scratch.layers);
    OdcnActivate(m_hiddenActivation, scratch.images.data(), hidden);
    return scratch.images.data();
}

void
OdcnCnnNetwork::Infer(const float* observations, uint32_t n, float* logits, Scratch& scratch) const
{
    const float* features = Describe(m_policy, observations, n, scratch);
    OdcnDenseForward(m_policy.head, GetParameters().data(), features, n, logits, scratch.layers);
}

void
OdcnCnnNetwork::Evaluate(const float* observations, uint32_t n, float* logits, float* values)
{
    Scratch scratch;
    const float* parameters = GetParameters().data();
    const float* features = Describe(m_policy, observations, n, scratch);
    OdcnDenseForward(m_policy.head, parameters, features, n, logits, scratch.layers);
    if (m_valueKind == NONE)
    {
        std::fill_n(values, n, 0.0F);
        return;
    }
    if (m_valueKind == OWN)
    {
        features = Describe(m_value, observations, n, scratch);
    }
    OdcnDenseForward(m_value.head, parameters, features, n, values, scratch.layers);
}

} // namespace odcn
} // namespace ns3
