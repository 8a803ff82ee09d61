// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_SWITCH_H
#define OCS_SWITCH_H

#include "ocs-drop-cause.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3::odcn
{

class OcsFiber;

/// No port: output of an input without a circuit.
constexpr uint32_t OCS_NO_PORT = UINT32_MAX;

/**
 * @ingroup odcn
 *
 * One change of a reconfiguration: the new output of an input port.
 */
struct OcsPortChange
{
    uint32_t input;  //!< input port
    uint32_t output; //!< new output port, or OCS_NO_PORT

    /// @param o other change  @return whether both are the same
    bool operator==(const OcsPortChange& o) const = default;
};

/// A side of a port.
enum class OcsPortSide : uint8_t
{
    INPUT,  //!< into the switch
    OUTPUT, //!< out of the switch
    BOTH,   //!< both sides
};

/// What the mirrors of an input do when they are told to move.
enum class OcsMirror : uint8_t
{
    WORKS, //!< they move
    STUCK, //!< they do not: the input and its output keep their circuit, or stay without one
    LOSES, //!< they miss: the input has no circuit after a change
};

/**
 * @ingroup odcn
 *
 * An optical circuit switch: a cross-connect of input ports and output ports, with neither buffers
 * nor header processing, and so without serialising a packet again.
 *
 * Each input is connected to at most one output, each output to at most one input. Reconfigure()
 * changes a batch of circuits: those that change are dark at once and up again after exactly
 * ReconfigurationTime; all others are undisturbed. A circuit that is changed again while dark
 * starts its dark time again. A circuit that is only removed is absent at once.
 *
 * A packet crosses during [first bit, last bit). Losses are decided to the time step:
 * - the first bit finds the circuit dark, absent or with a failed port: lost with that cause;
 *   or the input still has a packet that InFlight lets finish: lost with cause "dark";
 * - the circuit is changed during the crossing: lost with cause "cut" or delivered, see InFlight;
 * - a port of the circuit fails during the crossing: lost with cause "port-failed", or "fiber-cut"
 *   if that is how it fails.
 *
 * Mirrors that do not work as commanded (SetMirror()) let the circuits differ from the commands:
 * an input whose output is held by a stuck one has no circuit, either. Commands are checked against
 * earlier commands, and carried out as soon as the mirrors work again.
 *
 * If the output is connected to another switch, the first bit is forwarded at once: a packet may
 * cross several switches at a time. When one of them loses it, the signal ends in those behind it,
 * which count it as cut short, not as dropped. If several lose the same packet, the first one on
 * the path counts it, so that a loss has one place and one cause; a switch behind another one
 * counts a loss only at the time of the last bit.
 *
 * Counters (packets): received = forwarded + dropped by cause + cut short + in flight.
 */
class OcsSwitch : public Object
{
  public:
    /// Treatment of a packet that is crossing when its circuit is changed.
    enum InFlightPolicy
    {
        IN_FLIGHT_DROP,    //!< the packet is lost
        IN_FLIGHT_DELIVER, //!< the packet is delivered, as if the mirror waited for it
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    OcsSwitch();
    ~OcsSwitch() override;

    /**
     * @param n number of ports, each with an input and an output; existing circuits remain
     */
    void SetNPorts(uint32_t n);

    /// @return number of ports
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    /**
     * Throw OdcnError if a batch is not valid: no such port, an input twice, or an output that
     * would be connected to two inputs.
     *
     * @param changes the batch
     */
    void Check(const std::vector<OcsPortChange>& changes) const;

    /**
     * Reconfigure a batch of circuits, all or (OdcnError) none; unchanged ones are ignored.
     *
     * @param changes new outputs of inputs
     * @return number of circuits that change
     */
    uint32_t Reconfigure(const std::vector<OcsPortChange>& changes);

    /**
     * Set circuits without dark time, as the initial state of a run.
     *
     * @param changes new outputs of inputs
     */
    void Preset(const std::vector<OcsPortChange>& changes);

    /**
     * @param input input port
     * @return the output to which it is connected or, while dark, will be; OCS_NO_PORT if none
     */
    uint32_t GetOutput(uint32_t input) const;

    /**
     * @param output output port
     * @return the input to which it is connected or, while dark, will be; OCS_NO_PORT if none
     */
    uint32_t GetInput(uint32_t output) const;

    /// @param input input port  @return whether its circuit is being reconfigured
    bool IsDark(uint32_t input) const;

    /**
     * @param port port
     * @param side side that fails; its circuit remains but carries no packets
     * @param cause of the losses: PORT_FAILED, or FIBER_CUT for a fibre cut at the port
     */
    void FailPort(uint32_t port,
                  OcsPortSide side = OcsPortSide::BOTH,
                  OcsDropCause cause = OcsDropCause::PORT_FAILED);

    /**
     * @param port port
     * @param side side that is repaired
     */
    void RepairPort(uint32_t port, OcsPortSide side = OcsPortSide::BOTH);

    /**
     * Set what the mirrors of an input do from now on. When they work again, they carry out the
     * last command, with dark time.
     *
     * @param input input port
     * @param mirror what they do
     */
    void SetMirror(uint32_t input, OcsMirror mirror);

    /// @param port port  @param side INPUT or OUTPUT  @return whether that side has failed
    bool IsFailed(uint32_t port, OcsPortSide side) const;

    /// @return packets whose first bit reached an input
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /// @return packets whose last bit left an output
    uint64_t GetForwarded() const
    {
        return m_forwarded;
    }

    /// @return packets that are crossing
    uint64_t GetInFlight() const
    {
        return m_inFlight;
    }

    /// @return packets whose tail was lost, and counted, at a previous switch
    uint64_t GetCutShort() const
    {
        return m_cutShort;
    }

    /// @return packets lost, by cause
    const OcsDropCounts& GetDropped() const
    {
        return m_dropped;
    }

    // Called by the fibre.

    /**
     * @param port port
     * @param fiber fibre at both sides of the port
     * @param end end of the fibre at this switch
     * @param fromSwitch whether another switch is at the far end
     */
    void Plug(uint32_t port, Ptr<OcsFiber> fiber, uint32_t end, bool fromSwitch);

    /**
     * The first bit of a packet reaches an input.
     *
     * @param input input port
     * @param packet the packet
     * @param txTime time from the first to the last bit
     * @return id of the node that receives the packet at the time of its last bit, or NO_CONTEXT
     */
    uint32_t FirstBit(uint32_t input, const Ptr<Packet>& packet, const Time& txTime);

    /**
     * The last bit of a packet has arrived at an input.
     *
     * @param input input port
     * @param packet the packet
     * @param whole false if the packet is truncated
     */
    void LastBit(uint32_t input, const Ptr<Packet>& packet, bool whole);

    /**
     * The signal of a packet ends before its last bit: a previous switch has lost it.
     *
     * @param input input port
     * @param packet the packet
     */
    void LoseTail(uint32_t input, const Ptr<Packet>& packet);

    /**
     * TracedCallback signature of Drop.
     *
     * @param packet the packet
     * @param input input port
     * @param cause cause of the loss
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet,
                                       uint32_t input,
                                       OcsDropCause cause);

    /**
     * TracedCallback signature of ReconfigurationStart and ReconfigurationDone.
     *
     * @param changes those that start, or those completed (fewer if some were changed again)
     */
    typedef void (*ReconfigurationTracedCallback)(const std::vector<OcsPortChange>& changes);

  protected:
    void DoDispose() override;

  private:
    /// A port with its input and its output. One cache line.
    struct alignas(64) Port
    {
        Ptr<OcsFiber> fiber;              //!< fibre of the port, or null
        Ptr<Packet> crossing;             //!< packet at the input, or null
        Time lastBit;                     //!< time of the crossing packet's last bit
        Time upFrom;                      //!< time from which the input's circuit is up
        uint64_t moves{0};                //!< number of changes of the input's circuit
        uint32_t output{OCS_NO_PORT};     //!< output connected to the input
        uint32_t input{OCS_NO_PORT};      //!< input connected to the output
        uint32_t crossingTo{OCS_NO_PORT}; //!< output of the crossing packet
        uint16_t end{0};                  //!< end of the fibre at this port
        bool inputFailed{false};          //!< whether the input has failed
        bool outputFailed{false};         //!< whether the output has failed
        bool fromSwitch{false};           //!< whether another switch is at the far end
        bool lost{false};                 //!< crossing packet is lost here, unless lost before
        OcsDropCause cause{};             //!< cause of that loss
        OcsDropCause failure{};           //!< cause of losses while a side has failed
        OcsMirror mirror{};               //!< of the input
    };

    /**
     * Take note of a valid batch of commands.
     * @param changes the commands
     * @return what the mirrors do of it
     */
    std::vector<OcsPortChange> Command(const std::vector<OcsPortChange>& changes);

    /// @param change a command  @return what the mirrors make of it
    OcsPortChange Obey(const OcsPortChange& change) const;

    /// Start to change circuits. @param changes what the mirrors do  @return number of changes
    uint32_t StartChanges(const std::vector<OcsPortChange>& changes);

    /**
     * @param changes what the mirrors do
     * @param dark dark time of its circuits
     * @param [out] moves by change: Port::moves of its input afterwards
     * @return those that change a circuit
     */
    std::vector<OcsPortChange> Move(const std::vector<OcsPortChange>& changes,
                                    const Time& dark,
                                    std::vector<uint64_t>& moves);

    /// @param changes a batch  @param moves Port::moves of each after the start of the batch
    void Done(std::vector<OcsPortChange> changes, std::vector<uint64_t> moves);

    /// @param port a port  @param what its name in messages; throws OdcnError if there is none
    void CheckPort(uint32_t port, const char* what) const;

    /// Lose the crossing packet, unless its last bit has passed. @param input its input port
    /// @param cause cause of the loss
    void Cut(uint32_t input, OcsDropCause cause);

    /// Lose a packet at its first bit. @param packet the packet  @param input its input port
    /// @param txTime until the last bit  @param cause cause of the loss  @return NO_CONTEXT
    uint32_t LoseHead(const Ptr<Packet>& packet,
                      uint32_t input,
                      const Time& txTime,
                      OcsDropCause cause);

    /// Remove the crossing packet, and its signal behind this switch.
    /// @param input its input port  @return the packet
    Ptr<Packet> TakeOut(uint32_t input);

    /// @param packet lost packet  @param input its input port  @param cause cause of the loss
    void Drop(const Ptr<Packet>& packet, uint32_t input, OcsDropCause cause);

    std::vector<Port> m_ports;       //!< the ports
    std::vector<uint32_t> m_outputs; //!< by input: the output last commanded, or OCS_NO_PORT
    std::vector<uint32_t> m_inputs;  //!< by output: the input last commanded, or OCS_NO_PORT
    Time m_reconfigurationTime;      //!< dark time of a changed circuit
    InFlightPolicy m_inFlightPolicy; //!< see InFlightPolicy
    uint64_t m_received{0};          //!< packets received
    uint64_t m_forwarded{0};         //!< packets forwarded
    uint64_t m_inFlight{0};          //!< packets that are crossing
    uint64_t m_cutShort{0};          //!< packets lost at a previous switch
    OcsDropCounts m_dropped;         //!< packets lost

    /// Trace source ReconfigurationStart.
    TracedCallback<const std::vector<OcsPortChange>&> m_startTrace;
    /// Trace source ReconfigurationDone.
    TracedCallback<const std::vector<OcsPortChange>&> m_doneTrace;
    /// Trace source Drop.
    TracedCallback<Ptr<const Packet>, uint32_t, OcsDropCause> m_dropTrace;
};

} // namespace ns3::odcn

#endif /* OCS_SWITCH_H */
