// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-cnn-network.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/string.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>
#include <utility>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnCnnNetwork);

namespace
{

/// Rows of a shard that learns by LibTorch.
constexpr uint32_t SHARD = 16;
/// More shards serve more threads, but fewer columns are alike within one.
constexpr std::size_t MOST_SHARDS = 8;
constexpr std::size_t SHARD_IMAGES = 256;
/// Images to learn from at once.
constexpr uint32_t BATCH = 2048;
/// Parameters whose derivatives are added up at once.
constexpr std::size_t GRAIN = 65536;
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
 * y = x w + b for the rows of a layer.
 * @param layer places of w and b
 * @param parameters flat
 * @param x [n][in]
 * @param n rows
 * @param [out] y first result
 * @param yRow from a row of results to the next
 */
void
RunLayer(const OdcnDenseLayer& layer,
         const float* parameters,
         const float* x,
         std::size_t n,
         float* y,
         std::size_t yRow)
{
    OdcnMultiply({x,
                  layer.in,
                  1,
                  parameters + layer.weight,
                  layer.out,
                  parameters + layer.bias,
                  y,
                  yRow,
                  n,
                  layer.in,
                  layer.out},
                 true);
}

/**
 * Differentiate RunLayer().
 * @param layer places of w and b
 * @param parameters flat
 * @param x [n][in]
 * @param d derivatives by y, [n][out]
 * @param n rows
 * @param [in,out] dx those by x, added to
 * @param [out] gradient those by w, then by b
 */
void
DeriveLayer(const OdcnDenseLayer& layer,
            const float* parameters,
            const float* x,
            const float* d,
            std::size_t n,
            float* dx,
            std::vector<float>& gradient)
{
    const std::size_t weights = std::size_t(layer.in) * layer.out;
    gradient.assign(weights + layer.out, 0.0F);
    OdcnLayerBackward(layer.in,
                      layer.out,
                      x,
                      d,
                      n,
                      nullptr,
                      gradient.data(),
                      gradient.data() + weights);
    std::vector<float> turned(weights);
    OdcnTranspose(parameters + layer.weight, layer.in, layer.out, turned.data());
    OdcnMultiply(
        {d, layer.out, 1, turned.data(), layer.in, nullptr, dx, layer.in, n, layer.out, layer.in},
        true);
}

} // namespace

struct OdcnCnnNetwork::Decided : OdcnNetwork::Memory
{
    std::shared_ptr<const int> stamp; //!< Of the parameters
    std::vector<Chain> chains;        //!< With them
    std::vector<Pass> passes;         //!< Of each
};

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
            .AddAttribute("FilterBias",
                          "Before learning, the biases of filters are drawn from the usual range "
                          "times this. With 0 the empty parts of an image say nothing, and "
                          "all weights that read them rest.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&OdcnCnnNetwork::m_filterBias),
                          MakeDoubleChecker<double>(0.0, 1.0))
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

