// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-mlp-network.h"

#include "ns3/odcn-ns3-compat.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnMlpNetwork);

TypeId
OdcnMlpNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnMlpNetwork")
            .SetParent<OdcnDenseNetwork>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnMlpNetwork>()
            .AddAttribute("HiddenLayers",
                          "Hidden layers of the policy network and of the value network.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&OdcnMlpNetwork::m_hiddenLayers),
                          MakeUintegerChecker<uint32_t>(0, 64))
            .AddAttribute("HiddenUnits",
                          "Units in each hidden layer.",
                          UintegerValue(128),
                          MakeUintegerAccessor(&OdcnMlpNetwork::m_hiddenUnits),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("Activation",
                          "Activation of the hidden layers.",
                          CompatEnumValue<OdcnActivation>(ODCN_ELU),
                          CompatEnumAccessor<OdcnActivation>(&OdcnMlpNetwork::m_activation),
                          MakeEnumChecker(ODCN_ELU, "Elu", ODCN_RELU, "Relu", ODCN_TANH, "Tanh"));
    return tid;
}

void
OdcnMlpNetwork::DoBuild()
{
    const std::vector<uint32_t> hidden(m_hiddenLayers, m_hiddenUnits);
    m_policy = AddStack(GetObservationSize(), hidden, GetNActions(), m_activation);
    m_value = AddStack(GetObservationSize(), hidden, 1, m_activation);
}

void
OdcnMlpNetwork::Describe(const float* observation, float* policy, float* value) const
{
    std::copy_n(observation, GetObservationSize(), policy);
    if (value)
    {
        std::copy_n(observation, GetObservationSize(), value);
    }
}

} // namespace odcn
} // namespace ns3
