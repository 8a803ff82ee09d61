// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-graph-sage-network.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace odcn
{

namespace
{

/**
 * y = x W + b.
 * @param x [n][in]
 * @param n number of rows
 * @param in number of inputs
 * @param w W, [in][out]
 * @param step from a row of it to the next
 * @param b [out]
 * @param out number of outputs
 * @param [out] y [n][out]
 * @param fused as for OdcnMultiply()
 */
void
Affine(const float* x,
       std::size_t n,
       std::size_t in,
       const float* w,
       std::size_t step,
       const float* b,
       std::size_t out,
       float* y,
       bool fused)
{
    OdcnMultiply({x, in, 1, w, step, b, y, out, n, in, out}, fused);
}

} // namespace

uint32_t
OdcnGraphSageNetwork::GetNodeInputs() const
{
    return (m_inputs == RELATIVE ? 2 : 1) * GetGraph()->nodeFeatures;
}

void
OdcnGraphSageNetwork::DescribeNodes(const float* observation, float* out) const
{
    const auto& graph = *GetGraph();
    const uint32_t features = graph.nodeFeatures;
    const uint32_t width = GetNodeInputs();
    const float* x = graph.GetNodes(observation);
    for (uint32_t v = 0; v < graph.nodes; ++v)
    {
        std::copy_n(x + std::size_t(v) * features, features, out + std::size_t(v) * width);
        std::fill_n(out + std::size_t(v) * width + features, width - features, 0.0F);
    }
    for (uint32_t f = 0; f < features && m_inputs == RELATIVE; ++f)
    {
        float least = x[std::size_t(graph.candidates.front()) * features + f];
        float greatest = least;
        for (const uint32_t v : graph.candidates)
        {
            least = std::min(least, x[std::size_t(v) * features + f]);
            greatest = std::max(greatest, x[std::size_t(v) * features + f]);
        }
        for (const uint32_t v : graph.candidates)
        {
            const float above = x[std::size_t(v) * features + f] - least;
            out[std::size_t(v) * width + features + f] =
                greatest > least ? above / (greatest - least) : 0.0F;
        }
    }
}

bool
OdcnGraphSageNetwork::IsChosen(const float* observation, uint32_t node) const
{
    const auto& graph = *GetGraph();
    return graph.chosenFeature != OdcnGraphObservation::NO_FEATURE &&
           observation[std::size_t(node) * graph.nodeFeatures + graph.chosenFeature] > 0.5F;
}

void
OdcnGraphSageNetwork::TakeMeanOfChosen(const float* observation,
                                       const float* nodes,
                                       float* mean) const
{
    std::fill_n(mean, m_units, 0.0F);
    uint32_t chosen = 0;
    for (uint32_t v = 0; v < GetGraph()->nodes; ++v)
    {
        if (IsChosen(observation, v))
        {
            ++chosen;
            for (uint32_t c = 0; c < m_units; ++c)
            {
                mean[c] += nodes[std::size_t(v) * m_units + c];
            }
        }
    }
    for (uint32_t c = 0; c < m_units && chosen > 0; ++c)
    {
        mean[c] /= static_cast<float>(chosen);
    }
}

void
OdcnGraphSageNetwork::GiveToChosen(const float* observation,
                                   const float* dMean,
                                   float* dNodes) const
{
    uint32_t chosen = 0;
    for (uint32_t v = 0; v < GetGraph()->nodes; ++v)
    {
        chosen += IsChosen(observation, v) ? 1 : 0;
    }
    for (uint32_t v = 0; v < GetGraph()->nodes && chosen > 0; ++v)
    {
        for (uint32_t c = 0; c < m_units && IsChosen(observation, v); ++c)
        {
            dNodes[std::size_t(v) * m_units + c] += dMean[c] / static_cast<float>(chosen);
        }
    }
}

OdcnMessages
OdcnGraphSageNetwork::GetMessages(const Body& body,
                                  std::size_t layer,
                                  const float* observation,
                                  const float* kept) const
{
    const auto& graph = *GetGraph();
    const auto& dense = body.layers[layer].layers.front();
    return {graph.nodes,
            m_units,
            graph.linkFeatures,
            graph.offsets.data(),
            graph.neighbours.data(),
            graph.linkOf.data(),
            m_scale.data(),
            graph.GetLinks(observation),
            GetParameters().data() + dense.weight +
                std::size_t(dense.in - graph.linkFeatures) * m_units,
            kept + body.sent[layer]};
}

void
OdcnGraphSageNetwork::RunBody(const Body& body,
                              const float* observation,
                              float* kept,
                              bool fused) const
{
    const auto& graph = *GetGraph();
    const float* parameters = GetParameters().data();
    const float* x = kept + m_nodes;
    for (std::size_t k = 0; k < body.layers.size(); ++k)
    {
        const auto& dense = body.layers[k].layers.front();
        // The link's share is added to each message: W [x, e] + b = (W x + b) + W e.
        const std::size_t in = dense.in - graph.linkFeatures;
        Affine(x,
               graph.nodes,
               in,
               parameters + dense.weight,
               m_units,
               parameters + dense.bias,
               m_units,
               kept + body.sent[k],
               fused);
        OdcnGather(GetMessages(body, k, observation, kept), kept + body.got[k]);
        x = kept + body.got[k];
    }
    // A little more than the square: a node may have got nothing.
    constexpr float LEAST = 1e-12F;
    for (uint32_t v = 0; v < graph.nodes; ++v)
    {
        float* h = kept + body.got.back() + std::size_t(v) * m_units;
        const double square = OdcnSumOfSquares(h, m_units);
        const float inverse = 1.0F / std::sqrt(static_cast<float>(square) + LEAST);
        kept[body.inverse + v] = inverse;
        for (uint32_t c = 0; c < m_units; ++c)
        {
            h[c] *= inverse;
        }
    }
}

void
OdcnGraphSageNetwork::DeriveBody(const Body& body,
                                 const float* observation,
                                 Work& work,
                                 float* gradient) const
{
    const auto& graph = *GetGraph();
    const float* kept = work.kept.data();
    float* d = work.dNodes.data();
    for (uint32_t v = 0; v < graph.nodes; ++v)
    {
        const float* y = kept + body.got.back() + std::size_t(v) * m_units;
        float* dy = d + std::size_t(v) * m_units;
        float along = 0.0F;
        for (uint32_t c = 0; c < m_units; ++c)
        {
            along += y[c] * dy[c];
        }
        for (uint32_t c = 0; c < m_units; ++c)
        {
            dy[c] = kept[body.inverse + v] * (dy[c] - along * y[c]);
        }
    }
    for (std::size_t k = body.layers.size(); k-- > 0;)
    {
        const auto& dense = body.layers[k].layers.front();
        const uint32_t in = dense.in - graph.linkFeatures;
        float* dz = work.d[0].data();
        OdcnGatherBackward(GetMessages(body, k, observation, kept),
                           d,
                           dz,
                           gradient + dense.weight + std::size_t(in) * m_units);
        OdcnLayerBackward(in,
                          m_units,
                          kept + (k > 0 ? body.got[k - 1] : m_nodes),
                          dz,
                          graph.nodes,
                          nullptr,
                          gradient + dense.weight,
                          gradient + dense.bias);
        if (k > 0)
        {
            Affine(dz,
                   graph.nodes,
                   m_units,
                   m_transposed.data() + dense.weight,
                   dense.in,
                   m_zeros.data(),
                   in,
                   d,
                   true);
        }
    }
}

void
OdcnGraphSageNetwork::RunHead(const Head& head,
                              std::size_t layer,
                              std::size_t rows,
                              float* kept,
                              bool fused) const
{
    const float* parameters = GetParameters().data();
    for (std::size_t k = layer; k < head.stack.layers.size(); ++k)
    {
        const auto& dense = head.stack.layers[k];
        float* y = kept + head.places[k + 1];
        Affine(kept + head.places[k],
               rows,
               dense.in,
               parameters + dense.weight,
               dense.out,
               parameters + dense.bias,
               dense.out,
               y,
               fused);
        if (k + 1 < head.stack.layers.size())
        {
            OdcnActivate(head.stack.activation, y, rows * dense.out);
        }
    }
}

const float*
OdcnGraphSageNetwork::DeriveHead(const Head& head,
                                 std::size_t layer,
                                 std::size_t rows,
                                 const float* d,
                                 Work& work,
                                 float* gradient) const
{
    for (std::size_t k = head.stack.layers.size(); k-- > layer;)
    {
        const auto& dense = head.stack.layers[k];
        const float* x = work.kept.data() + head.places[k];
        OdcnLayerBackward(dense.in,
                          dense.out,
                          x,
                          d,
                          rows,
                          nullptr,
                          gradient + dense.weight,
                          gradient + dense.bias);
        float* dx = work.d[k % 2].data();
        Affine(d,
               rows,
               dense.out,
               m_transposed.data() + dense.weight,
               dense.in,
               m_zeros.data(),
               dense.in,
               dx,
               true);
        if (k > 0)
        {
            OdcnDerive(head.stack.activation, dx, x, rows * dense.in);
        }
        d = dx;
    }
    return d;
}

void
OdcnGraphSageNetwork::RunOne(const float* observation,
                             float* kept,
                             bool fused,
                             float* logits,
                             float* value) const
{
    const auto& graph = *GetGraph();
    const float* parameters = GetParameters().data();
    const std::size_t candidates = graph.candidates.size();
    DescribeNodes(observation, kept + m_nodes);
    RunBody(m_policyBody, observation, kept, fused);
    const float* nodes = kept + m_policyBody.got.back();

    std::copy_n(graph.GetGlobals(observation), graph.globals, kept + m_global.places.front());
    RunHead(m_global, 0, 1, kept, fused);
    const uint32_t globals = m_global.stack.GetOutputs();
    TakeMeanOfChosen(observation, nodes, kept + m_whole + globals);

    // What is the same for all candidates enters the first layer of DNN_2 once.
    const auto& first = m_policy.stack.layers.front();
    const std::size_t whole = globals + m_units;
    Affine(kept + m_whole,
           1,
           whole,
           parameters + first.weight,
           first.out,
           parameters + first.bias,
           first.out,
           kept + m_base,
           fused);
    float* rows = kept + m_policy.places[0];
    for (std::size_t a = 0; a < candidates; ++a)
    {
        std::copy_n(nodes + std::size_t(graph.candidates[a]) * m_units,
                    m_units,
                    rows + a * m_units);
    }
    float* y = kept + m_policy.places[1];
    Affine(rows,
           candidates,
           m_units,
           parameters + first.weight + whole * first.out,
           first.out,
           kept + m_base,
           first.out,
           y,
           fused);
    if (m_policy.stack.layers.size() > 1)
    {
        OdcnActivate(m_policy.stack.activation, y, candidates * first.out);
        RunHead(m_policy, 1, candidates, kept, fused);
    }
    std::copy_n(kept + m_policy.places.back(), candidates, logits);
    if (!value)
    {
        return;
    }

    RunBody(m_valueBody, observation, kept, fused);
    nodes = kept + m_valueBody.got.back();
    float* in = kept + m_value.places.front();
    std::copy_n(graph.GetGlobals(observation), graph.globals, in);
    float* mean = in + graph.globals;
    std::fill_n(mean, m_units, 0.0F);
    for (const uint32_t v : graph.candidates)
    {
        for (uint32_t c = 0; c < m_units; ++c)
        {
            mean[c] += nodes[std::size_t(v) * m_units + c];
        }
    }
    for (uint32_t c = 0; c < m_units; ++c)
    {
        mean[c] /= static_cast<float>(candidates);
    }
    TakeMeanOfChosen(observation, nodes, mean + m_units);
    RunHead(m_value, 0, 1, kept, fused);
    *value = kept[m_value.places.back()];
}

void
OdcnGraphSageNetwork::DeriveOne(const float* observation,
                                const float* dLogits,
                                float dValue,
                                Work& work,
                                float* gradient) const
{
    const auto& graph = *GetGraph();
    const std::size_t candidates = graph.candidates.size();
    const std::size_t embeddings = std::size_t(graph.nodes) * m_units;
    const float* kept = work.kept.data();
    float* dNodes = work.dNodes.data();
    float* dWhole = work.dWhole.data();

    const auto& first = m_policy.stack.layers.front();
    const uint32_t globals = m_global.stack.GetOutputs();
    const uint32_t whole = globals + m_units;
    const float* d = DeriveHead(m_policy, 1, candidates, dLogits, work, gradient);
    OdcnLayerBackward(m_units,
                      first.out,
                      kept + m_policy.places[0],
                      d,
                      candidates,
                      nullptr,
                      gradient + first.weight + std::size_t(whole) * first.out,
                      nullptr);
    // Of layer 0, so never where d lies.
    float* dRows = work.d[0].data();
    const float* turned = m_transposed.data() + first.weight;
    Affine(d,
           candidates,
           first.out,
           turned + whole,
           first.in,
           m_zeros.data(),
           m_units,
           dRows,
           true);
    std::fill_n(dNodes, embeddings, 0.0F);
    for (std::size_t a = 0; a < candidates; ++a)
    {
        for (uint32_t c = 0; c < m_units; ++c)
        {
            dNodes[std::size_t(graph.candidates[a]) * m_units + c] += dRows[a * m_units + c];
        }
    }
    const float one = 1.0F;
    float* dBase = dRows;
    OdcnMultiply({&one, 0, 0, d, first.out, m_zeros.data(), dBase, 0, 1, candidates, first.out},
                 true);
    OdcnLayerBackward(whole,
                      first.out,
                      kept + m_whole,
                      dBase,
                      1,
                      nullptr,
                      gradient + first.weight,
                      gradient + first.bias);
    Affine(dBase, 1, first.out, turned, first.in, m_zeros.data(), whole, dWhole, true);
    GiveToChosen(observation, dWhole + globals, dNodes);
    DeriveHead(m_global, 0, 1, dWhole, work, gradient);
    DeriveBody(m_policyBody, observation, work, gradient);

    const float* dIn = DeriveHead(m_value, 0, 1, &dValue, work, gradient) + graph.globals;
    std::fill_n(dNodes, embeddings, 0.0F);
    for (const uint32_t v : graph.candidates)
    {
        for (uint32_t c = 0; c < m_units; ++c)
        {
            dNodes[std::size_t(v) * m_units + c] += dIn[c] / static_cast<float>(candidates);
        }
    }
    GiveToChosen(observation, dIn + m_units, dNodes);
    DeriveBody(m_valueBody, observation, work, gradient);
}

void
OdcnGraphSageNetwork::Infer(const float* observations,
                            uint32_t n,
                            float* logits,
                            Scratch& scratch) const
{
    if (scratch.layers.size() < m_keptSize)
    {
        scratch.layers.resize(m_keptSize);
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        RunOne(observations + std::size_t(i) * GetObservationSize(),
               scratch.layers.data(),
               false,
               logits + std::size_t(i) * GetNActions(),
               nullptr);
    }
}

uint32_t
OdcnGraphSageNetwork::GetShards(uint32_t n)
{
    constexpr uint32_t MIN_ROWS = 8;
    constexpr uint32_t MOST = 16;
    return std::clamp(n / MIN_ROWS, 1U, MOST);
}

void
OdcnGraphSageNetwork::Evaluate(const float* observations, uint32_t n, float* logits, float* values)
{
    Run(observations, n, false, logits, values);
}

void
OdcnGraphSageNetwork::Run(const float* observations,
                          uint32_t n,
                          bool fused,
                          float* logits,
                          float* values)
{
    // Also what Backward() needs: whoever works there need not have worked here.
    m_work.resize(GetNThreads());
    for (auto& work : m_work)
    {
        work.kept.resize(m_keptSize);
        work.logits.resize(GetNActions());
        for (auto* d : {&work.d[0], &work.d[1], &work.dNodes, &work.dWhole})
        {
            d->resize(m_widest);
        }
    }
    const uint32_t shards = GetShards(n);
    const auto shard = [&](std::size_t task, std::size_t worker)
    {
        float* kept = m_work[worker].kept.data();
        for (std::size_t i = n * task / shards; i < n * (task + 1) / shards; ++i)
        {
            RunOne(observations + i * GetObservationSize(),
                   kept,
                   fused,
                   logits + i * GetNActions(),
                   values + i);
        }
    };
    ForEach(shards, shard);
}

void
OdcnGraphSageNetwork::Forward(const float* observations, uint32_t n, float* logits, float* values)
{
    m_n = n;
    m_observations.assign(observations, observations + std::size_t(n) * GetObservationSize());
    Run(observations, n, true, logits, values);
}

void
OdcnGraphSageNetwork::Backward(const float* dLogits, const float* dValues)
{
    const auto all = GetMutableGradient();
    m_transposed.resize(all.size());
    const auto turn = [this](const OdcnDenseStack& stack)
    {
        for (const auto& layer : stack.layers)
        {
            OdcnTranspose(GetParameters().data() + layer.weight,
                          layer.in,
                          layer.out,
                          m_transposed.data() + layer.weight);
        }
    };
    for (const auto* body : {&m_policyBody, &m_valueBody})
    {
        std::for_each(body->layers.begin(), body->layers.end(), turn);
    }
    for (const auto* head : {&m_global, &m_policy, &m_value})
    {
        turn(head->stack);
    }
    const uint32_t shards = GetShards(m_n);
    m_shards.resize(shards);
    const auto shard = [&](std::size_t task, std::size_t worker)
    {
        auto& work = m_work[worker];
        auto& gradient = m_shards[task];
        gradient.assign(all.size(), 0.0F);
        for (std::size_t i = m_n * task / shards; i < m_n * (task + 1) / shards; ++i)
        {
            // Made again rather than kept: it would not fit the cache for a whole batch.
            const float* observation = m_observations.data() + i * GetObservationSize();
            const float* d = dLogits + i * GetNActions();
            float value = 0.0F;
            RunOne(observation, work.kept.data(), true, work.logits.data(), &value);
            DeriveOne(observation, d, dValues[i], work, gradient.data());
        }
    };
    ForEach(shards, shard);
    std::copy(m_shards[0].begin(), m_shards[0].end(), all.begin());
    for (uint32_t s = 1; s < shards; ++s)
    {
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            all[i] += m_shards[s][i];
        }
    }
}

} // namespace odcn
} // namespace ns3