void
OdcnCnnNetwork::Randomize(uint64_t seed)
{
    OdcnNetwork::Randomize(seed);
    const auto parameters = GetMutableParameters();
    for (const Body* body : {&m_policy, &m_value})
    {
        for (const auto& layer : body->layers)
        {
            for (uint32_t o = 0; o < layer.filter.out; ++o)
            {
                parameters[layer.filter.bias + o] *= static_cast<float>(m_filterBias);
            }
        }
    }
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
    OdcnImageLayer
        next{OdcnImageLayer::CONVOLUTION, 0, m_channels, 0, m_height, m_width, {}, m_activation};
    for (std::string_view text = m_layers; !text.empty();)
    {
        const bool convolution = TakeWord(text, "Conv");
        const bool average = !convolution && TakeWord(text, "AvgPool");
        const bool known = convolution || average || TakeWord(text, "MaxPool");
        next.kind = convolution ? OdcnImageLayer::CONVOLUTION
                    : average   ? OdcnImageLayer::AVERAGE
                                : OdcnImageLayer::GREATEST;
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
            next.filter = AddStack(next.in * next.kernel * next.kernel, {}, next.out, m_activation)
                              .layers.front();
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

std::vector<OdcnCnnNetwork::Chain>
OdcnCnnNetwork::MakeChains() const
{
    std::vector<Chain> chains;
    for (const Body* body : {&m_policy, &m_value})
    {
        if (body->layers.empty())
        {
            continue;
        }
        Chain chain{{}, body->hidden.layers, body->head.layers, m_hiddenActivation, 0};
        if (body == &m_policy && m_valueKind == SHARED)
        {
            chain.heads.push_back(m_value.head.layers.front());
        }
        for (const auto& head : chain.heads)
        {
            chain.outputs += head.out;
        }
        if (chain.hidden.empty())
        {
            chain.plan.Build(body->layers, std::exchange(chain.heads, {}));
        }
        else
        {
            chain.plan.Build(body->layers, {chain.hidden.data(), 1});
            chain.hidden.erase(chain.hidden.begin());
        }
        chains.push_back(std::move(chain));
    }
    return chains;
}

void
OdcnCnnNetwork::Pass::Forward(const Chain& chain,
                              const float* parameters,
                              const float* images,
                              uint32_t n)
{
    outputs.resize(std::size_t(n) * chain.outputs);
    if (chain.heads.empty())
    {
        tape.Forward(images, n, outputs.data());
        return;
    }
    hidden.resize(1 + chain.hidden.size());
    hidden[0].resize(std::size_t(n) * chain.plan.GetOutputs());
    tape.Forward(images, n, hidden[0].data());
    OdcnActivate(chain.activation, hidden[0].data(), hidden[0].size());
    for (std::size_t k = 0; k < chain.hidden.size(); ++k)
    {
        const auto& layer = chain.hidden[k];
        auto& y = hidden[k + 1];
        y.resize(std::size_t(n) * layer.out);
        RunLayer(layer, parameters, hidden[k].data(), n, y.data(), layer.out);
        OdcnActivate(chain.activation, y.data(), y.size());
    }
    float* to = outputs.data();
    for (const auto& head : chain.heads)
    {
        RunLayer(head, parameters, hidden.back().data(), n, to, chain.outputs);
        to += head.out;
    }
}

void
OdcnCnnNetwork::Pass::Backward(const Chain& chain,
                               const float* parameters,
                               std::vector<float> d,
                               uint32_t n)
{
    columns.assign(chain.plan.GetPackedSize(), 0.0F);
    layers.resize(chain.hidden.size() + chain.heads.size());
    if (!chain.heads.empty())
    {
        std::vector<float> dx(hidden.back().size(), 0.0F);
        std::vector<float> own;
        std::size_t first = 0;
        for (std::size_t h = 0; h < chain.heads.size(); ++h)
        {
            const auto& head = chain.heads[h];
            own.clear();
            for (std::size_t i = 0; i < n; ++i)
            {
                const float* row = d.data() + i * chain.outputs + first;
                own.insert(own.end(), row, row + head.out);
            }
            DeriveLayer(head,
                        parameters,
                        hidden.back().data(),
                        own.data(),
                        n,
                        dx.data(),
                        layers[chain.hidden.size() + h]);
            first += head.out;
        }
        for (std::size_t k = chain.hidden.size(); k > 0; --k)
        {
            OdcnDerive(chain.activation, dx.data(), hidden[k].data(), dx.size());
            d = std::exchange(dx, std::vector<float>(hidden[k - 1].size(), 0.0F));
            DeriveLayer(chain.hidden[k - 1],
                        parameters,
                        hidden[k - 1].data(),
                        d.data(),
                        n,
                        dx.data(),
                        layers[k - 1]);
        }
        OdcnDerive(chain.activation, dx.data(), hidden[0].data(), dx.size());
        d = std::move(dx);
    }
    tape.Backward(d.data(), columns.data());
}

OdcnCnnNetwork::Decided&
OdcnCnnNetwork::Recall(Scratch& scratch) const
{
    auto* decided = dynamic_cast<Decided*>(scratch.memory.get());
    if (!decided || decided->stamp != GetStamp())
    {
        auto fresh = std::make_unique<Decided>();
        fresh->stamp = GetStamp();
        fresh->chains = MakeChains();
        fresh->passes.resize(fresh->chains.size());
        for (std::size_t c = 0; c < fresh->chains.size(); ++c)
        {
            fresh->chains[c].plan.Pack(GetParameters().data(), false);
            fresh->passes[c].tape.Begin(fresh->chains[c].plan);
        }
        decided = fresh.get();
        scratch.memory = std::move(fresh);
    }
    for (std::size_t c = 0; c < decided->chains.size(); ++c)
    {
        if (decided->passes[c].tape.IsFull())
        {
            decided->passes[c].tape.Begin(decided->chains[c].plan);
        }
    }
    return *decided;
}

void
OdcnCnnNetwork::Deliver(const float* outputs,
                        const float* others,
                        std::size_t n,
                        float* logits,
                        float* values) const
{
    const std::size_t nActions = GetNActions();
    const std::size_t row = nActions + (m_valueKind == SHARED ? 1 : 0);
    for (std::size_t i = 0; i < n; ++i)
    {
        std::copy_n(outputs + i * row, nActions, logits + i * nActions);
        if (values)
        {
            values[i] = m_valueKind == NONE     ? 0.0F
                        : m_valueKind == SHARED ? outputs[i * row + nActions]
                                                : others[i];
        }
    }
}

void
OdcnCnnNetwork::Infer(const float* observations, uint32_t n, float* logits, Scratch& scratch) const
{
    const float* parameters = GetParameters().data();
    if (!m_policy.layers.empty())
    {
        auto& decided = Recall(scratch);
        auto& pass = decided.passes.front();
        pass.Forward(decided.chains.front(), parameters, observations, n);
        Deliver(pass.outputs.data(), nullptr, n, logits, nullptr);
        return;
    }
    const float* features = Describe(m_policy, observations, n, scratch);
    OdcnDenseForward(m_policy.head, parameters, features, n, logits, scratch.layers);
}

const float*
OdcnCnnNetwork::Describe(const Body& body,
                         const float* observations,
                         uint32_t n,
                         Scratch& scratch) const
{
    if (body.hidden.layers.empty())
    {
        return observations;
    }
    scratch.inputs.resize(std::size_t(n) * body.hidden.GetOutputs());
    OdcnDenseForward(body.hidden,
                     GetParameters().data(),
                     observations,
                     n,
                     scratch.inputs.data(),
                     scratch.layers);
    OdcnActivate(m_hiddenActivation, scratch.inputs.data(), scratch.inputs.size());
    return scratch.inputs.data();
}

void
OdcnCnnNetwork::Evaluate(const float* observations, uint32_t n, float* logits, float* values)
{
    const float* parameters = GetParameters().data();
    if (!m_policy.layers.empty())
    {
        auto& decided = Recall(m_scratch);
        for (std::size_t c = 0; c < decided.chains.size(); ++c)
        {
            decided.passes[c].Forward(decided.chains[c], parameters, observations, n);
        }
        Deliver(decided.passes.front().outputs.data(),
                decided.passes.back().outputs.data(),
                n,
                logits,
                values);
        return;
    }
    const float* features = Describe(m_policy, observations, n, m_scratch);
    OdcnDenseForward(m_policy.head, parameters, features, n, logits, m_scratch.layers);
    if (m_valueKind == NONE)
    {
        std::fill_n(values, n, 0.0F);
        return;
    }
    if (m_valueKind == OWN)
    {
        features = Describe(m_value, observations, n, m_scratch);
    }
    OdcnDenseForward(m_value.head, parameters, features, n, values, m_scratch.layers);
}

uint32_t
OdcnCnnNetwork::GetBatchRows() const
{
    return m_policy.layers.empty() ? OdcnNetwork::GetBatchRows() : BATCH;
}

std::size_t
OdcnCnnNetwork::GetFirstRow(std::size_t shard) const
{
    return m_n * shard / m_passes.size();
}

void
OdcnCnnNetwork::Forward(const float* observations, uint32_t n, float* logits, float* values)
{
    if (m_policy.layers.empty())
    {
        OdcnNetwork::Forward(observations, n, logits, values);
        return;
    }
    if (m_chains.empty())
    {
        m_chains = MakeChains();
    }
    const float* parameters = GetParameters().data();
    ForEach(m_chains.size(),
            [&](std::size_t c, std::size_t) { m_chains[c].plan.Pack(parameters, true); });
    m_n = n;
    m_passes.resize(std::clamp<std::size_t>(n / SHARD_IMAGES, 1, MOST_SHARDS));
    const auto forward = [&](std::size_t shard, std::size_t)
    {
        auto& passes = m_passes[shard];
        passes.resize(m_chains.size());
        const std::size_t first = GetFirstRow(shard);
        const auto rows = static_cast<uint32_t>(GetFirstRow(shard + 1) - first);
        for (std::size_t c = 0; c < passes.size(); ++c)
        {
            passes[c].tape.Begin(m_chains[c].plan);
            passes[c].Forward(m_chains[c],
                              parameters,
                              observations + first * GetObservationSize(),
                              rows);
        }
        Deliver(passes.front().outputs.data(),
                passes.back().outputs.data(),
                rows,
                logits + first * GetNActions(),
                values + first);
    };
    ForEach(m_passes.size(), forward);
}

void
OdcnCnnNetwork::Backward(const float* dLogits, const float* dValues)
{
    if (m_policy.layers.empty())
    {
        OdcnNetwork::Backward(dLogits, dValues);
        return;
    }
    const float* parameters = GetParameters().data();
    const std::size_t nActions = GetNActions();
    const auto backward = [&](std::size_t shard, std::size_t)
    {
        const std::size_t first = GetFirstRow(shard);
        const std::size_t rows = GetFirstRow(shard + 1) - first;
        for (std::size_t c = 0; c < m_chains.size(); ++c)
        {
            const std::size_t outputs = m_chains[c].outputs;
            std::vector<float> d(rows * outputs);
            for (std::size_t i = 0; i < rows; ++i)
            {
                float* row = d.data() + i * outputs;
                if (c == 0)
                {
                    std::copy_n(dLogits + (first + i) * nActions, nActions, row);
                }
                if (c > 0 || m_valueKind == SHARED)
                {
                    row[outputs - 1] = dValues[first + i];
                }
            }
            m_passes[shard][c].Backward(m_chains[c],
                                        parameters,
                                        std::move(d),
                                        static_cast<uint32_t>(rows));
        }
    };
    ForEach(m_passes.size(), backward);
    // In the order of the shards, whoever made them.
    const auto gradient = GetMutableGradient();
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    for (std::size_t c = 0; c < m_chains.size(); ++c)
    {
        const auto& chain = m_chains[c];
        const std::size_t size = chain.plan.GetPackedSize();
        const auto add = [&](std::size_t part, std::size_t)
        {
            float* sum = m_passes[0][c].columns.data();
            for (std::size_t shard = 1; shard < m_passes.size(); ++shard)
            {
                const float* more = m_passes[shard][c].columns.data();
                for (std::size_t i = part * GRAIN; i < std::min(size, (part + 1) * GRAIN); ++i)
                {
                    sum[i] += more[i];
                }
            }
        };
        ForEach((size + GRAIN - 1) / GRAIN, add);
        for (std::size_t k = 0; k < chain.hidden.size() + chain.heads.size(); ++k)
        {
            const auto& layer =
                k < chain.hidden.size() ? chain.hidden[k] : chain.heads[k - chain.hidden.size()];
            float* to = gradient.data() + layer.weight;
            for (const auto& passes : m_passes)
            {
                const auto& more = passes[c].layers[k];
                std::transform(more.begin(), more.end(), to, to, std::plus<float>());
            }
        }
    }
    ForEach(m_chains.size(),
            [&](std::size_t c, std::size_t)
            { m_chains[c].plan.AddUp(m_passes[0][c].columns.data(), gradient.data()); });
}

} // namespace odcn
} // namespace ns3
