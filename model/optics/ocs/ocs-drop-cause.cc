// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-drop-cause.h"

namespace ns3::odcn
{

const char*
OcsDropCauseName(OcsDropCause cause)
{
    switch (cause)
    {
    case OcsDropCause::DARK:
        return "dark";
    case OcsDropCause::NO_CIRCUIT:
        return "no-circuit";
    case OcsDropCause::PORT_FAILED:
        return "port-failed";
    case OcsDropCause::CUT:
        return "cut";
    case OcsDropCause::QUEUE_OVERFLOW:
        return "queue-overflow";
    case OcsDropCause::FIBER_CUT:
        return "fiber-cut";
    case OcsDropCause::REBOOT:
        return "reboot";
    case OcsDropCause::MISROUTED:
        break;
    }
    return "misrouted";
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
