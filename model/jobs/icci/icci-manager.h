// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_MANAGER_H
#define ICCI_MANAGER_H

#include "icci-migration-control.h"

#include "ns3/odcn-fault-plan.h"
#include "ns3/odcn-outages.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Runs training tasks on interconnected computing centres for a day (section III of the DeepHM
 * paper): deploys each on a ring when it arrives, detects hotspots, asks whether a task with a
 * worker in a hotspot shall migrate, and carries the migration out between two iterations. A
 * migration is carried out completely or not at all: if it fails, the task stays where it was.
 *
 * The manager has its own event loop, without the Simulator: Advance() runs to the next question,
 * Decide() answers it. A question concerns one task and offers candidate rings, start times (slots)
 * and routing alternatives (links). After midnight no question is asked; running tasks keep their
 * expected end.
 *
 * It consists of layers, each of which knows only those below it: the time and its events
 * (IcciClock), tasks on rings (IcciDeployment), migrations (IcciMigrationControl). The manager has
 * their Attributes, the faults, and the loop over events.
 *
 * Links and nodes of the mesh may fail (SetFaults()); a node fails with all its links. Migrations
 * under way over a failed link are aborted. A task whose ring uses a failed link takes other paths
 * between the same centres, and repeats the iteration under way; if there is none, AfterFailure
 * says what follows. A link that has failed carries nothing until it is repaired.
 *
 * Invariants: arrived = running + migrating + ended + interrupted + blocked by cause; planned =
 * started + refused by cause + overtaken; started = completed + aborted + under way; on every fibre
 * the wavelengths in use are those of the tasks' grants; in every centre the CUs held are those of
 * their workers.
 */
class IcciManager : public IcciMigrationControl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Start a day at midnight, with no task running and all counters at 0.
     * @param tasks tasks of the day, earliest first
     * @param background background load of the day
     * @param seed random seed of the first rings and of Search::ANY
     * @throws OdcnError when tasks or background do not fit the mesh
     */
    void Reset(const std::vector<IcciTask>& tasks,
               std::shared_ptr<const IcciBackground> background,
               uint64_t seed);

    /// @param mesh a mesh  @return its parts: links and nodes
    static FaultParts GetFaultParts(const OtnMesh& mesh);

    /// @param faults of the parts of GetFaultParts(), from midnight on; null for none. From the
    /// next Reset() on
    void SetFaults(std::shared_ptr<const FaultTimeline> faults)
    {
        m_outages.SetFaults(std::move(faults));
    }

    /// @return the faults; null for none
    const std::shared_ptr<const FaultTimeline>& GetFaults() const
    {
        return m_outages.GetFaults();
    }

    /**
     * Run to the next question.
     * @return false when the day is over, or after Hold()
     */
    bool Advance();

    /**
     * Stop Advance() after the present event, for a sink of Started that carries out the migration
     * elsewhere. It reports the outcome with SetOutcome() before it calls Release().
     */
    void Hold()
    {
        m_held = true;
    }

    /// Let Advance() continue.
    void Release()
    {
        m_held = false;
    }

    /// @return whether Hold() was called
    bool IsHeld() const
    {
        return m_held;
    }

  private:
    /// Process an event. @param event the event
    void Handle(const Event& event);

    /// End the day: complete migrations under way and refuse planned ones.
    void EndDay();

    /// Carry out a fault. @param change what fails or is repaired
    void ChangePart(const FaultTimeline::Change& change);

    bool m_held{false}; //!< see Hold()
    Outages m_outages;  //!< faults of its parts
};

} // namespace ns3::odcn

#endif /* ICCI_MANAGER_H */
