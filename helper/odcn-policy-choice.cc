// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-policy-choice.h"

#include "odcn-command-line.h"

#include "ns3/odcn-object-text.h"

#include <filesystem>

namespace ns3
{
namespace odcn
{

std::string
OdcnAddAttributes(const std::string& words, const std::string& more)
{
    const auto added = OdcnObjectText::Parse("policy", more).attributes;
    if (added.empty())
    {
        return words;
    }
    auto text = OdcnObjectText::Parse("policy", words);
    for (const auto& [name, value] : added)
    {
        text.attributes[name] = value;
    }
    const std::string all = text.Write();
    OdcnDecisionPolicy::Create(all);
    return all;
}

std::string
OdcnSetCheckpoint(std::string& words, const std::string& file)
{
    auto text = OdcnObjectText::Parse("policy", words);
    if (text.type != ODCN_AGENT_POLICY)
    {
        return "";
    }
    const auto checkpoint = text.attributes.emplace("Checkpoint", file).first->second;
    OdcnCommandLine::Check(std::filesystem::is_regular_file(checkpoint),
                           "checkpoint",
                           checkpoint,
                           "the file of an agent");
    words = text.Write();
    return checkpoint;
}

} // namespace odcn
} // namespace ns3
