// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_SWITCH_H
#define OCS_SWITCH_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3::odcn
{

class OcsFiber;

/// "No port": an input that leads nowhere.
constexpr uint32_t OCS_NO_PORT = UINT32_MAX;

/**
 * @ingroup odcn
 *
 * One line of a reconfiguration: where an input port shall lead.
 */
struct OcsPortChange
{
    uint32_t input;  //!< input port
    uint32_t output; //!< output port, or OCS_NO_PORT

    /// @param o other change  @return whether both are the same
    bool operator==(const OcsPortChange& o) const = default;
};

/// The side of a port, as in "the input of port 3 has failed".
enum class OcsPortSide : uint8_t
{
    INPUT,  //!< light into the switch
    OUTPUT, //!< light out of the switch
    BOTH,   //!< the whole port
};

/**
 * @ingroup odcn
 *
 * An optical circuit switch: a cross-connect that leads the light of input ports to output ports,
 * with neither buffer nor header processing, and so without serialising a packet again.
 *
 * Each input leads to at most one output, each output is fed by at most one input. Reconfigure()
 * moves a batch of circuits: those that change go dark at once and shine again after exactly
 * ReconfigurationTime, all others are undisturbed. A circuit that is moved again while dark starts
 * its dark time anew. An input that shall lead nowhere is without circuit at once.
 *
 * A packet crosses during [first bit, last bit). What meets a packet is decided to the time step:
 * - its first bit finds the circuit dark, absent or with a failed port: lost, with that cause;
 *   or a packet that InFlight lets finish still at its input: lost with cause "dark";
 * - its circuit is torn while it crosses: lost with cause "cut", or finished, after InFlight;
 * - a port of its circuit fails while it crosses: lost with cause "port-failed".
 *
 * If its output leads to another switch, the first bit goes on at once: a packet may cross several
 * switches at a time. When one of them loses it, the light behind that switch ends; the ones there
 * count it as cut short, not as dropped. If several lose the same packet, it is the first one on
 * the way that counts it, so that a loss has one place and one cause; a switch behind another one
 * knows, and counts, only when the last bit has come.
 *
 * Counters (packets): received = forwarded + dropped by cause + cut short + in flight.
 */
class OcsSwitch : public Object
{
  public:
    /// What becomes of a packet that is crossing while its circuit is torn.
    enum InFlightPolicy
    {
        IN_FLIGHT_DROP,    //!< it is lost
        IN_FLIGHT_DELIVER, //!< it finishes, as if the mirror waited for it
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    OcsSwitch();
    ~OcsSwitch() override;

    /**
     * @param n number of ports, each with an input and an output; existing circuits stay
     */
    void SetNPorts(uint32_t n);

    /// @return number of ports
    uint32_t GetNPorts() const;

    /**
     * Throw OdcnError if a batch cannot be done: no such port, an input twice, or an output fed
     * by two inputs when all is done.
     *
     * @param changes the batch
     */
    void Check(const std::vector<OcsPortChange>& changes) const;

    /**
     * Move circuits, all of a batch or (OdcnError) none. Lines that change nothing are ignored.
     *
     * @param changes where inputs shall lead
     * @return number of circuits that change
     */
    uint32_t Reconfigure(const std::vector<OcsPortChange>& changes);

    /**
     * Set circuits up without any dark time, as they stand before a run.
     *
     * @param changes where inputs shall lead
     */
    void Preset(const std::vector<OcsPortChange>& changes);

    /**
     * @param input input port
     * @return the output it leads to or, while dark, will lead to; OCS_NO_PORT if none
     */
    uint32_t GetOutput(uint32_t input) const;

    /**
     * @param output output port
     * @return the input that feeds it or, while dark, will feed it; OCS_NO_PORT if none
     */
    uint32_t GetInput(uint32_t output) const;

    /// @param input input port  @return whether its circuit is being moved now
    bool IsDark(uint32_t input) const;

    /**
     * @param port port
     * @param side side that breaks; its circuit stays set but carries nothing
     */
    void FailPort(uint32_t port, OcsPortSide side = OcsPortSide::BOTH);

    /**
     * @param port port
     * @param side side that works again
     */
    void RepairPort(uint32_t port, OcsPortSide side = OcsPortSide::BOTH);

    /// @param port port  @param side INPUT or OUTPUT  @return whether that side has failed
    bool IsFailed(uint32_t port, OcsPortSide side) const;

    /// @return packets whose first bit reached an input
    uint64_t GetReceived() const;

    /// @return packets whose last bit left an output
    uint64_t GetForwarded() const;

    /// @return packets that cross now
    uint64_t GetInFlight() const;

    /// @return packets whose tail was lost, and counted, at a switch before this one
    uint64_t GetCutShort() const;

    /// @return packets lost, by cause
    const OcsDropCounts& GetDropped() const;

    // What the fibre calls

    /**
     * @param port port
     * @param fiber fibre plugged into both sides of it
     * @param end which end of it is here
     * @param fromSwitch whether a switch is at the other end
     */
    void Plug(uint32_t port, Ptr<OcsFiber> fiber, uint32_t end, bool fromSwitch);

    /**
     * The first bit of a packet reaches an input.
     *
     * @param input input port
     * @param packet the packet
     * @param txTime how long after the first bit the last one comes
     * @return id of the node that will have it together with the last bit here, or NO_CONTEXT
     */
    uint32_t FirstBit(uint32_t input, const Ptr<Packet>& packet, const Time& txTime);

    /**
     * The last bit of a packet at an input has come.
     *
     * @param input input port
     * @param packet the packet
     * @param whole false if its tail is missing
     */
    void LastBit(uint32_t input, const Ptr<Packet>& packet, bool whole);

    /**
     * The light of a packet at an input ends before its last bit: a switch before has lost it.
     *
     * @param input input port
     * @param packet the packet
     */
    void LoseTail(uint32_t input, const Ptr<Packet>& packet);

    /**
     * TracedCallback signature of Drop.
     *
     * @param packet the packet
     * @param input where it came in
     * @param cause why it was lost
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet,
                                       uint32_t input,
                                       OcsDropCause cause);

    /**
     * TracedCallback signature of ReconfigurationStart and ReconfigurationDone.
     *
     * @param changes what moves, or what has come up (less than what moved if a part of it was
     *        moved again meanwhile)
     */
    typedef void (*ReconfigurationTracedCallback)(const std::vector<OcsPortChange>& changes);

  protected:
    void DoDispose() override;

  private:
    /// A port seen from its fibre: light in and light out. One line of the cache.
    struct alignas(64) Port
    {
        Ptr<OcsFiber> fiber;              //!< what is plugged in
        Ptr<Packet> crossing;             //!< packet at the input, null if none or all is told
        Time lastBit;                     //!< when the crossing packet's last bit comes
        Time upFrom;                      //!< when the input's circuit shines
        uint64_t moves{0};                //!< how often the input's circuit was changed
        uint32_t output{OCS_NO_PORT};     //!< where the input leads
        uint32_t input{OCS_NO_PORT};      //!< what feeds the output
        uint32_t crossingTo{OCS_NO_PORT}; //!< where the crossing packet goes
        uint16_t end{0};                  //!< end of the fibre
        bool inputFailed{false};          //!< light in is lost
        bool outputFailed{false};         //!< light out is lost
        bool fromSwitch{false};           //!< light comes from another switch
        bool lost{false};                 //!< the packet at the input is lost, if not lost before
        OcsDropCause cause{};             //!< why
    };

    /**
     * @param changes a checked batch
     * @param dark how long its circuits are dark
     * @return those of them that change something
     */
    std::vector<OcsPortChange> Move(const std::vector<OcsPortChange>& changes, const Time& dark);

    /// @param changes a batch  @param moves value of Port::moves of each after the batch began
    void Done(std::vector<OcsPortChange> changes, std::vector<uint64_t> moves);

    /// @param port a port  @param what what is asked of it; throws OdcnError if there is none
    void CheckPort(uint32_t port, const char* what) const;

    /// @param input input whose crossing packet is lost unless its last bit is through
    /// @param cause why
    void Cut(uint32_t input, OcsDropCause cause);

    /// A packet's first bit goes nowhere. @param packet it  @param input where it comes in
    /// @param txTime until its last bit  @param cause why  @return NO_CONTEXT
    uint32_t LoseHead(const Ptr<Packet>& packet,
                      uint32_t input,
                      const Time& txTime,
                      OcsDropCause cause);

    /// Take the packet at an input out, and its light behind this switch.
    /// @param input where it came in  @return the packet
    Ptr<Packet> TakeOut(uint32_t input);

    /// @param packet lost packet  @param input where it came in  @param cause why
    void Drop(const Ptr<Packet>& packet, uint32_t input, OcsDropCause cause);

    std::vector<Port> m_ports;       //!< the ports
    Time m_reconfigurationTime;      //!< dark time of a moved circuit
    InFlightPolicy m_inFlightPolicy; //!< see InFlightPolicy
    uint64_t m_received{0};          //!< packets in
    uint64_t m_forwarded{0};         //!< packets out
    uint64_t m_inFlight{0};          //!< packets crossing
    uint64_t m_cutShort{0};          //!< packets lost before
    OcsDropCounts m_dropped;         //!< packets lost

    /// ReconfigurationStart
    TracedCallback<const std::vector<OcsPortChange>&> m_startTrace;
    /// ReconfigurationDone
    TracedCallback<const std::vector<OcsPortChange>&> m_doneTrace;
    /// Drop
    TracedCallback<Ptr<const Packet>, uint32_t, OcsDropCause> m_dropTrace;
};

} // namespace ns3::odcn

#endif /* OCS_SWITCH_H */
