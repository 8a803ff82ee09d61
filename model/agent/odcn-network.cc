// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-network.h"

#include "odcn-thread-team.h"

#include "ns3/log.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/string.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

namespace ns3
{
namespace odcn
{

NS_LOG_COMPONENT_DEFINE("OdcnNetwork");
NS_OBJECT_ENSURE_REGISTERED(OdcnNetwork);

TypeId
OdcnNetwork::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::OdcnNetwork").SetParent<Object>().SetGroupName("Odcn");
    return tid;
}

OdcnNetwork::OdcnNetwork() = default;
OdcnNetwork::~OdcnNetwork() = default;

void
OdcnNetwork::DoDispose()
{
    m_graph.reset();
    m_team.reset();
    Object::DoDispose();
}

Ptr<OdcnNetwork>
OdcnNetwork::Create(const std::string& description)
{
    const auto text = OdcnObjectText::Parse("network", description);
    return Create(text.type, text.attributes);
}

Ptr<OdcnNetwork>
OdcnNetwork::Create(const std::string& type, const std::map<std::string, std::string>& attributes)
{
    const auto object = OdcnObjectText{type, attributes}.Create("network", GetTypeId());
    return DynamicCast<OdcnNetwork>(object);
}

std::map<std::string, std::string>
OdcnNetwork::GetAttributes() const
{
    std::map<std::string, std::string> out;
    for (TypeId tid = GetInstanceTypeId(); tid != OdcnNetwork::GetTypeId(); tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            StringValue value;
            GetAttribute(tid.GetAttribute(i).name, value);
            out[tid.GetAttribute(i).name] = value.Get();
        }
    }
    return out;
}

void
OdcnNetwork::Build(const std::vector<uint32_t>& observationShape,
                   uint32_t nActions,
                   const OdcnGraphObservation* graph)
{
    NS_LOG_FUNCTION(this << nActions);
    NS_ASSERT_MSG(!IsBuilt(), "a network is built once");
    m_observationShape = observationShape;
    m_nActions = nActions;
    m_topology = graph ? std::make_unique<OdcnGraphObservation>(*graph) : nullptr;
    constexpr double MOST = 1 << 24;
    double size = 1.0;
    for (uint32_t n : observationShape)
    {
        size *= n;
    }
    if (nActions == 0 || nActions > MOST || size < 1.0 || size > MOST)
    {
        throw OdcnError("a network needs from 1 to 2^24 actions and observed numbers");
    }
    DoBuild();
    m_gradient.assign(m_parameters.size(), 0.0F);
    m_stamp = std::make_shared<const int>();
}

void
OdcnNetwork::Build(const OdcnDecisionProblem& problem)
{
    Build(problem.GetObservationShape(), problem.GetNActions(), problem.GetGraph());
}

void
OdcnNetwork::RequireFit(const OdcnDecisionProblem& problem) const
{
    if (GetNActions() != problem.GetNActions() ||
        GetObservationSize() != problem.GetObservationSize())
    {
        throw OdcnError("the network is built for " + std::to_string(GetObservationSize()) +
                        " observed numbers and " + std::to_string(GetNActions()) +
                        " actions, the problem has " +
                        std::to_string(problem.GetObservationSize()) + " and " +
                        std::to_string(problem.GetNActions()));
    }
    if (m_topology && (!problem.GetGraph() || *m_topology != *problem.GetGraph()))
    {
        throw OdcnError("the network is built for observations on another graph");
    }
}

bool
OdcnNetwork::IsBuilt() const
{
    return !m_parameters.empty();
}

void
OdcnNetwork::Randomize(uint64_t seed)
{
    // The engine's output is fixed by the C++ standard; its distributions are not, hence by hand.
    std::mt19937_64 engine(seed);
    m_stamp = std::make_shared<const int>();
    for (const auto& layer : m_layers)
    {
        const double bound = 1.0 / std::sqrt(static_cast<double>(layer.in));
        const std::size_t n = std::size_t(layer.in) * layer.out + layer.out;
        for (std::size_t i = 0; i < n; ++i)
        {
            const double u = static_cast<double>(engine() >> 11) * 0x1p-53;
            m_parameters[layer.weight + i] = static_cast<float>(bound * (2.0 * u - 1.0));
        }
    }
}

