// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_PARTS_H
#define ODCN_FABRIC_PARTS_H

#include "odcn-fabric-design.h"

#include "ns3/odcn-circuit-schedule.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * The parts of a design's network, their power and their price.
 *
 * Each server has a card and a port of a switch. Each link between two packet switches has a port
 * and a transceiver at both ends. Each optical uplink has a port and a transceiver at its ToR
 * switch, and a port of an optical switch unless its circuits stay for ever: these are fibres. All
 * parts always have their full power.
 *
 * @ingroup odcn
 */
class FabricParts
{
  public:
    /// A kind of part.
    enum Kind : uint8_t
    {
        NIC,         //!< card of a server
        PORT,        //!< port of a packet switch
        TRANSCEIVER, //!< at the end of a fibre
        OCS,         //!< port of an optical circuit switch, for both directions
        N_KINDS      //!< number of kinds
    };

    /// Parts of a kind and a rate.
    struct Count
    {
        Kind kind;       //!< what they are
        double gbps;     //!< rate of their link, Gb/s
        uint64_t number; //!< how many
    };

    /**
     * Read a table of parts: a CSV file with the columns part (nic, port, transceiver or ocs),
     * gbps, watts and price; others are ignored, as is text after #.
     * @param path file name; data/fabric-parts.csv is one
     * @throws OdcnError with file, line, value and what was expected; or when a kind is missing
     */
    explicit FabricParts(const std::string& path);

    /// @param kind of parts
    /// @return its name, as in tables
    static const char* GetName(Kind kind);

    /**
     * @param design a design
     * @param schedule of its circuits; null if it has none
     * @return its parts
     */
    static std::vector<Count> CountParts(const FabricDesign& design,
                                         const Ptr<CircuitSchedule>& schedule);

    /// @param size of a fat tree
    /// @return ports of each of its switches: the least even number for its servers and racks
    static uint32_t GetTreePorts(const FabricSize& size);

    /// @param counts parts
    /// @return power of all, W
    /// @throws OdcnError when there is no part of that rate or a higher one
    double GetPower(const std::vector<Count>& counts) const;

    /// @param counts parts
    /// @return price of all
    /// @throws OdcnError when there is no part of that rate or a higher one
    double GetPrice(const std::vector<Count>& counts) const;

  private:
    /// A line of the table.
    struct Part
    {
        double gbps;  //!< rate of its link, Gb/s
        double watts; //!< power, W
        double price; //!< price
    };

    /// @param count parts
    /// @return the part of the least rate that is enough
    const Part& Find(const Count& count) const;

    std::string m_path;                             //!< file name
    std::array<std::vector<Part>, N_KINDS> m_parts; //!< by kind, in order of the rate
};

} // namespace ns3::odcn

#endif /* ODCN_FABRIC_PARTS_H */
