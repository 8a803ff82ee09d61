// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SVG_ANIMATION_H
#define ODCN_SVG_ANIMATION_H

#include "odcn-topology-drawing.h"
#include "odcn-topology-svg.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * The picture of a CircuitAnimation: SVG with the elements "animate" of SMIL, which browsers play
 * without a script. It is told the circuits and the packets in the order of time.
 * @ingroup odcn
 */
class SvgAnimation
{
  public:
    /// Port of a packet that is not on a circuit.
    static constexpr uint32_t NO_UPLINK = UINT32_MAX;

    /// Index of a node that is not in the drawing.
    static constexpr uint32_t NO_PLACE = UINT32_MAX;

    /// A ToR switch.
    struct Rack
    {
        uint32_t place;                 //!< index of its node in the drawing
        std::vector<uint32_t> opticals; //!< of each uplink: index of its optical switch in the
                                        //!< drawing, or NO_PLACE
    };

    /// A packet on a link.
    struct Crossing
    {
        uint32_t from;   //!< index of the node that sent it
        uint32_t to;     //!< index of the node that received it
        uint32_t uplink; //!< of the sending rack, or NO_UPLINK
        Time firstBit;   //!< when its first bit left
        Time lastBit;    //!< when its last bit left
        Time arrival;    //!< when it was handed over
        uint32_t size;   //!< bytes
    };

    /// @param os the file
    explicit SvgAnimation(std::ostream& os)
        : m_os(os)
    {
    }

    /**
     * The network, before all else.
     * @param drawing arranged; its nodes are nodes of ns-3
     * @param racks ToR switches, by number
     */
    void Begin(const TopologyDrawing& drawing, const std::vector<Rack>& racks);

    /**
     * The circuit of an uplink has changed, or is there at the begin.
     * @param now when
     * @param rack index in the racks of Begin()
     * @param port the uplink
     * @param to index of the rack that it reaches, or the number of racks for none
     */
    void AddCircuit(Time now, std::size_t rack, uint32_t port, std::size_t to);

    /**
     * A packet has arrived.
     * @param crossing the packet
     */
    void AddPacket(const Crossing& crossing);

    /**
     * The run is over.
     * @param now when
     */
    void End(Time now);

  private:
    /// A time from when to when something holds.
    using Interval = std::pair<Time, Time>;

    /// Two racks, the lower first, and the optical switch between them, or NO_PLACE.
    using Path = std::tuple<std::size_t, std::size_t, uint32_t>;

    /// What is known of a path.
    struct Circuit
    {
        uint32_t up{0};              //!< directions in which it is up now
        Time since;                  //!< since when
        std::vector<Interval> times; //!< when it was up in some direction
        std::vector<Interval> busy;  //!< when packets crossed it, in the order of their arrival
        uint32_t hue{0};             //!< number of its colour
    };

    /// Number of clock readings and of steps of a bar.
    static constexpr int STEPS = 48;

    /// @param rack index
    /// @param to index of another
    /// @param port uplink of @p rack
    /// @return the path
    Path GetPath(std::size_t rack, std::size_t to, uint32_t port) const;

    /// @param time a time of the run
    /// @return share of the animation that is over then
    double GetShare(Time time) const;

    /// Write an animation of a property in steps.
    /// @param property its name
    /// @param intervals when it has the value @p on
    /// @param off the value else
    /// @param on the value then
    void WriteSteps(const std::string& property,
                    const std::vector<Interval>& intervals,
                    const std::string& off,
                    const std::string& on) const;

    /// Write the curve of a path.
    /// @param svg the picture
    /// @param path the path
    /// @param circuit when it was up
    void WriteCircuit(const TopologySvg& svg, const Path& path, const Circuit& circuit) const;

    /// Write the bar of a rack.
    /// @param svg the picture
    /// @param rack index
    void WriteBar(const TopologySvg& svg, std::size_t rack) const;

    /// Write the time.
    /// @param svg the picture
    /// @param at where
    void WriteClock(const TopologySvg& svg, TopologySvg::Point at) const;

    std::ostream& m_os;                            //!< the file
    TopologyDrawing m_drawing;                     //!< the network
    std::vector<Rack> m_racks;                     //!< ToR switches
    std::map<uint32_t, std::size_t> m_rackOfPlace; //!< rack of a ToR switch or of a server
    std::vector<std::vector<std::size_t>> m_peers; //!< rack that each uplink reaches
    std::map<Path, Circuit> m_circuits;            //!< all that were up
    std::vector<std::vector<std::pair<Time, uint64_t>>> m_received; //!< bytes of servers, by rack
    std::set<Time> m_changes;                                       //!< when circuits changed
    Time m_first;                                                   //!< begin of the animation
    Time m_last;                                                    //!< end of the animation
    double m_seconds{0};                                            //!< that it is played
};

} // namespace ns3::odcn

#endif /* ODCN_SVG_ANIMATION_H */
