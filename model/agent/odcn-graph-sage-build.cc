// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-graph-sage-network.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnGraphSageNetwork);

TypeId
OdcnGraphSageNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnGraphSageNetwork")
            .SetParent<OdcnNetwork>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnGraphSageNetwork>()
            .AddAttribute("Inputs",
                          "By what a node is told: its own features, or also how they stand among "
                          "those of the candidates.",
                          CompatEnumValue<Inputs>(Inputs::OWN),
                          CompatEnumAccessor<Inputs>(&OdcnGraphSageNetwork::m_inputs),
                          MakeEnumChecker(Inputs::OWN, "Own", Inputs::RELATIVE, "Relative"))
            .AddAttribute("Layers",
                          "Layers of messages: how many hops away a node is known.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&OdcnGraphSageNetwork::m_nLayers),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("Units",
                          "Numbers of an embedding.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&OdcnGraphSageNetwork::m_units),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("GlobalSizes",
                          "Units of each layer of DNN_1, between commas.",
                          StringValue("8,8"),
                          MakeStringAccessor(&OdcnGraphSageNetwork::m_globalSizes),
                          MakeStringChecker())
            .AddAttribute("Hidden",
                          "Units of each hidden layer of DNN_2, between commas.",
                          StringValue("32"),
                          MakeStringAccessor(&OdcnGraphSageNetwork::m_hidden),
                          MakeStringChecker())
            .AddAttribute("ValueHidden",
                          "Units of each hidden layer of the value's stack, between commas.",
                          StringValue("64"),
                          MakeStringAccessor(&OdcnGraphSageNetwork::m_valueHidden),
                          MakeStringChecker());
    return tid;
}

std::size_t
OdcnGraphSageNetwork::AddPlace(std::size_t floats)
{
    // Whole cache lines.
    constexpr std::size_t LINE = 16;
    const std::size_t at = m_keptSize;
    m_keptSize += (floats + LINE - 1) / LINE * LINE;
    m_widest = std::max(m_widest, floats);
    return at;
}

OdcnGraphSageNetwork::Body
OdcnGraphSageNetwork::AddBody()
{
    const auto& graph = *GetGraph();
    Body body;
    for (uint32_t k = 0; k < m_nLayers; ++k)
    {
        const uint32_t in = k == 0 ? GetNodeInputs() : m_units;
        body.layers.push_back(AddStack(in + graph.linkFeatures, {}, m_units, ODCN_RELU));
        body.sent.push_back(AddPlace(std::size_t(graph.nodes) * m_units));
        body.got.push_back(AddPlace(std::size_t(graph.nodes) * m_units));
    }
    body.inverse = AddPlace(graph.nodes);
    return body;
}

void
OdcnGraphSageNetwork::DoBuild()
{
    const auto* graph = GetGraph();
    if (!graph)
    {
        throw OdcnError("OdcnGraphSageNetwork: the observations of this problem are no graph");
    }
    if (graph->GetSize() != GetObservationSize() || graph->candidates.size() != GetNActions() ||
        graph->nodeFeatures == 0 || graph->globals == 0)
    {
        throw OdcnError("OdcnGraphSageNetwork: the graph has " + std::to_string(graph->GetSize()) +
                        " numbers (of nodes, links and the whole) and " +
                        std::to_string(graph->candidates.size()) + " candidates, the problem has " +
                        std::to_string(GetObservationSize()) + " and " +
                        std::to_string(GetNActions()));
    }
    for (uint32_t v = 0; v < graph->nodes; ++v)
    {
        m_scale.push_back(1.0F / static_cast<float>(1 + graph->offsets[v + 1] - graph->offsets[v]));
    }
    const auto addHead = [this](uint32_t in, std::vector<uint32_t> sizes, std::size_t rows)
    {
        Head head;
        const uint32_t out = sizes.back();
        sizes.pop_back();
        head.stack = AddStack(in, sizes, out, ODCN_RELU);
        head.places.push_back(AddPlace(rows * in));
        for (const auto& layer : head.stack.layers)
        {
            head.places.push_back(AddPlace(rows * layer.out));
        }
        return head;
    };
    m_nodes = AddPlace(std::size_t(graph->nodes) * GetNodeInputs());
    m_policyBody = AddBody();
    auto sizes = OdcnParseSizes("GlobalSizes", m_globalSizes);
    if (sizes.empty())
    {
        throw OdcnError::InOption("GlobalSizes", m_globalSizes, "sizes between commas, e.g. 8,8");
    }
    m_global = addHead(graph->globals, sizes, 1);
    m_whole = AddPlace(sizes.back() + m_units);
    m_global.places.back() = m_whole;
    auto hidden = OdcnParseSizes("Hidden", m_hidden);
    hidden.push_back(1);
    m_policy = addHead(sizes.back() + 2 * m_units, hidden, GetNActions());
    m_base = AddPlace(hidden.front());
    m_valueBody = AddBody();
    hidden = OdcnParseSizes("ValueHidden", m_valueHidden);
    hidden.push_back(1);
    m_value = addHead(graph->globals + 2 * m_units, hidden, 1);
    m_zeros.assign(m_widest, 0.0F);
}

std::vector<uint32_t>
OdcnGraphSageNetwork::GetSignature() const
{
    const auto& graph = *GetGraph();
    return {graph.nodeFeatures, graph.linkFeatures, graph.globals, graph.chosenFeature};
}

std::size_t
OdcnGraphSageNetwork::GetPolicySize() const
{
    return m_valueBody.layers.front().layers.front().weight;
}

} // namespace odcn
} // namespace ns3