const std::vector<uint32_t>&
OdcnNetwork::GetObservationShape() const
{
    return m_observationShape;
}

uint32_t
OdcnNetwork::GetObservationSize() const
{
    return std::accumulate(m_observationShape.begin(),
                           m_observationShape.end(),
                           1U,
                           std::multiplies<uint32_t>());
}

const OdcnGraphObservation*
OdcnNetwork::GetGraph() const
{
    return m_topology.get();
}

uint32_t
OdcnNetwork::GetNActions() const
{
    return m_nActions;
}

std::vector<uint32_t>
OdcnNetwork::GetSignature() const
{
    return {GetObservationSize(), m_nActions};
}

std::size_t
OdcnNetwork::GetPolicySize() const
{
    return m_parameters.size();
}

uint32_t
OdcnNetwork::GetShardRows() const
{
    return std::numeric_limits<uint32_t>::max();
}

std::optional<OdcnWeightedSum>
OdcnNetwork::GetWeightedSum() const
{
    return std::nullopt;
}

uint32_t
OdcnNetwork::GetBatchRows() const
{
    return 256;
}

std::shared_ptr<const int>
OdcnNetwork::GetStamp() const
{
    return m_stamp;
}

std::span<const float>
OdcnNetwork::GetParameters() const
{
    return m_parameters;
}

std::span<float>
OdcnNetwork::GetMutableParameters()
{
    m_stamp = std::make_shared<const int>();
    return m_parameters;
}

std::span<const float>
OdcnNetwork::GetGradient() const
{
    return m_gradient;
}

std::span<float>
OdcnNetwork::GetMutableGradient()
{
    return m_gradient;
}

void
OdcnNetwork::SetThreads(std::shared_ptr<OdcnThreadTeam> team)
{
    m_team = std::move(team);
}

std::size_t
OdcnNetwork::GetNThreads() const
{
    return m_team ? m_team->GetSize() : 1;
}

void
OdcnNetwork::ForEach(std::size_t tasks,
                     const std::function<void(std::size_t, std::size_t)>& body) const
{
    if (m_team)
    {
        m_team->Run(tasks, body);
        return;
    }
    for (std::size_t task = 0; task < tasks; ++task)
    {
        body(task, 0);
    }
}

OdcnDenseStack
OdcnNetwork::AddStack(uint32_t inputs,
                      const std::vector<uint32_t>& hidden,
                      uint32_t outputs,
                      OdcnActivation activation)
{
    OdcnDenseStack stack;
    stack.activation = activation;
    std::vector<uint32_t> sizes = hidden;
    sizes.push_back(outputs);
    std::size_t at = m_parameters.size();
    for (uint32_t out : sizes)
    {
        const OdcnDenseLayer layer{inputs, out, at, at + std::size_t(inputs) * out};
        stack.layers.push_back(layer);
        at = layer.bias + out;
        inputs = out;
    }
    if (at > std::size_t(1) << 28)
    {
        throw OdcnError("a network of more than 2^28 parameters is too large");
    }
    m_parameters.resize(at, 0.0F);
    m_layers.insert(m_layers.end(), stack.layers.begin(), stack.layers.end());
    return stack;
}

std::vector<uint32_t>
OdcnParseSizes(const std::string& option, const std::string& text)
{
    std::vector<uint32_t> out;
    for (std::size_t begin = 0; begin < text.size();)
    {
        const auto end = std::min(text.find(',', begin), text.size());
        uint32_t value = 0;
        const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, value);
        if (error != std::errc() || stop != text.data() + end || value < 1 || value > 65536 ||
            end + 1 == text.size())
        {
            throw OdcnError::InOption(option, text, "sizes between commas, e.g. 64,64");
        }
        out.push_back(value);
        begin = end + 1;
    }
    return out;
}

} // namespace odcn
} // namespace ns3
