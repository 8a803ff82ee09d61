// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULE_AGREEMENT_H
#define ODCN_SCHEDULE_AGREEMENT_H

#include "odcn-schedule-engine.h"

#include "ns3/odcn-rotor-lb.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// RotorLB in a ToR switch of a run.
class SchedulePackets::FabricEngine::Agreement : private RotorLbSwitch
{
  public:
    /// @param engine outlives this object
    /// @param rack of the switch
    Agreement(FabricEngine& engine, RackId rack);

    /// @return what the switch does
    RotorLb& GetLogic()
    {
        return m_logic;
    }

    /// All circuits that come up now may be known.
    /// @param port uplink
    /// @param order of the event
    void Opened(uint32_t port, uint64_t order);

  private:
    Time Now() const override;
    RackId GetRack() const override;
    uint32_t GetNUplinks() const override;
    RackId GetCircuit(uint32_t port) const override;
    uint64_t GetRate(uint32_t port) const override;
    uint32_t GetMtu(uint32_t port) const override;
    uint64_t GetBytes(TorQueueId queue) const override;
    const std::vector<uint32_t>& GetBusy() const override;
    bool IsCutOff(RackId rack) const override;
    bool IsIdle(uint32_t port) const override;
    bool SendMessage(uint32_t port, const RotorLbMessage& message) override;
    uint32_t SendHeld(uint32_t port, TorQueueId queue, uint64_t most) override;
    void CallOpened(uint32_t port) override;

    /// @param queue LOCAL or RELAY
    /// @return the queue
    PacketQueue& FindQueue(TorQueueId queue) const;

    FabricEngine& m_engine;           //!< that it is a part of
    const RackId m_rack;              //!< of the switch
    RotorLb m_logic;                  //!< what the switch does
    std::vector<uint64_t> m_openings; //!< order of the last Happening::OPENED, by uplink
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULE_AGREEMENT_H */
