// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULE_OPTICS_H
#define ODCN_SCHEDULE_OPTICS_H

#include "odcn-schedule-engine.h"

#include "ns3/ocs-switch.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

/**
 * The optical switches of a run with faults or a controller: what OcsSwitch does, and FaultInjector
 * with it. Ports are counted as uplinks of all racks; packets are those of
 * FabricEngine::StartSending().
 */
class SchedulePackets::FabricEngine::Optics
{
  public:
    /// @param engine outlives this object
    explicit Optics(FabricEngine& engine);

    /**
     * Command the circuits of a slot.
     * @param plane index
     * @param to rack by rack
     * @param initial whether they are up at once
     * @return racks whose circuits change
     */
    std::vector<bool> Command(uint32_t plane, const Matching& to, bool initial);

    /// @param plane index
    /// @param to rack by rack
    /// @return racks whose circuits are these
    std::vector<bool> FindPresent(uint32_t plane, const Matching& to) const;

    /// @return circuits that were changed, but for initial ones and those after averageUntil
    uint64_t GetReconfigured() const
    {
        return m_reconfigured;
    }

    /// The first bit of a packet has come.
    /// @param packet the packet
    /// @param input by which it comes
    void FirstBit(uint32_t packet, uint32_t input);
    /// The last bit of a packet has come.
    /// @param packet the packet
    /// @param input by which it comes, with TRUNCATED or without
    void LastBit(uint32_t packet, uint32_t input);

    /// Fail or repair a port.
    /// @param port the port
    /// @param failed whether it fails
    /// @param cause of losses
    void SetPort(uint32_t port, bool failed, OcsDropCause cause);
    /**
     * Fail or repair the mirrors of an input.
     * @param input the input
     * @param failed whether they fail
     * @param mirror how
     * @return paths that it affects
     */
    std::vector<Path> SetMirror(uint32_t input, bool failed, OcsMirror mirror);

  private:
    /// A port.
    struct Port
    {
        uint32_t output{NONE};              //!< output of the input's circuit
        uint32_t input{NONE};               //!< input of the output's circuit
        uint32_t wanted{NONE};              //!< output that was commanded
        int64_t upFrom{0};                  //!< when the circuit is up, ps
        OcsMirror mirror{OcsMirror::WORKS}; //!< mirrors of the input
        bool isFailed{false};               //!< whether input and output do not work
        OcsDropCause failure{};             //!< cause of losses then
        uint32_t crossing{NONE};            //!< packet that has come in part
        uint32_t crossingTo{NONE};          //!< its output
        int64_t lastBit{0};                 //!< when its last bit comes, ps
    };

    /// A change of the circuit of an input.
    struct Change
    {
        uint32_t input;  //!< the input
        uint32_t output; //!< its new output, or NONE
    };

    /// @param change that is commanded
    /// @return what the mirrors do
    Change Obey(const Change& change) const;
    /// Start what mirrors do.
    /// @param changes of inputs, each once
    /// @param dark time until circuits are up, ps
    /// @param initial whether they are the first ones
    void Move(const std::vector<Change>& changes, int64_t dark, bool initial = false);
    /// Lose a packet that is crossing, if there is one.
    /// @param input by which it comes
    /// @param cause of the loss
    void Cut(uint32_t input, OcsDropCause cause);

    FabricEngine& m_engine;                              //!< that it is a part of
    std::vector<Port> m_ports;                           //!< by uplink
    uint64_t m_reconfigured{0};                          //!< see GetReconfigured()
    std::map<FaultTally::Key, std::vector<Path>> m_held; //!< paths of stuck mirrors
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULE_OPTICS_H */
