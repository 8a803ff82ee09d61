// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_WAITS_H
#define ODCN_TRAINING_WAITS_H

#include "odcn-training-times.h"

#include "ns3/nstime.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-fabric-size.h"
#include "ns3/odcn-message.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * Tells what messages between the servers of a design have waited for, for
 * TrainingRun::SetExplain(). Its calls are the run's: it has to outlive it.
 *
 * Alone in the network, a message takes its bytes and headers at the rate of the slowest link, and
 * the propagation. Of the rest, it has waited for a circuit while there was none from its rack to
 * the receiver's, and while one was being set it was dark; what is then left is due to other
 * traffic, and to packets that are received as a whole. Circuits are known of messages that take
 * one circuit of a schedule; others have none to wait for.
 *
 * @ingroup odcn
 */
class TrainingWaits
{
  public:
    /**
     * @param size of the design
     * @param schedule of its circuits, if messages take one circuit; else null
     */
    explicit TrainingWaits(const FabricSize& size, Ptr<CircuitSchedule> schedule = nullptr);

    /**
     * @param message that was received
     * @param received when
     * @param [out] times gets what it has waited for
     * @return the rest of its time
     */
    Time Explain(const Message& message, Time received, TrainingTimes& times);

    /// Time with a circuit, and while one is being set, of a stretch of time.
    struct Circuits
    {
        Time up;   //!< with a circuit
        Time dark; //!< without one, while one is being set
    };

    /**
     * @param from a rack
     * @param to another rack
     * @param begin of a stretch of time, 0 or more
     * @param end of it
     * @return its circuits from one rack to the other
     */
    Circuits GetCircuits(RackId from, RackId to, Time begin, Time end);

  private:
    /// What circuits there are from a time on.
    struct Change
    {
        Time at;       //!< since the start of a period
        bool isUp;     //!< whether there is a circuit
        bool isDark;   //!< whether there is none, but one is being set
        Circuits sums; //!< from the start of the period until then
    };

    /// @param from a rack
    /// @param to another rack
    /// @return changes in a period, by time; the first is at 0
    std::vector<Change> FindChanges(RackId from, RackId to) const;
    /// @param changes of two racks
    /// @param time 0 or more
    /// @return circuits from time 0 on
    Circuits Sum(const std::vector<Change>& changes, Time time) const;

    FabricSize m_size;                                                  //!< of the design
    Ptr<CircuitSchedule> m_schedule;                                    //!< its circuits, or null
    Collective::Link m_near;                                            //!< within a rack
    Collective::Link m_far;                                             //!< between racks
    std::map<std::pair<RackId, RackId>, std::vector<Change>> m_changes; //!< by racks
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_WAITS_H */
