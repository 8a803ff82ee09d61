// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file
/// LibTorch, ns-3's module headers and odcn's headers in one program.

#include "ns3/core-module.h"
#include "ns3/odcn-decision-policy.h"

#include <iostream>
#include <torch/torch.h>

using namespace ns3;

int
main()
{
    torch::nn::Linear layer(4, 2);
    auto loss = layer->forward(torch::ones({3, 4})).sum();
    loss.backward();
    std::cout << "gradient " << layer->bias.grad().sum().item<float>() << '\n';
    auto policy = odcn::DecisionPolicy::Create("ns3::odcn::AgentPolicy");
    std::cout << policy->GetInstanceTypeId().GetName() << '\n';
    return 0;
}
