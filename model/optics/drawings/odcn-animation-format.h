// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ANIMATION_FORMAT_H
#define ODCN_ANIMATION_FORMAT_H

#include "odcn-topology-drawing.h"

#include "ns3/nstime.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <vector>

namespace ns3::odcn
{

/**
 * How a CircuitAnimation is written: its nodes, changes of circuits, and packets, in the order of
 * time.
 * @ingroup odcn
 */
class AnimationFormat
{
  public:
    /// Port of a packet that is not on a circuit.
    static constexpr uint32_t NO_UPLINK = UINT32_MAX;

    /// Index of a node that is not in the drawing.
    static constexpr uint32_t NO_PLACE = UINT32_MAX;

    /// A ToR switch.
    struct Rack
    {
        RackId rack;                    //!< its number
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
        uint64_t uid;    //!< its number in ns-3
        uint32_t size;   //!< bytes
    };

    /**
     * @param os the file
     * @return the format for NetAnim, XML
     */
    static std::unique_ptr<AnimationFormat> MakeNetAnim(std::ostream& os);

    /**
     * @param os the file
     * @return SVG that a browser plays
     */
    static std::unique_ptr<AnimationFormat> MakeSvg(std::ostream& os);

    virtual ~AnimationFormat() = default;

    /// @return whether the file has an element for each packet, so that their number is limited
    virtual bool ListsPackets() const = 0;

    /**
     * The network, before all else.
     * @param drawing arranged; its nodes are nodes of ns-3
     * @param racks ToR switches, by number
     */
    virtual void Begin(const TopologyDrawing& drawing, const std::vector<Rack>& racks) = 0;

    /**
     * The circuit of an uplink has changed, or is there at the begin.
     * @param now when
     * @param rack index in the racks of Begin()
     * @param port the uplink
     * @param to index of the rack that it reaches, or the number of racks for none
     */
    virtual void AddCircuit(Time now, std::size_t rack, uint32_t port, std::size_t to) = 0;

    /**
     * A packet has arrived.
     * @param crossing the packet
     */
    virtual void AddPacket(const Crossing& crossing) = 0;

    /**
     * The run is over.
     * @param now when
     */
    virtual void End(Time now) = 0;
};

} // namespace ns3::odcn

#endif /* ODCN_ANIMATION_FORMAT_H */
