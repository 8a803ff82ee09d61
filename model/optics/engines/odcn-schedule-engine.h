// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULE_ENGINE_H
#define ODCN_SCHEDULE_ENGINE_H

#include "odcn-exact-engine.h"
#include "odcn-schedule-packets.h"

#include "ns3/ocs-circuit-table.h"
#include "ns3/odcn-rotor-lb.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// A run in a fabric.
class SchedulePackets::FabricEngine : public Engine
{
  public:
    /// @param owner has the parameters, all valid  @param flows the flows, all valid
    FabricEngine(const SchedulePackets& owner, const Traffic& flows);
    ~FabricEngine() override;

  private:
    class Agreement;
    class Control;
    class Optics;

    /// Beside the index of a message of RotorLB, to tell it from a packet.
    static constexpr uint32_t MESSAGE = 1U << 31;

    /// The way of a packet over disjoint paths.
    struct Way
    {
        OcsCircuitTable::Path racks; //!< racks after the one that chose it
        std::size_t next{0};         //!< index of the next one; the size for any way
    };

    /// An uplink of a ToR switch.
    struct Uplink
    {
        RackId peer{NO_RACK};  //!< rack that it reaches
        uint32_t sendingTo{0}; //!< uplink that the packet in transmission reaches
        int64_t until{NEVER};  //!< end of its circuit, ps
        int64_t since{0};      //!< when the circuit came up, ps
        int64_t tx{0};         //!< time of the packet in transmission, ps
        bool sending{false};   //!< whether it transmits
        bool idle{false};      //!< whether it found nothing to send
        bool withdrawn{false}; //!< whether paths may not use it
        bool usable{true};     //!< whether control takes its circuit to work
        PortState state{};     //!< what fails of it

        /// @return whether it works and its circuit is usable
        bool Works() const
        {
            return usable && !state.isFailed;
        }
    };

    /// A path between a ToR and an optical switch, in one direction.
    struct Path
    {
        uint32_t uplink; //!< index
        bool output;     //!< from the ToR switch
    };

    /// A ToR switch.
    struct Tor
    {
        std::vector<PacketQueue> local; //!< packets of its hosts, by rack
        std::vector<PacketQueue> relay; //!< packets of other racks, by rack
        std::vector<PacketQueue> port;  //!< packets that leave by a certain uplink
        std::vector<uint32_t> busy;     //!< queues of local with packets
        std::vector<uint32_t> turns;    //!< for spreading in turn, by destination
        uint32_t turn{0};               //!< for TRANSIT_IDLE
        uint64_t packets{0};            //!< held
        uint64_t bytes{0};              //!< held
        uint64_t most{0};               //!< most bytes held
        int64_t since{0};               //!< when bytes changed last, ps
        double sum{0};                  //!< bytes held x time until then, ps
        Streams random;                 //!< random numbers
    };

    /// The use of a slot by ToR switches.
    struct Window
    {
        uint32_t plane;              //!< index
        uint32_t slot;               //!< index
        int64_t end;                 //!< when circuits that change are no longer used, ps
        bool initial;                //!< whether the circuits are up already
        uint32_t generation{0};      //!< of the schedule, see m_generation
        bool isOpening{false};       //!< whether nothing happens at its end
        std::vector<bool> changed{}; //!< with m_optics: racks whose circuits change
    };

    /// @param model a fabric
    /// @return queue of a port of a server, and of the port to it
    static QueueKind GetServerQueue(const FabricModel& model);

    void Begin() override;
    void HostsStart() override;
    bool GoesOn() const override;
    void Handle(const PacketEvent& event) override;
    void SetPart(const Fault& fault, bool failed) override;
    void FromHost(uint32_t packet, ServerId host) override;
    void End() override;

    /// Before a change of the bytes held. @param tor the switch
    void NoteHeld(Tor& tor) const;

