// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-dense-network.h"

#include "odcn-thread-team.h"

#include <algorithm>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnDenseNetwork);

namespace
{

/// Parameters whose gradient one task adds up.
constexpr std::size_t SUM_TASK = 1 << 15;

/// @param buffer is made large enough  @param n floats  @return it
float*
Room(std::vector<float>& buffer, std::size_t n)
{
    if (buffer.size() < n)
    {
        buffer.resize(n);
    }
    return buffer.data();
}

} // namespace

TypeId
OdcnDenseNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnDenseNetwork").SetParent<OdcnNetwork>().SetGroupName("Odcn");
    return tid;
}

std::size_t
OdcnDenseNetwork::GetPolicySize() const
{
    return m_value.layers.front().weight;
}

void
OdcnDenseNetwork::Infer(const float* observations,
                        uint32_t n,
                        float* logits,
                        Scratch& scratch) const
{
    const uint32_t rows = GetPolicyRows();
    const std::size_t one = std::size_t(rows) * m_policy.GetInputs();
    float* inputs = Room(scratch.inputs, one * n);
    for (uint32_t i = 0; i < n; ++i)
    {
        Describe(observations + std::size_t(i) * GetObservationSize(), inputs + i * one, nullptr);
    }
    OdcnDenseForward(m_policy, GetParameters().data(), inputs, n * rows, logits, scratch.layers);
}

void
OdcnDenseNetwork::Evaluate(const float* observations, uint32_t n, float* logits, float* values)
{
    const uint32_t rows = GetPolicyRows();
    const std::size_t one = std::size_t(rows) * m_policy.GetInputs();
    const std::size_t pooled = m_value.GetInputs();
    std::vector<float> policy(one * n);
    std::vector<float> value(pooled * n);
    std::vector<float> scratch;
    for (uint32_t i = 0; i < n; ++i)
    {
        Describe(observations + std::size_t(i) * GetObservationSize(),
                 policy.data() + i * one,
                 value.data() + i * pooled);
    }
    const float* parameters = GetParameters().data();
    OdcnDenseForward(m_policy, parameters, policy.data(), n * rows, logits, scratch);
    OdcnDenseForward(m_value, parameters, value.data(), n, values, scratch);
}

void
OdcnDenseNetwork::Forward(const float* observations, uint32_t n, float* logits, float* values)
{
    const uint32_t rows = GetPolicyRows();
    m_policyTape.Begin(m_policy, n * rows);
    m_valueTape.Begin(m_value, n);
    // The inputs of both stacks are made together: cut by observations, not by rows.
    const uint32_t shards = m_valueTape.GetShards();
    const auto describe = [&](std::size_t shard, std::size_t)
    {
        const uint32_t end = m_valueTape.GetFirstRow(shard + 1);
        for (uint32_t i = m_valueTape.GetFirstRow(shard); i < end; ++i)
        {
            Describe(observations + std::size_t(i) * GetObservationSize(),
                     m_policyTape.GetInputs() + std::size_t(i) * rows * m_policy.GetInputs(),
                     m_valueTape.GetInputs() + std::size_t(i) * m_value.GetInputs());
        }
    };
    ForEach(shards, describe);
    const auto forward = [&](std::size_t task, std::size_t)
    {
        const uint32_t policyShards = m_policyTape.GetShards();
        const float* parameters = GetParameters().data();
        if (task < policyShards)
        {
            m_policyTape.Forward(task, parameters);
        }
        else
        {
            m_valueTape.Forward(task - policyShards, parameters);
        }
    };
    ForEach(m_policyTape.GetShards() + shards, forward);
    std::copy_n(m_policyTape.GetOutputs(), std::size_t(n) * GetNActions(), logits);
    std::copy_n(m_valueTape.GetOutputs(), n, values);
}

void
OdcnDenseNetwork::Backward(const float* dLogits, const float* dValues)
{
    float* gradient = GetMutableGradient().data();
    const uint32_t policyShards = m_policyTape.GetShards();
    const auto backward = [&](std::size_t task, std::size_t)
    {
        if (task < policyShards)
        {
            m_policyTape.Backward(task, dLogits, gradient);
        }
        else
        {
            m_valueTape.Backward(task - policyShards, dValues, gradient);
        }
    };
    ForEach(policyShards + m_valueTape.GetShards(), backward);
    const std::size_t policyTasks = (m_policyTape.GetNParameters() + SUM_TASK - 1) / SUM_TASK;
    const std::size_t valueTasks = (m_valueTape.GetNParameters() + SUM_TASK - 1) / SUM_TASK;
    const auto addUp = [&](std::size_t task, std::size_t)
    {
        const bool policy = task < policyTasks;
        const auto& tape = policy ? m_policyTape : m_valueTape;
        const std::size_t from = (policy ? task : task - policyTasks) * SUM_TASK;
        tape.AddUp(from, std::min(from + SUM_TASK, tape.GetNParameters()), gradient);
    };
    if (policyTasks + valueTasks > 2 && policyShards > 1)
    {
        ForEach(policyTasks + valueTasks, addUp);
        return;
    }
    // Less work than waking a thread is.
    for (std::size_t task = 0; task < policyTasks + valueTasks; ++task)
    {
        addUp(task, 0);
    }
}

} // namespace odcn
} // namespace ns3
