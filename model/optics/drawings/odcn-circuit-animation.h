// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_ANIMATION_H
#define ODCN_CIRCUIT_ANIMATION_H

#include "odcn-topology-drawing.h"

#include "ns3/nstime.h"
#include "ns3/ocs-net-device.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-units.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

class SvgAnimation;
class TorSwitch;

/**
 * @ingroup odcn
 *
 * Records a run as an animation: nodes, circuits that appear and vanish, and packets. The file is
 * SVG, which a browser plays.
 *
 * @code
 *   CircuitAnimation animation;  // outlives the run
 *   animation.AddOptions(cmd);   // --animation=FILE.svg
 *   TopologyDrawing drawing;
 *   drawing.AddFabric(*fabric);
 *   animation.Start(drawing);
 *   Simulator::Run();
 *   animation.Finish(std::cout);
 * @endcode
 *
 * A circuit is a curve from rack to rack through its optical switch, which is thick while
 * packets cross it; a bar below each rack is the share of its packets that have arrived. The run is
 * played in half a second for each change of circuits, 6 to 24 s in all, again and again.
 *
 * All follows the trace source Circuit of TorSwitch. A packet crosses from its first bit until it
 * is handed over, over optical switches and all. Lost packets are not drawn.
 */
class CircuitAnimation
{
  public:
    CircuitAnimation();
    ~CircuitAnimation();
    CircuitAnimation(const CircuitAnimation&) = delete;
    CircuitAnimation& operator=(const CircuitAnimation&) = delete;

    /// @param cmd command line, which gets the option animation
    void AddOptions(OdcnCommandLine& cmd);

    /// @param path file to write, NAME.svg, or "" for none; the default is that of the option
    void SetFile(const std::string& path)
    {
        m_path = path;
    }

    /// @return the file, or ""
    const std::string& GetFile() const
    {
        return m_path;
    }

    /// Record one of several runs. @param options of all runs  @param name for % in the file's name
    void SetOptions(const CircuitAnimation& options, const std::string& name);

    /**
     * Record the nodes of a drawing from now on, if there is a file. Until Finish(), SIGINT and
     * SIGTERM then end the run by an Interruption at the next packet or change of a circuit, and no
     * file stays.
     * @param drawing its nodes are nodes of ns-3
     * @throws OdcnError when the name of the file does not end in ".svg", it cannot be written, a
     * node is not of ns-3, or it was called before
     */
    void Start(TopologyDrawing& drawing);

    /**
     * The run is over: complete the file, if any.
     * @param os gets one line: what the file holds
     * @throws OdcnError when the file could not be written
     */
    void Finish(std::ostream& os);

  private:
    /// A device that sends or receives.
    struct Port
    {
        CircuitAnimation* all;    //!< the animation
        Ptr<OcsNetDevice> device; //!< the device
        uint32_t place;           //!< index of its node in the drawing
        uint32_t uplink;          //!< port of a ToR switch, or SvgAnimation::NO_UPLINK
    };

    /// A ToR switch.
    struct Rack
    {
        CircuitAnimation* all; //!< the animation
        std::size_t index;     //!< among the racks, by number
    };

    /// A packet on its way.
    struct Flight
    {
        uint32_t place;  //!< of the node that sends it
        uint32_t uplink; //!< it leaves by, or SvgAnimation::NO_UPLINK
        Time firstBit;   //!< when its first bit left
        Time lastBit;    //!< when its last bit leaves
    };

    /// Record the packets of a node's devices.
    /// @param node the node
    /// @param place its index in the drawing
    void AddPorts(const Node& node, uint32_t place);

    /// Record the circuits of a rack, those of now first.
    /// @param rack the rack
    /// @param tor its switch
    void Follow(Rack& rack, TorSwitch& tor);

    /// The circuit of an uplink has changed. @param rack its rack  @param port the uplink
    /// @param to rack that it reaches
    static void NoteCircuit(Rack* rack, uint32_t port, RackId to, Time);

    /// A packet leaves. @param port device  @param packet the packet
    static void NoteSent(Port* port, Ptr<const Packet> packet);

    /// A packet has arrived. @param port device  @param packet the packet
    static void NoteReceived(Port* port, Ptr<const Packet> packet);

    std::string m_path;                         //!< file, or ""
    std::unique_ptr<AtomicFile> m_file;         //!< while it is written
    std::unique_ptr<SvgAnimation> m_picture;    //!< as long
    std::optional<Interruption::Guard> m_guard; //!< as long
    std::deque<Port> m_ports;                   //!< devices
    std::map<RackId, Rack> m_racks;             //!< ToR switches
    std::map<const Packet*, Flight> m_flights;  //!< packets on their way
    uint64_t m_packets{0};                      //!< packets written
    uint64_t m_changes{0};                      //!< circuit changes written
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_ANIMATION_H */