    /// Forward a packet in a ToR switch. @param rack the switch  @param packet the packet
    /// @param fromRack whether it has just come by a circuit
    /// @param port uplink by which it has come, if fromRack
    void Forward(RackId rack, uint32_t packet, bool fromRack, uint32_t port = 0);
    /// Hold a packet, or drop it. @param rack the switch  @param packet the packet
    /// @param queue the queue  @param local whether it is in Tor::local  @return whether it is held
    bool Enqueue(RackId rack, uint32_t packet, PacketQueue& queue, bool local);
    /// @param rack a switch  @param queue a queue with packets  @param local whether it is in
    /// Tor::local
    /// @return its next packet, removed
    uint32_t Dequeue(RackId rack, PacketQueue& queue, bool local);
    /// @param rack a switch
    /// @param p a packet
    /// @param fromRack whether it has just come by a circuit
    /// @return the uplink that ExpanderRouting chooses, NONE without a path
    uint32_t ChoosePort(RackId rack, uint32_t p, bool fromRack);
    /// @param rack a switch
    /// @param peer rack next to it
    /// @return its uplinks with a circuit to that rack, a bit for each
    uint64_t GetPortsTo(RackId rack, RackId peer);
    /// @param rack a switch
    /// @param ports some of its uplinks, a bit for each
    /// @param to rack that they lead to
    /// @return one of them, NONE without any
    uint32_t ChooseAmong(RackId rack, uint64_t ports, RackId to);
    /// @param rack a switch
    /// @param n number of choices, not 0
    /// @param to rack that they lead to
    /// @return index of one of them, as TorSwitch::Spread()
    uint32_t Spread(RackId rack, uint32_t n, RackId to);
    /// Send a packet if the uplink is idle. @param rack the switch  @param port the uplink
    void Serve(RackId rack, uint32_t port);
    /// @param rack the switch  @param port an idle uplink  @param queue a queue
    /// @param local whether it is in Tor::local
    /// @param most bytes that its next packet may have
    /// @return bytes of its next packet, if it is sent, else 0
    uint32_t SendHeld(RackId rack,
                      uint32_t port,
                      PacketQueue& queue,
                      bool local,
                      uint64_t most = UINT64_MAX);
    /// @param uplink with a circuit
    /// @param tx time of a packet, ps
    /// @return whether its last bit can leave before the end of the circuit
    bool HasTime(const Uplink& uplink, int64_t tx) const;
    /// @param packet a packet, or MESSAGE and the index of a message of RotorLB, as below
    /// @return its transmission time on an uplink, ps
    int64_t GetTx(uint32_t packet) const;
    /// A packet starts.
    /// @param rack the switch
    /// @param port the uplink
    /// @param packet the packet
    void StartSending(RackId rack, uint32_t port, uint32_t packet);
    /// The last bit of a packet has left an uplink.
    /// @param packet the packet
    /// @param index of the uplink
    void UplinkSent(uint32_t packet, uint32_t index);
    /// A packet has come by an uplink.
    /// @param packet the packet
    /// @param index of the uplink
    void ReachUplink(uint32_t packet, uint32_t index);
    /// A message of RotorLB has come.
    /// @param message the message
    /// @param index of the uplink
    void MessageReceived(uint32_t message, uint32_t index);
    /// @param message of RotorLB that is gone
    void FreeMessage(uint32_t message);
    /// @param packet lost on its way between ToR switches
    /// @param cause of the loss
    void Lose(uint32_t packet, OcsDropCause cause);

    /// Fail or repair the device of an uplink.
    /// @param index of the uplink
    /// @param failed whether it fails
    void SetUplink(uint32_t index, bool failed);
    /// Fail or repair a ToR switch.
    /// @param rack its rack
    /// @param failed whether it fails
    void SetTor(RackId rack, bool failed);
    /// Control learns of paths, now or later.
    /// @param paths that fail or work again
    /// @param failed whether they fail
    void TellPaths(const std::vector<Path>& paths, bool failed);
    /// Control learns of paths.
    /// @param paths that fail or work again
    /// @param failed whether they fail
    void Told(const std::vector<Path>& paths, bool failed);
    /// Control takes a path to have failed or to work again.
    /// @param path the path
    /// @param failed whether it has failed
    void SetPathFailed(const Path& path, bool failed);
    /// @param rack a switch
    /// @param port its uplink
    /// @param to rack that its circuit reaches
    /// @return whether control takes the circuit to work
    bool IsUsable(RackId rack, uint32_t port, RackId to) const;
    /// @param rack a switch
    /// @param port its uplink, with a circuit of which control has learnt
    void SetUsable(RackId rack, uint32_t port);
    /// An uplink starts or ends to work.
    /// @param rack the switch
    /// @param port the uplink
    void WorksChanged(RackId rack, uint32_t port);
    /// Forward packets that wait for a certain uplink again.
    /// @param rack the switch
    /// @param port the uplink
    void Respread(RackId rack, uint32_t port);
    /// @param rack a switch
    /// @param transit a rack that packets may go to
    /// @param to their destination
    /// @return whether a circuit may lead from each to the next
    bool Leads(RackId rack, RackId transit, RackId to) const;
    /// @param rack a switch
    /// @param to destination of a packet of its hosts
    /// @return random transit rack
    RackId DrawTransit(RackId rack, RackId to);
    /// Send a packet to any destination by an idle uplink, as ValiantRouting with Spread=Idle.
    /// @param rack the switch
    /// @param port the uplink
    void SendAny(RackId rack, uint32_t port);

