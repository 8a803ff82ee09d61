// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULE_PACKETS_H
#define ODCN_SCHEDULE_PACKETS_H

#include "odcn-exact-packets.h"
#include "odcn-fabric-model.h"

#include "ns3/nstime.h"
#include "ns3/odcn-circuit-host.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-random-stream.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"
#include "ns3/tor-forwarding.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Exact packets of a fabric that follows a schedule: as with TorSwitch (NoCircuit=Hold, without
 * queue discs) and OcsScheduleFollower (without clock skew). Ties are broken as in ns-3 when the
 * follower is started before FlowHelper::Install() or InstallMessages(), both at time 0.
 *
 * Clocks are exact, so optical switches lose no packet unless something fails (SetFaults()). At the
 * end of a run, packets that no circuit serves are still held.
 */
class SchedulePackets : public ExactPackets
{
  public:
    /// How packets are sent and forwarded. Short flows are expedited.
    struct Settings : HostSettings
    {
        /// TorRouting::GetForwarding() of all ToR switches
        TorForwarding forwarding{TorForwarding::All(TorForwarding::DIRECT)};
        QueueSize queueSize{"0p"};  //!< TorSwitch::QueueSize; 0 for no limit
        QueueSize bufferSize{"0B"}; //!< TorSwitch::BufferSize; 0 for no limit
        Time guard;                 //!< OcsScheduleFollower::Guard
        Time pathMargin;            //!< OcsScheduleFollower::PathMargin
        bool hold{false};           //!< FlowApplication::Hold; bulk is DIRECT
        Time averageUntil; //!< end of the time of meanHeld and circuitUse; 0 for that of the run
    };

    /**
     * @param model the fabric, from OcsHelper::GetModel(); the dark time is that of the schedule
     * @param schedule its schedule, after Build()
     * @param settings the settings
     * @throws OdcnError when they do not fit together, a value is out of range, the way of
     * forwarding is not known, or spreading is PER_FLOW with shortest paths
     */
    SchedulePackets(const FabricModel& model,
                    Ptr<CircuitSchedule> schedule,
                    const Settings& settings);

    /// Makes a controller of circuits.
    using MakeLogic = std::function<std::shared_ptr<CircuitLogic>()>;

    /**
     * The same for a fabric whose circuits a controller sets, as an application of ns-3 on a node
     * behind those of the fabric does from time 0 on.
     * @param model the fabric
     * @param makeLogic makes the controller of each run, which is alike each time
     * @param settings the settings, without hold
     * @throws OdcnError as above
     */
    SchedulePackets(const FabricModel& model, MakeLogic makeLogic, const Settings& settings);

    /**
     * @param forwarding of a routing
     * @return "", or why the engine cannot forward so
     */
    static std::string WhyNot(const TorForwarding& forwarding);

    /**
     * @param settings how packets are sent
     * @return "", or why their transport cannot be computed so
     */
    static std::string WhyNot(const Settings& settings);

    int64_t AssignStreams(int64_t stream) override;
    FaultParts GetParts() const override;
    std::vector<Time> GetUnloadedTimes(const Traffic& flows) const override;

  private:
    class FabricEngine;

    /// The random numbers of a ToR switch.
    struct Streams
    {
        RandomStream spreading; //!< of TorSwitch
        RandomStream transit;   //!< of ValiantRouting
    };

    uint32_t GetNHosts() const override
    {
        return m_model.GetNServers();
    }

    std::unique_ptr<Engine> MakeEngine(const Traffic& flows) override;

    /// @throws OdcnError unless fabric and settings fit together
    void CheckSettings() const;

    /// @return random streams of a ToR switch
    int64_t CountStreams() const;

    /// @param first first stream number; negative for automatic streams
    void MakeStreams(int64_t first);

    FabricModel m_model;             //!< the fabric
    Ptr<CircuitSchedule> m_schedule; //!< its schedule; null with a controller
    MakeLogic m_makeLogic;           //!< makes its controller; empty for none
    Settings m_settings;             //!< the settings
    std::vector<Streams> m_streams;  //!< by rack, at their beginning; none before the first run
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULE_PACKETS_H */
