// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-size.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <cmath>
#include <limits>

namespace ns3::odcn
{

void
FabricSize::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("Network");
    cmd.AddRange("racks", "Number of racks, a multiple of uplinks for rotors", racks, 2U, 4096U);
    cmd.AddRange("servers", "Servers of a rack", servers, 1U, 64U);
    cmd.AddRange("uplinks", "Uplinks of a rack", uplinks, 1U, 64U);
    cmd.AddRange("gbps", "Rate of all links, Gb/s", gbps, 1.0, 1000.0);
    cmd.AddRange("slot", "Time between reconfigurations of a schedule, us", slot, 1.0, 1e6);
    cmd.AddRange("dark", "Dark time of a reconfiguration, us", dark, 0.0, 1e6);
    cmd.AddRange("delay", "Propagation from rack to rack, ns", delay, 0.0, 1e6);
}

void
FabricSize::Check(const std::string& prefix) const
{
    const auto check = [&](const char* name, double value, bool sound, const char* expected)
    {
        if (!sound || !std::isfinite(value))
        {
            throw OdcnError::InOption(prefix + name, FormatNumber(value), expected);
        }
    };
    check("racks", racks, racks >= 2, "2 or more");
    check("servers", servers, servers >= 1, "1 or more");
    check("uplinks", uplinks, uplinks >= 1, "1 or more");
    check("gbps", gbps, gbps > 0, "a rate above 0");
    check("slot", slot, slot > 0, "a time above 0");
    check("dark", dark, dark >= 0, "a time of 0 or more");
    check("delay", delay, delay >= 0, "a time of 0 or more");
    check("serverGbps", serverGbps, serverGbps >= 0, "a rate, or 0 for that of all links");
    check("dark", dark, dark < slot, ("less than " + prefix + "slot").c_str());
}

std::string
FabricSize::Describe() const
{
    PlainStream os;
    os.precision(std::numeric_limits<double>::digits10); // as given
    os << racks << " racks of " << servers << " servers, " << uplinks << " uplinks, " << gbps
       << " Gb/s, slots of " << slot << " us, dark " << dark << " us";
    return os.str();
}

} // namespace ns3::odcn
