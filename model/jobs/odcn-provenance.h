// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PROVENANCE_H
#define ODCN_PROVENANCE_H

#include <map>
#include <string>

namespace ns3::odcn
{

/// @param provenance of a trained policy, texts by name  @return a line for each, for its Attribute
/// Provenance
inline std::string
FormatProvenance(const std::map<std::string, std::string>& provenance)
{
    std::string text;
    for (const auto& [name, value] : provenance)
    {
        text += (text.empty() ? "" : "\n") + name + ": " + value;
    }
    return text;
}

} // namespace ns3::odcn

#endif /* ODCN_PROVENANCE_H */
