// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-drop-cause.h"

#include <algorithm>

namespace ns3::odcn
{

const char*
OcsDropCauseName(OcsDropCause cause)
{
    static constexpr std::array<const char*, OCS_DROP_CAUSES> names{"dark",
                                                                    "no-circuit",
                                                                    "port-failed",
                                                                    "cut",
                                                                    "queue-overflow",
                                                                    "misrouted",
                                                                    "fiber-cut",
                                                                    "reboot"};
    return names.at(static_cast<std::size_t>(cause));
}

std::string
OcsDropCauseColumn(OcsDropCause cause)
{
    std::string name = OcsDropCauseName(cause);
    std::replace(name.begin(), name.end(), '-', '_');
    return "dropped_" + name;
}

std::ostream&
operator<<(std::ostream& os, OcsDropCause cause)
{
    return os << OcsDropCauseName(cause);
}

std::ostream&
operator<<(std::ostream& os, const OcsDropCounts& counts)
{
    os << counts.Total() << " dropped";
    for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
    {
        if (counts.packets[i] > 0)
        {
            os << ", " << static_cast<OcsDropCause>(i) << ": " << counts.packets[i];
        }
    }
    return os;
}

} // namespace ns3::odcn