    /// Follow a schedule, from its next slot on.
    /// @param schedule built for the fabric
    /// @param origin when its time 0 is, ps
    void SetSchedule(Ptr<CircuitSchedule> schedule, int64_t origin);

    /// @return dark time of circuits that change, ps
    int64_t GetDarkTime() const
    {
        return m_schedule ? m_schedule->GetReconfigurationTime().GetPicoSeconds()
                          : m_model.darkTime;
    }

    /// Switches learn between which racks all circuits have failed.
    void UpdateCutOff();
    /// @param place a slot of the schedule
    /// @return when ToR switches no longer use its circuits, unless they stay, ps
    int64_t GetLastUse(const CircuitSchedule::Place& place) const;
    /// A slot starts. @param plane index  @param initial whether its circuits are up already
    void StartSlot(uint32_t plane, bool initial);
    /// Circuits may be used. @param window of the slot
    void Open(const Window& window);
    /// Circuits that end leave the paths. @param window of the slot
    void Withdraw(const Window& window);
    /// Circuits that end are no longer used. @param window of the slot
    void Close(const Window& window);
    /// @param rack the switch  @param port the uplink
    void ClearCircuit(RackId rack, uint32_t port);
    /// Clear circuits, and only then forward what waits for them again.
    /// @param rack the switch
    /// @param ports its uplinks
    void ClearCircuits(RackId rack, const std::vector<uint32_t>& ports);
    /// Tell the table which circuit paths may use. @param rack the switch  @param port the uplink
    void UpdatePath(RackId rack, uint32_t port);

    /// @param time since the begin of the run, ps  @return the part of it that counts in averages
    int64_t Clip(int64_t time) const
    {
        return std::min(time, m_average);
    }

    /// @param rack the switch  @param port the uplink  @return the uplink
    Uplink& GetUplink(RackId rack, uint32_t port)
    {
        return m_uplinks[rack * m_model.uplinks + port];
    }

    std::vector<Tor> m_tors;         //!< by rack
    const FabricModel& m_model;      //!< the fabric
    Ptr<CircuitSchedule> m_schedule; //!< that it follows; null before the first of a controller
    int64_t m_origin{0};             //!< when its time 0 is, ps
    uint32_t m_generation{0};        //!< number of schedules before it; events of them are void
    std::vector<int64_t> m_upFrom;   //!< by uplink: when the circuit is up, ps, see Control
    const Settings& m_settings;      //!< the settings
    /// How flows below shortFlows are forwarded; those of SHORTEST have MaxHops and Paths here.
    const TorForwarding::Class& m_expedited;
    const TorForwarding::Kind m_bulk; //!< how all other flows are
    std::vector<int64_t> m_uplinkTx;  //!< transmission times on uplinks by size, ps
    std::vector<Uplink> m_uplinks;    //!< [rack][port]
    std::vector<Way> m_ways;          //!< by packet, with more than one path
    std::vector<std::unique_ptr<Agreement>> m_agreements; //!< by rack, for TRANSIT_AGREED
    std::unique_ptr<Control> m_control;                   //!< with a controller, else null
    std::unique_ptr<Optics> m_optics; //!< with faults or a controller, else null
    std::vector<uint8_t> m_outFailed; //!< by uplink, with faults: paths that control does not use
    std::vector<uint8_t> m_inFailed;  //!< the same in the other direction
    uint64_t m_nFailed{0};            //!< their number
    std::deque<std::pair<std::vector<Path>, bool>> m_told; //!< what control will learn
    bool m_updates{false};                                 //!< whether a CUT_OFF is pending
    std::vector<RotorLbMessage> m_messages;                //!< on circuits, and free ones
    std::vector<uint32_t> m_freeMessages;                  //!< indices of the free ones
    std::vector<Window> m_slots;       //!< of slots that are not over, and free ones
    std::vector<uint32_t> m_freeSlots; //!< indices of the free ones
    OcsCircuitTable m_table;           //!< for SHORTEST
    int64_t m_average;                 //!< averageUntil, ps
    int64_t m_used{0};                 //!< uplink time in use, ps
    int64_t m_up{0};                   //!< uplink time of circuits that have ended, ps
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULE_ENGINE_H */
