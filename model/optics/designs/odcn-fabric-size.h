// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_SIZE_H
#define ODCN_FABRIC_SIZE_H

#include <cstdint>
#include <string>

namespace ns3::odcn
{

class OdcnCommandLine;

/**
 * @ingroup odcn
 *
 * Racks, links and times in which designs are compared: what the text of a FabricDesign leaves
 * open.
 */
struct FabricSize
{
    uint32_t racks{16};   //!< number of racks
    uint32_t servers{4};  //!< servers of a rack
    uint32_t uplinks{4};  //!< uplinks of a rack; some designs have one more, or others
    double gbps{10};      //!< rate of all links, Gb/s
    double slot{100};     //!< between reconfigurations of a schedule, us
    double dark{10};      //!< dark time of a reconfiguration, us
    double delay{500};    //!< propagation from ToR switch to ToR switch, ns
    double serverGbps{0}; //!< rate of the servers' links, Gb/s; 0 for that of all links

    /// Add --racks, --servers, --uplinks, --gbps, --slot, --dark and --delay.
    /// @param cmd command line
    void AddOptions(OdcnCommandLine& cmd);

    /**
     * @param prefix before names in errors: "--" for those of options
     * @throws OdcnError when a number is out of range, or a slot has no time left for packets
     */
    void Check(const std::string& prefix = "") const;

    /// @return racks, servers, uplinks, rate and slots in words
    std::string Describe() const;

    /// @return rate of the servers' links, Gb/s
    double GetServerGbps() const
    {
        return serverGbps > 0 ? serverGbps : gbps;
    }
};

} // namespace ns3::odcn

#endif /* ODCN_FABRIC_SIZE_H */
