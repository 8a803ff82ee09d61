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
    // Rates and times beyond these are no whole numbers of ns-3's units, or overflow them.
    check("racks", racks, racks >= 2 && racks <= 1U << 16, "2 to 65536");
    check("servers", servers, servers >= 1 && servers <= 1U << 14, "1 to 16384");
    check("uplinks", uplinks, uplinks >= 1 && uplinks <= 1U << 12, "1 to 4096");
    check("gbps", gbps, gbps >= 1e-3 && gbps <= 1e6, "0.001 to 1e6");
    check("slot", slot, slot > 0 && slot <= 1e9, "above 0 to 1e9");
    check("dark", dark, dark >= 0, "0 or more");
    check("delay", delay, delay >= 0 && delay <= 1e9, "0 to 1e9");
    check("serverGbps",
          serverGbps,
          serverGbps == 0 || (serverGbps >= 1e-3 && serverGbps <= 1e6),
          "0.001 to 1e6, or 0 for the rate of all links");
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
