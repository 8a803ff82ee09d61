// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fault-tally.h"

namespace ns3::odcn
{

void
FaultTally::Start(Time now)
{
    m_started = now;
    for (Kind& kind : m_kinds)
    {
        kind.since = now;
    }
}

bool
FaultTally::Count(const Key& key, bool failed)
{
    uint32_t& count = m_counts[key];
    count = failed ? count + 1 : count - 1;
    const bool changes = count == (failed ? 1 : 0);
    if (count == 0)
    {
        m_counts.erase(key);
    }
    return changes;
}

bool
FaultTally::Change(const Fault& fault, bool failed, Time now)
{
    Kind& kind = Find(fault.part);
    kind.faults += failed;
    if (!Count({static_cast<int>(fault.part), fault.first, fault.second}, failed))
    {
        return false;
    }
    kind.downTime = GetDownTime(kind, now);
    kind.since = now;
    failed ? ++kind.down : --kind.down;
    return true;
}

double
FaultTally::GetDownTime(const Kind& kind, Time now)
{
    return kind.downTime + double(kind.down) * (now - kind.since).GetSeconds();
}

double
FaultTally::GetAvailability(FaultPart part, Time now) const
{
    const Kind& kind = Find(part);
    uint64_t parts = 0;
    for (const uint32_t size : kind.sizes)
    {
        parts += size;
    }
    const double passed = (now - m_started).GetSeconds() * double(parts);
    return passed > 0 ? 1 - GetDownTime(kind, now) / passed : 1;
}

} // namespace ns3::odcn
