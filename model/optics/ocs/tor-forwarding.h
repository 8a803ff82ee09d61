// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef TOR_FORWARDING_H
#define TOR_FORWARDING_H

#include <cstdint>

namespace ns3::odcn
{

/**
 * How a TorRouting forwards packets, for what does not call it for each of them: SchedulePackets,
 * CircuitFlowLevel and bounds. A routing tells it by TorRouting::GetForwarding().
 *
 * @ingroup odcn
 */
struct TorForwarding
{
    /// Known ways of forwarding. Packets wait for circuits but for SHORTEST.
    enum Kind : uint8_t
    {
        OTHER,          //!< none of the following
        DIRECT,         //!< one circuit, as DirectRouting
        TRANSIT_IDLE,   //!< at most two, by the rack of an idle circuit, as
                        //!< ValiantRouting[Spread=Idle]
        TRANSIT_RANDOM, //!< at most two, by a rack drawn for each packet, as
                        //!< ValiantRouting[Spread=Random]
        TRANSIT_AGREED, //!< at most two, by a rack that has agreed to relay, as RotorLbRouting
        SHORTEST,       //!< at once, by circuits that are up, as ExpanderRouting
    };

    /// Most circuits of a packet where there is no limit.
    static constexpr uint32_t ANY_HOPS = UINT32_MAX;

    /// How the packets of a class are forwarded.
    struct Class
    {
        Kind kind{OTHER};       //!< way of forwarding
        bool ending{true};      //!< for SHORTEST: ExpanderRouting::EndingCircuits
        uint32_t maxHops{0};    //!< for SHORTEST: most circuits that a packet may take, 1 to 255
        uint32_t paths{0};      //!< for SHORTEST: disjoint paths to choose from, 1 or more
        double backlogLimit{1}; //!< for TRANSIT_AGREED: RotorLbRouting::BacklogLimit

        /// @param other another class  @return whether both forward alike
        bool operator==(const Class& other) const = default;

        /// @return most circuits that a packet takes; ANY_HOPS for OTHER
        uint32_t GetMaxHops() const
        {
            return kind == OTHER ? ANY_HOPS : kind == SHORTEST ? maxHops : kind == DIRECT ? 1 : 2;
        }

        /// @return whether packets take at most one rack of transit, of any choice
        bool IsTransit() const
        {
            return kind == TRANSIT_IDLE || kind == TRANSIT_RANDOM || kind == TRANSIT_AGREED;
        }
    };

    Class bulk;      //!< of packets without a mark
    Class expedited; //!< of those with the DSCP "expedited forwarding", as short flows have; what
                     //!< finds no path by SHORTEST is forwarded as bulk

    /// @return whether short flows are forwarded in another way
    bool HasClasses() const
    {
        return !(bulk == expedited);
    }

    /// @param kind but for SHORTEST  @return all packets in this way
    static TorForwarding All(Kind kind)
    {
        return {{kind}, {kind}};
    }

    /**
     * @param maxHops most circuits that a packet may take, 1 to 255
     * @param paths disjoint paths to choose from, 1 or more
     * @param ending whether paths use circuits that end before any other changes
     * @return all packets at once, by SHORTEST
     */
    static TorForwarding Shortest(uint32_t maxHops, uint32_t paths, bool ending = true)
    {
        const Class all{SHORTEST, ending, maxHops, paths};
        return {all, all};
    }
};

} // namespace ns3::odcn

#endif /* TOR_FORWARDING_H */
